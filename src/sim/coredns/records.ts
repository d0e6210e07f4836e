// Models coredns/plugin/kubernetes and kubernetes/dns specification 1.1.0
import type { DnsAnswer, DnsQuestion } from "../api/traffic.ts";
import type { EndpointSlice, KubeObject, Service } from "../api/types.ts";
import type { PMap } from "../kernel/pmap.ts";

export interface Zone {
  readonly domain: string;
  readonly services: PMap<KubeObject>;
  /** Slices of a Service by its key. */
  slicesOf(key: string): readonly EndpointSlice[];
  hasNamespace(name: string): boolean;
}

/** `outside`: no name of the cluster's zones, for the node's resolvers. */
export type Answer = Omit<DnsAnswer, "ttl"> | "outside";

/** kubeadm's Corefile: `ttl 30` in the plugin kubernetes. */
export const TTL = 30;
const NOT_FOUND: Answer = { rcode: "NXDOMAIN", addresses: [] };
const NO_DATA: Answer = { rcode: "NOERROR", addresses: [] };
/** Names that an ExternalName may lead on to. */
const MAX_CNAMES = 8;

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
    const srv = targets(zone, key).flatMap((target) => (target.ports ?? []).filter((entry) => (entry.name ?? "") === port && (entry.protocol ?? "TCP").toLowerCase() === protocol).map((entry) => ({ target: `${target.hostname}.${base}`, port: entry.port ?? 0 })));
    return srv.length === 0 ? NOT_FOUND : { rcode: "NOERROR", addresses: [], srv };
  }
  const match = service.spec.ports?.find((entry) => (entry.name ?? "") === port && (entry.protocol ?? "TCP").toLowerCase() === protocol);
  return match ? { rcode: "NOERROR", addresses: [], srv: [{ target: base, port: match.port }] } : NOT_FOUND;
}

/** Answers one name without its trailing dot. NOERROR with no address: the name exists, the type does not. */
export function answerName(zone: Zone, { name, qtype }: DnsQuestion, depth = 0): Answer {
  if (qtype === "PTR") return pointer(zone, name);
  const lower = name.toLowerCase();
  if (lower !== zone.domain && !lower.endsWith(`.${zone.domain}`)) return "outside";
  const suffix = `.svc.${zone.domain}`;
  if (!lower.endsWith(suffix)) return lower === zone.domain || lower === suffix.slice(1) ? NO_DATA : podName(zone, lower, qtype);
  const labels = lower.slice(0, -suffix.length).split(".");
  const namespace = labels.at(-1) ?? "";
  const serviceName = labels.at(-2);
  if (serviceName === undefined) return zone.hasNamespace(namespace) ? NO_DATA : NOT_FOUND;
  const key = `${namespace}/${serviceName}`;
  const service = zone.services.get(key) as Service | undefined;
  if (!service) return NOT_FOUND;
  const base = `${serviceName}.${namespace}${suffix}`;
  if (labels.length === 4 && labels[0]?.startsWith("_") && labels[1]?.startsWith("_")) return srvRecords(zone, service, key, base, labels[0].slice(1), labels[1].slice(1));
  if (service.spec.type === "ExternalName") return labels.length === 2 ? external(zone, service.spec.externalName ?? "", qtype, depth) : NOT_FOUND;
  const headless = service.spec.clusterIP === "None";
  let ips: readonly string[];
  if (labels.length === 2) ips = headless ? targets(zone, key).map((target) => target.ip) : [service.spec.clusterIP ?? ""];
  else if (labels.length === 3) ips = targets(zone, key).filter((target) => target.hostname === labels[0]).map((target) => target.ip);
  else return NOT_FOUND;
  // A headless Service without ready Pods, or an unknown host of it, does not exist to DNS.
  if (ips.length === 0 || ips[0] === "") return NOT_FOUND;
  return { rcode: "NOERROR", addresses: [...new Set(ips)].filter((ip) => ip.includes(":") === (qtype === "AAAA")) };
}

/** A CNAME, and what the name that it leads to has when that is the cluster's own. */
function external(zone: Zone, cname: string, qtype: DnsQuestion["qtype"], depth: number): Answer {
  const target = depth < MAX_CNAMES ? answerName(zone, { name: cname.replace(/\.$/, ""), qtype }, depth + 1) : NOT_FOUND;
  return { rcode: "NOERROR", addresses: target === "outside" ? [] : target.addresses, cname };
}

/** `10-244-1-5.default.pod.cluster.local` (pods insecure): the address is read from the name. */
function podName(zone: Zone, name: string, qtype: DnsQuestion["qtype"]): Answer {
  const suffix = `.pod.${zone.domain}`;
  if (!name.endsWith(suffix)) return NOT_FOUND;
  const [host = "", namespace = ""] = name.slice(0, -suffix.length).split(".");
  if (!/^\d+-\d+-\d+-\d+$/.test(host) || !zone.hasNamespace(namespace)) return NOT_FOUND;
  return qtype === "A" ? { rcode: "NOERROR", addresses: [host.replaceAll("-", ".")] } : NO_DATA;
}

/** The name of a ClusterIP or of an endpoint with one. */
function pointer(zone: Zone, name: string): Answer {
  const octets = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\.in-addr\.arpa$/.exec(name);
  if (!octets) return "outside";
  const ip = `${octets[4]}.${octets[3]}.${octets[2]}.${octets[1]}`;
  for (const [key, object] of zone.services.sorted()) {
    const [namespace = "", service = ""] = key.split("/");
    const base = `${service}.${namespace}.svc.${zone.domain}`;
    if ((object as Service).spec.clusterIP === ip) return { rcode: "NOERROR", addresses: [], ptr: base };
    const target = targets(zone, key).find((entry) => entry.ip === ip);
    if (target && (object as Service).spec.clusterIP === "None") return { rcode: "NOERROR", addresses: [], ptr: `${target.hostname}.${base}` };
  }
  return "outside";
}
