import type { Fault } from "./fault.ts";

export const schedulerDown = {
  id: "scheduler.down",
  title: "The scheduler is down",
  group: "scheduler",
  symptom: "New Pods stay Pending without a node and without any event",
  command: "kubectl get pods -o wide",
  fix: "Start kube-scheduler again: it lists what is pending and schedules it.",
  params: [],
  begin: () => [{ type: "stop", component: "kube-scheduler", how: "process" }],
  end: () => [{ type: "start", component: "kube-scheduler" }],
} satisfies Fault;
