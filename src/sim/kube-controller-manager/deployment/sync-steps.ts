// Models kubernetes/pkg/controller/deployment/{deployment_controller,rolling,recreate,sync,progress}.go as named steps
import type { Deployment, ReplicaSet } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros, Note } from "../../kernel/types.ts";
import { type Answer, isSuccess, messageOf, type Plan } from "../controller.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { creationRefused, ensureNew, revision } from "./new-replica-set.ts";
import { findNewReplicaSet, revisionOf, sameAnnotations, sizeAnnotations } from "./replica-sets.ts";
import { rollback, rolledBack } from "./rollback.ts";
import { annotatedSize, byCreation, DESIRED_REPLICAS, reconcileNewSize, reconcileOldSizes, replicasOf, scaleSizes, type Scaling } from "./rolling.ts";
import { calculateStatus, condition, getCondition, hasProgressDeadline, isComplete, rolloutStatus, sameStatus, setCondition, stuckCheckAfter } from "./status.ts";
import { type Lookup, nameOf, oldOf, rollbackTo, scaledEvent, statusCall, type StepName, type StepResult, type Work } from "./work.ts";

const isPaused = ({ d }: Work): boolean => d.spec.paused === true;

/** Whether a size differs from what the ReplicaSets were last scaled to: then sizes come before the rollout. */
const isScalingEvent = ({ d, sets }: Work): boolean =>
  sets.some((rs) => replicasOf(rs) > 0 && annotatedSize(rs, DESIRED_REPLICAS) !== undefined && annotatedSize(rs, DESIRED_REPLICAS) !== replicasOf(d));

/** checkPausedConditions, and which way the sync goes. */
function pause(work: Work, now: Micros): StepResult {
  const { d } = work;
  const next: Work = isPaused(work) ? { ...work, step: "new", mode: "scale" } : rollbackTo(d) !== undefined ? { ...work, step: "new", mode: "rollback" } : { ...work, step: "probe" };
  const current = getCondition(d.status, "Progressing");
  if (!hasProgressDeadline(d) || current?.reason === "ProgressDeadlineExceeded" || isPaused(work) === (current?.reason === "DeploymentPaused")) return { work: next };
  const changed = isPaused(work) ? condition("Progressing", "Unknown", "DeploymentPaused", "Deployment is paused", now) : condition("Progressing", "Unknown", "DeploymentResumed", "Deployment is resumed", now);
  const status = setCondition(d.status ?? {}, changed);
  return { work: { ...next, d: { ...d, status } }, calls: [statusCall(d, status)] };
}

function decide(work: Work): StepResult {
  if (isScalingEvent(work)) return { work: { ...work, step: "new", mode: "scale" } };
  return { work: { ...work, step: "new", mode: work.d.spec.strategy?.type === "Recreate" ? "Recreate" : "RollingUpdate" } };
}

/** What comes when it is known which ReplicaSet is the new one. */
const FOLLOWING: Readonly<Record<Work["mode"], StepName>> = { RollingUpdate: "scale-new", Recreate: "scale-old", scale: "scale-all", rollback: "rollback", status: "status" };

function scaleNew(work: Work): StepResult {
  const { newRS, d } = work;
  if (!newRS) return { work: { ...work, step: "status" } };
  const recreate = work.mode === "Recreate";
  const to = recreate ? replicasOf(d) : reconcileNewSize(d, [...oldOf(work), newRS], newRS);
  if (to !== replicasOf(newRS)) return { work: { ...work, step: "scaling", afterScaling: recreate ? "cleanup" : "status", scalings: [{ name: nameOf(newRS), from: replicasOf(newRS), to }] } };
  return { work: { ...work, step: recreate ? "cleanup" : "scale-old" } };
}

function scaleOld(work: Work): StepResult {
  const { newRS } = work;
  const old = oldOf(work);
  const active = old.filter((rs) => replicasOf(rs) > 0);
  const recreate = work.mode === "Recreate";
  const scalings = recreate ? active.map((rs): Scaling => ({ name: nameOf(rs), from: replicasOf(rs), to: 0 })) : newRS ? reconcileOldSizes(work.d, [...old, newRS], active, newRS) : [];
  if (scalings.length > 0) return { work: { ...work, step: "scaling", afterScaling: "status", scalings } };
  return { work: { ...work, step: recreate ? "wait" : "cleanup" } };
}

/** Recreate: no new Pod while an old one still lives, or is still counted. */
function wait(work: Work): StepResult {
  const old = oldOf(work);
  const running = old.some((rs) => (rs.status?.replicas ?? 0) > 0) || work.running.some((uid) => uid !== work.newRS?.metadata.uid);
  return { work: { ...work, step: running ? "status" : work.newRS === undefined ? "create" : "scale-new" } };
}

/** Writes one size after another; each write is an event. */
function scaling(work: Work): StepResult {
  const [first, ...rest] = work.scalings;
  if (!first) return { work: { ...work, step: work.afterScaling } };
  const rs = [...work.scaled, ...(work.newRS ? [work.newRS] : []), ...work.sets].find((entry) => nameOf(entry) === first.name);
  const annotations = { ...rs?.metadata.annotations, ...sizeAnnotations(work.d) };
  const { to } = first;
  if (!rs || (replicasOf(rs) === to && sameAnnotations(rs.metadata.annotations, annotations))) return { work: { ...work, scalings: rest } };
  const body: ReplicaSet = { ...rs, metadata: { ...rs.metadata, annotations }, spec: { ...rs.spec, replicas: to } };
  const from = replicasOf(rs);
  const note: Note = { text: `deployment-controller scales ReplicaSet ${first.name} from ${from} to ${to}`, why: work.mode === "scale" ? "spec.replicas of the Deployment changed" : "one step of the rollout, within maxSurge and maxUnavailable", level: "basic", subject: subjectOf(work.d) };
  return { work: { ...work, scalings: [{ ...first, from }, ...rest] }, ...(from === to ? {} : { notes: [note] }), calls: [{ method: "PUT", path: objectPath(rs), body, subject: subjectOf(rs) }] };
}

// MaxInt32 stands for "keep all".
const KEEP_ALL = 2_147_483_647;
const byRevision = (a: ReplicaSet, b: ReplicaSet): number => revisionOf(a) - revisionOf(b) || byCreation(a, b);

/** cleanupDeployment: of the old ReplicaSets beyond the limit those go, oldest revision first, that are empty and up to date. */
function cleanup(work: Work): StepResult {
  const { d } = work;
  const limit = d.spec.revisionHistoryLimit ?? KEEP_ALL;
  if (limit === KEEP_ALL || !(work.mode === "scale" ? isPaused(work) : isComplete(d, d.status))) return { work: { ...work, step: "status" } };
  const old = oldOf(work).filter((rs) => rs.metadata.deletionTimestamp === undefined).sort(byRevision);
  const surplus = old.slice(0, Math.max(0, old.length - limit)).filter((rs) => replicasOf(rs) === 0 && (rs.status?.replicas ?? 0) === 0 && (rs.metadata.generation ?? 0) <= (rs.status?.observedGeneration ?? 0));
  return { work: { ...work, step: "deleting", surplus } };
}

function deleting(work: Work): StepResult {
  const [rs] = work.surplus;
  return rs === undefined ? { work: { ...work, step: "status" } } : { work, calls: [{ method: "DELETE", path: objectPath(rs), subject: subjectOf(rs) }] };
}

function writeStatus(work: Work, key: string, now: Micros): StepResult {
  const { d, newRS } = work;
  const all = [...oldOf(work), ...(newRS ? [newRS] : [])];
  const rolls = work.mode === "RollingUpdate" || work.mode === "Recreate";
  const status = rolls ? rolloutStatus(d, all, newRS, now) : calculateStatus(d, all, newRS, now);
  if (sameStatus(d.status, status)) {
    const after = rolls ? stuckCheckAfter(d, status, now) : undefined;
    return { work, done: true, ...(after === undefined ? {} : { enqueue: [{ key, after }] }) };
  }
  const before = getCondition(d.status, "Progressing");
  const progress = getCondition(status, "Progressing");
  const turned = before?.reason !== progress?.reason && (progress?.reason === "NewReplicaSetAvailable" || progress?.reason === "ProgressDeadlineExceeded");
  const subject = subjectOf(d);
  // Told when it is written: a write that comes too early is repeated.
  if (turned && progress) return { work: { ...work, told: { text: `deployment-controller: ${progress.message ?? ""}`, why: progress.status === "True" ? "all replicas are updated and available" : `no progress for ${d.spec.progressDeadlineSeconds ?? 0} s`, level: "basic", subject } }, calls: [statusCall(d, status)] };
  const note: Note = { text: `deployment-controller writes status of ${nameOf(d)}: ${status.readyReplicas ?? 0}/${replicasOf(d)} ready, ${status.updatedReplicas ?? 0} updated`, why: "counts or conditions changed", subject };
  return { work, last: true, notes: [note], calls: [statusCall(d, status)] };
}

function run(work: Work, key: string, now: Micros): StepResult {
  switch (work.step) {
    case "pause":
      return pause(work, now);
    case "probe":
      // isScalingEvent brings revisions up to date too, and what it wrote the next step does not know of.
      return ensureNew(work, "decide", false, now);
    case "decide":
      return decide(work);
    case "new":
      return ensureNew(work, FOLLOWING[work.mode], work.mode === "RollingUpdate" || work.mode === "rollback", now);
    case "create":
      return ensureNew(work, "scale-new", true, now);
    case "revision":
      return revision(work, now);
    case "scale-new":
      return scaleNew(work);
    case "scale-old":
      return scaleOld(work);
    case "scale-all":
      return { work: { ...work, step: "scaling", afterScaling: isPaused(work) ? "cleanup" : "status", scalings: scaleSizes(work.d, work.newRS, oldOf(work)) } };
    case "rollback":
      return rollback(work);
    case "wait":
      return wait(work);
    case "scaling":
      return scaling(work);
    case "cleanup":
      return cleanup(work);
    case "deleting":
      return deleting(work);
    case "status":
      return writeStatus(work, key, now);
  }
}

/** Walks the steps until one needs the API server or the sync is done. */
export function advance(work: Work, key: string, now: Micros, events: readonly EventToRecord[] = []): Plan<Work> {
  let told = events;
  let current = work;
  for (;;) {
    const result = run(current, key, now);
    if (result.events) told = [...told, ...result.events];
    const base = told.length > 0 ? { events: told } : {};
    if (result.done) return { ...base, ...(result.enqueue ? { enqueue: result.enqueue } : {}) };
    if (result.calls && result.calls.length > 0) {
      const latency = current.wrote ? {} : { latency: current.step === "status" ? "deployment.status" : "deployment.sync" };
      return { ...base, ...latency, batches: [result.calls], ...(result.notes ? { notes: result.notes } : {}), ...(result.last ? {} : { next: { ...result.work, wrote: true, asked: current.step } }) };
    }
    current = result.work;
  }
}

/** Takes in what the server answered to the step's call and goes on, or fails the sync. */
export function absorb(work: Work, key: string, answer: Answer, now: Micros, cached: Lookup): Plan<Work> {
  const body = isSuccess(answer) ? (answer.body as Deployment | ReplicaSet | undefined) : undefined;
  switch (work.asked) {
    case "scaling": {
      const [first, ...rest] = work.scalings;
      // A rollout goes on without what could not be scaled down: its sizes are looked at again soon.
      if (body === undefined && work.mode === "RollingUpdate" && first?.name !== nameOf(work.newRS ?? work.d)) return advance({ ...work, step: "cleanup" }, key, now);
      if (body === undefined || first === undefined) return { error: messageOf(answer) };
      const rs = body as ReplicaSet;
      // The status that follows still counts the sizes that were read.
      const next: Work = { ...work, scalings: rest, scaled: [...work.scaled.filter((entry) => entry.metadata.uid !== rs.metadata.uid), rs] };
      return advance(next, key, now, first.from === first.to ? [] : [scaledEvent(work.d, first.name, first.from, first.to)]);
    }
    case "deleting":
      return isSuccess(answer) || answer.status === 404 ? advance({ ...work, surplus: work.surplus.slice(1) }, key, now) : { error: messageOf(answer) };
    case "rollback":
      return rolledBack(work, answer);
    case "status":
      return isSuccess(answer) ? (work.told === undefined ? {} : { notes: [work.told] }) : { error: messageOf(answer) };
    default:
      break;
  }
  if (body !== undefined && body.kind !== "ReplicaSet") return advance(work, key, now);
  if (body !== undefined) {
    const rs = body as ReplicaSet;
    if (!work.creates) return advance({ ...work, newRS: rs }, key, now);
    return advance({ ...work, newRS: rs, made: true }, key, now, replicasOf(rs) > 0 ? [scaledEvent(work.d, nameOf(rs), 0, replicasOf(rs))] : []);
  }
  if (!work.creates) return { error: messageOf(answer) };
  const found = creationRefused(work, answer, now, cached);
  return "kind" in found ? advance({ ...work, newRS: found }, key, now) : found;
}

/** Where a sync of a Deployment with these ReplicaSets begins. */
export const firstWork = (d: Deployment, sets: readonly ReplicaSet[], running: readonly string[]): Work => ({
  step: d.metadata.deletionTimestamp === undefined ? "pause" : "new", mode: "status", d, sets, newRS: findNewReplicaSet(d, sets), creates: false, made: false, next: "status", scaled: [], scalings: [], afterScaling: "status", surplus: [], running, wrote: false, asked: "pause",
});
