// Models sigs.k8s.io/kustomize/api/krusty: `kubectl kustomize` and -k. Simplified: no components, replacements, helm charts or remote bases.
import { base64Encode } from "../api/base64.ts";
import { readYamlStream, yamlToJson } from "../api/go-yaml/document-stream.ts";
import { isMap, type Json, kindOf, KustomizeError, listOf, mapOf, metadataOf, nameIn, type Resource, textOf } from "./kustomize-model.ts";
import { updateReferences } from "./kustomize-references.ts";
import { addAnnotations, addLabels, applyPatch, rename, setImages, setNamespace, setReplicas } from "./kustomize-transform.ts";
import { nameHash } from "./name-hash.ts";

type Files = Readonly<Record<string, string>>;
interface Build {
  readonly files: Files;
  /** The working folder, for messages. */
  readonly folder: string;
  readonly warnings: Set<string>;
}

const NAMES = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
const FIELDS = new Set("apiVersion kind metadata openapi namePrefix nameSuffix namespace commonLabels labels commonAnnotations patchesStrategicMerge patchesJson6902 patches images imageTags replacements replicas vars sortOptions resources components crds bases configMapGenerator secretGenerator helmGlobals helmCharts helmChartInflationGenerator generatorOptions configurations generators transformers validators buildMetadata inventory".split(" "));
const DEPRECATED: readonly (readonly [string, string])[] = [["bases", "resources"], ["commonLabels", "labels"], ["patchesJson6902", "patches"], ["patchesStrategicMerge", "patches"], ["vars", "replacements"]];

/** "a/../b/./c" as a plain path; "" is the working folder. */
function clean(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

const isFolder = (files: Files, folder: string): boolean => folder === "" || Object.keys(files).some((name) => name.startsWith(`${folder}/`));
const inside = (folder: string, name: string): string => clean(folder === "" ? name : `${folder}/${name}`);

function read({ files, folder, warnings }: Build, place: string): Json {
  const found = NAMES.map((name) => files[place === "" ? name : `${place}/${name}`]).find((text) => text !== undefined);
  if (found === undefined) throw new KustomizeError(`unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '${folder}${place === "" ? "" : `/${place}`}'`);
  const parsed = yamlToJson(found);
  if (parsed.error !== undefined) throw new KustomizeError(`invalid Kustomization: ${parsed.error}`);
  if (parsed.value === null || parsed.value === undefined || (isMap(parsed.value) && Object.keys(parsed.value).length === 0)) throw new KustomizeError("kustomization.yaml is empty");
  const kustomization = mapOf(parsed.value);
  const unknown = Object.keys(kustomization).find((key) => !FIELDS.has(key));
  if (unknown !== undefined) throw new KustomizeError(`invalid Kustomization: json: unknown field ${JSON.stringify(unknown)}`);
  for (const [old, now] of DEPRECATED) if (kustomization[old] !== undefined) warnings.add(`# Warning: '${old}' is deprecated. Please use '${now}' instead. Run 'kustomize edit fix' to update your Kustomization automatically.`);
  return kustomization;
}

/**
 * All documents as kustomize reads them, or the parser's error.
 * Simplified: kustomize has go-yaml v3, whose lines of mistakes differ; here it only knows fewer booleans.
 */
function readYamlDocuments(text: string): readonly unknown[] | string {
  const { documents, error } = readYamlStream(text, "YAML 1.2");
  return error === undefined ? documents.map(({ value }) => value) : error.message.replace("error converting YAML to JSON: ", "");
}

function objectsOf(text: string, file: string): readonly Resource[] {
  const documents = readYamlDocuments(text);
  if (typeof documents === "string") throw new KustomizeError(`accumulating resources: accumulation err='accumulating resources from '${file}': MalformedYAMLError: ${documents} in File: ${file}'`);
  return documents.filter(isMap).flatMap((object): readonly Resource[] => (kindOf(object).endsWith("List") && Array.isArray(object["items"]) ? listOf(object["items"]).filter(isMap) : [object]).map((item) => ({ object: item, original: nameIn(item), hashed: false })));
}

function resourcesOf(build: Build, place: string, entries: readonly unknown[]): readonly Resource[] {
  return entries.flatMap((entry) => {
    const path = inside(place, textOf(entry));
    const text = build.files[path];
    if (text !== undefined) return objectsOf(text, textOf(entry));
    if (isFolder(build.files, path)) return accumulate(build, path);
    const missing = `evalsymlink failure on '${build.folder}/${path}' : lstat ${build.folder}/${path}: no such file or directory`;
    throw new KustomizeError(`accumulating resources: accumulation err='accumulating resources from '${textOf(entry)}': ${missing}': must build at directory: not a valid directory: ${missing}`);
  });
}

function dataOf({ files, folder }: Build, place: string, generator: Json): Readonly<Record<string, string>> {
  const data: Record<string, string> = {};
  const fileOf = (name: string): string => {
    const text = files[inside(place, name)];
    if (text === undefined) throw new KustomizeError(`loading KV pairs: file sources: [${listOf(generator["files"]).join(" ")}]: evalsymlink failure on '${folder}/${inside(place, name)}' : lstat ${folder}/${inside(place, name)}: no such file or directory`);
    return text;
  };
  for (const env of [...listOf(generator["envs"]), ...(generator["env"] === undefined ? [] : [generator["env"]])]) {
    for (const line of fileOf(textOf(env)).split("\n").map((raw) => raw.trimStart())) if (line !== "" && !line.startsWith("#") && line.includes("=")) data[line.slice(0, line.indexOf("="))] = line.slice(line.indexOf("=") + 1);
  }
  for (const literal of listOf(generator["literals"]).map(String)) data[literal.slice(0, literal.indexOf("="))] = literal.slice(literal.indexOf("=") + 1).replace(/^(['"])(.*)\1$/s, "$2");
  for (const source of listOf(generator["files"]).map(textOf)) {
    const [key, name] = source.includes("=") ? [source.slice(0, source.indexOf("=")), source.slice(source.indexOf("=") + 1)] : [source.split("/").at(-1) ?? "", source];
    data[key] = fileOf(name);
  }
  return data;
}

function generated(build: Build, place: string, kustomization: Json, kind: "ConfigMap" | "Secret"): readonly (Resource & { readonly behavior: string })[] {
  return listOf(kustomization[kind === "ConfigMap" ? "configMapGenerator" : "secretGenerator"]).map((entry) => {
    const generator = mapOf(entry);
    const general = mapOf(kustomization["generatorOptions"]);
    const own = mapOf(generator["options"]);
    const [labels, annotations] = [{ ...mapOf(general["labels"]), ...mapOf(own["labels"]) }, { ...mapOf(general["annotations"]), ...mapOf(own["annotations"]) }];
    const raw = dataOf(build, place, generator);
    const data = kind === "Secret" ? Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, base64Encode(value)])) : raw;
    const name = textOf(generator["name"]);
    const metadata = { name, ...(generator["namespace"] === undefined ? {} : { namespace: generator["namespace"] }), ...(Object.keys(labels).length === 0 ? {} : { labels }), ...(Object.keys(annotations).length === 0 ? {} : { annotations }) };
    const immutable = (own["immutable"] ?? general["immutable"]) === true ? { immutable: true } : {};
    return { original: name, hashed: (own["disableNameSuffixHash"] ?? general["disableNameSuffixHash"]) !== true, behavior: textOf(generator["behavior"]), object: { apiVersion: "v1", ...(Object.keys(data).length === 0 ? {} : { data }), kind, metadata, ...immutable, ...(kind === "Secret" ? { type: textOf(generator["type"]) || "Opaque" } : {}) } };
  });
}

/** Generators add, merge into or replace what the bases have. */
function withGenerated(resources: readonly Resource[], made: readonly (Resource & { readonly behavior: string })[]): readonly Resource[] {
  return made.reduce<readonly Resource[]>((current, { behavior, ...resource }) => {
    const at = current.findIndex((other) => kindOf(other.object) === kindOf(resource.object) && other.original === resource.original);
    if (at < 0) return [...current, resource];
    const before = current[at];
    if (before === undefined || behavior === "" || behavior === "create") throw new KustomizeError(`merging from generator ${JSON.stringify(resource.object)}: id resid.ResId{...} exists; behavior must be merge or replace`);
    const object = behavior === "replace" ? resource.object : { ...before.object, ...resource.object, data: { ...mapOf(before.object["data"]), ...mapOf(resource.object["data"]) }, metadata: { ...metadataOf(before.object), ...metadataOf(resource.object), name: nameIn(before.object) } };
    return current.map((other, i) => (i === at ? { ...other, object, hashed: resource.hashed } : other));
  }, resources);
}

function patched({ files, folder }: Build, place: string, resources: readonly Resource[], entry: unknown): readonly Resource[] {
  const { path, patch, target } = typeof entry === "string" ? { path: entry.includes("\n") ? undefined : entry, patch: entry, target: undefined } : (mapOf(entry) as { readonly path?: unknown; readonly patch?: unknown; readonly target?: unknown });
  const text = path === undefined ? textOf(patch) : files[inside(place, textOf(path))];
  if (text === undefined) throw new KustomizeError(`trouble configuring builtin PatchTransformer with config: \`\npath: ${textOf(path)}\n\`: failed to get the patch file from path(${textOf(path)}): evalsymlink failure on '${folder}/${inside(place, textOf(path))}' : lstat ${folder}/${inside(place, textOf(path))}: no such file or directory`);
  const documents = readYamlDocuments(text);
  if (typeof documents === "string") throw new KustomizeError(documents);
  return documents.filter((document) => document !== null).reduce<readonly Resource[]>((current, document) => applyPatch(current, document, target === undefined ? undefined : mapOf(target), text), resources);
}

/** The resources of a folder, as its kustomization changes them. */
function accumulate(build: Build, place: string): readonly Resource[] {
  const kustomization = read(build, place);
  const list = (key: string): readonly unknown[] => listOf(kustomization[key]);
  let resources = resourcesOf(build, place, [...list("resources"), ...list("bases")]);
  resources = withGenerated(resources, [...generated(build, place, kustomization, "ConfigMap"), ...generated(build, place, kustomization, "Secret")]);
  for (const entry of [...list("patchesStrategicMerge"), ...list("patches")]) resources = patched(build, place, resources, entry);
  const namespace = textOf(kustomization["namespace"]);
  if (namespace !== "") resources = setNamespace(resources, namespace);
  resources = rename(resources, textOf(kustomization["namePrefix"]), textOf(kustomization["nameSuffix"]));
  for (const label of list("labels").map(mapOf)) resources = addLabels(resources, mapOf(label["pairs"]), label["includeSelectors"] === true, label["includeTemplates"] === true);
  if (isMap(kustomization["commonLabels"])) resources = addLabels(resources, kustomization["commonLabels"], true, true);
  if (isMap(kustomization["commonAnnotations"])) resources = addAnnotations(resources, kustomization["commonAnnotations"]);
  for (const entry of list("patchesJson6902")) resources = patched(build, place, resources, entry);
  resources = setReplicas(resources, list("replicas"));
  return setImages(resources, list("images"));
}

const FIRST = "Namespace ResourceQuota StorageClass CustomResourceDefinition ServiceAccount PodSecurityPolicy Role ClusterRole RoleBinding ClusterRoleBinding ConfigMap Secret Endpoints Service LimitRange PriorityClass PersistentVolume PersistentVolumeClaim Deployment StatefulSet CronJob PodDisruptionBudget".split(" ");
const LAST = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

function rank({ object }: Resource): string {
  const kind = kindOf(object);
  const at = FIRST.includes(kind) ? FIRST.indexOf(kind) : LAST.includes(kind) ? 900 + LAST.indexOf(kind) : 500;
  return `${String(at).padStart(3, "0")} ${textOf(object["apiVersion"])} ${kind} ${textOf(metadataOf(object)["namespace"])} ${nameIn(object)}`;
}

/** The objects that a folder's kustomization makes, and warnings; an error as text. */
export function kustomize(files: Files, named: string, folder: string): { readonly objects: readonly Json[]; readonly warnings: readonly string[] } | string {
  const build: Build = { files, folder, warnings: new Set() };
  const place = clean(named.startsWith(`${folder}/`) ? named.slice(folder.length + 1) : named);
  try {
    if (files[place] !== undefined) return `error: must build at directory: '${named}': file is not directory`;
    if (!isFolder(files, place)) return `error: must build at directory: not a valid directory: evalsymlink failure on '${named}' : lstat ${folder}/${place}: no such file or directory`;
    const hashed = accumulate(build, place).map((resource) => (resource.hashed ? { ...resource, object: { ...resource.object, metadata: { ...metadataOf(resource.object), name: `${nameIn(resource.object)}-${nameHash(resource.object as { readonly kind: string }, "", "")}` } } } : resource));
    const objects = [...updateReferences(hashed)].sort((a, b) => (rank(a) < rank(b) ? -1 : 1)).map(({ object }) => object);
    return { objects, warnings: [...build.warnings] };
  } catch (problem) {
    if (problem instanceof KustomizeError) return `error: ${problem.message}`;
    throw problem;
  }
}
