import type { Node, Pod } from "../../sim/api/types.ts";
import { LEASE_SECONDS, RENEW_INTERVAL } from "../../sim/kubelet/node-lease.ts";
import type { KubeletState } from "../../sim/kubelet/state.ts";
import type { ControllerState } from "../../sim/kube-controller-manager/controller-types.ts";
import type { TickMessage } from "../../sim/kube-controller-manager/controller.ts";
import { dueAt } from "../../sim/kube-controller-manager/nodelifecycle/evictor.ts";
import { graceEnd, graceOf, MONITOR_PERIOD } from "../../sim/kube-controller-manager/nodelifecycle/health.ts";
import type { NodeLifecycleMemory } from "../../sim/kube-controller-manager/nodelifecycle/memory.ts";
import type { EvictionMemory } from "../../sim/kube-controller-manager/tainteviction/taint-eviction-controller.ts";
import type { WaitView } from "../protocol-waits.ts";
import { type Asked, nodeKey, nodeOf, podKey, running, seconds } from "./asked.ts";

/** Silence longer than this is news: a renewal and the look after it are overdue. */
const OVERDUE = RENEW_INTERVAL + MONITOR_PERIOD;

/** How long the node-lifecycle-controller goes on believing in each node, and who waits for its taint. */
function lifecycle(component: string, { memory, run: life }: ControllerState<unknown, NodeLifecycleMemory>, asked: Asked): WaitView[] {
  const tick = asked.timers.next<TickMessage>(component, "controller.tick", ({ name, run }) => name === "monitor" && run === life);
  const silent = memory.health.sorted().flatMap(([node, health]): WaitView[] => {
    const until = graceEnd(health);
    if (until <= asked.at || health.ready?.status === "Unknown") return [];
    const late = asked.at - health.probe > OVERDUE;
    const looks = tick === undefined ? undefined : tick.dueAt + Math.max(0, Math.ceil((until + 1 - tick.dueAt) / MONITOR_PERIOD)) * MONITOR_PERIOD;
    return [{
      id: `node-grace/${node}/${health.probe}`, kind: "node-grace", about: nodeKey(node), name: node, part: late ? "no sign of life" : "since its last sign of life", component, since: health.probe, until, ladder: [], weight: late ? 70 : 1,
      ...(looks === undefined ? {} : { effect: { at: looks, what: "the first look after it finds the node Unknown, if it stays silent" } }),
      facts: [["Grace period", seconds(graceOf(health))], ["Looks", `every ${seconds(MONITOR_PERIOD)}`], ["Lease that was counted", health.renewTime ?? "none since the last heartbeat"]],
    }];
  });
  const taints = memory.evictors.sorted().flatMap(([zone, evictor]): WaitView[] =>
    evictor.queue.map(({ name, at }, i): WaitView => {
      const first = dueAt(evictor);
      const until = first === undefined ? undefined : first + i * (evictor.interval ?? 0);
      return { id: `node-taint/${name}/${at}`, kind: "node-taint", about: nodeKey(name), name, part: `place ${i + 1} in the queue of ${zone === "" ? "its zone" : zone}`, component, since: at, ...(until === undefined ? { openBecause: "the zone is disrupted: no NoExecute taint is set in it" } : { until }), ladder: [], facts: [["One taint each", evictor.interval === undefined ? "never" : seconds(evictor.interval)]], weight: 60 };
    }),
  );
  return [...silent, ...taints.filter(({ until }) => until === undefined || until > asked.at)];
}

/** Pods whose tolerationSeconds run on a node with a NoExecute taint. */
function tolerations(component: string, { memory, informers }: ControllerState<unknown, EvictionMemory>, asked: Asked): WaitView[] {
  return memory.workers.sorted().flatMap(([name, { created, at, running: deleting }]): WaitView[] => {
    if (deleting || at <= asked.at) return [];
    const pod = informers.map(({ store }) => store.get(name) as (Pod | Node) | undefined).find((object) => object?.kind === "Pod") as Pod | undefined;
    const node = pod?.spec.nodeName ?? "";
    const taints = memory.tainted.get(node) ?? [];
    return [{ id: `toleration/${name}/${created}`, kind: "toleration", about: podKey(name), name, part: taints.map(({ key }) => key).join(", "), component, since: created, until: at, ladder: [], facts: [["Node", node], ["Tolerated for", seconds(at - created)]], weight: 70 }];
  });
}

function lease(component: string, asked: Asked): WaitView[] {
  const timer = asked.timers.next(component, "kubelet.lease");
  if (timer === undefined) return [];
  const node = nodeOf(component);
  return [{ id: `node-lease/${node}/${timer.dueAt}`, kind: "node-lease", about: nodeKey(node), name: node, part: "its kubelet's next renewal", component, since: timer.setAt, until: timer.dueAt, ladder: [], facts: [["Lease lasts", `${LEASE_SECONDS} s`], ["Renewed every", `${seconds(RENEW_INTERVAL)}, up to 4 % later`]], weight: 0 }];
}

/** When each kubelet renews its node's Lease. */
export const leaseWaits = (asked: Asked): WaitView[] => running<KubeletState>("kubelet", asked).flatMap(([component]) => lease(component, asked));

/** How long nodes are still believed in, and what follows where their signs of life stay away. */
export const nodeWaits = (asked: Asked): WaitView[] => [
  ...running<ControllerState<unknown, NodeLifecycleMemory>>("node-lifecycle-controller", asked).flatMap(([component, state]) => lifecycle(component, state, asked)),
  ...running<ControllerState<unknown, EvictionMemory>>("taint-eviction-controller", asked).flatMap(([component, state]) => tolerations(component, state, asked)),
];
