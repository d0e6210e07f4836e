// Models kubernetes/pkg/apis/core/v1/{defaults,zz_generated.defaults}.go
import { parseImageName } from "../image-name.ts";
import { aggregateContainerLimits, aggregateContainerRequests, isSupportedPodLevelResource } from "../pod-resources.ts";
import type { PodSpec, ResourceList } from "../types.ts";
import { asList, asObject, isObject, isUnset, type Json, update, updateEach, whenUnset, whenZero } from "./with-defaults.ts";

/** The mode 0644, in decimal as JSON has it. */
const FILE_MODE = 420;

const pullPolicy = (image: unknown): string => (parseImageName(typeof image === "string" ? image : "")?.tag === "latest" ? "Always" : "IfNotPresent");

function volume(object: Json): Json {
  const hasSource = Object.keys(object).some((key) => key !== "name" && !isUnset(object[key]));
  const sourced = hasSource ? object : { ...object, emptyDir: {} };
  return update(sourced, "image", (image) => (isObject(image) ? whenZero(image, { pullPolicy: pullPolicy(image["reference"]) }) : image));
}

function container(object: Json): Json {
  return whenZero(object, { imagePullPolicy: pullPolicy(object["image"]), terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File" });
}

/** `serviceAccount` is the old name of `serviceAccountName`: conversion keeps both equal. */
function serviceAccountAlias(spec: Json): Json {
  const name = spec["serviceAccountName"] || spec["serviceAccount"];
  if (!name || (spec["serviceAccountName"] === name && spec["serviceAccount"] === name)) return spec;
  return { ...spec, serviceAccountName: name, serviceAccount: name };
}

function podSpec(object: Json): Json {
  const filled = whenZero(object, { dnsPolicy: "ClusterFirst", restartPolicy: "Always", schedulerName: "default-scheduler" });
  const spec = serviceAccountAlias(whenUnset(filled, { securityContext: {}, terminationGracePeriodSeconds: 30 }));
  const grace = spec["terminationGracePeriodSeconds"];
  // Conversion stores a negative grace period as one second.
  return typeof grace === "number" && grace < 0 ? { ...spec, terminationGracePeriodSeconds: 1 } : spec;
}

function requestsFromLimits(containerObject: Json): Json {
  return update(containerObject, "resources", (resources) => {
    const limits = asObject(asObject(resources)["limits"]);
    if (Object.keys(limits).length === 0) return resources;
    return update(asObject(resources), "requests", (requests) => whenUnset(asObject(requests), limits));
  });
}

const hostPorts = (containerObject: Json): Json =>
  updateEach(containerObject, "ports", (port) => whenZero(port, { hostPort: port["containerPort"] }));

function podLevelResources(spec: Json): Json {
  if (!isObject(spec["resources"])) return spec;
  const typed = spec as unknown as PodSpec;
  const resources = asObject(spec["resources"]);
  let limits = asObject(resources["limits"]);
  const requests = asObject(resources["requests"]);
  if (Object.keys(limits).length > 0 || Object.keys(requests).length > 0) {
    const huge = Object.entries(aggregateContainerLimits(typed)).filter(([name]) => name.startsWith("hugepages-") && !Object.hasOwn(requests, name));
    limits = whenUnset(limits, Object.fromEntries(huge));
  }
  if (Object.keys(limits).length === 0) return spec;
  const supported = (list: ResourceList | Json, overcommit: boolean): Json =>
    Object.fromEntries(Object.entries(list).filter(([name]) => isSupportedPodLevelResource(name) && !(overcommit && name.startsWith("hugepages-"))));
  const filled = whenUnset(whenUnset(requests, supported(aggregateContainerRequests(typed), true)), supported(limits, false));
  return filled === requests && limits === resources["limits"] ? spec : { ...spec, resources: { ...resources, limits, requests: filled } };
}

/** Defaults that only a Pod gets, never a pod template. */
/** Specs that lack nothing of what `pod` adds, by identity: a status is written four times without a look at the spec. */
const completeSpecs = new WeakSet<object>();

function pod(object: Json): Json {
  return update(object, "spec", (value) => {
    if (isObject(value) && completeSpecs.has(value)) return value;
    const spec = completePodSpec(asObject(value));
    if (spec === value) completeSpecs.add(spec);
    return spec;
  });
}

function completePodSpec(value: Json): Json {
  let spec = value;
  spec = updateEach(spec, "containers", requestsFromLimits);
  spec = updateEach(spec, "initContainers", requestsFromLimits);
  spec = podLevelResources(spec);
  spec = whenUnset(spec, { enableServiceLinks: true });
  if (spec["hostNetwork"] !== true) return spec;
  return updateEach(updateEach(spec, "containers", hostPorts), "initContainers", hostPorts);
}

function sessionAffinity(spec: Json): Json {
  if (spec["sessionAffinity"] === "ClientIP") {
    const seconds = asObject(asObject(spec["sessionAffinityConfig"])["clientIP"])["timeoutSeconds"];
    return isUnset(seconds) ? { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } } : spec;
  }
  if (spec["sessionAffinity"] !== "None" || isUnset(spec["sessionAffinityConfig"])) return spec;
  const { sessionAffinityConfig: _dropped, ...rest } = spec;
  return rest;
}

function service(object: Json): Json {
  return update(object, "spec", (value) => {
    let spec = whenZero(asObject(value), { sessionAffinity: "None", type: "ClusterIP" });
    spec = sessionAffinity(spec);
    const type = spec["type"];
    spec = updateEach(spec, "ports", (port) => whenZero(whenZero(port, { protocol: "TCP" }), { targetPort: port["port"] }));
    const external = type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && asList(spec["externalIPs"]).length > 0);
    if (external) spec = whenZero(spec, { externalTrafficPolicy: "Cluster" });
    if (type !== "ExternalName") spec = whenUnset(spec, { internalTrafficPolicy: "Cluster" });
    return type === "LoadBalancer" ? whenUnset(spec, { allocateLoadBalancerNodePorts: true }) : spec;
  });
}

function replicationController(object: Json): Json {
  const template = asObject(asObject(object["spec"])["template"]);
  const labels = asObject(asObject(template["metadata"])["labels"]);
  const withReplicas = update(object, "spec", (spec) => whenUnset(asObject(spec), { replicas: 1 }));
  if (Object.keys(labels).length === 0) return withReplicas;
  const selected = update(withReplicas, "spec", (spec) => (Object.keys(asObject(asObject(spec)["selector"])).length === 0 ? { ...asObject(spec), selector: labels } : spec));
  return labelled(selected, labels);
}

/** Gives an object without labels those of its template. */
export const labelled = (object: Json, labels: Json): Json =>
  update(object, "metadata", (metadata) => (Object.keys(asObject(asObject(metadata)["labels"])).length === 0 && Object.keys(labels).length > 0 ? { ...asObject(metadata), labels } : metadata));

function namespace(object: Json): Json {
  const name = asObject(object["metadata"])["name"];
  if (typeof name !== "string" || name === "") return object;
  return update(object, "metadata", (metadata) => update(asObject(metadata), "labels", (labels) => (asObject(labels)["kubernetes.io/metadata.name"] === name ? labels : { ...asObject(labels), "kubernetes.io/metadata.name": name })));
}

function limitRangeItem(item: Json): Json {
  if (item["type"] !== "Container") return item;
  const limits = whenUnset(asObject(item["default"]), asObject(item["max"]));
  const requests = whenUnset(whenUnset(asObject(item["defaultRequest"]), limits), asObject(item["min"]));
  const put = (object: Json, key: string, list: Json): Json => (Object.keys(list).length === 0 || list === object[key] ? object : { ...object, [key]: list });
  return put(put(item, "default", limits), "defaultRequest", requests);
}

const nodeStatus = (status: Json): Json => (isObject(status["capacity"]) ? whenUnset(status, { allocatable: status["capacity"] }) : status);

/** One function a Go type; `apply-defaults.ts` calls them wherever the type occurs, the outer type first. */
export const CORE_DEFAULTS: readonly (readonly [string, (object: Json) => Json])[] = [
  ["Pod", pod],
  ["PodSpec", podSpec],
  ["Volume", volume],
  ["Container", container],
  ["EphemeralContainer", container],
  ["ContainerPort", (o) => whenZero(o, { protocol: "TCP" })],
  ["Probe", (o) => whenZero(o, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 })],
  ["HTTPGetAction", (o) => whenZero(o, { path: "/", scheme: "HTTP" })],
  ["GRPCAction", (o) => whenUnset(o, { service: "" })],
  ["ObjectFieldSelector", (o) => whenZero(o, { apiVersion: "v1" })],
  ["FileKeySelector", (o) => whenUnset(o, { optional: false })],
  ["SecretVolumeSource", (o) => whenUnset(o, { defaultMode: FILE_MODE })],
  ["ConfigMapVolumeSource", (o) => whenUnset(o, { defaultMode: FILE_MODE })],
  ["DownwardAPIVolumeSource", (o) => whenUnset(o, { defaultMode: FILE_MODE })],
  ["ProjectedVolumeSource", (o) => whenUnset(o, { defaultMode: FILE_MODE })],
  ["ServiceAccountTokenProjection", (o) => whenUnset(o, { expirationSeconds: 3600 })],
  ["HostPathVolumeSource", (o) => whenUnset(o, { type: "" })],
  ["ISCSIVolumeSource", (o) => whenZero(o, { iscsiInterface: "default" })],
  ["ISCSIPersistentVolumeSource", (o) => whenZero(o, { iscsiInterface: "default" })],
  ["RBDVolumeSource", (o) => whenZero(o, { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" })],
  ["RBDPersistentVolumeSource", (o) => whenZero(o, { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" })],
  ["AzureDiskVolumeSource", (o) => whenUnset(o, { cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" })],
  ["ScaleIOVolumeSource", (o) => whenZero(o, { storageMode: "ThinProvisioned", fsType: "xfs" })],
  ["ScaleIOPersistentVolumeSource", (o) => whenZero(o, { storageMode: "ThinProvisioned", fsType: "xfs" })],
  ["Service", service],
  ["Secret", (o) => whenZero(o, { type: "Opaque" })],
  ["ReplicationController", replicationController],
  ["Namespace", namespace],
  ["NamespaceStatus", (o) => whenZero(o, { phase: "Active" })],
  ["PersistentVolume", (o) => update(update(o, "status", (s) => whenZero(asObject(s), { phase: "Pending" })), "spec", (s) => whenUnset(whenZero(asObject(s), { persistentVolumeReclaimPolicy: "Retain" }), { volumeMode: "Filesystem" }))],
  ["PersistentVolumeClaim", (o) => update(o, "status", (s) => whenZero(asObject(s), { phase: "Pending" }))],
  ["PersistentVolumeClaimSpec", (o) => whenUnset(o, { volumeMode: "Filesystem" })],
  ["EndpointPort", (o) => whenZero(o, { protocol: "TCP" })],
  ["NodeStatus", nodeStatus],
  ["LimitRangeItem", limitRangeItem],
];
