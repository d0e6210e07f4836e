import { everyNodes, type Fault, inside } from "./fault.ts";

export const appOom = {
  id: "app.oom",
  title: "The application needs more memory than it may have",
  group: "application",
  symptom: "OOMKilled, exit code 137; RESTARTS grows, then CrashLoopBackOff. Without a limit it takes the node's memory",
  command: "kubectl describe pod",
  fix: "Raise the limit of memory, or have the program need less.",
  params: [
    { name: "container", label: "Container", default: "nginx" },
    { name: "pod", label: "Pod (empty: every Pod)", default: "" },
    { name: "afterSeconds", label: "Seconds after its start", default: 5 },
  ],
  ...inside("app.oom", everyNodes("process")),
} satisfies Fault;
