import { type Fault, inside } from "./fault.ts";

export const dnsNoAnswer = {
  id: "dns.no-answer",
  title: "CoreDNS does not answer",
  group: "network",
  symptom: "Names cannot be looked up: each lookup waits 5 s twice, then programs say bad address or could not resolve host",
  command: "kubectl -n kube-system logs -l k8s-app=kube-dns",
  fix: "Find what keeps CoreDNS from answering (no processor time, a loop, a policy that drops port 53).",
  params: [],
  ...inside("dns.no-answer", () => ["coredns"]),
} satisfies Fault;
