import type { WatchEventMessage, WatchSpec } from "../../../../sim/api/http.ts";
import { rfc3339, rfc3339Micro, SECOND } from "../../../../sim/api/time.ts";
import type { Condition, ContainerStatus, Pod } from "../../../../sim/api/types.ts";
import { type ApiCall, apiRequest } from "../../../../sim/client-go/api-client.ts";
import type { Component, Ctx, Message, Micros } from "../../../../sim/kernel/types.ts";
import { ADMIN } from "./controller-scenario-driver.ts";

const STAND_IN = "stand-in";
const HEARTBEAT: Micros = 10 * SECOND;
const MILLISECOND: Micros = 1_000;
/** What a process that SIGTERM ended leaves behind. */
const SIGTERM_EXIT = 143;

/** The recording's stand-in kubelet: how long its steps take and how far apart they are at least. */
export interface StandIn {
  readonly readyAfterMs: number;
  readonly deleteAfterMs: number;
  readonly gapMs: number;
}

type What = "ready" | "exit" | "delete";

interface Transition {
  readonly what: What;
  readonly uid: string;
  readonly due: Micros;
}

interface StandInState {
  readonly pods: Readonly<Record<string, Pod>>;
  readonly planned: readonly string[];
  readonly queue: readonly Transition[];
  /** When the last transition was applied. */
  readonly last: Micros;
  readonly count: number;
}

export const standInWatches = (): WatchSpec[] => [{ component: STAND_IN, resource: "pods", path: "/api/v1/pods" }];

const PREFIX = "sim.example/";

/** An annotation of the stand-in, for the Pod's index where there is one for it. */
function setting(pod: Pod, name: string): string | undefined {
  const annotations = pod.metadata.annotations ?? {};
  const byIndex = annotations[`${PREFIX}${name}-by-index`];
  const index = annotations["batch.kubernetes.io/job-completion-index"];
  if (byIndex !== undefined && index !== undefined) {
    const value = (JSON.parse(byIndex) as Record<string, unknown>)[index];
    if (value !== undefined) return String(value);
  }
  return annotations[PREFIX + name];
}

const pathOf = (pod: Pod): string => `/api/v1/namespaces/${pod.metadata.namespace ?? ""}/pods/${pod.metadata.name ?? ""}`;

function statusCall(pod: Pod, status: object): ApiCall {
  return { method: "PATCH", path: `${pathOf(pod)}/status`, contentType: "application/merge-patch+json", body: { status } };
}

const OWN = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"];

/** The kubelet's five conditions and, behind them, those of others. */
function conditions(pod: Pod, ready: boolean, why: Pick<Condition, "reason" | "message">, now: Micros): readonly Condition[] {
  const others = (pod.status?.conditions ?? []).filter((entry) => !OWN.includes(entry.type));
  const own = OWN.map((type): Condition => {
    const about = type === "Ready" || type === "ContainersReady";
    return { type, status: about && !ready ? "False" : "True", lastTransitionTime: rfc3339(now), ...(about && !ready ? why : {}) };
  });
  return [...own, ...others];
}

const containers = (pod: Pod, state: ContainerStatus["state"], ready: boolean): readonly object[] =>
  pod.spec.containers.map((container) => ({ name: container.name, ready, restartCount: 0, image: container.image ?? "", imageID: "", state }));

function readyCall(pod: Pod, n: number, now: Micros): ApiCall {
  const ready = setting(pod, "ready") !== "never";
  const names = pod.spec.containers.map((container) => container.name).join(" ");
  const podIP = `10.200.${Math.floor(n / 200)}.${1 + (n % 200)}`;
  return statusCall(pod, {
    phase: "Running",
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: rfc3339(now),
    conditions: conditions(pod, ready, { reason: "ContainersNotReady", message: `containers with unready status: [${names}]` }, now),
    containerStatuses: containers(pod, { running: { startedAt: rfc3339(now) } }, ready),
  });
}

function exitCall(pod: Pod, exitCode: number, now: Micros): ApiCall {
  const failed = exitCode !== 0;
  const terminated = { exitCode, reason: failed ? "Error" : "Completed", startedAt: pod.status?.startTime ?? rfc3339(now), finishedAt: rfc3339(now) };
  return statusCall(pod, { phase: failed ? "Failed" : "Succeeded", conditions: conditions(pod, false, { reason: failed ? "PodFailed" : "PodCompleted" }, now), containerStatuses: containers(pod, { terminated }, false) });
}

const ended = (pod: Pod): boolean => pod.status?.phase === "Failed" || pod.status?.phase === "Succeeded";
const ofJob = (pod: Pod): boolean => pod.metadata.ownerReferences?.some((owner) => owner.kind === "Job") ?? false;

function apply(state: StandInState, ctx: Ctx, { what, uid }: Transition): StandInState {
  const pod = state.pods[uid];
  if (!pod) return state;
  const send = (call: ApiCall): void => void apiRequest(ctx, ADMIN, call);
  if (what === "ready") send(readyCall(pod, state.count, ctx.now));
  if (what === "exit" && !ended(pod)) send(exitCall(pod, Number(setting(pod, "exit-code")), ctx.now));
  if (what === "delete") {
    if (ofJob(pod) && pod.status?.phase === "Running") send(exitCall(pod, SIGTERM_EXIT, ctx.now));
    ctx.after(5 * MILLISECOND, { type: "stand-in.remove", path: pathOf(pod) } satisfies Remove);
  }
  return { ...state, last: ctx.now, count: state.count + 1 };
}

interface Remove extends Message {
  readonly type: "stand-in.remove";
  readonly path: string;
}

/** What a Pod's present state leads to, and when. */
function next(pod: Pod, config: StandIn): readonly (readonly [What, number])[] {
  const steps: (readonly [What, number])[] = [];
  if (!pod.spec.nodeName) return steps;
  if (pod.status?.phase === "Pending") steps.push(["ready", config.readyAfterMs]);
  if (pod.status?.phase === "Running" && setting(pod, "exit-code") !== undefined) steps.push(["exit", Number(setting(pod, "run-ms") ?? 1000)]);
  if (pod.metadata.deletionTimestamp !== undefined) steps.push(["delete", config.deleteAfterMs]);
  return steps;
}

/** Kubelets of all nodes in one, without containers: Pods get ready, end and vanish after fixed times. */
export function createStandInKubelet(config: StandIn, nodes: readonly string[]): Component<StandInState> {
  return {
    id: STAND_IN,
    machine: STAND_IN,
    init: () => ({ pods: {}, planned: [], queue: [], last: -config.gapMs * MILLISECOND, count: 0 }),
    step(state, message, ctx) {
      switch (message.type) {
        case "start":
        case "stand-in.heartbeat":
          ctx.after(HEARTBEAT, { type: "stand-in.heartbeat" });
          for (const node of nodes) {
            apiRequest(ctx, ADMIN, { method: "PATCH", path: `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${node}`, contentType: "application/merge-patch+json", body: { spec: { renewTime: rfc3339Micro(ctx.now) } } });
          }
          return state;
        case "watch.event":
          return onPod(state, message as WatchEventMessage, config, ctx);
        case "stand-in.due":
          return applyDue(state, config, ctx);
        case "stand-in.remove":
          apiRequest(ctx, ADMIN, { method: "DELETE", path: (message as Remove).path, body: { gracePeriodSeconds: 0 } });
          return state;
        default:
          return state;
      }
    },
  };
}

function onPod(state: StandInState, { event }: WatchEventMessage, config: StandIn, ctx: Ctx): StandInState {
  if (event.type === "BOOKMARK") return state;
  const pod = event.object as Pod;
  const uid = pod.metadata.uid ?? "";
  if (event.type === "DELETED") return { ...state, pods: Object.fromEntries(Object.entries(state.pods).filter(([key]) => key !== uid)) };
  let after: StandInState = { ...state, pods: { ...state.pods, [uid]: pod } };
  for (const [what, delay] of next(pod, config)) {
    const name = `${what} ${uid}`;
    if (after.planned.includes(name)) continue;
    const due = ctx.now + delay * MILLISECOND;
    ctx.after(delay * MILLISECOND, { type: "stand-in.due" });
    after = { ...after, planned: [...after.planned, name], queue: [...after.queue, { what, uid, due }] };
  }
  return after;
}

/** The transition that has been due for longest, unless the last one was too short a time ago. */
function applyDue(state: StandInState, config: StandIn, ctx: Ctx): StandInState {
  const first = state.queue.filter((entry) => entry.due <= ctx.now).sort((a, b) => a.due - b.due)[0];
  if (!first) return state;
  const free = state.last + config.gapMs * MILLISECOND;
  if (free > ctx.now) {
    ctx.after(free - ctx.now, { type: "stand-in.due" });
    return state;
  }
  return apply({ ...state, queue: state.queue.filter((entry) => entry !== first) }, ctx, first);
}
