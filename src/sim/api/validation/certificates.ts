// Models kubernetes/pkg/apis/certificates/validation/validation.go
import { base64Decode } from "../base64.ts";
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "../field-error.ts";
import type { KubeObject } from "../types.ts";
import { unifiedDiff } from "../unified-diff.ts";
import { prettyJson } from "../internal-form.ts";
import { validateSignerName } from "./domains.ts";
import { each, eachText, type Json, json, list, number, seenBefore, semanticEqual, spec as specOf, text } from "./helpers.ts";

const USAGES = [
  "any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment", "decipher only", "digital signature", "email protection", "encipher only", "ipsec end system",
  "ipsec tunnel", "ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime", "server auth", "signing", "timestamping",
];
const MIN_SECONDS = 600;
const LEGACY_SIGNER = "kubernetes.io/legacy-unknown";
const conditionsOf = (csr: KubeObject, type?: string): readonly Json[] => list(json(csr.status)["conditions"]).map(json).filter((c) => type === undefined || c["type"] === type);

function validateConditions(csr: KubeObject): FieldError[] {
  const path = "status.conditions";
  const seen = seenBefore();
  const types = new Set<string>();
  return each(conditionsOf(csr), path, (condition, at) => {
    const type = text(condition["type"]);
    const status = text(condition["status"]);
    const final = ["Approved", "Denied", "Failed"].includes(type);
    const allowed = final ? ["True"] : ["False", "True", "Unknown"];
    types.add(type);
    const both = (type === "Approved" || type === "Denied") && types.has("Approved") && types.has("Denied");
    return [
      ...(type === "" ? [required(`${at}.type`)] : []), ...(status === "" ? [required(`${at}.status`)] : allowed.includes(status) ? [] : [notSupported(`${at}.status`, status, allowed)]),
      ...(both ? [invalid(path, type, "Approved and Denied conditions are mutually exclusive")] : []), ...(seen(type) ? [duplicate(`${at}.type`, type)] : []),
    ];
  });
}

/** Simplified: upstream parses the request and checks its signature, and parses the certificate; here only their PEM frame counts. */
export function validateCertificateSigningRequest(csr: KubeObject): FieldError[] {
  const spec = specOf(csr);
  const usages = list(spec["usages"]).map(text);
  const signer = text(spec["signerName"]);
  const seconds = number(spec["expirationSeconds"]);
  const seen = seenBefore();
  const isRequest = base64Decode(text(spec["request"])).includes("-----BEGIN CERTIFICATE REQUEST-----");
  const certificate = text(json(csr.status)["certificate"]);
  const isCertificate = certificate === "" || base64Decode(certificate).includes("-----BEGIN CERTIFICATE-----");
  return [
    ...(isRequest ? [] : [invalid("spec.request", spec["request"] ?? null, "PEM block type must be CERTIFICATE REQUEST")]), ...(usages.length === 0 ? [required("spec.usages")] : []),
    ...eachText(usages, "spec.usages", (usage, at) => (USAGES.includes(usage) ? [] : [notSupported(at, usage, USAGES)])), ...eachText(usages, "spec.usages", (usage, at) => (seen(usage) ? [duplicate(at, usage)] : [])),
    ...(signer === LEGACY_SIGNER ? [invalid("spec.signerName", signer, "the legacy signerName is not allowed via this API version")] : validateSignerName(signer, "spec.signerName")),
    ...(seconds !== undefined && seconds < MIN_SECONDS ? [invalid("spec.expirationSeconds", seconds, "may not specify a duration less than 600 seconds (10 minutes)")] : []),
    ...validateConditions(csr), ...(isCertificate ? [] : [invalid("status.certificate", "<certificate data>", "must contain at least one CERTIFICATE PEM block")]),
  ];
}

/** `subresource`: approval may add conditions, status may set the certificate. */
export function validateCertificateSigningRequestUpdate(csr: KubeObject, old: KubeObject, subresource: string): FieldError[] {
  const errors = validateCertificateSigningRequest(csr);
  const path = "status.conditions";
  for (const type of ["Approved", "Denied", "Failed"]) if (conditionsOf(csr, type).length < conditionsOf(old, type).length) errors.push(forbidden(path, `updates may not remove a condition of type "${type}"`));
  for (const type of subresource === "approval" ? [] : ["Approved", "Denied"]) {
    const [now, before] = [conditionsOf(csr, type), conditionsOf(old, type)];
    if (now.length > before.length) errors.push(forbidden(path, `updates may not add a condition of type "${type}"`));
    else if (now.length === before.length && !semanticEqual(now, before)) errors.push(forbidden(path, `updates may not modify a condition of type "${type}"\n${unifiedDiff(prettyJson(before), prettyJson(now))}`));
  }
  const [certificate, before] = [csr, old].map((of) => text(json(of.status)["certificate"]));
  if (certificate === before) return errors;
  if (subresource !== "status") return [...errors, forbidden("status.certificate", "updates may not set certificate content")];
  return before === "" ? errors : [...errors, forbidden("status.certificate", "updates may not modify existing certificate content")];
}
