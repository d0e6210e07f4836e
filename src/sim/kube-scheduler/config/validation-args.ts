// Models kubernetes/pkg/scheduler/apis/config/validation/validation_pluginargs.go
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "../../api/field-error.ts";
import { isQualifiedName, isValidLabelValue } from "../../api/names.ts";
import type { NodeSelectorRequirement, NodeSelectorTerm } from "../../api/types.ts";
import { validateLabelName } from "../../api/validation/helpers.ts";
import type { ResourceSpec, UtilizationShapePoint } from "../args.ts";
import type { PluginArgs, Strategy } from "./plugin-args.ts";

const STRATEGIES = ["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"];
const LABEL_OPERATORS = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];
const MAX_CUSTOM_SCORE = 10;

/** A field of the arguments; the plugin itself checks them without a path in front. */
const child = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

function preemption(path: string, { minCandidateNodesPercentage: percentage, minCandidateNodesAbsolute: absolute }: PluginArgs["DefaultPreemption"]): FieldError[] {
  const [percentagePath, absolutePath] = [child(path, "minCandidateNodesPercentage"), child(path, "minCandidateNodesAbsolute")];
  const errors: FieldError[] = [];
  if (percentage < 0 || percentage > 100) errors.push(invalid(percentagePath, percentage, "not in valid range [0, 100]"));
  if (absolute < 0) errors.push(invalid(absolutePath, absolute, "not in valid range [0, inf)"));
  if (percentage === 0 && absolute === 0) errors.push(invalid(percentagePath, percentage, "cannot be zero at the same time as minCandidateNodesAbsolute"), invalid(absolutePath, absolute, "cannot be zero at the same time as minCandidateNodesPercentage"));
  return errors;
}

function requirement(r: NodeSelectorRequirement, path: string): FieldError[] {
  const values = r.values ?? [];
  if (!LABEL_OPERATORS.includes(r.operator)) return [notSupported(`${path}.operator`, r.operator, LABEL_OPERATORS)];
  const errors: FieldError[] = [];
  const names = isQualifiedName(r.key);
  if (names.length > 0) errors.push(invalid(`${path}.key`, r.key, names.join("; ")));
  const at = `${path}.values`;
  // A list that was left out prints as null.
  const shown = r.values ?? null;
  if ((r.operator === "In" || r.operator === "NotIn") && values.length === 0) errors.push(invalid(at, shown, "for 'in', 'notin' operators, values set can't be empty"));
  if ((r.operator === "Exists" || r.operator === "DoesNotExist") && values.length > 0) errors.push(invalid(at, shown, "values set must be empty for exists and does not exist"));
  if (r.operator === "Gt" || r.operator === "Lt") {
    if (values.length !== 1) errors.push(invalid(at, shown, "for 'Gt', 'Lt' operators, exactly one value is required"));
    for (const [i, value] of values.entries()) if (!/^[+-]?\d+$/.test(value)) errors.push(invalid(`${at}[${i}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
  }
  for (const [i, value] of values.entries()) {
    const wrong = isValidLabelValue(value);
    if (wrong.length > 0) errors.push(invalid(`${at}[${i}][${r.key}]`, value, wrong.join("; ")));
  }
  return errors;
}

function fieldRequirement(r: NodeSelectorRequirement, path: string): FieldError[] {
  if (r.operator !== "In" && r.operator !== "NotIn") return [notSupported(`${path}.operator`, r.operator, ["In", "NotIn"])];
  return (r.values ?? []).length === 1 ? [] : [invalid(`${path}.values`, r.values ?? null, "must have one element")];
}

const nodeTerm = (term: NodeSelectorTerm, path: string): FieldError[] => [
  ...(term.matchExpressions ?? []).flatMap((r, i) => requirement(r, `${path}.matchExpressions[${i}]`)),
  ...(term.matchFields ?? []).flatMap((r, i) => fieldRequirement(r, `${path}.matchFields[${i}]`)),
];

function nodeAffinity(path: string, { addedAffinity }: PluginArgs["NodeAffinity"]): FieldError[] {
  const at = child(path, "addedAffinity");
  const terms = addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const preferences = addedAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...terms.flatMap((term, i) => nodeTerm(term, `${at}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${i}]`)),
    ...preferences.flatMap((p, i) => (p.weight ? nodeTerm(p.preference ?? {}, `${at}.preferredDuringSchedulingIgnoredDuringExecution[${i}]`) : [])),
  ];
}

function balancedAllocation(path: string, list: readonly ResourceSpec[]): FieldError[] {
  const seen = new Set<string>();
  return list.flatMap(({ name, weight }, i) => {
    const at = child(path, `resources[${i}]`);
    const errors = seen.has(name) ? [duplicate(`${at}.name`, name)] : [];
    seen.add(name);
    return weight === 1 ? errors : [...errors, invalid(`${at}.weight`, weight, "must be 1")];
  });
}

function shapeErrors(shape: readonly UtilizationShapePoint[], path: string): FieldError[] {
  if (shape.length === 0) return [required(path, "at least one point must be specified")];
  const errors: FieldError[] = [];
  const unsorted = shape.findIndex((p, i) => i > 0 && (shape[i - 1]?.utilization ?? 0) >= p.utilization);
  if (unsorted > 0) errors.push(invalid(`${path}[${unsorted}].utilization`, shape[unsorted]?.utilization, "values must be sorted in increasing order"));
  for (const [i, { utilization, score }] of shape.entries()) {
    if (utilization < 0 || utilization > 100) errors.push(invalid(`${path}[${i}].utilization`, utilization, "not in valid range [0, 100]"));
    if (score < 0 || score > MAX_CUSTOM_SCORE) errors.push(invalid(`${path}[${i}].score`, score, `not in valid range [0, ${MAX_CUSTOM_SCORE}]`));
  }
  return errors;
}

function strategyErrors(strategy: Strategy, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!STRATEGIES.includes(strategy.type)) errors.push(notSupported(`${path}.type`, strategy.type, STRATEGIES));
  for (const [i, { name, weight }] of strategy.resources.entries()) if (weight <= 0 || weight > 100) errors.push(invalid(`${path}.resources[${i}].weight`, weight, `resource weight of ${name} not in valid range (0, 100]`));
  const ratio = strategy.requestedToCapacityRatio;
  if (strategy.type === "RequestedToCapacityRatio") {
    if (ratio) errors.push(...shapeErrors(ratio.shape ?? [], `${path}.requestedToCapacityRatio.shape`));
    else errors.push(required(`${path}.requestedToCapacityRatio`, "must be specified when type is RequestedToCapacityRatio"));
  } else if (ratio) errors.push(forbidden(`${path}.requestedToCapacityRatio`, "must be nil when type is not RequestedToCapacityRatio"));
  return errors;
}

/** Upstream's table names this plugin wrongly, so that only the plugin itself checks its arguments, when it is made. */
export function nodeResourcesFitErrors(args: PluginArgs["NodeResourcesFit"]): FieldError[] {
  return [
    ...args.ignoredResources.flatMap((name, i) => validateLabelName(name, `ignoredResources[${i}]`)),
    ...args.ignoredResourceGroups.flatMap((group, i) => [...(group.includes("/") ? [invalid(`ignoredResourceGroups[${i}]`, group, "resource group name can't contain '/'")] : []), ...validateLabelName(group, `ignoredResourceGroups[${i}]`)]),
    ...strategyErrors(args.scoringStrategy, "scoringStrategy"),
  ];
}

function topologySpread(path: string, { defaultConstraints, defaultingType }: PluginArgs["PodTopologySpread"]): FieldError[] {
  const errors: FieldError[] = [];
  const typePath = child(path, "defaultingType");
  if (defaultingType !== "System" && defaultingType !== "List") errors.push(notSupported(typePath, defaultingType, ["System", "List"]));
  else if (defaultingType === "System" && defaultConstraints.length > 0) errors.push(invalid(typePath, defaultingType, "when .defaultConstraints are not empty"));
  for (const [i, c] of defaultConstraints.entries()) {
    const at = child(path, `defaultConstraints[${i}]`);
    if (c.maxSkew <= 0) errors.push(invalid(`${at}.maxSkew`, c.maxSkew, "not in valid range (0, inf)"));
    errors.push(...(c.topologyKey === "" ? [required(`${at}.topologyKey`, "can not be empty")] : validateLabelName(c.topologyKey, `${at}.topologyKey`)));
    const when: string = c.whenUnsatisfiable;
    if (when === "") errors.push(required(`${at}.whenUnsatisfiable`, "can not be empty"));
    else if (when !== "DoNotSchedule" && when !== "ScheduleAnyway") errors.push(notSupported(`${at}.whenUnsatisfiable`, when, ["DoNotSchedule", "ScheduleAnyway"]));
    if (c.labelSelector) errors.push(forbidden(`${at}.labelSelector`, "constraint must not define a selector, as they deduced for each pod"));
    if (defaultConstraints.slice(0, i).some((o) => o.topologyKey === c.topologyKey && o.whenUnsatisfiable === c.whenUnsatisfiable)) errors.push(duplicate(at, `{${c.topologyKey}, ${when}}`));
  }
  return errors;
}

function interPodAffinity(path: string, { hardPodAffinityWeight: weight }: PluginArgs["InterPodAffinity"]): FieldError[] {
  return weight < 0 || weight > 100 ? [invalid(child(path, "hardPodAffinityWeight"), weight, "not in valid range [0, 100]")] : [];
}

function volumeBinding(path: string, args: PluginArgs["VolumeBinding"]): FieldError[] {
  const errors = args.bindTimeoutSeconds < 0 ? [invalid(child(path, "bindTimeoutSeconds"), args.bindTimeoutSeconds, "invalid BindTimeoutSeconds, should not be a negative value")] : [];
  if (args.shape !== undefined) errors.push(invalid(child(path, "shape"), args.shape.map((p) => ({ Utilization: p.utilization, Score: p.score })), "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring"));
  return errors;
}

/** Which plugins' arguments are checked with the configuration; in their place of the list. */
export function validateArgs(name: string, args: PluginArgs, path: string): FieldError[] {
  switch (name) {
    case "DefaultPreemption":
      return preemption(path, args.DefaultPreemption);
    case "InterPodAffinity":
      return interPodAffinity(path, args.InterPodAffinity);
    case "NodeAffinity":
      return nodeAffinity(path, args.NodeAffinity);
    case "NodeResourcesBalancedAllocation":
      return balancedAllocation(path, args.NodeResourcesBalancedAllocation.resources);
    case "PodTopologySpread":
      return topologySpread(path, args.PodTopologySpread);
    case "VolumeBinding":
      return volumeBinding(path, args.VolumeBinding);
    default:
      return [];
  }
}
