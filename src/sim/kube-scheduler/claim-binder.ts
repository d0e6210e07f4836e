// Models kubernetes/pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go (Reserve, Unreserve, PreBind, bindClaim)
import type { HttpResponse } from "../api/http.ts";
import { CLAIM_FINALIZER, isReservedFor, type ResourceClaim } from "../api/resource-claims.ts";
import { rfc3339 } from "../api/time.ts";
import type { Pod } from "../api/types.ts";
import { apiRequest } from "../client-go/api-client.ts";
import type { Ctx, MailId } from "../kernel/types.ts";
import { queueContext } from "./cache-events.ts";
import type { ClaimForPod, Decision } from "./decision.ts";
import { withObject } from "./listers.ts";
import { podKey } from "./node-info.ts";
import { move } from "./queue.ts";
import { client, nameOf, type SchedulerState, subjectOf } from "./scheduler-state.ts";

/** retry.DefaultRetry. */
const MAX_TRIES = 5;

/** What PreBind has to write, one claim after the other: first its finalizer, then its devices and who may use them. */
export interface ClaimWork {
  readonly todo: readonly ClaimForPod[];
  /** The first of `todo`, as it is known by now. */
  readonly claim: ResourceClaim | null;
  readonly step: "get" | "finalizer" | "status";
  readonly tries: number;
  /** Written in this binding cycle. */
  readonly done: readonly ResourceClaim[];
}

const keyOf = ({ metadata: { namespace = "", name = "" } }: ResourceClaim): string => `${namespace}/${name}`;
const pathOf = ({ metadata: { namespace = "", name = "" } }: ResourceClaim): string => `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims/${name}`;
const subject = (claim: ResourceClaim): string => `resourceclaim/${keyOf(claim)}`;

const withPending = (state: SchedulerState, pendingClaims: readonly ResourceClaim[]): SchedulerState => ({ ...state, snapshot: { ...state.snapshot, listers: { ...state.snapshot.listers, pendingClaims } } });

/** MaybeRemoveClaimPendingAllocation. */
function released(state: SchedulerState, claims: readonly { readonly metadata: { readonly uid?: string } }[]): SchedulerState {
  const { pendingClaims } = state.snapshot.listers;
  const left = pendingClaims.filter((pending) => !claims.some((claim) => claim.metadata.uid === pending.metadata.uid));
  return left.length === pendingClaims.length ? state : withPending(state, left);
}

/** Reserve: the next Pod sees the devices as taken; a claim that gets some makes other Pods that share it wait. */
export function reserveClaims(state: SchedulerState, { claims = [] }: Decision): SchedulerState {
  const pending = claims.flatMap(({ claim, allocation }) => (allocation ? [{ ...claim, status: { ...claim.status, allocation } }] : []));
  return pending.length === 0 ? state : withPending(state, [...state.snapshot.listers.pendingClaims, ...pending]);
}

/** What PreBind has to do for the Pod's claims; null if it has none. */
export function claimWork(pod: Pod, { claims = [] }: Decision): ClaimWork | null {
  const todo = claims.filter(({ claim }) => !isReservedFor(claim, podKey(pod)));
  return claims.length === 0 ? null : { todo, claim: todo[0]?.claim ?? null, step: "status", tries: 1, done: [] };
}

export interface Writing {
  readonly work: ClaimWork;
  readonly request: MailId;
}

/** Writes what is next: undefined if all is written, a text if it cannot be. */
export function writeClaim(work: ClaimWork, pod: Pod, ctx: Ctx): Writing | string | undefined {
  const { claim } = work;
  const [first] = work.todo;
  if (!first || !claim) return undefined;
  if (claim.metadata.deletionTimestamp) return `claim ${keyOf(claim)} got deleted in the meantime`;
  if (first.allocation && claim.status?.allocation) return `claim ${keyOf(claim)} got allocated elsewhere in the meantime`;
  const { finalizers = [] } = claim.metadata;
  if (first.allocation && !finalizers.includes(CLAIM_FINALIZER)) {
    const body = { ...claim, metadata: { ...claim.metadata, finalizers: [...finalizers, CLAIM_FINALIZER] } };
    return { work: { ...work, step: "finalizer" }, request: apiRequest(ctx, client, { method: "PUT", path: pathOf(claim), body, subject: subject(claim) }) };
  }
  const allocation = first.allocation ?? claim.status?.allocation;
  if (!allocation) return `claim ${keyOf(claim)} got deallocated elsewhere in the meantime`;
  ctx.explain({
    text: first.allocation ? `kube-scheduler gives ${keyOf(claim)} its devices and reserves them for ${nameOf(pod)}` : `kube-scheduler reserves ${keyOf(claim)} for ${nameOf(pod)}`,
    why: "the kubelet prepares only devices that are allocated to a claim, for Pods in its status.reservedFor",
    subject: subjectOf(pod),
    level: "basic",
  });
  const status = { ...claim.status, allocation: { ...allocation, allocationTimestamp: allocation.allocationTimestamp ?? rfc3339(ctx.now) }, reservedFor: [...(claim.status?.reservedFor ?? []), { resource: "pods", name: pod.metadata.name ?? "", uid: podKey(pod) }] };
  return { work: { ...work, step: "status" }, request: apiRequest(ctx, client, { method: "PUT", path: `${pathOf(claim)}/status`, body: { ...claim, status }, subject: subject(claim) }) };
}

const failure = ({ step, todo }: ClaimWork, claim: ResourceClaim, text: string): string => {
  if (step === "get") return `get updated claim ${keyOf(claim)} after conflict: ${text}`;
  if (step === "finalizer") return `add finalizer to claim ${keyOf(claim)}: ${text}`;
  return `add ${todo[0]?.allocation ? "allocation and reservation" : "reservation"} to claim ${keyOf(claim)}: ${text}`;
};

/** The answer to a write: goes on with the claim as it is stored now, after a conflict with what others made of it. A text is a failure. */
// Simplified: upstream waits 10 ms after a conflict.
export function onClaimAnswer(state: SchedulerState, work: ClaimWork, pod: Pod, response: HttpResponse | undefined, refusal: (method: string, path: string) => string, ctx: Ctx): { readonly state: SchedulerState; readonly next: Writing | string | undefined; readonly work: ClaimWork } {
  const { claim } = work;
  if (!claim) return { state, next: undefined, work };
  const stored = response?.body as ResourceClaim | undefined;
  if (response?.status === 409 && work.step !== "get" && work.tries < MAX_TRIES) {
    const again: ClaimWork = { ...work, step: "get", tries: work.tries + 1 };
    return { state, work: again, next: { work: again, request: apiRequest(ctx, client, { method: "GET", path: pathOf(claim), subject: subject(claim) }) } };
  }
  if (!response || response.status >= 300 || !stored) return { state, work, next: failure(work, claim, refusal(work.step === "get" ? "Get" : "Put", pathOf(claim))) };
  if (work.step !== "status") {
    const known = { ...work, claim: stored };
    return { state, work: known, next: writeClaim(known, pod, ctx) };
  }
  const todo = work.todo.slice(1);
  const written: ClaimWork = { todo, claim: todo[0]?.claim ?? null, step: "status", tries: 1, done: [...work.done, stored] };
  // AssumeClaimAfterAPICall: others that wait for the claim need not wait for the watch.
  const assumed = released({ ...state, snapshot: { ...state.snapshot, listers: withObject(state.snapshot.listers, stored) } }, [stored]);
  const queue = move(assumed.queue, { resource: "ResourceClaim", change: "update", object: stored, old: claim }, queueContext(assumed, ctx.now));
  return { state: { ...assumed, queue }, work: written, next: writeClaim(written, pod, ctx) };
}

/** Unreserve: what was only decided is free again, what was written is taken back; claims keep their devices for the next attempt. */
export function unreserveClaims(state: SchedulerState, pod: Pod, { claims = [] }: Decision, work: ClaimWork | null, ctx: Ctx): SchedulerState {
  for (const { claim } of claims) {
    const now = work?.done.find((written) => written.metadata.uid === claim.metadata.uid) ?? claim;
    if (!now.status?.allocation || !isReservedFor(now, podKey(pod))) continue;
    const body = { metadata: { uid: now.metadata.uid }, status: { reservedFor: [{ $patch: "delete", uid: podKey(pod) }] } };
    apiRequest(ctx, client, { method: "PATCH", path: `${pathOf(now)}/status`, contentType: "application/strategic-merge-patch+json", body, subject: subject(now) });
  }
  return released(state, claims.map(({ claim }) => claim));
}

/** PostFilter: devices that nobody uses and that keep the Pod from every node are given back. */
export function deallocateClaim(claim: ResourceClaim, ctx: Ctx): void {
  apiRequest(ctx, client, { method: "PUT", path: `${pathOf(claim)}/status`, body: { ...claim, status: {} }, subject: subject(claim) });
}
