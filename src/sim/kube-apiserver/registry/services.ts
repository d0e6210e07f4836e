// Models kubernetes/pkg/registry/core/service/{strategy,storage/alloc}.go
import { type FieldError, invalid } from "../../api/field-error.ts";
import { newInternalError, newInvalid } from "../../api/status-errors.ts";
import type { KubeObject, Service, ServicePort, Status } from "../../api/types.ts";
import { semanticEqual } from "../../api/validation/helpers.ts";
import { needsHealthCheck } from "../../api/validation/service.ts";
import type { Strategy } from "./strategy.ts";

type Spec = Service["spec"];

/** Addresses and ports of this cluster. Each call returns a free one (or undefined) or says whether a wanted one is free. */
export interface ServiceAllocator {
  nextClusterIP(): string | undefined;
  /** "free", "taken", or "outside" the service range. */
  claimClusterIP(ip: string): "free" | "taken" | "outside";
  nextNodePort(): number | undefined;
  claimNodePort(port: number): "free" | "taken" | "outside";
  /** "10.96.0.0/16", for error texts. */
  readonly serviceRange: string;
}

const needsNodePort = (spec: Spec): boolean => spec.type === "NodePort" || (spec.type === "LoadBalancer" && spec.allocateLoadBalancerNodePorts !== false);
const needsClusterIP = (spec: Spec): boolean => spec.type !== "ExternalName";

function normalizeCreate(spec: Spec): Spec {
  return spec.clusterIP && !spec.clusterIPs?.length ? { ...spec, clusterIPs: [spec.clusterIP] } : spec;
}

/** clusterIPs follow clusterIP for clients that know only that one. */
function normalizeUpdate(spec: Spec, old: Spec): Spec {
  const ips = spec.clusterIPs ?? [];
  if (spec.clusterIP === old.clusterIP) return ips.length === 0 && old.clusterIPs?.length ? { ...spec, clusterIPs: old.clusterIPs } : spec;
  if (!semanticEqual(ips, old.clusterIPs)) return spec;
  const { clusterIPs: _clusterIPs, ...rest } = spec;
  return spec.clusterIP ? { ...spec, clusterIPs: [spec.clusterIP] } : (rest as Spec);
}

/** Values that the server allocated and an updating client left out. */
function patchAllocated(spec: Spec, old: Spec): Spec {
  let out = spec;
  if (needsClusterIP(old) && needsClusterIP(spec)) {
    if (!out.clusterIP && old.clusterIP) out = { ...out, clusterIP: old.clusterIP };
    if (!out.clusterIPs?.length && old.clusterIPs?.length && out.clusterIP === old.clusterIP) out = { ...out, clusterIPs: old.clusterIPs };
    if (!out.ipFamilies?.length && old.ipFamilies) out = { ...out, ipFamilies: old.ipFamilies };
    if (out.ipFamilyPolicy === undefined && old.ipFamilyPolicy !== undefined) out = { ...out, ipFamilyPolicy: old.ipFamilyPolicy };
  }
  if (needsNodePort(old) && needsNodePort(spec)) {
    const taken = new Set((spec.ports ?? []).map((p) => p.nodePort).filter((p) => p));
    const ports = (out.ports ?? []).map((port): ServicePort => {
      const before = old.ports?.find((p) => (p.name ?? "") === (port.name ?? ""))?.nodePort;
      return port.nodePort || !before || taken.has(before) ? port : { ...port, nodePort: before };
    });
    out = { ...out, ports };
  }
  return needsHealthCheck(old) && needsHealthCheck(spec) && !out.healthCheckNodePort && old.healthCheckNodePort ? { ...out, healthCheckNodePort: old.healthCheckNodePort } : out;
}

/** Fields of another type that a change of type makes meaningless, when the client left them as they were. */
function dropTypeDependent(spec: Spec, old: Spec): Spec {
  const out: Record<string, unknown> = { ...spec };
  if (needsClusterIP(old) && !needsClusterIP(spec) && spec.clusterIP === old.clusterIP) for (const key of ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"]) delete out[key];
  if (needsNodePort(old) && !needsNodePort(spec)) out["ports"] = (spec.ports ?? []).map(({ nodePort: _nodePort, ...port }) => port);
  if (needsHealthCheck(old) && !needsHealthCheck(spec) && spec.healthCheckNodePort === old.healthCheckNodePort) delete out["healthCheckNodePort"];
  if (old.type === "LoadBalancer" && spec.type !== "LoadBalancer") for (const key of ["allocateLoadBalancerNodePorts", "loadBalancerClass"]) delete out[key];
  if ((old.type === "LoadBalancer" || old.type === "NodePort") && spec.type === "ClusterIP" && !spec.externalIPs?.length) delete out["externalTrafficPolicy"];
  return out as Spec;
}

export const serviceStrategy = {
  kinds: ["v1/Service"],
  hasGeneration: false,
  hasStatus: true,
  prepareForCreate: (object) => ({ ...object, spec: normalizeCreate((object as Service).spec), status: { loadBalancer: {} } }),
  prepareForUpdate(object, old) {
    const before = (old as Service).spec;
    return { ...object, spec: dropTypeDependent(normalizeUpdate(patchAllocated((object as Service).spec, before), before), before) };
  },
} satisfies Strategy;

function allocateClusterIP(service: Service, allocator: ServiceAllocator): Service | FieldError | Status {
  const { spec } = service;
  if (!needsClusterIP(spec)) return service;
  const families: Spec = { ...spec, ipFamilies: spec.ipFamilies ?? ["IPv4"], ipFamilyPolicy: spec.ipFamilyPolicy ?? "SingleStack" };
  if (spec.clusterIP === "None") {
    const selectorless = Object.keys(spec.selector ?? {}).length === 0;
    const ipFamilyPolicy = spec.ipFamilyPolicy ?? "RequireDualStack";
    const [first = "IPv4", second = first === "IPv4" ? "IPv6" : "IPv4"] = spec.ipFamilies ?? [];
    const dual = selectorless && ipFamilyPolicy !== "SingleStack" ? { ipFamilyPolicy, ipFamilies: [first, second] } : {};
    return { ...service, spec: { ...families, ...dual, clusterIPs: ["None"] } };
  }
  if (spec.clusterIP) {
    const claimed = allocator.claimClusterIP(spec.clusterIP);
    if (claimed === "outside") return invalid("spec.clusterIPs", spec.clusterIPs ?? [spec.clusterIP], `failed to allocate IP ${spec.clusterIP}: the provided IP (${spec.clusterIP}) is not in the valid range. The range of valid IPs is ${allocator.serviceRange}`);
    if (claimed === "taken") return invalid("spec.clusterIPs", spec.clusterIPs ?? [spec.clusterIP], `failed to allocate IP ${spec.clusterIP}: provided IP is already allocated`);
    return { ...service, spec: { ...families, clusterIPs: spec.clusterIPs ?? [spec.clusterIP] } };
  }
  const ip = allocator.nextClusterIP();
  if (ip === undefined) return newInternalError("failed to allocate a serviceIP: range is full");
  return { ...service, spec: { ...families, clusterIP: ip, clusterIPs: [ip] } };
}

function allocateNodePorts(service: Service, old: Service | undefined, allocator: ServiceAllocator): Service | FieldError | Status {
  if (!needsNodePort(service.spec)) return service;
  const ports: ServicePort[] = [];
  const byProtocol = new Map<number, Set<string>>();
  for (const [i, port] of (service.spec.ports ?? []).entries()) {
    if (!port.nodePort) {
      const free = allocator.nextNodePort();
      if (free === undefined) return newInternalError("failed to allocate a nodePort: range is full");
      ports.push({ ...port, nodePort: free });
      continue;
    }
    const kept = old?.spec.ports?.some((p) => p.nodePort === port.nodePort) ?? false;
    // TCP and UDP may share one number within a service.
    const shared = byProtocol.get(port.nodePort);
    const claimed = kept || shared ? "free" : allocator.claimNodePort(port.nodePort);
    byProtocol.set(port.nodePort, new Set([...(shared ?? []), port.protocol ?? "TCP"]));
    if (claimed === "outside") return invalid(`spec.ports[${i}].nodePort`, port.nodePort, "provided port is not in the valid range. The range of valid ports is 30000-32767");
    if (claimed === "taken") return invalid(`spec.ports[${i}].nodePort`, port.nodePort, "provided port is already allocated");
    ports.push(port);
  }
  const withPorts: Service = { ...service, spec: { ...service.spec, ports } };
  if (!needsHealthCheck(service.spec) || service.spec.healthCheckNodePort) return withPorts;
  const health = allocator.nextNodePort();
  return health === undefined ? newInternalError("failed to allocate a HealthCheck NodePort : range is full") : { ...withPorts, spec: { ...withPorts.spec, healthCheckNodePort: health } };
}

/** Gives a validated Service its cluster IP and node ports. `old` on an update. Returns the refusal (422 or 500) when there is none to give. */
export function allocateService(object: KubeObject, old: KubeObject | undefined, allocator: ServiceAllocator): KubeObject | Status {
  const service = object as Service;
  const before = old as Service | undefined;
  const refuse = (result: FieldError | Status): Status => ("field" in result ? newInvalid({ kind: "Service" }, service.metadata.name ?? "", [result]) : result);
  const hasIP = before !== undefined && needsClusterIP(before.spec) && service.spec.clusterIP === before.spec.clusterIP && Boolean(before.spec.clusterIP);
  const addressed = hasIP ? service : allocateClusterIP(service, allocator);
  if (!("spec" in addressed)) return refuse(addressed);
  const ported = allocateNodePorts(addressed, before, allocator);
  return "spec" in ported ? ported : refuse(ported);
}
