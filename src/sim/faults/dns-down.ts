import { type Fault, inside } from "./fault.ts";

export const dnsDown = {
  id: "dns.down",
  title: "CoreDNS does not answer",
  group: "network",
  symptom: "Programs that know a Service by its name wait 5 s a try and give up; who dials the address gets through",
  command: "kubectl -n kube-system logs -l k8s-app=kube-dns",
  fix: "Find what keeps CoreDNS from answering: no processor time, a loop, a policy that drops port 53; or start it again.",
  params: [],
  ...inside("dns.down", () => ["coredns"]),
} satisfies Fault;
