import { everyNodes, type Fault, inside } from "./fault.ts";

export const appMemoryLeak = {
  id: "app.memory-leak",
  title: "The application leaks memory",
  group: "application",
  symptom: "Its memory grows until the limit: OOMKilled, restarted, again; without a limit until the node is short: MemoryPressure, and the kubelet evicts by its ranking",
  command: "kubectl top pod",
  fix: "Mend the leak. Until then a memory limit keeps it from hurting others: it is restarted each time it gets there.",
  params: [
    { name: "container", label: "Container", default: "nginx" },
    { name: "pod", label: "Pod (empty: every Pod)", default: "" },
    { name: "mibPerSecond", label: "MiB a second", default: 64 },
  ],
  ...inside("app.memory-leak", everyNodes("process")),
} satisfies Fault;
