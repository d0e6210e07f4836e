// Models kubernetes/staging/src/k8s.io/component-helpers/apimachinery/lease/controller.go, pkg/kubelet/util/nodelease.go
import type { HttpResponse } from "../api/http.ts";
import { rfc3339Micro } from "../api/time.ts";
import type { KubeObject } from "../api/types.ts";
import type { Message, Micros } from "../kernel/types.ts";
import { refreshQosCgroups } from "./cgroups.ts";
import type { NodeTimer } from "./node-status.ts";
import type { Turn } from "./turn.ts";

/** nodeLeaseDurationSeconds as the kubelet writes it into its Lease. */
export const LEASE_SECONDS = 40;
/** A quarter of the lease's duration, stretched by up to 4 %. */
export const RENEW_INTERVAL: Micros = 10_000_000;
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";

/** Arms the renewals at the start of the kubelet. `cold`: it has just been started. */
export function startLease(turn: Turn, cold: boolean): void {
  turn.ctx.after(cold ? 200_000 : turn.ctx.rand("lease", 0) % RENEW_INTERVAL, { type: "kubelet.lease" } satisfies NodeTimer);
}

function put(turn: Turn, lease: KubeObject): void {
  const { name } = turn.config.node;
  const spec = { ...(lease.spec as object | undefined), holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime: rfc3339Micro(turn.wall()) };
  turn.api({ method: "PUT", path: `${LEASES}/${name}`, body: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: lease.metadata, spec }, subject: `lease/kube-node-lease/${name}`, level: "source" }, { for: "lease", of: "Lease" });
}

/** Renews with the Lease of the last answer (optimistic update); without one it reads the Lease first. */
export function renewLease(turn: Turn): void {
  refreshQosCgroups(turn);
  const { lease, leaseCount } = turn.state;
  const { name } = turn.config.node;
  if (lease) put(turn, lease);
  else turn.api({ method: "GET", path: `${LEASES}/${name}`, subject: `lease/kube-node-lease/${name}`, level: "source" }, { for: "lease", of: "Lease" });
  const jitter = turn.ctx.rand("lease-jitter", leaseCount) % 1000;
  turn.set({ leaseCount: leaseCount + 1 });
  turn.ctx.after(RENEW_INTERVAL + Math.floor((RENEW_INTERVAL * 4 * jitter) / 100_000), { type: "kubelet.lease" } satisfies NodeTimer);
}

/** The server answers again while the watch of the Node still waits for its next try: the Node is read for itself. */
function readNode(turn: Turn): void {
  const { name } = turn.config.node;
  if (turn.state.node.phase === "synced" || !turn.state.node.store.has(name)) return;
  turn.api({ method: "GET", path: `/api/v1/nodes/${name}`, subject: `node/${name}`, level: "source" }, { for: "node", read: true });
}

/** Simplified: a Lease that somebody stripped of its owner keeps having none; upstream asks for the Node at each renewal. */
export function onLeaseAnswer(turn: Turn, message: Message): void {
  if (message.type !== "http.response") return;
  const response = message as HttpResponse;
  if (response.status === 200 || response.status === 201) {
    const fetched = turn.state.lease === undefined;
    const lease = response.body as KubeObject;
    turn.set({ lease });
    readNode(turn);
    if (fetched && response.status === 200) put(turn, lease);
    return;
  }
  // Stale or gone: the next renewal reads it anew.
  turn.set({ lease: undefined });
  const { name } = turn.config.node;
  if (response.status === 404) turn.api({ method: "GET", path: `/api/v1/nodes/${name}`, subject: `node/${name}`, level: "source" }, { for: "lease", of: "Node" });
}

/** The Node owns its Lease, so that the garbage collector removes one with the other; without the Node's uid none is made. */
export function onOwnerRead(turn: Turn, message: Message): void {
  const { name } = turn.config.node;
  const response = message as HttpResponse;
  if (message.type !== "http.response" || response.status !== 200) return;
  const uid = (response.body as KubeObject).metadata.uid ?? "";
  const metadata = { name, namespace: "kube-node-lease", ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid }] };
  const spec = { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime: rfc3339Micro(turn.wall()) };
  turn.api({ method: "POST", path: LEASES, body: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec }, subject: `lease/kube-node-lease/${name}`, level: "source" }, { for: "lease", of: "Lease" });
}
