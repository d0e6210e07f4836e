// Models kubernetes/staging/src/k8s.io/apiserver: what the API server process holds in memory
import type { HttpRequest } from "../api/http.ts";
import type { Attributes } from "../api/rbac.ts";
import type { ApiResource } from "../api/schema/resources.ts";
import { newRequestTimeout } from "../api/status-errors.ts";
import type { KubeObject, Status } from "../api/types.ts";
import type { World } from "../api/world.ts";
import type { EtcdClientRequest, EtcdError, EtcdLeaseGrantResponse, EtcdRangeResponse, EtcdTxnResponse } from "../etcd/messages.ts";
import type { Draft } from "../kernel/copies.ts";
import type { PMap } from "../kernel/pmap.ts";
import type { ComponentId, Ctx, Level, MailId, Micros } from "../kernel/types.ts";
import type { WebhookResponse } from "../webhook/messages.ts";
import type { Hook } from "./admission/admission-webhooks.ts";
import type { Reinvocation } from "./admission/reinvocation.ts";
import type { Audit } from "./filters/audit.ts";
import type { CachedToken, StaticToken, User } from "./filters/authentication.ts";
import type { DenyRule } from "./filters/authorization.ts";
import type { Flow } from "./flowcontrol/seats.ts";
import type { QueueSet } from "./flowcontrol/queue-set.ts";
import type { AggregatedResponse, ExecResponse, LogsResponse } from "./messages.ts";
import type { RequestInfo } from "./request-info.ts";
import type { SharedLease } from "./storage/leases.ts";
import { wantsMetadata, withoutContent } from "./storage/table.ts";
import type { ResourceCache } from "./watch-cache/cache.ts";
import type { Lag } from "./watch-cache/lag.ts";
import type { WatcherSet } from "./watch-cache/watchers.ts";

/** Which list of gates a request walks through (pipeline.ts). */
export type FlowName = "deletecollection" | "binding" | "get" | "list" | "watch" | "create" | "update" | "delete" | "token" | "other" | "logs" | "exec" | "proxy";

export type BackendAnswer = EtcdTxnResponse | EtcdLeaseGrantResponse | EtcdRangeResponse | EtcdError | WebhookResponse | LogsResponse | ExecResponse | AggregatedResponse | { readonly type: "unreachable"; readonly message: string };

/** One request on its way through the chain; `gate` is where it stands. */
export interface Inflight {
  readonly key: string;
  readonly mail: MailId;
  readonly client: ComponentId;
  readonly request: HttpRequest;
  readonly info: RequestInfo;
  readonly flow: FlowName;
  readonly gate: number;
  /** The gate whose waiting time is over. */
  readonly paid: number;
  readonly startedAt: Micros;
  readonly deadline: Micros;
  /** "write" and "read" for a user's requests, which are told gate by gate; "" for those of components. */
  readonly teach: "write" | "read" | "";
  /** How loud its hops and revisions are. */
  readonly level: Level;
  // What is not known yet is undefined rather than missing: requests of one shape are quick to copy.
  readonly user: User | undefined;
  readonly seat: Flow | undefined;
  /** Kept for requests that are told. */
  readonly audit: Audit | undefined;
  /** The answer's header Retry-After, in seconds; 0 for none. */
  readonly retryAfter: number;
  /** The object as sent, then as the gates made it. */
  readonly object: KubeObject | undefined;
  /** What is stored now, and whether it was read from etcd just now rather than from the watch cache. */
  readonly existing: KubeObject | undefined;
  readonly fresh: boolean | undefined;
  readonly warnings: readonly string[];
  readonly answer: BackendAnswer | undefined;
  /** The objects of a collection that are to go, and how far it has come with them. */
  readonly collection: { readonly items: readonly KubeObject[]; readonly next: number } | undefined;
  /** The key of the outstanding question that `answer` answers. */
  readonly answered: string;
  /** How far admission has come while it waits for webhooks or for quotas. */
  readonly admission: AdmissionProgress | undefined;
  readonly attempts: number;
  /** A Pod's Binding as admission left it. */
  readonly binding: KubeObject | undefined;
  /** How far an eviction has come. */
  readonly eviction: EvictionProgress | undefined;
}

/** An eviction that is allowed: why, and whether the Pod says already that it is evicted. */
export interface EvictionProgress {
  readonly rule: "counted" | "no budget counts" | "not ready";
  readonly announced: boolean;
  /** The budget that a Pod that is not ready may leave behind. */
  readonly budget: string;
}

/** A webhook that has been asked. */
export interface HookCall {
  /** The key of the outstanding question. */
  readonly id: string;
  readonly key: string;
  readonly hook: Hook;
  readonly timer: MailId;
  /** Where it was dialled: "10.96.0.20:443". */
  readonly address: string;
}

/** Where admission stands between two events. */
export interface AdmissionProgress {
  readonly phase: "mutating" | "validating" | "quota";
  readonly round: 0 | 1;
  /** The next mutating webhook. */
  readonly index: number;
  /** Something changed in this round: every mutating plugin gets another. */
  readonly reinvoke: boolean;
  readonly policies: Reinvocation;
  readonly webhooks: Reinvocation;
  /** What is waited for. */
  readonly calls: readonly HookCall[];
  readonly refusal: Status | undefined;
  /** Quotas being written, by the key of the question; those read again after a conflict; tries left. */
  readonly charging: readonly string[];
  readonly quotas: readonly KubeObject[];
  readonly retries: number;
}

export interface Outstanding {
  readonly key: string;
  readonly at: Micros;
  readonly message: EtcdClientRequest | { readonly type: "webhook.request" } | { readonly type: "logs.request" } | { readonly type: "exec.request" } | { readonly type: "aggregated.request" };
}

export interface ApiServerState {
  /** False while a restarted server fills its watch caches: requests wait. */
  readonly ready: boolean;
  readonly early: readonly { readonly client: ComponentId; readonly mail: MailId; readonly request: HttpRequest }[];
  readonly requests: PMap<Inflight>;
  /** Questions to etcd, webhooks and kubelets under "m<mail>". */
  readonly outstanding: PMap<Outstanding>;
  readonly caches: PMap<ResourceCache>;
  readonly watchers: PMap<WatcherSet>;
  /** The newest revision that all watch caches have. */
  readonly revision: number;
  /** The etcd member this server talks to. */
  readonly member: ComponentId;
  /** Seats in use by priority level. */
  readonly seats: Readonly<Record<string, number>>;
  /** Queues of the priority levels where requests wait. */
  readonly queues: PMap<QueueSet>;
  /** Bearer tokens that were found good a moment ago. */
  readonly tokens: PMap<CachedToken>;
  /** Users' programs with an open connection. */
  readonly connected: PMap<true>;
  readonly denied: readonly DenyRule[];
  readonly expired: readonly string[];
  readonly lag: Lag;
  readonly sweepAt: Micros;
  readonly sweepTimer: MailId;
  readonly watchdog: boolean;
  /** Questions that no member took: they are asked again together, after a wait. */
  readonly refused: readonly Outstanding[];
  /** The etcd watches are to be opened again, after a wait. */
  readonly rewatching: boolean;
  /** The revision remembered for the next compaction. */
  readonly compactNext: number;
  /** How many names and uids were drawn for a key: the number of the next draw. */
  readonly draws: PMap<number>;
  readonly lease: SharedLease | undefined;
  /** When the earliest bookmark of all watches is due, and the timer for it; -1 for none. */
  readonly bookmarksAt: Micros;
  readonly bookmarkTimer: MailId;
  /** Logs and attachments that clients follow: the kubelet behind each stream. */
  readonly streams: PMap<ComponentId>;
}

export interface ApiServerConfig {
  readonly world: World;
  /** Default: the world's first control-plane node. */
  readonly machine?: string;
  readonly etcd?: readonly ComponentId[];
  /** The lines of --token-auth-file; kubeadm sets none. */
  readonly tokenAuthFile?: readonly StaticToken[];
}

/**
 * One event's work on one request. `state` and `request` are this event's own copies: a dozen gates write into them,
 * which would otherwise be as many copies of twenty fields. They are not written to once the event is over.
 */
export interface Run {
  readonly ctx: Ctx;
  readonly config: ApiServerConfig;
  state: Draft<ApiServerState>;
  readonly request: Draft<Inflight>;
  result: "continue" | "wait" | "done";
  /** What was answered; 0 before. */
  status: number;
}

const copyState = (state: ApiServerState): Draft<ApiServerState> => ({
  ready: state.ready, early: state.early, requests: state.requests, outstanding: state.outstanding, caches: state.caches, watchers: state.watchers, revision: state.revision, member: state.member, seats: state.seats, queues: state.queues, tokens: state.tokens, connected: state.connected,
  denied: state.denied, expired: state.expired, lag: state.lag, sweepAt: state.sweepAt, sweepTimer: state.sweepTimer, watchdog: state.watchdog, refused: state.refused, rewatching: state.rewatching, compactNext: state.compactNext, draws: state.draws, lease: state.lease, bookmarksAt: state.bookmarksAt, bookmarkTimer: state.bookmarkTimer, streams: state.streams,
});

const copyInflight = (request: Inflight): Draft<Inflight> => ({
  key: request.key, mail: request.mail, client: request.client, request: request.request, info: request.info, flow: request.flow, gate: request.gate, paid: request.paid, startedAt: request.startedAt, deadline: request.deadline,
  teach: request.teach, level: request.level, user: request.user, seat: request.seat, audit: request.audit, retryAfter: request.retryAfter, object: request.object, existing: request.existing, fresh: request.fresh, warnings: request.warnings, answer: request.answer, collection: request.collection, answered: request.answered, admission: request.admission, attempts: request.attempts, binding: request.binding, eviction: request.eviction,
});

/** A changed copy (kernel/copies.ts says why not by a spread). */
export const withState = (state: ApiServerState, change: Partial<ApiServerState>): ApiServerState => Object.assign(copyState(state), change);

export const newRun = (ctx: Ctx, config: ApiServerConfig, state: ApiServerState, request: Inflight): Run => ({ ctx, config, state: copyState(state), request: copyInflight(request), result: "continue", status: 0 });

/** Sends the answer; the server then frees the request's seat. */
export function answer(run: Run, status: number, body: unknown, text?: string): void {
  const { request } = run;
  if (status < 300 && wantsMetadata(request.request) && typeof body === "object" && body !== null && "metadata" in body && request.info.api !== undefined && (body as KubeObject).kind !== "Status") {
    const partial = withoutContent(body as KubeObject, request.request.headers["Accept"] ?? "");
    return send(run, partial.kind === "Status" ? 406 : status, partial, text);
  }
  send(run, status, body, text);
}

function send(run: Run, status: number, body: unknown, text: string | undefined): void {
  const { ctx, request } = run;
  const { info } = request;
  ctx.send(
    request.client,
    { type: "http.response", request: request.mail, status, ...headersOf(request), body },
    { protocol: "HTTPS", latency: ctx.latency("link.apiserver", `${request.key}/answer`), verb: `${status}`, subject: subjectOf(info), status, level: request.teach === "read" ? "operator" : request.level },
  );
  if (request.teach !== "" || (status >= 400 && status !== 404 && status !== 409)) {
    ctx.explain({ text: text ?? `kube-apiserver answers ${request.request.method} ${subjectOf(info)} with ${status}`, level: request.teach === "write" && status < 400 ? "basic" : "operator", subject: subjectOf(info), status: "idle" });
  }
  run.state.requests = run.state.requests.delete(request.key);
  run.status = status;
  run.result = "done";
}

/** Headers that somebody reads. */
function headersOf({ warnings, retryAfter, audit }: Inflight): { readonly headers?: Readonly<Record<string, string>> } {
  if (audit === undefined && warnings.length === 0 && retryAfter === 0) return {};
  return { headers: { ...(audit === undefined ? {} : { "Audit-Id": audit.id }), ...(warnings.length === 0 ? {} : { Warning: warnings.join("\n") }), ...(retryAfter === 0 ? {} : { "Retry-After": String(retryAfter) }) } };
}

const NAME_FIELD = /(?:^|,)metadata\.name==?([^,]+)/;

/** What the authorizers and flow schemas are asked: a list of one name is a request about that name. */
export function attributesOf({ info, request }: Inflight): Attributes {
  const selector = info.name === "" ? request.query?.["fieldSelector"] : undefined;
  const name = selector === undefined || (info.verb !== "list" && info.verb !== "watch" && info.verb !== "deletecollection") ? undefined : NAME_FIELD.exec(selector)?.[1];
  return name === undefined ? info : { ...info, name };
}

/** Answers with a Status; when it names a time to wait, the header says so too. */
export function refuse(run: Run, status: Status): void {
  const after = status.details?.retryAfterSeconds ?? 0;
  if (after > 0) run.request.retryAfter = after;
  answer(run, status.code ?? 500, status);
}

/** Asks etcd and waits for the answer at the same gate. */
export function askEtcd(run: Run, message: EtcdClientRequest): void {
  const { request } = run;
  run.state = sendEtcd(run.ctx, run.state, request.key, message, request.level);
  request.answer = undefined;
  run.result = "wait";
}

const ETCD_VERBS = { "etcd.txn.request": "Txn", "etcd.range.request": "Range", "etcd.watch.request": "Watch", "etcd.compact.request": "Compact", "etcd.lease-grant.request": "LeaseGrant" } as const;
const GIVE_UP_ON_SILENCE: Micros = 10_000_000;

export const sendEtcd = (ctx: Ctx, state: ApiServerState, key: string, message: EtcdClientRequest, level: Level): ApiServerState => postEtcd(ctx, state, key, message, level).state;

/** Sends a question to etcd; `question` is the key under which its answer will be known. */
export function postEtcd(ctx: Ctx, state: ApiServerState, key: string, message: EtcdClientRequest, level: Level): { readonly state: ApiServerState; readonly question: string } {
  const verb = ETCD_VERBS[message.type];
  const subject = message.type === "etcd.txn.request" ? message.subject : message.type === "etcd.range.request" ? message.key : undefined;
  const mail = ctx.send(state.member, message, { protocol: "gRPC", latency: ctx.latency("link.etcd", `${key}/${ctx.now}`), verb, level: level === "basic" && message.type !== "etcd.txn.request" ? "operator" : level, ...(subject === undefined ? {} : { subject }) });
  const question = `m${mail}`;
  if (message.type === "etcd.watch.request" || message.type === "etcd.compact.request") return { state, question };
  // A dead machine says nothing: TCP_USER_TIMEOUT closes the connection after 10 s without an acknowledgement.
  if (!state.watchdog) ctx.after(GIVE_UP_ON_SILENCE, { type: "apiserver.watchdog" });
  return { state: withState(state, { watchdog: true, outstanding: state.outstanding.set(question, { key, at: ctx.now, message }) }), question };
}

/** "pod/default/nginx"; the path for everything that is not one object. */
export function subjectOf(info: RequestInfo): string {
  if (info.api === undefined || info.name === "") return info.path;
  return `${info.api.singular}/${info.api.namespaced ? `${info.namespace}/` : ""}${info.name}`;
}

export const objectSubject = (api: ApiResource, object: KubeObject): string => `${api.singular}/${api.namespaced ? `${object.metadata.namespace ?? ""}/` : ""}${object.metadata.name ?? ""}`;

/** The answer when a request's own time is over. */
export const deadlineStatus = (request: Inflight): Status => (request.flow === "create" || request.flow === "update" || request.flow === "delete" || request.flow === "binding" || request.flow === "token" ? newRequestTimeout() : readTimeout(request));

/** The 504 of the timeout filter; kubectl appends what it was doing. */
const readTimeout = (request: Inflight): Status => {
  const { info } = request;
  const what = `${info.verb} ${info.resource}${info.name === "" ? "" : ` ${info.name}`}`;
  return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", message: `the server was unable to return a response in the time allotted, but may still be processing the request (${info.verb === "list" ? `get ${info.resource}` : what})`, reason: "Timeout", code: 504 };
};
