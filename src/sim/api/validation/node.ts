// Models ValidateNode* and ValidateNamespace* of kubernetes/pkg/apis/core/validation/validation.go
import { duplicate, type FieldError, forbidden, internalError, invalid, invalidEach } from "../field-error.ts";
import { internalForm } from "../internal-form.ts";
import { ipFamily, isValidCIDR } from "../ip.ts";
import { isQualifiedName } from "../names.ts";
import type { KubeObject, ResourceList, Taint } from "../types.ts";
import { eachText, isSet, json, list, number, seenBefore, sortedEntries, spec, text, validatePositive } from "./helpers.ts";
import { validateKubeFinalizer } from "./object-meta.ts";
import { validateResourceQuantityValue } from "./resources.ts";
import { validateTaints } from "./scheduling.ts";

const validateNodeResources = (status: object): FieldError[] =>
  ["capacity", "allocatable"].flatMap((key) => sortedEntries(json(json(status)[key]) as ResourceList).flatMap(([name, quantity]) => validateResourceQuantityValue(name, quantity, `status.${key}.${name}`)));

/** What kubelet says it can do beyond the usual: sorted names such as "MyFeature/mySubFeature". */
function validateDeclaredFeatures(features: readonly string[]): FieldError[] {
  return features.flatMap((feature, i) => {
    const path = `status.declaredFeatures[${i}]`;
    const bad = `invalid feature name ${JSON.stringify(feature)}: must `;
    const before = features[i - 1];
    return [
      ...(before === undefined || before < feature ? [] : [before === feature ? duplicate(path, feature) : invalid(path, feature, "list must be sorted alphabetically")]),
      ...(feature.length > 253 ? [invalid(path, feature, `${bad}be no more than 253 characters`)] : []),
      ...(feature.length <= 253 && !/^[A-Z][A-Za-z0-9]*(\/[A-Za-z][A-Za-z0-9]*)*$/.test(feature)
        ? [invalid(path, feature, `${bad}start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`)] : []),
    ];
  });
}

function validatePodCIDRs(cidrs: readonly string[]): FieldError[] {
  const path = "spec.podCIDRs";
  const errors = eachText(cidrs, path, (cidr, at) => invalidEach(at, cidr, isValidCIDR(cidr)));
  if (cidrs.length < 2) return errors;
  const families = cidrs.map((cidr) => (isValidCIDR(cidr).length > 0 ? 0 : ipFamily(cidr.split("/")[0] ?? "")));
  const bad = cidrs[families.indexOf(0)];
  if (bad !== undefined) errors.push(internalError(path, `invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR address: ${bad}`));
  const dual = bad === undefined && families.includes(4) && families.includes(6);
  return dual && cidrs.length === 2 ? errors : [...errors, invalid(path, cidrs, "may specify no more than one CIDR for each IP family")];
}

const shared = (node: KubeObject): FieldError[] => [...validateNodeResources(json(node.status)), ...validateDeclaredFeatures(list(json(node.status)["declaredFeatures"]).map(text))];
const taints = (node: KubeObject): FieldError[] => validateTaints(spec(node)["taints"] as readonly Taint[] | undefined, "metadata.taints");

/** The singular field of v1 wins over a list that begins otherwise. */
function podCIDRs(node: KubeObject): readonly string[] {
  const cidrs = list(spec(node)["podCIDRs"]).map(text);
  const single = text(spec(node)["podCIDR"]);
  return single === "" || single === cidrs[0] ? cidrs : [single];
}

/** Simplified: upstream also reads the alpha annotations for taints and avoided Pods. */
export function validateNode(node: KubeObject): FieldError[] {
  const swap = json(json(json(node.status)["nodeInfo"])["swap"])["capacity"];
  const [resources, features] = [validateNodeResources(json(node.status)), validateDeclaredFeatures(list(json(node.status)["declaredFeatures"]).map(text))];
  return [...taints(node), ...resources, ...(isSet(swap) ? validatePositive(number(swap) ?? 0, "metadata.nodeSwapStatus.capacity") : []), ...features, ...validatePodCIDRs(podCIDRs(node))];
}

export function validateNodeUpdate(node: KubeObject, old: KubeObject): FieldError[] {
  const seen = seenBefore();
  const errors = [...validateNode(node), ...shared(node)];
  for (const [i, address] of list(json(node.status)["addresses"]).map(json).entries()) {
    if (seen(`${text(address["type"])} ${text(address["address"])}`)) errors.push(duplicate(`status.addresses[${i}]`, internalForm(address, "NodeAddress")));
  }
  const now = list(spec(node)["podCIDRs"]);
  const before = list(spec(old)["podCIDRs"]);
  const fixed = (key: string): string => `node updates may not change ${key} except from "" to valid`;
  const changed = before.length === now.length ? before.filter((cidr, i) => cidr !== now[i]).length : Math.min(1, before.length);
  for (let i = 0; i < changed; i++) errors.push(forbidden("spec.podCIDRs", fixed("podCIDR")));
  const provider = text(spec(old)["providerID"]);
  if (provider !== "" && provider !== spec(node)["providerID"]) errors.push(forbidden("spec.providerID", fixed("providerID")));
  errors.push(...taints(node));
  return text(spec(node)["externalID"]) === text(spec(old)["externalID"]) ? errors : [...errors, forbidden("spec.externalID", "may not be updated")];
}

export const validateNamespace = (object: KubeObject): FieldError[] =>
  list(spec(object)["finalizers"]).map(text).flatMap((name) => [...invalidEach("spec.finalizers", name, isQualifiedName(name)), ...validateKubeFinalizer(name, "spec.finalizers")]);

/** A namespace that is being deleted is Terminating, every other one Active. */
export function validateNamespaceStatus(object: KubeObject): FieldError[] {
  const deleted = object.metadata.deletionTimestamp !== undefined;
  const wanted = deleted ? "Terminating" : "Active";
  const phase = text(json(object.status)["phase"]);
  return phase === wanted ? [] : [invalid("status.Phase", phase, `may only be '${wanted}' if \`deletionTimestamp\` is ${deleted ? "not " : ""}empty`)];
}
