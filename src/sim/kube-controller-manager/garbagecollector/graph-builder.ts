// Models kubernetes/pkg/controller/garbagecollector/graph_builder.go (processGraphChanges)
import { EPOCH_SECONDS, parseRfc3339 } from "../../api/time.ts";
import type { KubeObject, ObjectMeta, OwnerReference } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Enqueue } from "../controller-types.ts";
import { type AbsentOwners, addAbsent } from "./absent-owners.ts";
import { alternateIdentity, dependentsOf, FOREGROUND, type Graph, type GraphNode, hasFinalizer, ORPHAN, partitionDependents, referencesDiff } from "./graph.ts";
import { type Identity, identityText, matchesReference, ownerIdentity, sameIdentity, workKey } from "./identity.ts";

/** What an informer told, or (virtual) what a worker found to be gone. */
export interface GraphEvent {
  readonly type: "add" | "update" | "delete";
  readonly identity: Identity;
  readonly metadata: ObjectMeta;
  readonly old?: ObjectMeta | undefined;
  readonly virtual?: true;
}

/** Requeued once: the first step of the rate limiter. */
const RATE_LIMITED = 5_000;

const deletionStartsWith = (finalizer: string, { metadata: now, old }: GraphEvent): boolean => now.deletionTimestamp !== undefined && hasFinalizer(now, finalizer) && (old?.deletionTimestamp === undefined || !hasFinalizer(old, finalizer));

/** Made in this run. Objects of the settled world are trusted: a pasted cluster may come without its owners. */
function isNew({ creationTimestamp }: ObjectMeta): boolean {
  const at = parseRfc3339(creationTimestamp ?? "");
  return !Number.isNaN(at) && at >= 0 && EPOCH_SECONDS > 0;
}

/** One run of the single thread that keeps the graph: changes go in, the changed graph and what is to be tried come out. */
export class GraphBuilder {
  graph: Graph;
  absent: AbsentOwners;
  readonly keys: Enqueue[] = [];
  readonly events: EventToRecord[] = [];

  constructor(graph: Graph, absent: AbsentOwners) {
    this.graph = graph;
    this.absent = absent;
  }

  process(event: GraphEvent): void {
    const found = this.graph.get(event.identity.uid);
    const node = found !== undefined && event.virtual !== true && found.virtual ? this.observed(found, event.identity) : found;
    if (event.type === "delete") {
      if (node !== undefined) this.deleted(node, event);
    } else if (node === undefined) this.inserted(event);
    else this.updated(node, event);
  }

  private put(node: GraphNode): GraphNode {
    this.graph = this.graph.set(node.identity.uid, node);
    return node;
  }

  private attempt(node: GraphNode, queue: "delete" | "orphan" = "delete"): void {
    this.keys.push({ key: workKey(queue, node.identity) });
  }

  /** An informer tells of what was only named so far; those that named it wrongly are looked at again. */
  private observed(node: GraphNode, identity: Identity): GraphNode {
    if (!sameIdentity(node.identity, identity)) {
      for (const dependent of partitionDependents(dependentsOf(this.graph, node), identity).nonmatching) {
        if (identity.namespace !== "" && dependent.identity.namespace !== identity.namespace) this.reportInvalidNamespace(dependent, identity.uid);
        this.attempt(dependent);
      }
    }
    return this.put({ ...node, identity, virtual: false });
  }

  private inserted(event: GraphEvent): void {
    const { metadata, identity } = event;
    const beingDeleted = metadata.deletionTimestamp !== undefined;
    const node = this.put({ identity, owners: metadata.ownerReferences ?? [], dependents: PMap.empty(), deletingDependents: beingDeleted && hasFinalizer(metadata, FOREGROUND), beingDeleted, virtual: false });
    this.addToOwners(node, node.owners, isNew(metadata));
    this.transitions(node, event);
  }

  private updated(old: GraphNode, event: GraphEvent): void {
    const owners = event.metadata.ownerReferences ?? [];
    const { added, removed, changed } = referencesDiff(old.owners, owners);
    let node = old;
    if (added.length + removed.length + changed.length > 0) {
      for (const owner of removed) if (owner.blockOwnerDeletion === true) this.attemptOwner(owner);
      for (const [was, is] of changed) if (was.blockOwnerDeletion === true && is.blockOwnerDeletion !== true) this.attemptOwner(is);
      node = this.put({ ...node, owners });
      this.addToOwners(node, added, true);
      this.removeFromOwners(node, removed);
    }
    node = this.graph.get(node.identity.uid) ?? node;
    if (event.metadata.deletionTimestamp !== undefined && !node.beingDeleted) node = this.put({ ...node, beingDeleted: true });
    this.transitions(node, event);
  }

  private attemptOwner({ uid }: OwnerReference): void {
    const owner = this.graph.get(uid);
    if (owner !== undefined) this.attempt(owner);
  }

  /** An owner that is unknown becomes a virtual node, which is looked up on the server; a reference that does not fit its owner is looked at too. */
  private addToOwners(node: GraphNode, owners: readonly OwnerReference[], look: boolean): void {
    let invalid = false;
    for (const reference of owners) {
      const known = this.graph.get(reference.uid);
      const owner = known ?? { identity: ownerIdentity(reference, node.identity.namespace), owners: [], dependents: PMap.empty<true>(), deletingDependents: false, beingDeleted: false, virtual: true };
      this.put({ ...owner, dependents: owner.dependents.set(node.identity.uid, true) });
      if (known === undefined) {
        if (look) this.attempt(owner);
      } else if (!invalid) invalid = this.misfits(node, reference, owner);
    }
    if (invalid && look) this.attempt(node);
  }

  private misfits(node: GraphNode, reference: OwnerReference, owner: GraphNode): boolean {
    const namespaced = owner.identity.namespace !== "";
    const elsewhere = owner.identity.namespace !== node.identity.namespace;
    if (namespaced && elsewhere) {
      if (!owner.virtual) this.reportInvalidNamespace(node, reference.uid);
      return true;
    }
    // A cluster-scoped owner that nobody has seen may be a namespaced one that a cluster-scoped object named by mistake.
    return !matchesReference(reference, owner.identity) || (!namespaced && elsewhere && owner.virtual);
  }

  private removeFromOwners(node: GraphNode, owners: readonly OwnerReference[]): void {
    for (const { uid } of owners) {
      const owner = this.graph.get(uid);
      if (owner !== undefined) this.put({ ...owner, dependents: owner.dependents.delete(node.identity.uid) });
    }
  }

  private transitions(node: GraphNode, event: GraphEvent): void {
    if (deletionStartsWith(ORPHAN, event)) {
      this.attempt(node, "orphan");
    } else if (deletionStartsWith(FOREGROUND, event)) {
      const waiting = node.deletingDependents ? node : this.put({ ...node, deletingDependents: true });
      for (const dependent of dependentsOf(this.graph, waiting)) this.attempt(dependent);
      this.attempt(waiting);
    }
  }

  private deleted(node: GraphNode, event: GraphEvent): void {
    if (event.virtual === true && !this.isGone(node, event.identity)) return;
    this.graph = this.graph.delete(node.identity.uid);
    this.removeFromOwners(node, node.owners);
    const dependents = dependentsOf(this.graph, node);
    if (dependents.length > 0) this.absent = addAbsent(this.absent, event.identity);
    for (const dependent of dependents) this.attempt(dependent);
    for (const { uid } of node.owners) {
      const owner = this.graph.get(uid);
      if (owner?.deletingDependents === true) this.attempt(owner);
    }
  }

  /** What a worker did not find may be known by other coordinates: then only those that named these lose their owner. */
  private isGone(node: GraphNode, gone: Identity): boolean {
    const { matching, nonmatching } = partitionDependents(dependentsOf(this.graph, node), gone);
    if (node.virtual ? nonmatching.length === 0 : sameIdentity(node.identity, gone)) return true;
    if (matching.length > 0) {
      this.absent = addAbsent(this.absent, gone);
      for (const dependent of matching) this.attempt(dependent);
    }
    const other = node.virtual && sameIdentity(node.identity, gone) ? alternateIdentity(nonmatching, gone) : undefined;
    if (other !== undefined) this.keys.push({ key: workKey("delete", this.put({ ...node, identity: other }).identity), after: RATE_LIMITED });
    return false;
  }

  private reportInvalidNamespace({ identity, owners }: GraphNode, uid: string): void {
    const owner = owners.find((entry) => entry.uid === uid);
    if (owner === undefined) return;
    const { apiVersion, kind, namespace, name } = identity;
    const object: KubeObject = { apiVersion, kind, metadata: { name, uid: identity.uid, ...(namespace === "" ? {} : { namespace }) } };
    this.events.push({ object, type: "Warning", reason: "OwnerRefInvalidNamespace", message: `ownerRef ${identityText(ownerIdentity(owner, namespace))} does not exist in namespace ${JSON.stringify(namespace)}` });
  }
}
