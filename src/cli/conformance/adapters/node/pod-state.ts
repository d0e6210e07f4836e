import type { Condition, Pod } from "../../../../sim/api/types.ts";
import { condition, containersReady, podInitialized, podReady, podReadyToStartContainers } from "../../../../sim/kubelet/conditions.ts";
import { computePodActions, type ProbeResult } from "../../../../sim/kubelet/pod-actions.ts";
import { generateAPIPodStatus, getPhase, type ProbeView } from "../../../../sim/kubelet/pod-status.ts";
import { shouldAllContainersRestart } from "../../../../sim/kubelet/restart-rules.ts";
import type { Adapter } from "../../adapter.ts";
import { difference } from "../../difference.ts";
import { type Happening, type RuntimeInput, runtimeOf, statusesOf } from "./inputs.ts";

interface PodInput {
  readonly pod: Pod;
  readonly phase?: string;
  readonly runtime?: RuntimeInput;
  readonly kubelet?: { readonly podIsTerminal?: boolean; readonly podHasInitialized?: boolean };
  readonly happenings?: readonly Happening[];
  readonly probeResults?: Readonly<Record<string, { readonly liveness?: ProbeResult; readonly startup?: ProbeResult }>>;
  readonly hostIP?: string;
}

function runPhase(input: unknown): unknown {
  const { pod, kubelet } = input as PodInput;
  return { phase: getPhase(pod, statusesOf(pod.status), kubelet?.podIsTerminal ?? false, kubelet?.podHasInitialized ?? false) };
}

function sandboxOf(what: string): RuntimeInput {
  if (/no sandbox/.test(what)) return { sandbox: null };
  const ip = /ip (\d[\d.]*)/.exec(what)?.[1] ?? "";
  return { sandbox: { state: /NOTREADY/.test(what) ? "NOTREADY" : "READY", ip } };
}

function runConditions(input: unknown): unknown {
  const { pod, phase = "Running", happenings, runtime } = input as PodInput;
  if (happenings) return { sequence: happenings.map(({ what }) => podReadyToStartContainers(pod, runtimeOf(pod, sandboxOf(what))).status), conditionType: "PodReadyToStartContainers" };
  const statuses = pod.status?.containerStatuses || pod.status?.initContainerStatuses ? statusesOf(pod.status) : undefined;
  const conditions = [
    ...(runtime ? [condition(pod, "PodReadyToStartContainers", podReadyToStartContainers(pod, runtimeOf(pod, runtime)))] : []),
    condition(pod, "Initialized", podInitialized(pod, pod.status, statuses, phase)),
    condition(pod, "Ready", podReady(pod, pod.status?.conditions ?? [], statuses, phase)),
    condition(pod, "ContainersReady", containersReady(pod, statuses, phase)),
  ];
  return { conditions };
}

/** Lists of things with a type or a name are compared by it: cases name only what they ask for. */
function byName(actual: unknown, expect: unknown): string | undefined {
  const asked = expect as Readonly<Record<string, unknown>>;
  const got = actual as Readonly<Record<string, unknown>>;
  for (const [key, value] of Object.entries(asked)) {
    if (!Array.isArray(value) || !value.every((item) => typeof item === "object" && item !== null && ("type" in item || "name" in item))) {
      const found = difference(value, got[key], key);
      if (found !== undefined) return found;
      continue;
    }
    for (const item of value as readonly Record<string, unknown>[]) {
      const id = "type" in item ? "type" : "name";
      const match = ((got[key] ?? []) as readonly Record<string, unknown>[]).find((candidate) => candidate[id] === item[id]);
      const found = difference(item, match, `${key}[${String(item[id])}]`);
      if (found !== undefined) return found;
      // A condition without a reason must have none.
      if (id === "type" && item["reason"] === undefined && match?.["reason"] !== undefined && key === "conditions") return `${key}[${String(item[id])}]: unexpected reason ${String((match as unknown as Condition).reason)}`;
    }
  }
  return undefined;
}

const NO_PROBES: ProbeView = { started: (status) => status.state?.running !== undefined, ready: () => true };

function runContainerStatus(input: unknown): unknown {
  const { pod, runtime, kubelet } = input as PodInput;
  const of = runtimeOf(pod, runtime);
  return generateAPIPodStatus({ pod, runtime: of, old: pod.status, podIsTerminal: kubelet?.podIsTerminal ?? false, failures: {}, probes: NO_PROBES, hostIP: "192.168.50.10", podIP: of?.sandboxes[0]?.ip ?? "" });
}

function runActions(input: unknown): unknown {
  const { pod, runtime, probeResults } = input as PodInput;
  const of = runtimeOf(pod, runtime);
  const actions = computePodActions(pod, of, (id, type) => probeResults?.[id.replace(/^id-/, "")]?.[type], shouldAllContainersRestart(pod, of));
  return {
    killPod: actions.killPod, createSandbox: actions.createSandbox, startContainers: actions.containersToStart, startInitContainers: actions.initContainersToStart,
    killContainers: actions.containersToKill.map((item) => item.name), sandboxAttempt: actions.attempt, removeContainers: actions.containersToReset.map((item) => item.name), messages: actions.containersToKill.map((item) => item.message),
  };
}

export const podPhase: Adapter = { kind: "pod-phase", run: runPhase };
export const podConditions: Adapter = { kind: "pod-conditions", run: runConditions, compare: byName };
export const containerStatus: Adapter = { kind: "container-status", run: runContainerStatus, compare: byName };
export const podActions: Adapter = { kind: "pod-actions", run: runActions };
