// Models kubernetes/staging/src/k8s.io/pod-security-admission: baseline and restricted at "latest"
import type { Container, Pod, PodSpec } from "../../api/types.ts";
import { type AdmissionPlugin, forbid } from "./attributes.ts";

type Json = Readonly<Record<string, unknown>>;
const json = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});
const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((v) => typeof v === "string") : []);

/** A failed check: what is wrong, and where. */
interface Violation {
  readonly reason: string;
  readonly detail: string;
}
type Check = (spec: PodSpec, pod: Pod) => Violation | undefined;

const allContainers = (spec: PodSpec): readonly Container[] => [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(", ");
const plural = (word: string, n: number): string => (n === 1 ? word : `${word}s`);
const containersNamed = (names: readonly string[]): string => `${plural("container", names.length)} ${quoted(names)}`;
const context = (container: Container): Json => json(container.securityContext);
const failing = (spec: PodSpec, test: (container: Container) => boolean): string[] => allContainers(spec).filter(test).map((c) => c.name);
const isWindows = (spec: PodSpec): boolean => spec.os?.name === "windows";

const privileged: Check = (spec) => {
  const names = failing(spec, (c) => context(c)["privileged"] === true);
  return names.length === 0 ? undefined : { reason: "privileged", detail: `${containersNamed(names)} must not set securityContext.privileged=true` };
};

const hostNamespaces: Check = (spec) => {
  const set = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((key) => spec[key]);
  return set.length === 0 ? undefined : { reason: "host namespaces", detail: set.map((key) => `${key}=true`).join(", ") };
};

const hostPathVolumes: Check = (spec) => {
  const names = (spec.volumes ?? []).filter((v) => v.hostPath).map((v) => v.name);
  return names.length === 0 ? undefined : { reason: "hostPath volumes", detail: `${plural("volume", names.length)} ${quoted(names)}` };
};

const hostPorts: Check = (spec) => {
  const names: string[] = [];
  const ports = new Set<number>();
  for (const c of allContainers(spec)) {
    const used = (c.ports ?? []).map((p) => p.hostPort ?? 0).filter((p) => p !== 0);
    if (used.length > 0) names.push(c.name);
    for (const port of used) ports.add(port);
  }
  const sorted = [...ports].map(String).sort((a, b) => (a < b ? -1 : 1));
  return names.length === 0 ? undefined : { reason: "hostPort", detail: `${containersNamed(names)} ${names.length === 1 ? "uses" : "use"} ${plural("hostPort", sorted.length)} ${sorted.join(", ")}` };
};

const BASELINE_CAPABILITIES = new Set(["AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"]);

const capabilitiesBaseline: Check = (spec) => {
  const extra = new Set<string>();
  const names = failing(spec, (c) => {
    const bad = strings(json(context(c)["capabilities"])["add"]).filter((name) => !BASELINE_CAPABILITIES.has(name));
    for (const name of bad) extra.add(name);
    return bad.length > 0;
  });
  const list = quoted([...extra].sort((a, b) => (a < b ? -1 : 1)));
  return names.length === 0 ? undefined : { reason: "non-default capabilities", detail: `${containersNamed(names)} must not include ${list} in securityContext.capabilities.add` };
};

const procMountUnmasked: Check = (spec) => {
  const names = failing(spec, (c) => (context(c)["procMount"] ?? "Default") !== "Default");
  return names.length === 0 ? undefined : { reason: "procMount", detail: `${containersNamed(names)} must not set securityContext.procMount to "Unmasked"` };
};
/** Baseline lets Pods in a user namespace unmask it. */
const procMountBaseline: Check = (spec, pod) => (spec.hostUsers === false ? undefined : procMountUnmasked(spec, pod));

const profileType = (of: Json): unknown => json(of["seccompProfile"])["type"];

const seccompBaseline: Check = (spec) => {
  const pod = profileType(json(spec.securityContext)) === "Unconfined";
  const names = failing(spec, (c) => profileType(context(c)) === "Unconfined");
  if (!pod && names.length === 0) return undefined;
  const setters = [...(pod ? ["pod"] : []), ...(names.length > 0 ? [containersNamed(names)] : [])];
  return { reason: "seccompProfile", detail: `${setters.join(" and ")} must not set securityContext.seccompProfile.type to "Unconfined"` };
};

const SAFE_SYSCTLS = new Set(["kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range", "net.ipv4.ip_unprivileged_port_start", "net.ipv4.ip_local_reserved_ports", "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes", "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"]);

const sysctls: Check = (spec) => {
  const list = json(spec.securityContext)["sysctls"];
  const bad = (Array.isArray(list) ? list : []).map((s) => String(json(s)["name"])).filter((name) => !SAFE_SYSCTLS.has(name));
  return bad.length === 0 ? undefined : { reason: "forbidden sysctls", detail: bad.join(", ") };
};

const hostProbes: Check = (spec) => {
  const hosts = new Set<string>();
  const names = failing(spec, (c) => {
    const handlers = [c.livenessProbe, c.readinessProbe, c.startupProbe, c.lifecycle?.postStart, c.lifecycle?.preStop];
    const bad = handlers.flatMap((h) => [h?.httpGet?.host ?? "", h?.tcpSocket?.host ?? ""]).filter((host) => host !== "");
    for (const host of bad) hosts.add(host);
    return bad.length > 0;
  }).sort((a, b) => (a < b ? -1 : 1));
  if (names.length === 0) return undefined;
  const list = quoted([...hosts].sort((a, b) => (a < b ? -1 : 1)));
  return { reason: "probe or lifecycle host", detail: `${containersNamed(names)} ${names.length === 1 ? "uses" : "use"} probe or lifecycle ${plural("host", hosts.size)} ${list}` };
};

const allowPrivilegeEscalation: Check = (spec) => {
  if (isWindows(spec)) return undefined;
  const names = failing(spec, (c) => context(c)["allowPrivilegeEscalation"] !== false);
  return names.length === 0 ? undefined : { reason: "allowPrivilegeEscalation != false", detail: `${containersNamed(names)} must set securityContext.allowPrivilegeEscalation=false` };
};

const capabilitiesRestricted: Check = (spec) => {
  if (isWindows(spec)) return undefined;
  const undropped = failing(spec, (c) => !strings(json(context(c)["capabilities"])["drop"]).includes("ALL"));
  const added = new Set<string>();
  const adding = failing(spec, (c) => {
    const bad = strings(json(context(c)["capabilities"])["add"]).filter((name) => name !== "NET_BIND_SERVICE");
    for (const name of bad) added.add(name);
    return bad.length > 0;
  });
  const parts = [
    ...(undropped.length > 0 ? [`${containersNamed(undropped)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding.length > 0 ? [`${containersNamed(adding)} must not include ${quoted([...added].sort((a, b) => (a < b ? -1 : 1)))} in securityContext.capabilities.add`] : []),
  ];
  return parts.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: parts.join("; ") };
};

const RESTRICTED_VOLUMES = new Set(["configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim", "projected", "secret"]);

const restrictedVolumes: Check = (spec) => {
  const types = new Set<string>();
  const names = (spec.volumes ?? []).filter((v) => {
    const bad = Object.keys(v).filter((key) => key !== "name" && !RESTRICTED_VOLUMES.has(key));
    for (const type of bad) types.add(type);
    return bad.length > 0;
  }).map((v) => v.name);
  if (names.length === 0) return undefined;
  const list = quoted([...types].sort((a, b) => (a < b ? -1 : 1)));
  return { reason: "restricted volume types", detail: `${plural("volume", names.length)} ${quoted(names)} ${names.length === 1 ? "uses" : "use"} restricted volume ${plural("type", types.size)} ${list}` };
};

const runAsNonRoot: Check = (spec) => {
  const pod = json(spec.securityContext)["runAsNonRoot"];
  const explicit = failing(spec, (c) => context(c)["runAsNonRoot"] === false);
  const implicit = failing(spec, (c) => context(c)["runAsNonRoot"] === undefined);
  const bad = [...(pod === false ? ["pod"] : []), ...(explicit.length > 0 ? [containersNamed(explicit)] : [])];
  if (bad.length > 0) return { reason: "runAsNonRoot != true", detail: `${bad.join(" and ")} must not set securityContext.runAsNonRoot=false` };
  if (pod === true || implicit.length === 0) return undefined;
  return { reason: "runAsNonRoot != true", detail: `pod or ${containersNamed(implicit)} must set securityContext.runAsNonRoot=true` };
};

const runAsUser: Check = (spec) => {
  const pod = json(spec.securityContext)["runAsUser"] === 0;
  const names = failing(spec, (c) => context(c)["runAsUser"] === 0);
  const bad = [...(pod ? ["pod"] : []), ...(names.length > 0 ? [containersNamed(names)] : [])];
  return bad.length === 0 ? undefined : { reason: "runAsUser=0", detail: `${bad.join(" and ")} must not set runAsUser=0` };
};

const seccompRestricted: Check = (spec) => {
  if (isWindows(spec)) return undefined;
  const allowed = (type: unknown): boolean => type === "RuntimeDefault" || type === "Localhost";
  const pod = profileType(json(spec.securityContext));
  const explicit = failing(spec, (c) => profileType(context(c)) !== undefined && !allowed(profileType(context(c))));
  const implicit = failing(spec, (c) => profileType(context(c)) === undefined);
  const bad = [...(pod !== undefined && !allowed(pod) ? ["pod"] : []), ...(explicit.length > 0 ? [containersNamed(explicit)] : [])];
  if (bad.length > 0) return { reason: "seccompProfile", detail: `${bad.join(" and ")} must not set securityContext.seccompProfile.type to "Unconfined"` };
  if (allowed(pod) || implicit.length === 0) return undefined;
  return { reason: "seccompProfile", detail: `pod or ${containersNamed(implicit)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"` };
};

/** In the order upstream reports them: by check id. Simplified: AppArmor, SELinux and Windows host process checks are left out. */
const BASELINE: readonly Check[] = [capabilitiesBaseline, hostNamespaces, hostPathVolumes, hostPorts, hostProbes, privileged, procMountBaseline, seccompBaseline, sysctls];
const RESTRICTED: readonly Check[] = [
  allowPrivilegeEscalation, capabilitiesRestricted, hostNamespaces, hostPorts, hostProbes, privileged, procMountUnmasked, restrictedVolumes, runAsNonRoot, runAsUser, seccompRestricted, sysctls,
];

/** What a Pod would violate at a level, as one text; undefined when nothing. */
export function podSecurityViolations(pod: Pod, level: string): string | undefined {
  const checks = level === "restricted" ? RESTRICTED : level === "baseline" ? BASELINE : [];
  const found = checks.map((check) => check(pod.spec, pod)).filter((v) => v !== undefined);
  return found.length === 0 ? undefined : found.map((v) => `${v.reason} (${v.detail})`).join(", ");
}

/** Enforces the level in the namespace's label; without one, "privileged" allows everything. */
export const podSecurity = {
  name: "PodSecurity",
  handles: ({ group, resource, subresource, operation }) => group === "" && resource === "pods" && subresource === "" && operation === "CREATE",

  validate(object, attrs) {
    const labels = attrs.lookup("namespaces", "", attrs.namespace)?.metadata.labels ?? {};
    const level = labels["pod-security.kubernetes.io/enforce"] ?? "privileged";
    const violations = podSecurityViolations(object as Pod, level);
    const version = labels["pod-security.kubernetes.io/enforce-version"] ?? "latest";
    return violations === undefined ? undefined : forbid(attrs, object, `violates PodSecurity ${JSON.stringify(`${level}:${version}`)}: ${violations}`);
  },
} satisfies AdmissionPlugin;
