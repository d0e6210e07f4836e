// Models kubernetes/pkg/kubelet/kuberuntime/kuberuntime_sandbox.go generatePodSandboxConfig and network/dns/dns.go
import type { Pod } from "../api/types.ts";
import type { DnsConfig, NamespaceOption, PodSandboxConfig } from "../cri/messages.ts";
import { podCgroup, podCgroupPath } from "./cm.ts";
import type { KubeletNode } from "./state.ts";

/** Resolver settings by dnsPolicy. Simplified: the node's own resolv.conf has one server and no search list. */
export function dnsConfig(pod: Pod, config: KubeletNode): DnsConfig {
  const domain = config.world.clusterDomain;
  const policy = pod.spec.dnsPolicy ?? "ClusterFirst";
  const cluster = policy === "ClusterFirstWithHostNet" || (policy === "ClusterFirst" && !pod.spec.hostNetwork);
  const base: DnsConfig = cluster
    ? { servers: [config.world.dnsServiceIP], searches: [`${pod.metadata.namespace ?? "default"}.svc.${domain}`, `svc.${domain}`, domain], options: ["ndots:5"] }
    : policy === "None"
      ? { servers: [], searches: [], options: [] }
      : { servers: ["192.168.50.1"], searches: [], options: [] };
  const extra = pod.spec.dnsConfig;
  if (!extra) return base;
  const options = (extra.options ?? []).map((option) => (option.value === undefined ? (option.name ?? "") : `${option.name ?? ""}:${option.value}`));
  return { servers: [...base.servers, ...(extra.nameservers ?? [])], searches: [...base.searches, ...(extra.searches ?? [])], options: [...base.options.filter((option) => !options.some((other) => other.split(":")[0] === option.split(":")[0])), ...options] };
}

/** hostname of the Pod: the spec's, else its name cut to 63 characters. */
export const hostnameOf = (pod: Pod, nodeName: string): string => (pod.spec.hostNetwork ? nodeName : (pod.spec.hostnameOverride ?? (pod.spec.hostname || pod.metadata.name || "").slice(0, 63).replace(/[-.]+$/, "")));

/** The kernel's field for the node name (struct utsname) holds no more. */
const NODENAME_MAX = 64;

/** What `hostname` prints in the Pod's containers: with setHostnameAsFQDN the whole name, if the Pod has a subdomain (util.GetNodenameForKernel). */
export function kernelHostname(pod: Pod, config: KubeletNode): { readonly name: string } | { readonly error: string } {
  const { subdomain = "", hostnameOverride, hostNetwork, setHostnameAsFQDN } = pod.spec;
  const name = hostnameOf(pod, config.node.name);
  if (setHostnameAsFQDN !== true || subdomain === "" || hostNetwork || hostnameOverride !== undefined) return { name };
  const whole = `${name}.${subdomain}.${pod.metadata.namespace ?? "default"}.svc.${config.world.clusterDomain}`;
  if (whole.length <= NODENAME_MAX) return { name: whole };
  return { error: `failed to construct FQDN from pod hostname and cluster domain, FQDN ${whole} is too long (${NODENAME_MAX} characters is the max, ${whole.length} characters requested)` };
}

/** Which namespaces the Pod's processes share (pkg/kubelet/kuberuntime/util/util.go). */
export function namespaceOption({ spec }: Pod): NamespaceOption {
  return { network: spec.hostNetwork ? "NODE" : "POD", ipc: spec.hostIPC ? "NODE" : "POD", pid: spec.hostPID ? "NODE" : spec.shareProcessNamespace ? "POD" : "CONTAINER", user: spec.hostUsers === false ? "POD" : "NODE" };
}

export function sandboxConfig(pod: Pod, attempt: number, config: KubeletNode, hostname: string): PodSandboxConfig {
  const ports = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].flatMap((container) => container.ports ?? []);
  return {
    pod: { uid: pod.metadata.uid ?? "", namespace: pod.metadata.namespace ?? "default", name: pod.metadata.name ?? "" },
    attempt,
    hostname,
    hostNetwork: pod.spec.hostNetwork ?? false,
    namespaces: namespaceOption(pod),
    dns: dnsConfig(pod, config),
    portMappings: ports.filter((port) => port.hostPort !== undefined && port.hostPort > 0).map((port) => ({ hostPort: port.hostPort ?? 0, containerPort: port.containerPort, protocol: port.protocol ?? "TCP" })),
    cgroupParent: podCgroupPath(pod),
    cgroup: podCgroup(pod),
  };
}
