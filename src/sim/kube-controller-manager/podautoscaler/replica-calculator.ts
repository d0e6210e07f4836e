// Models kubernetes/pkg/controller/podautoscaler/{replica_calculator.go,metrics/utilization.go}
import type { Pod } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { conditionOf } from "../pods.ts";

/** A Pod with what the calculator needs: its start and Ready transition in microseconds; undefined for a zero time. */
export interface ScaledPod {
  readonly name: string;
  readonly pod: Pick<Pod, "metadata" | "status">;
  /** Sum of its containers' requests in milli units; undefined when one has none. */
  readonly requestMilli?: number;
  readonly started?: Micros;
  readonly readyTransition?: Micros;
  /** The kubelet has not said that it began. */
  readonly unstarted?: true;
}

export interface Sample {
  readonly milli: number;
  readonly at: Micros;
  readonly window: Micros;
}

/** How far from its target a metric may be without consequences, as a part of 1. */
export interface Tolerances {
  readonly down: number;
  readonly up: number;
}

export interface Settings {
  readonly tolerances: Tolerances;
  readonly cpuInitialization: Micros;
  readonly initialReadiness: Micros;
  readonly now: Micros;
  /** Warm-up rules apply to CPU only. */
  readonly cpu: boolean;
}

interface Groups {
  readonly ready: number;
  readonly unready: readonly ScaledPod[];
  readonly missing: readonly ScaledPod[];
  readonly ignored: readonly ScaledPod[];
}

function isUnready(entry: ScaledPod, sample: Sample, settings: Settings): boolean {
  const ready = conditionOf(entry.pod, "Ready");
  // A zero start time (as in tables without times) has left its warm-up long ago and never became ready since.
  if (!ready || entry.unstarted) return true;
  const { started, readyTransition } = entry;
  if (started === undefined) return ready.status === "False";
  if (started + settings.cpuInitialization > settings.now) return ready.status === "False" || sample.at < (readyTransition ?? started) + sample.window;
  return ready.status === "False" && started + settings.initialReadiness > (readyTransition ?? started);
}

/** groupPods: which Pods count, which are not ready for measuring, and which have no sample. */
export function groupPods(pods: readonly ScaledPod[], samples: ReadonlyMap<string, Sample>, settings: Settings): Groups {
  const unready: ScaledPod[] = [];
  const missing: ScaledPod[] = [];
  const ignored: ScaledPod[] = [];
  let ready = 0;
  for (const entry of pods) {
    const sample = samples.get(entry.name);
    if (entry.pod.metadata.deletionTimestamp !== undefined || entry.pod.status?.phase === "Failed") ignored.push(entry);
    else if (entry.pod.status?.phase === "Pending") unready.push(entry);
    else if (!sample) missing.push(entry);
    else if (settings.cpu && isUnready(entry, sample, settings)) unready.push(entry);
    else ready++;
  }
  return { ready, unready, missing, ignored };
}

export interface Proposal {
  readonly replicas: number;
  /** Utilization in percent, or average in milli units. */
  readonly current: number;
  /** Average in milli units beside a utilization. */
  readonly raw?: number;
}

/** Upstream's words when no answer is possible. */
export interface CalculatorError {
  readonly error: string;
}

export const NO_PODS = "no pods returned by selector while calculating replica count";
const NO_METRICS = "did not receive metrics for targeted pods (pods might be unready)";

export const isWithin = (tolerances: Tolerances, ratio: number): boolean => 1 - tolerances.down <= ratio && ratio <= 1 + tolerances.up;

type Ratio = (values: ReadonlyMap<string, number>) => { readonly ratio: number; readonly current: number; readonly raw?: number } | CalculatorError;

/** The common shape: a ratio over ready Pods, then again with assumed values for those without. */
function propose(currentReplicas: number, pods: readonly ScaledPod[], samples: ReadonlyMap<string, Sample>, settings: Settings, ratioOf: Ratio, assumed: (entry: ScaledPod) => number, before?: () => CalculatorError | undefined): Proposal | CalculatorError {
  if (pods.length === 0) return { error: NO_PODS };
  const groups = groupPods(pods, samples, settings);
  const left = new Set([...groups.ignored, ...groups.unready].map((entry) => entry.name));
  const values = new Map([...samples].filter(([name]) => !left.has(name)).map(([name, sample]) => [name, sample.milli] as const));
  if (values.size === 0) return { error: NO_METRICS };
  const refused = before?.();
  if (refused) return refused;
  const first = ratioOf(values);
  if ("error" in first) return first;
  const { ratio, ...seen } = first;
  const same = { replicas: currentReplicas, ...seen };
  const within = (value: number): boolean => isWithin(settings.tolerances, value);
  const upWithUnready = groups.unready.length > 0 && ratio > 1;
  if (!upWithUnready && groups.missing.length === 0) return within(ratio) ? same : { ...same, replicas: Math.ceil(ratio * groups.ready) };
  if (ratio < 1) for (const entry of groups.missing) values.set(entry.name, assumed(entry));
  else if (ratio > 1) for (const entry of groups.missing) values.set(entry.name, 0);
  if (upWithUnready) for (const entry of groups.unready) values.set(entry.name, 0);
  const second = ratioOf(values);
  if ("error" in second) return second;
  const next = second.ratio;
  if (within(next) || (ratio < 1 && next > 1) || (ratio > 1 && next < 1)) return same;
  const replicas = Math.ceil(next * values.size);
  if ((next < 1 && replicas > currentReplicas) || (next > 1 && replicas < currentReplicas)) return same;
  return { ...same, replicas };
}

/** GetResourceReplicas: a target in percent of the requests. `requestError` says which request is missing. */
export function resourceReplicas(currentReplicas: number, targetPercent: number, pods: readonly ScaledPod[], samples: ReadonlyMap<string, Sample>, settings: Settings, requestError?: string): Proposal | CalculatorError {
  const requests = new Map(pods.flatMap((entry) => (entry.requestMilli === undefined ? [] : [[entry.name, entry.requestMilli] as const])));
  const ratioOf: Ratio = (values) => {
    let [total, requested, entries] = [0, 0, 0];
    for (const [name, value] of values) {
      const request = requests.get(name);
      if (request === undefined) continue;
      total += value;
      requested += request;
      entries++;
    }
    if (requested === 0) return { error: "no metrics returned matched known pods" };
    const current = Math.trunc((total * 100) / requested);
    return { ratio: current / targetPercent, current, raw: Math.trunc(total / entries) };
  };
  const fallback = Math.max(100, targetPercent);
  return propose(currentReplicas, pods, samples, settings, ratioOf, (entry) => Math.trunc(((requests.get(entry.name) ?? 0) * fallback) / 100), () => (requestError === undefined ? undefined : { error: requestError }));
}

/** GetRawResourceReplicas and GetMetricReplicas: a target average in milli units. */
export function averageValueReplicas(currentReplicas: number, targetMilli: number, pods: readonly ScaledPod[], samples: ReadonlyMap<string, Sample>, settings: Settings): Proposal | CalculatorError {
  const ratioOf: Ratio = (values) => {
    const total = [...values.values()].reduce((sum, value) => sum + value, 0);
    const current = Math.trunc(total / values.size);
    return { ratio: current / targetMilli, current };
  };
  return propose(currentReplicas, pods, samples, settings, ratioOf, () => targetMilli);
}
