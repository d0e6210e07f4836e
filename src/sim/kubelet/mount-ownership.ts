// Models kubernetes/pkg/volume/volume_linux.go (SetVolumeOwnership) and the modes that each volume plugin gives its files
import type { Pod, Volume } from "../api/types.ts";
import type { MountOwnership } from "../process/messages.ts";

const DEFAULT_MODE = 0o644;
const SET_GID = 0o2000;

/** Whether the plugin allows reading only, whatever the mount says (Mounter.GetAttributes). */
export const isReadOnly = ({ configMap, secret, downwardAPI, projected, image }: Volume): boolean => [configMap, secret, downwardAPI, projected, image].some((source) => source !== undefined);

/** Where the kubelet has set a volume up on the node: ".../volumes/kubernetes.io~configmap/cfg". */
export function podVolumePath(uid: string, volume: Volume | undefined): string {
  const plugin = volume?.configMap ? "configmap" : volume?.secret ? "secret" : volume?.downwardAPI ? "downward-api" : volume?.projected ? "projected" : "empty-dir";
  return `/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~${plugin}/${volume?.name ?? ""}`;
}

/** rwMask or roMask, and for directories execMask and setgid: what fsGroup adds. */
function withGroup(base: MountOwnership, gid: number | undefined, readOnly: boolean): MountOwnership {
  if (gid === undefined) return base;
  const mask = readOnly ? 0o440 : 0o660;
  return { gid, directory: base.directory | mask | 0o110 | SET_GID, file: base.file | mask };
}

/**
 * How a volume's files lie in the Pod's containers. Undefined for what the kubelet leaves alone: directories of the
 * node, and disks that several nodes may write (the driver's fsGroupPolicy is ReadWriteOnceWithFSType).
 */
export function ownershipOf(pod: Pod, volume: Volume, disk: { readonly shared: boolean } | undefined): MountOwnership | undefined {
  const gid = (pod.spec.securityContext as { readonly fsGroup?: number } | undefined)?.fsGroup;
  if (disk !== undefined) return disk.shared || gid === undefined ? undefined : withGroup({ gid: 0, directory: 0o755, file: DEFAULT_MODE }, gid, false);
  if (volume.emptyDir) return withGroup({ gid: 0, directory: 0o777, file: DEFAULT_MODE }, gid, false);
  const source = (volume.configMap ?? volume.secret ?? volume.downwardAPI ?? volume.projected) as { readonly defaultMode?: number } | undefined;
  if (source === undefined) return undefined;
  // All but ConfigMaps are directories of a tmpfs. Anyone might write, were they not mounted read-only.
  return withGroup({ gid: 0, directory: volume.configMap === undefined ? 0o1777 : 0o777, file: source.defaultMode ?? DEFAULT_MODE }, gid, true);
}
