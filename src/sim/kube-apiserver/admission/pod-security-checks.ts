// Models kubernetes/staging/src/k8s.io/pod-security-admission/policy/check_*.go: what the level "baseline" forbids
import type { Container, ObjectMeta, PodSpec } from "../../api/types.ts";

export type Json = Readonly<Record<string, unknown>>;
export const json = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});
export const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((v) => typeof v === "string") : []);

/** A failed check: what is wrong, and where. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}
export type PodCheck = (spec: PodSpec, metadata: ObjectMeta) => Violation | undefined;

export const allContainers = (spec: PodSpec): readonly Container[] => [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
export const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(", ");
export const plural = (word: string, n: number): string => (n === 1 ? word : `${word}s`);
export const containersNamed = (names: readonly string[]): string => `${plural("container", names.length)} ${quoted(names)}`;
export const context = (container: Container): Json => json(container.securityContext);
export const failing = (spec: PodSpec, test: (container: Container) => boolean): string[] => allContainers(spec).filter(test).map((c) => c.name);

/** "pod and containers "a", "b"": everything that set something bad. */
export const settersText = (pod: boolean, names: readonly string[]): string => [...(pod ? ["pod"] : []), ...(names.length > 0 ? [containersNamed(names)] : [])].join(" and ");
export const sortedQuoted = (values: Iterable<string>): string => quoted([...new Set(values)].sort((a, b) => (a < b ? -1 : 1)));

export const privileged: PodCheck = (spec) => {
  const names = failing(spec, (c) => context(c)["privileged"] === true);
  return names.length === 0 ? undefined : { reason: "privileged", detail: `${containersNamed(names)} must not set securityContext.privileged=true` };
};

export const hostNamespaces: PodCheck = (spec) => {
  const set = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((key) => spec[key]);
  return set.length === 0 ? undefined : { reason: "host namespaces", detail: set.map((key) => `${key}=true`).join(", ") };
};

export const hostPathVolumes: PodCheck = (spec) => {
  const names = (spec.volumes ?? []).filter((v) => v.hostPath).map((v) => v.name);
  return names.length === 0 ? undefined : { reason: "hostPath volumes", detail: `${plural("volume", names.length)} ${quoted(names)}` };
};

export const hostPorts: PodCheck = (spec) => {
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

export const capabilitiesBaseline: PodCheck = (spec) => {
  const extra = new Set<string>();
  const names = failing(spec, (c) => {
    const bad = strings(json(context(c)["capabilities"])["add"]).filter((name) => !BASELINE_CAPABILITIES.has(name));
    for (const name of bad) extra.add(name);
    return bad.length > 0;
  });
  const list = quoted([...extra].sort((a, b) => (a < b ? -1 : 1)));
  return names.length === 0 ? undefined : { reason: "non-default capabilities", detail: `${containersNamed(names)} must not include ${list} in securityContext.capabilities.add` };
};

export const procMount: PodCheck = (spec) => {
  const types: string[] = [];
  const names = failing(spec, (c) => {
    const type = String(context(c)["procMount"] ?? "Default");
    if (type !== "Default") types.push(type);
    return type !== "Default";
  });
  return names.length === 0 ? undefined : { reason: "procMount", detail: `${containersNamed(names)} must not set securityContext.procMount to ${sortedQuoted(types)}` };
};

export const profileType = (of: Json): string | undefined => json(of["seccompProfile"])["type"] as string | undefined;
export const seccompAllowed = (type: string | undefined): boolean => type === "RuntimeDefault" || type === "Localhost";
const isBadProfile = (type: string | undefined): boolean => type !== undefined && !seccompAllowed(type);

/** Profiles that somebody named and that are not safe. */
export const seccompBaseline: PodCheck = (spec) => {
  const pod = profileType(json(spec.securityContext));
  const bad = allContainers(spec).filter((c) => isBadProfile(profileType(context(c))));
  if (!isBadProfile(pod) && bad.length === 0) return undefined;
  const values = [...(isBadProfile(pod) ? [pod ?? ""] : []), ...bad.map((c) => profileType(context(c)) ?? "")];
  return { reason: "seccompProfile", detail: `${settersText(isBadProfile(pod), bad.map((c) => c.name))} must not set securityContext.seccompProfile.type to ${sortedQuoted(values)}` };
};

const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";

/** Before 1.19 the profile stood in annotations. */
export const seccompAnnotations: PodCheck = (spec, metadata) => {
  const keys = [SECCOMP_POD, ...allContainers(spec).map((c) => `${SECCOMP_CONTAINER}${c.name}`)];
  const bad = keys.flatMap((key) => {
    const value = metadata.annotations?.[key];
    return value === undefined || value === "runtime/default" || value === "docker/default" || value.startsWith("localhost/") ? [] : [`${key}=${JSON.stringify(value)}`];
  });
  const list = [...new Set(bad)].sort((a, b) => (a < b ? -1 : 1));
  return list.length === 0 ? undefined : { reason: "seccompProfile", detail: `forbidden ${plural("annotation", list.length)} ${list.join(", ")}` };
};

const SAFE_SYSCTLS: readonly (readonly [since: number, names: readonly string[]])[] = [
  [0, ["kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range", "net.ipv4.ip_unprivileged_port_start"]], [27, ["net.ipv4.ip_local_reserved_ports"]],
  [29, ["net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes"]], [32, ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"]],
];

/** The sysctls that are safe since a minor version. */
export const sysctls = (minor: number): PodCheck => (spec) => {
  const safe = new Set(SAFE_SYSCTLS.filter(([since]) => since <= minor).flatMap(([, names]) => names));
  const list = json(spec.securityContext)["sysctls"];
  const bad = (Array.isArray(list) ? list : []).map((s) => String(json(s)["name"])).filter((name) => !safe.has(name));
  return bad.length === 0 ? undefined : { reason: "forbidden sysctls", detail: bad.join(", ") };
};

const APPARMOR_ANNOTATION = "container.apparmor.security.beta.kubernetes.io/";

export const appArmorProfile: PodCheck = (spec, metadata) => {
  const typeOf = (of: Json): string | undefined => json(of["appArmorProfile"])["type"] as string | undefined;
  const isBad = (type: string | undefined): boolean => type !== undefined && !seccompAllowed(type);
  const pod = typeOf(json(spec.securityContext));
  const bad = allContainers(spec).filter((c) => isBad(typeOf(context(c))));
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key, value]) => key.startsWith(APPARMOR_ANNOTATION) && value !== "" && value !== "runtime/default" && !value.startsWith("localhost/")).map(([key, value]) => `${key}=${JSON.stringify(value)}`).sort((a, b) => (a < b ? -1 : 1));
  const types = [...new Set([...(isBad(pod) ? [pod ?? ""] : []), ...bad.map((c) => typeOf(context(c)) ?? "")])].sort((a, b) => (a < b ? -1 : 1));
  const setters = [settersText(isBad(pod), bad.map((c) => c.name)), annotations.length === 0 ? "" : plural("annotation", annotations.length)].filter((text) => text !== "");
  if (setters.length === 0) return undefined;
  const values = [...types, ...annotations];
  return { reason: plural("forbidden AppArmor profile", values.length), detail: `${setters.join(" and ")} must not set AppArmor profile type to ${quoted(values)}` };
};

/** SELinux options: few types, neither user nor role. */
export const seLinuxOptions = (minor: number): PodCheck => (spec) => {
  const allowed = new Set(["", "container_t", "container_init_t", "container_kvm_t", ...(minor >= 31 ? ["container_engine_t"] : [])]);
  const types: string[] = [];
  let [user, role] = [false, false];
  const isBad = (of: Json): boolean => {
    const options = json(of["seLinuxOptions"]);
    const type = String(options["type"] ?? "");
    if (!allowed.has(type)) types.push(type);
    if (options["user"]) user = true;
    if (options["role"]) role = true;
    return !allowed.has(type) || Boolean(options["user"]) || Boolean(options["role"]);
  };
  const pod = isBad(json(spec.securityContext));
  const names = failing(spec, (c) => isBad(context(c)));
  if (!pod && names.length === 0) return undefined;
  const bad = [...(types.length > 0 ? [`${plural("type", new Set(types).size)} ${sortedQuoted(types)}`] : []), ...(user ? ["user may not be set"] : []), ...(role ? ["role may not be set"] : [])];
  return { reason: "seLinuxOptions", detail: `${settersText(pod, names)} set forbidden securityContext.seLinuxOptions: ${bad.join("; ")}` };
};

export const windowsHostProcess: PodCheck = (spec) => {
  const isBad = (of: Json): boolean => json(of["windowsOptions"])["hostProcess"] === true;
  const pod = isBad(json(spec.securityContext));
  const names = failing(spec, (c) => isBad(context(c)));
  return !pod && names.length === 0 ? undefined : { reason: "hostProcess", detail: `${settersText(pod, names)} must not set securityContext.windowsOptions.hostProcess=true` };
};

export const hostProbes: PodCheck = (spec) => {
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
