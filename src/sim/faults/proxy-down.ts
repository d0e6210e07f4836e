import { type Fault, onNodes } from "./fault.ts";

const proxies = onNodes("kube-proxy");

export const proxyDown = {
  id: "proxy.down",
  title: "kube-proxy of a node is stopped",
  group: "network",
  symptom: "Connections from that node still go to Pods that are gone, and never to new ones; other nodes are not concerned",
  command: "kubectl get endpointslices",
  fix: "Start kube-proxy again: it lists Services and EndpointSlices and writes all rules anew.",
  params: [{ name: "node", label: "Node (empty: every node)", default: "" }],
  begin: (params, view) => proxies(params, view).map((component) => ({ type: "stop", component, how: "process" })),
  end: (params, view) => proxies(params, view).map((component) => ({ type: "start", component })),
} satisfies Fault;
