// Models ValidateService of kubernetes/pkg/apis/core/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, invalidEach, notSupported, required } from "../field-error.ts";
import { endpointIPErrors, ipFamily, isValidCIDR, isValidIP } from "../ip.ts";
import { isDNS1123Subdomain, isValidPortNum } from "../names.ts";
import type { Service, ServicePort } from "../types.ts";
import { json, list, named0, oneOf0, semanticEqual, text, validateDNS1123Label, validateDNS1123Subdomain, validateLabels, validatePortNumOrName, validateQualifiedName } from "./helpers.ts";

type Spec = Service["spec"] & { readonly loadBalancerSourceRanges?: readonly string[] };

const MAX_AFFINITY_SECONDS = 86_400;
const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

export const isHeadless = (spec: Spec): boolean => spec.clusterIPs?.[0] === "None" || spec.clusterIP === "None";
const externallyAccessible = (spec: Spec): boolean => spec.type === "LoadBalancer" || spec.type === "NodePort" || (spec.type === "ClusterIP" && (spec.externalIPs ?? []).length > 0);
/** A load balancer that keeps client addresses must be able to ask each node whether it has an endpoint. */
export const needsHealthCheck = (spec: Spec): boolean => spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local";

function validatePort(port: ServicePort, requireName: boolean, names: Set<string>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (port.name) {
    errors.push(...validateDNS1123Label(port.name, `${path}.name`));
    if (names.has(port.name)) errors.push(duplicate(`${path}.name`, port.name));
    names.add(port.name);
  } else if (requireName) errors.push(required(`${path}.name`));
  errors.push(...invalidEach(`${path}.port`, port.port, isValidPortNum(port.port)));
  if (!port.protocol) errors.push(required(`${path}.protocol`));
  else if (!["TCP", "UDP", "SCTP"].includes(port.protocol)) errors.push(notSupported(`${path}.protocol`, port.protocol, ["SCTP", "TCP", "UDP"]));
  errors.push(...validatePortNumOrName(port.targetPort ?? 0, `${path}.targetPort`));
  return port.appProtocol === undefined ? errors : [...errors, ...validateQualifiedName(port.appProtocol, `${path}.appProtocol`)];
}

function validatePortSet(spec: Spec): FieldError[] {
  const ports = spec.ports ?? [];
  const errors: FieldError[] = [];
  const nodePorts = new Set<string>();
  const seen = new Set<string>();
  if (spec.type === "ClusterIP") for (const [i, port] of ports.entries()) if (port.nodePort) errors.push(forbidden(`spec.ports[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
  for (const [i, port] of ports.entries()) {
    if (!port.nodePort) continue;
    const key = `${port.protocol}/${port.nodePort}`;
    if (nodePorts.has(key)) errors.push(duplicate(`spec.ports[${i}].nodePort`, port.nodePort));
    nodePorts.add(key);
  }
  for (const [i, port] of ports.entries()) {
    const key = `${port.protocol}/${port.port}`;
    if (seen.has(key)) errors.push(duplicate(`spec.ports[${i}]`, { Name: "", Protocol: port.protocol, AppProtocol: null, Port: port.port, TargetPort: 0, NodePort: 0 }));
    seen.add(key);
  }
  return errors;
}

function validateType(spec: Spec): FieldError[] {
  const errors: FieldError[] = [];
  if (!spec.ports?.length && !isHeadless(spec) && spec.type !== "ExternalName") errors.push(required("spec.ports"));
  if ((spec.type === "LoadBalancer" || spec.type === "NodePort") && isHeadless(spec)) errors.push(invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${spec.type} services`));
  if (spec.type !== "ExternalName") return errors;
  if (spec.clusterIPs?.length) errors.push(forbidden("spec.clusterIPs", "may not be set for ExternalName services"));
  if (spec.ipFamilies?.length) errors.push(forbidden("spec.ipFamilies", "may not be set for ExternalName services"));
  if (spec.ipFamilyPolicy !== undefined) errors.push(forbidden("spec.ipFamilyPolicy", "may not be set for ExternalName services"));
  const cname = (spec.externalName ?? "").replace(/\.$/, "");
  return [...errors, ...(cname === "" ? [required("spec.externalName")] : validateDNS1123Subdomain(cname, "spec.externalName"))];
}

function validateAffinity(spec: Spec): FieldError[] {
  const affinity = spec.sessionAffinity;
  if (!affinity) return [required("spec.sessionAffinity")];
  if (affinity === "None") return spec.sessionAffinityConfig ? [forbidden("spec.sessionAffinityConfig", "must not be set when session affinity is None")] : [];
  if (affinity !== "ClientIP") return [notSupported("spec.sessionAffinity", affinity, ["ClientIP", "None"])];
  const path = "spec.sessionAffinityConfig";
  const when = "when session affinity type is ClientIP";
  const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (!spec.sessionAffinityConfig) return [required(path, when)];
  if (!spec.sessionAffinityConfig.clientIP) return [required(`${path}.clientIP`, when)];
  if (seconds === undefined) return [required(`${path}.clientIP.timeoutSeconds`, when)];
  return seconds > 0 && seconds <= MAX_AFFINITY_SECONDS ? [] : [invalid(`${path}.clientIP.timeoutSeconds`, seconds, `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`)];
}

/** Addresses and families must go together. `old` on an update: an address that was there may be written in an old way. */
function validateClusterIPs(spec: Spec, old?: Spec): FieldError[] {
  if (spec.type === "ExternalName") return [];
  const errors: FieldError[] = [];
  const ips = spec.clusterIPs ?? [];
  const families = spec.ipFamilies ?? [];
  if (spec.clusterIP && ips.length === 0) errors.push(required("spec.clusterIPs"));
  else if (spec.clusterIP && ips[0] !== spec.clusterIP) errors.push(invalid("spec.clusterIPs", ips, "first value must match `clusterIP`"));
  else if (!spec.clusterIP && ips.length > 0) errors.push(invalid("spec.clusterIPs", ips, "must be empty when `clusterIP` is not specified"));
  for (const [i, family] of families.entries()) {
    if (family !== "IPv4" && family !== "IPv6") errors.push(notSupported(`spec.ipFamilies[${i}]`, family, ["IPv4", "IPv6"]));
    if (families.indexOf(family) !== i) errors.push(duplicate(`spec.ipFamilies[${i}]`, family));
  }
  errors.push(...oneOf0(spec.ipFamilyPolicy, "spec.ipFamilyPolicy", ["PreferDualStack", "RequireDualStack", "SingleStack"]));
  const misplaced = ips[0] === "None" && ips.length > 1 ? [invalid("spec.clusterIPs", ips, "'None' must be the first and only value")] : [];
  const bad = ips.flatMap((ip, i) => ((i === 0 && ip === "None") || old?.clusterIPs?.includes(ip) ? [] : invalidEach(`spec.clusterIPs[${i}]`, ip, isValidIP(ip))));
  errors.push(...misplaced, ...bad);
  if (ips.length > 2) errors.push(invalid("spec.clusterIPs", ips, "may only hold up to 2 values"));
  if (misplaced.length + bad.length > 0) return errors;
  if (ips.length > 1 && new Set(ips.map(ipFamily)).size < 2) errors.push(invalid("spec.clusterIPs", ips, "may specify no more than one IP for each IP family"));
  if (isHeadless(spec)) return errors;
  for (const [i, ip] of ips.entries()) {
    const family = families[i];
    if ((family === "IPv4" || family === "IPv6") && (family === "IPv6") !== (ipFamily(ip) === 6)) errors.push(invalid(`spec.clusterIPs[${i}]`, ip, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``));
  }
  return errors;
}

/**
 * What the allocator finds before anything else is looked at (registry/core/service/storage/alloc.go, initIPFamilyFields), in a
 * cluster that has IPv4 only.
 */
export function validateServiceFamilies(service: Service, old?: Service): FieldError[] {
  const spec: Spec = service.spec ?? {};
  const before: Spec | undefined = old?.spec;
  if (spec.type === "ExternalName") return [];
  const same = (key: "clusterIPs" | "ipFamilies"): boolean => before !== undefined && semanticEqual(spec[key], before[key]);
  const prefers = (of: Spec): boolean => of.ipFamilyPolicy === "PreferDualStack";
  if (before !== undefined && prefers(spec) && (before.ipFamilyPolicy === undefined || prefers(before)) && spec.type === before.type && same("clusterIPs") && same("ipFamilies")) return [];
  const free = spec.clusterIP === "None" && Object.keys(spec.selector ?? {}).length === 0;
  const policy = spec.ipFamilyPolicy ?? before?.ipFamilyPolicy ?? (free ? "RequireDualStack" : "SingleStack");
  const related = validateClusterIPs(spec, before);
  if (related.length > 0) return related;
  const single = policy === "SingleStack";
  const refuse = (text: string): FieldError => invalid("spec.ipFamilyPolicy", policy, text);
  const reduced = (key: "clusterIPs" | "ipFamilies"): boolean => {
    const [now = [], then = []] = [spec[key], before?.[key]];
    return then.length === 2 && now.length === 1 && now[0] === then[0];
  };
  const errors: FieldError[] = [];
  const [ips, families] = (["clusterIPs", "ipFamilies"] as const).map((key) => (single && same(key) ? (spec[key] ?? []).slice(0, 1) : (spec[key] ?? [])));
  if (!single && reduced("clusterIPs")) errors.push(refuse("must be 'SingleStack' to release the secondary cluster IP"));
  if (!single && reduced("ipFamilies")) errors.push(refuse("must be 'SingleStack' to release the secondary IP family"));
  if (single && ips?.length === 2) errors.push(refuse("must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified"));
  if (single && families?.length === 2) errors.push(refuse("must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified"));
  for (const [i, ip] of (ips ?? []).entries()) if (ip !== "None" && i >= (families?.length ?? 0) && ipFamily(ip) === 6) errors.push(invalid(`spec.clusterIPs[${i}]`, ips, "IPv6 is not configured on this cluster"));
  if (errors.length > 0 || free) return errors;
  if (policy === "RequireDualStack") errors.push(refuse("this cluster is not configured for dual-stack services"));
  return [...errors, ...(families ?? []).flatMap((family, i) => (family === "IPv4" ? [] : [invalid(`spec.ipFamilies[${i}]`, family, "not configured on this cluster")]))];
}

function validateTrafficPolicies(spec: Spec): FieldError[] {
  const errors: FieldError[] = [];
  const external = spec.externalTrafficPolicy;
  if (!externallyAccessible(spec)) {
    if (external) errors.push(invalid("spec.externalTrafficPolicy", external, "may only be set for externally-accessible services"));
  } else if (!external) errors.push(required("spec.externalTrafficPolicy"));
  else if (external !== "Cluster" && external !== "Local") errors.push(notSupported("spec.externalTrafficPolicy", external, ["Cluster", "Local"]));
  const port = spec.healthCheckNodePort ?? 0;
  if (!needsHealthCheck(spec)) {
    if (port !== 0) errors.push(invalid("spec.healthCheckNodePort", port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"));
  } else if (port !== 0) errors.push(...invalidEach("spec.healthCheckNodePort", port, isValidPortNum(port)));
  const internal = spec.internalTrafficPolicy;
  if (internal === undefined && spec.type !== "ExternalName" && TYPES.includes(spec.type ?? "")) errors.push(required("spec.internalTrafficPolicy"));
  if (internal !== undefined && internal !== "Cluster" && internal !== "Local") errors.push(notSupported("spec.internalTrafficPolicy", internal, ["Cluster", "Local"]));
  const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];
  if (spec.trafficDistribution !== undefined && !distributions.includes(spec.trafficDistribution)) errors.push(notSupported("spec.trafficDistribution", spec.trafficDistribution, distributions));
  return errors;
}

const SOURCE_RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges";

/** The old place for source ranges, when the field is empty. */
function validateRangeAnnotation(service: Service, old: Service | undefined): FieldError[] {
  const value = service.metadata.annotations?.[SOURCE_RANGES];
  const path = `metadata.annotations[${SOURCE_RANGES}]`;
  if (value === undefined) return [];
  const ranges = value.trim() === "" || old?.metadata.annotations?.[SOURCE_RANGES] === value ? [] : value.trim().split(",").map((range) => range.trim());
  return [...(service.spec.type === "LoadBalancer" ? [] : [forbidden(path, "may only be used when `type` is 'LoadBalancer'")]), ...ranges.flatMap((range) => invalidEach(path, range, isValidCIDR(range)))];
}

function validateLoadBalancer(service: Service, spec: Spec, old: Service | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const balancer = spec.type === "LoadBalancer";
  const only = "may only be used when `type` is 'LoadBalancer'";
  const ranges = spec.loadBalancerSourceRanges ?? [];
  if (ranges.length > 0 && !balancer) errors.push(forbidden("spec.LoadBalancerSourceRanges", only));
  const known = ((old?.spec ?? {}) as Spec).loadBalancerSourceRanges?.map((range) => range.trim()) ?? [];
  for (const [i, range] of ranges.map((r) => r.trim()).entries()) if (!known.includes(range)) errors.push(...invalidEach(`spec.LoadBalancerSourceRanges[${i}]`, range, isValidCIDR(range)));
  if (ranges.length === 0) errors.push(...validateRangeAnnotation(service, old));
  if (spec.allocateLoadBalancerNodePorts !== undefined && !balancer) errors.push(forbidden("spec.allocateLoadBalancerNodePorts", only));
  if (balancer && spec.allocateLoadBalancerNodePorts === undefined) errors.push(required("allocateLoadBalancerNodePorts"));
  return [...errors, ...validateLoadBalancerClass(spec)];
}

function validateLoadBalancerClass(spec: Spec): FieldError[] {
  const path = "spec.loadBalancerClass";
  if (spec.loadBalancerClass === undefined) return [];
  return spec.type === "LoadBalancer" ? validateQualifiedName(spec.loadBalancerClass, path) : [forbidden(path, "may only be used when `type` is 'LoadBalancer'")];
}

const TOPOLOGY_MODE = "service.kubernetes.io/topology-mode";
const TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints";

function validateTopologyAnnotations(annotations: Readonly<Record<string, string>>): FieldError[] {
  const { [TOPOLOGY_MODE]: mode, [TOPOLOGY_HINTS]: hints } = annotations;
  return mode === undefined || hints === undefined || mode === hints ? [] : [invalid(`metadata.annotations[${TOPOLOGY_MODE}]`, mode, `must match annotations[${TOPOLOGY_HINTS}] when both are specified`)];
}

/** Everything but metadata; runs before cluster IPs and node ports are allocated. `old` on an update. */
export function validateServiceSpec(service: Service, old?: Service): FieldError[] {
  const spec: Spec = service.spec ?? {};
  const before: Spec = old?.spec ?? {};
  const names = new Set<string>();
  const ports = spec.ports ?? [];
  const errors = [...validateTopologyAnnotations(service.metadata.annotations ?? {}), ...validateType(spec)];
  for (const [i, port] of ports.entries()) errors.push(...validatePort(port, ports.length > 1, names, `spec.ports[${i}]`));
  errors.push(...validateLabels(spec.selector, "spec.selector"), ...validateAffinity(spec), ...validateClusterIPs(spec, old?.spec));
  for (const [i, ip] of (spec.externalIPs ?? []).entries()) {
    const bad = before.externalIPs?.includes(ip) ? [] : isValidIP(ip);
    errors.push(...invalidEach(`spec.externalIPs[${i}]`, ip, bad.length > 0 ? bad : endpointIPErrors(ip)));
  }
  if (!spec.type) errors.push(required("spec.type"));
  else if (!TYPES.includes(spec.type)) errors.push(notSupported("spec.type", spec.type, TYPES));
  return [...errors, ...validatePortSet(spec), ...validateLoadBalancer(service, spec, old), ...validateTrafficPolicies(spec)];
}

/** The first address or family stays; a second one may only go when the Service says SingleStack. */
function validateKeptFirst(spec: Spec, before: Spec, key: "clusterIPs" | "ipFamilies"): FieldError[] {
  const [now = [], then = []] = [spec[key], before[key]];
  const ips = spec.clusterIPs ?? [];
  const fixed = key === "clusterIPs" ? now : ips;
  const what = key === "clusterIPs" ? "clusterIP" : "ipFamily";
  const shown = (values: readonly string[]): readonly string[] | null => (values.length === 0 ? null : values);
  if (then.length === now.length) return then.flatMap((value, i) => (value === now[i] ? [] : [invalid(`spec.${key}[${key === "clusterIPs" ? i : 0}]`, now, "may not change once set")]));
  const errors: FieldError[] = [];
  const fewer = then.length > now.length;
  if (fewer && ips.length === 0) errors.push(invalid(`spec.${key}[0]`, shown(now), `primary ${what} can not be unset`));
  if (then.length > 0 && now.length > 0 && now[0] !== then[0]) errors.push(invalid(`spec.${key}[0]`, shown(fixed), "may not change once set"));
  return fewer && now.length === 1 && spec.ipFamilyPolicy !== "SingleStack" ? [...errors, invalid("spec.ipFamilyPolicy", spec.ipFamilyPolicy ?? null, `must be set to 'SingleStack' when releasing the secondary ${what}`)] : errors;
}

export function validateServiceUpdate(service: Service, old: Service): FieldError[] {
  const errors: FieldError[] = [];
  const spec: Spec = service.spec;
  const before: Spec = old.spec;
  const addressed = spec.type !== "ExternalName" && before.type !== "ExternalName";
  if (addressed && !(isHeadless(spec) && isHeadless(before))) errors.push(...validateKeptFirst(spec, before, "clusterIPs"));
  if (addressed && !isHeadless(spec) && !isHeadless(before)) errors.push(...validateKeptFirst(spec, before, "ipFamilies"));
  if (before.type === "LoadBalancer" && spec.type === "LoadBalancer" && !semanticEqual(before.loadBalancerClass, spec.loadBalancerClass)) errors.push(invalid("spec.loadBalancerClass", spec.loadBalancerClass, "may not change once set"));
  errors.push(...validateLoadBalancerClass(spec));
  if (needsHealthCheck(before) && needsHealthCheck(spec) && before.healthCheckNodePort !== spec.healthCheckNodePort) errors.push(forbidden("spec.healthCheckNodePort", "field is immutable"));
  return [...errors, ...validateServiceSpec(service, old)];
}

export function validateServiceStatus(service: Service, old: Service): FieldError[] {
  const ingress = (of: Service): readonly unknown[] => list(json(json(of.status)["loadBalancer"])["ingress"]);
  const path = "status.loadBalancer.ingress";
  if (service.spec.type !== "LoadBalancer" && ingress(service).length > 0) return [forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  const known = ingress(old).map((entry) => text(json(entry)["ip"]));
  return ingress(service).map(json).flatMap((entry, i) => {
    const at = `${path}[${i}]`;
    const [ip, mode, hostname] = ["ip", "ipMode", "hostname"].map((key) => text(entry[key]));
    const errors: FieldError[] = ip && !known.includes(ip) ? invalidEach(`${at}.ip`, ip, isValidIP(ip)) : [];
    if (!mode && ip) errors.push(required(`${at}.ipMode`, "must be specified when `ip` is set"));
    else if (mode && !ip) errors.push(forbidden(`${at}.ipMode`, "may not be specified when `ip` is not set"));
    else if (mode) errors.push(...oneOf0(mode, `${at}.ipMode`, ["Proxy", "VIP"]));
    errors.push(...named0(hostname, `${at}.hostname`, isDNS1123Subdomain));
    return hostname && ipFamily(hostname) !== 0 ? [...errors, invalid(`${at}.hostname`, hostname, "must be a DNS name, not an IP address")] : errors;
  });
}
