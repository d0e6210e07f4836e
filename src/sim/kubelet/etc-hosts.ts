// Models kubernetes/pkg/kubelet/kubelet_pods.go ensureHostsFile
import type { Pod } from "../api/types.ts";

const MANAGED = "# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\nfe00::0\tip6-localnet\nfe00::0\tip6-mcastprefix\nfe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n";

/** The Pod's name in the cluster's DNS, if it has one of its own. */
function domainOf(pod: Pod, clusterDomain: string): string {
  const { subdomain } = pod.spec;
  return subdomain === undefined || subdomain === "" ? "" : `${subdomain}.${pod.metadata.namespace ?? "default"}.svc.${clusterDomain}`;
}

/** /etc/hosts as the kubelet writes it before a container starts: again for each, so that a new address is seen. */
export function etcHosts(pod: Pod, podIP: string, hostname: string, clusterDomain: string): string {
  const domain = domainOf(pod, clusterDomain);
  const own = pod.spec.hostNetwork ? `# Kubernetes-managed hosts file (host network).\n127.0.0.1\tlocalhost\n` : `${MANAGED}${podIP}\t${domain === "" ? "" : `${hostname}.${domain}\t`}${hostname}\n`;
  const aliases = (pod.spec.hostAliases ?? []).map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join("\t")}\n`);
  return aliases.length === 0 ? own : `${own}\n# Entries added by HostAliases.\n${aliases.join("")}`;
}
