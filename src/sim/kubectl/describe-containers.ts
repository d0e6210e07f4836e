// Models kubernetes/staging/src/k8s.io/kubectl/pkg/describe/describe.go (describeContainers)
import { canonicalQuantity } from "../api/quantity.ts";
import type { Container, Probe, ResourceList } from "../api/types.ts";
import { rfc1123z, sorted } from "./describe-util.ts";

type State = { readonly waiting?: { readonly reason?: string; readonly message?: string }; readonly running?: { readonly startedAt?: string | null }; readonly terminated?: { readonly reason?: string; readonly message?: string; readonly exitCode: number; readonly signal?: number; readonly startedAt?: string | null; readonly finishedAt?: string | null } };
export interface ContainerStatus {
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

function containerLines(container: Container, status: ContainerStatus | undefined, nameIndent: string): string {
  const block = (title: string, words: readonly string[] | undefined): string => (words === undefined || words.length === 0 ? "" : `    ${title}:\n${words.flatMap((word) => word.split("\n")).map((word) => `      ${word}\n`).join("")}`);
  const probe = (title: string, value: Probe | undefined): string => (value === undefined ? "" : `    ${title}:\t${probeText(value)}\n`);
  return [
    `${nameIndent}${container.name}:\n`,
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

/** Containers with their state, if they have one; `space` is "" for a Pod and "  " for a Pod template. */
export function containersText(title: string, list: readonly Container[] | undefined, statuses: readonly ContainerStatus[] | undefined, space = ""): string {
  if (list === undefined || list.length === 0) return "";
  return `${space}${title}:\n${list.map((container) => containerLines(container, statuses?.find((status) => status.name === container.name), space === "" ? "  " : `${space} `)).join("")}`;
}

