import type { ComponentId, Protocol } from "../../trace/model.ts";

/** The families that share a hue, an icon and a lane. */
export const FAMILIES = ["kubectl", "apiserver", "etcd", "scheduler", "controllers", "kubelet", "runtime", "network", "app"] as const;
export type Family = (typeof FAMILIES)[number];

export const FAMILY_TITLES: Readonly<Record<Family, string>> = {
  kubectl: "kubectl",
  apiserver: "apiserver",
  etcd: "etcd",
  scheduler: "scheduler",
  controllers: "controllers",
  kubelet: "kubelet",
  runtime: "runtime",
  network: "network",
  app: "app, traffic",
};

const BY_KIND: Readonly<Record<string, Family>> = {
  kubectl: "kubectl",
  world: "kubectl",
  "kube-apiserver": "apiserver",
  webhook: "apiserver",
  "kube-scheduler": "scheduler",
  kubelet: "kubelet",
  containerd: "runtime",
  registry: "runtime",
  csi: "runtime",
  cni: "network",
  "calico-node": "network",
  "kube-proxy": "network",
  netfilter: "network",
  coredns: "network",
  "ingress-nginx": "network",
  "load-balancer": "network",
  process: "app",
  users: "app",
  internet: "app",
};

/** "kubelet" of "kubelet@worker-node-03". */
export function kindOf(component: ComponentId): string {
  const at = component.indexOf("@");
  return at < 0 ? component : component.slice(0, at);
}

/** "worker-node-03" of "kubelet@worker-node-03"; undefined for components that are not on a node. */
export function nodeOf(component: ComponentId): string | undefined {
  const at = component.indexOf("@");
  return at < 0 ? undefined : component.slice(at + 1);
}

/** What is not known by name is a controller. */
export function familyOf(component: ComponentId): Family {
  const kind = kindOf(component);
  return BY_KIND[kind] ?? (kind.startsWith("etcd") ? "etcd" : "controllers");
}

export function hueOf(component: ComponentId): string {
  return `var(--hue-${familyOf(component)})`;
}

/** How a hop's token looks: by what it does, never by colour alone. */
export type Shape = "request" | "response" | "watch" | "bulk" | "failed";

const ANSWER = /^(\d{3}|OK|ok|.*Resp|.* OK|response|answer|RST|FIN|error.*)\b/;
const BULK = /layer|blob|pull|snapshot/i;

/** Packets that say no: the kernel's refusal, a closed port, a name that is not there. */
const FAILED = /^(?:REJECT|RST|NXDOMAIN|SERVFAIL)$/;

export function shapeOf(protocol: Protocol, verb: string, status: number, outcome: string, toCaller: boolean): Shape {
  if (outcome === "refused" || outcome === "lost" || status >= 400 || FAILED.test(verb)) return "failed";
  if (protocol === "watch") return "watch";
  if (BULK.test(verb)) return "bulk";
  return toCaller || status > 0 || ANSWER.test(verb) ? "response" : "request";
}
