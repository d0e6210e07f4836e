// Models kubernetes/pkg/controller/statefulset/{stateful_pod_control,stateful_set_control}.go: what is done for one Pod, request by request
import type { Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, isSuccess, messageOf } from "../controller.ts";
import { aggregate } from "../controller-ref.ts";
import { createPodCall, deletePodCall } from "../pod-control.ts";
import { isPodTerminal } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { claimOf, createClaimCall, hasStaleClaim, hasUnexpectedController, isOwnerUpToDate, updateOwnersCall } from "./claims.ts";
import { DEFAULT_BACKOFF, pauseBefore } from "./retry.ts";
import { claimName, identityMatches, isAvailable, isCreated, isRunningAndReady, isTerminating, ordinalOf, repaired, type StatefulSet, storageMatches } from "./identity.ts";

/** For which of its deeds a Pod's claims are looked at. */
type Cause = "create" | "pending" | "update" | "condemned";

/** One thing to do; `at` counts the set's claim templates. */
type Op =
  | { readonly op: "replica" | "create" | "created" | "wait" | "invariants" | "fix" | "scale" | "delete" }
  | { readonly op: "claim" | "owner"; readonly at: number; readonly cause: Cause }
  | { readonly op: "claims"; readonly cause: Cause }
  | { readonly op: "put"; readonly tries: number; readonly wait?: Micros };

/** What is done for one Pod. Plain data. */
export interface PodTask {
  readonly pod: Pod;
  readonly todo: readonly Op[];
  /** Claims that could not be made, or a Pod. */
  readonly errors: readonly string[];
  /** Over, and with it the round in which one Pod waits for the other. */
  readonly exit?: true;
  readonly error?: string;
}

/** What all tasks of a round know. */
export interface Round {
  readonly set: StatefulSet;
  readonly monotonic: boolean;
  /** Name of the first Pod that is not available: it may be scaled away though it is not. */
  readonly firstUnavailable?: string;
}

export interface TaskStep {
  readonly task: PodTask;
  readonly call?: ApiCall;
  readonly wait?: Micros;
  readonly events: readonly EventToRecord[];
}

export const replicaTask = (pod: Pod): PodTask => ({ pod, todo: [{ op: "replica" }], errors: [] });
export const fixTask = (pod: Pod): PodTask => ({ pod, todo: [{ op: "fix" }], errors: [] });
export const condemnedTask = (pod: Pod): PodTask => ({ pod, todo: [{ op: "scale" }], errors: [] });
export const deleteTask = (pod: Pod): PodTask => ({ pod, todo: [{ op: "delete" }], errors: [] });

const exit = (task: PodTask): PodTask => ({ ...task, todo: [], exit: true });
const failed = (task: PodTask, error: string): PodTask => ({ ...task, todo: [], exit: true, error });
const then = (task: PodTask, ...ops: readonly Op[]): PodTask => ({ ...task, todo: [...ops, ...task.todo] });

const title = { create: "Create", update: "Update", delete: "Delete" } as const;

/** recordPodEvent. */
function podEvent(verb: keyof typeof title, { set }: Round, { pod }: PodTask, error?: string): EventToRecord {
  const what = `${title[verb]} Pod ${pod.metadata.name ?? ""} in StatefulSet ${set.metadata.name ?? ""}`;
  return error === undefined ? { object: set, type: "Normal", reason: `Successful${title[verb]}`, message: `${what} successful` } : { object: set, type: "Warning", reason: `Failed${title[verb]}`, message: `${what} failed error: ${error}` };
}

/** recordClaimEvent. */
function claimEvent({ set }: Round, { pod }: PodTask, claim: string, error?: string): EventToRecord {
  const [name, owner] = [set.metadata.name ?? "", pod.metadata.name ?? ""];
  return error === undefined ? { object: set, type: "Normal", reason: "SuccessfulCreate", message: `Create Claim ${claim} Pod ${owner} in StatefulSet ${name} success` } : { object: set, type: "Warning", reason: "FailedCreate", message: `Create Claim ${claim} for Pod ${owner} in StatefulSet ${name} failed error: ${error}` };
}

const templatesOf = ({ set }: Round): NonNullable<StatefulSet["spec"]["volumeClaimTemplates"]> => set.spec.volumeClaimTemplates ?? [];
const claimsFor = (round: Round, cause: Cause): Op[] => (templatesOf(round).length === 0 ? [] : [...templatesOf(round).map((_, at): Op => ({ op: "claim", at, cause })), { op: "claims", cause }]);
const ownersFor = (round: Round, cause: Cause): Op[] => templatesOf(round).map((_, at): Op => ({ op: "owner", at, cause }));

/** ClaimsMatchRetentionPolicy: a claim that is not there is no mismatch. */
const ownersMatch = (round: Round, pod: Pod, view: View): boolean => templatesOf(round).every((template) => {
  const claim = claimOf(round.set, template, pod, view);
  return claim === undefined || isOwnerUpToDate(claim, round.set, pod);
});

/** Goes on until a request is due or nothing is left to do. */
export function runTask(round: Round, start: PodTask, view: View): TaskStep {
  let task = start;
  const events: EventToRecord[] = [];
  for (let [op] = task.todo; op !== undefined; [op] = task.todo) {
    const step = begin(round, { ...task, todo: task.todo.slice(1) }, op, view);
    events.push(...step.events);
    // The operation stays the first until its answer is there.
    if (step.call !== undefined) return { ...step, task, events };
    task = step.task;
  }
  return { task, events };
}

function begin(round: Round, task: PodTask, op: Op, view: View): TaskStep {
  const { set, monotonic } = round;
  const { pod } = task;
  const go = (next: PodTask): TaskStep => ({ task: next, events: [] });
  switch (op.op) {
    case "replica":
      return go(replica(round, task, view));
    case "claim":
      return claim(round, task, op.at, view);
    case "claims": {
      const error = aggregate(task.errors);
      if (error === undefined) return go(task);
      return { task: failed(task, error), events: op.cause === "pending" || op.cause === "condemned" ? [] : [podEvent(op.cause, round, task, error)] };
    }
    case "create":
      return { task, call: createPodCall(pod), events: [] };
    case "owner":
      return owner(round, task, op, view);
    case "created": {
      const [error] = task.errors;
      return { task: error !== undefined ? failed(task, error) : exit(task), events: [podEvent("create", round, task, error)] };
    }
    case "wait":
      return go(monotonic && (isTerminating(pod) || !isRunningAndReady(pod) || !isAvailable(set, pod, view.now)) ? exit(task) : task);
    case "invariants": {
      if (identityMatches(set, pod) && storageMatches(set, pod) && ownersMatch(round, pod, view)) return go(task);
      return go(then(task, ...(storageMatches(set, pod) ? [] : claimsFor(round, "update")), ...(ownersMatch(round, pod, view) ? [] : ownersFor(round, "update")), { op: "put", tries: 0 }));
    }
    case "put": {
      const body = repaired(set, pod);
      return { task, call: { method: "PUT", path: objectPath(body), body, subject: subjectOf(body) }, ...(op.wait === undefined ? {} : { wait: op.wait }), events: [] };
    }
    case "fix":
      return go(ownersMatch(round, pod, view) ? task : then(task, ...ownersFor(round, "condemned")));
    case "scale":
      return go(scale(round, task, view));
    case "delete":
      return { task, call: deletePodCall(pod), events: [] };
  }
}

/** processReplica. */
function replica(round: Round, task: PodTask, view: View): PodTask {
  const { pod } = task;
  if (isPodTerminal(pod)) return isTerminating(pod) ? exit(task) : then(task, { op: "delete" });
  if (!isCreated(pod)) {
    if (hasStaleClaim(round.set, pod, view)) return exit(task);
    // Simplified: in parallel upstream looks at the claims of a Pod it has just made once more, and repairs what a cache does not tell yet.
    return then(task, ...claimsFor(round, "create"), { op: "create" }, ...ownersFor(round, "create"), { op: "created" });
  }
  const pending = pod.status?.phase === "Pending" ? [...claimsFor(round, "pending"), ...ownersFor(round, "pending")] : [];
  return then(task, ...pending, { op: "wait" }, { op: "invariants" });
}

/** processCondemned. */
function scale({ set, monotonic, firstUnavailable }: Round, task: PodTask, view: View): PodTask {
  const { pod } = task;
  if (isTerminating(pod)) return monotonic ? exit(task) : task;
  const spared = monotonic && pod.metadata.name !== firstUnavailable && (!isRunningAndReady(pod) || !isAvailable(set, pod, view.now));
  return spared ? exit(task) : then(task, { op: "delete" });
}

function claim(round: Round, task: PodTask, at: number, view: View): TaskStep {
  const template = templatesOf(round)[at];
  if (template === undefined) return { task, events: [] };
  const found = claimOf(round.set, template, task.pod, view);
  if (found === undefined) return { task, call: createClaimCall(round.set, template, task.pod), events: [] };
  return { task: found.metadata.deletionTimestamp === undefined ? task : { ...task, errors: [...task.errors, `pvc ${found.metadata.name ?? ""} is being deleted`] }, events: [] };
}

function owner(round: Round, task: PodTask, { at }: Op & { readonly op: "claim" | "owner" }, view: View): TaskStep {
  const { set } = round;
  const template = templatesOf(round)[at];
  const found = template && claimOf(set, template, task.pod, view);
  if (found === undefined) return { task, events: [] };
  const events: EventToRecord[] = hasUnexpectedController(found, set, task.pod) ? [{ object: set, type: "Warning", reason: "ConflictingController", message: `PersistentVolumeClaim ${found.metadata.name ?? ""} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim` }] : [];
  if (isOwnerUpToDate(found, set, task.pod)) return { task, events };
  return { task, call: updateOwnersCall(found, set, task.pod), events };
}

/** Takes in the answer to the request that `runTask` gave. */
export function taskAnswered(round: Round, start: PodTask, answer: Answer, view: View): Omit<TaskStep, "call"> {
  const [op, ...todo] = start.todo;
  const task = { ...start, todo };
  const error = isSuccess(answer) ? undefined : messageOf(answer);
  const exists = answer.status === 409 && (answer.body as { readonly reason?: string } | undefined)?.reason === "AlreadyExists";
  switch (op?.op) {
    case "claim": {
      const template = templatesOf(round)[op.at];
      const name = template === undefined ? "" : claimName(template, round.set, ordinalOf(task.pod));
      const next = error === undefined ? task : { ...task, errors: [...task.errors, `failed to create PVC ${name}: ${error}`] };
      return { task: next, events: exists ? [] : [claimEvent(round, task, name, error)] };
    }
    case "create":
      // A Pod that could not be made is told of when its claims have been seen to.
      return { task: error === undefined ? task : exists ? failed(task, error) : { ...task, errors: [error] }, events: [] };
    case "owner": {
      if (error === undefined) return { task, events: [] };
      const template = templatesOf(round)[op.at];
      const message = `could not update claim ${template === undefined ? "" : claimName(template, round.set, ordinalOf(task.pod))} for delete policy ownerRefs: ${error}`;
      return { task: failed(task, message), events: op.cause === "condemned" ? [] : [podEvent("update", round, task, message)] };
    }
    case "put": {
      if (error === undefined) return { task, events: [podEvent("update", round, task)] };
      const fresh = view.get<Pod>("pods", `${task.pod.metadata.namespace ?? ""}/${task.pod.metadata.name ?? ""}`) ?? task.pod;
      const wait = answer.status === 409 ? pauseBefore(DEFAULT_BACKOFF, op.tries, task.pod.metadata.uid ?? "", view) : undefined;
      if (wait !== undefined) return { task: then({ ...task, pod: fresh }, { op: "put", tries: op.tries + 1, wait }), events: [] };
      return { task: failed(task, error), events: [podEvent("update", round, task, error)] };
    }
    case "delete": {
      const bad = answer.status === 404 ? undefined : error;
      return { task: bad === undefined ? exit(task) : failed(task, bad), events: [podEvent("delete", round, task, bad)] };
    }
    default:
      return { task, events: [] };
  }
}
