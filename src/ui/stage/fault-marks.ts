import type { TraceIndex } from "../../trace/trace-index.ts";
import { kindOf, nodeOf } from "../theme/components.ts";
import type { PodView } from "./model.ts";

/** A fault that is in force, as the world announced it. */
export interface ActiveFault {
  readonly id: string;
  readonly title: string;
  readonly params: Readonly<Record<string, string>>;
}

const ANNOUNCED = /^Fault (\S+) (begins|ends): (.*?)\.?$/;
const PARAMS = /\(([^()]*)\)\.?$/;

/** The faults that have begun by `t` and not ended, from the world's own notes. */
export function activeFaults(index: TraceIndex, t: number): ActiveFault[] {
  const active: ActiveFault[] = [];
  for (const id of index.notesUntil("world", t)) {
    const note = index.trace.note(id);
    const [, fault, what, title] = ANNOUNCED.exec(note.text) ?? [];
    if (fault === undefined || title === undefined) continue;
    if (what === "begins") active.push({ id: fault, title, params: paramsOf(note.why) });
    else {
      const at = active.findIndex((one) => one.id === fault);
      if (at >= 0) active.splice(at, 1);
    }
  }
  return active;
}

function paramsOf(why: string): Record<string, string> {
  const list = PARAMS.exec(why)?.[1] ?? "";
  return Object.fromEntries(list.split(", ").flatMap((pair) => (pair.includes("=") ? [[pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]] : [])));
}

/** Component kinds that a fault acts on, by the first part of its id; the rest act where their parameters say. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  kubectl: ["kubectl"],
  authn: ["kube-apiserver"],
  authz: ["kube-apiserver"],
  apiserver: ["kube-apiserver"],
  admission: ["webhook"],
  etcd: ["etcd-0", "etcd-1", "etcd-2"],
  scheduler: ["kube-scheduler"],
  image: ["registry"],
  dns: ["coredns"],
  cni: ["cni"],
  csi: ["csi"],
  cri: ["containerd"],
  kubelet: ["kubelet"],
  proxy: ["kube-proxy"],
};

/** Faults of a machine's wires and clock. */
const ON_MACHINES = new Set(["network", "clock"]);

/** What of the stage a fault is at: true for the id of a component, "node:NAME", or a Pod's key. */
export function isHit(fault: ActiveFault, id: string, pods: readonly PodView[], stopped: ReadonlySet<string>): boolean {
  const { node, member, pod, container } = fault.params;
  const where = fault.id.slice(0, fault.id.indexOf("."));
  // Without a name it is the node that stands still: the fault chose it when it began.
  if (where === "node") return node ? id === `node:${node}` : id.startsWith("node:") && stopped.has(`kubelet@${id.slice("node:".length)}`);
  if (where === "app") {
    const view = pods.find((one) => one.key === id);
    return view !== undefined && (!pod || view.name === pod) && (!container || view.containers.some((one) => one.name === container));
  }
  if (ON_MACHINES.has(where)) return node !== undefined && (id === `node:${node}` || id === node || (node === "workstation" && id === "kubectl"));
  if (member === "all") return id.startsWith("etcd-");
  // "The leader" is whoever that was then: the member that stands still.
  if (where === "etcd" && member !== undefined) return member.startsWith("etcd-") ? id === member : id.startsWith("etcd-") && stopped.has(id);
  if (TARGETS[where]?.includes(kindOf(id)) !== true) return false;
  return !node || (nodeOf(id) ?? node) === node;
}
