import { type Fault, inside, onNodes } from "./fault.ts";

export const cniIpExhausted = {
  id: "cni.ip-exhausted",
  title: "The node has no Pod address left",
  group: "network",
  symptom: "STATUS stays ContainerCreating; event FailedCreatePodSandBox says no IP addresses available",
  command: "kubectl describe pod",
  fix: "Delete Pods of that node, or give nodes a larger Pod CIDR.",
  params: [{ name: "node", label: "Node (empty: every node)", default: "" }],
  ...inside("cni.ip-exhausted", onNodes("cni")),
} satisfies Fault;
