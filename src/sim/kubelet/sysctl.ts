// Models kubernetes/pkg/kubelet/sysctl/{allowlist,safe_sysctls}.go
import type { Pod } from "../api/types.ts";
import type { NodeVerdict } from "./eviction.ts";

const SAFE = new Set(["kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range", "net.ipv4.ip_unprivileged_port_start", "net.ipv4.ip_local_reserved_ports", "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes", "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"]);

/** Refuses a Pod whose sysctls are not on the kubelet's list, or would be the node's own. */
export function admitSysctls({ spec }: Pod): NodeVerdict | undefined {
  const sysctls = (spec.securityContext?.["sysctls"] ?? []) as readonly { readonly name: string }[];
  for (const { name: written } of sysctls) {
    // Slashes and dots may have changed places.
    const name = /^[^./]*\//.test(written) ? written.replace(/[./]/g, (c) => (c === "." ? "/" : ".")) : written;
    const shared = name.startsWith("net.") ? (spec.hostNetwork ? "net" : "") : spec.hostIPC ? "ipc" : "";
    if (!SAFE.has(name)) return { reason: "SysctlForbidden", message: `forbidden sysctl: "${name}" not allowlisted` };
    if (shared !== "") return { reason: "SysctlForbidden", message: `forbidden sysctl: "${name}" not allowed with host ${shared} enabled` };
  }
  return undefined;
}
