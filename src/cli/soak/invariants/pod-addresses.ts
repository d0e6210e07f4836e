import type { Pod } from "../../../sim/api/types.ts";
import type { CniState } from "../../../sim/cni/component.ts";
import type { ContainerdState } from "../../../sim/cri/state.ts";
import { broken, type Invariant, type SoakRun, subjectOf, versionsUnder } from "./invariant.ts";
import { instants } from "./instants.ts";

const isOver = (pod: Pod): boolean => pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";

/** A Pod that may still send with its address: it is not over, and nobody has asked it to go. */
const addressOf = (pod: Pod | undefined): string | undefined => (pod === undefined || pod.spec.hostNetwork === true || isOver(pod) || pod.metadata.deletionTimestamp !== undefined ? undefined : pod.status?.podIP);

/** By status: what a Service would send to. */
function byStatus(run: SoakRun): readonly string[] {
  const owners = new Map<string, string>();
  const addresses = new Map<string, string>();
  const found: string[] = [];
  const take = (key: string, pod: Pod | undefined, at: number): void => {
    const ip = addressOf(pod);
    const held = addresses.get(key);
    if (held === ip) return;
    if (held !== undefined && owners.get(held) === key) owners.delete(held);
    addresses.delete(key);
    if (ip === undefined) return;
    const other = owners.get(ip);
    if (other !== undefined) found.push(broken(at, subjectOf(key), `has the address ${ip} of ${subjectOf(other)}`));
    owners.set(ip, key);
    addresses.set(key, ip);
  };
  for (const { key, object } of run.base) if (key.startsWith("/registry/pods/")) take(key, object as Pod, 0);
  for (const { key, object, at } of versionsUnder<Pod>(run, "/registry/pods/")) take(key, object, at);
  return found;
}

/** By the node: each ready sandbox has an address, which host-local keeps for it alone. */
function byNode(run: SoakRun): readonly string[] {
  const found: string[] = [];
  const said = new Set<string>();
  const say = (at: number, subject: string, what: string): void => {
    if (!said.has(`${subject} ${what}`)) found.push(broken(at, subject, what));
    said.add(`${subject} ${what}`);
  };
  for (const { at, node, stateOf } of instants(run)) {
    const cni = stateOf<CniState>("cni");
    const runtime = stateOf<ContainerdState>("containerd");
    if (cni === undefined || runtime === undefined) continue;
    const holders = new Map<string, string>();
    for (const { ip, containerId } of cni.endpoints) {
      if (holders.has(ip)) say(at, `cni@${node}`, `${ip} belongs to the sandboxes ${holders.get(ip) ?? ""} and ${containerId}`);
      holders.set(ip, containerId);
      if (cni.ipam.reserved[ip] !== containerId) say(at, `cni@${node}`, `${ip} is used by sandbox ${containerId}, but is kept for ${cni.ipam.reserved[ip] ?? "nobody"}`);
    }
    const busy = new Map<string, string>();
    for (const { pod, status } of runtime.sandboxes.sortedValues()) {
      if (status.state !== "READY" || status.hostNetwork || status.ip === "") continue;
      const subject = `pod/${pod.namespace}/${pod.name}`;
      if (busy.has(status.ip)) say(at, subject, `its sandbox on ${node} has the address ${status.ip} of ${busy.get(status.ip) ?? ""}`);
      busy.set(status.ip, subject);
      if (holders.get(status.ip) !== status.id) say(at, subject, `its sandbox ${status.id} on ${node} is ready with ${status.ip}, which the network gave to ${holders.get(status.ip) ?? "nobody"}`);
    }
  }
  return found;
}

/** No two Pods with one address, by what the API server tells and by what the nodes have. */
export const podAddresses: Invariant = { id: "pod-addresses", says: "no two live Pods have one address", check: (run) => [...byStatus(run), ...byNode(run)] };
