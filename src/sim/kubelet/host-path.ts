// Models kubernetes/pkg/volume/hostpath/host_path.go checkType, on a node's file system as a distribution leaves it
import type { PMap } from "../kernel/pmap.ts";

export type HostFile = "directory" | "file" | "socket" | "character device" | "block device";

const DIRECTORIES = "/ /bin /boot /dev /dev/shm /etc /etc/cni /etc/cni/net.d /etc/containerd /etc/kubernetes /etc/kubernetes/manifests /etc/kubernetes/pki /etc/pki /etc/ssl /etc/ssl/certs /etc/systemd /home /lib /lib/modules /media /mnt /opt /opt/cni /opt/cni/bin /proc /root /run /run/containerd /run/udev /sbin /srv /sys /sys/fs/bpf /sys/fs/cgroup /sys/kernel /tmp /usr /usr/bin /usr/lib /usr/local /usr/local/share /usr/local/share/ca-certificates /usr/share /usr/share/ca-certificates /usr/src /var /var/lib /var/lib/containerd /var/lib/kubelet /var/lib/kubelet/device-plugins /var/lib/kubelet/plugins /var/lib/kubelet/plugins_registry /var/lib/kubelet/pods /var/log /var/log/containers /var/log/pods /var/run /var/tmp";
const FILES = "/etc/hosts /etc/hostname /etc/resolv.conf /etc/localtime /etc/machine-id /etc/os-release /etc/passwd /etc/group /run/xtables.lock /var/log/syslog /etc/kubernetes/kubelet.conf";
const SOCKETS = "/run/containerd/containerd.sock /var/run/containerd/containerd.sock /run/systemd/private /run/dbus/system_bus_socket /var/lib/kubelet/device-plugins/kubelet.sock";
const CHARACTER_DEVICES = "/dev/null /dev/zero /dev/random /dev/urandom /dev/kmsg /dev/fuse /dev/kvm /dev/net/tun /dev/tty";
const BLOCK_DEVICES = "/dev/vda /dev/vda1 /dev/loop0";

const NODE: ReadonlyMap<string, HostFile> = new Map(
  ([[DIRECTORIES, "directory"], [FILES, "file"], [SOCKETS, "socket"], [CHARACTER_DEVICES, "character device"], [BLOCK_DEVICES, "block device"]] as const).flatMap(([paths, kind]) => paths.split(" ").map((path) => [path, kind] as const)),
);

const clean = (path: string): string => path.replace(/\/+/g, "/").replace(/(?<=.)\/$/, "");

/** What is at a path of the node; `made` is what Pods have left there. */
export const hostFile = (path: string, made: PMap<HostFile>): HostFile | undefined => NODE.get(clean(path)) ?? made.get(clean(path));

/** What a hostPath volume finds or makes. */
export type HostPath = { readonly error: string } | { readonly makes?: HostFile };

/** Checks a hostPath by its type, "" being none: then the runtime makes a directory that is missing. */
export function checkHostPath(path: string, type: string, made: PMap<HostFile>): HostPath {
  const found = hostFile(path, made);
  const be = (kind: HostFile, words: string): HostPath => (found === kind ? {} : { error: `hostPath type check failed: ${path} is not a ${words}` });
  switch (type) {
    case "": return {};
    case "DirectoryOrCreate": return found === undefined ? { makes: "directory" } : be("directory", "directory");
    case "Directory": return be("directory", "directory");
    case "FileOrCreate": {
      if (found !== undefined) return be("file", "file");
      const parent = clean(path).replace(/\/[^/]*$/, "") || "/";
      return hostFile(parent, made) === undefined ? { error: `open ${path}: no such file or directory` } : { makes: "file" };
    }
    case "File": return be("file", "file");
    case "Socket": return be("socket", "socket file");
    case "CharDevice": return be("character device", "character device");
    default: return be("block device", "block device");
  }
}

/** The node's files with one more, and the directories above it. */
export function withHostFile(made: PMap<HostFile>, path: string, kind: HostFile): PMap<HostFile> {
  const parts = clean(path).split("/").slice(1);
  let files = made;
  parts.forEach((_, i) => {
    const at = `/${parts.slice(0, i + 1).join("/")}`;
    if (hostFile(at, files) === undefined) files = files.set(at, i + 1 === parts.length ? kind : "directory");
  });
  return files;
}
