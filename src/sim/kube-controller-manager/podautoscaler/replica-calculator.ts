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
}

export interface Sample {
  readonly milli: number;
  readonly at: Micros;
  readonly window: Micros;
}

export interface Settings {
  readonly tolerance: number;
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
  if (!ready) return true;
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
}

type Ratio = (values: ReadonlyMap<string, number>) => { readonly ratio: number; readonly current: number };

/** The common shape: a ratio over ready Pods, then again with assumed values for those without. */
function propose(currentReplicas: number, groups: Groups, samples: ReadonlyMap<string, Sample>, ratioOf: Ratio, assumed: (entry: ScaledPod) => number, tolerance: number): Proposal {
  const left = new Set([...groups.ignored, ...groups.unready].map((entry) => entry.name));
  const values = new Map([...samples].filter(([name]) => !left.has(name)).map(([name, sample]) => [name, sample.milli] as const));
  const { ratio, current } = ratioOf(values);
  const same = { replicas: currentReplicas, current };
  const within = (value: number): boolean => Math.abs(1 - value) <= tolerance;
  const upWithUnready = groups.unready.length > 0 && ratio > 1;
  if (!upWithUnready && groups.missing.length === 0) return within(ratio) ? same : { replicas: Math.ceil(ratio * groups.ready), current };
  if (ratio < 1) for (const entry of groups.missing) values.set(entry.name, assumed(entry));
  else if (ratio > 1) for (const entry of groups.missing) values.set(entry.name, 0);
  if (upWithUnready) for (const entry of groups.unready) values.set(entry.name, 0);
  const next = ratioOf(values).ratio;
  if (within(next) || (ratio < 1 && next > 1) || (ratio > 1 && next < 1)) return same;
  const replicas = Math.ceil(next * values.size);
  if ((next < 1 && replicas > currentReplicas) || (next > 1 && replicas < currentReplicas)) return same;
  return { replicas, current };
}

/** GetResourceReplicas: a target in percent of the requests. */
export function resourceReplicas(currentReplicas: number, targetPercent: number, pods: readonly ScaledPod[], samples: ReadonlyMap<string, Sample>, settings: Settings): Proposal {
  const requests = new Map(pods.flatMap((entry) => (entry.requestMilli === undefined ? [] : [[entry.name, entry.requestMilli] as const])));
  const ratioOf: Ratio = (values) => {
    let total = 0;
    let requested = 0;
    for (const [name, value] of values) {
      const request = requests.get(name);
      if (request === undefined) continue;
      total += value;
      requested += request;
    }
    const current = requested === 0 ? 0 : Math.trunc((total * 100) / requested);
    return { ratio: current / targetPercent, current };
  };
  const fallback = Math.max(100, targetPercent);
  return propose(currentReplicas, groupPods(pods, samples, settings), samples, ratioOf, (entry) => Math.trunc(((requests.get(entry.name) ?? 0) * fallback) / 100), settings.tolerance);
}

/** GetRawResourceReplicas and GetMetricReplicas: a target average in milli units. */
export function averageValueReplicas(currentReplicas: number, targetMilli: number, pods: readonly ScaledPod[], samples: ReadonlyMap<string, Sample>, settings: Settings): Proposal {
  const ratioOf: Ratio = (values) => {
    const total = [...values.values()].reduce((sum, value) => sum + value, 0);
    const current = values.size === 0 ? 0 : Math.trunc(total / values.size);
    return { ratio: current / targetMilli, current };
  };
  return propose(currentReplicas, groupPods(pods, samples, settings), samples, ratioOf, () => targetMilli, settings.tolerance);
}
