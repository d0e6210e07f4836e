import { type Fault, onNodes } from "./fault.ts";

const runtimes = onNodes("containerd");

export const criDown = {
  id: "cri.down",
  title: "containerd is stopped on a node",
  group: "node",
  symptom: "Containers run on under their shims; nothing starts or ends; after half a minute the node is NotReady: container runtime is down",
  command: "kubectl describe node",
  fix: "Start it again (systemctl start containerd): it finds its shims alive, and the kubelet goes on where it stood.",
  params: [{ name: "node", label: "Node (empty: every node)", default: "" }],
  begin: (params, view) => runtimes(params, view).map((component) => ({ type: "stop", component, how: "process" })),
  end: (params, view) => runtimes(params, view).map((component) => ({ type: "start", component })),
} satisfies Fault;
