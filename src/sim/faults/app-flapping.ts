import { everyNodes, type Fault, inside } from "./fault.ts";

export const appFlapping = {
  id: "app.flapping",
  title: "The application is ready by turns",
  group: "application",
  symptom: "READY goes between 0/1 and 1/1; the Pod leaves the EndpointSlice and comes back; a rollout may stall",
  command: "kubectl get pod -w",
  fix: "Mend what its readiness depends on; a larger failureThreshold rides out short gaps.",
  params: [
    { name: "container", label: "Container", default: "nginx" },
    { name: "pod", label: "Pod (empty: every Pod)", default: "" },
    { name: "periodSeconds", label: "Seconds of a whole turn", default: 40 },
  ],
  ...inside("app.flapping", everyNodes("process")),
} satisfies Fault;
