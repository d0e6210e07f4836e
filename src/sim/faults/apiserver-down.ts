import type { Fault } from "./fault.ts";

export const apiserverDown = {
  id: "apiserver.down",
  title: "kube-apiserver is down",
  group: "API",
  symptom: "kubectl prints: The connection to the server ... was refused; Pods that run go on, but nobody learns of any change; scheduler and controller manager exit after 10 s without their lease",
  command: "kubectl get --raw /readyz",
  fix: "Start it again (the kubelet does it by its static Pod): clients come back by themselves, within seconds after a short outage, a minute or two after a longer one (their waits have doubled).",
  params: [],
  begin: () => [{ type: "stop", component: "kube-apiserver", how: "process" }],
  end: () => [{ type: "start", component: "kube-apiserver" }],
} satisfies Fault;
