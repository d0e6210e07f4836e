// Models kubernetes/pkg/apis/flowcontrol/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, invalidEach, notSupported, required } from "../field-error.ts";
import { isDNS1123Label, isDNS1123Subdomain } from "../names.ts";
import type { KubeObject } from "../types.ts";
import { each, eachText, isSet, type Json, json, list, named, number, seenBefore, spec as specOf, text } from "./helpers.ts";

const MAX_PRECEDENCE = 10_000;
const MAX_QUEUES = 10_000_000;
const MAX_HASH_BITS = 60n;
const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];
const KINDS = ["Group", "ServiceAccount", "User"];

const lower = (kind: string): string => `${kind.slice(0, 1).toLowerCase()}${kind.slice(1)}`;

function validateSubjectSource(kind: string, source: Json, path: string): FieldError[] {
  if (kind !== "ServiceAccount") return text(source["name"]) === "" ? [required(`${path}.name`)] : [];
  return [
    ...named(source["name"], `${path}.name`, (name) => (name === "*" ? [] : isDNS1123Subdomain(name))),
    ...named(source["namespace"], `${path}.namespace`, isDNS1123Label, "must specify namespace for service account"),
  ];
}

function validateSubject(subject: Json, path: string): FieldError[] {
  const kind = text(subject["kind"]);
  if (!KINDS.includes(kind)) return [notSupported(`${path}.kind`, kind, KINDS)];
  const at = `${path}.${lower(kind)}`;
  const source = subject[lower(kind)];
  const errors = isSet(source) ? validateSubjectSource(kind, json(source), at) : [required(at, `${lower(kind)} is required when subject kind is '${kind}'`)];
  const others = ["ServiceAccount", "User", "Group"].filter((other) => other !== kind && isSet(subject[lower(other)]));
  return [...errors, ...others.map((other) => forbidden(`${path}.${lower(other)}`, `${lower(other)} is forbidden when subject kind is not '${other}'`))];
}

function validateVerbs(verbs: readonly unknown[], path: string): FieldError[] {
  if (verbs.length === 0) return [required(path, "verbs must contain at least one value")];
  if (verbs.includes("*")) return verbs.length > 1 ? [invalid(path, verbs, "if '*' is present, must not specify other verbs")] : [];
  return verbs.every((verb) => VERBS.includes(text(verb))) ? [] : [notSupported(path, verbs, VERBS)];
}

/** A list of which "*" means everything. */
function validateWild(values: readonly unknown[], path: string, missing: string, others: string): FieldError[] {
  if (values.length === 0) return [required(path, missing)];
  return values.length > 1 && values.includes("*") ? [invalid(path, values, `if '*' is present, must not specify other ${others}`)] : [];
}

function urlPathError(path: string): string | undefined {
  if (path === "") return "must not be empty";
  if (path === "/") return undefined;
  if (!path.startsWith("/")) return "must start with slash";
  if (path.includes(" ")) return "must not contain white-space";
  if (path.includes("//")) return "must not contain double slash";
  return path.includes("*") && (path.split("*").length > 2 || !path.endsWith("/*")) ? "wildcard can only do suffix matching" : undefined;
}

function validateNonResourceRule(rule: Json, path: string): FieldError[] {
  const urls = list(rule["nonResourceURLs"]);
  const at = `${path}.nonResourceURLs`;
  return [
    ...validateVerbs(list(rule["verbs"]), `${path}.verbs`), ...validateWild(urls, at, "nonResourceURLs must contain at least one value", "non-resource URLs"),
    ...(urls.includes("*") ? [] : eachText(urls, at, (url, field) => invalidEach(field, url, [urlPathError(url)].filter((bad) => bad !== undefined)))),
  ];
}

function validateResourceRule(rule: Json, path: string): FieldError[] {
  const namespaces = list(rule["namespaces"]);
  const at = `${path}.namespaces`;
  return [
    ...validateVerbs(list(rule["verbs"]), `${path}.verbs`), ...validateWild(list(rule["apiGroups"]), `${path}.apiGroups`, "resource rules must supply at least one api group", "api groups"),
    ...validateWild(list(rule["resources"]), `${path}.resources`, "resource rules must supply at least one resource", "resources"),
    ...(namespaces.length > 0 || rule["clusterScope"] !== true ? validateWild(namespaces, at, "resource rules that are not cluster scoped must supply at least one namespace", "namespaces") : []),
    ...(namespaces.includes("*") ? [] : eachText(namespaces, at, (name, field) => invalidEach(field, name, isDNS1123Label(name).map((bad) => `each member of this list must be '*' or a DNS-1123 label; ${bad}`)))),
  ];
}

function validateRule(rule: Json, path: string): FieldError[] {
  const { subjects, resourceRules, nonResourceRules } = rule;
  return [
    ...(list(subjects).length === 0 ? [required(`${path}.subjects`, "subjects must contain at least one value")] : each(subjects, `${path}.subjects`, validateSubject)),
    ...(list(resourceRules).length + list(nonResourceRules).length === 0 ? [required(path, "at least one of resourceRules and nonResourceRules has to be non-empty")] : []),
    ...each(resourceRules, `${path}.resourceRules`, validateResourceRule), ...each(nonResourceRules, `${path}.nonResourceRules`, validateNonResourceRule),
  ];
}

/** The status of both kinds. */
export function validateFlowStatus(object: KubeObject): FieldError[] {
  const seen = seenBefore();
  return each(json(object.status)["conditions"], "status.conditions", (condition, at) => {
    const type = text(condition["type"]);
    return [...(seen(type) ? [duplicate(`${at}.type`, type)] : []), ...(type === "" ? [required(`${at}.type`)] : [])];
  });
}

/** Simplified: upstream also keeps the mandatory schemas and levels (exempt, catch-all) at their fixed spec. */
export function validateFlowSchema(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const precedence = number(spec["matchingPrecedence"]) ?? 0;
  const at = "spec.matchingPrecedence";
  const method = spec["distinguisherMethod"];
  return [
    ...(precedence <= 0 ? [invalid(at, precedence, "must be a positive value")] : []), ...(precedence > MAX_PRECEDENCE ? [invalid(at, precedence, `must not be greater than ${MAX_PRECEDENCE}`)] : []),
    ...(precedence === 1 && object.metadata.name !== "exempt" ? [invalid(at, precedence, "only the schema named 'exempt' may have matchingPrecedence 1")] : []),
    ...(isSet(method) && !["ByNamespace", "ByUser"].includes(text(json(method)["type"])) ? [notSupported("spec.distinguisherMethod.type", { Type: text(json(method)["type"]) }, ["ByNamespace", "ByUser"])] : []),
    ...named(json(spec["priorityLevelConfiguration"])["name"], "spec.priorityLevelConfiguration.name", isDNS1123Subdomain, "must reference a priority level"),
    ...each(spec["rules"], "spec.rules", validateRule), ...validateFlowStatus(object),
  ];
}

/** Whether the hands of `hand` cards that a deck of `deck` can give are too many for one hash. */
function exceedsHash(deck: number, hand: number): boolean {
  let hands = 1n;
  for (let i = 0; i < hand; i++) {
    hands *= BigInt(deck - i);
    if (hands > 1n << MAX_HASH_BITS) return true;
  }
  return false;
}

function validateQueuing(queuing: Json, path: string): FieldError[] {
  const [limit = 0, queues = 0, hand = 0] = ["queueLengthLimit", "queues", "handSize"].map((key) => number(queuing[key]) ?? 0);
  const positive = (key: string, value: number): FieldError[] => (value <= 0 ? [invalid(`${path}.${key}`, value, "must be positive")] : []);
  const errors = [...positive("queueLengthLimit", limit), ...positive("queues", queues), ...(queues > MAX_QUEUES ? [invalid(`${path}.queues`, queues, `must not be greater than ${MAX_QUEUES}`)] : []), ...positive("handSize", hand)];
  if (hand <= 0) return errors;
  if (hand > queues) return [...errors, invalid(`${path}.handSize`, hand, `should not be greater than queues (${queues})`)];
  return exceedsHash(queues, hand) ? [...errors, invalid(`${path}.handSize`, hand, `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${MAX_HASH_BITS}`)] : errors;
}

function validateLimitResponse(response: Json, path: string): FieldError[] {
  const type = text(response["type"]);
  const { queuing } = response;
  if (type === "Reject") return isSet(queuing) ? [forbidden(`${path}.queuing`, "must be nil if limited.limitResponse.type is not Limited")] : [];
  if (type === "Queue") return isSet(queuing) ? validateQueuing(json(queuing), `${path}.queuing`) : [required(`${path}.queuing`, "must not be empty if limited.limitResponse.type is Limited")];
  return [type === "" ? required(`${path}.type`) : notSupported(`${path}.type`, type, ["Queue", "Reject"])];
}

function validateShares(level: Json, path: string, limited: boolean): FieldError[] {
  const [shares = 0, lendable, borrowing = 0] = ["nominalConcurrencyShares", "lendablePercent", "borrowingLimitPercent"].map((key) => number(level[key]));
  return [
    ...(shares < 0 ? [invalid(`${path}.nominalConcurrencyShares`, shares, "must be a non-negative integer")] : []), ...(limited ? validateLimitResponse(json(level["limitResponse"]), `${path}.limitResponse`) : []),
    ...(lendable !== undefined && (lendable < 0 || lendable > 100) ? [invalid(`${path}.lendablePercent`, lendable, "must be between 0 and 100, inclusive")] : []),
    ...(limited && borrowing < 0 ? [invalid(`${path}.borrowingLimitPercent`, borrowing, "if specified, must be a non-negative integer")] : []),
  ];
}

const ZERO_SHARES = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";

export function validatePriorityLevelConfiguration(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const type = text(spec["type"]);
  const { limited, exempt } = spec;
  const errors = object.metadata.annotations?.[ZERO_SHARES] === undefined ? [] : [forbidden("metadata.annotations", `annotation '${ZERO_SHARES}' is forbidden`)];
  if ((object.metadata.name === "exempt") !== (type === "Exempt")) errors.push(invalid("spec.type", type, "must be 'Exempt' if and only if `name` is 'exempt'"));
  if (type === "Exempt") errors.push(...(isSet(limited) ? [forbidden("spec.limited", "must be nil if the type is not Limited")] : []), ...(isSet(exempt) ? validateShares(json(exempt), "spec.exempt", false) : []));
  else if (type === "Limited") {
    if (isSet(exempt)) errors.push(forbidden("spec.exempt", "must be nil if the type is Limited"));
    errors.push(...(isSet(limited) ? validateShares(json(limited), "spec.limited", true) : [required("spec.limited", "must not be empty when type is Limited")]));
  } else errors.push(type === "" ? required("spec.type") : notSupported("spec.type", type, ["Exempt", "Limited"]));
  return [...errors, ...validateFlowStatus(object)];
}
