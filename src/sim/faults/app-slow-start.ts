import { everyNodes, type Fault, inside } from "./fault.ts";

export const appSlowStart = {
  id: "app.slow-start",
  title: "The application takes long to start",
  group: "application",
  symptom: "A liveness probe meets connection refused and kills the container before it is up: RESTARTS grows; without one it is Running and answers nobody",
  command: "kubectl describe pod",
  fix: "Give it a startupProbe whose failureThreshold times periodSeconds is longer than the start: until it succeeds, no other probe runs.",
  params: [
    { name: "container", label: "Container", default: "nginx" },
    { name: "pod", label: "Pod (empty: every Pod)", default: "" },
    { name: "seconds", label: "Seconds until it listens", default: 60 },
  ],
  ...inside("app.slow-start", everyNodes("process")),
} satisfies Fault;
