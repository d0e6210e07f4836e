import type { ObjectVersion, TraceIndex } from "../../trace/trace-index.ts";
import { isNew, podsAt } from "./model.ts";

/** A line of the box of stored objects. */
export interface ObjectLine {
  readonly key: string;
  readonly text: string;
  readonly detail: string;
  readonly look: "ok" | "pending";
}

interface Stored {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

type Says = readonly [detail: string, ok: boolean];

const number = (value: unknown, otherwise = 0): number => (typeof value === "number" ? value : otherwise);
const of = (have: unknown, want: number): Says => [`${number(have)}/${want}`, number(have) === want];

function jobSays({ spec, status }: Stored): Says {
  const conditions = (status?.["conditions"] ?? []) as readonly { readonly type: string; readonly status: string }[];
  const ended = conditions.find((one) => (one.type === "Complete" || one.type === "Failed" || one.type === "Suspended") && one.status === "True");
  if (ended) return [ended.type, ended.type === "Complete"];
  return [`${number(status?.["succeeded"])}/${number(spec?.["completions"], 1)}`, false];
}

function cronJobSays({ spec, status }: Stored): Says {
  if (spec?.["suspend"] === true) return ["suspended", false];
  const active = (status?.["active"] ?? []) as readonly unknown[];
  return [active.length === 0 ? "waits" : `${active.length} active`, true];
}

interface Metric {
  readonly resource?: { readonly target?: { readonly averageUtilization?: number }; readonly current?: { readonly averageUtilization?: number } };
}

/** As kubectl's TARGETS: what is measured, and what is wanted; without a measurement how many replicas it wants. */
function autoscalerSays({ spec, status }: Stored): Says {
  const target = (spec?.["metrics"] as readonly Metric[] | undefined)?.[0]?.resource?.target?.averageUtilization;
  const current = (status?.["currentMetrics"] as readonly (Metric | null)[] | null | undefined)?.[0]?.resource?.current?.averageUtilization;
  if (target !== undefined && current !== undefined) return [`${current}%/${target}%`, current <= target];
  return [`wants ${number(status?.["desiredReplicas"])}`, number(status?.["desiredReplicas"]) > 0];
}

/** What is drawn of each kind, in the order of the box: what makes Pods first. */
const KINDS: readonly (readonly [prefix: string, short: string, says: (object: Stored) => Says | undefined])[] = [
  ["deployments", "deploy", ({ spec, status }) => of(status?.["readyReplicas"], number(spec?.["replicas"], 1))],
  ["replicasets", "rs", ({ spec, status }) => (spec?.["replicas"] === 0 ? undefined : of(status?.["readyReplicas"], number(spec?.["replicas"], 1)))],
  ["controllers", "rc", ({ spec, status }) => of(status?.["readyReplicas"], number(spec?.["replicas"], 1))],
  ["statefulsets", "sts", ({ spec, status }) => of(status?.["readyReplicas"], number(spec?.["replicas"], 1))],
  ["daemonsets", "ds", ({ status }) => of(status?.["numberReady"], number(status?.["desiredNumberScheduled"]))],
  ["cronjobs", "cj", cronJobSays],
  ["jobs", "job", jobSays],
  ["horizontalpodautoscalers", "hpa", autoscalerSays],
  ["poddisruptionbudgets", "pdb", ({ status }) => [`allows ${number(status?.["disruptionsAllowed"])}`, number(status?.["disruptionsAllowed"]) > 0]],
  ["persistentvolumeclaims", "pvc", ({ status }) => [String(status?.["phase"] ?? ""), status?.["phase"] === "Bound"]],
];

function endpointsOf(index: TraceIndex, t: number, { metadata }: Stored): Says {
  let ready = 0;
  let total = 0;
  for (const version of index.objectsAt(`/registry/endpointslices/${metadata.namespace ?? "default"}/`, t)) {
    const slice = version.object as { metadata: { labels?: Record<string, string> }; endpoints?: readonly { conditions?: { ready?: boolean } }[] };
    if (slice.metadata.labels?.["kubernetes.io/service-name"] !== metadata.name) continue;
    for (const endpoint of slice.endpoints ?? []) {
      total++;
      if (endpoint.conditions?.ready === true) ready++;
    }
  }
  return [`${ready} of ${total} ready`, ready > 0];
}

/** Workloads, Services, claims and Pods without a node that this run made: what is only written down. */
export function objectLines(index: TraceIndex, t: number): ObjectLine[] {
  const lines: ObjectLine[] = [];
  const add = (version: ObjectVersion, short: string, says: Says | undefined): void => {
    if (says) lines.push({ key: version.key, text: `${short}/${(version.object as Stored).metadata.name ?? ""}`, detail: says[0], look: says[1] ? "ok" : "pending" });
  };
  const made = (prefix: string): ObjectVersion[] => index.objectsAt(`/registry/${prefix}/`, t).filter((version) => isNew(index, version));
  for (const [prefix, short, says] of KINDS) for (const version of made(prefix)) add(version, short, says(version.object as Stored));
  for (const version of made("services/specs")) add(version, "svc", endpointsOf(index, t, version.object as Stored));
  for (const pod of podsAt(index, t)) if (pod.look === "pending") lines.push({ key: pod.key, text: `pod/${pod.name}`, detail: "no node", look: "pending" });
  return lines;
}
