import { type Fault, inside } from "./fault.ts";
import { healedNodes, struckNode } from "./node-of.ts";

export const nodeDiskPressure = {
  id: "node.disk-pressure",
  title: "Something outside the Pods fills a node's disk",
  group: "node",
  symptom: "Within 10 s the node has DiskPressure and a taint; dead containers and unused images go, then Pods are Evicted one by one; new ones stay Pending",
  command: "kubectl describe node",
  fix: "Free the disk; the condition ends 5 min after. Evicted Pods stay as Failed objects until somebody deletes them.",
  params: [
    { name: "node", label: "Node (empty: the newest Pod's)", default: "" },
    { name: "amount", label: "Percent that are left (15: images go, 10: evicted)", default: 8 },
  ],
  ...inside("node.disk-pressure", struckNode("process"), healedNodes("process")),
} satisfies Fault;
