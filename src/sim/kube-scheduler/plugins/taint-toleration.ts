// Models kubernetes/pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go
import { tolerates } from "../../api/tolerations.ts";
import type { Toleration } from "../../api/types.ts";
import { defaultNormalize, type Plugin, type StateKey, success, unresolvable } from "../framework.ts";

const preferKey: StateKey<readonly Toleration[]> = { name: "PreScoreTaintToleration" };

/** Repels Pods from tainted nodes; a PreferNoSchedule taint only costs points. */
export const taintToleration = {
  name: "TaintToleration",

  filter(cycle, { node }) {
    const tolerations = cycle.pod.spec.tolerations ?? [];
    const repels = (node.spec?.taints ?? []).find((t) => (t.effect === "NoSchedule" || t.effect === "NoExecute") && !tolerates(tolerations, t));
    if (!repels) return success;
    return { ...unresolvable("node(s) had untolerated taint(s)"), detail: `${repels.key}${repels.value ? `=${repels.value}` : ""}:${repels.effect}` };
  },

  preScore(cycle) {
    cycle.state.write(preferKey, (cycle.pod.spec.tolerations ?? []).filter((t) => !t.effect || t.effect === "PreferNoSchedule"));
    return success;
  },

  score(cycle, { node }) {
    const tolerations = cycle.state.read(preferKey) ?? [];
    const taints = (node.spec?.taints ?? []).filter((t) => t.effect === "PreferNoSchedule");
    const raw = taints.filter((t) => !tolerates(tolerations, t)).length;
    return { raw, formula: `${raw} of ${taints.length} PreferNoSchedule taints are not tolerated`, inputs: { taints: taints.length, untolerated: raw } };
  },

  normalize: (_cycle, _nodes, raw) => defaultNormalize(raw, true),
} satisfies Plugin;
