// The directories of a node that volumes are made of, and what the kernel does with them
import type { VolumeChanged, VolumeMakeDirectory, VolumeReadRequest, VolumeReadResponse, VolumesRemove, VolumeWrite } from "./messages.ts";
import type { Owners } from "./ownership.ts";
import type { ProcessState, Turn } from "./turn.ts";

const DISKS = "host:/var/lib/kubelet/plugins/kubernetes.io/csi/";

/** The kubelet makes a volume, or exchanges its files; directories that were made for a subPath stay. */
export function writeVolume(turn: Turn, { podUid, volume, files, tmpfs: memory }: VolumeWrite): void {
  const key = `${podUid}/${volume}`;
  const made = Object.entries(turn.state.volumes.get(key) ?? {}).filter(([path]) => path.endsWith("/"));
  const { volumes, tmpfs } = turn.state;
  turn.state = { ...turn.state, volumes: volumes.set(key, made.length === 0 ? files : { ...Object.fromEntries(made), ...files }) };
  if (memory !== undefined) turn.state = { ...turn.state, tmpfs: tmpfs.set(key, memory) };
}

/** What is known of the owners of files that are gone is forgotten. */
export function withoutOwners(owners: Owners, prefix: string): Owners {
  let left = owners;
  for (const key of owners.keys()) if (key.startsWith(prefix)) left = left.delete(key);
  return left;
}

export function removeVolumes(turn: Turn, podUid: VolumesRemove["podUid"]): void {
  let { volumes, tmpfs } = turn.state;
  const { node } = turn.state;
  for (const key of volumes.keys()) {
    if (!key.startsWith(`${podUid}/`)) continue;
    volumes = volumes.delete(key);
    tmpfs = tmpfs.delete(key);
  }
  turn.state = { ...turn.state, volumes, tmpfs, owners: withoutOwners(turn.state.owners, `${podUid}/`), ...(node.limits.size > 0 ? { node: { ...node, limits: node.limits.delete(podUid) } } : {}) };
}

export function makeDirectory(turn: Turn, { volume, path }: VolumeMakeDirectory): void {
  turn.state = { ...turn.state, volumes: turn.state.volumes.set(volume, { ...turn.state.volumes.get(volume), [`${path}/`]: "" }) };
}

export function readVolumes(turn: Turn, { volumes }: VolumeReadRequest): void {
  const { ctx, state } = turn;
  const found = Object.fromEntries(volumes.map((key) => [key, state.volumes.get(key) ?? {}]));
  ctx.send(ctx.from, { type: "volume.read.response", request: ctx.mail, volumes: found } satisfies VolumeReadResponse, { protocol: "disk", latency: 100, verb: "read", level: "source" });
}

/** Writes to mounted disks reach them. Simplified: at once and with the whole content; upstream's kernel writes dirty pages back within some seconds. */
export function writeBack(turn: Turn, before: ProcessState["volumes"]): void {
  const { volumes } = turn.state;
  for (const key of volumes.keys()) {
    const files = key.startsWith(DISKS) ? volumes.get(key) : undefined;
    if (files === undefined || files === before.get(key)) continue;
    turn.ctx.send(`csi@${turn.config.node.name}`, { type: "volume.changed", path: key.slice("host:".length), files } satisfies VolumeChanged, { protocol: "disk", latency: 100, verb: "write", level: "source" });
  }
}
