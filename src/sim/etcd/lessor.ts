// Models etcd/server/lease/lessor.go: the leader alone counts the time of leases; their end is an entry like any other
import type { Ctx, MailId, Micros } from "../kernel/types.ts";
import { type MemberState, withMember } from "./member-state.ts";
import { submit } from "./raft/raft.ts";

const SECOND: Micros = 1_000_000;
/** The lessor looks for expired leases at this interval. */
const CHECK: Micros = 500_000;

export interface LeaseTimer {
  readonly type: "etcd.lease";
}

/** The primary lessor notes when a lease ends: `ttl` seconds from now. */
export function watchLease(ctx: Ctx, state: MemberState, id: number, ttl: number): MemberState {
  return arm(ctx, withMember(state, { expiries: { ...state.expiries, [`l${id}`]: { id, at: ctx.now + ttl * SECOND } } }));
}

/** lessor.Promote: a new leader gives every lease its whole time again. */
export function promote(ctx: Ctx, state: MemberState): MemberState {
  const leases = state.store.leases.sorted();
  if (leases.length === 0) return state;
  const expiries = Object.fromEntries(leases.map(([key, lease]) => [key, { id: lease.id, at: ctx.now + lease.ttl * SECOND }]));
  return arm(ctx, withMember(state, { expiries }));
}

/** Time is up for some leases: each end is proposed. */
export function expireLeases(ctx: Ctx, state: MemberState): MemberState {
  if (ctx.mail !== state.leaseTimer) return state;
  if (state.raft.role !== "leader") return withMember(state, { expiries: {}, leaseTimer: -1 });
  let { raft } = state;
  const left: Record<string, { readonly id: number; readonly at: Micros }> = {};
  for (const [key, lease] of Object.entries(state.expiries)) {
    if (lease.at > ctx.now) left[key] = lease;
    else raft = submit(ctx, raft, { kind: "lease-revoke", origin: raft.id, id: 0, lease: lease.id }) ?? raft;
  }
  return arm(ctx, withMember(state, { raft, expiries: left, leaseTimer: -1 }));
}

function arm(ctx: Ctx, state: MemberState): MemberState {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { at } of Object.values(state.expiries)) earliest = Math.min(earliest, at);
  ctx.cancel(state.leaseTimer);
  if (!Number.isFinite(earliest)) return withMember(state, { leaseTimer: -1 });
  const timer: MailId = ctx.after((Math.floor((earliest - ctx.now) / CHECK) + 1) * CHECK, { type: "etcd.lease" } satisfies LeaseTimer);
  return withMember(state, { leaseTimer: timer });
}
