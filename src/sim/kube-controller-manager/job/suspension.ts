// Models kubernetes/pkg/controller/job/job_controller.go (syncJob): the condition Suspended
import { rfc3339 } from "../../api/time.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros } from "../../kernel/types.ts";
import { ensureCondition, newCondition } from "./conditions.ts";
import type { Job } from "./types.ts";

/** The Job with its condition as spec.suspend wants it, and what is told; the same Job when it is so. The time of start is that of the last resumption, and none while suspended. */
export function suspension(job: Job, now: Micros): { readonly job: Job; readonly events: readonly EventToRecord[] } {
  const conditions = job.status?.conditions ?? [];
  const [reason, message] = job.spec.suspend ? ["Suspended", "Job suspended"] : ["Resumed", "Job resumed"];
  const next = ensureCondition(conditions, newCondition("Suspended", job.spec.suspend ? "True" : "False", `Job${reason}`, message, now));
  if (next === conditions) return { job, events: [] };
  const { startTime: _started, ...status } = job.status ?? {};
  return { job: { ...job, status: { ...status, ...(job.spec.suspend ? {} : { startTime: rfc3339(now) }), conditions: next } }, events: [{ object: job, type: "Normal", reason, message }] };
}
