import type { Budget } from "../trace/critical-path.ts";

/** What the parts of a critical path are called, and what happens in them. */
export const BUDGET_WORDS: Readonly<Record<Budget, { readonly title: string; readonly what: string }>> = {
  user: { title: "you", what: "from the key to the program" },
  kubectl: { title: "kubectl", what: "reads files, asks for schemas, prints" },
  wire: { title: "network between components", what: "requests and answers under way" },
  api: { title: "API server", what: "filters, admission, validation, conversion" },
  etcd: { title: "etcd", what: "raft, fsync, apply, reads" },
  watch: { title: "watch events", what: "from the watch cache to those who wait" },
  webhook: { title: "webhooks", what: "admission outside the API server" },
  scheduler: { title: "scheduler", what: "filters, scores, binds" },
  controllers: { title: "controllers", what: "work queues and their syncs" },
  kubelet: { title: "kubelet", what: "its loops, polls and Pod worker" },
  volumes: { title: "volumes", what: "mounts, tokens, attach and stage" },
  network: { title: "Pod network", what: "CNI, proxy rules, DNS" },
  runtime: { title: "container runtime", what: "sandbox, containers, their status" },
  pull: { title: "image pull", what: "registry and its line" },
  application: { title: "application", what: "from exec to listening" },
  probes: { title: "probes", what: "waiting for the next try, and its answer" },
  backoff: { title: "back-off", what: "waiting on purpose after a failure" },
};
