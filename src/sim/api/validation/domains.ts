// Models IsFullyQualifiedName, IsDomainPrefixedPath and their kin of apimachinery/pkg/util/validation and ValidateSignerName of kubernetes/pkg/apis/core/validation/names.go
import { type FieldError, invalid, invalidEach, required, tooLong } from "../field-error.ts";
import { byteLength, isDNS1123Label, isDNS1123Subdomain, regexError } from "../names.ts";

/** "webhook.example.com": three segments at least. */
export function validateFullyQualifiedName(name: string, path: string): FieldError[] {
  if (name === "") return [required(path)];
  const bad = isDNS1123Subdomain(name);
  if (bad.length > 0) return [invalid(path, name, bad.join(","))];
  return name.split(".").length < 3 ? [invalid(path, name, "should be a domain with at least three segments separated by dots")] : [];
}

/** A host name of two labels at least; a dot at its end is fine. */
export function validateFullyQualifiedDomainName(text: string, path: string): FieldError[] {
  if (text === "") return [required(path)];
  const name = text.replace(/\.$/, "");
  const bad = isDNS1123Subdomain(name);
  if (bad.length > 0) return [invalid(path, name, bad.join(","))];
  const labels = name.split(".");
  if (labels.length < 2) return [invalid(path, name, "should be a domain with at least two segments separated by dots")];
  const long = labels.find((label) => isDNS1123Label(label).length > 0);
  return long === undefined ? [] : [invalid(path, long, isDNS1123Label(long).join(","))];
}

const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const httpPath = new RegExp(`^${HTTP_PATH}$`);

/** "acme.io/foo" */
export function validateDomainPrefixedPath(value: string, path: string): FieldError[] {
  if (value === "") return [required(path)];
  const slash = value.indexOf("/");
  const host = value.slice(0, slash);
  const rest = value.slice(slash + 1);
  if (slash < 0 || host === "" || rest === "") return [invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  return [...invalidEach(path, host, isDNS1123Subdomain(host)), ...(httpPath.test(rest) ? [] : [invalid(path, rest, regexError("Invalid path", HTTP_PATH))])];
}

const MAX_DOMAIN = 253;
const MAX_SIGNER = 2 * MAX_DOMAIN + 63 + 2;

/** "kubernetes.io/kube-apiserver-client" */
export function validateSignerName(name: string, path: string): FieldError[] {
  if (name === "") return [required(path)];
  const segments = name.split("/");
  const [domain = "", rest = ""] = segments;
  if (segments.length !== 2) return [invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  const errors: FieldError[] = byteLength(domain) > MAX_DOMAIN ? [tooLong(path, MAX_DOMAIN)] : [];
  const firstBad = (segment: string, check: (label: string) => string[]): void => {
    const label = segment.split(".").find((part) => check(part).length > 0);
    if (label !== undefined) errors.push(...invalidEach(path, segment, check(label).map((text) => `validating label ${JSON.stringify(label)}: ${text}`)));
  };
  firstBad(domain, isDNS1123Label);
  if (domain.split(".").length < 2) errors.push(invalid(path, domain, "should be a domain with at least two segments separated by dots"));
  firstBad(rest, isDNS1123Subdomain);
  return byteLength(name) > MAX_SIGNER ? [...errors, tooLong(path, MAX_SIGNER)] : errors;
}
