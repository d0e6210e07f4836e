import type { Fault } from "./fault.ts";
import { healedMachines, onMachine } from "./node-of.ts";

export const nodeReboot = {
  id: "node.reboot",
  title: "A node restarts without warning",
  group: "node",
  symptom: "For a while nothing (a minute is about what it takes until NotReady), then SandboxChanged: every container of the node starts anew and RESTARTS grows",
  command: "kubectl get pods -o wide",
  fix: "Nothing: the kubelet makes new sandboxes for its Pods. Drain a node before a planned restart.",
  params: [
    { name: "node", label: "Node (empty: the newest Pod's)", default: "" },
    { name: "seconds", label: "Seconds until it is up again", default: 60 },
  ],
  lasts: "seconds",
  begin: (params, view) => onMachine(params, view).map((component) => ({ type: "stop", component, how: "machine" })),
  end: (params, view) => healedMachines(params, view).map((component) => ({ type: "start", component })),
} satisfies Fault;
