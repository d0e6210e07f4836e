import { everyNodes, type Fault, inside } from "./fault.ts";

export const appCrash = {
  id: "app.crash",
  title: "The application crashes",
  group: "application",
  symptom: "RESTARTS grows; STATUS is Error for most of each wait and CrashLoopBackOff when the worker wakes",
  command: "kubectl logs --previous",
  fix: "Mend the program; the kubelet restarts it with growing waits of up to five minutes.",
  params: [
    { name: "container", label: "Container", default: "nginx" },
    { name: "pod", label: "Pod (empty: every Pod)", default: "" },
    { name: "exitCode", label: "Exit code", default: 1 },
    { name: "afterSeconds", label: "Seconds after its start", default: 0 },
    { name: "times", label: "How often (0: always)", default: 0 },
  ],
  // Which node runs the container may be decided only later: every node's processes hear of it.
  ...inside("app.crash", everyNodes("process")),
} satisfies Fault;
