// Models kubernetes/staging/src/k8s.io/apiserver/pkg/storage/{etcd3,storagebackend/factory}: the connection to etcd
import type { EtcdClientRequest, EtcdError } from "../etcd/messages.ts";
import type { Ctx, Micros, NetErrorMessage } from "../kernel/types.ts";
import { type ApiServerConfig, type ApiServerState, type Outstanding, sendEtcd } from "./state.ts";

/** The pseudo request that fills the caches of a restarted server. */
export const STARTUP_KEY = "startup";
/** The server's own writes, by no request. */
export const OWN_KEY = "loopback";
/** clientv3's watch.go (openWatchClient): its wait between tries grows to so much. */
const RETRY: Micros = 100_000;
/** clientv3's client.go (defaultBackoffWaitBetween): the wait once every member has refused. */
const WAIT_BETWEEN: Micros = 25_000;
const SILENCE: Micros = 10_000_000;
/** The API server compacts etcd's history every 5 minutes up to where it stood 5 minutes before. */
const COMPACTION: Micros = 300_000_000;

/** Opens the watches, one a resource type, from the caches' revision; or reads everything first after a restart. */
export function startEtcd(ctx: Ctx, state: ApiServerState, cold: boolean): ApiServerState {
  if (cold) return sendEtcd(ctx, state, STARTUP_KEY, { type: "etcd.range.request", key: "/registry/", prefix: true }, "operator");
  const watches = state.caches.sorted().map(([prefix]) => ({ id: prefix, prefix: `${prefix}/`, startRevision: state.revision + 1 }));
  const next = sendEtcd(ctx, state, "watch", { type: "etcd.watch.request", watches }, "source");
  if (next.compactNext > 0) return next;
  ctx.after(COMPACTION, { type: "apiserver.compact" });
  return { ...next, compactNext: next.revision };
}

export function compactTimer(ctx: Ctx, state: ApiServerState): ApiServerState {
  const next = sendEtcd(ctx, state, "compact", { type: "etcd.compact.request", revision: state.compactNext }, "source");
  ctx.after(COMPACTION, { type: "apiserver.compact" });
  return { ...next, compactNext: state.revision };
}

function nextMember(config: ApiServerConfig, member: string): string {
  const members = config.etcd ?? [];
  return members[(members.indexOf(member) + 1) % members.length] ?? member;
}

/**
 * The connection broke. Reads are asked again elsewhere; writes under way are given up, for they may have been stored.
 * Simplified: upstream's client balances its requests over all members; here it stays with one while that one answers.
 */
export function closeMember(ctx: Ctx, config: ApiServerConfig, state: ApiServerState): { readonly state: ApiServerState; readonly lost: readonly string[] } {
  const member = nextMember(config, state.member);
  ctx.explain({ text: `kube-apiserver loses its connection to ${state.member} and turns to ${member}`, why: "watches go on from the last revision seen; nothing is missed", level: "basic", status: "reconnecting to etcd" });
  let next: ApiServerState = { ...state, member };
  next = startEtcd(ctx, next, !state.ready);
  const lost: string[] = [];
  for (const [mail, question] of state.outstanding.sorted()) {
    const { message, key } = question;
    if (message.type !== "etcd.range.request" && message.type !== "etcd.txn.request" && message.type !== "etcd.lease-grant.request") continue;
    next = { ...next, outstanding: next.outstanding.delete(mail) };
    if (message.type === "etcd.txn.request") lost.push(key);
    else if (key !== STARTUP_KEY) next = sendEtcd(ctx, next, key, message, "operator");
  }
  return { state: next, lost };
}

/**
 * clientv3's retry_interceptor.go: reads are asked again while the request behind them lives. A write is repeated only
 * when it was never proposed; otherwise it may have been stored.
 */
export const isRepeated = ({ type }: Outstanding["message"], { code }: EtcdError): boolean => code === "DeadlineExceeded" || (code === "Unavailable" && type === "etcd.range.request");

export const askAgain = (ctx: Ctx, state: ApiServerState, { key, message }: Outstanding): ApiServerState => sendEtcd(ctx, state, key, message as EtcdClientRequest, "operator");

/** Refused: nothing was sent, so anything may be asked again, of the next member; after a wait if there is no other. */
export function onEtcdUnreachable(ctx: Ctx, config: ApiServerConfig, state: ApiServerState, error: NetErrorMessage): ApiServerState {
  const mail = `m${error.hop}`;
  const question = state.outstanding.get(mail);
  const message = error.message as EtcdClientRequest;
  const moved = state.member === error.peer ? { ...state, member: nextMember(config, state.member) } : state;
  if (message.type === "etcd.watch.request") {
    if (state.rewatching) return moved;
    ctx.after(RETRY, { type: "apiserver.etcd-retry" });
    return { ...moved, rewatching: true };
  }
  if (question === undefined) return moved;
  const without = { ...moved, outstanding: moved.outstanding.delete(mail) };
  if (moved.member === error.peer) {
    if (state.refused.length === 0) ctx.after(WAIT_BETWEEN, { type: "apiserver.etcd-again" });
    return { ...without, refused: [...state.refused, question] };
  }
  const next = sendEtcd(ctx, without, question.key, message, "operator");
  // The watches go where the requests go.
  return moved === state ? next : startEtcd(ctx, next, false);
}

/** What was refused is asked once more, unless the request behind it has ended meanwhile: its context is done. */
export function askRefused(ctx: Ctx, state: ApiServerState): ApiServerState {
  let next: ApiServerState = { ...state, refused: [] };
  for (const question of state.refused) if (question.key === STARTUP_KEY || question.key === OWN_KEY || next.requests.has(question.key)) next = askAgain(ctx, next, question);
  return next;
}

/** Something has been silent for 10 s: a live member answers within 7, so the machine is gone. */
export function onWatchdog(ctx: Ctx, config: ApiServerConfig, state: ApiServerState): { readonly state: ApiServerState; readonly lost: readonly string[] } {
  const quiet: ApiServerState = { ...state, watchdog: false };
  let oldest = Number.POSITIVE_INFINITY;
  for (const { at, message } of state.outstanding.values()) if (message.type.startsWith("etcd.")) oldest = Math.min(oldest, at);
  if (!Number.isFinite(oldest)) return { state: quiet, lost: [] };
  if (ctx.now - oldest >= SILENCE) return closeMember(ctx, config, quiet);
  ctx.after(SILENCE - (ctx.now - oldest), { type: "apiserver.watchdog" });
  return { state: { ...quiet, watchdog: true }, lost: [] };
}
