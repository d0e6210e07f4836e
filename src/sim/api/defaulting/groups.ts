// Models kubernetes/pkg/apis/{apps,batch,autoscaling,networking,rbac,storage,scheduling,discovery,admissionregistration}/*/defaults.go
import { labelled } from "./core.ts";
import { asList, asObject, isObject, isUnset, type Json, update, whenUnset, whenZero } from "./with-defaults.ts";

const spec = (change: (spec: Json) => Json) => (object: Json): Json => update(object, "spec", (value) => change(asObject(value)));

function rolling(object: Json, key: string, defaults: Json): Json {
  return update(object, key, (value) => {
    const strategy = whenZero(asObject(value), { type: "RollingUpdate" });
    return strategy["type"] === "RollingUpdate" ? update(strategy, "rollingUpdate", (r) => whenUnset(asObject(r), defaults)) : strategy;
  });
}

function statefulSetSpec(object: Json): Json {
  const strategy = update(whenZero(object, { podManagementPolicy: "OrderedReady" }), "updateStrategy", (value) => {
    const given = asObject(value);
    const typed = given["type"] ? given : { ...given, type: "RollingUpdate", rollingUpdate: asObject(given["rollingUpdate"]) };
    if (typed["type"] !== "RollingUpdate" || !isObject(typed["rollingUpdate"])) return typed;
    return update(typed, "rollingUpdate", (r) => whenUnset(asObject(r), { partition: 0 }));
  });
  const retained = update(strategy, "persistentVolumeClaimRetentionPolicy", (p) => whenZero(asObject(p), { whenDeleted: "Retain", whenScaled: "Retain" }));
  return whenUnset(retained, { replicas: 1, revisionHistoryLimit: 10 });
}

function job(object: Json): Json {
  const filled = spec((s) => {
    const counted = isUnset(s["completions"]) && isUnset(s["parallelism"]) ? { ...s, completions: 1, parallelism: 1 } : whenUnset(s, { parallelism: 1 });
    return whenUnset(counted, {
      backoffLimit: isUnset(s["backoffLimitPerIndex"]) ? 6 : 2_147_483_647,
      completionMode: "NonIndexed",
      suspend: false,
      podReplacementPolicy: isUnset(s["podFailurePolicy"]) ? "TerminatingOrFailed" : "Failed",
      manualSelector: false,
    });
  })(object);
  return labelled(filled, asObject(asObject(asObject(asObject(object["spec"])["template"])["metadata"])["labels"]));
}

const SCALE_UP: Json = { stabilizationWindowSeconds: 0, selectPolicy: "Max", policies: [{ type: "Pods", value: 4, periodSeconds: 15 }, { type: "Percent", value: 100, periodSeconds: 15 }] };
const SCALE_DOWN: Json = { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] };

function horizontalPodAutoscaler(object: Json): Json {
  return spec((s) => {
    let out = whenUnset(s, { minReplicas: 1 });
    if (asList(out["metrics"]).length === 0) out = { ...out, metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } }] };
    if (!isObject(out["behavior"])) return out;
    return update(out, "behavior", (b) => update(update(asObject(b), "scaleUp", (r) => whenUnset(asObject(r), SCALE_UP)), "scaleDown", (r) => whenUnset(asObject(r), SCALE_DOWN)));
  })(object);
}

function networkPolicySpec(object: Json): Json {
  if (asList(object["policyTypes"]).length > 0) return object;
  return { ...object, policyTypes: asList(object["egress"]).length > 0 ? ["Ingress", "Egress"] : ["Ingress"] };
}

const RBAC_GROUP = "rbac.authorization.k8s.io";
const roleRef = (object: Json): Json => update(object, "roleRef", (ref) => whenZero(asObject(ref), { apiGroup: RBAC_GROUP }));

const WEBHOOK: Json = { failurePolicy: "Fail", matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {}, timeoutSeconds: 10 };

/** apiextensions/v1/defaults.go */
const definitionNames = (names: unknown): unknown => {
  const kind = isObject(names) && typeof names["kind"] === "string" ? names["kind"] : "";
  return !isObject(names) || kind === "" ? names : whenZero(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
};
const definitionSpec = (s: Json): Json => whenUnset(update(s, "names", definitionNames), { conversion: { strategy: "None" } });

export const GROUP_DEFAULTS: readonly (readonly [string, (object: Json) => Json])[] = [
  ["Deployment", spec((s) => whenUnset(rolling(s, "strategy", { maxUnavailable: "25%", maxSurge: "25%" }), { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }))],
  ["DaemonSet", spec((s) => whenUnset(rolling(s, "updateStrategy", { maxUnavailable: 1, maxSurge: 0 }), { revisionHistoryLimit: 10 }))],
  ["StatefulSet", spec(statefulSetSpec)],
  ["ReplicaSet", spec((s) => whenUnset(s, { replicas: 1 }))],
  ["Job", job],
  ["CronJob", spec((s) => whenUnset(whenZero(s, { concurrencyPolicy: "Allow" }), { suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }))],
  ["PodFailurePolicyOnPodConditionsPattern", (o) => whenZero(o, { status: "True" })],
  ["HorizontalPodAutoscaler", spec((s) => whenUnset(s, { minReplicas: 1 }))],
  ["HorizontalPodAutoscaler@v2", horizontalPodAutoscaler],
  ["NetworkPolicySpec", networkPolicySpec],
  ["NetworkPolicyPort", (o) => whenUnset(o, { protocol: "TCP" })],
  ["IngressClass", spec((s) => update(s, "parameters", (p) => (isObject(p) ? whenUnset(p, { scope: "Cluster" }) : p)))],
  ["ClusterRoleBinding", roleRef],
  ["RoleBinding", roleRef],
  ["Subject", (o) => (o["kind"] === "User" || o["kind"] === "Group" ? whenZero(o, { apiGroup: RBAC_GROUP }) : o)],
  ["StorageClass", (o) => whenUnset(o, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" })],
  ["CustomResourceDefinition", spec(definitionSpec)],
  ["CSIDriver", spec((s) => whenUnset(s, { attachRequired: true, podInfoOnMount: false, storageCapacity: false, fsGroupPolicy: "ReadWriteOnceWithFSType", volumeLifecycleModes: ["Persistent"], requiresRepublish: false, seLinuxMount: false }))],
  ["PriorityClass", (o) => whenUnset(o, { preemptionPolicy: "PreemptLowerPriority" })],
  ["EndpointPort@discovery", (o) => whenUnset(o, { name: "", protocol: "TCP" })],
  ["ValidatingWebhook", (o) => whenUnset(o, WEBHOOK)],
  ["MutatingWebhook", (o) => whenUnset(o, { ...WEBHOOK, reinvocationPolicy: "Never" })],
  ["RuleWithOperations", (o) => whenUnset(o, { scope: "*" })],
  ["ServiceReference", (o) => whenUnset(o, { port: 443 })],
  ["ValidatingAdmissionPolicySpec", (o) => whenUnset(o, { failurePolicy: "Fail" })],
  ["MutatingAdmissionPolicySpec", (o) => whenUnset(o, { failurePolicy: "Fail" })],
  ["FlowSchemaSpec", (o) => whenZero(o, { matchingPrecedence: 1000 })],
  ["ExemptPriorityLevelConfiguration", (o) => whenUnset(o, { nominalConcurrencyShares: 0, lendablePercent: 0 })],
  ["LimitedPriorityLevelConfiguration", (o) => whenUnset(o, { nominalConcurrencyShares: 30, lendablePercent: 0 })],
  ["QueuingConfiguration", (o) => whenZero(o, { handSize: 8, queues: 64, queueLengthLimit: 50 })],
  ["MatchResources", (o) => whenUnset(o, { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} })],
];
