// Models printPod of kubernetes/pkg/printers/internalversion/printers.go
import { type Micros, parseRfc3339 } from "../../api/time.ts";
import { isRestartableInitContainer } from "../../api/pod-resources.ts";
import type { ContainerStateTerminated, ContainerStatus, Pod } from "../../api/types.ts";
import { age, ageOf, columns, nameOf, type Printer } from "./printer.ts";

interface Restarts {
  readonly count: number;
  /** When the newest terminated run ended, NaN if none did. */
  readonly last: Micros;
}
const NO_RESTARTS: Restarts = { count: 0, last: Number.NaN };

function addRestarts(sum: Restarts, status: ContainerStatus): Restarts {
  const finished = parseRfc3339(status.lastState?.terminated?.finishedAt ?? "");
  const newer = !Number.isNaN(finished) && !(sum.last >= finished);
  return { count: sum.count + status.restartCount, last: newer ? finished : sum.last };
}

function terminatedReason(terminated: ContainerStateTerminated): string {
  if (terminated.reason) return terminated.reason;
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`;
}

interface InitWalk {
  readonly reason: string | undefined;
  readonly ready: number;
  readonly restarts: Restarts;
  readonly sidecarRestarts: Restarts;
}

/** Init containers in order, up to the first that is not done. */
function walkInitContainers(pod: Pod): InitWalk {
  const sidecars = new Set((pod.spec.initContainers ?? []).filter(isRestartableInitContainer).map((c) => c.name));
  let ready = 0;
  let restarts = NO_RESTARTS;
  let sidecarRestarts = NO_RESTARTS;
  for (const [i, status] of (pod.status?.initContainerStatuses ?? []).entries()) {
    restarts = addRestarts(restarts, status);
    const sidecar = sidecars.has(status.name);
    if (sidecar) sidecarRestarts = addRestarts(sidecarRestarts, status);
    const { terminated, waiting } = status.state ?? {};
    if (terminated && terminated.exitCode === 0) continue;
    if (sidecar && status.started) {
      if (status.ready) ready += 1;
      continue;
    }
    let reason = `Init:${i}/${(pod.spec.initContainers ?? []).length}`;
    if (terminated) reason = `Init:${terminatedReason(terminated)}`;
    else if (waiting?.reason && waiting.reason !== "PodInitializing") reason = `Init:${waiting.reason}`;
    return { reason, ready, restarts, sidecarRestarts };
  }
  return { reason: undefined, ready, restarts, sidecarRestarts };
}

interface AppWalk {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: Restarts;
}

/** App containers from last to first: the first bad one has the last word. */
function walkContainers(pod: Pod, reason: string, restarts: Restarts): AppWalk {
  let shown = reason;
  let errorReason = "";
  let ready = 0;
  let sum = restarts;
  for (const status of [...(pod.status?.containerStatuses ?? [])].reverse()) {
    sum = addRestarts(sum, status);
    const { waiting, terminated, running } = status.state ?? {};
    if (waiting?.reason) shown = waiting.reason;
    else if (terminated) {
      shown = terminatedReason(terminated);
      if (terminated.exitCode !== 0) errorReason = shown;
    } else if (status.ready && running) ready += 1;
  }
  if (shown === "Completed") {
    const podReady = pod.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True") ?? false;
    if (ready > 0 && podReady) shown = "Running";
    else if (errorReason !== "") shown = errorReason;
    else if (ready > 0) shown = "NotReady";
  }
  return { reason: shown, ready, restarts: sum };
}

const isTerminal = (phase: string | undefined): boolean => phase === "Succeeded" || phase === "Failed";

/** The READY, STATUS and RESTARTS cells. STATUS is computed here, on the server; it is not the phase. */
export function podSummary(pod: Pod, now: Micros): { readonly ready: string; readonly status: string; readonly restarts: string } {
  const conditions = pod.status?.conditions ?? [];
  let reason = pod.status?.reason || (pod.status?.phase ?? "");
  if (conditions.some((c) => c.type === "PodScheduled" && c.reason === "SchedulingGated")) reason = "SchedulingGated";
  const init = walkInitContainers(pod);
  reason = init.reason ?? reason;
  let { ready, restarts } = init;
  const initialized = conditions.some((c) => c.type === "Initialized" && c.status === "True");
  if (init.reason === undefined || initialized) {
    const app = walkContainers(pod, reason, init.sidecarRestarts);
    ({ reason, restarts } = app);
    ready += app.ready;
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    if (pod.status?.reason === "NodeLost") reason = "Unknown";
    else if (!isTerminal(pod.status?.phase)) reason = "Terminating";
  }
  const total = pod.spec.containers.length + (pod.spec.initContainers ?? []).filter(isRestartableInitContainer).length;
  const since = restarts.count !== 0 && !Number.isNaN(restarts.last) ? ` (${age(lastFinished(pod, restarts.last), now)} ago)` : "";
  return { ready: `${ready}/${total}`, status: reason, restarts: `${restarts.count}${since}` };
}

/** Back to the text the timestamp came from, so that one function formats every age. */
function lastFinished(pod: Pod, at: Micros): string | undefined {
  const all = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  return all.map((s) => s.lastState?.terminated?.finishedAt ?? undefined).find((t) => t !== undefined && parseRfc3339(t) === at);
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  const met = gates.filter((gate) => pod.status?.conditions?.find((c) => c.type === gate.conditionType)?.status === "True").length;
  return `${met}/${gates.length}`;
}

export const podPrinter = {
  kinds: ["v1/Pod"],
  columns: columns("Name Ready Status Restarts Age [IP Node Nominated_Node Readiness_Gates]"),
  row(object, now) {
    const pod = object as Pod;
    const { ready, status, restarts } = podSummary(pod, now);
    return [
      nameOf(pod), ready, status, restarts, ageOf(pod, now), pod.status?.podIPs?.[0]?.ip || pod.status?.podIP || "<none>", pod.spec.nodeName || "<none>",
      pod.status?.nominatedNodeName || "<none>", readinessGates(pod),
    ];
  },
} satisfies Printer;
