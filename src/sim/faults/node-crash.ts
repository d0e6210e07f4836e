import type { Fault } from "./fault.ts";
import { healedMachines, onMachine } from "./node-of.ts";

export const nodeCrash = {
  id: "node.crash",
  title: "A node loses power",
  group: "node",
  symptom: "The node is NotReady after some 50 s; its Pods are evicted 300 s later and stay Terminating",
  command: "kubectl get nodes",
  fix: "Start the machine again, or delete the Node object so that its Pods can be replaced.",
  params: [{ name: "node", label: "Node (empty: the newest Pod's)", default: "" }],
  begin: (params, view) => onMachine(params, view).map((component) => ({ type: "stop", component, how: "machine" })),
  end: (params, view) => healedMachines(params, view).map((component) => ({ type: "start", component })),
} satisfies Fault;
