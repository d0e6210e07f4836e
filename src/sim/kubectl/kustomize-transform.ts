// Models sigs.k8s.io/kustomize/api/internal/builtins: the transformers, each from resources to resources
import { applyJsonPatch, applyStrategicMergePatch, type JsonPatchOperation } from "../api/patch.ts";
import { resourceForKind } from "../api/schema/resources.ts";
import { change, groupIn, isMap, type Json, kindOf, KustomizeError, listOf, mapOf, metadataOf, nameIn, podSpecPath, type Resource, templatePath, textOf } from "./kustomize-model.ts";

type Work = (object: Json) => Json;
const each = (resources: readonly Resource[], work: Work): readonly Resource[] => resources.map((resource) => ({ ...resource, object: work(resource.object) }));
const CLUSTER_WIDE = (object: Json): boolean => resourceForKind(textOf(object["apiVersion"]), kindOf(object))?.namespaced === false;

/** namespace: of all that have one, and of the ServiceAccounts that bindings name. */
export function setNamespace(resources: readonly Resource[], namespace: string): readonly Resource[] {
  const accounts = new Set(resources.filter(({ object }) => kindOf(object) === "ServiceAccount").map(({ object }) => nameIn(object)));
  return each(resources, (object) => {
    if (kindOf(object) === "Namespace") return change(object, ["metadata", "name"], () => namespace);
    const placed = CLUSTER_WIDE(object) ? object : change(object, ["metadata", "namespace"], () => namespace, true);
    return change(placed, ["subjects"], (subjects) => listOf(subjects).map((subject) => (isMap(subject) && subject["kind"] === "ServiceAccount" && (subject["name"] === "default" || accounts.has(textOf(subject["name"]))) ? { ...subject, namespace } : subject)));
  });
}

/** namePrefix, nameSuffix. */
export function rename(resources: readonly Resource[], prefix: string, suffix: string): readonly Resource[] {
  return each(resources, (object) => (["Namespace", "CustomResourceDefinition", "APIService"].includes(kindOf(object)) ? object : change(object, ["metadata", "name"], (name) => `${prefix}${textOf(name)}${suffix}`)));
}

const join = (pairs: Json) => (before: unknown): unknown => ({ ...mapOf(before), ...pairs });

/** labels and commonLabels. */
export function addLabels(resources: readonly Resource[], pairs: Json, selectors: boolean, templates: boolean): readonly Resource[] {
  return each(resources, (object) => {
    let next = change(object, ["metadata", "labels"], join(pairs), true);
    const kind = kindOf(object);
    const template = templatePath(kind);
    if (template !== undefined && (selectors || templates)) next = change(next, [...template, "metadata", "labels"], join(pairs), true);
    if (!selectors) return next;
    if (kind === "Service" || kind === "ReplicationController") next = change(next, ["spec", "selector"], join(pairs), kind === "ReplicationController" || mapOf(object["spec"])["selector"] !== undefined);
    if (["Deployment", "ReplicaSet", "DaemonSet", "StatefulSet"].includes(kind)) next = change(next, ["spec", "selector", "matchLabels"], join(pairs), true);
    if (["Job", "PodDisruptionBudget"].includes(kind)) next = change(next, ["spec", "selector", "matchLabels"], join(pairs));
    return kind === "NetworkPolicy" ? change(next, ["spec", "podSelector", "matchLabels"], join(pairs)) : next;
  });
}

/** commonAnnotations. */
export function addAnnotations(resources: readonly Resource[], pairs: Json): readonly Resource[] {
  return each(resources, (object) => {
    const next = change(object, ["metadata", "annotations"], join(pairs), true);
    const template = templatePath(kindOf(object));
    return template === undefined ? next : change(next, [...template, "metadata", "annotations"], join(pairs), true);
  });
}

/** "nginx", "docker.io/nginx:1.25", "nginx@sha256:...": the name, and what follows. */
function splitImage(image: string): readonly [name: string, rest: string] {
  const at = image.indexOf("@");
  const colon = image.indexOf(":", image.lastIndexOf("/") + 1);
  const end = at >= 0 && (colon < 0 || at < colon) ? at : colon;
  return end < 0 ? [image, ""] : [image.slice(0, end), image.slice(end)];
}

/** images. */
export function setImages(resources: readonly Resource[], images: readonly unknown[]): readonly Resource[] {
  const changed = (image: unknown): unknown => images.reduce((current, entry) => {
    const { name, newName, newTag, digest } = mapOf(entry);
    const [known, rest] = splitImage(textOf(current));
    if (known !== name) return current;
    const behind = textOf(digest) !== "" ? `@${textOf(digest)}` : newTag === undefined ? rest : `:${String(newTag)}`;
    return `${textOf(newName) === "" ? known : textOf(newName)}${behind}`;
  }, image);
  return each(resources, (object) => {
    const spec = podSpecPath(kindOf(object));
    if (spec === undefined) return object;
    return ["containers", "initContainers", "ephemeralContainers"].reduce((next, list) => change(next, [...spec, list, "image"], changed), object);
  });
}

/** replicas. */
export function setReplicas(resources: readonly Resource[], entries: readonly unknown[]): readonly Resource[] {
  return entries.reduce<readonly Resource[]>((current, entry) => {
    const { name, count } = mapOf(entry);
    const matches = ({ original, object }: Resource): boolean => original === name && ["Deployment", "ReplicationController", "ReplicaSet", "StatefulSet"].includes(kindOf(object));
    if (!current.some(matches)) throw new KustomizeError(`resource with name ${textOf(name)} does not match a config with the following GVK [ReplicationController.[noVer].[noGrp] Deployment.[noVer].[noGrp] ReplicaSet.[noVer].[noGrp] StatefulSet.[noVer].[noGrp]]`);
    return current.map((resource) => (matches(resource) ? { ...resource, object: change(resource.object, ["spec", "replicas"], () => count, true) } : resource));
  }, resources);
}

const anchored = (pattern: unknown, text: string): boolean => textOf(pattern) === "" || new RegExp(`^(?:${textOf(pattern)})$`).test(text);
const selectorHolds = (selector: unknown, labels: Json): boolean => textOf(selector) === "" || textOf(selector).split(",").every((part) => {
  const [key = "", value] = part.split(/==?/);
  return value === undefined ? labels[key.trim()] !== undefined : labels[key.trim()] === value.trim();
});

/** Whether a patch's target names a resource. */
function isTarget(target: Json, { object, original }: Resource): boolean {
  const [group, version] = textOf(object["apiVersion"]).includes("/") ? textOf(object["apiVersion"]).split("/") : ["", textOf(object["apiVersion"])];
  const metadata = metadataOf(object);
  return anchored(target["group"], group ?? "") && anchored(target["version"], version ?? "") && anchored(target["kind"], kindOf(object)) && (anchored(target["name"], original) || anchored(target["name"], nameIn(object)))
    && anchored(target["namespace"], textOf(metadata["namespace"])) && selectorHolds(target["labelSelector"], mapOf(metadata["labels"])) && selectorHolds(target["annotationSelector"], mapOf(metadata["annotations"]));
}

const KEYS = ["mountPath", "devicePath", "containerPort", "port", "name", "ip", "topologyKey"];

/** kustomize puts what a patch adds to a list of maps in front; the API server would put it at the end. */
function inFront(before: unknown, after: unknown): unknown {
  if (isMap(before) && isMap(after)) return Object.fromEntries(Object.entries(after).map(([key, value]) => [key, inFront(before[key], value)]));
  if (!Array.isArray(before) || !Array.isArray(after)) return after;
  const [old, now] = [before as readonly unknown[], after as readonly unknown[]];
  const key = KEYS.find((name) => [...old, ...now].every((item) => isMap(item) && item[name] !== undefined));
  if (key === undefined) return after;
  const known = (item: unknown): unknown => old.find((other) => mapOf(other)[key] === mapOf(item)[key]);
  return [...now.filter((item) => known(item) === undefined), ...now.filter((item) => known(item) !== undefined).map((item) => inFront(known(item), item))];
}

function merged(object: Json, patch: Json): Json | undefined {
  if (patch["$patch"] === "delete") return undefined;
  const { metadata, ...rest } = patch;
  const { name: _n, namespace: _s, ...others } = mapOf(metadata);
  const kind = { apiVersion: textOf(object["apiVersion"]), kind: kindOf(object) };
  const result = applyStrategicMergePatch(object, { ...rest, ...(Object.keys(others).length === 0 ? {} : { metadata: others }) }, kind);
  if (typeof result === "string") throw new KustomizeError(result);
  return mapOf(inFront(object, result));
}

/** patches, patchesStrategicMerge and patchesJson6902; `content` is the parsed patch: operations, or a part of an object. */
export function applyPatch(resources: readonly Resource[], content: unknown, target: Json | undefined, shown: string): readonly Resource[] {
  if (Array.isArray(content)) {
    if (target === undefined) throw new KustomizeError(`must specify a target for patch ${shown}`);
    return resources.map((resource) => {
      if (!isTarget(target, resource)) return resource;
      const result = applyJsonPatch(resource.object, content as readonly JsonPatchOperation[]);
      if (typeof result === "string") throw new KustomizeError(result);
      return { ...resource, object: mapOf(result.value) };
    });
  }
  const patch = mapOf(content);
  const own: Json = { kind: kindOf(patch), name: nameIn(patch), group: groupIn(patch) };
  const hit = (resource: Resource): boolean => (target === undefined ? kindOf(resource.object) === own["kind"] && groupIn(resource.object) === own["group"] && (resource.original === own["name"] || nameIn(resource.object) === own["name"]) : isTarget(target, resource));
  if (target === undefined && !resources.some(hit)) throw new KustomizeError(`no resource matches strategic merge patch "${kindOf(patch)}.${textOf(patch["apiVersion"]).split("/").reverse().join(".")}${groupIn(patch) === "" ? ".[noGrp]" : ""}/${nameIn(patch)}.${textOf(metadataOf(patch)["namespace"]) || "[noNs]"}": no matches for Id ${kindOf(patch)}.${textOf(patch["apiVersion"]).split("/").reverse().join(".")}${groupIn(patch) === "" ? ".[noGrp]" : ""}/${nameIn(patch)}.${textOf(metadataOf(patch)["namespace"]) || "[noNs]"}; failed to find unique target for patch ${kindOf(patch)}.${textOf(patch["apiVersion"]).split("/").reverse().join(".")}${groupIn(patch) === "" ? ".[noGrp]" : ""}/${nameIn(patch)}.${textOf(metadataOf(patch)["namespace"]) || "[noNs]"}`);
  return resources.flatMap((resource) => {
    if (!hit(resource)) return [resource];
    const object = merged(resource.object, patch);
    return object === undefined ? [] : [{ ...resource, object }];
  });
}
