import type { Fault } from "./fault.ts";
import { MACHINE_PARAM, machineLinks, mendLinks } from "./machine-links.ts";

export const networkLatency = {
  id: "network.latency",
  title: "The network of a machine is slow",
  group: "network",
  symptom: "Everything that crosses the machine's network is later: Pods start and go later, their status lags, leases are renewed late; above 2.5 s each way clients give up",
  command: "kubectl -n kube-node-lease get leases",
  fix: "Mend the network. Meanwhile longer timeouts help clients; nothing in Kubernetes makes a wire faster.",
  oneNode: true,
  params: [MACHINE_PARAM, { name: "milliseconds", label: "Milliseconds more, each way", default: 200 }],
  begin: (params, view) => machineLinks("network.latency", params, view, { delay: Number(params["milliseconds"]) * 1000 }),
  end: (params) => mendLinks("network.latency", params),
} satisfies Fault;
