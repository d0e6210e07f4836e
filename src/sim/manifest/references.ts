import type { Caret, Step } from "./caret.ts";
import { dig, recordOf, type SchemaPlace, textOf } from "./schema-place.ts";

/** Objects that exist already: plural resource name, and a namespace or "" for all. */
export type Lookup = (resource: string, namespace: string) => readonly unknown[];

export const NOTHING: Lookup = () => [];

/** Fields that name another object: "Type.field" and the resource. */
const NAMED: Readonly<Record<string, string>> = {
  "ConfigMapKeySelector.name": "configmaps", "ConfigMapEnvSource.name": "configmaps", "ConfigMapVolumeSource.name": "configmaps", "ConfigMapProjection.name": "configmaps",
  "SecretKeySelector.name": "secrets", "SecretEnvSource.name": "secrets", "SecretProjection.name": "secrets", "SecretVolumeSource.secretName": "secrets", "LocalObjectReference.name": "secrets", "IngressTLS.secretName": "secrets",
  "PersistentVolumeClaimVolumeSource.claimName": "persistentvolumeclaims", "PersistentVolumeClaimSpec.volumeName": "persistentvolumes",
  "PersistentVolumeClaimSpec.storageClassName": "storageclasses", "PersistentVolumeSpec.storageClassName": "storageclasses",
  "PodSpec.serviceAccountName": "serviceaccounts", "PodSpec.nodeName": "nodes", "PodSpec.priorityClassName": "priorityclasses", "PodSpec.runtimeClassName": "runtimeclasses",
  "StatefulSetSpec.serviceName": "services", "IngressServiceBackend.name": "services", "IngressSpec.ingressClassName": "ingressclasses", "ObjectMeta.namespace": "namespaces", "Subject.namespace": "namespaces",
};

const PLURALS: Readonly<Record<string, string>> = {
  configmaps: "ConfigMap", secrets: "Secret", persistentvolumeclaims: "PersistentVolumeClaim", persistentvolumes: "PersistentVolume", storageclasses: "StorageClass", serviceaccounts: "ServiceAccount", nodes: "Node", priorityclasses: "PriorityClass",
  runtimeclasses: "RuntimeClass", services: "Service", ingressclasses: "IngressClass", namespaces: "Namespace", deployments: "Deployment", statefulsets: "StatefulSet", replicasets: "ReplicaSet", roles: "Role", clusterroles: "ClusterRole",
};

/** References that say themselves what kind they name. */
const BY_KIND = new Set(["RoleRef", "Subject", "CrossVersionObjectReference"]);

const nameOf = (object: unknown): string => textOf(recordOf(recordOf(object)["metadata"])["name"]);
const namespaceOf = (object: unknown): string => textOf(recordOf(recordOf(object)["metadata"])["namespace"]) || "default";

/** A name, and whether it comes from the same file or from the cluster. */
export interface Candidate {
  readonly name: string;
  readonly from: "this file" | "the cluster";
}

const flatten = (documents: readonly unknown[]): unknown[] => documents.flatMap((one) => (recordOf(one)["kind"] === "List" && Array.isArray(recordOf(one)["items"]) ? flatten(recordOf(one)["items"] as readonly unknown[]) : [one]));

/** What is known outside the object: the file's other documents, and the cluster. */
export class Surroundings {
  private readonly documents: readonly unknown[];
  private readonly lookup: Lookup;

  constructor(documents: readonly unknown[], lookup: Lookup) {
    this.documents = flatten(documents);
    this.lookup = lookup;
  }

  private objects(resource: string, namespace: string): (readonly [unknown, Candidate["from"]])[] {
    const here = this.documents.filter((one) => recordOf(one)["kind"] === PLURALS[resource]).map((one) => [one, "this file"] as const);
    return [...here, ...this.lookup(resource, namespace).map((one) => [one, "the cluster"] as const)];
  }

  /** Names that may stand at a place: of other objects, of volumes, ports and keys. */
  candidates(place: SchemaPlace, { steps, root }: Pick<Caret, "steps" | "root">): readonly Candidate[] {
    const { owner = "", field } = place;
    const namespace = namespaceOf(place.object);
    const parent = dig(root, steps.slice(0, -1));
    const at = `${owner.split("@")[0]}.${field?.name ?? ""}`;
    if (at === "VolumeMount.name") return unique(this.inTemplate(root, steps, "volumes"));
    if (at === "ConfigMapKeySelector.key" || at === "SecretKeySelector.key") return unique(this.keysOf(at.startsWith("Secret") ? "secrets" : "configmaps", namespace, textOf(recordOf(parent)["name"])));
    const resource = BY_KIND.has(owner.split("@")[0] ?? "") && field?.name === "name" ? Object.keys(PLURALS).find((one) => PLURALS[one] === recordOf(parent)["kind"]) : NAMED[at];
    return resource === undefined ? [] : unique(this.objects(resource, CLUSTER_WIDE.has(resource) ? "" : namespace).map(([object, from]) => ({ name: nameOf(object), from })));
  }

  private keysOf(resource: string, namespace: string, name: string): Candidate[] {
    const found = this.objects(resource, namespace).filter(([object]) => nameOf(object) === name);
    return found.flatMap(([object, from]) => ["data", "stringData", "binaryData"].flatMap((part) => Object.keys(recordOf(recordOf(object)[part])).map((key) => ({ name: key, from }))));
  }

  private inTemplate(root: unknown, steps: readonly Step[], list: string): Candidate[] {
    const at = Math.max(steps.lastIndexOf("containers"), steps.lastIndexOf("initContainers"));
    const found = dig(root, [...steps.slice(0, at), list]);
    return Array.isArray(found) ? found.map((one) => ({ name: textOf(recordOf(one)["name"]), from: "this file" as const })) : [];
  }

  /** Labels of the file's objects and templates: what a selector can choose. */
  labels(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>();
    const collect = (labels: unknown): void => {
      for (const [key, value] of Object.entries(recordOf(labels))) found.set(key, [...new Set([...(found.get(key) ?? []), String(value)])]);
    };
    for (const one of this.documents) {
      collect(dig(one, ["metadata", "labels"]));
      collect(dig(one, ["spec", "template", "metadata", "labels"]));
    }
    return found;
  }

  /** Names of the ports that the file's containers and Services have. */
  ports(): readonly Candidate[] {
    const lists = this.documents.flatMap((one) => [dig(one, ["spec", "containers"]), dig(one, ["spec", "template", "spec", "containers"])]).flatMap((containers) => (Array.isArray(containers) ? containers : []));
    return unique(lists.flatMap((container) => dig(container, ["ports"]) as readonly unknown[] | undefined ?? []).map((port) => ({ name: textOf(recordOf(port)["name"]), from: "this file" as const })));
  }
}

const CLUSTER_WIDE = new Set(["persistentvolumes", "storageclasses", "nodes", "priorityclasses", "runtimeclasses", "ingressclasses", "namespaces", "clusterroles"]);

function unique(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ name }) => name !== "" && !seen.has(name) && seen.add(name) !== undefined);
}
