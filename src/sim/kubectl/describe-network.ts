// Models kubernetes/staging/src/k8s.io/kubectl/pkg/describe/describe.go (Services, EndpointSlices, Ingresses, NetworkPolicies)
import { formatLabelSelector } from "../api/labels.ts";
import type { KubeObject } from "../api/types.ts";
import { specOf } from "./describe-workloads.ts";
import { annotationsText, headText, labelsText, line, list } from "./describe-util.ts";
import { statusOf as statusOfAnswer } from "./errors.ts";
import type { Process } from "./process.ts";

interface Port {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
  readonly targetPort?: number | string;
  readonly nodePort?: number;
  readonly appProtocol?: string;
}
interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: { readonly ready?: boolean };
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly zone?: string;
  readonly targetRef?: { readonly kind: string; readonly name: string };
}
type Slice = KubeObject & { readonly addressType?: string; readonly ports?: readonly Port[]; readonly endpoints?: readonly Endpoint[] };

const SHOWN = 3;

/** An EndpointSlice of a Service without Pods holds null for both. */
const listsOf = ({ ports, endpoints }: Slice) => ({ ports: ports ?? [], endpoints: endpoints ?? [] });

/** "10.0.0.1:80,10.0.0.2:80,10.0.0.3:80 + 2 more...": of the port of that name, or of all. */
function addresses(slices: readonly Slice[], name: string | undefined): string {
  if (slices.length === 0) return "<none>";
  const shown: string[] = [];
  let more = false;
  let count = 0;
  for (const slice of slices) {
    const { ports, endpoints } = listsOf(slice);
    if (ports.length === 0) {
      count += endpoints.length;
      for (const { addresses: all } of endpoints) {
        if (shown.length === SHOWN) more = true;
        else shown.push(all[0] ?? "");
      }
    }
    for (const port of ports) {
      if (name !== undefined && (port.name ?? "") !== name) continue;
      for (const { addresses: all, conditions } of endpoints) {
        if (shown.length === SHOWN) more = true;
        if (conditions?.ready === false) continue;
        if (!more) shown.push(`${all[0] ?? ""}:${port.port ?? 0}`);
        count++;
      }
    }
  }
  return more ? `${shown.join(",")} + ${count - SHOWN} more...` : shown.join(",");
}

function slicesOf(p: Process, namespace: string, service: string): readonly Slice[] {
  const answer = p.ask({ method: "GET", path: `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`, query: { labelSelector: `kubernetes.io/service-name=${service}` }, subject: `endpointslices of ${service}` });
  return answer.status === 200 ? (answer.body as { readonly items: readonly Slice[] }).items : [];
}

function portText(port: Port, slices: readonly Slice[]): string {
  const { name = "", protocol = "TCP", targetPort, nodePort, appProtocol } = port;
  const shown = name === "" ? "<unset>" : name;
  return `Port:\t${shown}\t${port.port ?? 0}/${protocol}\nTargetPort:\t${String(targetPort ?? "")}/${protocol}\n${line("AppProtocol", appProtocol)}${nodePort === undefined || nodePort === 0 ? "" : `NodePort:\t${shown}\t${nodePort}/${protocol}\n`}Endpoints:\t${addresses(slices, name)}\n`;
}

export function serviceText(object: KubeObject, p: Process): string {
  const spec = specOf(object);
  const { name = "", namespace = "" } = object.metadata;
  const slices = slicesOf(p, namespace, name);
  const ingress = ((object.status ?? {}) as { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly ipMode?: string; readonly hostname?: string }[] } }).loadBalancer?.ingress ?? [];
  const balancer = ingress.map(({ ip, ipMode, hostname = "" }) => (ip === undefined ? hostname : `${ip}${ipMode === undefined ? "" : ` (${ipMode})`}`)).join(", ");
  const texts = (value: unknown): readonly string[] => (value ?? []) as readonly string[];
  return [
    headText(object.metadata), labelsText("Selector", spec["selector"] as Record<string, string>), `Type:\t${String(spec["type"])}\n`, line("IP Family Policy", spec["ipFamilyPolicy"]), texts(spec["ipFamilies"]).length > 0 ? `IP Families:\t${texts(spec["ipFamilies"]).join(",")}\n` : "IP Families:\t<none>\n",
    `IP:\t${String(spec["clusterIP"] ?? "")}\n`, texts(spec["clusterIPs"]).length > 0 ? `IPs:\t${texts(spec["clusterIPs"]).join(",")}\n` : spec["type"] === "ExternalName" ? "IPs:\t<none>\n" : "", texts(spec["externalIPs"]).length > 0 ? `External IPs:\t${texts(spec["externalIPs"]).join(",")}\n` : "", line("Desired LoadBalancer IP", spec["loadBalancerIP"]),
    line("External Name", spec["externalName"]), line("LoadBalancer Ingress", balancer), ((spec["ports"] ?? []) as readonly Port[]).map((port) => portText(port, slices)).join(""), `Session Affinity:\t${String(spec["sessionAffinity"] ?? "None")}\n`,
    line("External Traffic Policy", spec["externalTrafficPolicy"]), line("Internal Traffic Policy", spec["internalTrafficPolicy"]), spec["healthCheckNodePort"] ? `HealthCheck NodePort:\t${String(spec["healthCheckNodePort"])}\n` : "", texts(spec["loadBalancerSourceRanges"]).length > 0 ? `LoadBalancer Source Ranges:\t${texts(spec["loadBalancerSourceRanges"]).join(",")}\n` : "",
  ].join("");
}

export function endpointSliceText(object: KubeObject): string {
  const { addressType = "" } = object as Slice;
  const { ports, endpoints } = listsOf(object as Slice);
  const orUnset = (value: string | undefined): string => (value === undefined || value === "" ? "<unset>" : value);
  const portRows = ports.length === 0 ? "Ports: <unset>\n" : `Ports:\n  Name\tPort\tProtocol\n  ----\t----\t--------\n${ports.map(({ name, port, protocol = "" }) => `  ${orUnset(name)}\t${port === undefined ? "<unset>" : port}\t${protocol}\n`).join("")}`;
  const rows = endpoints.map(({ addresses: all, conditions, hostname, targetRef, nodeName, zone }) => `  - Addresses:\t${all.join(", ")}\n    Conditions:\n      Ready:\t${conditions?.ready === undefined ? "<unset>" : String(conditions.ready)}\n    Hostname:\t${orUnset(hostname)}\n${targetRef === undefined ? "" : `    TargetRef:\t${targetRef.kind}/${targetRef.name}\n`}    NodeName:\t${orUnset(nodeName)}\n    Zone:\t${orUnset(zone)}\n`);
  return `${headText(object.metadata)}AddressType:\t${addressType}\n${portRows}${rows.length === 0 ? "Endpoints: <none>\n" : `Endpoints:\n${rows.join("")}`}`;
}

interface Backend {
  readonly service?: { readonly name: string; readonly port?: { readonly name?: string; readonly number?: number } };
  readonly resource?: { readonly apiGroup?: string; readonly kind: string; readonly name: string };
}
interface Rule {
  readonly host?: string;
  readonly http?: { readonly paths: readonly { readonly path?: string; readonly backend: Backend }[] };
}

/** "web:80 (10.0.0.1:8080)", or why there is nothing behind it. */
function backend(p: Process, namespace: string, { service, resource }: Backend): string {
  if (service === undefined) return `APIGroup: ${resource?.apiGroup ?? "<none>"}, Kind: ${resource?.kind ?? ""}, Name: ${resource?.name ?? ""}`;
  const port = service.port?.name ?? String(service.port?.number ?? "");
  const slices = slicesOf(p, namespace, service.name);
  const answer = p.ask({ method: "GET", path: `/api/v1/namespaces/${namespace}/services/${service.name}`, subject: `service/${namespace}/${service.name}` });
  if (answer.status !== 200) return `${service.name}:${port} (<error: ${statusOfAnswer(answer)?.message ?? ""}>)`;
  const found = ((specOf(answer.body as KubeObject)["ports"] ?? []) as readonly Port[]).find((candidate) => candidate.name === service.port?.name && service.port?.name !== undefined ? true : candidate.port === service.port?.number);
  return `${service.name}:${port} (${addresses(slices, found?.name ?? "")})`;
}

export function ingressText(object: KubeObject, p: Process): string {
  const spec = specOf(object);
  const { name = "", namespace = "", labels, annotations } = object.metadata;
  const balancers = ((object.status ?? {}) as { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] } }).loadBalancer?.ingress ?? [];
  const fallback = spec["defaultBackend"] as Backend | undefined;
  const tls = (spec["tls"] ?? []) as readonly { readonly secretName?: string; readonly hosts?: readonly string[] }[];
  const rules = (spec["rules"] ?? []) as readonly Rule[];
  const base = fallback === undefined ? "<default>" : backend(p, namespace, fallback);
  const rows = rules.length === 0 ? [`  *\t*\t${base}\n`] : rules.map(({ host = "*", http }) => `  ${host}\t\n${(http?.paths ?? []).map(({ path = "", backend: to }) => `    \t${path} \t${backend(p, namespace, to)}\n`).join("")}`);
  return [
    `Name:\t${name}\n`, labelsText("Labels", labels), `Namespace:\t${namespace}\nAddress:\t${balancers.map(({ ip, hostname }) => ip ?? hostname ?? "").join(",")}\nIngress Class:\t${String(spec["ingressClassName"] ?? "<none>")}\nDefault backend:\t${base}\n`,
    tls.length === 0 ? "" : `TLS:\n${tls.map(({ secretName, hosts = [] }) => (secretName === undefined ? `  SNI routes ${hosts.join(",")}\n` : `  ${secretName} terminates ${hosts.join(",")}\n`)).join("")}`,
    `Rules:\n  Host\tPath\tBackends\n  ----\t----\t--------\n`, rows.join(""), annotationsText("Annotations", annotations),
  ].join("");
}

type Selector = Parameters<typeof formatLabelSelector>[0];
interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}
interface PolicyRule {
  readonly ports?: readonly { readonly port?: number | string; readonly protocol?: string; readonly endPort?: number }[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}

function peers(word: string, all: readonly Peer[], nobody: string): string {
  if (all.length === 0) return `    ${word}: <any> (traffic not restricted by ${nobody})\n`;
  return all.map(({ podSelector, namespaceSelector, ipBlock }) => {
    const lines = ipBlock ? [`      IPBlock:\n        CIDR: ${ipBlock.cidr}\n        Except: ${(ipBlock.except ?? []).join(", ")}\n`] : [namespaceSelector === undefined ? "" : `      NamespaceSelector: ${formatLabelSelector(namespaceSelector)}\n`, podSelector === undefined ? "" : `      PodSelector: ${formatLabelSelector(podSelector)}\n`];
    return `    ${word}:\n${lines.join("")}`;
  }).join("");
}

function policyRules(all: readonly PolicyRule[] | undefined, ingress: boolean): string {
  if (all === undefined || all.length === 0) return `    <none> (Selected pods are isolated for ${ingress ? "ingress" : "egress"} connectivity)\n`;
  return all.map(({ ports = [], from = [], to = [] }) => {
    const portLines = ports.length === 0 ? "    To Port: <any> (traffic allowed to all ports)\n" : ports.map(({ port, protocol = "TCP", endPort }) => `    To Port: ${port === undefined ? "<any>" : String(port)}${endPort === undefined ? "" : `-${endPort}`}/${protocol}\n`).join("");
    return `${portLines}${ingress ? peers("From", from, "source") : peers("To", to, "destination")}`;
  }).join("    ----------\n");
}

export function networkPolicyText(object: KubeObject): string {
  const spec = specOf(object) as { readonly podSelector?: Selector; readonly policyTypes?: readonly string[]; readonly ingress?: readonly PolicyRule[]; readonly egress?: readonly PolicyRule[] };
  const { name = "", namespace = "", labels, annotations, creationTimestamp = "" } = object.metadata;
  const selector = formatLabelSelector(spec.podSelector);
  const types = spec.policyTypes ?? [];
  const part = (type: string, word: string, rules: readonly PolicyRule[] | undefined): string => (types.includes(type) ? `  Allowing ${word} traffic:\n${policyRules(rules, type === "Ingress")}` : `  Not affecting ${word} traffic\n`);
  return [
    `Name:\t${name}\nNamespace:\t${namespace}\nCreated on:\t${creationTimestamp.replace("T", " ").replace("Z", " +0000 UTC")}\n`, labelsText("Labels", labels), annotationsText("Annotations", annotations),
    `Spec:\n  PodSelector:     ${selector}${selector === "<none>" ? " (Allowing the specific traffic to all pods in this namespace)" : ""}\n`, part("Ingress", "ingress", spec.ingress), part("Egress", "egress", spec.egress), `  Policy Types: ${list(types).replaceAll(",", ", ")}\n`,
  ].join("");
}
