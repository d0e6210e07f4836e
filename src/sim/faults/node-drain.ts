import type { Action, Message, WorldView } from "../kernel/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import { type Fault, text } from "./fault.ts";
import { uncordon } from "./node-cordon.ts";
import { nodeOf } from "./node-of.ts";
import { typed } from "./typed.ts";

interface Kubectl {
  readonly sessions: { values(): readonly { readonly run: { readonly argv: readonly string[]; readonly session: number } }[] };
}

/** A drain that a budget still holds up is interrupted: nobody wants the node empty any more. */
function interrupted(params: FaultParams, view: WorldView): readonly Action[] {
  const node = text(params, "node");
  const drains = ((view.stateOf("kubectl") as Kubectl | undefined)?.sessions.values() ?? []).filter(({ run }) => run.argv[0] === "drain" && (node === "" || run.argv[1] === node));
  return drains.map(({ run: { session } }) => ({ type: "deliver", to: "kubectl", message: { type: "kubectl.interrupt", session } as Message, verb: "Control-C" }));
}

export const nodeDrain = {
  id: "node.drain",
  title: "A node is drained",
  group: "node",
  symptom: "The node is SchedulingDisabled and its Pods are evicted, one grace period each; a PodDisruptionBudget that allows none holds the drain up: it asks again every 5 s",
  command: "kubectl get pods -o wide --watch",
  fix: "kubectl uncordon NODE when the work is done. Pods without a controller do not come back; a budget that blocks needs more ready replicas.",
  params: [
    { name: "node", label: "Node (empty: the newest Pod's)", default: "" },
    { name: "force", label: "Also Pods without a controller", default: true },
    { name: "gracePeriodSeconds", label: "Grace period (empty: the Pods' own)", default: "" },
  ],
  begin: (params, view) => {
    const node = nodeOf(params, view);
    const grace = text(params, "gracePeriodSeconds");
    return node === "" ? [] : [typed(view.now, 2, "drain", node, "--ignore-daemonsets", "--delete-emptydir-data", ...(params["force"] === true ? ["--force"] : []), ...(grace === "" ? [] : [`--grace-period=${grace}`]))];
  },
  end: (params, view) => [...uncordon(params, view), ...interrupted(params, view)],
} satisfies Fault;
