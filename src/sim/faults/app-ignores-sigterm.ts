import { everyNodes, type Fault, inside } from "./fault.ts";

export const appIgnoresSigterm = {
  id: "app.ignores-sigterm",
  title: "The application does nothing on SIGTERM",
  group: "application",
  symptom: "Terminating for the whole grace period, then killed by SIGKILL: exit code 137",
  command: "kubectl get pod -w",
  fix: "Handle SIGTERM: end what is under way, then exit. A shell as PID 1 passes no signal on: use exec.",
  params: [
    { name: "container", label: "Container", default: "nginx" },
    { name: "pod", label: "Pod (empty: every Pod)", default: "" },
  ],
  ...inside("app.ignores-sigterm", everyNodes("process")),
} satisfies Fault;
