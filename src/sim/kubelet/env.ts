// Models kubernetes/pkg/kubelet/kubelet_pods.go makeEnvironmentVariables
import { canonicalQuantity, milliValue, value } from "../api/quantity.ts";
import { followLinks, normalizePath } from "../api/volume-files.ts";
import { parseEnvFile } from "./env-file.ts";
import type { ConfigMap, Container, EnvVar, KubeObject, Pod, ResourceList, Secret, Service } from "../api/types.ts";

export interface EnvSource {
  /** A ConfigMap or Secret by "configmap/ns/name" or "secret/ns/name"; undefined if the API server has none. */
  object(key: string): KubeObject | undefined;
  readonly pod: Pod;
  readonly podIP: string;
  readonly hostIP: string;
  readonly allocatable: ResourceList;
  readonly services: readonly Service[];
  /** The directory of a volume on the node and what is in it, if it was read. */
  volume(name: string): { readonly directory: string; readonly files: Readonly<Record<string, string>> } | undefined;
}

/** `error` is the waiting message of CreateContainerConfigError. */
export type EnvResult = { readonly env: readonly (readonly [string, string])[] } | { readonly error: string };

/** ConfigMaps and Secrets whose content a container's environment needs. */
export function environmentObjects(pod: Pod, container: Container): readonly string[] {
  const ns = pod.metadata.namespace ?? "default";
  const keys = [
    ...(container.envFrom ?? []).map((from) => (from.configMapRef ? `configmap/${ns}/${from.configMapRef.name ?? ""}` : `secret/${ns}/${from.secretRef?.name ?? ""}`)),
    ...(container.env ?? []).flatMap((env) => (env.valueFrom?.configMapKeyRef ? [`configmap/${ns}/${env.valueFrom.configMapKeyRef.name ?? ""}`] : env.valueFrom?.secretKeyRef ? [`secret/${ns}/${env.valueFrom.secretKeyRef.name ?? ""}`] : [])),
  ];
  return [...new Set(keys)];
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decodes a Secret's value. Simplified: bytes are taken as Latin-1. */
export function decodeBase64(text: string): string {
  let out = "";
  let bits = 0;
  let count = 0;
  for (const ch of text) {
    const index = BASE64.indexOf(ch);
    if (index < 0) continue;
    bits = (bits << 6) | index;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += String.fromCharCode((bits >> count) & 255);
    bits &= (1 << count) - 1;
  }
  return out;
}

/** Key to text of a ConfigMap or Secret. */
export function dataOf(object: KubeObject): Readonly<Record<string, string>> {
  if (object.kind !== "Secret") return (object as ConfigMap).data ?? {};
  return Object.fromEntries(Object.entries((object as Secret).data ?? {}).map(([key, text]) => [key, decodeBase64(text)]));
}

const envName = (name: string): string => name.toUpperCase().replaceAll("-", "_");

/** The old link variables of the namespace's Services, and always those of `kubernetes`. */
function serviceEnv(source: EnvSource): (readonly [string, string])[] {
  const out: (readonly [string, string])[] = [];
  for (const service of source.services) {
    const ip = service.spec.clusterIP;
    const { name = "", namespace } = service.metadata;
    const master = namespace === "default" && name === "kubernetes";
    if (ip === undefined || ip === "" || ip === "None" || (!master && (namespace !== source.pod.metadata.namespace || source.pod.spec.enableServiceLinks === false))) continue;
    const prefix = envName(name);
    const first = service.spec.ports?.[0];
    if (!first) continue;
    out.push([`${prefix}_SERVICE_HOST`, ip], [`${prefix}_SERVICE_PORT`, String(first.port)]);
    for (const port of service.spec.ports ?? []) if (port.name) out.push([`${prefix}_SERVICE_PORT_${envName(port.name)}`, String(port.port)]);
    const protocol = (first.protocol ?? "TCP").toLowerCase();
    const at = `${prefix}_PORT_${first.port}_${protocol.toUpperCase()}`;
    out.push([`${prefix}_PORT`, `${protocol}://${ip}:${first.port}`], [at, `${protocol}://${ip}:${first.port}`], [`${at}_PROTO`, protocol], [`${at}_PORT`, String(first.port)], [`${at}_ADDR`, ip]);
  }
  return out;
}

/** "metadata.labels['app']", "status.podIP", "spec.nodeName", ... */
export function fieldValue(source: Pick<EnvSource, "pod" | "podIP" | "hostIP">, path: string): string {
  const { pod } = source;
  const subscript = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path);
  if (subscript) return (subscript[1] === "labels" ? pod.metadata.labels : pod.metadata.annotations)?.[subscript[2] ?? ""] ?? "";
  const map = (entries: Readonly<Record<string, string>> | undefined): string => Object.keys(entries ?? {}).sort().map((key) => `${key}="${entries?.[key] ?? ""}"`).join("\n");
  switch (path) {
    case "metadata.name": return pod.metadata.name ?? "";
    case "metadata.namespace": return pod.metadata.namespace ?? "";
    case "metadata.uid": return pod.metadata.uid ?? "";
    case "metadata.labels": return map(pod.metadata.labels);
    case "metadata.annotations": return map(pod.metadata.annotations);
    case "spec.nodeName": return pod.spec.nodeName ?? "";
    case "spec.serviceAccountName": return pod.spec.serviceAccountName ?? "";
    case "status.hostIP": case "status.hostIPs": return source.hostIP;
    case "status.podIP": case "status.podIPs": return source.podIP;
    default: return "";
  }
}

/** "limits.memory" in units of the divisor, rounded up; an unset limit is the node's allocatable. */
export function resourceFieldValue(container: Container, resource: string, divisor: string | number | undefined, allocatable: ResourceList): string {
  const [list = "limits", name = "cpu"] = [resource.slice(0, resource.indexOf(".")), resource.slice(resource.indexOf(".") + 1)];
  const quantity = (list === "requests" ? container.resources?.requests?.[name] : container.resources?.limits?.[name]) ?? (list === "limits" ? allocatable[name] : "0") ?? "0";
  const unit = divisor === undefined || canonicalQuantity(divisor) === "0" ? "1" : divisor;
  return name === "cpu" ? String(Math.ceil(milliValue(quantity) / Math.max(1, milliValue(unit)))) : String(Math.ceil(value(quantity) / Math.max(1, value(unit))));
}

/** $(NAME) of variables defined before; $$ is a dollar sign. */
export function expandVariables(text: string, env: ReadonlyMap<string, string>): string {
  return text.replace(/\$(\$|\(([A-Za-z_][\w.-]*)\))/g, (whole, inner: string, name: string | undefined) => (inner === "$" ? "$" : (env.get(name ?? "") ?? whole)));
}

function fromSources(source: EnvSource, container: Container, env: Map<string, string>): string | undefined {
  const ns = source.pod.metadata.namespace ?? "default";
  for (const from of container.envFrom ?? []) {
    const ref = from.configMapRef ?? from.secretRef;
    const kind = from.configMapRef ? "configmap" : "secret";
    const object = source.object(`${kind}/${ns}/${ref?.name ?? ""}`);
    if (object === undefined) {
      if (ref?.optional) continue;
      return `${kind} "${ref?.name ?? ""}" not found`;
    }
    for (const [key, text] of Object.entries(dataOf(object))) env.set(`${from.prefix ?? ""}${key}`, text);
  }
  return undefined;
}

function keyed(source: EnvSource, variable: EnvVar): { value?: string; error?: string } {
  const ns = source.pod.metadata.namespace ?? "default";
  const ref = variable.valueFrom?.configMapKeyRef ?? variable.valueFrom?.secretKeyRef;
  const secret = variable.valueFrom?.secretKeyRef !== undefined;
  const object = source.object(`${secret ? "secret" : "configmap"}/${ns}/${ref?.name ?? ""}`);
  if (object === undefined) return ref?.optional ? {} : { error: `${secret ? "secret" : "configmap"} "${ref?.name ?? ""}" not found` };
  const text = dataOf(object)[ref?.key ?? ""];
  if (text === undefined) return ref?.optional ? {} : { error: `couldn't find key ${ref?.key ?? ""} in ${secret ? "Secret" : "ConfigMap"} ${ns}/${ref?.name ?? ""}` };
  return { value: text };
}

function fromFile(source: EnvSource, { volumeName, path, key, optional }: NonNullable<NonNullable<EnvVar["valueFrom"]>["fileKeyRef"]>): { value?: string; error?: string } {
  const volume = source.volume(volumeName);
  if (volume === undefined) return { error: `cannot find the volume "${volumeName}" referenced by FileKeyRef` };
  const text = volume.files[followLinks(volume.files, normalizePath(path))];
  const parsed = text === undefined ? { error: "no such file or directory" } : parseEnvFile(text, key);
  if ("error" in parsed) return { error: "couldn't parse env file" };
  if (parsed.value !== "") return { value: parsed.value };
  return optional ? {} : { error: `environment variable key "${key}" not found in file "${volume.directory}${normalizePath(path)}"` };
}

/** The environment of a container, or why it cannot be made. */
export function makeEnvironment(source: EnvSource, container: Container): EnvResult {
  const env = new Map<string, string>();
  const error = fromSources(source, container, env);
  if (error !== undefined) return { error };
  for (const variable of container.env ?? []) {
    const from = variable.valueFrom;
    if (!from) env.set(variable.name, expandVariables(variable.value ?? "", env));
    else if (from.fieldRef) env.set(variable.name, fieldValue(source, from.fieldRef.fieldPath));
    else if (from.resourceFieldRef) env.set(variable.name, resourceFieldValue(container, from.resourceFieldRef.resource, from.resourceFieldRef.divisor, source.allocatable));
    else {
      const found = from.fileKeyRef ? fromFile(source, from.fileKeyRef) : keyed(source, variable);
      if (found.error !== undefined) return { error: found.error };
      if (found.value !== undefined) env.set(variable.name, found.value);
    }
  }
  for (const [name, text] of serviceEnv(source)) if (!env.has(name)) env.set(name, text);
  return { env: [...env.entries()] };
}
