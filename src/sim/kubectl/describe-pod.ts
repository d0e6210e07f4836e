// Models kubernetes/staging/src/k8s.io/kubectl/pkg/describe/describe.go (PodDescriber)
import { type Micros, parseRfc3339 } from "../api/time.ts";
import type { KubeEvent, Pod } from "../api/types.ts";
import { formatLabelSelector } from "../api/labels.ts";
import { humanDuration } from "../api/duration.ts";
import { type ContainerStatus, containersText } from "./describe-containers.ts";
import { annotationsText, multiline, rfc1123z, sorted } from "./describe-util.ts";
import { lastSeen } from "./events.ts";
import { volumeLines } from "./describe-volumes.ts";

function header(pod: Pod, now: Micros): string {
  const { metadata, spec } = pod;
  const status = (pod.status ?? {}) as NonNullable<Pod["status"]> & { readonly startTime?: string; readonly reason?: string; readonly message?: string; readonly hostIP?: string; readonly podIP?: string; readonly podIPs?: readonly { readonly ip: string }[] };
  const controller = metadata.ownerReferences?.find((reference) => reference.controller === true);
  const deleting = metadata.deletionTimestamp !== undefined && status.phase !== "Failed" && status.phase !== "Succeeded";
  const ips = status.podIPs ?? [];
  const line = (title: string, value: string | undefined): string => (value === undefined || value === "" ? "" : `${title}:\t${value}\n`);
  return [
    `Name:\t${metadata.name ?? ""}\nNamespace:\t${metadata.namespace ?? ""}\n`, spec.priority === undefined ? "" : `Priority:\t${spec.priority}\n`, line("Priority Class Name", spec.priorityClassName), line("Runtime Class Name", spec.runtimeClassName),
    `Service Account:\t${spec.serviceAccountName ?? ""}\nNode:\t${spec.nodeName ? `${spec.nodeName}/${status.hostIP ?? ""}` : "<none>"}\n`, status.startTime ? line("Start Time", rfc1123z(status.startTime)) : "",
    multiline("Labels", sorted(metadata.labels).map(([key, value]) => `${key}=${value}`)), annotationsText("Annotations", metadata.annotations),
    deleting ? `Status:\tTerminating (lasts ${humanDuration(Math.max(0, now - parseRfc3339(metadata.deletionTimestamp ?? "")))})\nTermination Grace Period:\t${metadata.deletionGracePeriodSeconds ?? 0}s\n` : `Status:\t${status.phase ?? ""}\n`,
    line("Reason", status.reason), line("Message", status.message),
    `IP:\t${status.podIP ?? ""}\n`, ips.length === 0 ? "IPs:\t<none>\n" : `IPs:\n${ips.map(({ ip }) => `  IP:\t${ip}\n`).join("")}`,
    controller ? `Controlled By:\t${controller.kind}/${controller.name}\n` : "",
  ].join("");
}

export function tolerationTexts(spec: Pod["spec"]): readonly string[] {
  const lines = [...(spec.tolerations ?? [])].map((t) => {
    const key = `${t.key ?? ""}${t.operator !== "Exists" && t.value ? `=${t.value}` : ""}${t.effect ? `:${t.effect}` : ""}`;
    return `${key}${t.operator === "Exists" ? `${key === "" ? "" : " "}op=Exists` : ""}${t.tolerationSeconds === undefined ? "" : ` for ${t.tolerationSeconds}s`}`;
  });
  return lines.sort((a, b) => (a < b ? -1 : 1));
}

export function spreadText(spec: Pod["spec"], indent = ""): string {
  const constraints = [...((spec.topologySpreadConstraints ?? []) as readonly { readonly topologyKey: string; readonly whenUnsatisfiable: string; readonly maxSkew: number; readonly labelSelector?: Parameters<typeof formatLabelSelector>[0] }[])].sort((a, b) => (a.topologyKey < b.topologyKey ? -1 : 1));
  if (constraints.length === 0) return "";
  return multiline(`${indent}Topology Spread Constraints`, constraints.map(({ topologyKey, whenUnsatisfiable, maxSkew, labelSelector }) => `${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded${labelSelector === undefined ? "" : ` for selector ${formatLabelSelector(labelSelector)}`}`));
}

/** The table of events, or "<none>". */
export function eventLines(events: readonly KubeEvent[], now: Micros): string {
  if (events.length === 0) return "Events:\t<none>\n";
  const rows = [...events].sort((a, b) => ((a.lastTimestamp ?? "") < (b.lastTimestamp ?? "") ? -1 : (a.lastTimestamp ?? "") > (b.lastTimestamp ?? "") ? 1 : 0)).map((event) => {
    const path = event.involvedObject?.fieldPath;
    const from = event.source?.component || event.reportingComponent || "";
    return `  ${event.type ?? ""}\t${event.reason ?? ""}\t${lastSeen(event, now)}\t${from}\t${path ? `${path}: ` : ""}${(event.message ?? "").trim()}\n`;
  });
  return `Events:\n  Type\tReason\tAge\tFrom\tMessage\n  ----\t------\t----\t----\t-------\n${rows.join("")}`;
}

/** kubectl describe pod, not yet aligned; without events when several objects are described. `now` in microseconds. */
export function describePod(pod: Pod, events: readonly KubeEvent[] | undefined, now: Micros): string {
  const status = (pod.status ?? {}) as { readonly containerStatuses?: readonly ContainerStatus[]; readonly initContainerStatuses?: readonly ContainerStatus[]; readonly ephemeralContainerStatuses?: readonly ContainerStatus[]; readonly conditions?: readonly { readonly type: string; readonly status: string }[]; readonly qosClass?: string };
  const gates = pod.spec.readinessGates ?? [];
  const conditions = status.conditions ?? [];
  return [
    header(pod, now), containersText("Init Containers", pod.spec.initContainers, status.initContainerStatuses), containersText("Containers", pod.spec.containers, status.containerStatuses),
    containersText("Ephemeral Containers", pod.spec.ephemeralContainers, status.ephemeralContainerStatuses),
    gates.length === 0 ? "" : `Readiness Gates:\n  Type\tStatus\n${gates.map(({ conditionType }) => `  ${conditionType} \t${conditions.find((c) => c.type === conditionType)?.status ?? "<none>"} \n`).join("")}`,
    conditions.length === 0 ? "" : `Conditions:\n  Type\tStatus\n${conditions.map((condition) => `  ${condition.type} \t${condition.status} \n`).join("")}`,
    volumeLines(pod.spec.volumes), `QoS Class:\t${status.qosClass ?? ""}\n`, multiline("Node-Selectors", sorted(pod.spec.nodeSelector).map(([key, value]) => `${key}=${value}`)), multiline("Tolerations", tolerationTexts(pod.spec)), spreadText(pod.spec), events === undefined ? "" : eventLines(events, now),
  ].join("");
}
