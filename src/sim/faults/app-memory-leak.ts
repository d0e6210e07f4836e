import { everyNodes, type Fault, inside } from "./fault.ts";

export const appMemoryLeak = {
  id: "app.memory-leak",
  title: "The application leaks memory",
  group: "application",
  symptom: "With a limit: OOMKilled (137), RESTARTS grows, and it begins anew. Without: the node runs short, and the Pod is Evicted by MemoryPressure",
  command: "kubectl describe pod",
  fix: "Mend the program; until then a limit keeps the harm to itself.",
  params: [
    { name: "container", label: "Container", default: "nginx" },
    { name: "pod", label: "Pod (empty: every Pod)", default: "" },
    { name: "mibPerSecond", label: "MiB a second", default: 64 },
  ],
  ...inside("app.memory-leak", everyNodes("process")),
} satisfies Fault;
