// Models kubernetes/pkg/controller/garbagecollector/garbagecollector.go (attemptToDeleteItem)
import type { ObjectMeta, OwnerReference } from "../../api/types.ts";
import type { Note } from "../../kernel/types.ts";
import type { Answer } from "../controller-types.ts";
import { messageOf } from "../answers.ts";
import { addAbsent, askAbsent } from "./absent-owners.ts";
import { blockingDependents, dependentsOf, FOREGROUND, hasFinalizer, ORPHAN } from "./graph.ts";
import { type Identity, ownerIdentity, workKey } from "./identity.ts";
import { cachedMetadata, CLUSTER_TO_NAMESPACED, deleteCall, dropOwnersCall, dropOwnersJsonCall, metadataCall, ownerOf, subjectOfIdentity, unblockCall, unblockJsonCall } from "./operations.ts";
import { removeFinalizer } from "./remove-finalizer.ts";
import { ask, type Classified, type GCPlan, type GCView, metadataOf, settled, type Step, virtualDelete } from "./steps.ts";

type StepOf<S extends Step["step"]> = Extract<Step, { readonly step: S }>;

const NONE: Classified = { solid: [], dangling: [], waiting: [] };
const UNSUPPORTED = 415;

/** Looks the item up on the server: nothing is deleted on the word of a cache. */
export function attemptToDelete(item: Identity, view: GCView): GCPlan {
  const node = view.memory.graph.get(item.uid);
  if (node === undefined || (node.beingDeleted && !node.deletingDependents)) return {};
  return askItem(item, view);
}

function askItem(item: Identity, view: GCView): GCPlan {
  const call = metadataCall(view.memory.monitors, item, { method: "GET" });
  return call === CLUSTER_TO_NAMESPACED ? {} : ask(call, { step: "item" });
}

/** What the server said of the item. */
export function onItem(item: Identity, answer: Answer | undefined, view: GCView): GCPlan {
  const latest = metadataOf(answer);
  if (answer?.status === 404 || (latest !== undefined && latest.uid !== item.uid)) return virtualDelete(item, view);
  if (latest === undefined) return { error: answer === undefined ? "no answer" : messageOf(answer) };
  if (view.memory.graph.get(item.uid)?.deletingDependents === true) return deletingDependents(item, view);
  return (latest.ownerReferences ?? []).length === 0 ? settled(item, view) : nextOwner(item, { step: "owner", latest, at: 0, classified: NONE }, view);
}

/** processDeletingDependentsItem: it goes when nothing is left that blocks it. */
function deletingDependents(item: Identity, view: GCView): GCPlan {
  const node = view.memory.graph.get(item.uid);
  const blocking = node === undefined ? [] : blockingDependents(view.memory.graph, node);
  if (blocking.length > 0) return { ...settled(item, view), enqueue: blocking.filter((dependent) => !dependent.deletingDependents).map(({ identity }) => ({ key: workKey("delete", identity) })) };
  const note: Note = { text: `garbage-collector lets ${item.kind} ${item.name} go`, why: "foreground deletion: none of its dependents is left", subject: subjectOfIdentity(item) };
  return { ...removeFinalizer(item, FOREGROUND, view), notes: [note] };
}

const withClass = (classified: Classified, name: keyof Classified, uid: string): Classified => ({ ...classified, [name]: [...classified[name], uid] });

/** classifyReferences, one owner after the other: known to be absent, or asked for. */
function nextOwner(item: Identity, state: StepOf<"owner">, view: GCView): GCPlan {
  let { at, classified } = state;
  let { memory } = view;
  for (const references = state.latest.ownerReferences ?? []; ; at++) {
    const reference = references[at];
    if (reference === undefined) return { memory, ...decide(item, state.latest, classified, { ...view, memory }) };
    const absent = askAbsent(memory.absent, ownerIdentity(reference, "")) ?? askAbsent(memory.absent, ownerIdentity(reference, item.namespace));
    if (absent === undefined) {
      const owner = ownerOf(memory.monitors, reference, item);
      if (owner === CLUSTER_TO_NAMESPACED) return { memory };
      return ask(typeof owner === "string" ? owner : metadataCall(memory.monitors, owner, { method: "GET" }), { step: "owner", latest: state.latest, at, classified }, { memory });
    }
    memory = { ...memory, absent };
    classified = withClass(classified, "dangling", reference.uid);
  }
}

/** What the server said of one owner. */
export function onOwner(item: Identity, state: StepOf<"owner">, answer: Answer | undefined, view: GCView): GCPlan {
  const reference = state.latest.ownerReferences?.[state.at];
  const owner = metadataOf(answer);
  if (reference === undefined || (owner === undefined && answer?.status !== 404)) return { error: answer === undefined ? "no answer" : messageOf(answer) };
  const after = { ...state, at: state.at + 1 };
  if (owner?.uid === reference.uid) return nextOwner(item, { ...after, classified: withClass(state.classified, owner.deletionTimestamp !== undefined && hasFinalizer(owner, FOREGROUND) ? "waiting" : "solid", reference.uid) }, view);
  const gone = ownerOf(view.memory.monitors, reference, item);
  const memory = typeof gone === "string" ? view.memory : { ...view.memory, absent: addAbsent(view.memory.absent, gone) };
  return nextOwner(item, { ...after, classified: withClass(state.classified, "dangling", reference.uid) }, { ...view, memory });
}

/** Every owner is known: it stays, loses references, or is deleted. */
function decide(item: Identity, latest: ObjectMeta, { solid, dangling, waiting }: Classified, view: GCView): GCPlan {
  const { graph, monitors } = view.memory;
  if (solid.length > 0) {
    const uids = [...dangling, ...waiting];
    return uids.length === 0 ? settled(item, view) : ask(dropOwnersCall(monitors, item, uids), { step: "drop owners", uids });
  }
  const node = graph.get(item.uid);
  const dependents = node === undefined ? [] : dependentsOf(graph, node);
  if (waiting.length === 0 || node === undefined || dependents.length === 0) return remove(item, latest, hasFinalizer(latest, ORPHAN) ? "Orphan" : hasFinalizer(latest, FOREGROUND) ? "Foreground" : "Background", waiting, view);
  // Owner, item and dependent that wait for each other would wait for ever.
  if (dependents.some((dependent) => dependent.deletingDependents)) return ask(unblockCall(monitors, item, node.owners), { step: "unblock", latest, owners: node.owners, json: false });
  return remove(item, latest, "Foreground", waiting, view);
}

function remove(item: Identity, latest: ObjectMeta, policy: string, waiting: readonly string[], view: GCView): GCPlan {
  const owner: OwnerReference | undefined = latest.ownerReferences?.find(({ uid }) => waiting.length === 0 || waiting.includes(uid));
  const note: Note = { text: `garbage-collector deletes ${item.kind} ${item.name}`.slice(0, 138), why: `its owner ${owner?.kind ?? ""} ${owner?.name ?? ""} ${waiting.length > 0 ? "waits for it (foreground deletion)" : "does not exist any more"}`, level: item.kind === "EndpointSlice" ? "operator" : "basic", subject: subjectOfIdentity(item) };
  return ask(deleteCall(view.memory.monitors, item, latest.resourceVersion, policy), { step: "delete", latest, policy }, { notes: [note] });
}

/** The server's answer to the DELETE. A conflict that is not about the owners does not stop it. */
export function onDeleted(item: Identity, state: StepOf<"delete">, answer: Answer | undefined, view: GCView): GCPlan {
  if (answer === undefined || answer.status === 404) return virtualDelete(item, view);
  if (answer.status === 409 && state.latest !== undefined) return ask(metadataCall(view.memory.monitors, item, { method: "GET" }), { step: "conflict", latest: state.latest, policy: state.policy, error: messageOf(answer) });
  return answer.status >= 200 && answer.status < 300 ? settled(item, view) : { error: messageOf(answer) };
}

const sameOwners = (a: ObjectMeta, b: ObjectMeta): boolean => JSON.stringify(a.ownerReferences ?? []) === JSON.stringify(b.ownerReferences ?? []);

/** Something changed between the look and the DELETE: if the owners did not, it is deleted as it is now. */
export function onConflict(item: Identity, { latest, policy, error }: StepOf<"conflict">, answer: Answer | undefined, view: GCView): GCPlan {
  const live = metadataOf(answer);
  if (answer?.status === 404) return virtualDelete(item, view);
  if (live === undefined || live.uid !== item.uid || live.resourceVersion === latest.resourceVersion || !sameOwners(live, latest)) return { error };
  return ask(deleteCall(view.memory.monitors, item, undefined, policy), { step: "delete", latest: undefined, policy });
}

/** Custom resources know no strategic merge: then the whole list is written. */
export function onDroppedOwners(item: Identity, { uids }: StepOf<"drop owners">, answer: Answer | undefined, view: GCView): GCPlan {
  const cached = cachedMetadata(view.memory.monitors, item);
  if (answer?.status === UNSUPPORTED && cached !== undefined) return ask(dropOwnersJsonCall(view.memory.monitors, item, cached, uids), { step: "done" });
  return answer === undefined || metadataOf(answer) === undefined ? { error: answer === undefined ? "no answer" : messageOf(answer) } : settled(item, view);
}

export function onUnblocked(item: Identity, state: StepOf<"unblock">, answer: Answer | undefined, view: GCView): GCPlan {
  const cached = cachedMetadata(view.memory.monitors, item);
  if (answer?.status === UNSUPPORTED && !state.json && cached !== undefined) return ask(unblockJsonCall(view.memory.monitors, item, cached, state.owners), { ...state, json: true });
  if (answer === undefined || metadataOf(answer) === undefined) return { error: answer === undefined ? "no answer" : messageOf(answer) };
  return remove(item, state.latest, "Foreground", state.latest.ownerReferences?.map(({ uid }) => uid) ?? [], view);
}
