import type { Pod, PodStatus } from "../../sim/api/types.ts";
import { LEVELS, PROTOCOLS } from "../../trace/model.ts";
import type { ObjectVersion, TraceIndex } from "../../trace/trace-index.ts";
import { familyOf, kindOf, nodeOf } from "../theme/components.ts";

const PODS = "/registry/pods/";
const NODES = "/registry/minions/";
const WATCH = PROTOCOLS.indexOf("watch");

/** How a Pod's capsule is drawn. */
export type PodLook = "pending" | "scheduled" | "creating" | "running" | "ready" | "done" | "failed" | "terminating";

export interface PodView {
  readonly key: string;
  readonly name: string;
  readonly namespace: string;
  readonly node: string | undefined;
  readonly look: PodLook;
  /** "Pending", "CrashLoopBackOff": what kubectl's STATUS column would say, roughly. */
  readonly status: string;
  readonly restarts: number;
  readonly containers: readonly { readonly name: string; readonly look: "waiting" | "running" | "ready" | "done" | "failed"; readonly init: boolean }[];
}

/** What of a run never changes with t: who takes part, who watches. */
export interface Cast {
  readonly components: readonly string[];
  readonly nodes: readonly string[];
  readonly controllers: readonly string[];
  readonly zones: ReadonlyMap<string, string>;
  /** Components that hold a watch on the API server. */
  readonly watchers: readonly string[];
}

const WATCHING = new Set(["kube-scheduler", "coredns"]);

/** Finds the run's cast in one pass over its mail and notes. It is the same at every detail level. */
export function castOf(index: TraceIndex): Cast {
  const { trace } = index;
  const nodes = [...new Set(trace.components.flatMap((id) => nodeOf(id) ?? []))];
  /** The lowest level at which a component says something: who tells the story comes first. */
  const voice = Array.from<unknown, number>(trace.components, () => LEVELS.length);
  for (let id = 0; id < trace.noteCount; id++) {
    const component = trace.notes.component.get(id);
    voice[component] = Math.min(voice[component] ?? 0, trace.notes.level.get(id));
  }
  const watchers = new Set<number>();
  for (let id = 0; id < trace.mailCount; id++) if (trace.mail.protocol.get(id) === WATCH) watchers.add(trace.mail.to.get(id));
  const controllers = trace.components.flatMap((id, i) => (familyOf(id) === "controllers" ? [{ id, voice: voice[i] ?? LEVELS.length, i }] : []));
  return {
    components: trace.components,
    nodes,
    zones: new Map(nodes.map((node) => [node, nodeState(index, node, 0).zone])),
    controllers: controllers.sort((a, b) => a.voice - b.voice || a.i - b.i).map(({ id }) => id),
    watchers: trace.components.filter((id, i) => watchers.has(i) || WATCHING.has(kindOf(id)) || id.startsWith("kubelet@") || id.startsWith("kube-proxy@") || familyOf(id) === "controllers"),
  };
}

/** Pods that this run made (not those that the world began with), as they are at `t`. */
export function podsAt(index: TraceIndex, t: number): PodView[] {
  return index.objectsAt(PODS, t).flatMap((version) => (isNew(index, version) ? [podView(version)] : []));
}

/** Whether this run made the object, and not the world that it began with. */
export function isNew(index: TraceIndex, version: ObjectVersion): boolean {
  const first = index.versionsOf(version.key)[0];
  return first !== undefined && Number.isFinite(first.at);
}

const views = new WeakMap<object, PodView>();

/** Objects never change, so each version is looked at once. */
function podView(version: ObjectVersion): PodView {
  const known = views.get(version.object as object);
  if (known) return known;
  const view = lookAt(version);
  views.set(version.object as object, view);
  return view;
}

function lookAt(version: ObjectVersion): PodView {
  const pod = version.object as Pod;
  const status = pod.status ?? {};
  const inits = status.initContainerStatuses ?? [];
  const mains = status.containerStatuses ?? [];
  const containers = [
    ...(pod.spec.initContainers ?? []).map((container) => ({ name: container.name, init: true, look: containerLook(inits.find((one) => one.name === container.name)) })),
    ...pod.spec.containers.map((container) => ({ name: container.name, init: false, look: containerLook(mains.find((one) => one.name === container.name)) })),
  ];
  return {
    key: version.key,
    name: pod.metadata.name ?? "",
    namespace: pod.metadata.namespace ?? "",
    node: pod.spec.nodeName,
    look: lookOf(pod, status),
    status: statusWord(pod, status),
    restarts: mains.reduce((sum, one) => sum + one.restartCount, 0),
    containers,
  };
}

type ContainerStatus = NonNullable<PodStatus["containerStatuses"]>[number];

function containerLook(status: ContainerStatus | undefined): "waiting" | "running" | "ready" | "done" | "failed" {
  if (status?.state?.running) return status.ready ? "ready" : "running";
  const terminated = status?.state?.terminated;
  if (terminated) return terminated.exitCode === 0 ? "done" : "failed";
  const reason = status?.state?.waiting?.reason ?? "";
  return /BackOff|Err|Invalid|Error/.test(reason) ? "failed" : "waiting";
}

function condition(status: PodStatus, type: string): boolean {
  return status.conditions?.some((one) => one.type === type && one.status === "True") ?? false;
}

function lookOf(pod: Pod, status: PodStatus): PodLook {
  if (pod.metadata.deletionTimestamp !== undefined) return "terminating";
  if (status.phase === "Succeeded") return "done";
  if (status.phase === "Failed") return "failed";
  if (/BackOff|Err|Error/.test(statusWord(pod, status))) return "failed";
  if (status.phase === "Running") return condition(status, "Ready") ? "ready" : "running";
  if (pod.spec.nodeName === undefined || pod.spec.nodeName === "") return "pending";
  return condition(status, "PodReadyToStartContainers") || (status.startTime !== undefined && status.containerStatuses !== undefined) ? "creating" : "scheduled";
}

function statusWord(pod: Pod, status: PodStatus): string {
  if (pod.metadata.deletionTimestamp !== undefined) return "Terminating";
  for (const one of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
    const reason = one.state?.waiting?.reason ?? (one.state?.terminated && one.state.terminated.exitCode !== 0 ? one.state.terminated.reason : undefined);
    if (reason !== undefined && reason !== "PodInitializing") return reason;
  }
  return status.reason ?? status.phase ?? "Pending";
}

export interface NodeState {
  readonly ready: boolean;
  readonly cordoned: boolean;
  readonly zone: string;
}

/** Whether a node is Ready at `t`, as its object says. */
export function nodeState(index: TraceIndex, node: string, t: number): NodeState {
  const object = index.objectAt(`${NODES}${node}`, t)?.object as { metadata: { labels?: Readonly<Record<string, string>> }; spec?: { unschedulable?: boolean }; status?: { conditions?: readonly { type: string; status: string }[] } } | undefined;
  const ready = object?.status?.conditions?.find((one) => one.type === "Ready");
  return { ready: ready === undefined || ready.status === "True", cordoned: object?.spec?.unschedulable === true, zone: object?.metadata.labels?.["topology.kubernetes.io/zone"] ?? "" };
}
