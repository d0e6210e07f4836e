/** How components and objects are worded in every panel. Pure text, no React. */

/** Which part of the cluster a component belongs to: fixes its hue and mark. */
export type Family = "client" | "apiserver" | "etcd" | "scheduler" | "controllers" | "kubelet" | "runtime" | "network";

const FAMILIES: readonly (readonly [prefix: string, family: Family])[] = [
  ["kubectl", "client"],
  ["users", "client"],
  ["kube-apiserver", "apiserver"],
  ["webhook", "apiserver"],
  ["etcd", "etcd"],
  ["kube-scheduler", "scheduler"],
  ["kubelet", "kubelet"],
  ["containerd", "runtime"],
  ["process", "runtime"],
  ["registry", "runtime"],
  ["cni", "network"],
  ["kube-proxy", "network"],
  ["netfilter", "network"],
  ["coredns", "network"],
];

/** The family of a component id ("kubelet@worker-node-03", "etcd-1"); what is not listed is a controller. */
export function familyOf(component: string): Family {
  return FAMILIES.find(([prefix]) => component.startsWith(prefix))?.[1] ?? "controllers";
}

/** "pod/default/nginx" as a reader says it: "Pod default/nginx". */
export function subjectText(subject: string): string {
  const slash = subject.indexOf("/");
  if (slash <= 0) return subject;
  return `${KINDS[subject.slice(0, slash)] ?? subject.slice(0, slash)} ${subject.slice(slash + 1)}`;
}

const KINDS: Readonly<Record<string, string>> = {
  pod: "Pod",
  node: "Node",
  service: "Service",
  endpointslice: "EndpointSlice",
  endpoints: "Endpoints",
  deployment: "Deployment",
  replicaset: "ReplicaSet",
  event: "Event",
  lease: "Lease",
  namespace: "Namespace",
  configmap: "ConfigMap",
  secret: "Secret",
  serviceaccount: "ServiceAccount",
};
