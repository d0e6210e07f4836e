import type { Fault } from "./fault.ts";
import { MACHINE_PARAM, machineLinks, mendLinks } from "./machine-links.ts";

export const networkLoss = {
  id: "network.loss",
  title: "The network of a machine loses packets",
  group: "network",
  symptom: "Some requests take 0.2, 0.6, 1.4 s longer than others: TCP sends again what was lost; DNS questions time out",
  command: "kubectl -n kube-node-lease get leases",
  fix: "Mend the network (cables, MTU, a full queue): retries hide a loss, they do not end it.",
  oneNode: true,
  params: [MACHINE_PARAM, { name: "percent", label: "Percent of packets", default: 20 }],
  begin: (params, view) => machineLinks("network.loss", params, view, { lossPercent: Math.min(100, Number(params["percent"])) }),
  end: (params) => mendLinks("network.loss", params),
} satisfies Fault;
