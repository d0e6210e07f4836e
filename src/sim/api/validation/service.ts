// Models ValidateService of kubernetes/pkg/apis/core/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, invalidEach, notSupported, required } from "../field-error.ts";
import { isValidPortNum } from "../names.ts";
import { ipFamily, isValidCIDR, isValidIP } from "../ip.ts";
import type { Service, ServicePort } from "../types.ts";
import { semanticEqual, validateDNS1123Label, validateDNS1123Subdomain, validateLabels, validatePortNumOrName, validateQualifiedName } from "./helpers.ts";

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

function validateClusterIPs(spec: Spec): FieldError[] {
  if (spec.type === "ExternalName") return [];
  const errors: FieldError[] = [];
  const ips = spec.clusterIPs ?? [];
  if (spec.clusterIP && ips.length === 0) errors.push(required("spec.clusterIPs"));
  else if (spec.clusterIP && ips[0] !== spec.clusterIP) errors.push(invalid("spec.clusterIPs", ips, "first value must match `clusterIP`"));
  else if (!spec.clusterIP && ips.length > 0) errors.push(invalid("spec.clusterIPs", ips, "must be empty when `clusterIP` is not specified"));
  for (const [i, family] of (spec.ipFamilies ?? []).entries()) {
    if (family !== "IPv4" && family !== "IPv6") errors.push(notSupported(`spec.ipFamilies[${i}]`, family, ["IPv4", "IPv6"]));
    if (spec.ipFamilies?.indexOf(family) !== i) errors.push(duplicate(`spec.ipFamilies[${i}]`, family));
  }
  const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
  if (spec.ipFamilyPolicy !== undefined && !policies.includes(spec.ipFamilyPolicy)) errors.push(notSupported("spec.ipFamilyPolicy", spec.ipFamilyPolicy, policies));
  if (ips[0] === "None" && ips.length > 1) errors.push(invalid("spec.clusterIPs", ips, "'None' must be the first and only value"));
  for (const [i, ip] of ips.entries()) if (!(i === 0 && ip === "None")) errors.push(...invalidEach(`spec.clusterIPs[${i}]`, ip, isValidIP(ip)));
  if (ips.length > 2) errors.push(invalid("spec.clusterIPs", ips, "may only hold up to 2 values"));
  if (ips.length === 2 && ips.every((ip) => ipFamily(ip) !== 0) && ipFamily(ips[0] ?? "") === ipFamily(ips[1] ?? "")) errors.push(invalid("spec.clusterIPs", ips, "may specify no more than one IP for each IP family"));
  return errors;
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

function validateLoadBalancer(spec: Spec): FieldError[] {
  const errors: FieldError[] = [];
  const balancer = spec.type === "LoadBalancer";
  const only = "may only be used when `type` is 'LoadBalancer'";
  const ranges = spec.loadBalancerSourceRanges ?? [];
  if (ranges.length > 0 && !balancer) errors.push(forbidden("spec.LoadBalancerSourceRanges", only));
  for (const [i, range] of ranges.entries()) errors.push(...invalidEach(`spec.LoadBalancerSourceRanges[${i}]`, range.trim(), isValidCIDR(range.trim())));
  if (spec.allocateLoadBalancerNodePorts !== undefined && !balancer) errors.push(forbidden("spec.allocateLoadBalancerNodePorts", only));
  if (balancer && spec.allocateLoadBalancerNodePorts === undefined) errors.push(required("allocateLoadBalancerNodePorts"));
  if (spec.loadBalancerClass === undefined) return errors;
  return [...errors, ...(balancer ? validateQualifiedName(spec.loadBalancerClass, "spec.loadBalancerClass") : [forbidden("spec.loadBalancerClass", only)])];
}

/** Everything but metadata; runs before cluster IPs and node ports are allocated. */
export function validateServiceSpec(service: Service): FieldError[] {
  const spec: Spec = service.spec ?? {};
  const names = new Set<string>();
  const ports = spec.ports ?? [];
  const errors = validateType(spec);
  for (const [i, port] of ports.entries()) errors.push(...validatePort(port, ports.length > 1, names, `spec.ports[${i}]`));
  errors.push(...validateLabels(spec.selector, "spec.selector"), ...validateAffinity(spec), ...validateClusterIPs(spec));
  for (const [i, ip] of (spec.externalIPs ?? []).entries()) errors.push(...invalidEach(`spec.externalIPs[${i}]`, ip, isValidIP(ip)));
  if (!spec.type) errors.push(required("spec.type"));
  else if (!TYPES.includes(spec.type)) errors.push(notSupported("spec.type", spec.type, TYPES));
  return [...errors, ...validatePortSet(spec), ...validateLoadBalancer(spec), ...validateTrafficPolicies(spec)];
}

export function validateServiceSpecUpdate(service: Service, old: Service): FieldError[] {
  const errors: FieldError[] = [];
  const spec: Spec = service.spec;
  const before: Spec = old.spec;
  const ips = spec.clusterIPs ?? [];
  const oldIps = before.clusterIPs ?? [];
  if (spec.type !== "ExternalName" && before.type !== "ExternalName" && !(isHeadless(spec) && isHeadless(before))) {
    if (oldIps.length > 0 && ips.length === 0) errors.push(invalid("spec.clusterIPs[0]", null, "primary clusterIP can not be unset"));
    else for (const [i, ip] of oldIps.entries()) if (ips[i] !== undefined && ips[i] !== ip) errors.push(invalid(`spec.clusterIPs[${i}]`, ips, "may not change once set"));
  }
  if (before.type === "LoadBalancer" && spec.type === "LoadBalancer" && !semanticEqual(before.loadBalancerClass, spec.loadBalancerClass)) errors.push(invalid("spec.loadBalancerClass", spec.loadBalancerClass, "may not change once set"));
  if (needsHealthCheck(before) && needsHealthCheck(spec) && before.healthCheckNodePort !== spec.healthCheckNodePort) errors.push(forbidden("spec.healthCheckNodePort", "field is immutable"));
  return errors;
}
