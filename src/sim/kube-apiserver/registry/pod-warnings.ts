// Models kubernetes/pkg/api/pod/warnings.go and pkg/api/node/util.go: what is accepted and still worth a word
import { ipWarnings } from "../../api/ip.ts";
import { isValidLabelValue } from "../../api/names.ts";
import { canonicalQuantity, milliValue } from "../../api/quantity.ts";
import type { Container, ContainerPort, ObjectMeta, PodAffinity, PodSpec, Quantity } from "../../api/types.ts";
import { isSet, type Json, json, list, sortedEntries, text } from "../../api/validation/helpers.ts";
import { visitContainers } from "../../api/validation/pod-os.ts";

/** Node labels that have another name today. */
const OLD_LABELS: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead', "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
  "failure-domain.beta.kubernetes.io/region": 'deprecated since v1.17; use "topology.kubernetes.io/region" instead', "failure-domain.beta.kubernetes.io/zone": 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  "beta.kubernetes.io/instance-type": 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead', "app.kubernetes.io/created-by": "deprecated since v1.9",
  "scheduler.alpha.kubernetes.io/preferAvoidPods": "deprecated since v1.22; use Taints and Tolerations instead", "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
};

/** GetNodeLabelDeprecatedMessage as a warning about the field that names the label. */
export const oldLabelWarnings = (path: string, label: string, named = false): string[] => (OLD_LABELS[label] === undefined ? [] : [`${path}: ${named ? `${label} is ` : ""}${OLD_LABELS[label]}`]);

export function selectorTermWarnings(term: unknown, path: string, values = false): string[] {
  return list(json(term)["matchExpressions"]).map(json).flatMap((expression, i) => {
    const at = `${path}.matchExpressions[${i}]`;
    const bad = values ? list(expression["values"]).map(text).flatMap((value, j) => isValidLabelValue(value).map((error) => `${at}.values[${j}]: ${value} is invalid, ${error}`)) : [];
    return [...oldLabelWarnings(`${at}.key`, text(expression["key"]), true), ...bad];
  });
}

/** GetWarningsForPersistentVolumeClaimSpec, and of every other amount of bytes. */
export function fractionWarnings(amounts: unknown, path: string, names: readonly string[] = ["storage"]): string[] {
  return names.flatMap((name) => {
    const amount = json(amounts)[name] as Quantity | undefined;
    return amount !== undefined && milliValue(amount) % 1000 !== 0 ? [`${path}[${name}]: fractional byte value ${JSON.stringify(canonicalQuantity(amount))} is invalid, must be an integer`] : [];
  });
}
export const claimSpecWarnings = (spec: unknown, path: string): string[] => ["requests", "limits"].flatMap((key) => fractionWarnings(json(json(spec)["resources"])[key], `${path}.resources.${key}`));

const nodeAffinity = (spec: PodSpec): Json => json(json(spec.affinity)["nodeAffinity"]);
const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
const NULL_SELECTOR = "a null labelSelector results in matching no pod";

function placementWarnings(path: string, spec: PodSpec): string[] {
  const at = `${path}.affinity.nodeAffinity`;
  const affinity = nodeAffinity(spec);
  return [
    ...sortedEntries(spec.nodeSelector).flatMap(([label]) => oldLabelWarnings(`${path}.nodeSelector[${label}]`, label)),
    ...list(json(affinity[REQUIRED])["nodeSelectorTerms"]).flatMap((term, i) => selectorTermWarnings(term, `${at}.${REQUIRED}.nodeSelectorTerms[${i}]`)),
    ...list(affinity[PREFERRED]).flatMap((term, i) => selectorTermWarnings(json(term)["preference"], `${at}.${PREFERRED}[${i}].preference`, true)),
    ...(spec.topologySpreadConstraints ?? []).flatMap(({ topologyKey, labelSelector }, i) => {
      const field = `${path}.topologySpreadConstraints[${i}]`;
      return [...oldLabelWarnings(`${field}.topologyKey`, topologyKey, true), ...(labelSelector === undefined ? [`${field}.labelSelector: ${NULL_SELECTOR}`] : [])];
    }),
  ];
}

/** Kinds of volume that are gone, with the name they are reported under. */
const OLD_VOLUMES: readonly (readonly [string, string, string])[] = [
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"], ["gitRepo", "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"], ["flocker", "flocker", "deprecated in v1.22, non-functional in v1.25+"], ["storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"],
  ["quobyte", "quobyte", "deprecated in v1.22, non-functional in v1.25+"], ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"], ["ephemeral", "", ""],
  ["cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"], ["rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"],
];

/** A file of a volume, and what puts it there when there is more than one source. */
interface Target {
  readonly path: string;
  readonly source: string;
}
const shown = ({ path, source }: Target): string => (source === "" ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`);
const targets = (items: unknown, source: string): Target[] => list(items).map((item) => ({ path: text(json(item)["path"]).replace(/\/+$/, ""), source }));

function overlaps(all: readonly Target[]): string[] {
  const inside = (a: string, b: string): boolean => `${a}/`.startsWith(`${b}/`);
  return all.flatMap((target, i) => (target.path === "" ? [] : all.slice(0, i).filter(({ path }) => path !== "" && (inside(path, target.path) || inside(target.path, path))).map((other) => `${shown(target)} with ${shown(other)}`)));
}

function projectedTargets(source: Json): Target[] {
  for (const [key, kind] of [["configMap", "ConfigMap"], ["secret", "Secret"]] as const) if (isSet(json(source[key])["items"])) return targets(json(source[key])["items"], `${kind} ${JSON.stringify(text(json(source[key])["name"]))}`);
  if (isSet(json(source["downwardAPI"])["items"])) return targets(json(source["downwardAPI"])["items"], "DownwardAPI");
  return isSet(source["serviceAccountToken"]) ? targets([source["serviceAccountToken"]], "ServiceAccountToken") : [];
}

/** Sources behind gates that are off are dropped: nothing is left of them. */
const isDropped = (source: Json): boolean => Object.keys(source).every((key) => key === "podCertificate" || key === "clusterTrustBundle");

function pathWarnings(volume: Json): string[] {
  const name = JSON.stringify(text(volume["name"]));
  const of = (what: string, found: readonly string[]): string[] => found.map((overlap) => `volume ${name} (${what}): overlapping paths: ${overlap}`);
  const { configMap, secret, downwardAPI, projected } = volume;
  const sources = list(json(projected)["sources"]).map(json);
  return [
    ...of(`ConfigMap ${JSON.stringify(text(json(configMap)["name"]))}`, overlaps(targets(json(configMap)["items"], ""))), ...of(`Secret ${JSON.stringify(text(json(secret)["secretName"]))}`, overlaps(targets(json(secret)["items"], ""))),
    ...of("DownwardAPI", overlaps(targets(json(downwardAPI)["items"], ""))), ...sources.filter(isDropped).map(() => `volume ${name} (Projected) has no sources provided`), ...of("Projected", overlaps(sources.flatMap(projectedTargets))),
  ];
}

function volumeWarnings(path: string, spec: PodSpec): string[] {
  const volumes = (spec.volumes ?? []).map((volume) => volume as unknown as Json);
  const old = volumes.flatMap((volume, i) => OLD_VOLUMES.filter(([key]) => isSet(volume[key])).flatMap(([key, name, words]) => {
    const at = `${path}.volumes[${i}]`;
    return key === "ephemeral" ? claimSpecWarnings(json(json(volume[key])["volumeClaimTemplate"])["spec"], `${at}.ephemeral.volumeClaimTemplate.spec`) : [`${at}.${name}: ${words}`];
  }));
  return [...old, ...volumes.flatMap(pathWarnings)];
}

function repeated(items: readonly Json[], key: string, path: string, what: string): string[] {
  return items.flatMap((item, i) => (items.findIndex((other) => other[key] === item[key]) < i ? [`${path}[${i}].${key}: duplicate ${what} ${JSON.stringify(text(item[key]))}`] : []));
}

function environmentWarnings(path: string, env: NonNullable<Container["env"]>): string[] {
  if (env.length < 2) return [];
  // A variable that builds on the one it hides is meant to.
  const builds = (item: (typeof env)[number]): boolean => item.valueFrom === undefined && (item.value ?? "").includes(`$(${item.name})`) && item.value !== `$(${item.name})`;
  return env.flatMap((item, i) => (env.findIndex((other) => other.name === item.name) < i && !builds(item) ? [`${path}.env[${i}]: hides previous definition of ${JSON.stringify(item.name)}, which may be dropped when using apply`] : []));
}

const BYTES = ["memory"];
const SECCOMP = "container.seccomp.security.alpha.kubernetes.io/";
const APPARMOR = "container.apparmor.security.beta.kubernetes.io/";

function containerWarnings(path: string, container: Json, meta: ObjectMeta, prefix: string, isTemplate: boolean): string[] {
  const { limits, requests } = json(container["resources"]);
  const context = json(container["securityContext"]);
  const note = (annotation: string): string => `${prefix}metadata.annotations[${annotation}]`;
  const annotations = meta.annotations ?? {};
  const [seccomp, armor] = [SECCOMP + text(container["name"]), APPARMOR + text(container["name"])];
  return [
    ...(annotations[seccomp] !== undefined && !isSet(context["seccompProfile"]) ? [`${note(seccomp)}: non-functional in v1.27+; use the "seccompProfile" field instead`] : []),
    ...(isTemplate && annotations[armor] !== undefined && !isSet(context["appArmorProfile"]) ? [`${note(armor)}: deprecated since v1.30; use the "appArmorProfile" field instead`] : []),
    ...fractionWarnings(limits, `${path}.resources.limits`, BYTES), ...fractionWarnings(requests, `${path}.resources.requests`, BYTES),
    ...fractionWarnings(limits, `${path}.resources.limits`, ["ephemeral-storage"]), ...fractionWarnings(requests, `${path}.resources.requests`, ["ephemeral-storage"]),
    ...environmentWarnings(path, list(container["env"]) as NonNullable<Container["env"]>),
  ];
}

interface PortAt {
  readonly at: string;
  readonly port: ContainerPort;
}

function portClash({ at, port }: PortAt, other: PortAt): string[] {
  const [ip, otherIP] = [port.hostIP ?? "", other.port.hostIP ?? ""];
  const [host, otherHost] = [port.hostPort ?? 0, other.port.hostPort ?? 0];
  if (ip === otherIP && host === otherHost) return [`${at}: duplicate port definition with ${other.at}`];
  if (host === 0 || otherHost === 0) return [`${at}: overlapping port definition with ${other.at}`];
  return host === otherHost && (ip === "") !== (otherIP === "") ? [`${at}: dangerously ambiguous port definition with ${other.at}`] : [];
}

function portWarnings(path: string, spec: PodSpec): string[] {
  const ports = visitContainers(spec, path, (container, at) => list(container["ports"]).map((port, i): PortAt => ({ at: `${at}.ports[${i}]`, port: port as ContainerPort })));
  const clashes = ports.flatMap((one, i) => {
    const { name = "", hostPort = 0, containerPort, protocol = "", hostIP = "" } = one.port;
    const lost = hostIP !== "" && hostPort === 0 ? [`${one.at}: hostIP set without hostPort: {Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`] : [];
    return [...lost, ...ports.slice(0, i).filter((other) => other.port.containerPort === containerPort && other.port.protocol === protocol).flatMap((other) => portClash(one, other))];
  });
  const names = ports.flatMap(({ at, port }, i) => {
    const first = port.name ? ports.find((other) => other.port.name === port.name) : undefined;
    return first === undefined || ports.indexOf(first) === i ? [] : [`${at}: duplicate port name ${JSON.stringify(port.name)} with ${first.at}, services and probes that select ports by name will use ${first.at}`];
  });
  return [...clashes, ...names];
}

function podAffinityWarnings(affinity: PodAffinity | undefined, path: string): string[] {
  return [
    ...(affinity?.[REQUIRED] ?? []).flatMap((term, i) => (term.labelSelector === undefined ? [`${path}.${REQUIRED}[${i}].labelSelector: ${NULL_SELECTOR}`] : [])),
    ...(affinity?.[PREFERRED] ?? []).flatMap(({ podAffinityTerm: term }, i) => (term.labelSelector === undefined ? [`${path}.${PREFERRED}[${i}].podAffinityTerm.labelSelector: ${NULL_SELECTOR}`] : [])),
  ];
}

const OLD_ANNOTATIONS: readonly (readonly [string, string])[] = [
  ["scheduler.alpha.kubernetes.io/critical-pod", 'non-functional in v1.16+; use the "priorityClassName" field instead'], ["security.alpha.kubernetes.io/sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
  ["security.alpha.kubernetes.io/unsafe-sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
];
const POD_SECCOMP = "seccomp.security.alpha.kubernetes.io/pod";

/** Warnings about a Pod (`template` empty) or the template that stands at `template` ("spec.template"). */
export function podWarnings(spec: PodSpec, meta: ObjectMeta, template = ""): string[] {
  const prefix = template === "" ? "" : `${template}.`;
  const path = `${prefix}spec`;
  const aliases = spec.hostAliases ?? [];
  const secrets = (spec.imagePullSecrets ?? []).map((secret) => secret as unknown as Json);
  const annotation = (key: string, words: string): string[] => (meta.annotations?.[key] === undefined ? [] : [`${prefix}metadata.annotations[${key}]: ${words}`]);
  return [
    ...placementWarnings(path, spec), ...OLD_ANNOTATIONS.flatMap(([key, words]) => annotation(key, words)), ...volumeWarnings(path, spec),
    ...repeated(aliases.map((alias) => alias as unknown as Json), "ip", `${path}.hostAliases`, "ip"), ...repeated(secrets, "name", `${path}.imagePullSecrets`, "name"),
    ...secrets.flatMap((secret, i) => (secret["name"] ? [] : [`${path}.imagePullSecrets[${i}].name: invalid empty name ""`])), ...fractionWarnings(spec.overhead, `${path}.overhead`, ["memory", "ephemeral-storage"]),
    ...(isSet(json(spec.securityContext)["seccompProfile"]) ? [] : annotation(POD_SECCOMP, 'non-functional in v1.27+; use the "seccompProfile" field instead')),
    ...visitContainers(spec, path, (container, at) => containerWarnings(at, container, meta, prefix, template !== "")), ...portWarnings(path, spec),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0 ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`] : []),
    ...podAffinityWarnings(spec.affinity?.podAffinity, `${path}.affinity.podAffinity`), ...podAffinityWarnings(spec.affinity?.podAntiAffinity, `${path}.affinity.podAntiAffinity`),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((ip, i) => ipWarnings(`${path}.dnsConfig.nameservers[${i}]`, ip)), ...aliases.flatMap(({ ip }, i) => ipWarnings(`${path}.hostAliases[${i}].ip`, ip)),
  ];
}
