import { everyNodes, type Fault, inside } from "./fault.ts";

export const appOom = {
  id: "app.oom",
  title: "The application takes all memory it can get",
  group: "application",
  symptom: "OOMKilled with exit code 137, then CrashLoopBackOff; without a memory limit the node runs short: Pods are evicted or killed there",
  command: "kubectl get pod -o yaml",
  fix: "Mend the program or raise resources.limits.memory; set a limit so that it is this container that ends, not its neighbours.",
  params: [
    { name: "container", label: "Container", default: "nginx" },
    { name: "pod", label: "Pod (empty: every Pod)", default: "" },
    { name: "afterSeconds", label: "Seconds after its start", default: 5 },
    { name: "times", label: "How often (0: always)", default: 0 },
  ],
  ...inside("app.oom", everyNodes("process")),
} satisfies Fault;
