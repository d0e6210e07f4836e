// Models kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go: handleDisruption
import type { Node } from "../../api/types.ts";
import type { PMap } from "../../kernel/pmap.ts";
import type { Enqueue } from "../controller.ts";
import { setRate } from "./evictor.ts";
import { type NodeLifecycleMemory, unqueueNode, type V } from "./memory.ts";
import { hasTaint, noExecute, NOT_READY, UNREACHABLE } from "./taints.ts";
import { taintInterval, type ZoneState, zoneState } from "./zones.ts";

interface Ended {
  readonly memory: NodeLifecycleMemory;
  readonly keys: readonly Enqueue[];
}

/** Zones without nodes are forgotten, until one is met that was not wholly down. */
function forgetEmpty(zones: PMap<ZoneState>, seen: PMap<readonly string[]>): { readonly zones: PMap<ZoneState>; readonly allWereDown: boolean } {
  let next = zones;
  for (const [zone, state] of zones.sorted()) {
    if (!seen.has(zone)) next = next.delete(zone);
    else if (state !== "FullDisruption") return { zones: next, allWereDown: false };
  }
  return { zones: next, allWereDown: true };
}

/** Everything is down: it is likelier that the control plane is cut off. All NoExecute taints go, and none comes. */
function stopEvictions(memory: NodeLifecycleMemory, nodes: readonly Node[], now: number): Ended {
  let next = memory;
  for (const node of nodes) next = unqueueNode(next, node);
  for (const zone of memory.zones.keys()) {
    const evictor = next.evictors.get(zone);
    next = { ...next, zones: next.zones.set(zone, "FullDisruption"), evictors: evictor === undefined ? next.evictors : next.evictors.set(zone, setRate(evictor, undefined, now)) };
  }
  const tainted = nodes.filter((node) => hasTaint(node, noExecute(UNREACHABLE)) || hasTaint(node, noExecute(NOT_READY)));
  return { memory: next, keys: tainted.map((node) => ({ key: `reachable/${node.metadata.name ?? ""}` })) };
}

/** The end of a pass: zones change their state, and with it how fast nodes are tainted. */
export function endPass(before: NodeLifecycleMemory, view: V): Ended {
  const seen = before.pass?.zones;
  let memory: NodeLifecycleMemory = { ...before, pass: undefined };
  const taint: Enqueue = { key: "taint" };
  if (seen === undefined) return { memory, keys: [taint] };
  const states = new Map(seen.sorted().map(([zone, statuses]) => [zone, zoneState(statuses)] as const));
  const allDown = [...states.values()].every((state) => state === "FullDisruption");
  for (const zone of states.keys()) if (!memory.zones.has(zone)) memory = { ...memory, zones: memory.zones.set(zone, "Initial") };
  const { zones, allWereDown } = forgetEmpty(memory.zones, seen);
  memory = { ...memory, zones };
  if (allDown && allWereDown) return { memory, keys: [taint] };
  const nodes = view.list<Node>("nodes");
  if (allDown) return stopEvictions(memory, nodes, view.now);
  if (allWereDown) {
    // Nobody is blamed for the silence before.
    for (const node of nodes) {
      const name = node.metadata.name ?? "";
      const health = memory.health.get(name);
      if (health !== undefined) memory = { ...memory, health: memory.health.set(name, { ...health, probe: view.now }) };
    }
  }
  for (const [zone, state] of memory.zones.sorted()) {
    const now = states.get(zone);
    if (now === undefined || (now === state && !allWereDown)) continue;
    const evictor = memory.evictors.get(zone);
    const evictors = evictor === undefined ? memory.evictors : memory.evictors.set(zone, setRate(evictor, taintInterval(now, seen.get(zone)?.length ?? 0), view.now));
    memory = { ...memory, evictors, zones: memory.zones.set(zone, now) };
  }
  return { memory, keys: [taint] };
}
