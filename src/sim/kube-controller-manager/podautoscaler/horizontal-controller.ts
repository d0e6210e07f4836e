// Models kubernetes/pkg/controller/podautoscaler/horizontal.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { rfc3339 } from "../../api/time.ts";
import type { Condition, KubeObject } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { withCondition } from "../pods.ts";
import { objectPath, pathOf, subjectOf } from "../resources.ts";

const ID = "horizontal-pod-autoscaler-controller";
const RESOURCES = ["horizontalpodautoscalers"] as const;
/** Every autoscaler is looked at so often, first so long after it was seen. */
const SYNC_PERIOD: Micros = 15_000_000;

interface Autoscaler extends KubeObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly kind: string; readonly name: string; readonly apiVersion?: string };
    readonly minReplicas?: number;
    readonly maxReplicas: number;
    readonly metrics?: readonly { readonly type: string; readonly resource?: { readonly name: string } }[];
  };
  readonly status?: { readonly lastScaleTime?: string; readonly currentReplicas?: number; readonly desiredReplicas?: number; readonly conditions?: readonly Condition[]; readonly currentMetrics?: unknown };
}

type Scale = KubeObject & { readonly spec: { readonly replicas: number } };

interface Work {
  readonly step: "scale" | "rescaled" | "status";
  readonly hpa: Autoscaler;
  readonly current: number;
  readonly desired: number;
  readonly reason: string;
}

const condition = (type: string, status: string, reason: string, message: string, now: Micros): Condition => ({ type, status, lastTransitionTime: rfc3339(now), reason, message });

const scalePath = ({ spec, metadata }: Autoscaler): string => `${pathOf(spec.scaleTargetRef.kind, metadata.namespace, spec.scaleTargetRef.name)}/scale`;

function withConditions(hpa: Autoscaler, ...next: readonly Condition[]): Autoscaler {
  const conditions = next.reduce<readonly Condition[]>((list, entry) => withCondition(list, entry), hpa.status?.conditions ?? []);
  return { ...hpa, status: { ...hpa.status, conditions } };
}

/** Upstream's words when the cluster has no metrics API; the first metric is named. */
function noMetrics(hpa: Autoscaler): { readonly cause: string; readonly reason: string; readonly all: string } {
  const metrics = hpa.spec.metrics ?? [];
  const [first] = metrics;
  const name = first?.resource?.name ?? "cpu";
  // Simplified: no metrics API exists here, as in a cluster without metrics-server or an adapter; upstream words other kinds of metrics differently.
  const cause = `failed to get ${name} utilization: unable to get metrics for resource ${name}: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)`;
  return { cause, reason: "FailedGetResourceMetric", all: `invalid metrics (${metrics.length} invalid out of ${metrics.length}), first error is: failed to get ${name} resource metric value: ${cause}` };
}

/** The size that the limits alone ask for; undefined when metrics decide. */
function bySize(hpa: Autoscaler, current: number): { readonly desired: number; readonly reason: string } | undefined {
  const min = hpa.spec.minReplicas ?? 1;
  if (current > hpa.spec.maxReplicas) return { desired: hpa.spec.maxReplicas, reason: "Current number of replicas above Spec.MaxReplicas" };
  if (current !== 0 && current < min) return { desired: min, reason: "Current number of replicas below Spec.MinReplicas" };
  return undefined;
}

function sync(key: string, view: View): Plan<Work> {
  const hpa = view.get<Autoscaler>("horizontalpodautoscalers", key);
  if (!hpa) return {};
  const subject = `${hpa.spec.scaleTargetRef.kind.toLowerCase()}/${hpa.metadata.namespace ?? ""}/${hpa.spec.scaleTargetRef.name}`;
  return { batches: [[{ method: "GET", path: scalePath(hpa), subject }]], next: { step: "scale", hpa, current: 0, desired: 0, reason: "" }, enqueue: [{ key, after: SYNC_PERIOD }] };
}

const sameStatus = (a: Autoscaler["status"], b: Autoscaler["status"]): boolean => a?.currentReplicas === b?.currentReplicas && a?.desiredReplicas === b?.desiredReplicas && a?.lastScaleTime === b?.lastScaleTime && (a?.conditions ?? []) === (b?.conditions ?? []);

function writeStatus(work: Work, hpa: Autoscaler, events: readonly EventToRecord[], notes: readonly Note[] = []): Plan<Work> {
  if (sameStatus(work.hpa.status, hpa.status)) return { events, notes };
  return { batches: [[{ method: "PUT", path: `${objectPath(hpa)}/status`, body: { ...hpa, status: { ...hpa.status, currentMetrics: null } }, subject: subjectOf(hpa) }]], next: { ...work, step: "status" }, events, notes };
}

function onScale(work: Work, answer: Answer | undefined, now: Micros): Plan<Work> {
  const { hpa } = work;
  const event = (reason: string, message: string): EventToRecord => ({ object: hpa, type: "Warning", reason, message });
  if (!answer || !isSuccess(answer)) {
    const error = messageOf(answer ?? { status: 0, sent: false });
    return writeStatus(work, withConditions(hpa, condition("AbleToScale", "False", "FailedGetScale", `the HPA controller was unable to get the target's current scale: ${error}`, now)), [event("FailedGetScale", error)]);
  }
  const scale = answer.body as Scale;
  const current = scale.spec.replicas;
  const able = withConditions(hpa, condition("AbleToScale", "True", "SucceededGetScale", "the HPA controller was able to get the target's current scale", now));
  const sized: Autoscaler = { ...able, status: { ...able.status, currentReplicas: current } };
  if (current === 0 && hpa.spec.minReplicas !== 0) {
    const disabled = withConditions(sized, condition("ScalingActive", "False", "ScalingDisabled", "scaling is disabled since the replica count of the target is zero", now));
    return writeStatus(work, { ...disabled, status: { ...disabled.status, desiredReplicas: 0 } }, []);
  }
  const wanted = bySize(hpa, current);
  if (!wanted) {
    const { cause, reason, all } = noMetrics(hpa);
    const inactive = withConditions(sized, condition("ScalingActive", "False", reason, `the HPA was unable to compute the replica count: ${cause}`, now));
    return writeStatus(work, { ...inactive, status: { ...inactive.status, desiredReplicas: hpa.status?.desiredReplicas ?? 0 } }, [event(reason, cause), event("FailedComputeMetricsReplicas", all)]);
  }
  const note: Note = { text: `horizontal-pod-autoscaler scales ${hpa.spec.scaleTargetRef.name} from ${current} to ${wanted.desired}`, why: wanted.reason, level: "basic", subject: subjectOf(hpa) };
  return { batches: [[{ method: "PUT", path: scalePath(hpa), body: { ...scale, spec: { replicas: wanted.desired } }, subject: subjectOf(hpa) }]], notes: [note], next: { ...work, step: "rescaled", current, ...wanted } };
}

function onRescaled(work: Work, answer: Answer | undefined, now: Micros): Plan<Work> {
  const { hpa, current, desired, reason } = work;
  const sized = { currentReplicas: current, desiredReplicas: desired };
  if (!answer || !isSuccess(answer)) {
    const error = messageOf(answer ?? { status: 0, sent: false });
    const failed = withConditions(hpa, condition("AbleToScale", "False", "FailedUpdateScale", `the HPA controller was unable to update the target scale: ${error}`, now));
    return writeStatus(work, { ...failed, status: { ...failed.status, ...sized } }, [{ object: hpa, type: "Warning", reason: "FailedRescale", message: `New size: ${desired}; reason: ${reason}; error: ${error}` }]);
  }
  const able = withConditions(hpa, condition("AbleToScale", "True", "SucceededRescale", `the HPA controller was able to update the target scale to ${desired}`, now));
  return writeStatus(work, { ...able, status: { ...able.status, ...sized, lastScaleTime: rfc3339(now) } }, [{ object: hpa, type: "Normal", reason: "SuccessfulRescale", message: `New size: ${desired}; reason: ${reason}` }]);
}

/** Keeps a target's size within its autoscaler's limits. Simplified: without a metrics API no metric moves it. */
export const createHorizontalController = (config: ControllerConfig): Component<ControllerState<Work>> =>
  createController<Work, unknown>(
    {
      id: ID,
      account: "horizontal-pod-autoscaler",
      eventSource: "horizontal-pod-autoscaler",
      resources: RESOURCES,
      workers: 5,
      latency: "controller.sync",
      memory: undefined,
      // The queue's only rate is the period: whatever happens to an autoscaler, it is looked at then.
      handle: (change) => (change.type === "delete" ? {} : { keys: [{ key: objectKey(change.object), after: SYNC_PERIOD }] }),
      sync,
      resume(_key, work, [answer], view) {
        if (work.step === "scale") return onScale(work, answer, view.now);
        // A status that could not be written is written in the next period.
        return work.step === "rescaled" ? onRescaled(work, answer, view.now) : {};
      },
    },
    config,
  );

export const horizontalWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
