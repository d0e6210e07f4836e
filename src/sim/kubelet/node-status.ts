// Models kubernetes/pkg/kubelet/kubelet_node_status.go, nodestatus/setters.go
import type { HttpResponse } from "../api/http.ts";
import { rfc3339 } from "../api/time.ts";
import type { Condition, Node } from "../api/types.ts";
import type { Message, Micros } from "../kernel/types.ts";
import { pressures } from "./eviction-manager.ts";
import { SHUTTING_DOWN } from "./node-shutdown.ts";
import { startLease } from "./node-lease.ts";
import { devicesStatus } from "./device-manager.ts";
import { volumesInUse } from "./devices.ts";
import { registerNode } from "./register-node.ts";
import { RUNTIME_THRESHOLD, type Turn } from "./turn.ts";

export interface NodeTimer extends Message {
  readonly type: "kubelet.lease" | "kubelet.nodeStatus" | "kubelet.nodeReport" | "kubelet.runtimeUp";
}

const SECOND: Micros = 1_000_000;
const STATUS_PERIOD: Micros = 10 * SECOND;
const REPORT_PERIOD: Micros = 300 * SECOND;

/** Arms the heartbeats at the start of the kubelet. `cold`: it has just been started. */
export function startHeartbeats(turn: Turn, cold: boolean): void {
  startLease(turn, cold);
  const report = turn.ctx.rand("report", 0) % REPORT_PERIOD;
  turn.ctx.after(cold ? 300_000 : report, { type: "kubelet.nodeReport" } satisfies NodeTimer);
}

/** Condition, reason and message when it is True, when it is False, and the Events that tell of either. */
const PRESSURES = [
  ["MemoryPressure", "KubeletHasInsufficientMemory", "kubelet has insufficient memory available", "KubeletHasSufficientMemory", "kubelet has sufficient memory available", "NodeHasInsufficientMemory", "NodeHasSufficientMemory"],
  ["DiskPressure", "KubeletHasDiskPressure", "kubelet has disk pressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure", "NodeHasDiskPressure", "NodeHasNoDiskPressure"],
  ["PIDPressure", "KubeletHasInsufficientPID", "kubelet has insufficient PID available", "KubeletHasSufficientPID", "kubelet has sufficient PID available", "NodeHasInsufficientPID", "NodeHasSufficientPID"],
] as const;

function conditions(turn: Turn, node: Node): Condition[] {
  const now = rfc3339(turn.wall());
  const { runtimeDownSince } = turn.state;
  const errors = [...(runtimeDownSince !== undefined && turn.now - runtimeDownSince > RUNTIME_THRESHOLD ? ["container runtime is down"] : []), ...(turn.state.networkError === "" ? [] : [turn.state.networkError]), ...(turn.state.shutdown === undefined ? [] : [SHUTTING_DOWN])];
  const down = errors.length > 0;
  const old = (type: string): Condition | undefined => node.status?.conditions?.find((entry) => entry.type === type);
  const make = (type: string, status: string, reason: string, message: string): Condition => {
    const before = old(type);
    return { type, status, lastHeartbeatTime: now, lastTransitionTime: before?.status === status ? (before.lastTransitionTime ?? now) : now, reason, message };
  };
  const found = pressures(turn);
  const cordonedUnready = old("Ready")?.status === "False" && !turn.state.nodeReady;
  return [
    ...PRESSURES.map(([type, bad, badMessage, good, goodMessage]) => (found.includes(type) ? make(type, "True", bad, badMessage) : make(type, "False", good, goodMessage))),
    down || cordonedUnready ? make("Ready", "False", "KubeletNotReady", down ? (errors.length === 1 ? (errors[0] ?? "") : `[${errors.join(", ")}]`) : (old("Ready")?.message ?? "")) : make("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
  ];
}

/** Writes the node's status. Simplified: PATCH from the watched Node; upstream's GET before it is made only while nothing is watched. */
export function reportNodeStatus(turn: Turn): void {
  const node = turn.state.node.store.get(turn.config.node.name) as Node | undefined;
  if (!node) return;
  tellSchedulability(turn, node);
  const next = conditions(turn, node);
  const old = (type: string): string => node.status?.conditions?.find((entry) => entry.type === type)?.status ?? "False";
  for (const condition of next) {
    const event = PRESSURES.find(([type]) => type === condition.type)?.[condition.status === "True" ? 5 : 6];
    if (event !== undefined && condition.status !== old(condition.type)) turn.event(node, "Normal", event, `Node ${turn.config.node.name} status is now: ${event}`);
    const before = node.status?.conditions?.find((entry) => entry.type === condition.type);
    if (before && before.status !== condition.status && condition.type === "Ready") turn.event(node, "Normal", condition.status === "True" ? "NodeReady" : "NodeNotReady", `Node ${turn.config.node.name} status is now: ${condition.status === "True" ? "NodeReady" : "NodeNotReady"}`);
  }
  turn.api({ method: "PATCH", path: `/api/v1/nodes/${turn.config.node.name}/status`, contentType: "application/strategic-merge-patch+json", body: { status: { conditions: next, ...volumesStatus(turn, node), ...devicesStatus(turn.state.hardware, node) } }, subject: `node/${turn.config.node.name}`, level: "source" }, { for: "node" });
}

/** A PATCH of the status, or a GET before one, has been answered. */
export function onNodeAnswer(turn: Turn, message: Message, read: boolean): void {
  if (message.type === "net.error") return nodeStatusSoon(turn, turn.now);
  const { status, body } = message as HttpResponse;
  if (!read || status !== 200) return;
  turn.set({ node: { ...turn.state.node, store: turn.state.node.store.set(turn.config.node.name, body as Node) } });
  onNodeStatusTimer(turn);
}

/** volumesInUse, if the Node says otherwise. */
function volumesStatus(turn: Turn, node: Node): { readonly volumesInUse?: readonly string[] | null } {
  const wanted = volumesInUse(turn);
  const now = node.status?.volumesInUse ?? [];
  if (wanted.length === now.length && wanted.every((name) => now.includes(name))) return {};
  return { volumesInUse: wanted.length === 0 ? null : wanted };
}

/** Another condition than Ready has changed: said at the next status tick. */
export const nodeStatusChanged = (turn: Turn): void => nodeStatusSoon(turn, turn.now);

/** The watch shows the Node: what it says otherwise than this kubelet is told at the next status tick. */
export function nodeShown(turn: Turn): void {
  const node = turn.state.node.store.get(turn.config.node.name) as Node | undefined;
  // Whoever could not hear this kubelet has written that its state is unknown.
  const unknown = node?.status?.conditions?.some(({ status }) => status === "Unknown") ?? false;
  if (node && (unknown || (node.spec?.unschedulable ?? false) !== turn.state.unschedulable)) nodeStatusSoon(turn, turn.now);
}

/** Models setters.go recordNodeSchedulableEvent. */
function tellSchedulability(turn: Turn, node: Node): void {
  const unschedulable = node.spec?.unschedulable ?? false;
  if (unschedulable === turn.state.unschedulable) return;
  turn.set({ unschedulable });
  const reason = unschedulable ? "NodeNotSchedulable" : "NodeSchedulable";
  turn.event(node, "Normal", reason, `Node ${turn.config.node.name} status is now: ${reason}`);
}

/** A disk came or went: the status tick, every 10 s, will say so. */
export function volumesInUseChanged(turn: Turn): void {
  const at = turn.nextTick("nodeStatus", STATUS_PERIOD, turn.now + 1);
  if (turn.state.volumesReportAt === at) return;
  turn.set({ volumesReportAt: at });
  turn.ctx.after(at - turn.now, { type: "kubelet.nodeStatus" } satisfies NodeTimer);
}

export function onNodeReport(turn: Turn): void {
  if (turn.state.node.resourceVersion !== "" && !turn.state.node.store.get(turn.config.node.name) && turn.now - turn.state.startedAt < STATUS_PERIOD) {
    registerNode(turn);
    // The first report follows as soon as the watch shows the Node.
    turn.ctx.after(SECOND, { type: "kubelet.nodeReport" } satisfies NodeTimer);
    return;
  }
  reportNodeStatus(turn);
  const jitter = turn.ctx.rand("report-jitter", Math.floor(turn.now / SECOND)) % 1000;
  turn.ctx.after(REPORT_PERIOD / 2 + Math.floor((REPORT_PERIOD * jitter) / 1000), { type: "kubelet.nodeReport" } satisfies NodeTimer);
}

/** Something that the Ready condition tells will have changed after `at`: the first status tick from then on says so. */
export function nodeStatusSoon(turn: Turn, at: Micros): void {
  const tick = turn.nextTick("nodeStatus", STATUS_PERIOD, at + 1);
  turn.ctx.after(tick - turn.now, { type: "kubelet.nodeStatus" } satisfies NodeTimer);
}

/** The 10 s computation: sent only if something has changed. */
export function onNodeStatusTimer(turn: Turn): void {
  const node = turn.state.node.store.get(turn.config.node.name) as Node | undefined;
  if (!node) return;
  tellSchedulability(turn, node);
  const changed = conditions(turn, node).some((condition) => node.status?.conditions?.find((entry) => entry.type === condition.type)?.status !== condition.status);
  if (changed || volumesStatus(turn, node).volumesInUse !== undefined || devicesStatus(turn.state.hardware, node).allocatable !== undefined) reportNodeStatus(turn);
}
