// Models ValidateIngress and ValidateIngressClass of kubernetes/pkg/apis/networking/validation/validation.go
import { type FieldError, forbidden, invalid, invalidEach, required, tooLong } from "../field-error.ts";
import { ipFamily, isValidIP } from "../ip.ts";
import { byteLength, isDNS1123Label, isDNS1123Subdomain, isValidPortName, isValidPortNum, isWildcardDNS1123Subdomain } from "../names.ts";
import type { KubeObject } from "../types.ts";
import { validateDomainPrefixedPath } from "./domains.ts";
import { each, eachText, isSet, type Json, json, list, named, named0, oneOf, spec, text, validateImmutable } from "./helpers.ts";
import { pathSegmentName } from "./object-meta.ts";

/** Where something else than a Service may be named: a resource, or the parameters of a class. */
function validateReference(ref: Json, path: string): FieldError[] {
  const { apiGroup } = ref;
  return [
    ...(isSet(apiGroup) ? invalidEach(`${path}.apiGroup`, apiGroup, isDNS1123Subdomain(text(apiGroup))) : []),
    ...named(ref["kind"], `${path}.kind`, pathSegmentName), ...named(ref["name"], `${path}.name`, pathSegmentName),
  ];
}

function validateBackend(backend: Json, path: string): FieldError[] {
  const { service, resource } = backend;
  if (isSet(resource)) return isSet(service) ? [invalid(path, "", "cannot set both resource and service backends")] : validateReference(json(resource), `${path}.resource`);
  if (!isSet(service)) return [invalid(path, "", "resource or service backend is required")];
  const { name, port } = json(service);
  const errors = named(name, `${path}.service.name`, isDNS1123Label);
  const portName = text(json(port)["name"]);
  const number = Number(json(port)["number"] ?? 0);
  if (portName !== "" && number !== 0) errors.push(invalid(path, "", "cannot set both port name & port number"));
  else if (portName !== "") errors.push(...invalidEach(`${path}.service.port.name`, portName, isValidPortName(portName)));
  else if (number !== 0) errors.push(...invalidEach(`${path}.service.port.number`, number, isValidPortNum(number)));
  else errors.push(required(path, "port name or number is required"));
  return errors;
}

const ABSOLUTE = "must be an absolute path";

function validateHTTPPath(item: Json, at: string): FieldError[] {
  const { pathType } = item;
  if (!isSet(pathType)) return [required(`${at}.pathType`, "pathType must be specified")];
  const path = text(item["path"]);
  const errors: FieldError[] = [];
  const bad = (detail: string): number => errors.push(invalid(`${at}.path`, path, detail));
  if (pathType === "Exact" || pathType === "Prefix") {
    if (!path.startsWith("/")) bad(ABSOLUTE);
    for (const part of ["//", "/./", "/../", "%2f", "%2F"]) if (path.includes(part)) bad(`must not contain '${part}'`);
    for (const end of ["/..", "/."]) if (path.endsWith(end)) bad(`cannot end with '${end}'`);
  } else if (pathType === "ImplementationSpecific") {
    if (path !== "" && !path.startsWith("/")) bad(ABSOLUTE);
  } else errors.push(...oneOf(pathType, `${at}.pathType`, ["Exact", "ImplementationSpecific", "Prefix"]));
  return [...errors, ...validateBackend(json(item["backend"]), `${at}.backend`)];
}

const isHost = (host: string): string[] => (host.includes("*") ? isWildcardDNS1123Subdomain(host) : isDNS1123Subdomain(host));
const NOT_AN_IP = "must be a DNS name, not an IP address";

function validateRule(rule: Json, at: string): FieldError[] {
  const host = text(rule["host"]);
  const errors: FieldError[] = ipFamily(host) === 0 ? [] : [invalid(`${at}.host`, host, NOT_AN_IP)];
  errors.push(...named0(host, `${at}.host`, isHost));
  if (!isSet(rule["http"])) return errors;
  const { paths } = json(rule["http"]);
  return [...errors, ...(list(paths).length === 0 ? [required(`${at}.http.paths`)] : each(paths, `${at}.http.paths`, validateHTTPPath))];
}

const CLASS_ANNOTATION = "kubernetes.io/ingress.class";

export function validateIngress(object: KubeObject): FieldError[] {
  const s = spec(object);
  const { ingressClassName, defaultBackend } = s;
  const errors: FieldError[] = [];
  if (list(s["rules"]).length === 0 && !isSet(defaultBackend)) errors.push(invalid("spec", null, "either `defaultBackend` or `rules` must be specified"));
  if (isSet(defaultBackend)) errors.push(...validateBackend(json(defaultBackend), "spec.defaultBackend"));
  errors.push(...each(s["rules"], "spec.rules", validateRule));
  errors.push(...each(s["tls"], "spec.tls", (tls, at) => [...eachText(tls["hosts"], `${at}.hosts`, (host, path) => invalidEach(path, host, isHost(host))), ...named0(tls["secretName"], `${at}.secretName`, isDNS1123Subdomain)]));
  return isSet(ingressClassName) ? [...errors, ...invalidEach("spec.ingressClassName", ingressClassName, isDNS1123Subdomain(text(ingressClassName)))] : errors;
}

/** On creation the old annotation and the field must agree. */
export function validateIngressCreate(object: KubeObject): FieldError[] {
  const old = object.metadata.annotations?.[CLASS_ANNOTATION];
  const name = spec(object)["ingressClassName"];
  const differs = old !== undefined && isSet(name) && old !== name;
  return [...validateIngress(object), ...(differs ? [invalid(`annotations.${CLASS_ANNOTATION}`, old, "must match `ingressClassName` when both are specified")] : [])];
}

/** Addresses that a load balancer's controller reports. */
export const validateLoadBalancerIngress = (ingress: Json, at: string): FieldError[] => {
  const host = text(ingress["hostname"]);
  return [
    ...named0(ingress["ip"], `${at}.ip`, isValidIP), ...named0(host, `${at}.hostname`, isDNS1123Subdomain),
    ...(ipFamily(host) === 0 ? [] : [invalid(`${at}.hostname`, host, NOT_AN_IP)]),
  ];
};

export const validateIngressStatus = (object: KubeObject): FieldError[] => each(json(json(object.status)["loadBalancer"])["ingress"], "status.loadBalancer.ingress", validateLoadBalancerIngress);

const MAX_CONTROLLER = 250;

export function validateIngressClass(object: KubeObject): FieldError[] {
  const controller = text(spec(object)["controller"]);
  const errors: FieldError[] = [...(byteLength(controller) > MAX_CONTROLLER ? [tooLong("spec.controller", MAX_CONTROLLER)] : []), ...validateDomainPrefixedPath(controller, "spec.controller")];
  const parameters = spec(object)["parameters"];
  if (!isSet(parameters)) return errors;
  const ref = json(parameters);
  const at = "spec.parameters";
  const { scope, namespace } = ref;
  errors.push(...validateReference(ref, at), ...oneOf(scope, `${at}.scope`, ["Cluster", "Namespace"]));
  if (scope === "Namespace") errors.push(...(isSet(namespace) ? invalidEach(`${at}.namespace`, namespace, isDNS1123Label(text(namespace))) : [required(`${at}.namespace`, "`parameters.scope` is set to 'Namespace'")]));
  if (scope === "Cluster" && isSet(namespace)) errors.push(forbidden(`${at}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  return errors;
}

export const validateIngressClassUpdate = (object: KubeObject, old: KubeObject): FieldError[] => [...validateImmutable(spec(object)["controller"], spec(old)["controller"], "spec.controller"), ...validateIngressClass(object)];
