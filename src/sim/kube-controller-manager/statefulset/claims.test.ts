import { expect, test } from "vitest";
import type { Pod } from "../../api/types.ts";
import { claimOwner } from "./claims.ts";
import type { StatefulSet } from "./identity.ts";

const set = (policy: StatefulSet["spec"]["persistentVolumeClaimRetentionPolicy"]): StatefulSet => ({ apiVersion: "apps/v1", kind: "StatefulSet", metadata: { name: "db", uid: "s" }, spec: { replicas: 2, selector: {}, template: { spec: { containers: [] } }, ...(policy ? { persistentVolumeClaimRetentionPolicy: policy } : {}) } });
const pod = (ordinal: number): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name: `db-${ordinal}`, uid: `p${ordinal}` }, spec: { containers: [] } });

test.each([
  [undefined, undefined, undefined],
  [{ whenScaled: "Retain", whenDeleted: "Delete" }, "StatefulSet", "StatefulSet"],
  [{ whenScaled: "Delete", whenDeleted: "Retain" }, undefined, "Pod"],
  [{ whenScaled: "Delete", whenDeleted: "Delete" }, "StatefulSet", "Pod"],
])("%j: owner of a wanted Pod's claim %s, of a Pod's that is scaled away %s", (policy, wanted, scaledAway) => {
  expect([claimOwner(set(policy), pod(1))?.kind, claimOwner(set(policy), pod(2))?.kind]).toEqual([wanted, scaledAway]);
});
