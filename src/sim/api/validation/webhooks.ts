// Models ValidateValidatingWebhookConfiguration* of kubernetes/pkg/apis/admissionregistration/validation/validation.go and apiserver/pkg/util/webhook/validation.go
import { duplicate, type FieldError, invalid, invalidEach, notSupported, required, tooMany } from "../field-error.ts";
import { isDNS1035Label, isDNS1123Subdomain, isValidPortNum } from "../names.ts";
import type { KubeObject, LabelSelector } from "../types.ts";
import { validateFullyQualifiedName } from "./domains.ts";
import { each, eachText, isSet, type Json, json, list, number, oneOf0, root, seenBefore, text, validateLabelSelector, validateQualifiedName } from "./helpers.ts";

/** Where an expression stands and what it may use. */
export interface CELSite {
  readonly use: "condition" | "variable" | "message" | "audit" | "applyConfiguration" | "jsonPatch";
  readonly params: boolean;
  /** Variables declared before it, in order. */
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
}
/** Compiles an expression: the errors of its field, none when it is fine. */
export type CompileCEL = (expression: string, path: string, site: CELSite) => readonly FieldError[];

const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const REVIEW_VERSIONS = ["v1", "v1beta1"];
const MAX_CONDITIONS = 64;

function validateResources(resources: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = resources.length === 0 ? [required(path)] : [];
  const allOf = new Set<string>();
  const ofAll = new Set<string>();
  let plain = false;
  for (const [i, resource] of resources.entries()) {
    const at = `${path}[${i}]`;
    const slash = resource.indexOf("/");
    if (resource === "") errors.push(required(at));
    else if (slash < 0) plain = resource !== "*";
    else {
      const name = resource.slice(0, slash);
      const sub = resource.slice(slash + 1);
      if (allOf.has(name)) errors.push(invalid(at, resource, `if '${name}/*' is present, must not specify ${resource}`));
      if (ofAll.has(sub)) errors.push(invalid(at, resource, `if '*/${sub}' is present, must not specify ${resource}`));
      if (sub === "*") allOf.add(name);
      if (name === "*") ofAll.add(sub);
    }
  }
  if (resources.length > 1 && resources.includes("*/*")) errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  return resources.includes("*") && plain ? [...errors, invalid(path, resources, "if '*' is present, must not specify other resources without subresources")] : errors;
}

/** What a webhook or policy is asked about. */
export function validateRuleWithOperations(rule: Json, path: string): FieldError[] {
  const wild = (key: string, what: string): FieldError[] => {
    const values = list(rule[key]);
    return [...(values.length === 0 ? [required(`${path}.${key}`)] : []), ...(values.length > 1 && values.includes("*") ? [invalid(`${path}.${key}`, values, `if '*' is present, must not specify other ${what}`)] : [])];
  };
  return [
    ...wild("operations", "operations"), ...eachText(rule["operations"], `${path}.operations`, (operation, at) => (OPERATIONS.includes(operation) ? [] : [notSupported(at, operation, OPERATIONS)])),
    ...wild("apiGroups", "API groups"), ...wild("apiVersions", "API versions"), ...eachText(rule["apiVersions"], `${path}.apiVersions`, (version, at) => (version === "" ? [required(at)] : [])),
    ...validateResources(list(rule["resources"]).map(text), `${path}.resources`), ...oneOf0(rule["scope"], `${path}.scope`, ["*", "Cluster", "Namespaced"]),
  ];
}

export function validateMatchConditions(conditions: unknown, path: string, compile: CompileCEL | undefined, params = false): FieldError[] {
  const seen = seenBefore();
  const count = list(conditions).length;
  return [
    ...(count > MAX_CONDITIONS ? [tooMany(path, count, MAX_CONDITIONS)] : []),
    ...each(conditions, path, (condition, at) => {
      const name = text(condition["name"]);
      const expression = text(condition["expression"]).trim();
      return [
        ...(expression === "" ? [required(`${at}.expression`)] : (compile?.(expression, `${at}.expression`, { use: "condition", params, variables: [] }) ?? [])),
        ...(name === "" ? [required(`${at}.name`)] : validateQualifiedName(name, `${at}.name`)), ...(name !== "" && seen(name) ? [duplicate(`${at}.name`, name)] : []),
      ];
    }),
  ];
}

const FORM = "; desired format: https://host[/path]";

function validateURL(url: string, path: string): FieldError[] {
  const m = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^/?#@]*)@)?([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/.exec(url);
  const [scheme = "", user, host = "", query = "", fragment = ""] = m?.slice(1) ?? [];
  return [
    ...(scheme.toLowerCase() === "https" ? [] : [invalid(path, scheme.toLowerCase(), `'https' is the only allowed URL scheme${FORM}`)]), ...(host === "" ? [invalid(path, "", `host must be specified${FORM}`)] : []),
    ...(user === undefined ? [] : [invalid(path, user, "user information is not permitted in the URL")]), ...(fragment === "" ? [] : [invalid(path, fragment, "fragments are not permitted in the URL")]),
    ...(query === "" ? [] : [invalid(path, query, "query parameters are not permitted in the URL")]),
  ];
}

function validateServicePath(path: string, field: string): FieldError[] {
  if (path === "" || path === "/") return [];
  if (path === "//") return [invalid(field, path, "segment[0] may not be empty")];
  const steps = path.slice(1).replace(/\/$/, "").split("/");
  return [
    ...(path.startsWith("/") ? [] : [invalid(field, path, "must start with a '/'")]),
    ...steps.flatMap((step, i) => (step === "" ? [invalid(field, path, `segment[${i}] may not be empty`)] : isDNS1123Subdomain(step).map((bad) => invalid(field, path, `segment[${i}]: ${bad}`)))),
  ];
}

/** Upstream takes name and namespace in the wrong order: what is missing is told under the other's path. */
function validateService(service: Json, path: string): FieldError[] {
  const port = number(service["port"]) ?? 0;
  const bad = isValidPortNum(port);
  return [
    ...(service["namespace"] ? [] : [required(`${path}.name`)]), ...(service["name"] ? [] : [required(`${path}.namespace`)]),
    ...(bad.length === 0 ? [] : [invalid(`${path}.port`, port, `port is not valid: ${bad.join(", ")}`)]), ...validateServicePath(text(service["path"]), `${path}.path`),
  ];
}

/** Where a webhook is: exactly one of a URL and a Service, and that one well formed. */
export function validateClientConfig(config: Json, path: string): FieldError[] {
  const { url, service } = config;
  if (isSet(url) === isSet(service)) return [required(path, "exactly one of url or service is required")];
  return isSet(url) ? validateURL(text(url), `${path}.url`) : validateService(json(service), `${path}.service`);
}

/** What an old configuration got away with, it may keep. */
interface Strictness {
  readonly sideEffects: boolean;
  readonly reviewVersions: boolean;
  readonly uniqueNames: boolean;
}

function validateReviewVersions(versions: readonly string[], path: string, recognized: boolean): FieldError[] {
  if (versions.length === 0) return [required(path, `must specify one of ${REVIEW_VERSIONS.join(", ")}`)];
  const seen = seenBefore();
  const errors = eachText(versions, path, (version, at) => (seen(version) ? [invalid(at, version, "duplicate version")] : invalidEach(at, version, isDNS1035Label(version))));
  return recognized && !versions.some((v) => REVIEW_VERSIONS.includes(v)) ? [...errors, invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(", ")}`)] : errors;
}

function validateWebhook(hook: Json, path: string, mutating: boolean, strict: Strictness, compile: CompileCEL | undefined): FieldError[] {
  const effects = strict.sideEffects ? ["None", "NoneOnDryRun"] : ["None", "NoneOnDryRun", "Some", "Unknown"];
  const seconds = number(hook["timeoutSeconds"]);
  const selector = (key: string): FieldError[] => validateLabelSelector((hook[key] ?? undefined) as LabelSelector | undefined, `${path}.${key}`);
  return [
    ...validateFullyQualifiedName(text(hook["name"]), `${path}.name`), ...each(hook["rules"], `${path}.rules`, validateRuleWithOperations),
    ...oneOf0(hook["failurePolicy"], `${path}.failurePolicy`, ["Fail", "Ignore"]), ...oneOf0(hook["matchPolicy"], `${path}.matchPolicy`, ["Equivalent", "Exact"]),
    ...(isSet(hook["sideEffects"]) ? oneOf0(hook["sideEffects"], `${path}.sideEffects`, effects) : [required(`${path}.sideEffects`, `must specify one of ${effects.join(", ")}`)]),
    ...(seconds !== undefined && (seconds > 30 || seconds < 1) ? [invalid(`${path}.timeoutSeconds`, seconds, "the timeout value must be between 1 and 30 seconds")] : []),
    ...selector("namespaceSelector"), ...selector("objectSelector"), ...(mutating ? oneOf0(hook["reinvocationPolicy"], `${path}.reinvocationPolicy`, ["IfNeeded", "Never"]) : []),
    ...validateClientConfig(json(hook["clientConfig"]), `${path}.clientConfig`), ...validateMatchConditions(hook["matchConditions"], `${path}.matchConditions`, compile),
    ...validateReviewVersions(list(hook["admissionReviewVersions"]).map(text), `${path}.admissionReviewVersions`, strict.reviewVersions),
  ];
}

/** Both kinds. `old` on an update: rules it did not keep itself do not bind the new one. */
export function validateWebhookConfiguration(object: KubeObject, compile: CompileCEL | undefined, old?: KubeObject): FieldError[] {
  const before = old === undefined ? [] : list(root(old)["webhooks"]).map(json);
  const names = before.map((hook) => text(hook["name"])).filter((name) => name !== "");
  const strict: Strictness = {
    sideEffects: before.every((hook) => ["None", "NoneOnDryRun"].includes(text(hook["sideEffects"]))), uniqueNames: new Set(names).size === names.length,
    reviewVersions: before.every((hook) => list(hook["admissionReviewVersions"]).length === 0 || list(hook["admissionReviewVersions"]).some((v) => REVIEW_VERSIONS.includes(text(v)))),
  };
  const seen = seenBefore();
  return each(root(object)["webhooks"], "webhooks", (hook, at) => {
    const name = text(hook["name"]);
    const errors = validateWebhook(hook, at, object.kind === "MutatingWebhookConfiguration", strict, compile);
    return strict.uniqueNames && name !== "" && seen(name) ? [...errors, duplicate(`${at}.name`, name)] : errors;
  });
}
