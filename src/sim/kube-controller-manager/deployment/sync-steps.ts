// Models kubernetes/pkg/controller/deployment/{deployment_controller,rolling,recreate,sync,progress}.go as named steps
import type { Deployment, ReplicaSet } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros, Note } from "../../kernel/types.ts";
import { type Answer, type Enqueue, isSuccess, messageOf, type Plan } from "../controller.ts";
import { isNamespaceTerminating } from "../pod-control.ts";
import { controllerOf } from "../pods.ts";
import { collectionPath, objectPath, subjectOf } from "../resources.ts";
import { findNewReplicaSet, makeReplicaSet, newReplicaSetAnnotations, REVISION, revisionOf, sameAnnotations, sizeAnnotations } from "./replica-sets.ts";
import { DESIRED_REPLICAS, reconcileNewSize, reconcileOldSizes, replicasOf, scaleSizes, type Scaling } from "./rolling.ts";
import { calculateStatus, condition, type DeploymentStatus, getCondition, hasProgressDeadline, isComplete, rolloutStatus, sameStatus, setCondition, stuckCheckAfter } from "./status.ts";

export type Mode = "RollingUpdate" | "Recreate" | "scale" | "status";
type StepName = "pause" | "new" | "revision" | "scale-new" | "scale-old" | "scale-all" | "wait" | "scaling" | "cleanup" | "status";

/** A sync in progress: what it has read and written so far, and where it stands. Plain data. */
export interface Work {
  readonly step: StepName;
  readonly mode: Mode;
  /** As read, with what this sync has set since: its resourceVersion stays the one read, so that a second write conflicts. */
  readonly d: Deployment;
  /** As read, and those that this sync made; their sizes stay those read. */
  readonly sets: readonly ReplicaSet[];
  /** What the server answered to changes of sizes. */
  readonly scaled: readonly ReplicaSet[];
  readonly scalings: readonly Scaling[];
  /** What "scaling" leads to when it has done something, and when there is nothing to do. */
  readonly afterScaling: StepName;
  readonly oldPodsRunning: boolean;
  readonly wrote: boolean;
  /** The new ReplicaSet was made by this very sync. */
  readonly created: boolean;
}

interface StepResult {
  readonly work: Work;
  readonly calls?: readonly ApiCall[];
  readonly notes?: readonly Note[];
  readonly enqueue?: readonly Enqueue[];
  readonly done?: boolean;
}

const newOf = (work: Work): ReplicaSet | undefined => findNewReplicaSet(work.d, work.sets);
const oldOf = (work: Work, newRS: ReplicaSet | undefined): readonly ReplicaSet[] => work.sets.filter((rs) => rs.metadata.uid !== newRS?.metadata.uid);
const nameOf = (object: { readonly metadata: { readonly name?: string } }): string => object.metadata.name ?? "";

const statusCall = (d: Deployment, status: DeploymentStatus, annotations = d.metadata.annotations): ApiCall => ({
  method: "PUT",
  path: `${objectPath(d)}/status`,
  body: { ...d, metadata: { ...d.metadata, ...(annotations === undefined ? {} : { annotations }) }, status },
  subject: subjectOf(d),
});

/** Whether a size differs from what the ReplicaSets were last scaled to: then sizes come before the rollout. */
export const isScalingEvent = (d: Deployment, sets: readonly ReplicaSet[]): boolean =>
  sets.some((rs) => replicasOf(rs) > 0 && rs.metadata.annotations?.[DESIRED_REPLICAS] !== undefined && Number(rs.metadata.annotations[DESIRED_REPLICAS]) !== replicasOf(d));

function pause(work: Work, now: Micros): StepResult {
  const { d } = work;
  const next: Work = { ...work, step: work.mode === "Recreate" ? "scale-old" : "new" };
  const current = getCondition(d.status, "Progressing");
  if (!hasProgressDeadline(d) || current?.reason === "ProgressDeadlineExceeded") return { work: next };
  const paused = current?.reason === "DeploymentPaused";
  if (Boolean(d.spec.paused) === paused) return { work: next };
  const changed = d.spec.paused ? condition("Progressing", "Unknown", "DeploymentPaused", "Deployment is paused", now) : condition("Progressing", "Unknown", "DeploymentResumed", "Deployment is resumed", now);
  const status = setCondition(d.status ?? {}, changed);
  return { work: { ...next, d: { ...d, status } }, calls: [statusCall(d, status)] };
}

/** What comes after the new ReplicaSet is known. */
const FOLLOWING: Readonly<Record<Mode, StepName>> = { RollingUpdate: "scale-new", Recreate: "scale-new", scale: "scale-all", status: "status" };

function ensureNew(work: Work): StepResult {
  const next: Work = { ...work, step: "revision" };
  const existing = newOf(work);
  if (existing) {
    const annotations = newReplicaSetAnnotations(work.d, existing, oldOf(work, existing));
    const seconds = work.d.spec.minReadySeconds ?? 0;
    if (sameAnnotations(existing.metadata.annotations, annotations) && (existing.spec.minReadySeconds ?? 0) === seconds) return { work: next };
    const body: ReplicaSet = { ...existing, metadata: { ...existing.metadata, annotations }, spec: { ...existing.spec, minReadySeconds: seconds } };
    // The Deployment's own revision follows in the next sync.
    return { work: { ...work, step: FOLLOWING[work.mode] }, calls: [{ method: "PUT", path: objectPath(existing), body, subject: subjectOf(existing) }] };
  }
  if (work.mode === "scale") return { work: { ...work, step: "scale-all" } };
  const rs = makeReplicaSet(work.d, work.sets);
  const namespace = work.d.metadata.namespace ?? "";
  const note: Note = {
    text: `deployment-controller creates ReplicaSet ${nameOf(rs)} with ${replicasOf(rs)} replica${replicasOf(rs) === 1 ? "" : "s"} for Deployment ${nameOf(work.d)}`,
    why: work.sets.length === 0 ? "the Deployment has no ReplicaSet yet" : "no ReplicaSet has the Deployment's present Pod template",
    level: "basic",
    subject: subjectOf(work.d),
  };
  return { work: next, notes: [note], calls: [{ method: "POST", path: collectionPath("ReplicaSet", namespace), body: rs, subject: `replicaset/${namespace}/${nameOf(rs)}` }] };
}

/** The Deployment gets its ReplicaSet's revision and, the first time, a Progressing condition: one write of its status. */
function revision(work: Work, now: Micros): StepResult {
  const { d } = work;
  const next: Work = { ...work, step: FOLLOWING[work.mode] };
  const newRS = newOf(work);
  if (!newRS) return { work: next };
  const text = String(revisionOf(newRS));
  const wanted = hasProgressDeadline(d) && (work.created || getCondition(d.status, "Progressing") === undefined);
  if (d.metadata.annotations?.[REVISION] === text && !wanted) return { work: next };
  const reason = work.created ? condition("Progressing", "True", "NewReplicaSetCreated", `Created new replica set "${nameOf(newRS)}"`, now) : condition("Progressing", "True", "FoundNewReplicaSet", `Found new replica set "${nameOf(newRS)}"`, now);
  const status = wanted ? setCondition(d.status ?? {}, reason) : (d.status ?? {});
  const annotations = { ...d.metadata.annotations, [REVISION]: text };
  return { work: { ...next, d: { ...d, metadata: { ...d.metadata, annotations }, status } }, calls: [statusCall(d, status, annotations)] };
}

function scaleNew(work: Work): StepResult {
  const newRS = newOf(work);
  if (!newRS) return { work: { ...work, step: "status" } };
  const to = work.mode === "Recreate" ? replicasOf(work.d) : reconcileNewSize(work.d, work.sets, newRS);
  if (to !== replicasOf(newRS)) return { work: { ...work, step: "scaling", afterScaling: "status", scalings: [{ name: nameOf(newRS), from: replicasOf(newRS), to }] } };
  return { work: { ...work, step: work.mode === "Recreate" ? "cleanup" : "scale-old" } };
}

function scaleOld(work: Work): StepResult {
  const newRS = newOf(work);
  const old = oldOf(work, newRS);
  const active = old.filter((rs) => replicasOf(rs) > 0);
  const recreate = work.mode === "Recreate";
  const scalings = recreate ? active.map((rs): Scaling => ({ name: nameOf(rs), from: replicasOf(rs), to: 0 })) : newRS ? reconcileOldSizes(work.d, work.sets, active, newRS) : [];
  if (scalings.length > 0) return { work: { ...work, step: "scaling", afterScaling: "status", scalings } };
  return { work: { ...work, step: recreate ? "wait" : "cleanup" } };
}

/** Writes one size after another; each write is an event. */
function scaling(work: Work): StepResult {
  const [first, ...rest] = work.scalings;
  if (!first) return { work: { ...work, step: work.afterScaling } };
  const rs = work.scaled.find((entry) => nameOf(entry) === first.name) ?? work.sets.find((entry) => nameOf(entry) === first.name);
  const annotations = { ...rs?.metadata.annotations, ...sizeAnnotations(work.d) };
  const { to } = first;
  if (!rs || (replicasOf(rs) === to && sameAnnotations(rs.metadata.annotations, annotations))) return { work: { ...work, scalings: rest } };
  const body: ReplicaSet = { ...rs, metadata: { ...rs.metadata, annotations }, spec: { ...rs.spec, replicas: to } };
  const from = replicasOf(rs);
  const note: Note = { text: `deployment-controller scales ReplicaSet ${first.name} from ${from} to ${to}`, why: work.mode === "scale" ? "spec.replicas of the Deployment changed" : "one step of the rollout, within maxSurge and maxUnavailable", level: "basic", subject: subjectOf(work.d) };
  return { work: { ...work, scalings: [{ ...first, from }, ...rest] }, ...(from === to ? {} : { notes: [note] }), calls: [{ method: "PUT", path: objectPath(rs), body, subject: subjectOf(rs) }] };
}

function cleanup(work: Work): StepResult {
  const next: Work = { ...work, step: "status" };
  const { d } = work;
  const limit = d.spec.revisionHistoryLimit;
  const applies = work.mode === "scale" ? Boolean(d.spec.paused) : isComplete(d, d.status);
  if (!applies || limit === undefined) return { work: next };
  const old = oldOf(work, newOf(work)).filter((rs) => rs.metadata.deletionTimestamp === undefined).sort((a, b) => revisionOf(a) - revisionOf(b));
  const surplus = old.slice(0, Math.max(0, old.length - limit)).filter((rs) => replicasOf(rs) === 0 && (rs.status?.replicas ?? 0) === 0 && (rs.metadata.generation ?? 0) <= (rs.status?.observedGeneration ?? 0));
  if (surplus.length === 0) return { work: next };
  return { work: next, calls: surplus.map((rs): ApiCall => ({ method: "DELETE", path: objectPath(rs), subject: subjectOf(rs) })) };
}

function writeStatus(work: Work, key: string, now: Micros): StepResult {
  const newRS = newOf(work);
  const { d } = work;
  const status = work.mode === "RollingUpdate" || work.mode === "Recreate" ? rolloutStatus(d, work.sets, newRS, now) : calculateStatus(d, work.sets, newRS, now);
  if (sameStatus(d.status, status)) {
    const after = stuckCheckAfter(d, status, now);
    return { work, done: true, ...(after === undefined ? {} : { enqueue: [{ key, after }] }) };
  }
  const before = getCondition(d.status, "Progressing");
  const progress = getCondition(status, "Progressing");
  const turned = before?.reason !== progress?.reason && (progress?.reason === "NewReplicaSetAvailable" || progress?.reason === "ProgressDeadlineExceeded");
  const notes: Note[] = turned && progress ? [{ text: `deployment-controller: ${progress.message ?? ""}`, why: progress.status === "True" ? "all replicas are updated and available" : `no progress for ${d.spec.progressDeadlineSeconds ?? 0} s`, level: "basic", subject: subjectOf(d) }] : [{ text: `deployment-controller writes status of ${nameOf(d)}: ${status.readyReplicas ?? 0}/${replicasOf(d)} ready, ${status.updatedReplicas ?? 0} updated`, why: "counts or conditions changed", subject: subjectOf(d) }];
  // Without a mode that follows there is nothing to do after this write.
  return { work: { ...work, step: "status", mode: "status", scalings: [] }, notes, calls: [statusCall(d, status)] };
}

function run(work: Work, key: string, now: Micros): StepResult {
  switch (work.step) {
    case "pause":
      return pause(work, now);
    case "new":
      return ensureNew(work);
    case "revision":
      return revision(work, now);
    case "scale-new":
      return scaleNew(work);
    case "scale-old":
      return scaleOld(work);
    case "scale-all":
      return { work: { ...work, step: "scaling", afterScaling: work.d.spec.paused ? "cleanup" : "status", scalings: scaleSizes(work.d, newOf(work), oldOf(work, newOf(work))) } };
    case "wait":
      // Recreate: no new Pod while an old one still lives.
      return { work: { ...work, step: work.oldPodsRunning ? "status" : "new" } };
    case "scaling":
      return scaling(work);
    case "cleanup":
      return cleanup(work);
    case "status":
      return writeStatus(work, key, now);
  }
}

/** Walks the steps until one needs the API server or the sync is done. */
export function advance(work: Work, key: string, now: Micros, events: readonly EventToRecord[] = []): Plan<Work> {
  const base = events.length > 0 ? { events } : {};
  let current = work;
  for (;;) {
    const result = run(current, key, now);
    if (result.done) return { ...base, ...(result.enqueue ? { enqueue: result.enqueue } : {}) };
    if (result.calls && result.calls.length > 0) {
      const latency = current.wrote ? {} : { latency: current.step === "status" ? "deployment.status" : "deployment.sync" };
      // The last write of a sync: nothing follows it.
      const last = current.step === "status";
      return { ...base, ...latency, batches: [result.calls], ...(result.notes ? { notes: result.notes } : {}), ...(last ? {} : { next: { ...result.work, wrote: true } }) };
    }
    current = result.work;
  }
}

/** A ReplicaSet of the Deployment's namespace in the cache. */
type Lookup = (name: string) => ReplicaSet | undefined;

/** Takes in what the server answered to the step's calls and goes on, or fails the sync. */
export function absorb(work: Work, key: string, answers: readonly Answer[], now: Micros, cached: Lookup): Plan<Work> {
  let next = work;
  const events: EventToRecord[] = [];
  for (const answer of answers) {
    if (!isSuccess(answer)) return refused(work, answer, now, cached);
    const body = answer.body as Deployment | ReplicaSet | undefined;
    if (body?.kind !== "ReplicaSet" || work.step === "status") continue;
    const rs = body as ReplicaSet;
    if (!next.created && work.step === "revision") next = { ...next, created: !work.sets.some((entry) => entry.metadata.uid === rs.metadata.uid) };
    const known = next.sets.some((entry) => entry.metadata.uid === rs.metadata.uid);
    const first = work.step === "scaling" ? work.scalings[0] : undefined;
    if (first) next = { ...next, scaled: [...next.scaled.filter((entry) => entry.metadata.uid !== rs.metadata.uid), rs] };
    else next = { ...next, sets: known ? next.sets.map((entry) => (entry.metadata.uid === rs.metadata.uid ? rs : entry)) : [...next.sets, rs] };
    if (first && first.from !== first.to) events.push(scaled(next.d, first.name, first.from, first.to));
    if (first) next = { ...next, scalings: next.scalings.slice(1) };
    if (!known && replicasOf(rs) > 0) events.push(scaled(next.d, nameOf(rs), 0, replicasOf(rs)));
  }
  return advance(next, key, now, events);
}

const scaled = (d: Deployment, name: string, from: number, to: number): EventToRecord => ({ object: d, type: "Normal", reason: "ScalingReplicaSet", message: `Scaled ${to > from ? "up" : "down"} replica set ${name} from ${from} to ${to}` });

/** The answer to a creation of the new ReplicaSet, or to any other write, was no. */
function refused(work: Work, answer: Answer, now: Micros, cached: Lookup): Plan<Work> {
  const error = messageOf(answer);
  // Only the creation of the new ReplicaSet is told to users.
  if (work.step !== "revision" || newOf(work) !== undefined || answer.status === 0) return { error };
  if (isNamespaceTerminating(answer)) return {};
  const { d } = work;
  const name = nameOf(makeReplicaSet(d, work.sets));
  if (answer.status === 409) {
    const found = cached(name);
    // Not seen yet, or its own after all: the next try will find it. Any other has the same hash by chance.
    if (found === undefined || (controllerOf(found)?.uid === d.metadata.uid && findNewReplicaSet(d, [found]) !== undefined)) return { error };
    return { error, batches: [[statusCall(d, { ...d.status, collisionCount: (d.status?.collisionCount ?? 0) + 1 })]] };
  }
  const message = `Failed to create new replica set "${name}": ${error}`;
  const events: EventToRecord[] = [{ object: d, type: "Warning", reason: "ReplicaSetCreateError", message }];
  if (!hasProgressDeadline(d)) return { error, events };
  return { error, events, batches: [[statusCall(d, setCondition(d.status ?? {}, condition("Progressing", "False", "ReplicaSetCreateError", message, now)))]] };
}
