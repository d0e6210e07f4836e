// Models kubernetes/pkg/controller/tainteviction/taint_eviction.go: deletePodHandler, addConditionAndDeletePod
import { rfc3339 } from "../../api/time.ts";
import type { Condition, Pod } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros } from "../../kernel/types.ts";
import { type Answer, bodyOf, isSuccess, type Plan } from "../controller.ts";
import { pathOf } from "../resources.ts";

/** One Pod's deletion: it is read, told why, and deleted; up to five times from the start. */
export interface Deletion {
  readonly pod: string;
  readonly stage: "get" | "patch" | "delete";
  readonly tries: number;
}

type Step = Pick<Plan<Deletion, never>, "batches" | "next" | "wait">;

const RETRIES = 5;
const PAUSE: Micros = 10_000;

const split = (key: string): readonly [string, string] => [key.slice(0, key.indexOf("/")), key.slice(key.indexOf("/") + 1)];

const pathOfPod = (key: string): string => pathOf("Pod", ...split(key));

/** The event names the Pod without its uid: kubectl describe, which asks by uid, does not show it. */
export function podEvent(key: string, words: string): EventToRecord {
  const [namespace, name] = split(key);
  return { object: { apiVersion: "v1", kind: "Pod", metadata: { name, namespace } }, type: "Normal", reason: "TaintManagerEviction", message: `${words} ${key}` };
}

export const getPod = (pod: string, tries: number): Step => ({
  batches: [[{ method: "GET", path: pathOfPod(pod), subject: `pod/${pod}` }]],
  next: { pod, stage: "get", tries },
  ...(tries === 0 ? {} : { wait: PAUSE }),
});

const deletePod = (work: Deletion): Step => ({ batches: [[{ method: "DELETE", path: pathOfPod(work.pod), subject: `pod/${work.pod}`, level: "basic" }]], next: { ...work, stage: "delete" } });

function patchPod(work: Deletion, pod: Pod, now: Micros): Step {
  const old = pod.status?.conditions?.find((entry) => entry.type === "DisruptionTarget");
  const told: Condition = { type: "DisruptionTarget", status: "True", reason: "DeletionByTaintManager", message: "Taint manager: deleting due to NoExecute taint" };
  if (old?.status === told.status && old.reason === told.reason && old.message === told.message) return deletePod(work);
  const { uid = "", generation } = pod.metadata;
  const condition = { ...told, ...(generation === undefined ? {} : { observedGeneration: generation }), lastTransitionTime: old?.status === told.status ? (old.lastTransitionTime ?? null) : rfc3339(now) };
  const body = { metadata: { uid }, status: { conditions: [condition] } };
  return { batches: [[{ method: "PATCH", path: `${pathOfPod(work.pod)}/status`, contentType: "application/strategic-merge-patch+json", body, subject: `pod/${work.pod}` }]], next: { ...work, stage: "patch" } };
}

/** Goes on after an answer; undefined when it is over, done or given up. */
export function deletionAnswered(work: Deletion, answer: Answer | undefined, now: Micros): Step | undefined {
  if (answer === undefined || !isSuccess(answer)) return work.tries + 1 < RETRIES ? getPod(work.pod, work.tries + 1) : undefined;
  if (work.stage === "delete") return undefined;
  const pod = work.stage === "get" ? (bodyOf(answer) as Pod | undefined) : undefined;
  return pod === undefined ? deletePod(work) : patchPod(work, pod, now);
}
