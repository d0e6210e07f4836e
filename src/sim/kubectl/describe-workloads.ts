// Models kubernetes/staging/src/k8s.io/kubectl/pkg/describe/describe.go (Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs, CronJobs, autoscalers)
import { humanDuration } from "../api/duration.ts";
import { formatLabelSelector } from "../api/labels.ts";
import { sortKeys } from "../api/json.ts";
import { parseRfc3339 } from "../api/time.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import { metricsText } from "./describe-metrics.ts";
import { templateText } from "./describe-template.ts";
import { annotationsText, labelsText, line, rfc1123z, sorted } from "./describe-util.ts";
import { chunkOf, listAll, listOrNothing } from "./paging.ts";
import type { Process } from "./process.ts";
import { templateOf } from "./template.ts";

type Json = Readonly<Record<string, unknown>>;
type Selector = Parameters<typeof formatLabelSelector>[0];
export const specOf = (object: KubeObject): Json => (object.spec ?? {}) as Json;
export const statusOf = (object: KubeObject): Json => (object.status ?? {}) as Json;
export const num = (value: unknown): number => (typeof value === "number" ? value : 0);

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

const template = (object: KubeObject): string => {
  const found = templateOf(object);
  return found === undefined ? "" : templateText(found);
};
const created = ({ metadata }: KubeObject): string => `CreationTimestamp:\t${rfc1123z(metadata.creationTimestamp ?? "")}\n`;
const begin = ({ metadata }: KubeObject): string => `Name:\t${metadata.name ?? ""}\nNamespace:\t${metadata.namespace ?? ""}\n`;
const meta = ({ metadata }: KubeObject): string => `${labelsText("Labels", metadata.labels)}${annotationsText("Annotations", metadata.annotations)}`;
const selector = (object: KubeObject): string => `Selector:\t${object.kind === "ReplicationController" ? sorted(specOf(object)["selector"] as Record<string, string>).map(([key, value]) => `${key}=${value}`).join(",") || "<none>" : formatLabelSelector(specOf(object)["selector"] as Selector)}\n`;

/** Who controls it: "ReplicaSet/web-1". */
export const controlledBy = ({ metadata }: KubeObject): string => {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner === undefined ? "" : `Controlled By:\t${owner.kind}/${owner.name}\n`;
};

function conditions(list: unknown): string {
  const all = (list ?? []) as readonly Condition[];
  return all.length === 0 ? "" : `Conditions:\n  Type\tStatus\tReason\n  ----\t------\t------\n${all.map(({ type, status, reason = "" }) => `  ${type} \t${status}\t${reason}\n`).join("")}`;
}

/** Pods that the object controls, by phase. */
function podStatuses(p: Process, object: KubeObject): string {
  const { selector: found } = specOf(object);
  const labelSelector = object.kind === "ReplicationController" ? sorted(found as Record<string, string>).map(([key, value]) => `${key}=${value}`).join(",") : formatLabelSelector(found as Selector);
  const items = listAll(p, { path: `/api/v1/namespaces/${object.metadata.namespace ?? ""}/pods`, query: { labelSelector }, subject: "list pods" }, chunkOf(p.options)).items as readonly Pod[];
  const mine = items.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === object.metadata.uid) === true);
  const count = (phase: string): number => mine.filter((pod) => ((pod.status ?? {}) as { readonly phase?: string }).phase === phase).length;
  return `${count("Running")} Running / ${count("Pending")} Waiting / ${count("Succeeded")} Succeeded / ${count("Failed")} Failed\n`;
}

const HASH = "pod-template-hash";
function plainTemplate(object: KubeObject): string {
  const found = templateOf(object);
  const { [HASH]: _, ...labels } = found?.metadata?.labels ?? {};
  return JSON.stringify(sortKeys({ ...found, metadata: { ...found?.metadata, labels } }));
}

function replicaSets(p: Process, object: KubeObject): string {
  const labelSelector = formatLabelSelector(specOf(object)["selector"] as Selector);
  const items = listOrNothing(p, { path: `/apis/apps/v1/namespaces/${object.metadata.namespace ?? ""}/replicasets`, query: { labelSelector }, subject: "list replicasets" }, chunkOf(p.options));
  if (items === undefined) return "";
  const mine = items.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === object.metadata.uid) === true);
  const own = plainTemplate(object);
  const byAge = [...mine].sort((a, b) => ((a.metadata.creationTimestamp ?? "") < (b.metadata.creationTimestamp ?? "") ? -1 : (a.metadata.creationTimestamp ?? "") > (b.metadata.creationTimestamp ?? "") ? 1 : (a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1));
  const current = byAge.find((set) => plainTemplate(set) === own);
  const text = (sets: readonly KubeObject[]): string => sets.map((set) => `${set.metadata.name ?? ""} (${num(statusOf(set)["replicas"])}/${num(specOf(set)["replicas"])} replicas created)`).join(", ") || "<none>";
  return `OldReplicaSets:\t${text(byAge.filter((set) => set !== current))}\nNewReplicaSet:\t${text(current === undefined ? [] : [current])}\n`;
}

export function deploymentText(object: KubeObject, p: Process): string {
  const [spec, status] = [specOf(object), statusOf(object)];
  const strategy = (spec["strategy"] ?? {}) as { readonly type?: string; readonly rollingUpdate?: { readonly maxUnavailable?: unknown; readonly maxSurge?: unknown } };
  return [
    begin(object), created(object), meta(object), selector(object),
    `Replicas:\t${num(spec["replicas"])} desired | ${num(status["updatedReplicas"])} updated | ${num(status["replicas"])} total | ${num(status["availableReplicas"])} available | ${num(status["unavailableReplicas"])} unavailable\n`,
    `StrategyType:\t${strategy.type ?? ""}\nMinReadySeconds:\t${num(spec["minReadySeconds"])}\n`,
    strategy.rollingUpdate ? `RollingUpdateStrategy:\t${String(strategy.rollingUpdate.maxUnavailable)} max unavailable, ${String(strategy.rollingUpdate.maxSurge)} max surge\n` : "",
    template(object), conditions(status["conditions"]), replicaSets(p, object),
  ].join("");
}

/** ReplicaSets and ReplicationControllers. */
export function replicasText(object: KubeObject, p: Process): string {
  const statuses = podStatuses(p, object);
  return `${begin(object)}${selector(object)}${meta(object)}${controlledBy(object)}Replicas:\t${num(statusOf(object)["replicas"])} current / ${num(specOf(object)["replicas"])} desired\nPods Status:\t${statuses}${template(object)}${conditions(statusOf(object)["conditions"])}`;
}

function claimTemplates(list: unknown): string {
  const all = (list ?? []) as readonly (KubeObject & { readonly spec: { readonly storageClassName?: string; readonly accessModes?: readonly string[]; readonly resources?: { readonly requests?: { readonly storage?: string } } } })[];
  if (all.length === 0) return "Volume Claims:\t<none>\n";
  return `Volume Claims:\n${all.map(({ metadata, spec }) => `  Name:\t${metadata.name ?? ""}\n  StorageClass:\t${spec.storageClassName ?? ""}\n${labelsText("  Labels", metadata.labels)}${annotationsText("  Annotations", metadata.annotations)}  Capacity:\t${spec.resources?.requests?.storage ?? "<default>"}\n  Access Modes:\t[${(spec.accessModes ?? []).join(" ")}]\n`).join("")}`;
}

export function statefulSetText(object: KubeObject, p: Process): string {
  const spec = specOf(object);
  const strategy = (spec["updateStrategy"] ?? {}) as { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  const statuses = podStatuses(p, object);
  return [
    begin(object), created(object), selector(object), meta(object), `Replicas:\t${num(spec["replicas"])} desired | ${num(statusOf(object)["replicas"])} total\nUpdate Strategy:\t${strategy.type ?? ""}\n`,
    strategy.rollingUpdate?.partition === undefined ? "" : `  Partition:\t${strategy.rollingUpdate.partition}\n`, `Pods Status:\t${statuses}`, template(object), claimTemplates(spec["volumeClaimTemplates"]),
  ].join("");
}

export function daemonSetText(object: KubeObject, p: Process): string {
  const status = statusOf(object);
  const nodeSelector = templateOf(object)?.spec.nodeSelector;
  const statuses = podStatuses(p, object);
  return [
    begin(object), selector(object), `Node-Selector:\t${sorted(nodeSelector).map(([key, value]) => `${key}=${value}`).join(",") || "<none>"}\n`, meta(object),
    `Desired Number of Nodes Scheduled: ${num(status["desiredNumberScheduled"])}\nCurrent Number of Nodes Scheduled: ${num(status["currentNumberScheduled"])}\nNumber of Nodes Scheduled with Up-to-date Pods: ${num(status["updatedNumberScheduled"])}\n`,
    `Number of Nodes Scheduled with Available Pods: ${num(status["numberAvailable"])}\nNumber of Nodes Misscheduled: ${num(status["numberMisscheduled"])}\nPods Status:\t${statuses}`, template(object),
  ].join("");
}

const orUnset = (title: string, value: unknown): string => `${title}:\t${value === undefined ? "<unset>" : String(value)}\n`;

export function jobText(object: KubeObject): string {
  const [spec, status] = [specOf(object), statusOf(object)];
  const [start, end] = [status["startTime"], status["completionTime"]].map((time) => (typeof time === "string" ? time : undefined));
  const ready = status["ready"] === undefined ? "" : ` (${num(status["ready"])} Ready)`;
  return [
    begin(object), selector(object), meta(object), controlledBy(object), line("Parallelism", spec["parallelism"]), spec["completions"] === undefined ? "Completions:\t<unset>\n" : line("Completions", spec["completions"]),
    line("Completion Mode", spec["completionMode"]), line("Suspend", spec["suspend"]), line("Backoff Limit", spec["backoffLimit"]), line("TTL Seconds After Finished", spec["ttlSecondsAfterFinished"]),
    start === undefined ? "" : `Start Time:\t${rfc1123z(start)}\n`, end === undefined ? "" : `Completed At:\t${rfc1123z(end)}\n`, start === undefined || end === undefined ? "" : `Duration:\t${humanDuration(parseRfc3339(end) - parseRfc3339(start))}\n`,
    spec["activeDeadlineSeconds"] === undefined ? "" : `Active Deadline Seconds:\t${String(spec["activeDeadlineSeconds"])}s\n`,
    `Pods Statuses:\t${num(status["active"])} Active${ready} / ${num(status["succeeded"])} Succeeded / ${num(status["failed"])} Failed\n`,
    spec["completionMode"] === "Indexed" ? `Completed Indexes:\t${(status["completedIndexes"] as string | undefined) || "<none>"}\n` : "", template(object),
  ].join("");
}

export function cronJobText(object: KubeObject): string {
  const [spec, status] = [specOf(object), statusOf(object)];
  const job = ((spec["jobTemplate"] ?? {}) as { readonly spec?: Json }).spec ?? {};
  const deadline = spec["startingDeadlineSeconds"];
  const last = status["lastScheduleTime"];
  const active = (status["active"] ?? []) as readonly { readonly name: string }[];
  return [
    begin(object), meta(object), `Schedule:\t${String(spec["schedule"])}\nConcurrency Policy:\t${String(spec["concurrencyPolicy"])}\nSuspend:\t${spec["suspend"] === true ? "True" : "False"}\n`, line("Time Zone", spec["timeZone"]),
    orUnset("Successful Job History Limit", spec["successfulJobsHistoryLimit"]), orUnset("Failed Job History Limit", spec["failedJobsHistoryLimit"]), `Starting Deadline Seconds:\t${deadline === undefined ? "<unset>" : `${String(deadline)}s`}\n`,
    `Selector:\t${job["selector"] === undefined ? "<unset>" : formatLabelSelector(job["selector"] as Selector)}\n`, orUnset("Parallelism", job["parallelism"]), orUnset("Completions", job["completions"]),
    job["activeDeadlineSeconds"] === undefined ? "" : `Active Deadline Seconds:\t${String(job["activeDeadlineSeconds"])}s\n`, template(object),
    `Last Schedule Time:\t${typeof last === "string" ? rfc1123z(last) : "<unset>"}\nActive Jobs:\t${active.map(({ name }) => name).join(", ") || "<none>"}\n`,
  ].join("");
}

interface Behaviour {
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy?: string;
  readonly policies?: readonly { readonly type: string; readonly value: number; readonly periodSeconds: number }[];
}
function behaviour(title: string, rules: Behaviour | undefined): string {
  if (rules === undefined) return "";
  const policies = rules.policies ?? [];
  return `  ${title}:\n${rules.stabilizationWindowSeconds === undefined ? "" : `    Stabilization Window: ${rules.stabilizationWindowSeconds} seconds\n`}    Select Policy: ${rules.selectPolicy ?? "Max"}\n    Policies:\n${policies.map(({ type, value, periodSeconds }) => `      - Type: ${type}\tValue: ${value}\tPeriod: ${periodSeconds} seconds\n`).join("")}`;
}

export function autoscalerText(object: KubeObject): string {
  const [spec, status] = [specOf(object), statusOf(object)];
  const target = spec["scaleTargetRef"] as { readonly kind: string; readonly name: string };
  const rules = spec["behavior"] as { readonly scaleUp?: Behaviour; readonly scaleDown?: Behaviour } | undefined;
  const list = (status["conditions"] ?? []) as readonly Condition[];
  return [
    begin(object), meta(object), created(object), `Reference:\t${target.kind}/${target.name}\n`, metricsText(spec["metrics"], status["currentMetrics"]),
    `Min replicas:\t${spec["minReplicas"] === undefined ? "<unset>" : String(spec["minReplicas"])}\nMax replicas:\t${String(spec["maxReplicas"])}\n`, rules === undefined ? "" : `Behavior:\n${behaviour("Scale Up", rules.scaleUp)}${behaviour("Scale Down", rules.scaleDown)}`,
    `${target.kind} pods:\t${num(status["currentReplicas"])} current / ${num(status["desiredReplicas"])} desired\n`,
    list.length === 0 ? "" : `Conditions:\n  Type\tStatus\tReason\tMessage\n  ----\t------\t------\t-------\n${list.map(({ type, status: state, reason = "", message = "" }) => `  ${type}\t${state}\t${reason}\t${message}\n`).join("")}`,
  ].join("");
}
