// Models kubernetes/pkg/kubelet/apis/config/v1beta1/defaults.go, eviction/defaults_linux.go and eviction/helpers.go ParseThresholdConfig
import { readStream } from "../api/go-yaml/document-stream.ts";
import { parseGoDuration } from "../api/duration.ts";
import { value } from "../api/quantity.ts";
import type { KubeObject } from "../api/types.ts";
import { objectsOf, type World } from "../api/world.ts";
import type { Micros } from "../kernel/types.ts";

/** An amount of a resource, or a part of its capacity. */
export type ThresholdValue = { readonly quantity: number } | { readonly percentage: number };

export interface Threshold {
  readonly signal: string;
  readonly value: ThresholdValue;
  /** How long it must have been met; 0 for a hard one. */
  readonly gracePeriod: Micros;
  readonly minReclaim?: ThresholdValue;
}

/** What of a KubeletConfiguration is acted on. Times in microseconds. */
export interface KubeletConfiguration {
  readonly thresholds: readonly Threshold[];
  readonly evictionPressureTransitionPeriod: Micros;
  /** Seconds that a soft eviction grants at most. */
  readonly evictionMaxPodGracePeriod: number;
  readonly imageGCHighThresholdPercent: number;
  readonly imageGCLowThresholdPercent: number;
  readonly imageMinimumGCAge: Micros;
  /** 0: however old. */
  readonly imageMaximumGCAge: Micros;
  /** Pulls at a time; 0 for any number. */
  readonly maxParallelImagePulls: number;
  /** Both 0: the kubelet does not hold up a shutdown. */
  readonly shutdownGracePeriod: Micros;
  readonly shutdownGracePeriodCriticalPods: Micros;
}

type Signals = Readonly<Record<string, string>>;
type Written = Partial<Record<"evictionHard" | "evictionSoft" | "evictionSoftGracePeriod" | "evictionMinimumReclaim", Signals>> & Readonly<Record<string, unknown>>;

/** There is none for pid.available. */
const EVICTION_HARD: Signals = { "memory.available": "100Mi", "nodefs.available": "10%", "nodefs.inodesFree": "5%", "imagefs.available": "15%", "imagefs.inodesFree": "5%" };

/** "10%" is kept with the precision of 32 bits, which shows in messages. Undefined: 0 % and 100 % are no thresholds. */
function parseValue(text: string): ThresholdValue | undefined {
  if (text === "0%" || text === "100%") return undefined;
  return text.endsWith("%") ? { percentage: Math.fround(Number(text.slice(0, -1)) / 100) } : { quantity: value(text) };
}

const micros = (text: unknown): Micros => (typeof text === "string" ? Math.max(0, parseGoDuration(text) || 0) : 0);

/** Hard thresholds, then soft ones, each by name. Upstream's order is that of a map. */
export function parseThresholds({ evictionHard = {}, evictionSoft = {}, evictionSoftGracePeriod = {}, evictionMinimumReclaim = {} }: Written): readonly Threshold[] {
  const parse = (signals: Signals, soft: boolean): readonly Threshold[] =>
    Object.keys(signals).sort().flatMap((signal) => {
      const parsed = parseValue(signals[signal] ?? "0%");
      const minReclaim = parseValue(evictionMinimumReclaim[signal] ?? "0%");
      return parsed === undefined ? [] : [{ signal, value: parsed, gracePeriod: soft ? micros(evictionSoftGracePeriod[signal]) : 0, ...(minReclaim === undefined ? {} : { minReclaim }) }];
    });
  return [...parse(evictionHard, false), ...parse(evictionSoft, true)];
}

/** A KubeletConfiguration with what is not written defaulted. */
export function withDefaults(written: Written): KubeletConfiguration {
  const number = (name: string, otherwise: number): number => (typeof written[name] === "number" ? written[name] : otherwise);
  const duration = (name: string, otherwise: Micros): Micros => (micros(written[name]) > 0 ? micros(written[name]) : otherwise);
  const merge = written["mergeDefaultEvictionSettings"] === true;
  const evictionHard = written.evictionHard === undefined || merge ? { ...EVICTION_HARD, ...written.evictionHard } : written.evictionHard;
  const parallel = number("maxParallelImagePulls", 0);
  return {
    thresholds: parseThresholds({ ...written, evictionHard }),
    evictionPressureTransitionPeriod: duration("evictionPressureTransitionPeriod", 300_000_000),
    evictionMaxPodGracePeriod: number("evictionMaxPodGracePeriod", 0),
    imageGCHighThresholdPercent: number("imageGCHighThresholdPercent", 85),
    imageGCLowThresholdPercent: number("imageGCLowThresholdPercent", 80),
    imageMinimumGCAge: duration("imageMinimumGCAge", 120_000_000),
    imageMaximumGCAge: duration("imageMaximumGCAge", 0),
    maxParallelImagePulls: parallel > 1 ? parallel : written["serializeImagePulls"] === false && parallel !== 1 ? 0 : 1,
    shutdownGracePeriod: duration("shutdownGracePeriod", 0),
    shutdownGracePeriodCriticalPods: duration("shutdownGracePeriodCriticalPods", 0),
  };
}

export const DEFAULT_CONFIGURATION: KubeletConfiguration = withDefaults({});

/** What kubeadm gives every kubelet that joins: the ConfigMap kube-system/kubelet-config of the world, else the defaults. */
export function kubeletConfiguration(world: World): KubeletConfiguration {
  const map = objectsOf<KubeObject & { readonly data?: Readonly<Record<string, string>> }>(world, "ConfigMap").find(({ metadata }) => metadata.namespace === "kube-system" && metadata.name === "kubelet-config");
  const text = map?.data?.["kubelet"];
  const written = text === undefined ? undefined : readStream(text).documents[0]?.value;
  return typeof written === "object" && written !== null ? withDefaults(written as Written) : DEFAULT_CONFIGURATION;
}
