// Models ValidateEndpoints of kubernetes/pkg/apis/core/validation and ValidateEndpointSlice of pkg/apis/discovery/validation
import { duplicate, type FieldError, invalid, invalidEach, required, tooMany } from "../field-error.ts";
import { endpointIPErrors, ipFamily, isCanonicalIP, isValidIP } from "../ip.ts";
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidLabelValue, isValidPortNum } from "../names.ts";
import type { KubeObject } from "../types.ts";
import { validateFullyQualifiedDomainName } from "./domains.ts";
import { each, eachText, isSet, type Json, json, type Labels, list, named, named0, oneOf, root, seenBefore, semanticEqual, text, validateImmutable, validateLabels } from "./helpers.ts";

const PROTOCOLS = ["SCTP", "TCP", "UDP"];
const appProtocol = (port: Json, at: string): FieldError[] => (isSet(port["appProtocol"]) ? invalidEach(`${at}.appProtocol`, port["appProtocol"], isQualifiedName(text(port["appProtocol"]))) : []);

function validateAddress(address: Json, at: string): FieldError[] {
  const ip = text(address["ip"]);
  const { nodeName } = address;
  return [
    ...invalidEach(`${at}.ip`, ip, isValidIP(ip)), ...named0(address["hostname"], `${at}.hostname`, isDNS1123Label),
    ...(isSet(nodeName) ? invalidEach(`${at}.nodeName`, nodeName, isDNS1123Subdomain(text(nodeName))) : []), ...invalidEach(`${at}.ip`, ip, endpointIPErrors(ip)),
  ];
}

function validateSubset(subset: Json, at: string): FieldError[] {
  const ports = list(subset["ports"]);
  const empty = list(subset["addresses"]).length + list(subset["notReadyAddresses"]).length === 0;
  return [
    ...(empty ? [required(at, "must specify `addresses` or `notReadyAddresses`")] : []),
    ...each(subset["addresses"], `${at}.addresses`, validateAddress), ...each(subset["notReadyAddresses"], `${at}.notReadyAddresses`, validateAddress),
    ...each(ports, `${at}.ports`, (port, path) => [
      ...(ports.length > 1 ? named : named0)(port["name"], `${path}.name`, isDNS1123Label),
      ...invalidEach(`${path}.port`, port["port"], isValidPortNum(Number(port["port"] ?? 0))), ...oneOf(port["protocol"], `${path}.protocol`, PROTOCOLS), ...appProtocol(port, path),
    ]),
  ];
}

/** `old` on an update: what was stored with errors may stay as it is. */
export function validateEndpoints(object: KubeObject, old?: KubeObject): FieldError[] {
  const { subsets } = root(object);
  return old !== undefined && semanticEqual(subsets, root(old)["subsets"]) ? [] : each(subsets, "subsets", validateSubset);
}

const MAX_PORTS = 20_000;
const MAX_ENDPOINTS = 1_000;
const MAX_ADDRESSES = 100;
const MAX_HINTS = 8;
const MAX_TOPOLOGY = 16;

function validatePorts(ports: readonly unknown[]): FieldError[] {
  if (ports.length > MAX_PORTS) return [tooMany("ports", ports.length, MAX_PORTS)];
  const seen = seenBefore();
  return each(ports, "ports", (port, at) => {
    const name = text(port["name"]);
    return [...named0(name, `${at}.name`, isDNS1123Label), ...(seen(name) ? [duplicate(`${at}.name`, name)] : []), ...oneOf(port["protocol"], `${at}.protocol`, PROTOCOLS), ...appProtocol(port, at)];
  });
}

function validateSliceAddress(address: string, type: string, list: string, at: string): FieldError[] {
  if (type === "FQDN") return validateFullyQualifiedDomainName(address, at);
  if (type !== "IPv4" && type !== "IPv6") return [];
  const bad = type === "IPv4" ? isValidIP(address) : isCanonicalIP(address);
  if (bad.length > 0) return invalidEach(at, address, bad);
  return [...(`IPv${ipFamily(address)}` === type ? [] : [invalid(list, address, `must be an ${type} address`)]), ...invalidEach(at, address, endpointIPErrors(address))];
}

function validateHints(hints: Json, at: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, check] of [["forZones", isValidLabelValue], ["forNodes", isDNS1123Subdomain]] as const) {
    const items = list(hints[key]);
    if (items.length > MAX_HINTS) return [...errors, tooMany(`${at}.${key}`, items.length, MAX_HINTS)];
    const seen = seenBefore();
    errors.push(...each(items, `${at}.${key}`, ({ name }, path) => [...(seen(text(name)) ? [duplicate(`${path}.name`, name)] : []), ...invalidEach(`${path}.name`, name, check(text(name)))]));
  }
  return errors;
}

function validateSliceEndpoint(endpoint: Json, type: string, at: string): FieldError[] {
  const addresses = list(endpoint["addresses"]);
  const path = `${at}.addresses`;
  const { nodeName, hostname, hints } = endpoint;
  const topology = json(endpoint["deprecatedTopology"]);
  const size = Object.keys(topology).length;
  return [
    ...(addresses.length === 0 ? [required(path, "must contain at least 1 address")] : []), ...(addresses.length > MAX_ADDRESSES ? [tooMany(path, addresses.length, MAX_ADDRESSES)] : []),
    ...eachText(addresses, path, (address, item) => validateSliceAddress(address, type, path, item)),
    ...(isSet(nodeName) ? invalidEach(`${at}.nodeName`, nodeName, isDNS1123Subdomain(text(nodeName))) : []),
    ...(size > MAX_TOPOLOGY ? [tooMany(`${at}.deprecatedTopology`, size, MAX_TOPOLOGY)] : []), ...validateLabels(topology as Labels, `${at}.deprecatedTopology`),
    ...(isSet(hostname) ? invalidEach(`${at}.hostname`, hostname, isDNS1123Label(text(hostname))) : []), ...(isSet(hints) ? validateHints(json(hints), `${at}.hints`) : []),
  ];
}

/** `old` on an update: endpoints that were stored with errors may stay as they are. */
export function validateEndpointSlice(object: KubeObject, old?: KubeObject): FieldError[] {
  const { addressType, ports, endpoints } = root(object);
  const items = list(endpoints);
  const errors = [...oneOf(addressType, "addressType", ["FQDN", "IPv4", "IPv6"]), ...validatePorts(list(ports))];
  if (old !== undefined && semanticEqual(endpoints, root(old)["endpoints"])) return errors;
  if (items.length > MAX_ENDPOINTS) return [...errors, tooMany("endpoints", items.length, MAX_ENDPOINTS)];
  return [...errors, ...each(items, "endpoints", (endpoint, at) => validateSliceEndpoint(endpoint, text(addressType), at))];
}

export const validateEndpointSliceUpdate = (object: KubeObject, old: KubeObject): FieldError[] => [...validateEndpointSlice(object, old), ...validateImmutable(root(object)["addressType"], root(old)["addressType"], "addressType")];
