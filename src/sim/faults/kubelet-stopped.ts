import { type Fault, onNodes } from "./fault.ts";

const kubelets = onNodes("kubelet");

export const kubeletStopped = {
  id: "kubelet.stopped",
  title: "The kubelet of a node is stopped",
  group: "node",
  symptom: "Its Pods run on unattended; the node is NotReady after 50 s; what is new for the node stays Pending",
  command: "kubectl describe node",
  fix: "Start it again (systemctl start kubelet): it lists its Pods, asks the runtime what runs, and goes on.",
  params: [{ name: "node", label: "Node (empty: every node)", default: "" }],
  begin: (params, view) => kubelets(params, view).map((component) => ({ type: "stop", component, how: "process" })),
  end: (params, view) => kubelets(params, view).map((component) => ({ type: "start", component })),
} satisfies Fault;
