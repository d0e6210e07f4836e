import type { WatchSpec } from "../../../sim/api/http.ts";
import type { Micros } from "../../../sim/api/time.ts";
import type { KubeObject } from "../../../sim/api/types.ts";
import { PMap } from "../../../sim/kernel/pmap.ts";
import { broken, type Invariant, type SoakRun } from "./invariant.ts";
import { last } from "./last.ts";

/** What client-go keeps of one resource, wherever in a component's state it stands. */
interface Cache {
  readonly watch: WatchSpec;
  readonly stream: string;
  readonly phase: string;
  readonly store: PMap<KubeObject>;
}

const isCache = (value: object): value is Cache => "watch" in value && "phase" in value && "store" in value && value.store instanceof PMap;

/** Informers stand at the top of a state, or in a record or map there. */
const DEEP = 3;

function cachesIn(value: unknown, depth = DEEP): readonly Cache[] {
  if (typeof value !== "object" || value === null) return [];
  if (isCache(value)) return [value];
  if (depth === 0) return [];
  const inner = value instanceof PMap ? (value.size > 100 ? [] : value.values()) : Object.values(value);
  return inner.flatMap((entry) => cachesIn(entry, depth - 1));
}

interface Watchers {
  readonly all: readonly { readonly stream: string }[];
  readonly byNode: PMap<readonly { readonly stream: string }[]>;
}

/** What is read of the API server: its caches and who watches them. */
interface Server {
  readonly caches: PMap<{ readonly objects: PMap<KubeObject>; readonly resource: { readonly resource: string; readonly group?: string } }>;
  readonly watchers: PMap<Watchers>;
}

/** News may be on its way for so long. */
const UNDER_WAY: Micros = 3_000_000;

const versionOf = (object: KubeObject | undefined): string => object?.metadata.resourceVersion ?? "none";
const uidOf = (object: KubeObject): string => object.metadata.uid ?? "";
const nameOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ""}/${metadata.name ?? ""}`;

/** Uids of what was written or deleted just before the end. */
function recent({ trace, base, until }: SoakRun): ReadonlySet<string> {
  const byKey = new Map(base.map(({ key, object }) => [key, uidOf(object as KubeObject)]));
  const found = new Set<string>();
  trace.revisions.forEach(({ key, object }, i) => {
    if (object !== undefined) byKey.set(key, uidOf(object as KubeObject));
    if (until - trace.notes.at.get(trace.revisionNotes[i] ?? -1) < UNDER_WAY) found.add(byKey.get(key) ?? "");
  });
  return found;
}

/** What of two sets of objects, by uid, is not the same. */
function differences(mine: readonly KubeObject[], theirs: readonly KubeObject[], fresh: ReadonlySet<string>): readonly string[] {
  const versions = new Map(theirs.map((object) => [uidOf(object), object]));
  const found: string[] = [];
  for (const object of mine) {
    const other = versions.get(uidOf(object));
    versions.delete(uidOf(object));
    if (!fresh.has(uidOf(object)) && versionOf(other) !== versionOf(object)) found.push(`holds ${nameOf(object)} at revision ${versionOf(object)} in place of ${versionOf(other)}`);
  }
  for (const object of versions.values()) if (!fresh.has(uidOf(object))) found.push(`lacks ${nameOf(object)} at revision ${versionOf(object)}`);
  return found;
}

/** Every copy that a component keeps is, at the quiet end, what the API server has, and that is what etcd has. */
export const agreement: Invariant = {
  id: "agreement",
  says: "healed and quiet, every cache holds what etcd holds",
  check(run) {
    const { sim, trace, until } = run;
    const fresh = recent(run);
    const server = sim.stateAt("kube-apiserver", until) as Server;
    const streams = new Set(server.watchers.values().flatMap(({ all, byNode }) => [...all, ...byNode.values().flat()].map(({ stream }) => stream)));
    const found: string[] = [];
    const served = new Map<string, readonly KubeObject[]>();
    for (const [prefix, { objects, resource }] of server.caches.sorted()) {
      served.set(`${resource.group ?? ""}/${resource.resource}`, objects.values());
      const stored = [...last(run)].filter(([key]) => key.startsWith(`${prefix}/`.replace("//", "/"))).map(([, { object }]) => object as KubeObject);
      for (const what of differences(objects.values(), stored, fresh)) found.push(broken(until, "kube-apiserver", `its cache of ${prefix} ${what}`));
    }
    for (const component of trace.components) {
      if (component === trace.components[0] || component.startsWith("etcd-") || component === "kube-apiserver") continue;
      for (const { watch, stream, phase, store } of cachesIn(sim.stateAt(component, until))) {
        // Nobody watches for a lazy controller before there is something to see.
        if (!streams.has(stream) && store.size === 0 && phase === "synced") continue;
        if (phase !== "synced" || !streams.has(stream)) {
          found.push(broken(until, component, `its cache of ${watch.resource} is ${phase}${streams.has(stream) ? "" : ", and nobody tells it anything"}`));
          continue;
        }
        const objects = served.get(`${/^\/apis\/([^/]+)\//.exec(watch.path)?.[1] ?? ""}/${watch.resource}`);
        // What is monitored for its owners alone hears of nothing else.
        if (objects === undefined || watch.monitor !== undefined) continue;
        const whole = watch.fieldSelector === undefined && watch.labelSelector === undefined;
        for (const what of differences(store.values(), objects, fresh)) if (whole || what.startsWith("holds")) found.push(broken(until, component, `its cache of ${watch.resource} ${what}`));
      }
    }
    return found;
  },
};
