// Models kubernetes/staging/src/k8s.io/kubectl/pkg/describe/describe.go (PodDescriber)
import { canonicalQuantity } from "../api/quantity.ts";
import { EPOCH_SECONDS, type Micros, parseRfc3339, SECOND } from "../api/time.ts";
import type { Container, KubeEvent, Pod, Probe, ResourceList } from "../api/types.ts";
import { humanDuration } from "../api/duration.ts";
import { lastSeen } from "./other-commands.ts";
import { align } from "./tabwriter.ts";
import { volumeLines } from "./describe-volumes.ts";

const DAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** "Mon, 30 Nov 2026 12:07:20 +0000" */
export function rfc1123z(timestamp: string): string {
  const days = Math.floor((EPOCH_SECONDS + Math.floor(parseRfc3339(timestamp) / SECOND)) / 86_400);
  const m = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}:\d{2})/.exec(timestamp);
  return m ? `${DAYS[days % 7] ?? ""}, ${m[3] ?? ""} ${MONTHS[Number(m[2]) - 1] ?? ""} ${m[1] ?? ""} ${m[4] ?? ""} +0000` : timestamp;
}

const sorted = <T>(map: Readonly<Record<string, T>> | undefined): [string, T][] => Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

function multiline(title: string, pairs: readonly string[]): string {
  return pairs.length === 0 ? `${title}:\t<none>\n` : `${title}:\t${pairs.join("\n\t")}\n`;
}

type State = { readonly waiting?: { readonly reason?: string; readonly message?: string }; readonly running?: { readonly startedAt?: string | null }; readonly terminated?: { readonly reason?: string; readonly message?: string; readonly exitCode: number; readonly signal?: number; readonly startedAt?: string | null; readonly finishedAt?: string | null } };
interface ContainerStatus {
  readonly name: string;
  readonly state?: State;
  readonly lastState?: State;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly imageID?: string;
  readonly containerID?: string;
}

function stateLines(title: string, state: State | undefined): string {
  if (state?.running) return `    ${title}:\tRunning\n      Started:\t${rfc1123z(state.running.startedAt ?? "")}\n`;
  if (state?.waiting) return `    ${title}:\tWaiting\n${state.waiting.reason ? `      Reason:\t${state.waiting.reason}\n` : ""}`;
  if (state?.terminated) {
    const { reason, message, exitCode, signal, startedAt, finishedAt } = state.terminated;
    return `    ${title}:\tTerminated\n${reason ? `      Reason:\t${reason}\n` : ""}${message ? `      Message:\t${message}\n` : ""}      Exit Code:\t${exitCode}\n${signal ? `      Signal:\t${signal}\n` : ""}      Started:\t${rfc1123z(startedAt ?? "")}\n      Finished:\t${rfc1123z(finishedAt ?? "")}\n`;
  }
  return `    ${title}:\tWaiting\n`;
}

function probeText(probe: Probe): string {
  const timing = `delay=${probe.initialDelaySeconds ?? 0}s timeout=${probe.timeoutSeconds ?? 1}s period=${probe.periodSeconds ?? 10}s #success=${probe.successThreshold ?? 1} #failure=${probe.failureThreshold ?? 3}`;
  if (probe.exec) return `exec [${(probe.exec.command ?? []).join(" ")}] ${timing}`;
  if (probe.httpGet) {
    const { scheme, host, port, path } = probe.httpGet;
    return `http-get ${(scheme ?? "HTTP").toLowerCase()}://${host ?? ""}:${port}${path ?? ""} ${timing}`;
  }
  if (probe.tcpSocket) return `tcp-socket ${probe.tcpSocket.host ?? ""}:${probe.tcpSocket.port} ${timing}`;
  if (probe.grpc) return `grpc <pod>:${probe.grpc.port} ${probe.grpc.service ?? ""} ${timing}`;
  return `unknown ${timing}`;
}

const resources = (title: string, list: ResourceList | undefined): string => (list === undefined || Object.keys(list).length === 0 ? "" : `    ${title}:\n${sorted(list).map(([name, quantity]) => `      ${name}:\t${canonicalQuantity(quantity)}\n`).join("")}`);

function environment(container: Container): string {
  const from = (container.envFrom ?? []).map((source) => {
    const [kind, ref] = source.configMapRef ? ["ConfigMap", source.configMapRef] : ["Secret", source.secretRef];
    return `      ${ref?.name ?? ""}\t${kind}${source.prefix ? ` with prefix '${source.prefix}'` : ""}\tOptional: ${ref?.optional === true}\n`;
  });
  const head = from.length === 0 ? "" : `    Environment Variables from:\n${from.join("")}`;
  if ((container.env ?? []).length === 0) return `${head}    Environment:\t<none>\n`;
  const lines = (container.env ?? []).map((variable) => {
    const source = variable.valueFrom;
    if (source?.fieldRef) return `      ${variable.name}:\t (${source.fieldRef.apiVersion ?? "v1"}:${source.fieldRef.fieldPath})\n`;
    if (source?.resourceFieldRef) return `      ${variable.name}:\t (${source.resourceFieldRef.resource})\n`;
    if (source?.configMapKeyRef) return `      ${variable.name}:\t<set to the key '${source.configMapKeyRef.key}' of config map '${source.configMapKeyRef.name ?? ""}'>\tOptional: ${source.configMapKeyRef.optional === true}\n`;
    if (source?.secretKeyRef) return `      ${variable.name}:\t<set to the key '${source.secretKeyRef.key}' in secret '${source.secretKeyRef.name ?? ""}'>\tOptional: ${source.secretKeyRef.optional === true}\n`;
    return `      ${variable.name}:\t${variable.value ?? ""}\n`;
  });
  return `${head}    Environment:\n${lines.join("")}`;
}

function portLines(container: Container): string {
  const ports = container.ports ?? [];
  const plural = ports.length > 1 ? "s" : "";
  const text = (pick: "containerPort" | "hostPort"): string => ports.map((port) => `${port[pick] ?? 0}/${port.protocol ?? "TCP"}${port.name ? ` (${port.name})` : ""}`).join(", ") || "<none>";
  return `    Port${plural}:\t${text("containerPort")}\n    Host Port${plural}:\t${text("hostPort")}\n`;
}

function mounts(container: Container): string {
  const list = [...(container.volumeMounts ?? [])].sort((a, b) => (a.mountPath < b.mountPath ? -1 : 1));
  if (list.length === 0) return "    Mounts:\t<none>\n";
  return `    Mounts:\n${list.map((mount) => `      ${mount.mountPath} from ${mount.name} (${mount.readOnly ? "ro" : "rw"}${mount.subPath ? `,path=${JSON.stringify(mount.subPath)}` : ""})\n`).join("")}`;
}

function containerLines(container: Container, status: ContainerStatus | undefined): string {
  const block = (title: string, words: readonly string[] | undefined): string => (words === undefined || words.length === 0 ? "" : `    ${title}:\n${words.flatMap((word) => word.split("\n")).map((word) => `      ${word}\n`).join("")}`);
  const probe = (title: string, value: Probe | undefined): string => (value === undefined ? "" : `    ${title}:\t${probeText(value)}\n`);
  return [
    `  ${container.name}:\n`,
    status ? `    Container ID:\t${status.containerID ?? ""}\n` : "",
    `    Image:\t${container.image ?? ""}\n`,
    status ? `    Image ID:\t${status.imageID ?? ""}\n` : "",
    portLines(container), block("Command", container.command), block("Args", container.args),
    status ? `${stateLines("State", status.state)}${status.lastState?.terminated ? stateLines("Last State", status.lastState) : ""}    Ready:\t${status.ready ? "True" : "False"}\n    Restart Count:\t${status.restartCount}\n` : "",
    resources("Limits", container.resources?.limits), resources("Requests", container.resources?.requests),
    probe("Liveness", container.livenessProbe), probe("Readiness", container.readinessProbe), probe("Startup", container.startupProbe),
    environment(container), mounts(container),
  ].join("");
}

function header(pod: Pod, now: Micros): string {
  const { metadata, spec } = pod;
  const status = (pod.status ?? {}) as NonNullable<Pod["status"]> & { readonly startTime?: string; readonly reason?: string; readonly message?: string; readonly hostIP?: string; readonly podIP?: string; readonly podIPs?: readonly { readonly ip: string }[] };
  const annotations = sorted(metadata.annotations).filter(([key]) => key !== LAST_APPLIED).map(([key, value]) => `${key}: ${value}`);
  const controller = metadata.ownerReferences?.find((reference) => reference.controller === true);
  const deleting = metadata.deletionTimestamp !== undefined && status.phase !== "Failed" && status.phase !== "Succeeded";
  const ips = status.podIPs ?? [];
  const line = (title: string, value: string | undefined): string => (value === undefined || value === "" ? "" : `${title}:\t${value}\n`);
  return [
    `Name:\t${metadata.name ?? ""}\nNamespace:\t${metadata.namespace ?? ""}\n`, spec.priority === undefined ? "" : `Priority:\t${spec.priority}\n`, line("Priority Class Name", spec.priorityClassName), line("Runtime Class Name", spec.runtimeClassName),
    `Service Account:\t${spec.serviceAccountName ?? ""}\nNode:\t${spec.nodeName ? `${spec.nodeName}/${status.hostIP ?? ""}` : "<none>"}\n`, status.startTime ? line("Start Time", rfc1123z(status.startTime)) : "",
    multiline("Labels", sorted(metadata.labels).map(([key, value]) => `${key}=${value}`)), multiline("Annotations", annotations),
    deleting ? `Status:\tTerminating (lasts ${humanDuration(Math.max(0, now - parseRfc3339(metadata.deletionTimestamp ?? "")))})\nTermination Grace Period:\t${metadata.deletionGracePeriodSeconds ?? 0}s\n` : `Status:\t${status.phase ?? ""}\n`,
    line("Reason", status.reason), line("Message", status.message),
    `IP:\t${status.podIP ?? ""}\n`, ips.length === 0 ? "IPs:\t<none>\n" : `IPs:\n${ips.map(({ ip }) => `  IP:\t${ip}\n`).join("")}`,
    controller ? `Controlled By:\t${controller.kind}/${controller.name}\n` : "",
  ].join("");
}

function tolerations(pod: Pod): string {
  const lines = [...(pod.spec.tolerations ?? [])].map((t) => {
    const key = `${t.key ?? ""}${t.operator !== "Exists" && t.value ? `=${t.value}` : ""}${t.effect ? `:${t.effect}` : ""}`;
    return `${key}${t.operator === "Exists" ? `${key === "" ? "" : " "}op=Exists` : ""}${t.tolerationSeconds === undefined ? "" : ` for ${t.tolerationSeconds}s`}`;
  });
  return multiline("Tolerations", lines.sort((a, b) => (a < b ? -1 : 1)));
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

/** kubectl describe pod, as it is printed; without events when several objects are described. `now` in microseconds. */
export function describePod(pod: Pod, events: readonly KubeEvent[] | undefined, now: Micros): string {
  const status = (pod.status ?? {}) as { readonly containerStatuses?: readonly ContainerStatus[]; readonly initContainerStatuses?: readonly ContainerStatus[]; readonly conditions?: readonly { readonly type: string; readonly status: string }[]; readonly qosClass?: string };
  const containers = (title: string, list: readonly Container[] | undefined, statuses: readonly ContainerStatus[] | undefined): string =>
    list === undefined || list.length === 0 ? "" : `${title}:\n${list.map((container) => containerLines(container, statuses?.find((s) => s.name === container.name))).join("")}`;
  const gates = pod.spec.readinessGates ?? [];
  const conditions = status.conditions ?? [];
  return align([
    header(pod, now), containers("Init Containers", pod.spec.initContainers, status.initContainerStatuses), containers("Containers", pod.spec.containers, status.containerStatuses),
    gates.length === 0 ? "" : `Readiness Gates:\n  Type\tStatus\n${gates.map(({ conditionType }) => `  ${conditionType} \t${conditions.find((c) => c.type === conditionType)?.status ?? "<none>"} \n`).join("")}`,
    conditions.length === 0 ? "" : `Conditions:\n  Type\tStatus\n${conditions.map((condition) => `  ${condition.type} \t${condition.status} \n`).join("")}`,
    volumeLines(pod.spec.volumes), `QoS Class:\t${status.qosClass ?? ""}\n`, multiline("Node-Selectors", sorted(pod.spec.nodeSelector).map(([key, value]) => `${key}=${value}`)), tolerations(pod), events === undefined ? "" : eventLines(events, now),
  ].join(""));
}
