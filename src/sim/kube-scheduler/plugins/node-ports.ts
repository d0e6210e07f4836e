// Models kubernetes/pkg/scheduler/framework/plugins/nodeports/node_ports.go
import type { Pod } from "../../api/types.ts";
import { type Plugin, skip, type StateKey, success, unschedulable } from "../framework.ts";
import type { NodeInfo } from "../node-info.ts";

interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const ANY_IP = "0.0.0.0";
const portsKey: StateKey<readonly HostPort[]> = { name: "PreFilterNodePorts" };
const cache = new WeakMap<Pod, readonly HostPort[]>();

/** The host ports a Pod takes: of containers and sidecars, not of init containers that end. */
export function hostPortsOf(pod: Pod): readonly HostPort[] {
  const known = cache.get(pod);
  if (known) return known;
  const sidecars = (pod.spec.initContainers ?? []).filter((c) => c.restartPolicy === "Always");
  const ports = [...sidecars, ...(pod.spec.containers ?? [])]
    .flatMap((c) => c.ports ?? [])
    .flatMap((p) => ((p.hostPort ?? 0) > 0 ? [{ ip: p.hostIP || ANY_IP, protocol: p.protocol || "TCP", port: p.hostPort ?? 0 }] : []));
  cache.set(pod, ports);
  return ports;
}

const clash = (a: HostPort, b: HostPort): boolean => a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === ANY_IP || b.ip === ANY_IP);

/** A wanted port that is taken, and by whom. */
function taken(wanted: readonly HostPort[], node: NodeInfo): string | undefined {
  for (const { pod } of node.pods) {
    const used = hostPortsOf(pod).find((port) => wanted.some((w) => clash(w, port)));
    if (used) return `${used.protocol} ${used.ip}:${used.port} is taken by ${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`;
  }
  return undefined;
}

/** Could these two not be on one node? */
export const portsClash = (a: Pod, b: Pod): boolean => hostPortsOf(a).some((x) => hostPortsOf(b).some((y) => clash(x, y)));

/** Two Pods on one node cannot listen on the same host port. */
export const nodePorts = {
  name: "NodePorts",

  preFilter(cycle) {
    const ports = hostPortsOf(cycle.pod);
    if (ports.length === 0) return { status: skip };
    cycle.state.write(portsKey, ports);
    return { status: success };
  },

  filter(cycle, node) {
    const detail = taken(cycle.state.read(portsKey) ?? [], node);
    return detail === undefined ? success : { ...unschedulable("node(s) didn't have free ports for the requested pod ports"), detail };
  },
} satisfies Plugin;
