// Models kubernetes/pkg/controller/util/node/controller_utils.go: MarkPodsNotReady
import { rfc3339 } from "../../api/time.ts";
import type { Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros } from "../../kernel/types.ts";
import { type Answer, isSuccess } from "../controller.ts";
import { objectPath, subjectOf } from "../resources.ts";

/** The Pod with Ready False; undefined when it has no Ready condition or is not ready anyhow. */
function notReady(pod: Pod, now: Micros): Pod | undefined {
  const conditions = pod.status?.conditions ?? [];
  const index = conditions.findIndex((entry) => entry.type === "Ready");
  const ready = conditions[index];
  if (!ready || ready.status === "False") return undefined;
  return { ...pod, status: { ...pod.status, conditions: conditions.with(index, { ...ready, status: "False", lastTransitionTime: rfc3339(now) }) } };
}

/** One Pod after another. */
export interface PodsJob {
  readonly left: readonly Pod[];
  readonly failed: boolean;
}

export interface PodsStep {
  readonly job: PodsJob;
  /** Absent at the end. */
  readonly call?: ApiCall;
  readonly events: readonly EventToRecord[];
}

export function markNext(job: PodsJob, now: Micros, events: readonly EventToRecord[] = []): PodsStep {
  for (let at = 0; at < job.left.length; at++) {
    const pod = job.left[at];
    const body = pod && notReady(pod, now);
    if (body) return { job: { ...job, left: job.left.slice(at) }, events, call: { method: "PUT", path: `${objectPath(body)}/status`, body, subject: subjectOf(body), level: "basic" } };
  }
  return { job: { ...job, left: [] }, events };
}

/** After an answer: the event comes even if the write failed, but not for a Pod that is gone. */
export function marked(job: PodsJob, answer: Answer | undefined, now: Micros): PodsStep {
  const [pod, ...left] = job.left;
  const gone = answer?.status === 404;
  const failed = job.failed || answer === undefined || !(gone || isSuccess(answer));
  const events: readonly EventToRecord[] = pod === undefined || gone ? [] : [{ object: pod, type: "Warning", reason: "NodeNotReady", message: "Node is not ready" }];
  return markNext({ left, failed }, now, events);
}
