// Models kubernetes/cmd/kube-apiserver and staging/src/k8s.io/apiserver/pkg/server
import type { HttpRequest } from "../api/http.ts";
import { objectsOf, type World } from "../api/world.ts";
import { newUnknownServerError } from "../api/status-errors.ts";
import type { EtcdError, EtcdLeaseGrantResponse, EtcdRangeResponse, EtcdTxnResponse, EtcdWatchResponse } from "../etcd/messages.ts";
import type { FaultMessage } from "../faults/messages.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Component, Ctx, Message, NetClosedMessage, NetErrorMessage, StartMessage } from "../kernel/types.ts";
import type { StreamCancel, StreamData } from "./messages.ts";
import type { WebhookResponse } from "../webhook/messages.ts";
import { type CrdTurn, onLoopbackAnswer, syncDefinition } from "./apiextensions/controllers.ts";
import { askAgain, askRefused, closeMember, compactTimer, isRepeated, onEtcdUnreachable, onWatchdog, startEtcd, STARTUP_KEY } from "./etcd-client.ts";
import { tellAudit } from "./filters/audit.ts";
import { NO_DEADLINE } from "./filters/request-deadline.ts";
import { onQueueTimeout } from "./filters/flow-control.ts";
import { releaseSeats } from "./flowcontrol/seats.ts";
import { advance, newInflight } from "./pipeline.ts";
import { afterFlowChange, bootstrapRoles, restoreFlowControl } from "./post-start-hooks.ts";
import { type ApiServerConfig, type ApiServerState, type BackendAnswer, deadlineStatus, type Inflight, newRun, refuse, type Run, withState } from "./state.ts";
import { cancelStream, relayStream } from "./storage/streams.ts";
import { armBookmarks, earliestBookmark, sendBookmarks } from "./watch-cache/bookmarks.ts";
import { emptyCaches, fillCaches, warmCaches, warmWatchers } from "./watch-cache/boot.ts";
import { onEtcdWatch } from "./watch-cache/fan-out.ts";
import { holdBack, isLagging, type LateWatch, NO_LAG, setLag } from "./watch-cache/lag.ts";
import { everyWatcher, removeWatchers } from "./watch-cache/watchers.ts";

type EtcdAnswer = EtcdTxnResponse | EtcdRangeResponse | EtcdLeaseGrantResponse | EtcdError;

const DEFAULT_ETCD = ["etcd-0", "etcd-1", "etcd-2"];

/** The API server: a chain of gates over etcd, and the watch caches that everybody watches. */
export function createApiServer(config: ApiServerConfig): Component<ApiServerState> {
  const members = config.etcd ?? DEFAULT_ETCD;
  const full: ApiServerConfig = { ...config, etcd: members };
  const clients = [...new Set(config.world.watches.map((watch) => watch.component))];
  return {
    id: "kube-apiserver",
    machine: config.machine ?? controlPlaneOf(config.world),
    connections: [...members, ...clients],
    // A restarted process draws on: no name and no uid comes twice.
    init: (disk) => ({
      ready: true, early: [], requests: PMap.empty(), outstanding: PMap.empty(), caches: warmCaches(config.world), watchers: warmWatchers(config.world), revision: Number(config.world.resourceVersion),
      member: members[0] ?? "etcd-0", seats: {}, queues: PMap.empty(), tokens: PMap.empty(), connected: PMap.empty(), denied: [], expired: [], lag: NO_LAG, sweepAt: -1, sweepTimer: -1, watchdog: false, refused: [], rewatching: false, compactNext: 0, draws: disk?.draws ?? PMap.empty(), lease: undefined, bookmarksAt: -1, bookmarkTimer: -1, streams: PMap.empty(),
    }),
    step: (state, message, ctx) => step(full, state, message, ctx),
  };
}

/** The first node with the control-plane role. */
function controlPlaneOf(world: World): string {
  const node = objectsOf(world, "Node").find((object) => object.metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined);
  return node?.metadata.name ?? world.nodes[0]?.name ?? "control-plane";
}

function step(config: ApiServerConfig, state: ApiServerState, message: Message, ctx: Ctx): ApiServerState {
  switch (message.type) {
    case "start":
      return (message as StartMessage).cold ? startEtcd(ctx, { ...state, ready: false, caches: emptyCaches(), watchers: PMap.empty(), revision: 0 }, true) : armBookmarks(ctx, startEtcd(ctx, state, false), earliestBookmark(state.watchers));
    case "http.request":
      return onRequest(config, state, message as HttpRequest, ctx);
    case "apiserver.step":
      return resume(config, state, (message as Message & { key: string }).key, undefined, ctx);
    case "apiserver.queue-timeout":
      return queueTimeout(config, state, (message as Message & { key: string }).key, ctx);
    case "etcd.watch.response":
      return isLagging(state, ctx.now) ? holdBack(ctx, state, message as EtcdWatchResponse) : onWatch(config, state, message as EtcdWatchResponse, ctx);
    case "apiserver.late-watch":
      return onWatch(config, state, (message as LateWatch).message, ctx);
    case "apiserver.flow-control":
      return restoreFlowControl(ctx, config, state);
    case "etcd.txn.response":
    case "etcd.range.response":
    case "etcd.lease-grant.response":
    case "etcd.error":
    case "webhook.response":
    case "logs.response":
    case "exec.response":
    case "aggregated.response":
      return onAnswer(config, state, message as EtcdAnswer | WebhookResponse, ctx);
    case "stream.data":
      return relayStream(ctx, state, message as StreamData);
    case "stream.cancel":
      return cancelStream(ctx, state, message as StreamCancel);
    case "apiserver.webhook-failed": {
      const { call, reason } = message as Message & { readonly call: string; readonly reason: string };
      return onBackend(config, state, call, { type: "unreachable", message: reason }, ctx);
    }
    case "apiserver.crd":
      return syncDefinition(ctx, state, (message as CrdTurn).name);
    case "http.response":
      onLoopbackAnswer(ctx, state);
      return state;
    case "apiserver.sweep":
      return sweep(config, state, ctx);
    case "apiserver.bookmarks":
      return sendBookmarks(ctx, config, state);
    case "apiserver.watchdog":
      return settleLost(config, onWatchdog(ctx, config, state), ctx);
    case "apiserver.compact":
      return compactTimer(ctx, state);
    case "apiserver.etcd-retry":
      return startEtcd(ctx, withState(state, { rewatching: false }), !state.ready);
    case "apiserver.etcd-again":
      return askRefused(ctx, state);
    case "net.error":
      return onNetError(config, state, message as NetErrorMessage, ctx);
    case "net.closed":
      return onClosed(config, state, (message as NetClosedMessage).peer, ctx);
    case "fault":
      return onFault(state, message as FaultMessage);
    default:
      return state;
  }
}

const onWatch = (config: ApiServerConfig, state: ApiServerState, message: EtcdWatchResponse, ctx: Ctx): ApiServerState => afterFlowChange(ctx, config, onEtcdWatch(ctx, config, state, message), message.watch);

function onRequest(config: ApiServerConfig, state: ApiServerState, request: HttpRequest, ctx: Ctx): ApiServerState {
  // Simplified: upstream opens its port only when the caches are filled; here early requests wait.
  if (!state.ready) return { ...state, early: [...state.early, { client: ctx.from, mail: ctx.mail, request }] };
  return admit(config, state, newInflight(config.world.seed, ctx.mail, ctx.from, request, ctx.now, state), ctx);
}

function admit(config: ApiServerConfig, state: ApiServerState, request: Inflight, ctx: Ctx): ApiServerState {
  const run = newRun(ctx, config, armSweep(ctx, state, request.deadline), request);
  advance(run);
  return settled(run);
}

/** The state after an event's work on a request: one that is answered gives its seats back. */
function settled(run: Run): ApiServerState {
  if (run.result !== "done") return run.state;
  tellAudit(run, run.status);
  const { seat } = run.request;
  return seat === undefined ? run.state : releaseSeats(run.ctx, run.state, seat);
}

const WATCH_LOOK = 60_000_000;

/** One timer for the earliest deadline of all requests. */
function armSweep(ctx: Ctx, state: ApiServerState, wanted: number): ApiServerState {
  // A request without a deadline may open a watch, which has one.
  const deadline = wanted === NO_DEADLINE ? ctx.now + WATCH_LOOK : wanted;
  if (state.sweepAt >= 0 && state.sweepAt <= deadline) return state;
  ctx.cancel(state.sweepTimer);
  return withState(state, { sweepAt: deadline, sweepTimer: ctx.after(Math.max(0, deadline - ctx.now), { type: "apiserver.sweep" }) });
}

function resume(config: ApiServerConfig, state: ApiServerState, key: string, answer: BackendAnswer | undefined, ctx: Ctx, answered = ""): ApiServerState {
  const request = state.requests.get(key);
  if (request === undefined) return state;
  const run = newRun(ctx, config, state, request);
  if (answer !== undefined) {
    run.request.answer = answer;
    run.request.answered = answered;
  }
  advance(run);
  return settled(run);
}

function queueTimeout(config: ApiServerConfig, state: ApiServerState, key: string, ctx: Ctx): ApiServerState {
  const request = state.requests.get(key);
  if (request === undefined || request.seat === undefined || request.seat.servedAt >= 0) return state;
  const run = newRun(ctx, config, state, request);
  onQueueTimeout(run);
  return settled(run);
}

function onAnswer(config: ApiServerConfig, state: ApiServerState, answer: EtcdAnswer | WebhookResponse, ctx: Ctx): ApiServerState {
  return onBackend(config, state, `m${answer.request}`, answer, ctx);
}

function onBackend(config: ApiServerConfig, state: ApiServerState, mail: string, answer: BackendAnswer, ctx: Ctx): ApiServerState {
  const question = state.outstanding.get(mail);
  if (question === undefined) return state;
  const next = withState(state, { outstanding: state.outstanding.delete(mail) });
  if (question.key === STARTUP_KEY) return answer.type === "etcd.range.response" ? boot(config, next, answer, ctx) : startEtcd(ctx, next, true);
  if (answer.type === "etcd.error" && state.requests.has(question.key) && isRepeated(question.message, answer)) return askAgain(ctx, next, question);
  return resume(config, next, question.key, answer, ctx, mail);
}

/** The restarted server has read everything: watch from here on, and serve who came early. */
function boot(config: ApiServerConfig, state: ApiServerState, answer: EtcdRangeResponse, ctx: Ctx): ApiServerState {
  ctx.explain({ text: `kube-apiserver has filled its watch caches with ${answer.kvs.length} objects of revision ${answer.revision}`, why: "a restarted server knows nothing: all its state is in etcd", level: "operator", status: "idle" });
  let next: ApiServerState = { ...state, ready: true, early: [], caches: fillCaches(answer.kvs, answer.revision), revision: answer.revision };
  next = restoreFlowControl(ctx, config, bootstrapRoles(ctx, config, startEtcd(ctx, next, false)));
  for (const { client, mail, request } of state.early) next = admit(config, next, newInflight(config.world.seed, mail, client, request, ctx.now, next), ctx);
  return next;
}

/** Deadlines of requests, 34 s or 60 s, and of watches. */
function sweep(config: ApiServerConfig, state: ApiServerState, ctx: Ctx): ApiServerState {
  let next: ApiServerState = { ...state, sweepAt: -1, sweepTimer: -1 };
  for (const [, request] of state.requests.sorted()) {
    if (request.deadline > ctx.now) continue;
    const run = newRun(ctx, config, next, request);
    refuse(run, deadlineStatus(request));
    next = settled(run);
  }
  next = closeOldWatches(next, ctx);
  let earliest = Number.POSITIVE_INFINITY;
  for (const request of next.requests.values()) earliest = Math.min(earliest, request.deadline);
  for (const set of next.watchers.values()) for (const watcher of everyWatcher(set)) earliest = Math.min(earliest, watcher.deadline);
  return Number.isFinite(earliest) ? armSweep(ctx, next, earliest) : next;
}

function closeOldWatches(state: ApiServerState, ctx: Ctx): ApiServerState {
  let { watchers } = state;
  for (const [prefix, set] of state.watchers.sorted()) {
    const old = everyWatcher(set).filter((watcher) => watcher.deadline <= ctx.now);
    if (old.length === 0) continue;
    for (const watcher of old) ctx.send(watcher.component, { type: "watch.closed", stream: watcher.stream }, { protocol: "watch", latency: ctx.latency("link.watch", watcher.stream), verb: "closed", level: "source" });
    watchers = watchers.set(prefix, removeWatchers(set, (watcher) => watcher.deadline <= ctx.now));
  }
  return watchers === state.watchers ? state : { ...state, watchers };
}

function onNetError(config: ApiServerConfig, state: ApiServerState, error: NetErrorMessage, ctx: Ctx): ApiServerState {
  if (error.message.type.startsWith("etcd.")) return onEtcdUnreachable(ctx, config, state, error);
  return onBackend(config, state, `m${error.hop}`, { type: "unreachable", message: error.reason === "timeout" ? "dial tcp: i/o timeout" : "dial tcp: connect: connection refused" }, ctx);
}

function onClosed(config: ApiServerConfig, state: ApiServerState, peer: string, ctx: Ctx): ApiServerState {
  if (config.etcd?.includes(peer) === true) return peer === state.member ? settleLost(config, closeMember(ctx, config, state), ctx) : state;
  let { watchers } = state;
  for (const [prefix, set] of state.watchers.sorted()) watchers = watchers.set(prefix, removeWatchers(set, (watcher) => watcher.component === peer));
  return { ...state, watchers };
}

/** Writes that were under way on a broken connection: nobody knows whether they were stored. */
function settleLost(config: ApiServerConfig, { state, lost }: { readonly state: ApiServerState; readonly lost: readonly string[] }, ctx: Ctx): ApiServerState {
  let next = state;
  for (const key of lost) {
    const request = next.requests.get(key);
    if (request === undefined) continue;
    const run = newRun(ctx, config, next, request);
    refuse(run, newUnknownServerError("rpc error: code = Unavailable desc = error reading from server: EOF"));
    next = settled(run);
  }
  return next;
}

const textParam = (fault: FaultMessage, name: string): string => String(fault.params[name] ?? "");

function onFault(state: ApiServerState, fault: FaultMessage): ApiServerState {
  switch (fault.id) {
    case "authz.denied": {
      const rule = { user: textParam(fault, "user"), verb: textParam(fault, "verb"), resource: textParam(fault, "resource"), namespace: textParam(fault, "namespace") };
      const others = state.denied.filter((other) => other.user !== rule.user || other.verb !== rule.verb || other.resource !== rule.resource || other.namespace !== rule.namespace);
      return { ...state, denied: fault.on ? [...others, rule] : others };
    }
    case "authn.credentials-expired": {
      const user = textParam(fault, "user");
      const others = state.expired.filter((other) => other !== user);
      return { ...state, expired: fault.on ? [...others, user] : others };
    }
    case "apiserver.watch-cache-lag":
      return setLag(state, fault);
    default:
      return state;
  }
}
