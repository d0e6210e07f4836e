import type { CniState } from "../sim/cni/component.ts";
import type { Namespaces } from "../sim/cri/messages.ts";
import { NODE_NAMESPACES } from "../sim/cri/namespaces.ts";
import type { ContainerdState, ContainerRecord, Sandbox } from "../sim/cri/state.ts";
import type { KubeletState, VolumeState } from "../sim/kubelet/state.ts";
import { usageOf } from "../sim/process/files.ts";
import { resolveArgv } from "../sim/process/program.ts";
import type { Block } from "../sim/process/shell/host.ts";
import { cpuOf } from "../sim/process/stats.ts";
import type { Proc, ProcessState, Task } from "../sim/process/turn.ts";
import type { StateOf } from "./backend.ts";
import type { CgroupView, MountView, NamespaceView, NetworkView, PodInside, ProcessView, TaskView, VolumeView } from "./protocol-pod.ts";

const MIB = 1_048_576;
const KINDS = ["net", "ipc", "uts", "mnt", "pid", "cgroup", "user"] as const satisfies readonly (keyof Namespaces)[];

/** The pause process holds what the Pod shares; its own mounts, and unless shared its PID and cgroup namespaces, concern nobody else. */
function namespaceViews(own: Namespaces, sandbox: Namespaces | undefined, others: readonly Namespaces[]): readonly NamespaceView[] {
  return KINDS.map((kind) => {
    const id = own[kind];
    const of = id === NODE_NAMESPACES[kind] ? "node" : own !== sandbox && id === sandbox?.[kind] ? "sandbox" : others.some((other) => other !== own && other[kind] === id) ? (own === sandbox ? "sandbox" : "container") : "own";
    return { kind, id, of };
  });
}

const WAITS: Readonly<Record<Block["t"], string>> = { sleep: "sleeps", forever: "waits", wait: "waits for its children", follow: "follows a file", memory: "takes memory", program: "runs a server", dns: "waits for a name", http: "waits for an answer" };

function doing({ listening, server, block, forever, shell }: Task): string {
  if (server !== undefined) return listening ? `listens on ${server.ports.join(", ") || "no port"}` : "starts up";
  if (block !== undefined) return WAITS[block.t];
  return forever || shell === undefined ? "waits" : "runs";
}

function processViews(proc: Proc, ownPids: boolean): readonly ProcessView[] {
  if (proc.state !== "running") return [];
  const { argv } = resolveArgv(proc.spec.image, proc.spec.command, proc.spec.args);
  return Object.values(proc.tasks).map((task) => ({ ...(ownPids || proc.mainPid !== undefined ? { pid: task.pid } : {}), command: task.argv.length > 0 ? task.argv.join(" ") : argv.join(" "), doing: doing(task) }));
}

function mountViews(record: ContainerRecord): readonly MountView[] {
  return (record.config?.mounts ?? []).map(({ containerPath, volume, hostPath, subPath, readOnly }) => ({
    path: containerPath, readOnly, source: `${volume === undefined ? (hostPath ?? "from the kubelet") : `volume ${volume}`}${subPath === undefined ? "" : `, ${subPath} in it`}`,
  }));
}

function taskView(record: ContainerRecord, sandbox: Namespaces | undefined, all: readonly Namespaces[], proc: Proc | undefined, now: number): TaskView {
  const { status } = record;
  const running = proc?.state === "running";
  return {
    name: status.name, id: status.id, image: status.image, attempt: status.attempt,
    state: status.state === "exited" ? `exited (${status.exitCode}, ${status.reason})` : status.state,
    namespaces: record.cgroup === undefined ? [] : namespaceViews(record.namespaces, sandbox, all),
    ...(record.cgroup === undefined ? {} : { cgroup: record.cgroup }),
    ...(running ? { usage: { memory: proc.memoryMiB * MIB, cpu: cpuOf(proc, now) } } : {}),
    oomScoreAdj: status.resources.oomScoreAdj, processes: proc === undefined ? [] : processViews(proc, record.namespaces.pid !== sandbox?.pid), mounts: mountViews(record), logPath: record.config?.logPath ?? "",
  };
}

function pauseView(sandbox: Sandbox, all: readonly Namespaces[]): TaskView {
  const { namespaces, status } = sandbox;
  return {
    name: "pause", id: status.id, image: "registry.k8s.io/pause", attempt: status.attempt, state: status.state === "READY" ? "ready" : "stopped",
    namespaces: namespaces === undefined ? [] : namespaceViews(namespaces, namespaces, all), ...(sandbox.cgroup === undefined ? {} : { cgroup: sandbox.cgroup }), oomScoreAdj: -998,
    processes: namespaces === undefined ? [] : [{ ...(namespaces.pid === NODE_NAMESPACES.pid ? {} : { pid: 1 }), command: "/pause", doing: sandbox.config?.namespaces.pid === "POD" ? "holds the namespaces, reaps orphans" : "holds the namespaces" }], mounts: [], logPath: "",
  };
}

function networkView(cni: CniState | undefined, sandbox: Sandbox | undefined): NetworkView | undefined {
  const endpoint = cni?.endpoints.find((entry) => entry.containerId === sandbox?.status.id);
  if (cni === undefined || endpoint === undefined) return undefined;
  return { ip: endpoint.ip, mac: endpoint.mac, netns: endpoint.netns, hostVeth: endpoint.hostVeth, bridge: cni.bridge.name, gateway: cni.bridge.gateway, routes: endpoint.routes, hostPorts: endpoint.portMappings.map(({ hostPort, containerPort, protocol }) => `${hostPort} → ${containerPort}/${protocol}`) };
}

/** Every directory on the way to `path`, the root first. */
function cgroupsTo(path: string, kubelet: KubeletState | undefined): readonly CgroupView[] {
  const views: CgroupView[] = [];
  for (let end = path.indexOf("/", 1); ; end = path.indexOf("/", end + 1)) {
    const at = end < 0 ? path : path.slice(0, end);
    const files = kubelet?.cgroups.get(at);
    if (files !== undefined) views.push({ path: at, files });
    if (end < 0) return views;
  }
}

/** Newest of each name, oldest first: the runtime lists newest first. */
function newest<T extends { readonly name: string }>(list: readonly T[]): readonly T[] {
  return list.filter((item, i) => list.findIndex((other) => other.name === item.name) === i).reverse();
}

function volumeView(uid: string, name: string, { kind, state, error, claim, shown, tokens = {} }: VolumeState, kernel: ProcessState | undefined): VolumeView {
  const key = claim === undefined ? `${uid}/${name}` : `host:${claim.path}`;
  const files = shown ?? kernel?.volumes.get(key) ?? {};
  const names = [...new Set(Object.keys(files).map((path) => path.slice(1).split("/")[0] ?? ""))].filter((top) => top !== "").sort();
  const memory = kernel?.tmpfs.get(key);
  const limit = memory ?? kernel?.node.limits.get(uid)?.[name];
  const notes = [
    ...(limit === undefined || limit === 0 || limit === Number.MAX_SAFE_INTEGER ? [] : [`at most ${limit} bytes`]), ...(memory === undefined ? [] : ["in memory"]),
    ...Object.entries(tokens).map(([path, { refreshAt }]) => `${path}: another from ${Math.round(refreshAt / 1_000_000)} s on`),
  ];
  return { name, kind, state, error, files: names, bytes: usageOf(files), notes };
}

/** What there is of a Pod on its node at a time; undefined when the runtime knows nothing of it. */
export function podInside(uid: string, node: string, now: number, state: StateOf): PodInside | undefined {
  const runtime = state(`containerd@${node}`) as ContainerdState | undefined;
  const kubelet = state(`kubelet@${node}`) as KubeletState | undefined;
  const kernel = state(`process@${node}`) as ProcessState | undefined;
  const pod = runtime?.pods.get(uid);
  const worker = kubelet?.workers.get(uid);
  if (runtime === undefined || (pod === undefined && worker === undefined)) return undefined;
  const sandbox = pod?.sandboxes[0] && runtime.sandboxes.get(pod.sandboxes[0].id);
  const records = newest(pod?.containers ?? []).flatMap(({ id }) => runtime.containers.get(id) ?? []);
  const all = [...(sandbox?.namespaces ? [sandbox.namespaces] : []), ...records.filter(({ cgroup }) => cgroup !== undefined).map(({ namespaces }) => namespaces)];
  const network = networkView(state(`cni@${node}`) as CniState | undefined, sandbox);
  const volumes = Object.entries(worker?.volumes ?? {}).map(([name, volume]) => volumeView(uid, name, volume, kernel));
  return {
    node, address: sandbox?.status.ip ?? "", files: sandbox?.files ?? {}, volumes,
    ...(sandbox === undefined ? {} : { sandbox: pauseView(sandbox, all) }),
    ...(network === undefined ? {} : { network }),
    containers: records.map((record) => taskView(record, sandbox?.namespaces, all, kernel?.containers.get(record.status.id), now)),
    cgroups: sandbox?.config === undefined ? [] : cgroupsTo(sandbox.config.cgroupParent, kubelet),
  };
}
