// Models printService, printEndpointSlice, printEndpoints and printIngress of kubernetes/pkg/printers/internalversion/printers.go
import { labelsText } from "../../api/labels.ts";
import type { EndpointSlice, KubeObject, Service } from "../../api/types.ts";
import { ageOf, columns, json, list, listWithMore, nameOf, type Printer, text } from "./printer.ts";

function loadBalancerText(status: unknown): string {
  const addresses = new Set(list(json(status)["ingress"]).map((i) => text(json(i)["ip"]) || text(json(i)["hostname"])).filter((a) => a !== ""));
  return [...addresses].sort((a, b) => (a < b ? -1 : 1)).join(",");
}

function externalIP(service: Service): string {
  const ips = (service.spec.externalIPs ?? []).join(",");
  switch (service.spec.type) {
    case "ClusterIP":
    case "NodePort":
      return ips || "<none>";
    case "LoadBalancer":
      return [loadBalancerText(service.status?.loadBalancer), ips].filter((part) => part !== "").join(",") || "<pending>";
    case "ExternalName":
      return service.spec.externalName ?? "";
    default:
      return "<unknown>";
  }
}

export const servicePrinter = {
  kinds: ["v1/Service"],
  columns: columns("Name Type Cluster-IP External-IP Port(s) Age [Selector]"),
  row(object, now) {
    const service = object as Service;
    const ports = (service.spec.ports ?? []).map((p) => `${p.port}${p.nodePort ? `:${p.nodePort}` : ""}/${p.protocol ?? "TCP"}`).join(",");
    return [nameOf(service), service.spec.type ?? "", service.spec.clusterIPs?.[0] ?? service.spec.clusterIP ?? "<none>", externalIP(service), ports || "<none>", ageOf(service, now), labelsText(service.spec.selector) || "<none>"];
  },
} satisfies Printer;

export const endpointSlicePrinter = {
  kinds: ["discovery.k8s.io/v1/EndpointSlice"],
  columns: columns("Name AddressType Ports Endpoints Age"),
  row(object, now) {
    const slice = object as EndpointSlice;
    const ports = (slice.ports ?? []).map((p) => (p.port !== undefined ? String(p.port) : (p.name ?? "*")));
    const addresses = (slice.endpoints ?? []).flatMap((e) => e.addresses);
    return [nameOf(slice), slice.addressType, listWithMore(ports) || "<unset>", listWithMore(addresses) || "<unset>", ageOf(slice, now)];
  },
} satisfies Printer;

function endpointsText(object: KubeObject): string {
  const subsets = list((object as unknown as { readonly subsets?: unknown }).subsets).map(json);
  if (subsets.length === 0) return "<none>";
  const items = subsets.flatMap((subset) => {
    const ips = list(subset["addresses"]).map((a) => text(json(a)["ip"]));
    const ports = list(subset["ports"]).map(json);
    return ports.length === 0 ? ips : ports.flatMap((p) => ips.map((ip) => `${ip.includes(":") ? `[${ip}]` : ip}:${String(p["port"])}`));
  });
  return listWithMore(items);
}

export const endpointsPrinter = {
  kinds: ["v1/Endpoints"],
  columns: columns("Name Endpoints Age"),
  row: (object, now) => [nameOf(object), endpointsText(object), ageOf(object, now)],
} satisfies Printer;

export const ingressPrinter = {
  kinds: ["networking.k8s.io/v1/Ingress"],
  columns: columns("Name Class Hosts Address Ports Age"),
  row(object, now) {
    const spec = json(object.spec);
    const hosts = list(spec["rules"]).map((r) => text(json(r)["host"])).filter((h) => h !== "");
    const address = loadBalancerText(json(object.status)["loadBalancer"]);
    return [nameOf(object), text(spec["ingressClassName"]) || "<none>", listWithMore(hosts) || "*", address, list(spec["tls"]).length > 0 ? "80, 443" : "80", ageOf(object, now)];
  },
} satisfies Printer;

export const ingressClassPrinter = {
  kinds: ["networking.k8s.io/v1/IngressClass"],
  columns: columns("Name Controller Parameters Age"),
  row(object, now) {
    const spec = json(object.spec);
    const parameters = json(spec["parameters"]);
    const group = text(parameters["apiGroup"]);
    const shown = spec["parameters"] === undefined ? "<none>" : `${text(parameters["kind"])}${group === "" ? "" : `.${group}`}/${text(parameters["name"])}`;
    return [nameOf(object), text(spec["controller"]), shown, ageOf(object, now)];
  },
} satisfies Printer;
