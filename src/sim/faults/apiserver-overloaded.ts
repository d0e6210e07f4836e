import { type Fault, inside } from "./fault.ts";

export const apiserverOverloaded = {
  id: "apiserver.overloaded",
  title: "A client floods the API server",
  group: "API",
  symptom: "Requests of the same user wait in queues, then get 429 with Retry-After: kubectl tries again each second, ten times; other priority levels do not feel it",
  command: "kubectl get flowschemas,prioritylevelconfigurations",
  fix: "Stop the client, or give it a FlowSchema and PriorityLevelConfiguration of its own, so that it queues alone.",
  params: [
    { name: "user", label: "As whom it asks", default: "kubernetes-admin", options: ["kubernetes-admin", "system:serviceaccount:default:default"] },
    { name: "perSecond", label: "Requests a second", default: 100 },
  ],
  ...inside("apiserver.overloaded", () => ["users"]),
} satisfies Fault;
