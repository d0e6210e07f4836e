// Models pkg/kubelet/server/stats' sources: what the kernel tells of each container and volume, and when it tells that something is short
import type { FaultMessage } from "../faults/messages.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Capacity, ContainerUsage, Level, LogRotate, NodeShort, SummaryResponse, UsageWatch, VolumeUsage } from "./messages.ts";
import { capacities, isLocalVolume, layerUse, logBytesOf, memoryCapacityMiB, memoryLeftMiB, volumeUse } from "./node-use.ts";
import { MIB, type Proc, type ProcessState, type Turn } from "./turn.ts";

/** Below these any kubelet measures: the thresholds that it has by default are lower. */
const LEVELS: readonly Level[] = [
  { resource: "memory", quantity: 1024 * MIB, percentage: 0 }, { resource: "disk", quantity: 0, percentage: 0.2 }, { resource: "inodes", quantity: 0, percentage: 0.1 }, { resource: "pids", quantity: 0, percentage: 0.15 },
];
/** containerLogMaxSize, containerLogMaxFiles */
const LOG_MAX = 10 * MIB;
const LOG_FILES = 5;

const memoryOf = (turn: Turn): Capacity => ({ capacity: memoryCapacityMiB(turn) * MIB, available: Math.max(0, memoryLeftMiB(turn)) * MIB });

const usageOfContainer = (proc: Proc): ContainerUsage => {
  const own = layerUse(proc);
  const running = proc.state === "running";
  return { uid: proc.spec.podUid, container: proc.spec.container, memory: running ? proc.memoryMiB * MIB : 0, rootfs: own.bytes, logs: logBytesOf(proc), inodes: own.inodes, processes: running ? Object.keys(proc.tasks).length : 0 };
};

/** Of a container that was restarted the newest counts: upstream's provider drops the dead ones of the same name. */
function containersOf(turn: Turn): readonly ContainerUsage[] {
  const newest = new Map<string, Proc>();
  for (const [, proc] of turn.state.containers.sorted()) {
    const key = `${proc.spec.podUid}/${proc.spec.container}`;
    if (proc.spec.attempt >= (newest.get(key)?.spec.attempt ?? -1)) newest.set(key, proc);
  }
  return [...newest.values()].map(usageOfContainer);
}

function volumesOf(turn: Turn): readonly VolumeUsage[] {
  return turn.state.volumes.sorted().flatMap(([key, files]) => {
    if (!isLocalVolume(key)) return [];
    const [uid = "", volume = ""] = key.split("/");
    return [{ uid, volume, ...volumeUse(files) }];
  });
}

export function summary(turn: Turn, first: boolean): void {
  const { ctx, state } = turn;
  if (first) turn.state = { ...state, node: { ...state.node, told: "" } };
  const answer: SummaryResponse = { type: "process.summary.response", request: ctx.mail, memory: memoryOf(turn), ...capacities(state, turn.config), containers: containersOf(turn), volumes: volumesOf(turn) };
  ctx.send(ctx.from, answer, { protocol: "disk", latency: 300, verb: "stats", level: "source" });
}

export function watchUsage(turn: Turn, { podUid, limits }: UsageWatch): void {
  turn.state = { ...turn.state, node: { ...turn.state.node, limits: turn.state.node.limits.set(podUid, limits) } };
}

/** The new log file is empty; the oldest of too many is removed. Simplified: upstream compresses the rotated ones but the newest. */
export function rotateLog(turn: Turn, { containerId }: LogRotate): void {
  const proc = turn.state.containers.get(containerId);
  if (!proc) return;
  turn.put(containerId, { ...proc, log: [], logAt: [], logBytes: 0, rotated: [proc.logBytes ?? 0, ...(proc.rotated ?? [])].slice(0, LOG_FILES - 1) });
  turn.ctx.explain({ text: `${proc.spec.container} writes to a new log file: kubectl logs shows this one only`, why: "The log had grown beyond 10Mi; five files are kept on the node", level: "basic", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
}

/** Pods that hold more than one of their limits. */
function overLimits(turn: Turn): NodeShort["over"] {
  const { limits } = turn.state.node;
  if (limits.size === 0) return [];
  const containers = containersOf(turn);
  const volumes = volumesOf(turn);
  return limits.sorted().flatMap(([uid, limit]) => {
    const own = containers.filter((entry) => entry.uid === uid);
    const dirs = volumes.filter((entry) => entry.uid === uid && limit[entry.volume] !== undefined);
    const of = (entry: ContainerUsage): number => entry.rootfs + entry.logs;
    const total = own.reduce((sum, entry) => sum + of(entry), 0) + dirs.reduce((sum, entry) => sum + entry.bytes, 0);
    const over = [...dirs.filter(({ volume, bytes }) => bytes > (limit[volume] ?? 0)).map(({ volume }) => volume), ...own.filter((entry) => of(entry) > (limit[`/${entry.container}`] ?? Number.POSITIVE_INFINITY)).map(({ container }) => `/${container}`), ...(total > (limit["/"] ?? Number.POSITIVE_INFINITY) ? [""] : [])];
    return over.map((what) => ({ uid, what }));
  });
}

/** Tells the kubelet what is short, whenever that changes. */
export function tellShort(turn: Turn, before: ProcessState): void {
  const { state } = turn;
  if (state.containers === before.containers && state.volumes === before.volumes && state.node === before.node) return;
  const left = { memory: memoryOf(turn), ...capacities(state, turn.config) };
  const levels = state.node.levels.length === 0 ? LEVELS : [...LEVELS, ...state.node.levels];
  const below = levels.filter(({ resource, quantity, percentage }) => left[resource].available < Math.max(quantity, left[resource].capacity * percentage)).map(({ resource }) => resource);
  const short = below.length === 0 ? below : [...new Set(below)];
  const over = overLimits(turn);
  const logs = state.containers === before.containers ? [] : state.containers.values().filter(({ logBytes = 0 }) => logBytes > LOG_MAX).map(({ spec }) => spec.containerId);
  const told = short.length + over.length + logs.length === 0 ? "" : `${short.join()}|${over.map(({ uid, what }) => `${uid}/${what}`).join()}|${logs.join()}`;
  if (told === state.node.told) return;
  turn.state = { ...state, node: { ...state.node, told } };
  turn.ctx.send(`kubelet@${turn.config.node.name}`, { type: "node.short", short, over, logs } satisfies NodeShort, { protocol: "disk", latency: 300, verb: short.length + over.length > 0 ? `short of ${[...short, ...(over.length > 0 ? ["quota"] : [])].join(", ")}` : "enough", level: "source" });
}

/** Somebody outside of all Pods takes so much that only the named rest is left; healed, it is given back. */
export function takeFromNode(turn: Turn, { id, on, params }: FaultMessage): void {
  const { node } = turn.state;
  const left = Number(params["amount"] ?? 0);
  const { disk, pids } = capacities(turn.state, turn.config);
  const taken = { ...node.taken };
  if (id === "node.memory-pressure") taken.memoryMiB = on ? Math.max(0, taken.memoryMiB + memoryLeftMiB(turn) - left) : 0;
  if (id === "node.disk-pressure") taken.bytes = on ? Math.max(0, taken.bytes + disk.available - Math.floor((disk.capacity * left) / 100)) : 0;
  if (id === "node.pid-pressure") taken.pids = on ? Math.max(0, taken.pids + pids.available - Math.floor((pids.capacity * left) / 100)) : 0;
  turn.state = { ...turn.state, node: { ...node, taken } };
}

/** After the machine's start: what is on disk stays, processes are gone. */
export const rebooted = (state: ProcessState, now: number): ProcessState => ({ ...state, containers: PMap.empty<Proc>(), byIP: PMap.empty<readonly string[]>(), boot: now, node: { ...state.node, taken: { ...state.node.taken, memoryMiB: 0, pids: 0 }, told: "" } });
