// Models kubernetes/pkg/scheduler/framework/runtime/framework.go (RunFilterPlugins, RunFilterPluginsWithNominatedPods)
import { type Cycle, type Status, success } from "./framework.ts";
import { addPod, type NodeInfo, type PodInfo, podInfoOf, podKey, priorityOf } from "./node-info.ts";

/** The first plugin that rejects the node ends it; its reasons are the node's reasons. */
export function runFilters(cycle: Cycle, node: NodeInfo): Status {
  for (const plugin of cycle.points.filter) {
    if (!plugin.filter || cycle.state.skipFilter.has(plugin.name)) continue;
    const status = plugin.filter(cycle, node);
    if (status.code !== "Success") return { ...status, plugin: plugin.name };
  }
  return success;
}

/** Puts a Pod on the node as far as this cycle is concerned. */
export function runAddPod(cycle: Cycle, pod: PodInfo, node: NodeInfo): void {
  for (const plugin of cycle.points.preFilter) if (!cycle.state.skipFilter.has(plugin.name)) plugin.addPod?.(cycle, pod, node);
}

export function runRemovePod(cycle: Cycle, pod: PodInfo, node: NodeInfo): void {
  for (const plugin of cycle.points.preFilter) if (!cycle.state.skipFilter.has(plugin.name)) plugin.removePod?.(cycle, pod, node);
}

/**
 * Room promised to preemptors of equal or higher priority counts as taken; but as they may still go elsewhere, the
 * Pod must also fit without them (it could need one of them for its affinity).
 */
export function runFiltersWithNominated(cycle: Cycle, node: NodeInfo): Status {
  const nominated = cycle.snapshot.nominated.filter(
    (p) => p.status?.nominatedNodeName === node.name && priorityOf(p) >= priorityOf(cycle.pod) && podKey(p) !== podKey(cycle.pod),
  );
  if (nominated.length > 0) {
    const withThem = { ...cycle, state: cycle.state.clone() };
    let full = node;
    for (const pod of nominated) {
      full = addPod(full, podInfoOf(pod));
      runAddPod(withThem, podInfoOf(pod), full);
    }
    const status = runFilters(withThem, full);
    if (status.code !== "Success") return status;
  }
  return runFilters(cycle, node);
}
