// Models what the kernel and the file system know of a node's resources: what is in use, and by whom
import { value } from "../api/quantity.ts";
import { nodeNamed } from "../api/world.ts";
import { PMap } from "../kernel/pmap.ts";
import { type Files, sizeOf } from "./files.ts";
import type { Capacity, Level } from "./messages.ts";
import type { Proc, ProcessConfig, ProcessState, Turn } from "./turn.ts";

const MIB = 1_048_576;

/** What is used beside containers, and what was told of it. */
export interface NodeUse {
  /** Bytes of the layers that containerd keeps. */
  readonly images: number;
  /** What somebody outside of all Pods has taken. */
  readonly taken: { readonly memoryMiB: number; readonly bytes: number; readonly pids: number };
  /** By Pod uid: bytes by emptyDir, by container ("/NAME") and for the Pod ("/"). */
  readonly limits: PMap<Readonly<Record<string, number>>>;
  /** What the kubelet wants to be told of besides what any does. */
  readonly levels: readonly Level[];
  /** What the kubelet was told last, as text. */
  readonly told: string;
}

export interface Usage {
  readonly memoryMiB: number;
  readonly bytes: number;
  readonly files: number;
  readonly processes: number;
}

/** Chosen: what the system, the kubelet and the runtime use themselves. */
const SYSTEM_MIB = 500;
const SYSTEM_BYTES = 12 * 1024 * MIB;
const SYSTEM_INODES = 250_000;
const SYSTEM_PIDS = 220;
/** Of a node that says nothing of its disk. */
const DISK_BYTES = 95 * 1024 * MIB;
/** mkfs.ext4: one inode for 16 KiB. */
const BYTES_PER_INODE = 16_384;
/** kernel.pid_max of systemd; kernel.threads-max is memory / 128 KiB. */
const PID_MAX = 4_194_304;
const BYTES_PER_THREAD = 131_072;

export const NO_USE: NodeUse = { images: 0, taken: { memoryMiB: 0, bytes: 0, pids: 0 }, limits: PMap.empty(), levels: [], told: "" };

const cached = <K extends object, V>(make: (key: K) => V): ((key: K) => V) => {
  const known = new WeakMap<K, V>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    known.set(key, made);
    return made;
  };
};

/** A file takes whole blocks, a directory one; an empty writable layer has six directories. */
const BLOCK = 4096;
const EMPTY_LAYER = 6 * BLOCK;
const onDisk = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK;

/** Bytes on disk and number of a layer's or a volume's files. */
const filesUse = cached((files: Files): { readonly bytes: number; readonly count: number } => ({ bytes: Object.values(files).reduce((sum, content) => sum + onDisk(sizeOf(content)), 0), count: Object.keys(files).length }));

export function layerUse({ files }: Proc): { readonly bytes: number; readonly inodes: number } {
  const { bytes, count } = filesUse(files);
  return { bytes: bytes + EMPTY_LAYER, inodes: count + EMPTY_LAYER / BLOCK };
}

export function volumeUse(files: Files): { readonly bytes: number; readonly inodes: number } {
  const { bytes, count } = filesUse(files);
  return { bytes: bytes + BLOCK, inodes: count + 1 };
}

export const logBytesOf = ({ logBytes = 0, rotated = [] }: Proc): number => rotated.reduce((sum, bytes) => sum + onDisk(bytes), onDisk(logBytes));

const containersUse = cached((containers: PMap<Proc>): Usage => {
  let [memoryMiB, bytes, files, processes] = [0, 0, 0, 0];
  for (const proc of containers.values()) {
    const own = layerUse(proc);
    bytes += own.bytes + logBytesOf(proc);
    files += own.inodes;
    if (proc.state !== "running") continue;
    memoryMiB += proc.memoryMiB;
    processes += Object.keys(proc.tasks).length + 1;
  }
  return { memoryMiB, bytes, files, processes };
});

/** Directories of the node and disks of their own are not counted. */
export const isLocalVolume = (key: string): boolean => !key.startsWith("host:");

/** Volumes in memory take none of the disk; they are marked before anything is written to them. */
const volumesUse = (volumes: PMap<Files>, tmpfs: PMap<number>): { readonly bytes: number; readonly count: number } => volumesOnDisk(tmpfs)(volumes);
const volumesOnDisk = cached((tmpfs: PMap<number>) => cached((volumes: PMap<Files>): { readonly bytes: number; readonly count: number } => {
  let [bytes, count] = [0, 0];
  for (const [key, files] of volumes.entries()) {
    if (!isLocalVolume(key) || tmpfs.get(key) !== undefined) continue;
    const use = volumeUse(files);
    bytes += use.bytes;
    count += use.inodes;
  }
  return { bytes, count };
}));

const nodeCapacity = cached((config: ProcessConfig): { readonly memoryMiB: number; readonly disk: number } => {
  const capacity = nodeNamed(config.world, config.node.name)?.status?.capacity;
  return { memoryMiB: Math.floor((value(capacity?.["memory"]) || 8_000_000_000) / MIB), disk: value(capacity?.["ephemeral-storage"]) || DISK_BYTES };
});

export const memoryCapacityMiB = (turn: Turn): number => nodeCapacity(turn.config).memoryMiB;

/** memory.available of the node in MiB; below 0 when more is promised than there is. */
export const memoryLeftMiB = ({ state, config }: Turn): number => nodeCapacity(config).memoryMiB - SYSTEM_MIB - state.node.taken.memoryMiB - containersUse(state.containers).memoryMiB;

/** The node's disk, its inodes and its process numbers. */
export function capacities(state: ProcessState, config: ProcessConfig): { readonly disk: Capacity; readonly inodes: Capacity; readonly pids: Capacity } {
  const { memoryMiB, disk } = nodeCapacity(config);
  const { images, taken } = state.node;
  const containers = containersUse(state.containers);
  const volumes = volumesUse(state.volumes, state.tmpfs);
  const inodes = Math.floor(disk / BYTES_PER_INODE);
  const pids = Math.min(PID_MAX, Math.floor((memoryMiB * MIB) / BYTES_PER_THREAD));
  const left = (capacity: number, used: number): Capacity => ({ capacity, available: Math.max(0, capacity - used) });
  return { disk: left(disk, SYSTEM_BYTES + images + taken.bytes + containers.bytes + volumes.bytes), inodes: left(inodes, SYSTEM_INODES + containers.files + volumes.count), pids: left(pids, SYSTEM_PIDS + taken.pids + containers.processes) };
}
