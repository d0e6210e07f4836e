// Models kubernetes/pkg/controller/podautoscaler/horizontal.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { matches, parseSelector } from "../../api/labels.ts";
import { groupOf } from "../../api/schema/resources.ts";
import type { Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import { customOf, DISCOVERY } from "../../client-go/discovery.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { World } from "../../api/world.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import { byNamespace, type View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, isSuccess, messageOf, type Plan, lazyWatchesOf } from "../controller.ts";
import { collectionOf, objectPath, pathOf, resourceOfKind, subjectOf } from "../resources.ts";
import { sameStatus, setCondition, withSizes } from "./conditions.ts";
import { computeMetric, type MetricError, type MetricProposal, resourceOf } from "./metrics.ts";
import { normalize, withScaleEvent } from "./normalize.ts";
import { type Autoscaler, type History, NO_HISTORY, type Scale } from "./types.ts";

const ID = "horizontal-pod-autoscaler-controller";
const RESOURCES = ["horizontalpodautoscalers", "pods"] as const;
/** Every autoscaler is looked at so often, first so long after it was seen. */
const SYNC_PERIOD: Micros = 15_000_000;
/** retry.DefaultRetry: attempts at a conflicting write. */
const ATTEMPTS = 5;

/** What is remembered of each autoscaler, by its key. */
type Memory = PMap<History>;

interface Work {
  readonly step: "mapping" | "scale" | "metrics" | "rescaled" | "refreshed" | "status";
  readonly key: string;
  /** Where the target's scale is. */
  readonly path: string;
  /** As it was read, and as its status shall be. */
  readonly read: Autoscaler;
  readonly hpa: Autoscaler;
  readonly scale?: Scale;
  /** The size when the sync began. */
  readonly current: number;
  readonly desired: number;
  readonly reason: string;
  readonly metrics: readonly unknown[] | null;
  readonly attempts: number;
  /** Why the scale could not be written. */
  readonly refusal?: Answer;
  /** Told once the status is written. */
  readonly last?: EventToRecord;
}

type Step = Plan<Work, Memory>;

const warning = (hpa: Autoscaler, reason: string, message: string): EventToRecord => ({ object: hpa, type: "Warning", reason, message });
const targetOf = ({ spec, metadata }: Autoscaler): string => `${spec.scaleTargetRef.kind.toLowerCase()}/${metadata.namespace ?? ""}/${spec.scaleTargetRef.name}`;

function sync(key: string, view: View<Memory>): Step {
  const hpa = view.get<Autoscaler>("horizontalpodautoscalers", key);
  if (!hpa) return { memory: view.memory.delete(key) };
  const work: Work = { step: "scale", key, path: "", read: hpa, hpa, current: 0, desired: 0, reason: "", metrics: null, attempts: 0 };
  const { kind, apiVersion = "", name } = hpa.spec.scaleTargetRef;
  if (apiVersion.split("/").length > 2) return noScale(work, `unexpected GroupVersion string: ${apiVersion}`, view.now);
  const info = resourceOfKind(kind);
  if (info && groupOf(info.apiVersion) === groupOf(apiVersion)) return askScale({ ...work, path: `${pathOf(kind, hpa.metadata.namespace, name)}/scale` });
  // Simplified: upstream keeps what it discovered for 30 s.
  return { batches: [[{ method: "GET", path: "/apis", accept: DISCOVERY, subject: "/apis", level: "source" }]], next: { ...work, step: "mapping" } };
}

const getScale = (work: Work): ApiCall => ({ method: "GET", path: work.path, subject: targetOf(work.hpa) });
const askScale = (work: Work): Step => ({ batches: [[getScale(work)]], next: { ...work, step: "scale" } });

/** RESTMappings: custom resources are known by discovery alone. */
function onMapping(work: Work, answer: Answer | undefined, view: View<Memory>): Step {
  const { kind, apiVersion = "", name } = work.hpa.spec.scaleTargetRef;
  const group = groupOf(apiVersion);
  const info = customOf(answer?.body).find((entry) => entry.kind === kind && groupOf(entry.apiVersion) === group);
  if (!info) return noScale(work, `no matches for kind "${kind}" in group "${group}"`, view.now);
  return askScale({ ...work, path: `${collectionOf(info, work.hpa.metadata.namespace ?? "")}/${name}/scale` });
}

const noScale = (work: Work, error: string, now: Micros): Step =>
  finish({ ...work, hpa: setCondition(work.hpa, "AbleToScale", "False", "FailedGetScale", `the HPA controller was unable to get the target's current scale: ${error}`, now) }, [warning(work.hpa, "FailedGetScale", error)]);

/** Writes the status if it changed. One that cannot be written is written in the next period. */
function finish(work: Work, events: readonly EventToRecord[], rest: Step = {}): Step {
  if (sameStatus(work.read.status, work.hpa.status)) return ended(work, events, rest);
  return { ...rest, batches: [[{ method: "PUT", path: `${objectPath(work.hpa)}/status`, body: work.hpa, subject: subjectOf(work.hpa) }]], next: { ...work, step: "status" }, events };
}

/** The next look is a period after the end of this one. */
const ended = ({ key, last }: Work, events: readonly EventToRecord[], rest: Step = {}): Step => ({ ...rest, events: [...events, ...(last === undefined ? [] : [last])], enqueue: [{ key, after: SYNC_PERIOD }] });

/** The size that the limits alone ask for; undefined when metrics decide. */
function bySize({ spec }: Autoscaler, current: number): { readonly desired: number; readonly reason: string } | undefined {
  if (current > spec.maxReplicas) return { desired: spec.maxReplicas, reason: "Current number of replicas above Spec.MaxReplicas" };
  return current < (spec.minReplicas ?? 1) ? { desired: spec.minReplicas ?? 1, reason: "Current number of replicas below Spec.MinReplicas" } : undefined;
}

function onScale(work: Work, answer: Answer | undefined, view: View<Memory>): Step {
  if (!answer || !isSuccess(answer)) return noScale(work, messageOf(answer ?? { status: 0, sent: false }), view.now);
  const scale = answer.body as Scale;
  const current = scale.spec.replicas ?? 0;
  const known = view.memory.get(work.key);
  const history = known === undefined || known.recommendations.length === 0 ? { ...(known ?? NO_HISTORY), recommendations: [{ replicas: current, at: view.now }] } : known;
  const memory = history === known ? view.memory : view.memory.set(work.key, history);
  const hpa = setCondition(work.hpa, "AbleToScale", "True", "SucceededGetScale", "the HPA controller was able to get the target's current scale", view.now);
  const next: Work = { ...work, hpa, scale, current };
  if (current === 0) {
    const disabled = setCondition(hpa, "ScalingActive", "False", "ScalingDisabled", "scaling is disabled since the replica count of the target is zero", view.now);
    return finish({ ...next, hpa: withSizes(disabled, { current: 0, desired: 0, metrics: null }) }, [], { memory });
  }
  const wanted = bySize(hpa, current);
  if (wanted) return { ...rescale({ ...next, ...wanted }), memory };
  return withSelector(next, view, memory, history);
}

/** validateAndParseSelector, then the questions to the metrics API. */
function withSelector(work: Work, view: View<Memory>, memory: Memory, history: History): Step {
  const text = work.scale?.status?.selector ?? "";
  const invalid = (event: string, reason: string, error: string, message: string): Step => {
    const hpa = setCondition(work.hpa, "ScalingActive", "False", reason, message, view.now);
    return finish({ ...work, hpa: withSizes(hpa, { current: work.current, desired: hpa.status?.desiredReplicas ?? 0, metrics: null }), last: warning(hpa, "FailedComputeMetricsReplicas", error) }, [warning(hpa, event, error)], { memory });
  };
  if (text === "") return invalid("SelectorRequired", "InvalidSelector", "selector is required", "the HPA target's scale is missing a selector");
  const selector = parseSelector(text);
  if (typeof selector === "string") {
    const error = `couldn't convert selector into a corresponding internal selector object: ${selector}`;
    return invalid("InvalidSelector", "InvalidSelector", error, error);
  }
  const namespace = work.hpa.metadata.namespace ?? "";
  const remembered = history.selector === text ? memory : memory.set(work.key, { ...history, selector: text });
  const rivals = rivalsOf(view, namespace, remembered, podsOf(view, namespace, text));
  if (rivals.length > 1) {
    const error = `pods by selector ${text} are controlled by multiple HPAs: [${rivals.map((name) => `{${name} ${namespace}}`).join(" ")}]`;
    return { ...invalid("AmbiguousSelector", "AmbiguousSelector", error, error), memory: remembered };
  }
  const calls = (work.hpa.spec.metrics ?? []).filter((spec) => resourceOf(spec) !== undefined).map(() => ({ method: "GET" as const, path: `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`, query: { labelSelector: text }, subject: `metrics of ${targetOf(work.hpa)}` }));
  return { batches: [calls], next: { ...work, step: "metrics" }, memory: remembered };
}

function podsOf(view: View<Memory>, namespace: string, text: string): readonly Pod[] {
  const selector = parseSelector(text);
  return typeof selector === "string" ? [] : view.byIndex<Pod>("podsByNamespace", namespace).filter((pod) => matches(selector, pod.metadata.labels));
}

/** Names of the autoscalers whose targets' selectors pick one of these Pods. */
function rivalsOf(view: View<Memory>, namespace: string, memory: Memory, pods: readonly Pod[]): readonly string[] {
  return view.list<Autoscaler>("horizontalpodautoscalers").filter((hpa) => hpa.metadata.namespace === namespace).flatMap((hpa) => {
    const selector = parseSelector(memory.get(objectKey(hpa))?.selector ?? "");
    const known = memory.get(objectKey(hpa))?.selector !== undefined;
    return known && typeof selector !== "string" && pods.some((pod) => matches(selector, pod.metadata.labels)) ? [hpa.metadata.name ?? ""] : [];
  });
}

const isError = (result: MetricProposal | MetricError): result is MetricError => "cause" in result;

function onMetrics(work: Work, answers: readonly Answer[], view: View<Memory>): Step {
  const { hpa } = work;
  const specs = hpa.spec.metrics ?? [];
  const pods = podsOf(view, hpa.metadata.namespace ?? "", work.scale?.status?.selector ?? "");
  let asked = 0;
  const results = specs.map((spec) => computeMetric(spec, { hpa, pods, specReplicas: work.current, answer: resourceOf(spec) === undefined ? undefined : answers[asked++], now: view.now }));
  const errors = results.filter(isError);
  const proposals = results.filter((result): result is MetricProposal => !isError(result));
  const metrics = results.map((result) => (isError(result) ? { type: "" } : result.status));
  const best = proposals.reduce<MetricProposal | undefined>((most, next) => (most === undefined || most.replicas === 0 || next.replicas > most.replicas ? next : most), undefined);
  const [first] = errors;
  const events = errors.map((error) => warning(hpa, error.reason, error.cause));
  const replicas = best?.replicas ?? 0;
  if (first && (best === undefined || replicas < work.current)) {
    const inactive = setCondition(hpa, "ScalingActive", "False", first.reason, `the HPA was unable to compute the replica count: ${first.cause}`, view.now);
    const all = `invalid metrics (${errors.length} invalid out of ${specs.length}), first error is: ${first.wrapped}`;
    return finish({ ...work, hpa: withSizes(inactive, { current: work.current, desired: hpa.status?.desiredReplicas ?? 0, metrics }), last: warning(hpa, "FailedComputeMetricsReplicas", all) }, events);
  }
  const active = setCondition(hpa, "ScalingActive", "True", "ValidMetricFound", `the HPA was able to successfully calculate a replica count from ${best?.name ?? ""}`, view.now);
  const note: Note = { text: `horizontal-pod-autoscaler: ${hpa.spec.scaleTargetRef.name} has ${work.current} replicas and its metrics ask for ${replicas}`, why: `${best?.why ?? ""}: replicas times the one by the other, rounded up; within the tolerance nothing changes`, subject: subjectOf(hpa) };
  const plan = decide({ ...work, hpa: active, metrics }, replicas, best?.name ?? "", events, view);
  return { ...plan, notes: [note, ...(plan.notes ?? [])] };
}

/** From the largest proposal to a size within limits, windows and policies. */
function decide(work: Work, proposed: number, metric: string, events: readonly EventToRecord[], view: View<Memory>): Step {
  const current = work.current;
  const reason = proposed > current ? `${metric} above target` : proposed < current ? "All metrics below target" : "";
  const { replicas, able, limit, history } = normalize(work.hpa, { current, desired: proposed, min: work.hpa.spec.minReplicas ?? 1, max: work.hpa.spec.maxReplicas }, view.memory.get(work.key) ?? NO_HISTORY, view.now);
  const memory = view.memory.set(work.key, history);
  const told = setCondition(setCondition(work.hpa, "AbleToScale", "True", able.reason, able.message, view.now), "ScalingLimited", limit.limited ? "True" : "False", limit.reason, limit.message, view.now);
  if (replicas !== current) return { ...rescale({ ...work, hpa: told, desired: replicas, reason }), events, memory };
  return finish({ ...work, hpa: withSizes(told, { current, desired: current, metrics: work.metrics }) }, events, { memory });
}

function rescale(work: Work): Step {
  const { hpa, scale, desired } = work;
  const note: Note = { text: `horizontal-pod-autoscaler scales ${hpa.spec.scaleTargetRef.name} from ${work.current} to ${desired}`, why: work.reason, level: "basic", subject: subjectOf(hpa) };
  return { batches: [[{ method: "PUT", path: work.path, body: { ...scale, spec: { ...scale?.spec, replicas: desired } }, subject: targetOf(hpa) }]], ...(work.attempts === 0 ? { notes: [note] } : {}), next: { ...work, step: "rescaled" } };
}

function onRescaled(work: Work, answer: Answer | undefined, view: View<Memory>): Step {
  const { hpa, desired, reason } = work;
  const sizes = { current: work.current, metrics: work.metrics };
  if (!answer || !isSuccess(answer)) return { batches: [[getScale(work)]], next: { ...work, step: "refreshed", refusal: answer ?? { status: 0, sent: false } } };
  const done = setCondition(hpa, "AbleToScale", "True", "SucceededRescale", `the HPA controller was able to update the target scale to ${desired}`, view.now);
  const memory = view.memory.set(work.key, withScaleEvent(hpa, view.memory.get(work.key) ?? NO_HISTORY, sizes.current, desired, view.now));
  return finish({ ...work, hpa: withSizes(done, { ...sizes, desired, rescaledAt: view.now }) }, [{ object: hpa, type: "Normal", reason: "SuccessfulRescale", message: `New size: ${desired}; reason: ${reason}` }], { memory });
}

/** RetryOnConflict: whatever was wrong, the scale is read anew; only a conflict is tried again. */
function onRefreshed(work: Work, answer: Answer | undefined, view: View<Memory>): Step {
  const { hpa, desired, reason, refusal = { status: 0, sent: false } } = work;
  const scale = answer && isSuccess(answer) ? { scale: answer.body as Scale } : {};
  if (refusal.status === 409 && work.attempts + 1 < ATTEMPTS) return rescale({ ...work, ...scale, attempts: work.attempts + 1 });
  const error = messageOf(refusal);
  const failed = setCondition(hpa, "AbleToScale", "False", "FailedUpdateScale", `the HPA controller was unable to update the target scale: ${error}`, view.now);
  return finish({ ...work, hpa: withSizes(failed, { current: work.current, metrics: work.metrics, desired: hpa.status?.desiredReplicas ?? 0 }) }, [warning(hpa, "FailedRescale", `New size: ${desired}; reason: ${reason}; error: ${error}`)]);
}

function resume(_key: string, work: Work, answers: readonly Answer[], view: View<Memory>): Step {
  const [answer] = answers;
  switch (work.step) {
    case "mapping": return onMapping(work, answer, view);
    case "scale": return onScale(work, answer, view);
    case "metrics": return onMetrics(work, answers, view);
    case "rescaled": return onRescaled(work, answer, view);
    case "refreshed": return onRefreshed(work, answer, view);
    case "status": return ended(work, answer === undefined || isSuccess(answer) ? [] : [warning(work.hpa, "FailedUpdateStatus", messageOf(answer))]);
  }
}

/** Sizes a target so that its metrics meet their targets. */
export const createHorizontalController = (config: ControllerConfig): Component<ControllerState<Work, Memory>> =>
  createController<Work, Memory>(
    {
      id: ID,
      account: "horizontal-pod-autoscaler",
      eventSource: "horizontal-pod-autoscaler",
      resources: RESOURCES,
      lazy: true,
      indexers: { podsByNamespace: byNamespace("pods") },
      workers: 5,
      latency: "controller.sync",
      memory: PMap.empty(),
      // The queue's only rate is the period: whatever happens to an autoscaler, it is looked at then.
      handle: (change, resource) => (resource === "pods" || change.type === "delete" ? {} : { keys: [{ key: objectKey(change.object), after: SYNC_PERIOD }] }),
      sync,
      resume,
    },
    config,
  );

export const horizontalWatches = (world?: World): WatchSpec[] => lazyWatchesOf(ID, RESOURCES, world);
