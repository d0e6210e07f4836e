// Models kubernetes/pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go
import { failed, type Plugin, success, unresolvable, unschedulable } from "../framework.ts";
import { fitErrorMessage } from "../fit-error.ts";
import { podKey } from "../node-info.ts";
import { dryRunPreemption, pickOneNode, preemptionRefusal } from "../preemption.ts";

/** If nothing fits: whom to evict, and where, so that this Pod fits. Only Pods of lower priority. */
export const defaultPreemption = {
  name: "DefaultPreemption",

  preEnqueue: (pod, { preempting }) => (preempting.includes(podKey(pod)) ? unresolvable("waiting for the preemption for this pod to be finished") : success),

  postFilter(cycle, statuses) {
    const nominated = cycle.pod.status?.nominatedNodeName ?? "";
    const refusal = preemptionRefusal(cycle, statuses.byNode.get(nominated) ?? statuses.absent);
    if (refusal !== undefined) return { status: unschedulable(`preemption: ${refusal}`) };
    const { candidates, statuses: rejected } = dryRunPreemption(cycle, statuses);
    const error = [...rejected.values()].find((s) => s.code === "Error");
    if (candidates.length === 0 && error) return { status: failed(`preemption: ${error.reasons.join(", ")}`) };
    const chosen = pickOneNode(candidates);
    if (chosen) return { status: success, candidates, chosen, rejected };
    const message = fitErrorMessage({
      numAllNodes: cycle.snapshot.nodes.length,
      preFilterMessage: "",
      postFilterMessage: "",
      statuses: { byNode: rejected, absent: unresolvable("Preemption is not helpful for scheduling") },
    });
    return { status: unschedulable(`preemption: ${message}`), candidates, rejected, clearsNomination: true };
  },
} satisfies Plugin;
