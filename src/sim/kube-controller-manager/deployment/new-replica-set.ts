// Models kubernetes/pkg/controller/deployment/sync.go (getNewReplicaSet)
import type { ReplicaSet } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros, Note } from "../../kernel/types.ts";
import { type Answer, messageOf, type Plan } from "../controller.ts";
import { isNamespaceTerminating } from "../pod-control.ts";
import { controllerOf } from "../pods.ts";
import { collectionPath, objectPath, subjectOf } from "../resources.ts";
import { findNewReplicaSet, makeReplicaSet, newReplicaSetAnnotations, REVISION, sameTemplate } from "./replica-sets.ts";
import { replicasOf } from "./rolling.ts";
import { condition, getCondition, hasProgressDeadline, setCondition } from "./status.ts";
import { type Lookup, nameOf, oldOf, statusCall, type StepName, type StepResult, type Work } from "./work.ts";

/** The new ReplicaSet: brought up to date if it is there, made if it may be. Then comes `next`. */
export function ensureNew(work: Work, next: StepName, create: boolean, now: Micros): StepResult {
  const existing = findNewReplicaSet(work.d, work.sets);
  if (existing) {
    const annotations = newReplicaSetAnnotations(work.d, existing, oldOf(work));
    const seconds = work.d.spec.minReadySeconds ?? 0;
    const found: Work = { ...work, newRS: existing, creates: false, next };
    if (annotations === (existing.metadata.annotations ?? annotations) && (existing.spec.minReadySeconds ?? 0) === seconds) return revision({ ...found, made: false }, now);
    const body: ReplicaSet = { ...existing, metadata: { ...existing.metadata, annotations }, spec: { ...existing.spec, minReadySeconds: seconds } };
    // The Deployment's own revision follows in a later sync.
    return { work: { ...found, step: next }, calls: [{ method: "PUT", path: objectPath(existing), body, subject: subjectOf(existing) }] };
  }
  if (!create) return { work: { ...work, newRS: undefined, step: next } };
  const rs = makeReplicaSet(work.d, work.sets);
  const namespace = work.d.metadata.namespace ?? "";
  const note: Note = {
    text: `deployment-controller creates ReplicaSet ${nameOf(rs)} with ${replicasOf(rs)} replica${replicasOf(rs) === 1 ? "" : "s"} for Deployment ${nameOf(work.d)}`,
    why: work.sets.length === 0 ? "the Deployment has no ReplicaSet yet" : "no ReplicaSet has the Deployment's present Pod template",
    level: "basic",
    subject: subjectOf(work.d),
  };
  return { work: { ...work, step: "revision", next, creates: true, made: false }, notes: [note], calls: [{ method: "POST", path: collectionPath("ReplicaSet", namespace), body: rs, subject: `replicaset/${namespace}/${nameOf(rs)}` }] };
}

/** The Deployment gets its ReplicaSet's revision and, the first time, a Progressing condition: one write of its status. */
export function revision(work: Work, now: Micros): StepResult {
  const { d, newRS, made } = work;
  const next: Work = { ...work, step: work.next, creates: false };
  if (!newRS) return { work: next };
  const text = newRS.metadata.annotations?.[REVISION] ?? "";
  const wanted = hasProgressDeadline(d) && (made || (!work.creates && getCondition(d.status, "Progressing") === undefined));
  if (d.metadata.annotations?.[REVISION] === text && !wanted) return { work: next };
  const reason = made ? condition("Progressing", "True", "NewReplicaSetCreated", `Created new replica set "${nameOf(newRS)}"`, now) : condition("Progressing", "True", "FoundNewReplicaSet", `Found new replica set "${nameOf(newRS)}"`, now);
  const status = wanted ? setCondition(d.status ?? {}, reason) : (d.status ?? {});
  const marked = { ...d, metadata: { ...d.metadata, annotations: { ...d.metadata.annotations, [REVISION]: text } }, status };
  return { work: { ...next, d: marked }, calls: [statusCall(marked, status)] };
}

/** The creation of the new ReplicaSet was refused: the one that is there already, or why the sync fails. */
export function creationRefused(work: Work, answer: Answer, now: Micros, cached: Lookup): ReplicaSet | Plan<Work> {
  const error = messageOf(answer);
  if (answer.status === 0) return { error };
  const { d } = work;
  const name = nameOf(makeReplicaSet(d, work.sets));
  if (answer.status === 409) {
    const found = cached(name);
    if (found === undefined) return { error: `replicaset.apps "${name}" not found` };
    // Its own after all, made a moment ago; any other has the same hash by chance.
    if (controllerOf(found)?.uid === d.metadata.uid && sameTemplate(d, found)) return found;
    return { error, batches: [[statusCall(d, { ...d.status, collisionCount: (d.status?.collisionCount ?? 0) + 1 })]] };
  }
  if (isNamespaceTerminating(answer)) return {};
  const message = `Failed to create new replica set "${name}": ${error}`;
  const events: EventToRecord[] = [{ object: d, type: "Warning", reason: "ReplicaSetCreateError", message }];
  if (!hasProgressDeadline(d)) return { error, events };
  return { error, events, batches: [[statusCall(d, setCondition(d.status ?? {}, condition("Progressing", "False", "ReplicaSetCreateError", message, now)))]] };
}
