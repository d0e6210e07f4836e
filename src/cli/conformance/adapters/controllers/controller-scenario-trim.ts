import type { Condition, Container, KubeObject } from "../../../../sim/api/types.ts";

type Json = Readonly<Record<string, unknown>>;

const json = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});

const pick = (value: Json, keys: readonly string[]): Json => Object.fromEntries(keys.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]));

const notEmptyText = (value: Json): Json => Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== ""));

const numbers = (status: Json, names: readonly string[]): Json => Object.fromEntries(names.map((name) => [name, status[name] ?? 0]));

const conditionsOf = (object: KubeObject): readonly Condition[] => (json(object.status)["conditions"] ?? []) as readonly Condition[];

const DEPLOYMENT = ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "unavailableReplicas"];
const DAEMON_SET = ["desiredNumberScheduled", "currentNumberScheduled", "updatedNumberScheduled", "numberReady", "numberAvailable", "numberUnavailable", "numberMisscheduled"];

interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: { readonly ready?: boolean; readonly serving?: boolean; readonly terminating?: boolean };
  readonly targetRef?: { readonly kind: string; readonly name: string };
  readonly nodeName?: string;
  readonly zone?: string;
}

function flags({ conditions = {} }: Endpoint): string {
  return `${conditions.ready ? "R" : "-"}${conditions.serving ? "S" : "-"}${conditions.terminating ? "T" : "-"}`;
}

const endpointsOf = (object: KubeObject): readonly Endpoint[] => ((object as unknown as { endpoints?: readonly Endpoint[] }).endpoints ?? []);

/** What a sequence of states says of an object; undefined for kinds without one. */
export function stateOf(object: KubeObject): unknown {
  const [spec, status] = [json(object.spec), json(object.status)];
  const deleting = object.metadata.deletionTimestamp === undefined ? {} : { deleting: true };
  const replicas = spec["replicas"];
  switch (object.kind) {
    case "Deployment":
      return { spec: replicas, ...numbers(status, DEPLOYMENT), ...deleting };
    case "ReplicaSet":
      return { spec: replicas, ...numbers(status, ["replicas", "readyReplicas", "availableReplicas"]), ...deleting };
    case "StatefulSet":
      return { spec: replicas, ...numbers(status, ["replicas", "readyReplicas", "availableReplicas", "currentReplicas", "updatedReplicas"]), ...deleting };
    case "DaemonSet":
      return { ...numbers(status, DAEMON_SET), ...deleting };
    case "Job":
      return { ...numbers(status, ["active", "ready", "succeeded", "failed", "terminating"]), ...notEmptyText(pick(status, ["completedIndexes", "failedIndexes"])), conditions: conditionsOf(object).filter((entry) => entry.status === "True").map((entry) => entry.type), ...deleting };
    case "CronJob":
      return { active: ((status["active"] ?? []) as readonly unknown[]).length, lastSchedule: status["lastScheduleTime"] !== undefined, lastSuccess: status["lastSuccessfulTime"] !== undefined, ...deleting };
    case "HorizontalPodAutoscaler":
      return { current: status["currentReplicas"] ?? null, desired: status["desiredReplicas"] ?? 0, conditions: conditionsOf(object).map((entry) => `${entry.type}=${entry.status}:${entry.reason ?? ""}`), ...deleting };
    case "PodDisruptionBudget":
      return { ...numbers(status, ["expectedPods", "currentHealthy", "desiredHealthy", "disruptionsAllowed"]), ...deleting };
    case "PersistentVolumeClaim":
      return { phase: status["phase"], volume: spec["volumeName"] ?? null, ...deleting };
    case "PersistentVolume":
      return { phase: status["phase"], ...deleting };
    case "EndpointSlice":
      return { endpoints: endpointsOf(object).map((endpoint) => [endpoint.targetRef?.name ?? "", flags(endpoint)]) };
    default:
      return undefined;
  }
}

const SPEC = ["replicas", "strategy", "updateStrategy", "paused", "podManagementPolicy", "suspend", "parallelism", "completions", "backoffLimit", "schedule", "concurrencyPolicy", "nodeName", "minReplicas", "maxReplicas", "storageClassName", "persistentVolumeReclaimPolicy", "volumeName", "type"];
const SPEC_KINDS = new Set(["PodDisruptionBudget"]);
const WITH_IMAGE = new Set(["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"]);
const POD_STATUS = ["phase", "conditions", "podIP", "startTime", "qosClass"];
const TIMES = new Set(["lastTransitionTime", "lastUpdateTime", "lastProbeTime"]);
const METADATA = ["name", "labels", "generation", "annotations", "finalizers"];

const notEmpty = (value: Json): Json => Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined && !(typeof inner === "object" && inner !== null && Object.keys(inner).length === 0)));

function specOf(object: KubeObject): Json {
  if (SPEC_KINDS.has(object.kind)) return {};
  const spec = json(object.spec);
  const containers = (object.kind === "Pod" ? spec["containers"] : WITH_IMAGE.has(object.kind) ? json(json(spec["template"])["spec"])["containers"] : undefined) as readonly Container[] | undefined;
  const claim = json(spec["claimRef"]);
  return notEmpty({ ...pick(spec, SPEC), claimRef: pick(claim, ["namespace", "name"]), image: containers?.map((container) => container.image) });
}

function statusOf(object: KubeObject): Json {
  const status = json(object.status);
  const shown = object.kind === "Pod" ? pick(status, POD_STATUS) : status;
  const conditions = conditionsOf(object).map((entry) => Object.fromEntries(Object.entries(entry).filter(([key, value]) => !TIMES.has(key) && value !== undefined && !(object.kind === "Pod" && key === "observedGeneration"))));
  const { uncountedTerminatedPods: _uncounted, ...rest } = shown;
  const active = rest["active"];
  return { ...rest, ...(Array.isArray(active) ? { active: active.map((reference: Json) => pick(reference, ["kind", "namespace", "name", "apiVersion"])) } : {}), ...(conditions.length === 0 ? {} : { conditions }) };
}

/** The parts of an object that a recording's end holds. `ips` says which Pod an address belongs to. */
export function trimmed(object: KubeObject, ips: ReadonlyMap<string, string>): KubeObject {
  const owners = object.metadata.ownerReferences?.map(({ kind, name, controller, blockOwnerDeletion }) => ({ kind, name, controller, blockOwnerDeletion }));
  const metadata = notEmpty({ ...pick(object.metadata as unknown as Json, METADATA), ownerReferences: owners });
  const endpoints = endpointsOf(object).map(({ addresses, conditions, targetRef, nodeName, zone }) => ({ addresses, conditions, ...(targetRef === undefined ? {} : { targetRef: { kind: targetRef.kind, name: targetRef.name } }), nodeName, zone }));
  const slice = object.kind === "EndpointSlice" ? { ...pick(object as unknown as Json, ["addressType", "ports"]), endpoints } : {};
  const shown = { kind: object.kind, metadata, ...notEmpty({ spec: specOf(object), status: statusOf(object) }), ...pick(object as unknown as Json, ["revision"]), ...slice };
  return JSON.parse(JSON.stringify(shown), (key, value: unknown) => placeholder(key, value, ips)) as KubeObject;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const UID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function placeholder(key: string, value: unknown, ips: ReadonlyMap<string, string>): unknown {
  if (typeof value !== "string") return value;
  if (TIME.test(value)) return "<time>";
  if (UID.test(value)) return "<uid>";
  if (key === "nodeName" && /^base-\d$/.test(value)) return "<node>";
  if ((key === "zone" || key === "topology.kubernetes.io/zone") && /^z\d$/.test(value)) return "<zone of node>";
  const pod = ips.get(value);
  return pod === undefined ? value : `<ip of ${pod}>`;
}
