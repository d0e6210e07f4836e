// Models kubernetes/pkg/controller/controller_utils.go (AddOrUpdateTaintOnNode, RemoveTaintOffNode) and pkg/controller/util/node/controller_utils.go (SwapNodeControllerTaint)
import { rfc3339 } from "../../api/time.ts";
import type { Node, Taint } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Micros } from "../../kernel/types.ts";
import { type Answer, bodyOf } from "../controller.ts";
import { objectPath, pathOf, subjectOf } from "../resources.ts";
import { isSame, type TaintRef, withTaints } from "./taints.ts";

/** Reads a node, patches its taints, first for those to add, then for each group to remove. */
export interface TaintJob {
  readonly node: string;
  readonly add: readonly TaintRef[];
  readonly remove: readonly (readonly TaintRef[])[];
  readonly stage: "get" | "patch";
  /** Conflicts of the part that is under way. */
  readonly tries: number;
}

export interface TaintStep {
  readonly call: ApiCall;
  readonly job: TaintJob;
  /** Pause before the call: another writer was faster. */
  readonly wait?: Micros;
}

const STEPS = 5;
/** The back-off and as much jitter on top. */
const BACKOFF: Micros = 100_000;

function get(job: TaintJob): TaintStep {
  const path = pathOf("Node", undefined, job.node);
  // The first read may come from the server's cache.
  return { call: { method: "GET", path, ...(job.tries === 0 ? { query: { resourceVersion: "0" } } : {}), subject: `node/${job.node}` }, job: { ...job, stage: "get" } };
}

/** A job for these changes; undefined if the node as it is known has nothing to add or remove. */
export function taintJob(node: Node, add: readonly TaintRef[], remove: readonly (readonly TaintRef[])[]): TaintStep | undefined {
  const needed = remove.filter((group) => group.some((taint) => node.spec?.taints?.some((entry) => isSame(entry, taint))));
  if (add.length + needed.length === 0) return undefined;
  return get({ node: node.metadata.name ?? "", add, remove: needed, stage: "get", tries: 0 });
}

function patch(node: Node, taints: readonly Taint[]): ApiCall {
  return {
    method: "PATCH",
    path: objectPath(node),
    contentType: "application/strategic-merge-patch+json",
    body: { metadata: { resourceVersion: node.metadata.resourceVersion ?? "" }, spec: { taints: taints.length === 0 ? null : taints } },
    subject: subjectOf(node),
    level: "basic",
  };
}

function partDone(job: TaintJob): TaintStep | "done" {
  const next = job.add.length > 0 ? { ...job, add: [] } : { ...job, remove: job.remove.slice(1) };
  return next.remove.length === 0 ? "done" : get({ ...next, tries: 0 });
}

/** Goes on with the job after an answer. */
export function nextTaintStep(job: TaintJob, answer: Answer | undefined, now: Micros, jitter: number): TaintStep | "done" | "failed" {
  const node = bodyOf(answer) as Node | undefined;
  if (job.stage === "patch") {
    if (node) return partDone(job);
    if (answer?.status !== 409 || job.tries + 1 >= STEPS) return "failed";
    return { ...get({ ...job, tries: job.tries + 1 }), wait: BACKOFF + (jitter % BACKOFF) };
  }
  if (!node) return "failed";
  const taints = node.spec?.taints ?? [];
  const group = job.remove[0] ?? [];
  const next = job.add.length > 0 ? withTaints(taints, job.add, rfc3339(now)) : taints.filter((taint) => !group.some((entry) => isSame(entry, taint)));
  if (job.add.length === 0 && next.length === taints.length) return partDone(job);
  return { call: patch(node, next), job: { ...job, stage: "patch" } };
}
