// Models kubernetes/pkg/controller/garbagecollector/graph_builder.go (monitors) and garbagecollector.go (Sync): informers of whatever discovery names
import { discoverable } from "../api/apiextensions/served.ts";
import { CRD_PREFIX } from "../api/apiextensions/types.ts";
import { type HttpResponse, streamOf, type WatchClosedMessage, type WatchEventMessage, type WatchSpec } from "../api/http.ts";
import { API_RESOURCES, type ApiResource, verbsOf } from "../api/schema/resources.ts";
import type { KubeObject } from "../api/types.ts";
import type { World } from "../api/world.ts";
import { API_SERVER, type ApiClient, apiRequest } from "../client-go/api-client.ts";
import { customOf, customWith, DISCOVERY, preferred } from "../client-go/discovery.ts";
import { type Change, emptyInformer, type Informer, type InformerRetry, startInformer, stepInformer, syncedInformer } from "../client-go/informer.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Ctx, MailId, Message, NetClosedMessage, NetErrorMessage } from "../kernel/types.ts";

/** The informers of one component, one a resource. */
export interface Monitors {
  readonly informers: PMap<Informer>;
  /** What each informer's objects are, by stream. */
  readonly resources: PMap<ApiResource>;
  /** Every version that is served of what is not built in: the RESTMapper's knowledge. */
  readonly custom: readonly ApiResource[];
  /** Streams of informers that are not synced. */
  readonly busy: readonly string[];
  /** The discovery request under way; -1 without one. */
  readonly discovery: MailId;
  /** Definitions changed since the last discovery. */
  readonly stale: boolean;
}

/** Who monitors what. */
export interface MonitorSpec {
  readonly component: string;
  /** Discovers. */
  readonly client: ApiClient;
  /** Lists and watches. */
  readonly informers: ApiClient;
  readonly wants: (api: ApiResource) => boolean;
}

export interface MonitorChange {
  readonly api: ApiResource;
  readonly change: Change;
}

const VERBS = ["delete", "list", "watch"];
/** Their changes say that discovery will answer something else. */
const DEFINES: ReadonlySet<string> = new Set([CRD_PREFIX, API_RESOURCES.find(({ kind }) => kind === "APIService")?.etcdPrefix ?? ""]);

export const collectionPathOf = ({ group, apiVersion, resource }: ApiResource): string => `${group === "" ? "/api" : "/apis"}/${apiVersion}/${resource}`;

const BUILT_IN: readonly ApiResource[] = preferred(API_RESOURCES.filter((api) => VERBS.every((verb) => verbsOf(api).includes(verb))));

const specOf = (component: string, api: ApiResource): WatchSpec => ({ component, resource: api.custom === undefined && BUILT_IN.includes(api) ? api.resource : `${api.resource}.${api.group}`, path: collectionPathOf(api), monitor: BUILT_IN.includes(api) && !DEFINES.has(api.etcdPrefix) ? "ownership" : "metadata" });

const customIn = (world: World | undefined): readonly ApiResource[] => (world === undefined ? [] : discoverable(world.objects));

const wantedOf = ({ wants }: Pick<MonitorSpec, "wants">, custom: readonly ApiResource[]): readonly ApiResource[] => [...BUILT_IN, ...preferred(custom)].filter((api) => wants(api) || DEFINES.has(api.etcdPrefix));

/** Watches that are open when the story begins. */
export const monitorWatches = (spec: Pick<MonitorSpec, "component" | "wants">, world: World | undefined): WatchSpec[] => wantedOf(spec, customIn(world)).map((api) => specOf(spec.component, api));

export const NO_MONITORS: Monitors = { informers: PMap.empty(), resources: PMap.empty(), custom: [], busy: [], discovery: -1, stale: false };

const kindKey = (apiVersion: string, kind: string): string => `${apiVersion}/${kind}`;

/** The monitors of a process that has run for long in this world, and the objects they hold. */
export function settledMonitors(spec: MonitorSpec, world: World): { readonly monitors: Monitors; readonly objects: readonly { readonly api: ApiResource; readonly object: KubeObject }[] } {
  const custom = customIn(world);
  const wanted = wantedOf(spec, custom);
  const byKind = new Map<string, ApiResource>();
  // What is stored in another version is the same resource.
  for (const api of [...API_RESOURCES, ...custom]) byKind.set(kindKey(api.apiVersion, api.kind), wanted.find((entry) => entry.group === api.group && entry.resource === api.resource) ?? api);
  const groups = new Map<ApiResource, KubeObject[]>();
  const objects: { api: ApiResource; object: KubeObject }[] = [];
  for (const object of world.objects) {
    const api = byKind.get(kindKey(object.apiVersion, object.kind));
    if (api === undefined || !wanted.includes(api)) continue;
    objects.push({ api, object });
    const group = groups.get(api);
    if (group === undefined) groups.set(api, [object]);
    else group.push(object);
  }
  const pairs = wanted.map((api) => [api, syncedInformer(specOf(spec.component, api), groups.get(api) ?? [], world.resourceVersion)] as const);
  return { objects, monitors: { ...NO_MONITORS, custom, informers: PMap.from(pairs.map(([, informer]) => [informer.stream, informer] as const)), resources: PMap.from(pairs.map(([api, informer]) => [informer.stream, api] as const)) } };
}

/** Whether every informer is filled. Simplified: upstream waits 30 s for those that fail, here not at all. */
export const areFilled = ({ informers, busy }: Monitors): boolean => informers.size > 0 && busy.every((stream) => informers.get(stream)?.phase === "backing off");

/** What is known of one namespace, by group and resource. */
export const monitored = ({ informers, resources }: Monitors, namespace: string): readonly { readonly group: string; readonly resource: string; readonly objects: readonly KubeObject[] }[] =>
  resources.sorted().map(([stream, { group, resource }]) => ({ group, resource, objects: informers.get(stream)?.store.values().filter(({ metadata }) => metadata.namespace === namespace) ?? [] }));

/** Asks what there is: the answer opens and closes informers. */
export function discover(ctx: Ctx, { client }: MonitorSpec, monitors: Monitors): Monitors {
  if (monitors.discovery >= 0) return monitors;
  return { ...monitors, discovery: apiRequest(ctx, client, { method: "GET", path: "/apis", accept: DISCOVERY, subject: "/apis", level: "source" }), stale: false };
}

/**
 * Looks whether discovery has news.
 * Simplified: upstream asks every 30 s; here only if a definition has changed since, for nothing else changes the answer.
 */
export const resync = (ctx: Ctx, spec: MonitorSpec, monitors: Monitors): Monitors => (monitors.stale || monitors.informers.size === 0 ? discover(ctx, spec, monitors) : monitors);

function discovered(ctx: Ctx, spec: MonitorSpec, monitors: Monitors, response: HttpResponse): Monitors {
  if (response.status !== 200) return { ...monitors, discovery: -1, stale: true };
  const wanted = wantedOf(spec, customWith(response.body, VERBS));
  let { informers, resources } = monitors;
  const streams = new Set<string>();
  for (const api of wanted) {
    const watch = specOf(spec.component, api);
    const stream = streamOf(watch);
    streams.add(stream);
    if (informers.get(stream)?.watch.path === watch.path) continue;
    informers = informers.set(stream, startInformer(ctx, spec.informers, emptyInformer(watch)));
    resources = resources.set(stream, api);
  }
  for (const stream of informers.keys()) if (!streams.has(stream)) [informers, resources] = [informers.delete(stream), resources.delete(stream)];
  return { ...monitors, custom: customOf(response.body), informers, resources, busy: informers.sorted().filter(([, informer]) => informer.phase !== "synced").map(([stream]) => stream), discovery: -1 };
}

interface Stepped {
  readonly monitors: Monitors;
  readonly changes: readonly MonitorChange[];
}

function stepOne(ctx: Ctx, spec: MonitorSpec, monitors: Monitors, stream: string, message: Message): Stepped | undefined {
  const informer = monitors.informers.get(stream);
  const api = monitors.resources.get(stream);
  const stepped = informer && api && stepInformer(ctx, spec.informers, informer, message);
  if (!stepped || !api) return undefined;
  const was = monitors.busy.includes(stream);
  const is = stepped.informer.phase !== "synced";
  const busy = was === is ? monitors.busy : is ? [...monitors.busy, stream] : monitors.busy.filter((entry) => entry !== stream);
  const stale = monitors.stale || (stepped.changes.length > 0 && DEFINES.has(api.etcdPrefix));
  return { monitors: { ...monitors, informers: monitors.informers.set(stream, stepped.informer), busy, stale }, changes: stepped.changes.map((change) => ({ api, change })) };
}

function stepAll(ctx: Ctx, spec: MonitorSpec, monitors: Monitors, streams: readonly string[], message: Message): Stepped | undefined {
  let found: Stepped | undefined;
  for (const stream of streams) {
    const stepped = stepOne(ctx, spec, found?.monitors ?? monitors, stream, message);
    if (stepped !== undefined) found = { monitors: stepped.monitors, changes: [...(found?.changes ?? []), ...stepped.changes] };
  }
  return found;
}

/** Lets the monitors handle a message that is theirs; undefined if it is none of their business. */
export function stepMonitors(ctx: Ctx, spec: MonitorSpec, monitors: Monitors, message: Message): Stepped | undefined {
  switch (message.type) {
    case "watch.event":
      return stepOne(ctx, spec, monitors, (message as WatchEventMessage).stream, message);
    case "watch.closed":
      return stepOne(ctx, spec, monitors, (message as WatchClosedMessage).stream, message);
    case "informer.retry":
      return stepOne(ctx, spec, monitors, (message as Message & InformerRetry).stream, message);
    case "http.response":
      if ((message as HttpResponse).request === monitors.discovery) return { monitors: discovered(ctx, spec, monitors, message as HttpResponse), changes: [] };
      return stepAll(ctx, spec, monitors, monitors.busy, message);
    case "net.error":
      if ((message as NetErrorMessage).hop === monitors.discovery) return { monitors: { ...monitors, discovery: -1, stale: true }, changes: [] };
      return stepAll(ctx, spec, monitors, monitors.busy, message);
    case "net.closed": {
      if ((message as NetClosedMessage).peer !== API_SERVER) return undefined;
      const lost = monitors.discovery < 0 ? monitors : { ...monitors, discovery: -1, stale: true };
      return stepAll(ctx, spec, lost, monitors.informers.keys().sort((a, b) => (a < b ? -1 : 1)), message);
    }
    default:
      return undefined;
  }
}

const BY_KIND = new Map(API_RESOURCES.map((api) => [kindKey(api.apiVersion, api.kind), api] as const));

/** RESTMapping: where objects of a kind live; undefined for one that the server does not serve, as far as is known. */
export const mappingOf = ({ custom }: Monitors, apiVersion: string, kind: string): ApiResource | undefined => BY_KIND.get(kindKey(apiVersion, kind)) ?? custom.find((api) => api.apiVersion === apiVersion && api.kind === kind);
