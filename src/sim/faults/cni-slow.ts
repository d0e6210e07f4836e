import { type Fault, inside, onNodes } from "./fault.ts";

export const cniSlow = {
  id: "cni.slow",
  title: "The network plugin is slow",
  group: "network",
  symptom: "Pods stay ContainerCreating longer; nothing fails, no event says why",
  command: "kubectl describe pod",
  fix: "Look at the network add-on on that node: its agent, what it asks the API server, the load of the machine.",
  params: [
    { name: "node", label: "Node (empty: every node)", default: "" },
    { name: "seconds", label: "Seconds more for each Pod", default: 2 },
  ],
  ...inside("cni.slow", onNodes("cni")),
} satisfies Fault;
