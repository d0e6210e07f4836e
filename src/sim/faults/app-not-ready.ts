import { everyNodes, type Fault, inside } from "./fault.ts";

export const appNotReady = {
  id: "app.not-ready",
  title: "The application answers its readiness probe with an error",
  group: "application",
  symptom: "Running, but READY 0/1; the Pod leaves the EndpointSlice and gets no traffic",
  command: "kubectl get endpointslices",
  fix: "Mend what the probe asks for; nothing is restarted for it.",
  params: [
    { name: "container", label: "Container", default: "nginx" },
    { name: "pod", label: "Pod (empty: every Pod)", default: "" },
  ],
  ...inside("app.not-ready", everyNodes("process")),
} satisfies Fault;
