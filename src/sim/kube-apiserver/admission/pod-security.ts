// Models kubernetes/staging/src/k8s.io/pod-security-admission/admission/admission.go and plugin/pkg/admission/security/podsecurity
import { newInvalid } from "../../api/status-errors.ts";
import type { Container, KubeObject, ObjectMeta, Pod, PodSpec, Status } from "../../api/types.ts";
import { type AdmissionAttributes, type AdmissionPlugin, forbid } from "./attributes.ts";
import { compareLevels, detailText, evaluatePod, levelText, type LevelVersion, policyOf, reasonText, sameLevel, type SecurityPolicy } from "./pod-security-levels.ts";

const IGNORED_SUBRESOURCES = new Set(["exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status"]);
const WORKLOADS = new Set(["/replicationcontrollers", "/podtemplates", "apps/replicasets", "apps/deployments", "apps/statefulsets", "apps/daemonsets", "batch/jobs", "batch/cronjobs"]);
const MAX_PODS = 3_000;

interface Template {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
}

/** The template of a workload. */
function templateOf(object: KubeObject): Template | undefined {
  if (object.kind === "PodTemplate") return (object as unknown as { readonly template?: Template }).template;
  const spec = (object.spec ?? {}) as { readonly template?: Template; readonly jobTemplate?: { readonly spec?: { readonly template?: Template } } };
  return object.kind === "CronJob" ? spec.jobTemplate?.spec?.template : spec.template;
}

const imagesOf = (containers: readonly Container[] | undefined): string => (containers ?? []).map((c) => `${c.name}=${c.image ?? ""}`).join("\n");

/** Only what a check can see: the containers' number and images, and new ephemeral containers. */
function isSignificant(pod: Pod, old: Pod): boolean {
  const images = (spec: PodSpec): string => `${(spec.containers ?? []).map((c) => c.image).join("\n")}|${(spec.initContainers ?? []).map((c) => c.image).join("\n")}`;
  return images(pod.spec) !== images(old.spec) || imagesOf(pod.spec.ephemeralContainers) !== imagesOf(old.spec.ephemeralContainers);
}

/** Judges one Pod or template by the three modes; only a Pod can be refused. */
function evaluate(policy: SecurityPolicy, { metadata = {}, spec }: Template, object: KubeObject, attrs: AdmissionAttributes, enforce: boolean): Status | undefined {
  if (spec === undefined) return undefined;
  const violations = (level: LevelVersion): string | undefined => {
    const found = evaluatePod(level, metadata, { ...spec, containers: spec.containers ?? [] });
    return found.length === 0 ? undefined : `PodSecurity ${JSON.stringify(levelText(level))}: ${detailText(found)}`;
  };
  if (enforce) attrs.audit?.("pod-security.kubernetes.io/enforce-policy", levelText(policy.enforce));
  const denied = enforce ? violations(policy.enforce) : undefined;
  const audited = violations(policy.audit);
  if (audited !== undefined) attrs.audit?.("pod-security.kubernetes.io/audit-violations", `would violate ${audited}`);
  if (denied !== undefined) return forbid(attrs, object, `violates ${denied}`);
  const warned = violations(policy.warn);
  if (warned !== undefined) attrs.warn?.(`would violate ${warned}`);
  return undefined;
}

/** One Pod of each controller first, so that the check sees many kinds of Pods before its limit. */
function prioritized(pods: readonly Pod[]): readonly Pod[] {
  const seen = new Set<string>();
  const more: Pod[] = [];
  const first = pods.filter((pod) => {
    const owner = pod.metadata.ownerReferences?.find((reference) => reference.controller === true)?.uid;
    if (owner === undefined) return true;
    if (seen.has(owner)) more.push(pod);
    else {
      seen.add(owner);
      return true;
    }
    return false;
  });
  return [...first, ...more];
}

/** Who would be refused today is named in warnings; running Pods stay. */
function warnAboutPods(namespace: string, enforce: LevelVersion, attrs: AdmissionAttributes): void {
  const pods = prioritized(attrs.list("pods", namespace) as readonly Pod[]);
  const names = new Map<string, string[]>();
  for (const pod of pods.slice(0, MAX_PODS)) {
    const found = evaluatePod(enforce, pod.metadata, pod.spec);
    if (found.length === 0) continue;
    const reason = reasonText(found);
    names.set(reason, [...(names.get(reason) ?? []), pod.metadata.name ?? ""]);
  }
  if (pods.length > MAX_PODS) attrs.warn?.(`new PodSecurity enforce level only checked against the first ${MAX_PODS} of ${pods.length} existing pods`);
  if (names.size === 0) return;
  attrs.warn?.(`existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level ${JSON.stringify(levelText(enforce))}`);
  const lines = [...names].map(([reason, all]) => {
    const [first = ""] = [...all].sort((a, b) => (a < b ? -1 : 1));
    const others = all.length === 1 ? "" : ` (and ${all.length - 1} other ${all.length === 2 ? "pod" : "pods"})`;
    return `${first}${others}: ${reason}`;
  });
  for (const line of lines.sort((a, b) => (a < b ? -1 : 1))) attrs.warn?.(line);
}

function validateNamespace(namespace: KubeObject, attrs: AdmissionAttributes): Status | undefined {
  const { policy, errors } = policyOf(namespace.metadata.labels);
  const refuse = (): Status => newInvalid({ kind: "Namespace" }, namespace.metadata.name ?? "", errors);
  if (attrs.operation === "CREATE") return errors.length > 0 ? refuse() : undefined;
  const old = policyOf(attrs.oldObject?.metadata.labels);
  if (errors.length > 0 && JSON.stringify(errors) !== JSON.stringify(old.errors)) return refuse();
  const { enforce } = policy;
  const before = old.policy.enforce;
  const relaxed = enforce.minor === before.minor && compareLevels(enforce.level, before.level) < 1;
  if (!sameLevel(enforce, before) && enforce.level !== "privileged" && !relaxed) warnAboutPods(namespace.metadata.name ?? "", enforce, attrs);
  return undefined;
}

/**
 * Enforces the levels in the namespace's labels; without them "privileged" allows everything.
 * Exemptions by user, namespace or RuntimeClass come from a configuration file that kubeadm does not write.
 */
export const podSecurity = {
  name: "PodSecurity",

  handles({ group, resource, subresource, operation }) {
    if (operation !== "CREATE" && operation !== "UPDATE") return false;
    if (group === "" && resource === "pods") return !IGNORED_SUBRESOURCES.has(subresource);
    return subresource === "" && ((group === "" && resource === "namespaces") || WORKLOADS.has(`${group}/${resource}`));
  },

  validate(object, attrs) {
    if (attrs.resource === "namespaces") return validateNamespace(object, attrs);
    const { policy, errors } = policyOf(attrs.lookup("namespaces", "", attrs.namespace)?.metadata.labels);
    const isPod = attrs.resource === "pods";
    if (errors.length === 0 && policy.warn.level === "privileged" && policy.audit.level === "privileged" && (!isPod || policy.enforce.level === "privileged")) return undefined;
    if (!isPod) return evaluate(policy, templateOf(object) ?? {}, object, attrs, false);
    const pod = object as Pod;
    if (attrs.operation === "UPDATE" && attrs.oldObject !== undefined && !isSignificant(pod, attrs.oldObject as Pod)) return undefined;
    return evaluate(policy, pod, pod, attrs, true);
  },
} satisfies AdmissionPlugin;
