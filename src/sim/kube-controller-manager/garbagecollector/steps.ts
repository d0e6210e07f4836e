// Models kubernetes/pkg/controller/garbagecollector/garbagecollector.go: where a worker is with its item
import type { KubeObject, ObjectMeta, OwnerReference } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Answer, Plan } from "../controller-types.ts";
import type { View } from "../caches.ts";
import { isSuccess } from "../answers.ts";
import type { Monitors } from "../monitors.ts";
import type { AbsentOwners } from "./absent-owners.ts";
import type { Graph } from "./graph.ts";
import { GraphBuilder, type GraphEvent } from "./graph-builder.ts";
import type { Identity } from "./identity.ts";

export interface GCMemory {
  readonly graph: Graph;
  readonly absent: AbsentOwners;
  readonly monitors: Monitors;
}

export interface Classified {
  readonly solid: readonly string[];
  readonly dangling: readonly string[];
  readonly waiting: readonly string[];
}

/** What a worker has asked last, and what it needs to go on. */
export type Step =
  | { readonly step: "item" }
  | { readonly step: "owner"; readonly latest: ObjectMeta; readonly at: number; readonly classified: Classified }
  | { readonly step: "drop owners"; readonly uids: readonly string[] }
  | { readonly step: "unblock"; readonly latest: ObjectMeta; readonly owners: readonly OwnerReference[]; readonly json: boolean }
  | { readonly step: "delete"; readonly latest: ObjectMeta | undefined; readonly policy: string }
  | { readonly step: "conflict"; readonly latest: ObjectMeta; readonly policy: string; readonly error: string }
  | { readonly step: "finalizer"; readonly name: string; readonly tries: number }
  | { readonly step: "finalizer patch"; readonly name: string; readonly tries: number }
  | { readonly step: "orphan"; readonly dependents: readonly Identity[]; readonly json: boolean }
  | { readonly step: "done" };

export type GCView = Pick<View<GCMemory>, "memory">;
export type GCPlan = Plan<Step, GCMemory>;

/** One request, then `next`; a call that cannot be made is an error, which is tried again. */
export const ask = (call: ApiCall | string, next: Step, more: GCPlan = {}): GCPlan => (typeof call === "string" ? { ...more, error: call } : { ...more, batches: [[call]], next });

/** What an answer says of an object, when it says anything. */
export const metadataOf = (answer: Answer | undefined): ObjectMeta | undefined => (answer !== undefined && isSuccess(answer) ? (answer.body as KubeObject | undefined)?.metadata : undefined);

/** The graph after some events, and what is to be tried because of them. */
export function graphPlan(memory: GCMemory, events: readonly GraphEvent[]): Pick<GCPlan, "memory" | "enqueue" | "events"> {
  const builder = new GraphBuilder(memory.graph, memory.absent);
  for (const event of events) builder.process(event);
  return { memory: builder.graph === memory.graph && builder.absent === memory.absent ? memory : { ...memory, graph: builder.graph, absent: builder.absent }, enqueue: builder.keys, events: builder.events };
}

/** The server does not have the item: as if an informer had told that it is deleted. */
export const virtualDelete = (item: Identity, { memory }: GCView): GCPlan => graphPlan(memory, [{ type: "delete", identity: item, metadata: { name: item.name, uid: item.uid }, virtual: true }]);

/** Done, unless no informer has told of the item yet: it is looked up until one does, or until it is gone. */
export const settled = ({ uid }: Identity, { memory }: GCView): GCPlan => (memory.graph.get(uid)?.virtual === true ? { error: "no informer has told of it yet" } : {});
