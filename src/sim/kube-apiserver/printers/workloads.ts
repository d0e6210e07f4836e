// Models printDeployment, printReplicaSet, printStatefulSet, printDaemonSet, printJob, printCronJob and printHorizontalPodAutoscaler
// of kubernetes/pkg/printers/internalversion/printers.go
import { humanDuration } from "../../api/duration.ts";
import { formatLabelSelector, labelSelectorAsSelector, labelsText, selectorText } from "../../api/labels.ts";
import { canonicalQuantity } from "../../api/quantity.ts";
import { type Micros, parseRfc3339 } from "../../api/time.ts";
import type { KubeObject, LabelSelector, Quantity } from "../../api/types.ts";
import { age, ageOf, columns, containerCells, count, type Json, json, list, nameOf, type Printer, text } from "./printer.ts";

const selector = (spec: Json): LabelSelector | undefined => spec["selector"] as LabelSelector | undefined;
const podSpec = (spec: Json): unknown => json(spec["template"])["spec"];

function selectorString(of: LabelSelector | undefined): string {
  const requirements = labelSelectorAsSelector(of);
  return typeof requirements === "string" ? "<invalid>" : selectorText(requirements);
}

export const deploymentPrinter = {
  kinds: ["apps/v1/Deployment"],
  columns: columns("Name Ready Up-to-date Available Age [Containers Images Selector]"),
  row(object, now) {
    const spec = json(object.spec);
    const status = json(object.status);
    return [
      nameOf(object), `${count(status["readyReplicas"])}/${count(spec["replicas"])}`, count(status["updatedReplicas"]), count(status["availableReplicas"]), ageOf(object, now),
      ...containerCells(podSpec(spec)), selectorString(selector(spec)),
    ];
  },
} satisfies Printer;

export const replicaSetPrinter = {
  kinds: ["apps/v1/ReplicaSet", "v1/ReplicationController"],
  columns: columns("Name Desired Current Ready Age [Containers Images Selector]"),
  row(object, now) {
    const spec = json(object.spec);
    const status = json(object.status);
    const shown = object.kind === "ReplicaSet" ? formatLabelSelector(selector(spec)) : labelsText(spec["selector"] as Readonly<Record<string, string>> | undefined) || "<none>";
    return [nameOf(object), count(spec["replicas"]), count(status["replicas"]), count(status["readyReplicas"]), ageOf(object, now), ...containerCells(podSpec(spec)), shown];
  },
} satisfies Printer;

export const statefulSetPrinter = {
  kinds: ["apps/v1/StatefulSet"],
  columns: columns("Name Ready Age [Containers Images]"),
  row(object, now) {
    const spec = json(object.spec);
    return [nameOf(object), `${count(json(object.status)["readyReplicas"])}/${count(spec["replicas"])}`, ageOf(object, now), ...containerCells(podSpec(spec))];
  },
} satisfies Printer;

export const daemonSetPrinter = {
  kinds: ["apps/v1/DaemonSet"],
  columns: columns("Name Desired Current Ready Up-to-date Available Node_Selector Age [Containers Images Selector]"),
  row(object, now) {
    const spec = json(object.spec);
    const status = json(object.status);
    const numbers = ["desiredNumberScheduled", "currentNumberScheduled", "numberReady", "updatedNumberScheduled", "numberAvailable"].map((key) => count(status[key]));
    const nodeSelector = labelsText(json(podSpec(spec))["nodeSelector"] as Readonly<Record<string, string>> | undefined) || "<none>";
    return [nameOf(object), ...numbers, nodeSelector, ageOf(object, now), ...containerCells(podSpec(spec)), formatLabelSelector(selector(spec))];
  },
} satisfies Printer;

function jobStatus(object: KubeObject): string {
  const has = (type: string): boolean => list(json(object.status)["conditions"]).some((c) => json(c)["type"] === type && json(c)["status"] === "True");
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (object.metadata.deletionTimestamp !== undefined) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find(has) ?? "Running";
}

function jobCompletions(spec: Json, status: Json): string {
  const succeeded = count(status["succeeded"]);
  if (typeof spec["completions"] === "number") return `${succeeded}/${spec["completions"]}`;
  const parallelism = Number(spec["parallelism"] ?? 0);
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(status: Json, now: Micros): string {
  const start = parseRfc3339(text(status["startTime"]));
  if (Number.isNaN(start)) return "";
  const end = parseRfc3339(text(status["completionTime"]));
  return humanDuration((Number.isNaN(end) ? now : end) - start);
}

export const jobPrinter = {
  kinds: ["batch/v1/Job"],
  columns: columns("Name Status Completions Duration Age [Containers Images Selector]"),
  row(object, now) {
    const spec = json(object.spec);
    const status = json(object.status);
    return [nameOf(object), jobStatus(object), jobCompletions(spec, status), jobDuration(status, now), ageOf(object, now), ...containerCells(podSpec(spec)), formatLabelSelector(selector(spec))];
  },
} satisfies Printer;

export const cronJobPrinter = {
  kinds: ["batch/v1/CronJob"],
  columns: columns("Name Schedule Timezone Suspend Active Last_Schedule Age [Containers Images Selector]"),
  row(object, now) {
    const spec = json(object.spec);
    const status = json(object.status);
    const job = json(json(spec["jobTemplate"])["spec"]);
    const suspend = spec["suspend"] === undefined ? "<unset>" : spec["suspend"] === true ? "True" : "False";
    return [
      nameOf(object), text(spec["schedule"]), text(spec["timeZone"]) || "<none>", suspend, String(list(status["active"]).length),
      status["lastScheduleTime"] === undefined ? "<none>" : age(status["lastScheduleTime"], now), ageOf(object, now), ...containerCells(podSpec(job)), formatLabelSelector(selector(job)),
    ];
  },
} satisfies Printer;

const SOURCES: Readonly<Record<string, string>> = { External: "external", Pods: "pods", Object: "object", Resource: "resource", ContainerResource: "containerResource" };

function metricText(metric: Json, status: Json): string {
  const key = SOURCES[text(metric["type"])];
  if (key === undefined) return "<unknown type>";
  const source = json(metric[key]);
  const target = json(source["target"]);
  const current = json(json(status[key])["current"]);
  const quantity = (value: unknown): string => (value === undefined ? "<unknown>" : canonicalQuantity(value as Quantity));
  if (key === "resource" || key === "containerResource") {
    const name = text(source["name"]);
    if (target["averageValue"] !== undefined) return `${name}: ${quantity(current["averageValue"])}/${quantity(target["averageValue"])}`;
    const percent = (value: unknown, missing: string): string => (typeof value === "number" ? `${value}%` : missing);
    return `${name}: ${percent(current["averageUtilization"], "<unknown>")}/${percent(target["averageUtilization"], "<auto>")}`;
  }
  if (key === "pods") return `${quantity(current["averageValue"])}/${quantity(target["averageValue"])}`;
  if (target["averageValue"] !== undefined) return `${quantity(current["averageValue"])}/${quantity(target["averageValue"])} (avg)`;
  return `${quantity(current["value"])}/${quantity(target["value"])}`;
}

/** Two metrics and how many more. */
function metricsText(spec: Json, status: Json): string {
  const metrics = list(spec["metrics"]).map(json);
  const statuses = list(status["currentMetrics"]).map(json);
  if (metrics.length === 0) return "<none>";
  const texts = metrics.map((metric, i) => metricText(metric, statuses[i] ?? {}));
  return texts.length > 2 ? `${texts.slice(0, 2).join(", ")} + ${texts.length - 2} more...` : texts.join(", ");
}

export const horizontalPodAutoscalerPrinter = {
  kinds: ["autoscaling/v2/HorizontalPodAutoscaler", "autoscaling/v1/HorizontalPodAutoscaler"],
  columns: columns("Name Reference Targets MinPods MaxPods Replicas Age"),
  row(object, now) {
    const spec = json(object.spec);
    const status = json(object.status);
    const target = json(spec["scaleTargetRef"]);
    const min = spec["minReplicas"] === undefined ? "<unset>" : count(spec["minReplicas"]);
    return [nameOf(object), `${text(target["kind"])}/${text(target["name"])}`, metricsText(spec, status), min, count(spec["maxReplicas"]), count(status["currentReplicas"]), ageOf(object, now)];
  },
} satisfies Printer;
