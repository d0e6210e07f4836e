import { type Fault, inside, onNodes } from "./fault.ts";

export const cniNotReady = {
  id: "cni.not-ready",
  title: "The network configuration of a node is gone",
  group: "network",
  symptom: "The node is NotReady: cni plugin not initialized; new Pods wait with the event NetworkNotReady, running ones go on",
  command: "kubectl describe node",
  fix: "Write a configuration into /etc/cni/net.d again (install the network add-on): containerd watches that directory.",
  params: [{ name: "node", label: "Node (empty: every node)", default: "" }],
  ...inside("cni.not-ready", onNodes("containerd")),
} satisfies Fault;
