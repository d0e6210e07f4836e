// Models kubernetes/pkg/kubelet/cm/devicemanager/manager.go (devicesToAllocate, GetCapacity) and cm/admission/errors.go
import type { FaultMessage } from "../faults/messages.ts";
import { isRestartableInitContainer, podRequests } from "../api/pod-resources.ts";
import { value } from "../api/quantity.ts";
import { isExtendedResourceName } from "../api/validation/resources.ts";
import type { Node, Pod, ResourceList } from "../api/types.ts";
import { PMap } from "../kernel/pmap.ts";
import type { NodeVerdict } from "./eviction.ts";
import type { Turn } from "./turn.ts";

/** What the node has besides what its kubelet keeps in memory: a restart of the kubelet loses none of it. */
export interface Hardware {
  /** Devices that plugins have registered, by resource: all that the world's Node offers beyond CPU, memory and the like. */
  readonly devices: Readonly<Record<string, number>>;
  /** Of those, how many their plugin calls healthy, where that is not all. */
  readonly healthy: Readonly<Record<string, number>>;
  /** Files on disks that are mounted here; `volume` "" is every disk. */
  readonly files: { readonly volume: string; readonly count: number } | undefined;
  /** By handle of a disk, the group that its root directory belongs to. Simplified: it stays on the node; upstream reads it from the disk. */
  readonly owned: PMap<number>;
}

export function hardwareOf(node: Node | undefined): Hardware {
  const devices = Object.entries(node?.status?.allocatable ?? {}).flatMap(([name, quantity]) => (isExtendedResourceName(name) ? [[name, value(quantity)] as const] : []));
  return { devices: Object.fromEntries(devices), healthy: {}, files: undefined, owned: PMap.empty() };
}

/** How many devices of each kind are healthy. */
function healthy({ devices, healthy: left }: Hardware): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(devices).map(([name, count]) => [name, Math.min(count, left[name] ?? count)]));
}

/**
 * Whether every container gets the devices that it asks for. `others`: Pods that hold devices of this node. The
 * scheduler counted what the Node said up to 10 s ago; the plugin may know better. Init containers hand theirs on.
 */
export function allocateDevices(hardware: Hardware, pod: Pod, others: readonly Pod[]): NodeVerdict | undefined {
  const free: Record<string, number> = {};
  const all = healthy(hardware);
  for (const [name, count] of Object.entries(all)) free[name] = Math.max(0, others.reduce((left, other) => left - value(podRequests(other.spec)[name]), count));
  const refuse = (error: string): NodeVerdict => ({ reason: "UnexpectedAdmissionError", message: `Allocate failed due to ${error}, which is unexpected` });
  for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
    const keeps = pod.spec.containers.includes(container) || isRestartableInitContainer(container);
    for (const name of Object.keys(container.resources?.limits ?? {}).sort()) {
      const needed = value(container.resources?.limits?.[name]);
      const available = free[name];
      if (available === undefined || needed === 0) continue;
      if (all[name] === 0) return refuse(`no healthy devices present; cannot allocate unhealthy devices ${name}`);
      if (needed > available) return refuse(`requested number of devices unavailable for ${name}. Requested: ${needed}, Available: ${available}`);
      if (keeps) free[name] = available - needed;
    }
  }
  return undefined;
}

/** What the Node should offer of devices, where it says otherwise; capacity counts broken ones too. */
export function devicesStatus(hardware: Hardware, node: Node): { readonly allocatable?: ResourceList } {
  const changed = Object.entries(healthy(hardware)).filter(([name, count]) => value(node.status?.allocatable?.[name]) !== count);
  return changed.length === 0 ? {} : { allocatable: Object.fromEntries(changed.map(([name, count]) => [name, String(count)])) };
}

/** The fault "device.unhealthy": a plugin's ListAndWatch stream says that devices are broken, or well again. The Node's next status says so. */
export function onDevicePlugin(turn: Turn, { on, params }: FaultMessage): void {
  const { hardware } = turn.state;
  const named = String(params["resource"] ?? "");
  const resource = named === "" ? (Object.keys(hardware.devices).sort()[0] ?? "") : named;
  if (hardware.devices[resource] === undefined) {
    if (on) turn.explain(`No device plugin${resource === "" ? "" : ` for ${resource}`} runs on ${turn.config.node.name}: nothing changes`, undefined, { level: "basic" });
    return;
  }
  const { [resource]: _, ...rest } = hardware.healthy;
  const left = Math.max(0, Number(params["healthy"] ?? 0));
  turn.set({ hardware: { ...hardware, healthy: on ? { ...rest, [resource]: left } : rest } });
  turn.explain(on ? `The device plugin tells the kubelet: ${left} healthy ${resource} left` : `The device plugin tells the kubelet that every ${resource} is healthy again`, undefined, { level: "basic", why: "The Node says so with its next status, up to 10 s later; the scheduler believes the Node until then" });
}
