// Models kubernetes/staging/src/k8s.io/apiserver/pkg/storage/cacher/{cacher,cache_watcher}.go
import { streamOf, type WatchSpec } from "../../api/http.ts";
import { type FieldRequirement, matchesFields, parseFieldSelector } from "../../api/fields.ts";
import { EVERYTHING, matches, parseSelector, type Selector } from "../../api/labels.ts";
import type { ApiResource } from "../../api/schema/resources.ts";
import type { KubeObject } from "../../api/types.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Micros } from "../../kernel/types.ts";

// Simplified: upstream closes a watcher that cannot take an event in time; here no client is slow.

/** One client's watch. */
export interface Watcher {
  readonly stream: string;
  readonly component: string;
  /** "" watches all namespaces. */
  readonly namespace: string;
  readonly name: string;
  readonly fields: readonly FieldRequirement[];
  readonly labels: Selector;
  readonly deadline: Micros;
  /** Events carry a Table (kubectl get -w). */
  readonly table: boolean;
  /** Events carry a PartialObjectMetadata. */
  readonly metadata?: boolean;
  /** Is told only of changes of owners, finalizers and deletion. */
  readonly ownership?: true;
  /** The version it asked for, of a custom resource. */
  readonly served?: ApiResource;
  /** When its next bookmark is due; NEVER for a watch that asked for none. */
  readonly bookmarkAt: Micros;
}

export const NEVER: Micros = Number.MAX_SAFE_INTEGER;

/** The watchers of one resource; those of one node's Pods are found by the node's name, as upstream's trigger index does. */
export interface WatcherSet {
  readonly all: readonly Watcher[];
  readonly byNode: PMap<readonly Watcher[]>;
}

export const NO_WATCHERS: WatcherSet = { all: [], byNode: PMap.empty() };

const nodeOf = (watcher: Watcher): string | undefined => watcher.fields.find((r) => r.field === "spec.nodeName" && r.operator === "=" && r.value !== "")?.value;

export function addWatcher(set: WatcherSet, watcher: Watcher): WatcherSet {
  const rest = removeWatchers(set, (other) => other.stream === watcher.stream);
  const node = nodeOf(watcher);
  if (node === undefined) return { ...rest, all: [...rest.all, watcher] };
  return { ...rest, byNode: rest.byNode.set(node, [...(rest.byNode.get(node) ?? []), watcher]) };
}

/** The same watchers, each changed by `change`. */
export function mapWatchers(set: WatcherSet, change: (watcher: Watcher) => Watcher): WatcherSet {
  let { byNode } = set;
  for (const [node, watchers] of set.byNode.sorted()) byNode = byNode.set(node, watchers.map(change));
  return { all: set.all.map(change), byNode };
}

export const everyWatcher = (set: WatcherSet): readonly Watcher[] => (set.byNode.size === 0 ? set.all : [...set.all, ...set.byNode.values().flat()]);

export function removeWatchers(set: WatcherSet, gone: (watcher: Watcher) => boolean): WatcherSet {
  const all = set.all.some(gone) ? set.all.filter((watcher) => !gone(watcher)) : set.all;
  let { byNode } = set;
  for (const [node, watchers] of set.byNode.sorted()) {
    if (!watchers.some(gone)) continue;
    const kept = watchers.filter((watcher) => !gone(watcher));
    byNode = kept.length === 0 ? byNode.delete(node) : byNode.set(node, kept);
  }
  return all === set.all && byNode === set.byNode ? set : { all, byNode };
}

const nodeName = (object: KubeObject | undefined): string => (object?.spec as { readonly nodeName?: string } | undefined)?.nodeName ?? "";

/** Watchers that a change may concern. */
export function candidates(set: WatcherSet, object: KubeObject, previous: KubeObject | undefined): readonly Watcher[] {
  if (set.byNode.size === 0) return set.all;
  const now = nodeName(object);
  const before = nodeName(previous);
  const indexed = [...(now === "" ? [] : (set.byNode.get(now) ?? [])), ...(before === "" || before === now ? [] : (set.byNode.get(before) ?? []))];
  return indexed.length === 0 ? set.all : [...set.all, ...indexed];
}

export function selects(watcher: Watcher, object: KubeObject): boolean {
  if (watcher.namespace !== "" && object.metadata.namespace !== watcher.namespace) return false;
  if (watcher.name !== "" && object.metadata.name !== watcher.name) return false;
  return (watcher.fields.length === 0 || matchesFields(object, watcher.fields)) && (watcher.labels.length === 0 || matches(watcher.labels, object.metadata.labels));
}

/** A watch of the settled world, open at time 0; `bookmarkAt` is when its next bookmark is due. */
export function watcherOf(spec: WatchSpec, deadline: Micros, bookmarkAt: Micros): Watcher {
  const fields = parseFieldSelector(spec.fieldSelector ?? "");
  const labels = spec.labelSelector ? parseSelector(spec.labelSelector) : EVERYTHING;
  return { stream: streamOf(spec), component: spec.component, namespace: "", name: "", fields: typeof fields === "string" ? [] : fields, labels: typeof labels === "string" ? EVERYTHING : labels, deadline, table: false, bookmarkAt: spec.monitor === undefined ? bookmarkAt : NEVER, ...(spec.monitor === "metadata" ? { metadata: true } : spec.monitor === "ownership" ? { ownership: true } : {}) };
}
