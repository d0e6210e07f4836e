// Models kubernetes/pkg/scheduler/framework/plugins/schedulinggates/scheduling_gates.go
import { type Plugin, success, unresolvable } from "../framework.ts";

/** Keeps a Pod with spec.schedulingGates out of the queue until all gates are removed. */
export const schedulingGates = {
  name: "SchedulingGates",

  preEnqueue(pod) {
    const gates = (pod.spec.schedulingGates ?? []).map((gate) => gate.name);
    return gates.length === 0 ? success : unresolvable(`waiting for scheduling gates: [${gates.join(" ")}]`);
  },
} satisfies Plugin;
