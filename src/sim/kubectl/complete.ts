// Models kubernetes/staging/src/k8s.io/kubectl/pkg/util/completion: what the shell offers behind the cursor
import { fieldDescription } from "../api/schema/descriptions.ts";
import { structOf } from "../api/schema/openapi.ts";
import { API_RESOURCES, type ApiResource, findResource } from "../api/schema/resources.ts";
import { kindType, structType } from "../api/schema/schema.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import { childOf, childrenOf, type CommandSpec, type FlagSpec, flagsOf, rootCommand } from "./command-table.ts";
import { commandText, flagText } from "./help.ts";

export interface Suggestion {
  /** Stands in for the word from `from` on. */
  readonly text: string;
  readonly about: string;
}

export interface Completion {
  /** Where in the line the word begins that a suggestion replaces. */
  readonly from: number;
  readonly suggestions: readonly Suggestion[];
}

/** What completion knows of the cluster. */
export interface Known {
  readonly namespace: string;
  readonly resources?: readonly ApiResource[];
  /** Stored objects of a plural; of one namespace unless it is "". */
  readonly objects: (resource: string, namespace: string) => readonly KubeObject[];
  readonly contexts?: readonly string[];
}

interface Place {
  readonly spec: CommandSpec;
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string>>;
  /** The flag whose value is being typed. */
  readonly awaited?: FlagSpec;
  readonly word: string;
}

const needsValue = ({ name, type }: FlagSpec): boolean => type !== "bool" && !["dry-run", "cascade", "validate"].includes(name);
const flagOf = (spec: CommandSpec, word: string): FlagSpec | undefined => flagsOf(spec).find(({ name, short }) => word === `--${name}` || (short !== "" && word === `-${short}`));

/** What the words before the cursor say. */
function placeOf(words: readonly string[], word: string): Place {
  let spec = rootCommand();
  const args: string[] = [];
  const flags: Record<string, string> = {};
  let awaited: FlagSpec | undefined;
  for (const one of words) {
    if (awaited !== undefined) {
      flags[awaited.name] = one;
      awaited = undefined;
      continue;
    }
    if (one.startsWith("-")) {
      const [name = "", value] = one.split("=");
      const flag = flagOf(spec, name);
      if (flag !== undefined && value !== undefined) flags[flag.name] = value;
      else if (flag !== undefined && needsValue(flag)) awaited = flag;
      else if (flag !== undefined) flags[flag.name] = "true";
      continue;
    }
    const child = args.length === 0 ? childOf(spec, one) : undefined;
    if (child === undefined) args.push(one);
    else spec = child;
  }
  return { spec, args, flags, word, ...(awaited === undefined ? {} : { awaited }) };
}

const FORMATS = ["json", "yaml", "kyaml", "name", "wide", "go-template=", "go-template-file=", "jsonpath=", "jsonpath-as-json=", "jsonpath-file=", "custom-columns=", "custom-columns-file="];
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "dry-run": ["none", "server", "client"], cascade: ["background", "orphan", "foreground"], validate: ["strict", "warn", "ignore"], output: FORMATS, type: ["json", "merge", "strategic"], restart: ["Always", "OnFailure", "Never"], subresource: ["status", "scale", "resize"],
  "image-pull-policy": ["Always", "IfNotPresent", "Never"], protocol: ["TCP", "UDP", "SCTP"], types: ["Normal", "Warning"], for: ["condition=", "jsonpath=", "create", "delete"], "sort-by": [".metadata.name", ".metadata.creationTimestamp"], profile: ["general", "baseline", "restricted", "netadmin", "sysadmin"],
};
const SERVICE_TYPES = ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"];

const plain = (texts: readonly string[], about = ""): readonly Suggestion[] => texts.map((text) => ({ text, about }));
const named = (objects: readonly KubeObject[]): readonly Suggestion[] => objects.map(({ kind, metadata }) => ({ text: metadata.name ?? "", about: kind }));
const namespaceOf = ({ flags }: Place, known: Known): string => flags["namespace"] ?? known.namespace;

/** Names of a kind's objects, in the namespace that is meant. */
function namesOf(place: Place, known: Known, api: ApiResource): readonly Suggestion[] {
  return named(known.objects(api.resource, api.namespaced && place.flags["all-namespaces"] === undefined ? namespaceOf(place, known) : ""));
}

function containersOf(place: Place, known: Known, name: string): readonly Suggestion[] {
  const pod = known.objects("pods", namespaceOf(place, known)).find(({ metadata }) => metadata.name === name.replace(/^(pods?|po)\//, "")) as Pod | undefined;
  return plain([...(pod?.spec.initContainers ?? []), ...(pod?.spec.containers ?? [])].map((container) => container.name), "container");
}

function valuesOf(place: Place, known: Known, flag: FlagSpec): readonly Suggestion[] {
  switch (flag.name) {
    case "namespace":
      return named(known.objects("namespaces", ""));
    case "container":
      return containersOf(place, known, place.args[0] ?? "");
    case "context":
      return plain(known.contexts ?? []);
    case "selector": {
      const api = findResource(place.args[0]?.split("/")[0] ?? "pods") ?? findResource("pods");
      const pairs = api === undefined ? [] : known.objects(api.resource, namespaceOf(place, known)).flatMap(({ metadata }) => Object.entries(metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`));
      return plain([...new Set(pairs)].sort(), "label");
    }
    case "type":
      return plain(place.spec.name === "expose" ? SERVICE_TYPES : (VALUES["type"] ?? []));
    default:
      return plain(place.spec.name === "explain" && flag.name === "output" ? ["plaintext", "plaintext-openapiv2"] : (VALUES[flag.name] ?? []));
  }
}

const typeNames = (known: Known): readonly Suggestion[] => (known.resources ?? API_RESOURCES).filter(({ createOnly }) => !createOnly).map(({ resource, group, kind }) => ({ text: group === "" ? resource : `${resource}.${group}`, about: kind }));

/** TYPE NAME... or TYPE/NAME; `types` are those that the command takes. */
function typeAndName(place: Place, known: Known, types?: readonly string[]): readonly Suggestion[] {
  const { args, word } = place;
  const slash = word.indexOf("/");
  if (slash > 0) {
    const api = findResource(word.slice(0, slash));
    return api === undefined ? [] : namesOf(place, known, api).map(({ text, about }) => ({ text: `${word.slice(0, slash)}/${text}`, about }));
  }
  if (args.length === 0) return types === undefined ? typeNames(known) : plain(types);
  if (args[0]?.includes("/") === true) return [];
  const api = findResource(args[0]?.split(",")[0] ?? "");
  return api === undefined ? [] : namesOf(place, known, api).filter(({ text }) => !args.slice(1).includes(text));
}

/** pod.spec.c: fields behind the last dot. */
function fieldsOf(known: Known, word: string): readonly Suggestion[] {
  const [name = "", ...path] = word.split(".");
  if (path.length === 0) return typeNames(known).map(({ text, about }) => ({ text: text.split(".")[0] ?? text, about }));
  const api = findResource(name);
  let type = api === undefined ? undefined : kindType(api.apiVersion, api.kind)?.name;
  for (const part of path.slice(0, -1)) {
    const field = type === undefined ? undefined : structType(type)?.fields.get(part);
    type = field === undefined ? undefined : structOf(field.of);
  }
  const before = word.slice(0, word.lastIndexOf(".") + 1);
  return type === undefined ? [] : [...(structType(type)?.fields.keys() ?? [])].sort().map((field) => ({ text: `${before}${field}`, about: fieldDescription(type ?? "", field) }));
}

const ROLLOUT = ["deployment", "daemonset", "statefulset"];
const TEMPLATED = ["deployment", "daemonset", "statefulset", "replicaset", "replicationcontroller", "job", "cronjob", "pod"];
const SCALABLE = ["deployment", "replicaset", "replicationcontroller", "statefulset"];

/** What a command takes as its next argument. */
function argumentsOf(place: Place, known: Known): readonly Suggestion[] {
  const { spec, args, word } = place;
  const [pods, nodes, requests] = [findResource("pods"), findResource("nodes"), findResource("certificatesigningrequests")];
  if (pods === undefined || nodes === undefined || requests === undefined) return [];
  switch (spec.path) {
    case "get": case "describe": case "delete": case "edit": case "label": case "annotate": case "patch": case "wait": case "debug": case "apply view-last-applied": case "apply edit-last-applied":
      return typeAndName(place, known);
    case "scale": case "autoscale":
      return typeAndName(place, known, SCALABLE);
    case "expose":
      return typeAndName(place, known, ["pod", "service", "replicationcontroller", "deployment", "replicaset"]);
    case "rollout pause": case "rollout resume":
      return typeAndName(place, known, ["deployment"]);
    case "rollout history": case "rollout restart": case "rollout status": case "rollout undo":
      return typeAndName(place, known, ROLLOUT);
    case "set image": case "set env": case "set resources": case "set serviceaccount":
      return typeAndName(place, known, TEMPLATED);
    case "logs": case "attach": case "exec": case "port-forward":
      if (word.includes("/")) return typeAndName(place, known);
      if (spec.path === "logs" && args.length === 1) return containersOf(place, known, args[0] ?? "");
      return args.length > 0 ? [] : [...namesOf(place, known, pods), ...plain(TEMPLATED.filter((type) => type !== "pod").map((type) => `${type}/`))];
    case "cp":
      return namesOf(place, known, pods).map(({ text, about }) => ({ text: `${text}:`, about }));
    case "top pod":
      return args.length > 0 ? [] : namesOf(place, known, pods);
    case "top node": case "cordon": case "uncordon": case "drain":
      return namesOf(place, known, nodes);
    case "taint":
      return args.length === 0 ? plain(["node"]) : namesOf(place, known, nodes);
    case "certificate approve": case "certificate deny":
      return namesOf(place, known, requests);
    case "explain":
      return args.length > 0 ? [] : fieldsOf(known, word);
    case "completion":
      return plain(["bash", "zsh", "fish", "powershell"]);
    case "config use-context": case "config delete-context": case "config rename-context": case "config set-context":
      return plain(known.contexts ?? []);
    default:
      return [];
  }
}

function flagNames({ spec }: Place): readonly Suggestion[] {
  return flagsOf(spec).filter(({ hidden }) => !hidden).map((flag) => ({ text: `--${flag.name}${needsValue(flag) ? "=" : ""}`, about: flagText(flag.name) })).sort((a, b) => (a.text < b.text ? -1 : 1));
}

function candidates(place: Place, known: Known): readonly Suggestion[] {
  const { spec, args, word, awaited } = place;
  if (awaited !== undefined) return valuesOf(place, known, awaited);
  if (word.startsWith("-")) {
    const [name = "", value] = word.split("=");
    const flag = value === undefined ? undefined : flagOf(spec, name);
    return flag === undefined ? flagNames(place) : valuesOf(place, known, flag).map(({ text, about }) => ({ text: `${name}=${text}`, about }));
  }
  const children = args.length === 0 ? childrenOf(spec).filter(({ path }) => path !== "alpha" && path !== "options") : [];
  return [...children.map(({ name, path }) => ({ text: name, about: commandText(path) })), ...argumentsOf(place, known)];
}

/** What can stand at the cursor of a line, which may begin with "kubectl" or "k". */
export function complete(line: string, cursor: number, known: Known): Completion {
  const before = line.slice(0, cursor);
  const word = /\S*$/.exec(before)?.[0] ?? "";
  const from = cursor - word.length;
  const words = before.slice(0, from).split(/\s+/).filter((one) => one !== "");
  const own = words[0] === "kubectl" || words[0] === "k" ? words.slice(1) : words;
  const place = placeOf(own, word);
  // In a list the last element is completed.
  const comma = word.startsWith("-") ? -1 : word.lastIndexOf(",");
  const typed = word.slice(comma + 1);
  const found = candidates(comma < 0 ? place : { ...place, word: typed }, known).filter(({ text }) => text.startsWith(typed));
  return { from, suggestions: comma < 0 ? found : found.map(({ text, about }) => ({ text: `${word.slice(0, comma + 1)}${text}`, about })) };
}
