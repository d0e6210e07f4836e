import type { ComponentId, WorldView } from "../kernel/types.ts";
import { type Fault, inside } from "./fault.ts";
import { healedMachines, healedNodes, onMachine, struckNode } from "./node-of.ts";

/** All that runs on machines whose kubelet holds up a shutdown. */
function shuttingDown(view: WorldView): readonly ComponentId[] {
  const machines = view.components.filter((id) => id.startsWith("kubelet@") && (view.stateOf(id) as { readonly shutdown?: unknown }).shutdown !== undefined).map((id) => view.machineOf(id));
  return view.components.filter((id) => machines.includes(view.machineOf(id)));
}

const prepare = inside("node.shutdown", struckNode("kubelet"), healedNodes("kubelet"));

/** Without a grace period the machine is off at once; else when it is over, if nobody has cancelled it. */
export const nodeShutdown = {
  id: "node.shutdown",
  title: "A node is shut down (systemctl poweroff)",
  group: "node",
  symptom: "NotReady: node is shutting down; its Pods are Failed with reason Terminated, critical ones last; new ones are refused with NodeShutdown. Without grace periods, the default, it is as if the power went",
  command: "kubectl describe node",
  fix: "Start the machine again. Bare Pods stay Failed; those of a controller have been replaced on other nodes at once.",
  params: [
    { name: "node", label: "Node (empty: the newest Pod's)", default: "" },
    { name: "gracePeriod", label: "shutdownGracePeriod in seconds (0: as by default)", default: 30 },
    { name: "gracePeriodCritical", label: "shutdownGracePeriodCriticalPods in seconds", default: 10 },
  ],
  begin: (params, view) => (Number(params["gracePeriod"]) > 0 ? prepare.begin(params, view) : onMachine(params, view).map((component) => ({ type: "stop", component, how: "machine" }))),
  // Simplified: upstream's machine goes off as soon as the kubelet lets go of its inhibitor lock.
  later: {
    after: (params) => Number(params["gracePeriod"]) * 1_000_000,
    act: (_, view) => shuttingDown(view).map((component) => ({ type: "stop", component, how: "machine" })),
  },
  end: (params, view) => [...prepare.end(params, view), ...healedMachines(params, view).map((component) => ({ type: "start", component }) as const)],
} satisfies Fault;
