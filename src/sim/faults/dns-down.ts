import type { Fault } from "./fault.ts";

export const dnsDown = {
  id: "dns.down",
  title: "CoreDNS does not answer",
  group: "network",
  symptom: "Programs that know a Service by its name time out; who dials the address gets through",
  command: "kubectl -n kube-system get pods -l k8s-app=kube-dns",
  fix: "Start CoreDNS again, or free what holds it up (kubectl -n kube-system logs -l k8s-app=kube-dns).",
  params: [],
  begin: () => [{ type: "stop", component: "coredns", how: "process" }],
  end: () => [{ type: "start", component: "coredns" }],
} satisfies Fault;
