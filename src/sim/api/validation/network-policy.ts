// Models ValidateNetworkPolicy, ValidateIPAddress and ValidateServiceCIDR of kubernetes/pkg/apis/networking/validation/validation.go
import { type FieldError, forbidden, invalid, invalidEach, notSupported, required } from "../field-error.ts";
import { ipFamily, isCanonicalCIDR, isStrictSubset, isValidCIDR, parseCIDR } from "../ip.ts";
import { isDNS1123Subdomain, isValidPortName, isValidPortNum } from "../names.ts";
import type { KubeObject, LabelSelector } from "../types.ts";
import { each, eachText, isSet, type Json, json, list, named, named0, oneOf0, semanticEqual, spec, text, validateImmutable, validateLabelSelector } from "./helpers.ts";
import { pathSegmentName } from "./object-meta.ts";

function validatePort(port: Json, path: string): FieldError[] {
  const errors = oneOf0(port["protocol"], `${path}.protocol`, ["TCP", "UDP", "SCTP"]);
  const { port: from, endPort: to } = port;
  const end = `${path}.endPort`;
  if (typeof from === "number") {
    errors.push(...invalidEach(`${path}.port`, from, isValidPortNum(from)));
    if (typeof to !== "number") return errors;
    // Upstream quotes the port here, not the end.
    if (to < from) errors.push(invalid(end, from, "must be greater than or equal to `port`"));
    return [...errors, ...invalidEach(end, to, isValidPortNum(to))];
  }
  if (isSet(to)) errors.push(invalid(end, to, isSet(from) ? "may not be specified when `port` is non-numeric" : "may not be specified when `port` is not specified"));
  return isSet(from) ? [...errors, ...invalidEach(`${path}.port`, from, isValidPortName(text(from)))] : errors;
}

function validateIPBlock(block: Json, path: string): FieldError[] {
  const cidr = text(block["cidr"]);
  if (cidr === "") return [required(`${path}.cidr`)];
  const errors = invalidEach(`${path}.cidr`, cidr, isValidCIDR(cidr));
  const outer = parseCIDR(cidr);
  if (outer === undefined) return errors;
  return [
    ...errors,
    ...eachText(block["except"], `${path}.except`, (except, at) => {
      const inner = parseCIDR(except);
      return [...invalidEach(at, except, isValidCIDR(except)), ...(inner === undefined || isStrictSubset(inner, outer) ? [] : [invalid(at, except, "must be a strict subset of `cidr`")])];
    }),
  ];
}

function validatePeer(peer: Json, path: string): FieldError[] {
  const selector = (key: string): FieldError[] => validateLabelSelector(peer[key] as LabelSelector | undefined, `${path}.${key}`);
  const { ipBlock, podSelector, namespaceSelector } = peer;
  const errors = [...selector("podSelector"), ...selector("namespaceSelector"), ...(isSet(ipBlock) ? validateIPBlock(json(ipBlock), `${path}.ipBlock`) : [])];
  const others = isSet(podSelector) || isSet(namespaceSelector);
  if (!isSet(ipBlock) && !others) return [...errors, required(path, "must specify a peer")];
  return isSet(ipBlock) && others ? [...errors, forbidden(path, "may not specify both ipBlock and another peer")] : errors;
}

export function validateNetworkPolicy(object: KubeObject): FieldError[] {
  const s = spec(object);
  const errors = validateLabelSelector(s["podSelector"] as LabelSelector | undefined, "spec.podSelector");
  for (const [key, peers] of [["ingress", "from"], ["egress", "to"]] as const) {
    errors.push(...each(s[key], `spec.${key}`, (rule, at) => [...each(rule["ports"], `${at}.ports`, validatePort), ...each(rule[peers], `${at}.${peers}`, validatePeer)]));
  }
  const types = list(s["policyTypes"]);
  if (types.length > 2) return [...errors, invalid("spec.policyTypes", types, "may not specify more than two policyTypes")];
  return [...errors, ...eachText(types, "spec.policyTypes", (type, at) => (["Ingress", "Egress"].includes(type) ? [] : [notSupported(at, type, ["Ingress", "Egress"])]))];
}

export function validateIPAddress(object: KubeObject): FieldError[] {
  const path = "spec.parentRef";
  const parent = spec(object)["parentRef"];
  if (!isSet(parent)) return [required(path)];
  const ref = json(parent);
  return [
    ...named0(ref["group"], `${path}.group`, isDNS1123Subdomain), ...named(ref["resource"], `${path}.resource`, pathSegmentName),
    ...named(ref["name"], `${path}.name`, pathSegmentName), ...named0(ref["namespace"], `${path}.namespace`, pathSegmentName),
  ];
}

export const validateIPAddressUpdate = (object: KubeObject, old: KubeObject): FieldError[] => validateImmutable(spec(object)["parentRef"], spec(old)["parentRef"], "spec.parentRef");

const CIDRS = "spec.cidrs";

export function validateServiceCIDR(object: KubeObject): FieldError[] {
  const cidrs = list(spec(object)["cidrs"]).map(text);
  if (cidrs.length === 0) return [required(CIDRS, "at least one CIDR required")];
  if (cidrs.length > 2) return [invalid(CIDRS, { CIDRs: cidrs }, "may only hold up to 2 values")];
  const errors = eachText(cidrs, CIDRS, (cidr, at) => invalidEach(at, cidr, isCanonicalCIDR(cidr)));
  const families = cidrs.map((cidr) => ipFamily(cidr.split("/")[0] ?? ""));
  if (families.length === 2 && families[0] === families[1] && families[0] !== 0) errors.push(invalid(CIDRS, cidrs, "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"));
  return errors;
}

/** The first range stays; a second family may be added. */
export function validateServiceCIDRUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const cidrs = list(spec(object)["cidrs"]).map(text);
  const before = list(spec(old)["cidrs"]).map(text);
  const changed = (i: number): FieldError[] => (semanticEqual(cidrs[i], before[i]) ? [] : [invalid(`${CIDRS}[${i}]`, cidrs[i], "field is immutable")]);
  if (cidrs.length === before.length) return before.flatMap((_cidr, i) => changed(i));
  return before.length === 1 && cidrs.length === 2 ? [...changed(0), ...validateServiceCIDR(object)] : [invalid(CIDRS, cidrs, "field is immutable")];
}
