// Models coredns/plugin/kubernetes and kubernetes/dns specification 1.1.0
import type { EndpointSlice, KubeObject, Service } from "../api/types.ts";
import type { PMap } from "../kernel/pmap.ts";
import type { SrvRecord } from "./messages.ts";

export interface Zone {
  readonly domain: string;
  readonly services: PMap<KubeObject>;
  /** Slices of a Service by its key. */
  slicesOf(key: string): readonly EndpointSlice[];
  hasNamespace(name: string): boolean;
}

export interface Answer {
  readonly found: boolean;
  readonly addresses: readonly string[];
  readonly srv?: readonly SrvRecord[];
  readonly cname?: string;
}

const NOT_FOUND: Answer = { found: false, addresses: [] };
const NDOTS = 5;

/** The names a resolver tries, in order: search domains first when the name has fewer than five dots. */
export function searchNames(name: string, namespace: string, domain: string): readonly string[] {
  if (name.endsWith(".")) return [name.slice(0, -1)];
  const search = [`${namespace}.svc.${domain}`, `svc.${domain}`, domain].map((suffix) => `${name}.${suffix}`);
  return name.split(".").length - 1 >= NDOTS ? [name, ...search] : [...search, name];
}

const dashed = (ip: string): string => ip.replaceAll(".", "-").replaceAll(":", "-");

interface Target {
  readonly ip: string;
  readonly hostname: string;
  readonly ports: EndpointSlice["ports"];
}

/** Endpoints that a headless Service answers with: the ready ones (all, when the slice says so for not ready ones too). */
function targets(zone: Zone, key: string): readonly Target[] {
  const found: Target[] = [];
  for (const slice of zone.slicesOf(key)) {
    for (const endpoint of slice.endpoints ?? []) {
      const ip = endpoint.addresses[0];
      if (ip === undefined || endpoint.conditions?.ready === false) continue;
      found.push({ ip, hostname: endpoint.hostname ?? dashed(ip), ports: slice.ports ?? null });
    }
  }
  return found;
}

function srvRecords(zone: Zone, service: Service, key: string, base: string, port: string, protocol: string): Answer {
  if (service.spec.clusterIP === "None") {
    const srv = targets(zone, key).flatMap((target) => (target.ports ?? []).filter((entry) => entry.name === port && entry.protocol?.toLowerCase() === protocol).map((entry) => ({ target: `${target.hostname}.${base}`, port: entry.port ?? 0 })));
    return srv.length === 0 ? NOT_FOUND : { found: true, addresses: [], srv };
  }
  const match = service.spec.ports?.find((entry) => entry.name === port && (entry.protocol ?? "TCP").toLowerCase() === protocol);
  return match ? { found: true, addresses: [], srv: [{ target: base, port: match.port }] } : NOT_FOUND;
}

/** Answers one fully qualified name without its trailing dot. Found with no address: the name exists, the type does not. */
export function answerName(zone: Zone, name: string, qtype: "A" | "AAAA" | "SRV"): Answer {
  const suffix = `.svc.${zone.domain}`;
  if (!name.endsWith(suffix)) return podName(zone, name);
  const labels = name.slice(0, -suffix.length).split(".");
  const namespace = labels.at(-1) ?? "";
  const serviceName = labels.at(-2);
  if (serviceName === undefined) return zone.hasNamespace(namespace) ? { found: true, addresses: [] } : NOT_FOUND;
  const key = `${namespace}/${serviceName}`;
  const service = zone.services.get(key) as Service | undefined;
  if (!service) return NOT_FOUND;
  const base = `${serviceName}.${namespace}${suffix}`;
  if (labels.length === 4 && labels[0]?.startsWith("_") && labels[1]?.startsWith("_")) return srvRecords(zone, service, key, base, labels[0].slice(1), labels[1].slice(1).toLowerCase());
  if (service.spec.type === "ExternalName") return labels.length === 2 ? { found: true, addresses: [], cname: service.spec.externalName ?? "" } : NOT_FOUND;
  const headless = service.spec.clusterIP === "None";
  let ips: readonly string[];
  if (labels.length === 2) ips = headless ? targets(zone, key).map((target) => target.ip) : [service.spec.clusterIP ?? ""];
  else if (labels.length === 3) ips = targets(zone, key).filter((target) => target.hostname === labels[0]).map((target) => target.ip);
  else return NOT_FOUND;
  // A headless Service without ready Pods, or an unknown host of it, does not exist to DNS.
  if (ips.length === 0 || ips[0] === "") return NOT_FOUND;
  return { found: true, addresses: ips.filter((ip) => ip.includes(":") === (qtype === "AAAA")) };
}

/** `10-244-1-5.default.pod.cluster.local` (pods insecure): the address is read from the name. */
function podName(zone: Zone, name: string): Answer {
  const suffix = `.pod.${zone.domain}`;
  if (!name.endsWith(suffix)) return NOT_FOUND;
  const [host = ""] = name.slice(0, -suffix.length).split(".");
  return /^\d+-\d+-\d+-\d+$/.test(host) ? { found: true, addresses: [host.replaceAll("-", ".")] } : NOT_FOUND;
}
