import { expect, test } from "vitest";
import { applyStrategicMergePatch } from "../api/patch.ts";
import type { Pod, PodStatus } from "../api/types.ts";
import { statusPatch } from "./status-patch.ts";

const POD: Pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", uid: "u" }, spec: { containers: [] } };

test.each<{ name: string; before: PodStatus; after: PodStatus }>([
  { name: "a first address", before: { phase: "Pending" }, after: { phase: "Running", podIP: "10.0.0.3", podIPs: [{ ip: "10.0.0.3" }] } },
  { name: "another address after the sandbox was made again", before: { podIP: "10.0.0.3", podIPs: [{ ip: "10.0.0.3" }] }, after: { podIP: "10.0.0.5", podIPs: [{ ip: "10.0.0.5" }] } },
  { name: "a condition that changes and one that goes", before: { conditions: [{ type: "Ready", status: "False", reason: "x" }, { type: "Gone", status: "True" }] }, after: { conditions: [{ type: "Ready", status: "True" }] } },
])("the patch brings the stored status to the new one: $name", ({ before, after }) => {
  const patch = statusPatch(POD, before, after);
  const patched = applyStrategicMergePatch({ ...POD, status: before }, patch, POD) as unknown as { status: PodStatus };
  expect(patched.status).toEqual(after);
});

test("nothing to say is no patch", () => {
  expect(statusPatch(POD, { phase: "Running" }, { phase: "Running" })).toBeUndefined();
});
