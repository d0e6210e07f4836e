// Models kubernetes/pkg/controller/garbagecollector/operations.go (removeFinalizer)
import type { Answer } from "../controller-types.ts";
import { messageOf } from "../answers.ts";
import { hasFinalizer } from "./graph.ts";
import type { Identity } from "./identity.ts";
import { finalizersCall, metadataCall } from "./operations.ts";
import { ask, type GCPlan, type GCView, metadataOf, settled } from "./steps.ts";

/** Steps of retry.DefaultBackoff. Simplified: upstream waits 10, 50 and 250 ms between them. */
const MAX_TRIES = 4;

/** Asks for the object first: its finalizers are written whole, if nobody changed it meanwhile. */
export const removeFinalizer = (item: Identity, name: string, view: GCView, tries = 0): GCPlan => ask(metadataCall(view.memory.monitors, item, { method: "GET" }), { step: "finalizer", name, tries });

/** What the server said of the object. */
export function onFinalized(item: Identity, { name, tries }: { readonly name: string; readonly tries: number }, answer: Answer | undefined, view: GCView): GCPlan {
  if (answer?.status === 404) return settled(item, view);
  const metadata = metadataOf(answer);
  if (metadata === undefined) return { error: `cannot finalize owner, because cannot get it: ${answer === undefined ? "no answer" : messageOf(answer)}` };
  return hasFinalizer(metadata, name) ? ask(finalizersCall(view.memory.monitors, item, metadata, name), { step: "finalizer patch", name, tries }) : settled(item, view);
}

/** A conflict is tried again at once, three times; then the item waits its turn. */
export function onFinalizerPatched(item: Identity, { name, tries }: { readonly name: string; readonly tries: number }, answer: Answer | undefined, view: GCView): GCPlan {
  if (metadataOf(answer) !== undefined) return settled(item, view);
  if (answer?.status === 409 && tries + 1 < MAX_TRIES) return removeFinalizer(item, name, view, tries + 1);
  return { error: answer === undefined ? "no answer" : answer.status === 409 ? `updateMaxRetries(${MAX_TRIES}) has reached. The garbage collector will retry later` : messageOf(answer) };
}
