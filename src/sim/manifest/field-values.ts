import { enumOf } from "../api/schema/openapi.ts";
import type { Caret } from "./caret.ts";
import type { Surroundings } from "./references.ts";
import { type SchemaPlace, valuesOf } from "./schema-place.ts";

export interface ValueCandidate {
  readonly value: string;
  readonly detail: string;
  readonly info: string;
  /** It names something that exists. */
  readonly name?: true;
}

const value = (text: string, detail: string, info = ""): ValueCandidate => ({ value: text, detail, info });

/** Examples of quantities by what they measure. */
const QUANTITIES: Readonly<Record<string, readonly ValueCandidate[]>> = {
  cpu: [value("100m", "a tenth of a core"), value("250m", "a quarter of a core"), value("500m", "half a core"), value("1", "one core"), value("2", "two cores")],
  memory: [value("64Mi", "67,108,864 bytes"), value("128Mi", "134,217,728 bytes"), value("256Mi", "268,435,456 bytes"), value("512Mi", "536,870,912 bytes"), value("1Gi", "1,073,741,824 bytes")],
  storage: [value("1Gi", "1,073,741,824 bytes"), value("5Gi", "5,368,709,120 bytes"), value("10Gi", "10,737,418,240 bytes"), value("100Gi", "107,374,182,400 bytes")],
  count: [value("1", "a number"), value("10", "a number"), value("100", "a number")],
};

const SIZES = new Set(["storage", "ephemeral-storage", "sizeLimit", "capacity", "requests.storage"]);

function quantities(name: string): readonly ValueCandidate[] {
  if (name === "cpu" || name.endsWith(".cpu")) return QUANTITIES["cpu"] ?? [];
  if (name === "memory" || name.endsWith(".memory") || name.startsWith("hugepages-")) return QUANTITIES["memory"] ?? [];
  return (SIZES.has(name) || name.endsWith("storage") ? QUANTITIES["storage"] : QUANTITIES["count"]) ?? [];
}

/** Keys that mean something to Kubernetes in maps that take any key, by the field that holds the map. */
const KEYS: Readonly<Record<string, readonly ValueCandidate[]>> = {
  requests: [value("cpu", "cores", "What the scheduler sets aside for the container."), value("memory", "bytes", "What the scheduler sets aside for the container."), value("ephemeral-storage", "bytes")],
  limits: [value("cpu", "cores", "More is throttled."), value("memory", "bytes", "A container that takes more is killed."), value("ephemeral-storage", "bytes")],
  capacity: [value("storage", "bytes")],
  nodeSelector: [value("kubernetes.io/hostname", "label of every node"), value("kubernetes.io/os", "label of every node"), value("kubernetes.io/arch", "label of every node"), value("topology.kubernetes.io/zone", "label of nodes in a zone"), value("disktype", "label")],
  labels: [value("app", "label"), value("app.kubernetes.io/name", "recommended label"), value("app.kubernetes.io/instance", "recommended label"), value("app.kubernetes.io/component", "recommended label")],
  hard: ["pods", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory", "requests.storage", "persistentvolumeclaims", "services", "configmaps", "secrets", "count/deployments.apps"].map((name) => value(name, "quota")),
};

const RESOURCES_OF_CLAIMS = "VolumeResourceRequirements";

/** Keys for a map that takes any: resources, well-known labels, labels of the file's own Pods. */
export function keyCandidates(place: SchemaPlace, { siblings }: Caret, around: Surroundings): readonly ValueCandidate[] {
  const name = place.field?.name ?? "";
  const own = name === "selector" || name === "matchLabels" ? [...around.labels().keys()].map((label) => ({ ...value(label, "label in this file"), name: true as const })) : [];
  const known = place.owner === RESOURCES_OF_CLAIMS ? KEYS["capacity"] : KEYS[name];
  return [...own, ...(known ?? [])].filter((one) => !siblings.includes(one.value));
}

/** Values for fields that are plain text in the schema and yet have a handful of usual ones. */
const USUAL: Readonly<Record<string, readonly ValueCandidate[]>> = {
  "PolicyRule.verbs": ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "*"].map((verb) => value(verb, "verb")),
  "PolicyRule.apiGroups": [value('""', "the core group"), value("apps", "group"), value("batch", "group"), value("networking.k8s.io", "group"), value('"*"', "every group")],
  "PolicyRule.resources": ["pods", "pods/log", "services", "configmaps", "secrets", "deployments", "jobs"].map((resource) => value(resource, "resource")),
  "RoleRef.kind": [value("Role", "in this namespace"), value("ClusterRole", "in the whole cluster")],
  "RoleRef.apiGroup": [value("rbac.authorization.k8s.io", "group")],
  "Subject.kind": ["ServiceAccount", "User", "Group"].map((kind) => value(kind, "subject")),
  "CrossVersionObjectReference.kind": ["Deployment", "StatefulSet", "ReplicaSet"].map((kind) => value(kind, "kind")),
  "PodAffinityTerm.topologyKey": [value("kubernetes.io/hostname", "one node"), value("topology.kubernetes.io/zone", "one zone")],
  "TopologySpreadConstraint.topologyKey": [value("kubernetes.io/hostname", "one node"), value("topology.kubernetes.io/zone", "one zone")],
  "ContainerResizePolicy.resourceName": [value("cpu", "resource"), value("memory", "resource")],
};

const BOOLEANS = [value("true", "boolean"), value("false", "boolean")];
const FRACTIONS = [value("25%", "of the replicas"), value("1", "Pods"), value("0", "Pods"), value("100%", "of the replicas")];

/** What a scalar may be: names that exist, an enum's values, true and false, quantities, usual values. */
export function valueCandidates(place: SchemaPlace, caret: Caret, around: Surroundings): readonly ValueCandidate[] {
  const { ref, owner = "", field } = place;
  if (ref?.type !== "scalar" || field === undefined) return [];
  const names = around.candidates(place, caret).map(({ name, from }) => ({ ...value(name, `in ${from}`), name: true as const }));
  const last = caret.steps.findLast((step) => typeof step === "string") ?? "";
  if (field.name === "selector" || field.name === "matchLabels" || field.name === "nodeSelector") return (around.labels().get(String(last)) ?? []).map((text) => ({ ...value(text, "in this file"), name: true as const }));
  const allowed = enumOf(field).length > 0 ? enumOf(field) : valuesOf(ref);
  if (allowed.length > 0) return allowed.map((one) => value(quoted(one), "one of these"));
  if (ref.code === "b") return BOOLEANS;
  if (ref.code === "Q") return quantities(String(last));
  if (ref.code === "I") return field.name === "maxSurge" || field.name === "maxUnavailable" || field.name === "minAvailable" ? FRACTIONS : around.ports().map(({ name }) => ({ ...value(name, "port in this file"), name: true as const }));
  return [...names, ...(USUAL[`${owner.split("@")[0]}.${field.name}`] ?? [])];
}

/** Words that YAML would read as something other than text. */
const quoted = (text: string): string => (text === "" || /^(true|false|yes|no|on|off|null|\*.*)$/i.test(text) ? JSON.stringify(text) : text);
