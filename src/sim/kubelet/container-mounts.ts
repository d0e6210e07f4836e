// Models kubernetes/pkg/kubelet/kubelet_pods.go makeMounts and pkg/volume/util/subpath
import type { Container, Pod, Volume } from "../api/types.ts";
import type { Mount } from "../cri/messages.ts";
import { followLinks, normalizePath } from "../api/volume-files.ts";
import type { VolumeMakeDirectory } from "../process/messages.ts";
import { hostFile, withHostFile } from "./host-path.ts";
import { isReadOnly, ownershipOf } from "./mount-ownership.ts";
import type { Turn } from "./turn.ts";
import { ATOMIC_KINDS, kindOf, volumeDirectory } from "./volume-kinds.ts";

/** What the kubelet has read of a container's volumes, by their keys on the node. */
export type VolumeFiles = Readonly<Record<string, Readonly<Record<string, string>>>>;

const volumeNamed = (pod: Pod, name: string): Volume | undefined => pod.spec.volumes?.find((volume) => volume.name === name);

/** Where a volume is on the node: a directory of its own kind, else the Pod's directory for it. */
function hostPathOf(turn: Turn, uid: string, pod: Pod, name: string): string | undefined {
  const volume = volumeNamed(pod, name);
  // Simplified: what an NFS server holds is seen per node.
  return turn.worker(uid)?.volumes[name]?.claim?.path ?? volume?.hostPath?.path ?? (volume?.nfs ? `/nfs/${volume.nfs.server}${volume.nfs.path}` : undefined);
}

export function volumeKey(turn: Turn, uid: string, pod: Pod, name: string): string {
  const path = hostPathOf(turn, uid, pod, name);
  return path === undefined ? `${uid}/${name}` : `host:${path}`;
}

/** Volumes that must be looked into before the container can be made: for a subPath, or for a file of variables. */
export function volumesToRead(turn: Turn, uid: string, pod: Pod, container: Container): readonly string[] {
  const names = [
    ...(container.volumeMounts ?? []).flatMap((mount) => (mount.subPath || mount.subPathExpr ? [mount.name] : [])),
    ...(container.env ?? []).flatMap((env) => (env.valueFrom?.fileKeyRef ? [env.valueFrom.fileKeyRef.volumeName] : [])),
  ];
  return [...new Set(names)].filter((name) => volumeNamed(pod, name)?.image === undefined).map((name) => volumeKey(turn, uid, pod, name));
}

/** A subPathExpr with its variables; each must have a value. */
function expandSubPath(expression: string, env: ReadonlyMap<string, string>): { readonly path: string } | { readonly error: string } {
  const missing = new Set<string>();
  const path = expression.replace(/\$(\$|\(([A-Za-z_][\w.-]*)\))/g, (_, inner: string, name: string | undefined) => {
    if (inner === "$") return "$";
    const value = env.get(name ?? "") ?? "";
    if (value === "") missing.add(name ?? "");
    return value;
  });
  return missing.size > 0 ? { error: `missing value for ${[...missing].sort().join(", ")}` } : { path };
}

export type Mounts = { readonly mounts: readonly Mount[] } | { readonly error: string };

/** The mounts of a container, or why they cannot be made; makes the directories of subPaths that are missing. */
export function makeMounts(turn: Turn, uid: string, pod: Pod, container: Container, env: ReadonlyMap<string, string>, files: VolumeFiles): Mounts {
  const mounts: Mount[] = [];
  for (const [i, mount] of (container.volumeMounts ?? []).entries()) {
    const volume = volumeNamed(pod, mount.name);
    const claim = turn.worker(uid)?.volumes[mount.name]?.claim;
    const hostPath = hostPathOf(turn, uid, pod, mount.name);
    const kind = volume ? kindOf(volume) : "";
    const atomic = ATOMIC_KINDS.has(kind);
    const disk = claim === undefined ? undefined : { shared: !(turn.state.devices.get(claim.device)?.mode ?? "").startsWith("ReadWriteOnce") };
    const owned = volume && ownershipOf(pod, volume, disk);
    let subPath = mount.subPath ?? "";
    if (mount.subPathExpr) {
      const expanded = expandSubPath(mount.subPathExpr, env);
      if ("error" in expanded) return expanded;
      subPath = expanded.path;
      if (subPath.startsWith("/")) return { error: `error SubPath \`${subPath}\` must not be an absolute path` };
      if (subPath.split("/").includes("..")) return { error: `unable to provision SubPath \`${subPath}\`: must not contain '..'` };
    }
    const found = volume?.hostPath === undefined ? undefined : onHost(turn, volume.hostPath.path, subPath);
    if (typeof found === "string") return { error: found };
    if (subPath !== "" && volume?.image === undefined) {
      const key = volumeKey(turn, uid, pod, mount.name);
      const problem = prepareSubPath(turn, key, subPath, files[key] ?? {});
      if (problem) return { error: `failed to create subPath directory for volumeMount "${mount.name}" of container "${container.name}"` };
    }
    const source = subPath === "" ? (volume?.hostPath?.path ?? volumeDirectory(uid, mount.name, kind, claim)) : `/var/lib/kubelet/pods/${uid}/volume-subpaths/${claim?.volume ?? mount.name}/${container.name}/${i}`;
    mounts.push({
      containerPath: mount.mountPath, readOnly: (mount.readOnly ?? false) || (claim?.readOnly ?? false) || (volume?.nfs?.readOnly ?? false) || (volume !== undefined && isReadOnly(volume)), volume: mount.name, source, ...(hostPath === undefined ? {} : { hostPath }), ...(subPath === "" ? {} : { subPath }),
      ...(owned === undefined ? {} : { owned }), ...(volume?.image?.reference === undefined ? {} : { image: volume.image.reference }), ...(atomic && subPath !== "" ? { pinned: true } : {}), ...(found === undefined ? {} : { file: true }),
    });
  }
  return { mounts };
}

/** A hostPath that is not there: the kubelet cannot make the subPath below it. Without a subPath the runtime makes the directory. A file is told as such. */
function onHost(turn: Turn, path: string, subPath: string): string | true | undefined {
  const found = hostFile(path, turn.state.hostFiles);
  if (found !== undefined) return found === "directory" || subPath !== "" ? undefined : true;
  if (subPath !== "") return `stat ${path}: no such file or directory`;
  turn.set({ hostFiles: withHostFile(turn.state.hostFiles, path, "directory") });
  return undefined;
}

/** A subPath that is missing becomes a directory; false once it is there, true if a file is in the way. */
function prepareSubPath(turn: Turn, key: string, subPath: string, files: Readonly<Record<string, string>>): boolean {
  const path = normalizePath(subPath);
  const at = followLinks(files, path);
  if (files[at] !== undefined || Object.keys(files).some((name) => name.startsWith(`${at}/`))) return false;
  for (let end = at.lastIndexOf("/"); end > 0; end = at.lastIndexOf("/", end - 1)) if (files[at.slice(0, end)] !== undefined) return true;
  turn.ctx.send(`process@${turn.config.node.name}`, { type: "volume.mkdir", volume: key, path } satisfies VolumeMakeDirectory, { protocol: "disk", latency: 100, verb: "mkdir", level: "source" });
  return false;
}
