import { type Fault, inside } from "./fault.ts";
import { healedNodes, struckNode } from "./node-of.ts";

export const nodeMemoryPressure = {
  id: "node.memory-pressure",
  title: "Something outside the Pods takes a node's memory",
  group: "node",
  symptom: "Within 10 s the node has MemoryPressure and a taint; the Pod furthest above its request is Evicted, then the next; the condition stays 5 min longer",
  command: "kubectl describe node",
  fix: "Free the memory, or give Pods requests that say what they need: those within theirs go last.",
  params: [
    { name: "node", label: "Node (empty: the newest Pod's)", default: "" },
    { name: "amount", label: "MiB that are left (evicted below 100)", default: 60 },
  ],
  ...inside("node.memory-pressure", struckNode("process"), healedNodes("process")),
} satisfies Fault;
