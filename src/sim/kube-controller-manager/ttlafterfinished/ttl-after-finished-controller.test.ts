import { expect, test } from "vitest";
import type { Job } from "../job/types.ts";
import { expiryOf } from "./ttl-after-finished-controller.ts";

const job = (ttl: number | undefined, type: string, going = false): Job => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "calc", ...(going ? { deletionTimestamp: "2026-01-01T00:00:20Z" } : {}) },
  spec: { template: { spec: { containers: [] } }, ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }) },
  status: { conditions: [{ type, status: "True", lastTransitionTime: "2026-01-01T00:00:10Z" }] },
});

test.each([
  ["complete", job(3, "Complete"), 13_000_000],
  ["failed, at once", job(0, "Failed"), 10_000_000],
  ["about to end", job(3, "SuccessCriteriaMet"), undefined],
  ["without a TTL", job(undefined, "Complete"), undefined],
  ["already going", job(3, "Complete", true), undefined],
])("%s", (_name, finished, at) => expect(expiryOf(finished)).toBe(at));
