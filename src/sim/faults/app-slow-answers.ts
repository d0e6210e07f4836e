import { everyNodes, type Fault, inside } from "./fault.ts";

export const appSlowAnswers = {
  id: "app.slow-answers",
  title: "The application answers slowly",
  group: "application",
  symptom: "Readiness probe failed: context deadline exceeded (Client.Timeout exceeded while awaiting headers); liveness probes fail in the same way",
  command: "kubectl describe pod",
  fix: "Raise the probe's timeoutSeconds (1 by default), or give probes an answer that does not wait for the work.",
  params: [
    { name: "container", label: "Container", default: "nginx" },
    { name: "pod", label: "Pod (empty: every Pod)", default: "" },
    { name: "milliseconds", label: "Milliseconds an answer takes", default: 1500 },
    { name: "path", label: "Only this path (empty: all)", default: "" },
  ],
  ...inside("app.slow-answers", everyNodes("process")),
} satisfies Fault;
