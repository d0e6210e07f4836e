// Models the WarningsOnCreate and WarningsOnUpdate of kubernetes/pkg/registry/*/*/strategy.go and pkg/api/{service,persistentvolume,storage,job}
import { base64Decode } from "../../api/base64.ts";
import { cidrWarnings, ipWarnings } from "../../api/ip.ts";
import { isDNS1123Label } from "../../api/names.ts";
import { canonicalQuantity, compareQuantity } from "../../api/quantity.ts";
import type { KubeObject, ObjectMeta, PodSpec, ResourceList } from "../../api/types.ts";
import { isSet, type Json, json, list, number, root, semanticEqual, sortedEntries, spec as specOf, text } from "../../api/validation/helpers.ts";
import { claimSpecWarnings, oldLabelWarnings, podWarnings, selectorTermWarnings } from "./pod-warnings.ts";

/** `old` on an update. */
type Warn = (object: KubeObject, old: KubeObject | undefined) => readonly string[];

const changed = (object: KubeObject, old: KubeObject | undefined): boolean => old === undefined || object.metadata.generation !== old.metadata.generation;

const nameWarnings = (object: KubeObject, what: string): string[] => {
  const bad = isDNS1123Label(object.metadata.name ?? "");
  return bad.length === 0 ? [] : [`metadata.name: this is used in ${what}, which can result in surprising behavior; a DNS label is recommended: [${bad.join(" ")}]`];
};

function templateWarnings(template: unknown, path: string): string[] {
  const { spec, metadata } = json(template);
  return isSet(json(spec)["containers"]) ? podWarnings(spec as PodSpec, json(metadata) as ObjectMeta, path) : [];
}

/** A workload whose Pods take their names from it. */
const workload: Warn = (object, old) => [...(old === undefined ? nameWarnings(object, "Pod names and hostnames") : []), ...(changed(object, old) ? templateWarnings(specOf(object)["template"], "spec.template") : [])];

const daemonSet: Warn = (object, old) => (old === undefined || !semanticEqual(specOf(object)["template"], specOf(old)["template"]) ? templateWarnings(specOf(object)["template"], "spec.template") : []);

function statefulSet(object: KubeObject, old: KubeObject | undefined): readonly string[] {
  const { template, volumeClaimTemplates, revisionHistoryLimit } = specOf(object);
  return [
    ...(changed(object, old) ? templateWarnings(template, "spec.template") : []),
    ...list(volumeClaimTemplates).flatMap((claim, i) => claimSpecWarnings(json(claim)["spec"], `spec.volumeClaimTemplates[${i}]${old === undefined ? "" : ".Spec"}`)),
    ...((number(revisionHistoryLimit) ?? 0) < 0 ? ["spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended"] : []),
  ];
}

const MANY_INDEXES = "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail";

function jobSpecWarnings(spec: Json, path: string): string[] {
  const many = spec["completionMode"] === "Indexed" && (number(spec["completions"]) ?? 0) > 100_000 && (number(spec["parallelism"]) ?? 0) > 10_000;
  return [...(many ? [`${path}: ${MANY_INDEXES}`] : []), ...templateWarnings(spec["template"], `${path}.template`)];
}

const job: Warn = (object, old) => [...(old === undefined ? nameWarnings(object, "Pod names and hostnames") : []), ...(changed(object, old) ? jobSpecWarnings(specOf(object), "spec") : [])];

function cronJob(object: KubeObject, old: KubeObject | undefined): readonly string[] {
  const { jobTemplate, schedule } = specOf(object);
  const zone = "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";
  return [
    ...(old === undefined ? nameWarnings(object, "Pod names and hostnames") : []), ...(changed(object, old) ? jobSpecWarnings(json(json(jobTemplate)["spec"]), "spec.jobTemplate.spec") : []),
    ...(old !== undefined && text(schedule).includes("TZ") ? [zone] : []),
  ];
}

const HINTS = "service.kubernetes.io/topology-aware-hints";

function service(object: KubeObject): readonly string[] {
  const spec = specOf(object);
  const headless = spec["type"] === "ClusterIP" && spec["clusterIP"] === "None";
  const external = list(spec["externalIPs"]).map(text);
  const named = spec["type"] === "ExternalName";
  const ips = (key: string): string[] => list(spec[key]).map(text).flatMap((ip, i) => ipWarnings(`spec.${key}[${i}]`, ip));
  const say = (when: unknown, words: string): string[] => (when ? [words] : []);
  return [
    ...say(object.metadata.annotations?.[HINTS] !== undefined, `annotation ${HINTS} is deprecated, please use service.kubernetes.io/topology-mode instead`),
    ...(spec["clusterIP"] && spec["clusterIP"] !== "None" ? ips("clusterIPs") : []),
    ...say(headless && spec["loadBalancerIP"], "spec.loadBalancerIP is ignored for headless services"), ...say(headless && external.length > 0, "spec.externalIPs is ignored for headless services"),
    ...say(headless && spec["sessionAffinity"] !== "None", "spec.SessionAffinity is ignored for headless services"), ...ips("externalIPs"),
    ...say(external.length > 0 && !headless && !named, "spec.externalIPs is deprecated and may no longer be implemented in some clusters"),
    ...(spec["loadBalancerIP"] ? ipWarnings("spec.loadBalancerIP", text(spec["loadBalancerIP"])) : []), ...list(spec["loadBalancerSourceRanges"]).map(text).flatMap((range, i) => cidrWarnings(`spec.loadBalancerSourceRanges[${i}]`, range)),
    ...say(named && external.length > 0, 'spec.externalIPs is ignored when spec.type is "ExternalName"'), ...say(!named && spec["externalName"], 'spec.externalName is ignored when spec.type is not "ExternalName"'),
    ...say(spec["trafficDistribution"] === "PreferClose", 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'),
  ];
}

const OLD_CLASS = 'deprecated since v1.8; use "storageClassName" attribute instead';
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const OLD_SOURCES: readonly (readonly [string, string, string])[] = [
  ["cephfs", "cephfs", "v1.28, non-functional in v1.31+"], ["photonPersistentDisk", "photonPersistentDisk", "v1.11, non-functional in v1.16+"], ["scaleIO", "scaleIO", "v1.16, non-functional in v1.22+"],
  ["storageos", "storageOS", "v1.22, non-functional in v1.25+"], ["glusterfs", "glusterfs", "v1.25, non-functional in v1.26+"], ["rbd", "rbd", "v1.28, non-functional in v1.31+"],
];
const annotated = (object: KubeObject, key: string, words: string): string[] => (object.metadata.annotations?.[key] === undefined ? [] : [`metadata.annotations[${key}]: ${words}`]);

function persistentVolume(object: KubeObject): readonly string[] {
  const spec = specOf(object);
  return [
    ...annotated(object, CLASS_ANNOTATION, OLD_CLASS), ...annotated(object, "volume.beta.kubernetes.io/mount-options", 'deprecated since v1.31; use "mountOptions" attribute instead'),
    ...(spec["persistentVolumeReclaimPolicy"] === "Recycle" ? ["spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning."] : []),
    ...list(json(json(spec["nodeAffinity"])["required"])["nodeSelectorTerms"]).flatMap((term, i) => selectorTermWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${i}]`)),
    ...OLD_SOURCES.filter(([key]) => isSet(spec[key])).map(([, name, since]) => `spec.${name}: deprecated in ${since}`),
  ];
}

function resourceQuota(object: KubeObject, old: KubeObject | undefined): readonly string[] {
  const hard = json(specOf(object)["hard"]) as ResourceList;
  if (old !== undefined) return [];
  return ["cpu", "memory", "storage", "ephemeral-storage"].flatMap((name) => {
    const plain = (name === "cpu" || name === "memory") && hard[`requests.${name}`] === undefined;
    const key = plain ? name : `requests.${name}`;
    const [request, limit] = [hard[key], hard[`limits.${name}`]];
    return request !== undefined && limit !== undefined && compareQuantity(request, limit) > 0 ? [`ResourceQuota ${key} (${canonicalQuantity(request)}) should be less than limits.${name} (${canonicalQuantity(limit)})`] : [];
  });
}

/** Simplified: crypto/tls also tells what is wrong inside the PEM blocks. */
function secret(object: KubeObject): readonly string[] {
  if (root(object)["type"] !== "kubernetes.io/tls") return [];
  const data = json(root(object)["data"]);
  const missing = (["certificate", "key"] as const).find((what) => !/-----BEGIN [^-]+-----/.test(base64Decode(text(data[what === "certificate" ? "tls.crt" : "tls.key"]))));
  return missing === undefined ? [] : [`tls: failed to find any PEM data in ${missing} input`];
}

function networkPolicy(object: KubeObject): readonly string[] {
  return [["ingress", "from"], ["egress", "to"]].flatMap(([key = "", peers = ""]) => list(specOf(object)[key]).flatMap((rule, i) => list(json(rule)[peers]).flatMap((peer, j) => {
    const { cidr, except } = json(json(peer)["ipBlock"]);
    const at = `spec.${key}[${i}].${peers}[${j}].ipBlock`;
    return [...cidrWarnings(`${at}.cidr`, text(cidr)), ...list(except).flatMap((range, k) => cidrWarnings(`${at}.except[${k}]`, text(range)))];
  })));
}

const CONTROLLED = ["endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"];

function endpointSlice(object: KubeObject, old: KubeObject | undefined): readonly string[] {
  const fqdn = old === undefined && root(object)["addressType"] === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : [];
  if (CONTROLLED.includes(object.metadata.labels?.["endpointslice.kubernetes.io/managed-by"] ?? "")) return fqdn;
  return [...fqdn, ...list(root(object)["endpoints"]).flatMap((endpoint, i) => list(json(endpoint)["addresses"]).flatMap((address, j) => ipWarnings(`endpoints[${i}].addresses[${j}]`, text(address))))];
}

function endpoints(object: KubeObject): readonly string[] {
  if (object.metadata.labels?.["endpoints.kubernetes.io/managed-by"] === "endpoint-controller") return [];
  return list(root(object)["subsets"]).flatMap((subset, i) => ["addresses", "notReadyAddresses"].flatMap((key) => list(json(subset)[key]).flatMap((address, j) => ipWarnings(`subsets[${i}].${key}[${j}].ip`, text(json(address)["ip"])))));
}

const MOUNTABLE = "kubernetes.io/enforce-mountable-secrets";
const INGRESS_CLASS = "kubernetes.io/ingress.class";
const TOKENS = "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes";

const csiDriver: Warn = (object, old) => {
  const { tokenRequests, serviceAccountTokenInSecrets } = specOf(object);
  return list(tokenRequests).length > 0 && !isSet(serviceAccountTokenInSecrets) && (old === undefined || !semanticEqual(tokenRequests, specOf(old)["tokenRequests"])) ? [TOKENS] : [];
};

const node: Warn = (object) => [
  ...(isSet(specOf(object)["configSource"]) ? ["spec.configSource: the feature is removed"] : []), ...(specOf(object)["externalID"] ? ["spec.externalID: this field is deprecated, and is unused by Kubernetes"] : []),
  ...list(specOf(object)["podCIDRs"]).flatMap((cidr, i) => cidrWarnings(`spec.podCIDRs[${i}]`, text(cidr))),
];

const storageClass: Warn = (object) => list(root(object)["allowedTopologies"]).flatMap((topology, i) => list(json(topology)["matchLabelExpressions"]).flatMap((expression, j) => oldLabelWarnings(`allowedTopologies[${i}].matchLabelExpressions[${j}].key`, text(json(expression)["key"]))));

const KINDS: Readonly<Record<string, Warn>> = {
  "v1/Pod": (object, old) => (old === undefined ? [...nameWarnings(object, "the Pod's hostname"), ...podWarnings(object.spec as PodSpec, object.metadata)] : []),
  "v1/PodTemplate": (object, old) => (changed(object, old) ? templateWarnings(root(object)["template"], "template") : []),
  "v1/ReplicationController": workload, "apps/v1/ReplicaSet": workload, "apps/v1/Deployment": workload, "apps/v1/DaemonSet": daemonSet, "apps/v1/StatefulSet": statefulSet, "batch/v1/Job": job, "batch/v1/CronJob": cronJob,
  "v1/Service": service, "v1/PersistentVolume": persistentVolume, "v1/ResourceQuota": resourceQuota, "v1/Secret": secret, "v1/Endpoints": endpoints, "v1/Node": node,
  "v1/PersistentVolumeClaim": (object) => [...annotated(object, CLASS_ANNOTATION, OLD_CLASS), ...claimSpecWarnings(object.spec, "spec")],
  "v1/ServiceAccount": (object, old) => (old?.metadata.annotations?.[MOUNTABLE] === undefined ? annotated(object, MOUNTABLE, "deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets") : []),
  "networking.k8s.io/v1/NetworkPolicy": networkPolicy, "discovery.k8s.io/v1/EndpointSlice": endpointSlice, "storage.k8s.io/v1/CSIDriver": csiDriver, "storage.k8s.io/v1/StorageClass": storageClass,
  "networking.k8s.io/v1/Ingress": (object, old) => (old === undefined && object.metadata.annotations?.[INGRESS_CLASS] !== undefined && !isSet(specOf(object)["ingressClassName"]) ? [`annotation ${JSON.stringify(INGRESS_CLASS)} is deprecated, please use 'spec.ingressClassName' instead`] : []),
  "storage.k8s.io/v1/CSIStorageCapacity": (object) => [
    ...selectorTermWarnings(root(object)["nodeTopology"], "nodeTopology"), ...sortedEntries(json(json(root(object)["nodeTopology"])["matchLabels"])).flatMap(([label]) => oldLabelWarnings(`nodeTopology.matchLabels.${label}`, label)),
  ],
  "node.k8s.io/v1/RuntimeClass": (object) => sortedEntries(json(json(root(object)["scheduling"])["nodeSelector"])).flatMap(([label]) => oldLabelWarnings("scheduling.nodeSelector", label)),
};

/** What a write of the main resource is accepted with. `old` on an update. */
export const warningsFor = (object: KubeObject, old: KubeObject | undefined): readonly string[] => KINDS[`${object.apiVersion}/${object.kind}`]?.(object, old) ?? [];
