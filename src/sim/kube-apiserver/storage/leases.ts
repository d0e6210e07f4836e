// Models kubernetes/staging/src/k8s.io/apiserver/pkg/storage/etcd3/lease_manager.go
import { SECOND } from "../../api/time.ts";
import type { EtcdLeaseGrantResponse } from "../../etcd/messages.ts";
import type { Micros } from "../../kernel/types.ts";
import { askEtcd, type Run } from "../state.ts";

/** The etcd lease that new Events are attached to, for as long as it may be shared. */
export interface SharedLease {
  readonly id: number;
  readonly endsAt: Micros;
  readonly attached: number;
}

/** --event-ttl. */
const EVENT_TTL = 3_600;
/** A lease is shared for a minute: it lasts that much longer than the Event that asked for it. */
const REUSE_SECONDS = 60;
const MAX_ATTACHED = 1_000;

/**
 * The lease for the object that is about to be written; undefined for all but Events, which are kept an hour. With
 * none to share, etcd is asked for one and the request waits.
 * Simplified: upstream lets one request at a time ask; here each that comes meanwhile asks for its own.
 */
export function leaseFor(run: Run): number | "waiting" | undefined {
  if (run.request.info.resource !== "events") return undefined;
  const { answer: got } = run.request;
  if (got?.type === "etcd.lease-grant.response") take(run, got);
  const { lease } = run.state;
  if (lease === undefined || lease.endsAt <= run.ctx.now + EVENT_TTL * SECOND || lease.attached >= MAX_ATTACHED) {
    askEtcd(run, { type: "etcd.lease-grant.request", ttl: EVENT_TTL + REUSE_SECONDS });
    return "waiting";
  }
  run.state.lease = { ...lease, attached: lease.attached + 1 };
  return lease.id;
}

function take(run: Run, got: EtcdLeaseGrantResponse): void {
  run.request.answer = undefined;
  run.state.lease = { id: got.id, endsAt: run.ctx.now + got.ttl * SECOND, attached: 0 };
}
