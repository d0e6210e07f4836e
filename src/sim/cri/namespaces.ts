// Models containerd internal/cri/server/podsandbox/sandbox_run_linux.go and internal/cri/opts/spec_linux_opts.go WithPodNamespaces
import type { Namespaces, NamespaceOption } from "./messages.ts";

/** The kernel's initial namespaces, in which the node's own processes run, as `ls -l /proc/self/ns` names them. */
export const NODE_NAMESPACES: Namespaces = { net: "net:[4026531840]", ipc: "ipc:[4026531839]", uts: "uts:[4026531838]", mnt: "mnt:[4026531841]", pid: "pid:[4026531836]", cgroup: "cgroup:[4026531835]", user: "user:[4026531837]" };

/** Inode number of the first namespace that is made here. */
export const FIRST_NAMESPACE = 4_026_532_200;

/** Namespaces of a new process and the next free inode number. */
interface Made {
  readonly namespaces: Namespaces;
  readonly next: number;
}

/** What the pause process gets: all namespaces of its own, but for those that the Pod shares with the node. UTS goes with the network. */
export function sandboxNamespaces(option: NamespaceOption, next: number): Made {
  const own = (kind: keyof Namespaces, i: number): string => `${kind}:[${next + i}]`;
  const node = NODE_NAMESPACES;
  const host = option.network === "NODE";
  return {
    namespaces: { net: host ? node.net : own("net", 0), uts: host ? node.uts : own("uts", 1), ipc: option.ipc === "NODE" ? node.ipc : own("ipc", 2), mnt: own("mnt", 3), pid: option.pid === "NODE" ? node.pid : own("pid", 4), cgroup: own("cgroup", 5), user: option.user === "NODE" ? node.user : own("user", 6) },
    next: next + 7,
  };
}

/** What a container gets: network, IPC and UTS of its sandbox, its own mounts and cgroup view, and processes as the Pod says. `target`: of the container that it is to look into. */
export function containerNamespaces(option: NamespaceOption, sandbox: Namespaces, target: Namespaces | undefined, next: number): Made {
  const pid = target?.pid ?? (option.pid === "CONTAINER" ? `pid:[${next + 1}]` : sandbox.pid);
  return { namespaces: { net: sandbox.net, ipc: sandbox.ipc, uts: sandbox.uts, mnt: `mnt:[${next}]`, pid, cgroup: `cgroup:[${next + 2}]`, user: sandbox.user }, next: next + 3 };
}
