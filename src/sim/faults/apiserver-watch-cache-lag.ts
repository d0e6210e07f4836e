import { type Fault, inside } from "./fault.ts";

export const apiserverWatchCacheLag = {
  id: "apiserver.watch-cache-lag",
  title: "The API server's watch cache is behind etcd",
  group: "API",
  symptom: "Everything happens late: controllers, scheduler and kubelets act on old objects and meet conflicts; a list takes 3 s",
  command: "kubectl get pods --watch",
  fix: "Find out what holds the API server up (CPU, memory, too many objects or watchers); clients are built to be late and need no help.",
  params: [{ name: "seconds", label: "Seconds behind", default: 5 }],
  ...inside("apiserver.watch-cache-lag", () => ["kube-apiserver"]),
} satisfies Fault;
