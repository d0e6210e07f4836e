// Models kubernetes/pkg/scheduler/framework/runtime/batch.go (OpportunisticBatching) and staging/src/k8s.io/kube-scheduler/framework/signers.go
import type { Pod } from "../api/types.ts";
import type { Profile } from "./config/types.ts";
import type { Decision } from "./decision.ts";
import { type Cycle, isRejected } from "./framework.ts";
import { popOrder } from "./host-selection.ts";
import { labelsOf, podInfoOf } from "./node-info.ts";
import type { Micros } from "../kernel/types.ts";
import { normalizedImageName } from "./plugins/image-locality.ts";
import { requiredFeatures } from "./plugins/node-declared-features.ts";
import { runFilters } from "./run-filters.ts";
import { getNode } from "./snapshot.ts";

const MAX_AGE: Micros = 500_000;

/** What is left of the last Pod's sorted nodes, for a next Pod that is just like it. */
export interface Batch {
  readonly signature: string;
  readonly nodes: readonly string[];
  readonly createdAt: Micros;
  readonly lastCycle: number;
  readonly chosenNode: string;
}

const sorted = (list: readonly string[]): string[] => list.toSorted();
const unique = (list: readonly string[]): string[] => [...new Set(list)].sort();

const usesPoint = (profile: Profile, name: string): boolean => (["preFilter", "filter", "preScore", "score"] as const).some((point) => profile.plugins[point].includes(name));

/**
 * SignPod: equal for Pods of which every plugin says the same of every node; undefined if some plugin looks at other Pods.
 * With the default configuration that is always so: its spreading is for every Pod.
 */
export function signatureOf(pod: Pod, profile: Profile): string | undefined {
  const { spec } = pod;
  const { args } = profile;
  if (usesPoint(profile, "PodTopologySpread") && ((spec.topologySpreadConstraints ?? []).length > 0 || args.defaultConstraints === undefined || args.defaultConstraints.length > 0)) return undefined;
  const affinity = usesPoint(profile, "InterPodAffinity");
  if (affinity && (spec.affinity?.podAffinity || spec.affinity?.podAntiAffinity)) return undefined;
  if (usesPoint(profile, "DynamicResources") && (spec.resourceClaims ?? []).length > 0) return undefined;
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  return JSON.stringify([
    spec.schedulerName ?? "",
    spec.nodeName ?? "",
    affinity && !args.ignorePreferredTermsOfExistingPods ? sorted(Object.entries(labelsOf(pod)).map(([key, value]) => `${key}=${value}`)) : [],
    sorted((spec.tolerations ?? []).map((t) => JSON.stringify(t))),
    spec.affinity?.nodeAffinity ?? null,
    sorted(Object.entries(spec.nodeSelector ?? {}).map(([key, value]) => `${key}=${value}`)),
    unique(containers.flatMap((c) => c.ports ?? []).flatMap((p) => (p.hostPort ? [String(p.hostPort)] : []))),
    sorted(Object.entries(podInfoOf(pod).requests).map(([name, amount]) => `${name}=${amount}`)),
    unique(containers.map((c) => normalizedImageName(c.image ?? ""))),
    sorted((spec.volumes ?? []).filter((v) => !v.configMap && !v.secret).map((v) => JSON.stringify({ ...v, name: "" }))),
    requiredFeatures(pod),
  ]);
}

/** Is the list of the last Pod of use to this one? Only if the node that was taken then is full now. */
function isCompatible(batch: Batch, cycle: Cycle, signature: string | undefined, count: number, now: Micros): boolean {
  if (batch.nodes.length === 0 || count !== batch.lastCycle + 1 || signature !== batch.signature || now > batch.createdAt + MAX_AGE) return false;
  const last = getNode(cycle.snapshot, batch.chosenNode);
  return last !== undefined && isRejected(runFilters(cycle, last));
}

/** What GetNodeHint needs to know of a cycle besides the cycle. */
export interface Batching {
  readonly batch: Batch | undefined;
  readonly signature: string | undefined;
  /** Number of this scheduling cycle. */
  readonly count: number;
  readonly now: Micros;
}

/** GetNodeHint: the node to try first, "" for none. Runs after PreFilter. */
export const nodeHint = (cycle: Cycle, { batch, signature, count, now }: Batching): string => (batch && isCompatible(batch, cycle, signature, count, now) ? (batch.nodes[0] ?? "") : "");

/** StoreScheduleResults: what the next cycle may use. A Pod that found no node leaves it as it is. */
export function nextBatch({ batch, signature, count, now }: Batching, decision: Decision): Batch | undefined {
  const used = decision.hint ?? "";
  const rest = batch && used !== "" ? { ...batch, nodes: batch.nodes.slice(1) } : batch;
  if (decision.outcome !== "scheduled") return rest;
  if (rest && used === decision.node) return { ...rest, lastCycle: count, chosenNode: decision.node };
  const others = popOrder(decision.totals.map((t) => ({ name: t.node, totalScore: t.total, randomizer: 0 }))).slice(1);
  if (signature === undefined || others.length === 0) return undefined;
  return { signature, nodes: others.map((n) => n.name), createdAt: now, lastCycle: count, chosenNode: decision.node };
}
