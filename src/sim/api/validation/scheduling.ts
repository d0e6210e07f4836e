// Models the affinity, toleration, topology spread and gate rules of kubernetes/pkg/apis/core/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, invalidEach, notSupported, required } from "../field-error.ts";
import { isDNS1123Label, isDNS1123Subdomain, isValidLabelValue } from "../names.ts";
import type { Affinity, LabelSelector, NodeSelectorRequirement, NodeSelectorTerm, PodAffinity, PodAffinityTerm, PodSpec, Taint, Toleration, TopologySpreadConstraint } from "../types.ts";
import { semanticEqual, validateLabelName, validateLabelSelector, validatePositive, validateQualifiedName, validateRequirement } from "./helpers.ts";

function validateNodeFieldRequirement(requirement: NodeSelectorRequirement, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const values = requirement.values ?? [];
  if (requirement.operator !== "In" && requirement.operator !== "NotIn") errors.push(invalid(`${path}.operator`, requirement.operator, "not a valid selector operator"));
  else if (values.length !== 1) errors.push(required(`${path}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  if (requirement.key !== "metadata.name") return [...errors, invalid(`${path}.key`, requirement.key, "not a valid field selector key")];
  return [...errors, ...values.flatMap((value, i) => invalidEach(`${path}.values[${i}]`, value, isDNS1123Subdomain(value)))];
}

function validateNodeSelectorTerm(term: NodeSelectorTerm, path: string, checkValues: boolean): FieldError[] {
  return [
    ...(term.matchExpressions ?? []).flatMap((r, i) => validateRequirement(r, `${path}.matchExpressions[${i}]`, true, checkValues)),
    ...(term.matchFields ?? []).flatMap((r, i) => validateNodeFieldRequirement(r, `${path}.matchFields[${i}]`)),
  ];
}

export function validateNodeSelector(selector: { readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] }, path: string): FieldError[] {
  const terms = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) return [required(`${path}.nodeSelectorTerms`, "must have at least one node selector term")];
  return terms.flatMap((term, i) => validateNodeSelectorTerm(term, `${path}.nodeSelectorTerms[${i}]`, true));
}

const weight = (value: number, path: string): FieldError[] => (value <= 0 || value > 100 ? [invalid(`${path}.weight`, value, "must be in the range 1-100")] : []);

/** matchLabelKeys are merged into the selector at creation: they need one, and must not repeat what it already says twice. */
function validateMatchLabelKeys(path: string, keys: readonly string[], mismatch: readonly string[], selector: LabelSelector | undefined): FieldError[] {
  const named = (list: readonly string[], at: string): FieldError[] => {
    if (list.length === 0) return [];
    return selector ? list.flatMap((key, i) => validateLabelName(key, `${at}[${i}]`)) : [forbidden(at, "must not be specified when labelSelector is not set")];
  };
  const errors = [...named(keys, `${path}.matchLabelKeys`), ...named(mismatch, `${path}.mismatchLabelKeys`)];
  const seen = new Set(Object.keys(selector?.matchLabels ?? {}));
  for (const { key } of selector?.matchExpressions ?? []) {
    const i = keys.indexOf(key);
    if (i >= 0 && seen.has(key)) errors.push(invalid(`${path}[${i}]`, key, "exists in both matchLabelKeys and labelSelector"));
    seen.add(key);
  }
  for (const [i, key] of keys.entries()) if (mismatch.includes(key)) errors.push(invalid(`${path}.matchLabelKeys[${i}]`, key, "exists in both matchLabelKeys and mismatchLabelKeys"));
  return errors;
}

function validatePodAffinityTerm(term: PodAffinityTerm, path: string): FieldError[] {
  return [
    ...validateLabelSelector(term.labelSelector, `${path}.labelSelector`),
    ...validateLabelSelector(term.namespaceSelector, `${path}.namespaceSelector`),
    ...(term.namespaces ?? []).flatMap((name) => invalidEach(`${path}.namespace`, name, isDNS1123Label(name))),
    ...validateMatchLabelKeys(path, term.matchLabelKeys ?? [], term.mismatchLabelKeys ?? [], term.labelSelector),
    ...(term.topologyKey ? [] : [required(`${path}.topologyKey`, "can not be empty")]),
    ...validateLabelName(term.topologyKey ?? "", `${path}.topologyKey`),
  ];
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

function validatePodAffinity(affinity: PodAffinity | undefined, path: string): FieldError[] {
  return [
    ...(affinity?.[REQUIRED] ?? []).flatMap((term, i) => validatePodAffinityTerm(term, `${path}.${REQUIRED}[${i}]`)),
    ...(affinity?.[PREFERRED] ?? []).flatMap((term, i) => [...weight(term.weight, `${path}.${PREFERRED}[${i}]`), ...validatePodAffinityTerm(term.podAffinityTerm, `${path}.${PREFERRED}[${i}].podAffinityTerm`)]),
  ];
}

export function validateAffinity(affinity: Affinity | undefined, path: string): FieldError[] {
  if (!affinity) return [];
  const node = affinity.nodeAffinity;
  return [
    ...(node?.[REQUIRED] ? validateNodeSelector(node[REQUIRED], `${path}.nodeAffinity.${REQUIRED}`) : []),
    ...(node?.[PREFERRED] ?? []).flatMap((term, i) => [
      ...weight(term.weight, `${path}.nodeAffinity.${PREFERRED}[${i}]`),
      ...validateNodeSelectorTerm(term.preference, `${path}.nodeAffinity.${PREFERRED}[${i}].preference`, false),
    ]),
    ...validatePodAffinity(affinity.podAffinity, `${path}.podAffinity`),
    ...validatePodAffinity(affinity.podAntiAffinity, `${path}.podAntiAffinity`),
  ];
}

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
const effect = (value: string, path: string): FieldError[] => (EFFECTS.includes(value) ? [] : [notSupported(path, value, EFFECTS)]);

function validateTolerationValue(toleration: Toleration, path: string): FieldError[] {
  const value = toleration.value ?? "";
  switch (toleration.operator ?? "") {
    case "":
    case "Equal": {
      const bad = isValidLabelValue(value);
      return bad.length === 0 ? [] : [invalid(`${path}.operator`, value, bad.join(";"))];
    }
    case "Exists":
      return value === "" ? [] : [invalid(`${path}.operator`, value, "value must be empty when `operator` is 'Exists'")];
    case "Lt":
    case "Gt":
      // The comparison operators are behind an alpha gate that is off.
      return [notSupported(`${path}.operator`, toleration.operator, ["Equal", "Exists", "Lt", "Gt"])];
    default:
      return [notSupported(`${path}.operator`, toleration.operator, ["Equal", "Exists"])];
  }
}

export function validateTolerations(tolerations: readonly Toleration[] | undefined, path: string): FieldError[] {
  return (tolerations ?? []).flatMap((toleration, i) => {
    const at = `${path}[${i}]`;
    const errors = toleration.key ? validateLabelName(toleration.key, `${at}.key`) : [];
    if (!toleration.key && toleration.operator !== "Exists") errors.push(invalid(`${at}.operator`, toleration.operator ?? "", 'operator must be Exists when `key` is empty, which means "match all values and all keys"'));
    if (toleration.tolerationSeconds !== undefined && toleration.effect !== "NoExecute") errors.push(invalid(`${at}.effect`, toleration.effect ?? "", "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    errors.push(...validateTolerationValue(toleration, at));
    return toleration.effect ? [...errors, ...effect(toleration.effect, `${at}.effect`)] : errors;
  });
}

/** Existing tolerations stay, apart from their seconds; others may be added. */
export function validateOnlyAddedTolerations(tolerations: readonly Toleration[] | undefined, old: readonly Toleration[] | undefined, path: string): FieldError[] {
  const timeless = (t: Toleration): Toleration => ({ ...t, tolerationSeconds: 0 });
  const lost = (old ?? []).some((before) => !(tolerations ?? []).some((now) => semanticEqual(timeless(before), timeless(now))));
  return lost ? [forbidden(path, "existing toleration can not be modified except its tolerationSeconds")] : validateTolerations(tolerations, path);
}

export function validateTaints(taints: readonly Taint[] | undefined, path: string): FieldError[] {
  const seen = new Set<string>();
  return (taints ?? []).flatMap((taint, i) => {
    const at = `${path}[${i}]`;
    const errors = validateLabelName(taint.key, `${at}.key`);
    const bad = isValidLabelValue(taint.value ?? "");
    if (bad.length > 0) errors.push(invalid(`${at}.value`, taint.value, bad.join(";")));
    errors.push(...(taint.effect ? effect(taint.effect, `${at}.effect`) : [required(`${at}.effect`)]));
    const key = `${taint.effect}/${taint.key}`;
    if (seen.has(key)) {
      const error = duplicate(at, { Key: taint.key, Value: taint.value ?? "", Effect: taint.effect, TimeAdded: taint.timeAdded ?? null });
      errors.push({ ...error, message: `${error.message}: taints must be unique by key and effect pair` });
    }
    seen.add(key);
    return errors;
  });
}

function validateConstraint(c: TopologySpreadConstraint, rest: readonly TopologySpreadConstraint[], at: string): FieldError[] {
  const errors = validatePositive(c.maxSkew, `${at}.maxSkew`);
  if (!c.topologyKey) errors.push(required(`${at}.topologyKey`, "can not be empty"));
  if (c.whenUnsatisfiable !== "DoNotSchedule" && c.whenUnsatisfiable !== "ScheduleAnyway") errors.push(notSupported(`${at}.whenUnsatisfiable`, c.whenUnsatisfiable, ["DoNotSchedule", "ScheduleAnyway"]));
  if (rest.some((r) => r.topologyKey === c.topologyKey && r.whenUnsatisfiable === c.whenUnsatisfiable)) errors.push(duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${c.topologyKey}, ${c.whenUnsatisfiable}}`));
  if (c.minDomains !== undefined) {
    errors.push(...validatePositive(c.minDomains, `${at}.minDomains`));
    if (c.whenUnsatisfiable !== "DoNotSchedule") errors.push(invalid(`${at}.minDomains`, c.minDomains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${c.whenUnsatisfiable}`));
  }
  for (const key of ["nodeAffinityPolicy", "nodeTaintsPolicy"] as const) {
    const policy = c[key];
    if (policy !== undefined && policy !== "Ignore" && policy !== "Honor") errors.push(notSupported(`${at}.${key}`, policy, ["Honor", "Ignore"]));
  }
  return [...errors, ...validateMatchLabelKeys(at, c.matchLabelKeys ?? [], [], c.labelSelector), ...validateLabelSelector(c.labelSelector, `${at}.labelSelector`)];
}

export const validateTopologySpreadConstraints = (constraints: readonly TopologySpreadConstraint[] | undefined, path: string): FieldError[] =>
  (constraints ?? []).flatMap((c, i) => validateConstraint(c, (constraints ?? []).slice(i + 1), `${path}[${i}]`));

export function validateSchedulingGates(gates: PodSpec["schedulingGates"], path: string): FieldError[] {
  const seen = new Set<string>();
  return (gates ?? []).flatMap(({ name }, i) => {
    const errors = validateQualifiedName(name, `${path}[${i}]`);
    if (seen.has(name)) errors.push(duplicate(`${path}[${i}]`, name));
    seen.add(name);
    return errors;
  });
}

export function validateOnlyDeletedSchedulingGates(gates: PodSpec["schedulingGates"], old: PodSpec["schedulingGates"], path: string): FieldError[] {
  return (gates ?? []).flatMap(({ name }, i) => ((old ?? []).some((g) => g.name === name) ? [] : [forbidden(`${path}[${i}].name`, `only deletion is allowed, but found new scheduling gate '${name}'`)]));
}

/** A gated Pod's node selector may only get more entries, its required node affinity only more requirements. */
export function validateGatedNodeSelection(spec: PodSpec, old: PodSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const kept = Object.entries(old.nodeSelector ?? {}).every(([key, value]) => spec.nodeSelector?.[key] === value);
  if (!kept) errors.push(invalid(`${path}.nodeSelector`, spec.nodeSelector ?? null, "only additions to spec.nodeSelector are allowed (no mutations or deletions)"));
  const terms = (s: PodSpec): readonly NodeSelectorTerm[] => s.affinity?.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms ?? [];
  const before = terms(old);
  const now = terms(spec);
  const at = `${path}.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
  if (before.length > 0 && before.length !== now.length) return [...errors, invalid(at, now.length === 0 ? null : now, "no additions/deletions to non-empty NodeSelectorTerms list are allowed")];
  const extended = (a: readonly NodeSelectorRequirement[] | undefined, b: readonly NodeSelectorRequirement[] | undefined): boolean => semanticEqual((b ?? []).slice(0, (a ?? []).length), a);
  for (const [i, term] of before.entries()) {
    const next = now[i];
    const emptyBefore = !term.matchExpressions?.length && !term.matchFields?.length;
    const emptyNow = !next?.matchExpressions?.length && !next?.matchFields?.length;
    const ok = emptyBefore ? emptyNow : extended(term.matchExpressions, next?.matchExpressions) && extended(term.matchFields, next?.matchFields);
    if (!ok) errors.push(invalid(`${at}[${i}]`, next, "only additions are allowed (no mutations or deletions)"));
  }
  return errors;
}
