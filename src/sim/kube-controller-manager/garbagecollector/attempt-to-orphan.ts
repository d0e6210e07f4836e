// Models kubernetes/pkg/controller/garbagecollector/garbagecollector.go (attemptToOrphanWorker)
import type { Note } from "../../kernel/types.ts";
import type { Answer } from "../controller-types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import { isSuccess, messageOf } from "../answers.ts";
import { dependentsOf, ORPHAN } from "./graph.ts";
import type { Identity } from "./identity.ts";
import { cachedMetadata, dropOwnersCall, dropOwnersJsonCall, subjectOfIdentity } from "./operations.ts";
import { removeFinalizer } from "./remove-finalizer.ts";
import type { GCPlan, GCView } from "./steps.ts";

const isCall = (call: ApiCall | string): call is ApiCall => typeof call !== "string";

/** The references to the owner are removed, of all dependents at once; then the owner may go. */
export function attemptToOrphan(owner: Identity, view: GCView): GCPlan {
  const { graph, monitors } = view.memory;
  const node = graph.get(owner.uid);
  const dependents = node === undefined ? [] : dependentsOf(graph, node).map(({ identity }) => identity);
  const note: Note = { text: `garbage-collector orphans ${dependents.length} dependents of ${owner.kind} ${owner.name}`, why: "propagationPolicy Orphan: they live on without an owner", level: "basic", subject: subjectOfIdentity(owner) };
  if (dependents.length === 0) return { ...removeFinalizer(owner, ORPHAN, view), notes: [note] };
  const calls = dependents.map((dependent) => dropOwnersCall(monitors, dependent, [owner.uid]));
  const wrong = calls.find((call) => !isCall(call));
  return typeof wrong === "string" ? { error: wrong } : { batches: [calls.filter(isCall)], notes: [note], next: { step: "orphan", dependents, json: false } };
}

/** Those that know no strategic merge get their whole list written; those that are gone need nothing. */
export function onOrphaned(owner: Identity, { dependents, json }: { readonly dependents: readonly Identity[]; readonly json: boolean }, answers: readonly Answer[], view: GCView): GCPlan {
  const { monitors } = view.memory;
  const failed = answers.find((answer) => !isSuccess(answer) && answer.status !== 404 && (json || answer.status !== 415));
  if (failed !== undefined) return { error: `failed to orphan dependents of owner ${owner.name}: ${messageOf(failed)}` };
  const left = dependents.filter((_dependent, i) => answers[i]?.status === 415);
  const calls = left.flatMap((dependent) => {
    const metadata = cachedMetadata(monitors, dependent);
    return metadata === undefined ? [] : [dropOwnersJsonCall(monitors, dependent, metadata, [owner.uid])];
  }).filter(isCall);
  return calls.length === 0 ? removeFinalizer(owner, ORPHAN, view) : { batches: [calls], next: { step: "orphan", dependents: left, json: true } };
}
