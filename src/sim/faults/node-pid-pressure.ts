import { type Fault, inside } from "./fault.ts";
import { healedNodes, struckNode } from "./node-of.ts";

export const nodePidPressure = {
  id: "node.pid-pressure",
  title: "Something outside the Pods starts processes without end",
  group: "node",
  symptom: "Within 10 s the node has PIDPressure and a taint; Pods are Evicted by priority. Without evictionHard for pid.available, which is the default, nobody notices",
  command: "kubectl describe node",
  fix: "End the processes; the condition ends 5 min after. podPidsLimit holds back what Pods may start.",
  params: [
    { name: "node", label: "Node (empty: the newest Pod's)", default: "" },
    { name: "amount", label: "Percent of process numbers that are left", default: 5 },
    { name: "evictionHard", label: "The kubelet's pid.available (0%: none, as by default)", default: "10%" },
  ],
  ...inside("node.pid-pressure", struckNode("kubelet", "process"), healedNodes("kubelet", "process")),
} satisfies Fault;
