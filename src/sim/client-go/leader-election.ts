// Models kubernetes/staging/src/k8s.io/client-go/tools/leaderelection/{leaderelection.go,resourcelock/leaselock.go}
import type { HttpResponse } from "../api/http.ts";
import { uuid } from "../api/ids.ts";
import { rfc3339Micro, SECOND } from "../api/time.ts";
import type { KubeObject } from "../api/types.ts";
import type { Ctx, MailId, Message, Micros, NetErrorMessage } from "../kernel/types.ts";
import { type ApiClient, apiRequest } from "./api-client.ts";

/** --leader-elect-lease-duration, -renew-deadline and -retry-period, as kubeadm leaves them. */
export const LEASE_SECONDS = 15;
export const RENEW_DEADLINE: Micros = 10 * SECOND;
export const RETRY_PERIOD: Micros = 2 * SECOND;
/** The client gives up on an answer after half of the deadline. */
const TIMEOUT: Micros = RENEW_DEADLINE / 2;
/** Parts of 10 that a wait for the lease may be longer. */
const JITTER_TENTHS = 12;
const NAMESPACE = "kube-system";
const COLLECTION = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}
export type Lease = KubeObject & { readonly spec?: LeaseSpec };

/** One candidate's view of one lease. */
export interface Election {
  readonly lock: string;
  readonly identity: string;
  readonly leads: boolean;
  /** The lease as last read or written, and when that was, by the candidate's own clock. */
  readonly lease: Lease | undefined;
  readonly observedAt: Micros;
  readonly step: "" | "fast" | "get" | "create" | "update" | "release-get" | "release";
  /** ReleaseOnCancel: who cannot renew tries to give the lease back, so that the next need not wait for its end. */
  readonly releases: boolean;
  readonly pending: MailId;
  readonly timeout: MailId;
  /** Start of the present round of renewing, and of its last try; -1 between rounds. */
  readonly round: Micros;
  readonly tried: Micros;
  readonly tries: number;
}

interface ElectionTimer extends Message {
  readonly type: "leader-election.try" | "leader-election.timeout" | "leader-election.deadline";
  readonly lock: string;
  readonly identity: string;
}

/** "HOST_UUID": a new one for every start of the process. */
export const identityOf = (host: string, lock: string, starts: number): string => `${host}_${uuid(1, `${lock}/${host}/${starts}`)}`;

export const newElection = (lock: string, identity: string, lease?: Lease, releases = false): Election => ({
  lock, identity, releases, leads: lease !== undefined && lease.spec?.holderIdentity === identity, lease, observedAt: 0, step: "", pending: -1, timeout: -1, round: -1, tried: -1, tries: 0,
});

const timer = (ctx: Ctx, e: Election, type: ElectionTimer["type"], after: Micros): MailId => ctx.after(after, { type, lock: e.lock, identity: e.identity } satisfies ElectionTimer);

/** Who leads renews first after `after`; who does not tries at once. */
export function startElection(ctx: Ctx, e: Election, after: Micros): void {
  timer(ctx, e, "leader-election.try", e.leads ? after : 0);
}

/** When the lease is over as this candidate sees it: counted from when it last saw the record change. */
export const leaseEnd = (e: Election): Micros => e.observedAt + (e.lease?.spec?.leaseDurationSeconds ?? 0) * SECOND;

const isValid = (e: Election, now: Micros): boolean => e.lease !== undefined && leaseEnd(e) > now;

/** What a leader's present round may still take; a candidate's tries have no end. */
const timeLeft = (e: Election, now: Micros): Micros => (e.leads && e.round >= 0 ? Math.max(0, e.round + RENEW_DEADLINE - now) : TIMEOUT);

function ask(ctx: Ctx, client: ApiClient, e: Election, step: Exclude<Election["step"], "">, body?: Lease): Election {
  const method = step === "get" || step === "release-get" ? "GET" : step === "create" ? "POST" : "PUT";
  const pending = apiRequest(ctx, client, { method, path: step === "create" ? COLLECTION : `${COLLECTION}/${e.lock}`, ...(body === undefined ? {} : { body }), subject: `lease/${NAMESPACE}/${e.lock}`, level: "source" });
  return { ...e, step, pending, timeout: timer(ctx, e, "leader-election.timeout", Math.min(TIMEOUT, timeLeft(e, ctx.now))) };
}

/** The lease as this candidate would hold it from now on. */
function held(e: Election, now: Micros, again: boolean): Lease {
  const old = e.lease?.spec;
  const at = rfc3339Micro(now);
  const transitions = (old?.leaseTransitions ?? 0) + (again || e.lease === undefined ? 0 : 1);
  const spec: LeaseSpec = { holderIdentity: e.identity, leaseDurationSeconds: LEASE_SECONDS, acquireTime: again ? (old?.acquireTime ?? at) : at, renewTime: at, leaseTransitions: transitions };
  const base: Lease = e.lease ?? { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: e.lock, namespace: NAMESPACE } };
  return { ...base, spec };
}

const holds = (e: Election): boolean => e.lease?.spec?.holderIdentity === e.identity;

/** tryAcquireOrRenew: the holder of a valid lease writes at once, everybody else reads first. */
function attempt(ctx: Ctx, client: ApiClient, e: Election): Election {
  const next: Election = { ...e, round: e.leads && e.round < 0 ? ctx.now : e.round, tried: ctx.now, tries: e.tries + 1 };
  return holds(next) && isValid(next, ctx.now) ? ask(ctx, client, next, "fast", held(next, ctx.now, true)) : ask(ctx, client, next, "get");
}

export interface Stepped {
  readonly election: Election;
  /** "led": leads from now on. "lost": could not renew in time and must end. */
  readonly turned?: "led" | "lost";
}

function succeeded(ctx: Ctx, e: Election, lease: Lease): Stepped {
  const election: Election = { ...e, leads: true, lease, observedAt: ctx.now, step: "", pending: -1, round: -1 };
  timer(ctx, election, "leader-election.try", RETRY_PERIOD);
  return e.leads ? { election } : { election, turned: "led" };
}

/** A leader tries every 2 s within its deadline; a candidate waits 2 to 4.4 s. */
function failed(ctx: Ctx, client: ApiClient, e: Election): Stepped {
  const election: Election = { ...e, step: "", pending: -1 };
  if (!e.leads) {
    const jitter = Math.floor(((ctx.rand(`leader-election/${e.lock}/${e.identity}`, e.tries) % 1000) * RETRY_PERIOD * JITTER_TENTHS) / 10_000);
    timer(ctx, election, "leader-election.try", RETRY_PERIOD + jitter);
    return { election };
  }
  const next = Math.max(ctx.now, e.tried + RETRY_PERIOD);
  const deadline = e.round + RENEW_DEADLINE;
  if (ctx.now >= deadline) return lost(ctx, client, election);
  if (next < deadline) timer(ctx, election, "leader-election.try", next - ctx.now);
  else timer(ctx, election, "leader-election.deadline", Math.max(0, deadline - ctx.now));
  return { election };
}

const FIELDS = ["holderIdentity", "leaseDurationSeconds", "acquireTime", "renewTime", "leaseTransitions"] as const;
const sameRecord = (a: LeaseSpec | undefined, b: LeaseSpec | undefined): boolean => a !== undefined && b !== undefined && FIELDS.every((field) => a[field] === b[field]);

/** The leader's time is up. It stops at once, and gives back what it may still hold. */
function lost(ctx: Ctx, client: ApiClient, e: Election): Stepped {
  const next: Election = { ...e, leads: false, round: -1, step: "", pending: -1 };
  return { election: e.releases ? ask(ctx, client, next, "release-get") : next, turned: "lost" };
}

/** The lease as nobody's: whoever asks next gets it. */
function released(lease: Lease, now: Micros): Lease {
  const at = rfc3339Micro(now);
  return { ...lease, spec: { holderIdentity: "", leaseDurationSeconds: 1, acquireTime: at, renewTime: at, leaseTransitions: lease.spec?.leaseTransitions ?? 0 } };
}

/** What was read: a change of the record starts the lease's time anew, as this candidate sees it. */
function observed(ctx: Ctx, client: ApiClient, e: Election, lease: Lease): Stepped {
  const next: Election = { ...e, lease, observedAt: sameRecord(e.lease?.spec, lease.spec) ? e.observedAt : ctx.now };
  const holder = lease.spec?.holderIdentity ?? "";
  if (holder !== "" && isValid(next, ctx.now) && holder !== e.identity) return failed(ctx, client, next);
  return { election: ask(ctx, client, next, "update", held(next, ctx.now, holds(next))) };
}

function answered(ctx: Ctx, client: ApiClient, e: Election, status: number, body: unknown): Stepped {
  ctx.cancel(e.timeout);
  const ok = status >= 200 && status < 300;
  switch (e.step) {
    case "get":
      if (status === 404) return { election: ask(ctx, client, { ...e, lease: undefined }, "create", held({ ...e, lease: undefined }, ctx.now, false)) };
      return ok ? observed(ctx, client, e, body as Lease) : failed(ctx, client, e);
    case "fast":
      if (ok) return succeeded(ctx, e, body as Lease);
      return e.leads && timeLeft(e, ctx.now) === 0 ? lost(ctx, client, e) : { election: ask(ctx, client, e, "get") };
    case "release-get":
      return { election: ok && holds(e) ? ask(ctx, client, e, "release", released(body as Lease, ctx.now)) : { ...e, step: "", pending: -1 } };
    case "release":
      return { election: { ...e, step: "", pending: -1 } };
    default:
      return ok ? succeeded(ctx, e, body as Lease) : failed(ctx, client, e);
  }
}

/** Handles what concerns this election; undefined for any other message. */
export function stepElection(ctx: Ctx, client: ApiClient, e: Election, message: Message): Stepped | undefined {
  switch (message.type) {
    case "http.response": {
      const { request, status, body } = message as HttpResponse;
      return request === e.pending && e.pending >= 0 ? answered(ctx, client, e, status, body) : undefined;
    }
    case "net.error":
      return (message as NetErrorMessage).hop === e.pending && e.pending >= 0 ? answered(ctx, client, e, 0, undefined) : undefined;
    case "leader-election.try":
    case "leader-election.timeout":
    case "leader-election.deadline": {
      const { lock, identity } = message as ElectionTimer;
      if (lock !== e.lock || identity !== e.identity) return undefined;
      if (message.type === "leader-election.try") return { election: e.pending >= 0 ? e : attempt(ctx, client, e) };
      if (message.type === "leader-election.timeout") return e.pending >= 0 ? answered(ctx, client, e, 0, undefined) : { election: e };
      return e.leads ? lost(ctx, client, e) : { election: e };
    }
    default:
      return undefined;
  }
}

/** The lease that a cluster has held for long when the story begins. */
export const settledLease = (lock: string, host: string, since: Micros): Lease => ({
  apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: lock, namespace: NAMESPACE },
  spec: { holderIdentity: identityOf(host, lock, 0), leaseDurationSeconds: LEASE_SECONDS, acquireTime: rfc3339Micro(since), renewTime: rfc3339Micro(-1 * SECOND), leaseTransitions: 0 },
});

/** Of a started world. */
export const leaseOf = (objects: readonly KubeObject[], lock: string): Lease | undefined => objects.find((object) => object.kind === "Lease" && object.metadata.name === lock && object.metadata.namespace === NAMESPACE) as Lease | undefined;
