// Models kubernetes/pkg/controller/garbagecollector/graph.go
import type { ObjectMeta, OwnerReference } from "../../api/types.ts";
import { PMap } from "../../kernel/pmap.ts";
import { type Identity, identityLess, matchesReference, ownerIdentity, sameIdentity } from "./identity.ts";

/** One object as the garbage collector knows it: who owns it and whom it owns. */
export interface GraphNode {
  readonly identity: Identity;
  readonly owners: readonly OwnerReference[];
  /** By uid. */
  readonly dependents: PMap<true>;
  /** Waits for its dependents: foreground deletion. */
  readonly deletingDependents: boolean;
  readonly beingDeleted: boolean;
  /** Only named as an owner so far; no informer has told of it. */
  readonly virtual: boolean;
}

/** By uid. */
export type Graph = PMap<GraphNode>;

export const FOREGROUND = "foregroundDeletion";
export const ORPHAN = "orphan";

export const hasFinalizer = (metadata: ObjectMeta | undefined, name: string): boolean => metadata?.finalizers?.includes(name) === true;

const isPresent = (node: GraphNode | undefined): node is GraphNode => node !== undefined;

/** In order of their uids: upstream's order is that of a map, so none. */
export const dependentsOf = (graph: Graph, node: GraphNode): readonly GraphNode[] => (node.dependents.size === 0 ? [] : node.dependents.sorted().map(([uid]) => graph.get(uid)).filter(isPresent));

/** Dependents that their owner must wait for in foreground deletion. */
export const blockingDependents = (graph: Graph, node: GraphNode): readonly GraphNode[] => dependentsOf(graph, node).filter(({ owners }) => owners.some((owner) => owner.uid === node.identity.uid && owner.blockOwnerDeletion === true));

/** Those that name the owner as it is, and those that name it otherwise; one with several references may be in both. */
export function partitionDependents(dependents: readonly GraphNode[], owner: Identity): { readonly matching: readonly GraphNode[]; readonly nonmatching: readonly GraphNode[] } {
  const matching: GraphNode[] = [];
  const nonmatching: GraphNode[] = [];
  for (const dependent of dependents) {
    const elsewhere = owner.namespace !== "" && owner.namespace !== dependent.identity.namespace;
    const references = dependent.owners.filter(({ uid }) => uid === owner.uid);
    if (!elsewhere && references.some((reference) => matchesReference(reference, owner))) matching.push(dependent);
    if (elsewhere || references.some((reference) => !matchesReference(reference, owner))) nonmatching.push(dependent);
  }
  return { matching, nonmatching };
}

/** By which other coordinates dependents know an owner that was not found under these: the next in order, or the first. */
export function alternateIdentity(dependents: readonly GraphNode[], absent: Identity): Identity | undefined {
  const clusterScoped = absent.namespace === "";
  let first: Identity | undefined;
  let following: Identity | undefined;
  for (const { identity, owners } of dependents) {
    for (const owner of owners) {
      if (owner.uid !== absent.uid) continue;
      if (matchesReference(owner, absent) && (clusterScoped || absent.namespace === identity.namespace)) continue;
      const sameKind = clusterScoped && owner.apiVersion === absent.apiVersion && owner.kind === absent.kind;
      const other = ownerIdentity(owner, sameKind ? "" : identity.namespace);
      if (sameIdentity(other, absent)) continue;
      if (first === undefined || identityLess(other, first)) first = other;
      if (identityLess(absent, other) && (following === undefined || identityLess(other, following))) following = other;
    }
  }
  return following ?? first;
}

/** References that came, went and changed. */
export function referencesDiff(old: readonly OwnerReference[], now: readonly OwnerReference[]): { readonly added: readonly OwnerReference[]; readonly removed: readonly OwnerReference[]; readonly changed: readonly (readonly [OwnerReference, OwnerReference])[] } {
  if (old === now) return { added: [], removed: [], changed: [] };
  const before = new Map(old.map((owner) => [owner.uid, owner] as const));
  const after = new Set(now.map(({ uid }) => uid));
  return {
    added: now.filter(({ uid }) => !before.has(uid)),
    removed: [...before.values()].filter(({ uid }) => !after.has(uid)),
    changed: now.flatMap((owner) => {
      const was = before.get(owner.uid);
      return was === undefined || (matchesReference(was, ownerIdentity(owner, "")) && was.controller === owner.controller && was.blockOwnerDeletion === owner.blockOwnerDeletion) ? [] : [[was, owner] as const];
    }),
  };
}
