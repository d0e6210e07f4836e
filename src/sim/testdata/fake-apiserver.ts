import type { HttpRequest, HttpResponse, WatchSpec } from "../api/http.ts";
import { objectKey, streamOf } from "../api/http.ts";
import { matches, parseSelector } from "../api/labels.ts";
import { generateName } from "../api/random-suffix.ts";
import { rfc3339 } from "../api/time.ts";
import type { KubeObject, ObjectMeta } from "../api/types.ts";
import { matchesFields, parseFieldSelector } from "../api/fields.ts";
import { uuid } from "../api/ids.ts";
import { discoveryDocument } from "../kube-apiserver/discovery.ts";
import { RESOURCES, type ResourceInfo } from "../kube-controller-manager/resources.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Component, Ctx, Message } from "../kernel/types.ts";

/** A stand-in for the API server in tests of one component: any kind, no validation, no defaulting, no authorization. */
export interface FakeApiState {
  /** "pods default/nginx" to object. */
  readonly objects: PMap<KubeObject>;
  readonly resourceVersion: number;
  readonly watches: readonly WatchSpec[];
  /** "METHOD path", in order of arrival. */
  readonly requests: readonly string[];
  readonly created: number;
}

export interface FakeApiConfig {
  readonly objects?: readonly KubeObject[];
  readonly watches?: readonly WatchSpec[];
  readonly machine?: string;
  /** Answers instead of the server: undefined lets the request through. */
  readonly refuse?: (request: HttpRequest, state: FakeApiState) => { readonly status: number; readonly reason: string; readonly message: string; readonly body?: unknown } | undefined;
  /** Time a write takes. */
  readonly writeLatency?: number;
}

interface Parsed {
  readonly info: ResourceInfo;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

/** An input for tests: the same as a request by a user. Send it by action "deliver" as {type: "fake.write", request}. */
export interface FakeWrite {
  readonly type: "fake.write";
  readonly method: HttpRequest["method"];
  readonly path: string;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

function parsePath(path: string): Parsed | undefined {
  const parts = path.split("/").filter((part) => part !== "");
  const rest = parts[0] === "api" ? parts.slice(2) : parts.slice(3);
  const [first, second, third, fourth, fifth] = rest;
  const find = (resource: string | undefined): ResourceInfo | undefined => RESOURCES.find((entry) => entry.resource === resource);
  const namespaced = first === "namespaces" && third !== undefined && third !== "status" && third !== "finalize";
  const info = find(namespaced ? third : first);
  if (!info) return undefined;
  if (namespaced) return { info, ...(second === undefined ? {} : { namespace: second }), ...(fourth === undefined ? {} : { name: fourth }), ...(fifth === undefined ? {} : { subresource: fifth }) };
  return { info, ...(second === undefined ? {} : { name: second }), ...(third === undefined ? {} : { subresource: third }) };
}

const keyOf = (info: ResourceInfo, object: KubeObject): string => `${info.resource} ${objectKey(object)}`;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

const MERGE_KEYS: Readonly<Record<string, string>> = { conditions: "type", containers: "name", ports: "containerPort", ownerReferences: "uid" };

/** Strategic merge of what controllers send: maps are merged, null removes, lists with a merge key merge by it. */
function mergePatch(target: unknown, patch: unknown, strategic: boolean, field = ""): unknown {
  if (Array.isArray(patch) && strategic && Array.isArray(target) && MERGE_KEYS[field] !== undefined) {
    const key = MERGE_KEYS[field] ?? "";
    let list = [...target] as Record<string, unknown>[];
    for (const entry of patch as Record<string, unknown>[]) {
      const at = list.findIndex((old) => old[key] === entry[key]);
      if (entry["$patch"] === "delete") list = list.filter((_, i) => i !== at);
      else if (at < 0) list = [...list, entry];
      else list[at] = mergePatch(list[at], entry, strategic) as Record<string, unknown>;
    }
    return list;
  }
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    const [, gone] = /^\$deleteFromPrimitiveList\/(.*)$/.exec(name) ?? [];
    if (gone !== undefined) result[gone] = ((result[gone] ?? []) as readonly unknown[]).filter((entry) => !(value as readonly unknown[]).includes(entry));
    if (name.startsWith("$")) continue;
    if (name === "finalizers" && strategic && Array.isArray(value)) result[name] = [...new Set([...((result[name] ?? []) as readonly unknown[]), ...value])];
    else if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value, strategic, name);
  }
  return result;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What a new generation is counted for; a slice has no spec. */
const content = (object: KubeObject): unknown => (object.kind === "EndpointSlice" ? { ...object, metadata: object.metadata.labels } : object.spec);

const failure = (code: number, reason: string, message: string): { status: number; body: unknown } => ({ status: code, body: { apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", reason, message, code } });

function selectedBy(watch: { readonly fieldSelector?: string; readonly labelSelector?: string }, object: KubeObject): boolean {
  const fields = watch.fieldSelector ? parseFieldSelector(watch.fieldSelector) : [];
  const labels = watch.labelSelector ? parseSelector(watch.labelSelector) : [];
  return (typeof fields === "string" || matchesFields(object, fields)) && (typeof labels === "string" || matches(labels, object.metadata.labels));
}

class FakeApi {
  private state: FakeApiState;
  private readonly ctx: Ctx;

  constructor(state: FakeApiState, ctx: Ctx) {
    this.state = state;
    this.ctx = ctx;
  }

  handle(request: Pick<HttpRequest, "method" | "path" | "query" | "body" | "stream"> & { readonly headers?: Readonly<Record<string, string>> }): { state: FakeApiState; status: number; body: unknown } {
    this.state = { ...this.state, requests: [...this.state.requests, `${request.method} ${request.path}`] };
    if (request.path === "/apis" || request.path === "/api") return { state: this.state, status: 200, body: discoveryDocument(request.path, [], true) };
    const parsed = parsePath(request.path);
    const answer = parsed ? this.dispatch(request, parsed) : failure(404, "NotFound", "the server could not find the requested resource");
    return { state: this.state, ...answer };
  }

  private dispatch(request: Pick<HttpRequest, "method" | "path" | "query" | "body" | "stream"> & { readonly headers?: Readonly<Record<string, string>> }, parsed: Parsed): { status: number; body: unknown } {
    const { info, namespace, name } = parsed;
    const key = `${info.resource} ${namespace ? `${namespace}/` : ""}${name ?? ""}`;
    const old = this.state.objects.get(key);
    if (request.method === "GET" && name === undefined) return this.list(request, info, namespace);
    if (request.method === "POST" && parsed.subresource === undefined) return this.create(info, namespace, request.body as KubeObject);
    if (request.method === "DELETE" && name === undefined) return this.deleteCollection(info, namespace ?? "", request.body);
    if (!old) return failure(404, "NotFound", `${info.resource} "${name ?? ""}" not found`);
    if (request.method === "GET") return { status: 200, body: old };
    if (request.method === "DELETE") return this.remove(info, old, request.body);
    if (request.method === "POST") return { status: 201, body: this.store(info, old, { ...old, spec: { ...(old.spec as object), nodeName: (request.body as { target: { name: string } }).target.name } }) };
    const strategic = (request.headers?.["Content-Type"] ?? "").includes("strategic");
    const body = request.method === "PATCH" ? (mergePatch(old, request.body, strategic) as KubeObject) : (request.body as KubeObject);
    return this.update(info, old, body, parsed.subresource, request.method === "PUT" || (request.body as KubeObject).metadata?.resourceVersion !== undefined);
  }

  private list(request: Pick<HttpRequest, "query" | "stream" | "path">, info: ResourceInfo, namespace: string | undefined): { status: number; body: unknown } {
    const query = request.query ?? {};
    const chosen = { ...(query["fieldSelector"] ? { fieldSelector: query["fieldSelector"] } : {}), ...(query["labelSelector"] ? { labelSelector: query["labelSelector"] } : {}) };
    // A server without WatchList: clients fall back to list and watch.
    if (query["sendInitialEvents"] !== undefined) return failure(422, "Invalid", "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled");
    if (query["watch"] === "true") {
      const watch = { component: this.ctx.from, resource: info.resource, path: request.path, ...chosen };
      this.state = { ...this.state, watches: [...this.state.watches.filter((entry) => streamOf(entry) !== streamOf(watch)), watch] };
      return { status: 200, body: undefined };
    }
    const items = this.state.objects.sorted().filter(([key]) => key.startsWith(`${info.resource} ${namespace ? `${namespace}/` : ""}`)).map((entry) => entry[1]).filter((object) => selectedBy(chosen, object));
    return { status: 200, body: { kind: `${info.kind}List`, apiVersion: info.apiVersion, metadata: { resourceVersion: String(this.state.resourceVersion) }, items } };
  }

  private create(info: ResourceInfo, namespace: string | undefined, body: KubeObject): { status: number; body: unknown } {
    const going = namespace !== undefined && this.state.objects.get(`namespaces ${namespace}`)?.metadata.deletionTimestamp !== undefined;
    if (going && info.kind !== "Event") {
      const refused = failure(403, "Forbidden", `${info.resource} "${body.metadata.name ?? body.metadata.generateName ?? ""}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`);
      return { ...refused, body: { ...(refused.body as object), details: { causes: [{ reason: "NamespaceTerminating", message: `namespace ${namespace} is being terminated`, field: "metadata.namespace" }] } } };
    }
    const n = this.state.created;
    this.state = { ...this.state, created: n + 1 };
    const name = body.metadata.name ?? generateName(body.metadata.generateName ?? "", (i) => this.ctx.rand(`name/${n}`, i));
    const metadata: ObjectMeta = {
      ...body.metadata,
      name,
      ...(info.namespaced ? { namespace: namespace ?? body.metadata.namespace ?? "default" } : {}),
      uid: uuid(1, `${info.resource}/${n}`),
      creationTimestamp: rfc3339(this.ctx.now),
      generation: 1,
    };
    const object = { ...body, metadata };
    if (this.state.objects.has(keyOf(info, object))) return failure(409, "AlreadyExists", `${info.resource} "${name}" already exists`);
    return { status: 201, body: this.store(info, undefined, info.kind === "Pod" && object.status === undefined ? { ...object, status: { phase: "Pending" } } : object) };
  }

  private update(info: ResourceInfo, old: KubeObject, body: KubeObject, subresource: string | undefined, checked: boolean): { status: number; body: unknown } {
    if (checked && body.metadata.resourceVersion !== undefined && body.metadata.resourceVersion !== old.metadata.resourceVersion) return failure(409, "Conflict", `Operation cannot be fulfilled on ${info.resource} "${old.metadata.name ?? ""}": the object has been modified; please apply your changes to the latest version and try again`);
    // As upstream's status strategy: spec and labels are kept, annotations may change.
    if (subresource === "status") return { status: 200, body: this.store(info, old, { ...old, metadata: { ...old.metadata, ...(body.metadata.annotations === undefined ? {} : { annotations: body.metadata.annotations }) }, status: body.status }) };
    const next: KubeObject = { ...body, metadata: { ...body.metadata, uid: old.metadata.uid ?? "", ...(old.metadata.generation === undefined ? {} : { generation: old.metadata.generation + (same(content(old), content(body)) ? 0 : 1) }) } };
    if (old.status !== undefined && info.kind !== "EndpointSlice") (next as { status?: unknown }).status = old.status;
    const terminating = next.metadata.deletionTimestamp !== undefined;
    const finalizers = subresource === "finalize" ? ((next.spec as { finalizers?: string[] }).finalizers ?? []) : (next.metadata.finalizers ?? []);
    const held = info.kind === "Namespace" ? ((next.spec as { finalizers?: string[] } | undefined)?.finalizers ?? []) : finalizers;
    if (terminating && held.length === 0 && (info.kind !== "Pod" || next.metadata.deletionGracePeriodSeconds === 0)) return { status: 200, body: this.drop(info, next) };
    return { status: 200, body: this.store(info, old, next) };
  }

  private deleteCollection(info: ResourceInfo, namespace: string, options: unknown): { status: number; body: unknown } {
    for (const [key, object] of this.state.objects.sorted()) if (key.startsWith(`${info.resource} ${namespace}/`)) this.remove(info, object, options);
    return { status: 200, body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" } };
  }

  private remove(info: ResourceInfo, old: KubeObject, options: unknown): { status: number; body: unknown } {
    const { gracePeriodSeconds, propagationPolicy, preconditions } = (options ?? {}) as { gracePeriodSeconds?: number; propagationPolicy?: string; preconditions?: { uid?: string } };
    if (preconditions?.uid !== undefined && preconditions.uid !== old.metadata.uid) return failure(409, "Conflict", "the UID in the precondition does not match the UID in record");
    const added = propagationPolicy === "Foreground" ? ["foregroundDeletion"] : propagationPolicy === "Orphan" ? ["orphan"] : [];
    const finalizers = [...(old.metadata.finalizers ?? []), ...added.filter((entry) => !old.metadata.finalizers?.includes(entry))];
    const spec = old.spec as { nodeName?: string; terminationGracePeriodSeconds?: number; finalizers?: string[] } | undefined;
    const bound = info.kind === "Pod" && spec?.nodeName !== undefined && !["Failed", "Succeeded"].includes((old.status as { phase?: string } | undefined)?.phase ?? "");
    const grace = bound ? (gracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? 30) : 0;
    if (finalizers.length === 0 && grace === 0 && !(info.kind === "Namespace" && (spec?.finalizers?.length ?? 0) > 0)) return { status: 200, body: this.drop(info, old) };
    if (old.metadata.deletionTimestamp !== undefined && finalizers.length === (old.metadata.finalizers ?? []).length) return { status: 200, body: old };
    const metadata: ObjectMeta = { ...old.metadata, deletionTimestamp: old.metadata.deletionTimestamp ?? rfc3339(this.ctx.now + grace * 1_000_000), deletionGracePeriodSeconds: grace, ...(finalizers.length > 0 ? { finalizers } : {}), ...(old.metadata.generation === undefined ? {} : { generation: old.metadata.generation + 1 }) };
    const status = info.kind === "Namespace" ? { ...(old.status as object | undefined), phase: "Terminating" } : old.status;
    return { status: 200, body: this.store(info, old, { ...old, metadata, ...(status === undefined ? {} : { status }) }) };
  }

  private store(info: ResourceInfo, old: KubeObject | undefined, object: KubeObject): KubeObject {
    if (old !== undefined && same({ ...old, metadata: { ...old.metadata, resourceVersion: "" } }, { ...object, metadata: { ...object.metadata, resourceVersion: "" } })) return old;
    const resourceVersion = this.state.resourceVersion + 1;
    const next = { ...object, apiVersion: info.apiVersion, kind: info.kind, metadata: { ...object.metadata, resourceVersion: String(resourceVersion) } };
    this.state = { ...this.state, resourceVersion, objects: this.state.objects.set(keyOf(info, next), next) };
    this.emit(info, old, next, false);
    return next;
  }

  private drop(info: ResourceInfo, object: KubeObject): KubeObject {
    const resourceVersion = this.state.resourceVersion + 1;
    const next = { ...object, metadata: { ...object.metadata, resourceVersion: String(resourceVersion) } };
    this.state = { ...this.state, resourceVersion, objects: this.state.objects.delete(keyOf(info, object)) };
    this.emit(info, object, next, true);
    return next;
  }

  private emit(info: ResourceInfo, old: KubeObject | undefined, object: KubeObject, deleted: boolean): void {
    for (const watch of this.state.watches) {
      if (watch.resource !== info.resource) continue;
      const was = old !== undefined && selectedBy(watch, old);
      const is = !deleted && selectedBy(watch, object);
      if (!was && !is) continue;
      const type = is ? (was ? "MODIFIED" : "ADDED") : "DELETED";
      this.ctx.send(watch.component, { type: "watch.event", stream: streamOf(watch), event: { type, object } } as Message, { protocol: "watch", latency: this.ctx.latency("link.watch", `${streamOf(watch)} ${this.state.resourceVersion}`), verb: type, subject: `${info.kind.toLowerCase()}/${objectKey(object)}` });
    }
  }
}

interface Held {
  readonly type: "fake.handle";
  readonly from: string;
  readonly mail: number;
  readonly request: HttpRequest;
}

/** Lists, watches, creates, updates, patches and deletes any kind of `RESOURCES`, with resourceVersions and finalizers. */
export function createFakeApiServer(config: FakeApiConfig = {}): Component<FakeApiState> {
  return {
    id: "kube-apiserver",
    machine: config.machine ?? "control-plane-01",
    init: () => ({
      objects: PMap.from((config.objects ?? []).map((object) => [keyOf(RESOURCES.find((info) => info.kind === object.kind) ?? { kind: object.kind, apiVersion: object.apiVersion, resource: `${object.kind.toLowerCase()}s`, namespaced: true }, object), object] as const)),
      resourceVersion: 1000,
      watches: config.watches ?? [],
      requests: [],
      created: 0,
    }),
    step(state, message, ctx) {
      if (message.type === "fake.write") return new FakeApi(state, ctx).handle(message as FakeWrite).state;
      if (message.type === "http.request") {
        const request = message as HttpRequest;
        const delay = request.method === "GET" ? 300 : (config.writeLatency ?? 2500);
        ctx.after(delay, { type: "fake.handle", from: ctx.from, mail: ctx.mail, request } satisfies Held);
        return state;
      }
      if (message.type !== "fake.handle") return state;
      const { from, mail, request } = message as Held;
      const refusal = config.refuse?.(request, state);
      const answer = refusal ? { state: { ...state, requests: [...state.requests, `${request.method} ${request.path}`] }, ...failure(refusal.status, refusal.reason, refusal.message), ...(refusal.body === undefined ? {} : { body: refusal.body }) } : new FakeApi(state, { ...ctxFrom(ctx, from) }).handle(request);
      const response: HttpResponse = { type: "http.response", request: mail, status: answer.status, ...(answer.body === undefined ? {} : { body: answer.body }) };
      ctx.send(from, response, { protocol: "HTTPS", latency: ctx.latency("link.apiserver", `answer ${mail}`), verb: request.method, status: answer.status });
      return answer.state;
    },
  };
}

/** The context with the asker as sender: the watch it opens is its own. */
function ctxFrom(ctx: Ctx, from: string): Ctx {
  return { now: ctx.now, mail: ctx.mail, from, rand: (p, n) => ctx.rand(p, n), latency: (s, k) => ctx.latency(s, k), send: (t, m, l) => ctx.send(t, m, l), after: (d, m) => ctx.after(d, m), cancel: (t) => ctx.cancel(t), explain: (n) => ctx.explain(n) };
}
