// Models ValidatePodStatusUpdate of kubernetes/pkg/apis/core/validation/validation.go
import { duplicate, type FieldError, forbidden, internalError, invalid, invalidEach } from "../field-error.ts";
import { ipFamily, isValidIP } from "../ip.ts";
import { isDNS1123Subdomain, isValidGroupID, isValidUserID } from "../names.ts";
import type { Container, Pod } from "../types.ts";
import { each, isSet, type Json, json, list, number, seenBefore, text, validateImmutable, validateQualifiedName } from "./helpers.ts";
import { validatePodAnnotationUpdate } from "./pod-annotations.ts";

const SYSTEM = ["PodScheduled", "Ready", "Initialized"];

const validateConditions = (conditions: unknown, path: string): FieldError[] => each(conditions, path, (condition, at) => [
  ...((number(condition["observedGeneration"]) ?? 0) < 0 ? [invalid(`${at}.observedGeneration`, condition["observedGeneration"], "must be a non-negative integer")] : []),
  ...(SYSTEM.includes(text(condition["type"])) ? [] : validateQualifiedName(text(condition["type"]), `${at}.Type`)),
]);

function shouldRestart(container: Container, podPolicy: string, exitCode: number): boolean {
  const policy = container.restartPolicy;
  const matched = policy !== undefined && (container.restartPolicyRules ?? []).some(({ exitCodes }) => exitCodes !== undefined && (exitCodes.values ?? []).includes(exitCode) === (exitCodes.operator === "In"));
  const effective = policy ?? podPolicy;
  return matched || effective === "Always" || (effective === "OnFailure" && exitCode !== 0);
}

/** A container that has ended for good stays ended. */
function validateTransitions(statuses: unknown, old: unknown, containers: readonly Container[] | undefined, podPolicy: string, path: string): FieldError[] {
  return list(old).map(json).flatMap((before, i) => {
    const { terminated } = json(before["state"]);
    if (!isSet(terminated)) return [];
    const now = list(statuses).map(json).find((status) => status["name"] === before["name"]);
    if (now === undefined || isSet(json(now["state"])["terminated"])) return [];
    const container = containers?.find((c) => c.name === before["name"]);
    return container !== undefined && shouldRestart(container, podPolicy, number(json(terminated)["exitCode"]) ?? 0) ? [] : [forbidden(`${path}[${i}].state`, "may not be transitioned to non-terminated state")];
  });
}

function validateIPs(status: Json, old: Json, key: "podIPs" | "hostIPs"): FieldError[] {
  const path = `status.${key}`;
  const ips = list(status[key]).map((entry) => text(json(entry)["ip"]));
  const known = list(old[key]).map((entry) => text(json(entry)["ip"]));
  const errors: FieldError[] = [];
  if (key === "hostIPs" && ips.length > 0 && text(status["hostIP"]) !== ips[0]) errors.push(invalid(`${path}[0].ip`, ips[0], "must be equal to `hostIP`"));
  for (const [i, ip] of ips.entries()) if (!known.includes(ip)) errors.push(...invalidEach(`${path}[${i}]`, ip, isValidIP(ip)));
  if (ips.length < 2) return errors;
  const bad = ips.find((ip) => ipFamily(ip) === 0);
  if (bad !== undefined) errors.push(internalError(path, `failed to check for dual stack with error:ip ${bad} is invalid`));
  const dual = bad === undefined && new Set(ips.map(ipFamily)).size === 2;
  return dual && ips.length === 2 ? errors : [...errors, invalid(path, ips.map((IP) => ({ IP })), "may specify no more than one IP for each IP family")];
}

function validateUsers(statuses: unknown, windows: boolean, path: string): FieldError[] {
  return each(statuses, path, (status, at) => {
    const { linux } = json(status["user"]);
    if (!isSet(linux)) return [];
    const field = `${at}.user.linux`;
    if (windows) return [forbidden(field, "cannot be set for a windows pod")];
    const { uid, gid, supplementalGroups } = json(linux);
    return [
      ...invalidEach(`${field}.uid`, uid, isValidUserID(number(uid) ?? 0)), ...invalidEach(`${field}.gid`, gid, isValidGroupID(number(gid) ?? 0)),
      ...list(supplementalGroups).flatMap((group, i) => invalidEach(`${field}.supplementalGroups[${i}]`, group, isValidGroupID(number(group) ?? 0))),
    ];
  });
}

function validateClaimStatuses(status: Json, pod: Pod): FieldError[] {
  const seen = seenBefore();
  return each(status["resourceClaimStatuses"], "status.resourceClaimStatuses", (claim, at) => {
    const name = text(claim["name"]);
    const { resourceClaimName } = claim;
    return [
      ...((pod.spec.resourceClaims ?? []).some((c) => c.name === name) ? [] : [invalid(`${at}.name`, name, "must match the name of an entry in `spec.resourceClaims`")]), ...(seen(name) ? [duplicate(`${at}.name`, name)] : []),
      ...(isSet(resourceClaimName) ? invalidEach(`${at}.resourceClaimName`, resourceClaimName, isDNS1123Subdomain(text(resourceClaimName))) : []),
    ];
  });
}

const STATUSES = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const;

/** Simplified: upstream also checks the states of devices (allocatedResourcesStatus, extended and allocatable claims). */
export function validatePodStatusUpdate(pod: Pod, old: Pod): FieldError[] {
  const status = json(pod.status);
  const before = json(old.status);
  const errors = [...validatePodAnnotationUpdate(pod, old, "metadata.annotations"), ...validateConditions(status["conditions"], "status.conditions")];
  if ((pod.spec.nodeName ?? "") !== (old.spec.nodeName ?? "")) errors.push(forbidden("status.nodeName", "may not be changed directly"));
  const nominated = text(status["nominatedNodeName"]);
  if (nominated !== "" && nominated !== before["nominatedNodeName"]) {
    errors.push(...invalidEach("status.nominatedNodeName", nominated, isDNS1123Subdomain(nominated)));
    if (old.spec.nodeName) errors.push(forbidden("status.nominatedNodeName", "may not be set on pods that are already bound to a node"));
  }
  if ((number(status["observedGeneration"]) ?? 0) < 0) errors.push(invalid("status.observedGeneration", status["observedGeneration"], "must be a non-negative integer"));
  errors.push(...validateImmutable(status["qosClass"], before["qosClass"], "status.qosClass"));
  const restartsAll = [...old.spec.containers, ...(old.spec.initContainers ?? [])].some((c) => c.restartPolicyRules?.some((rule) => rule.action === "RestartAllContainers"));
  for (const [key, containers] of [["containerStatuses", old.spec.containers], ["initContainerStatuses", old.spec.initContainers], ["ephemeralContainerStatuses", undefined]] as const) {
    if (!restartsAll || containers === undefined) errors.push(...validateTransitions(status[key], before[key], containers, old.spec.restartPolicy ?? "Always", `status.${key}`));
  }
  errors.push(...validateClaimStatuses(status, pod), ...validateIPs(status, before, "podIPs"), ...validateIPs(status, before, "hostIPs"));
  return [...errors, ...STATUSES.flatMap((key) => validateUsers(status[key], pod.spec.os?.name === "windows", `status.${key}`))];
}
