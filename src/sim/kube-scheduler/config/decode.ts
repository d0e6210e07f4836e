// Models kubernetes/staging/src/k8s.io/kube-scheduler/config/v1/{types,types_pluginargs}.go and the strict decoder of pkg/scheduler/apis/config/scheme
import { parseGoDuration } from "../../api/duration.ts";
import { structType, type TypeRef } from "../../api/schema/schema.ts";
import { readConfigFile } from "./read.ts";
import type { ConfigurationSpec, PluginConfig } from "./types.ts";

export const GROUP_VERSION = "kubescheduler.config.k8s.io/v1";
const KIND = "KubeSchedulerConfiguration";
const SCHEME = "pkg/scheduler/apis/config/scheme/scheme.go:29";

// Field and type of each struct: s text, b bool, i int32, l int64, f float32, d duration, R anything, [] a list.
const STRUCTS: Readonly<Record<string, string>> = {
  KubeSchedulerConfiguration: "kind s,apiVersion s,parallelism i,leaderElection LeaderElectionConfiguration,clientConnection ClientConnectionConfiguration,enableProfiling b,enableContentionProfiling b,percentageOfNodesToScore i,podInitialBackoffSeconds l,podMaxBackoffSeconds l,profiles []KubeSchedulerProfile,extenders []Extender,delayCacheUntilActive b",
  LeaderElectionConfiguration: "leaderElect b,leaseDuration d,renewDeadline d,retryPeriod d,resourceLock s,resourceName s,resourceNamespace s",
  ClientConnectionConfiguration: "kubeconfig s,acceptContentTypes s,contentType s,qps f,burst i",
  KubeSchedulerProfile: "schedulerName s,percentageOfNodesToScore i,plugins Plugins,pluginConfig []PluginConfig",
  Plugins: "preEnqueue PluginSet,queueSort PluginSet,preFilter PluginSet,filter PluginSet,postFilter PluginSet,preScore PluginSet,score PluginSet,reserve PluginSet,permit PluginSet,preBind PluginSet,bind PluginSet,postBind PluginSet,multiPoint PluginSet,placementGenerate PluginSet,placementScore PluginSet",
  PluginSet: "enabled []Plugin,disabled []Plugin",
  Plugin: "name s,weight i",
  PluginConfig: "name s,args R",
  Extender: "urlPrefix s,filterVerb s,preemptVerb s,prioritizeVerb s,weight l,bindVerb s,enableHTTPS b,tlsConfig ExtenderTLSConfig,httpTimeout d,nodeCacheCapable b,managedResources []ExtenderManagedResource,ignorable b",
  ExtenderManagedResource: "name s,ignoredByScheduler b",
  ExtenderTLSConfig: "insecure b,serverName s,certFile s,keyFile s,caFile s,certData s,keyData s,caData s",
  DefaultPreemptionArgs: "minCandidateNodesPercentage i,minCandidateNodesAbsolute i",
  DynamicResourcesArgs: "filterTimeout d,bindingTimeout d",
  InterPodAffinityArgs: "hardPodAffinityWeight i,ignorePreferredTermsOfExistingPods b",
  NodeAffinityArgs: "addedAffinity NodeAffinity",
  NodeResourcesBalancedAllocationArgs: "resources []ResourceSpec",
  NodeResourcesFitArgs: "ignoredResources []s,ignoredResourceGroups []s,scoringStrategy ScoringStrategy",
  PodTopologySpreadArgs: "defaultConstraints []TopologySpreadConstraint,defaultingType s",
  VolumeBindingArgs: "bindTimeoutSeconds l,shape []UtilizationShapePoint",
  ScoringStrategy: "type s,resources []ResourceSpec,requestedToCapacityRatio RequestedToCapacityRatioParam",
  RequestedToCapacityRatioParam: "shape []UtilizationShapePoint",
  ResourceSpec: "name s,weight l",
  UtilizationShapePoint: "utilization i,score i",
};

const GO_TYPES: Readonly<Record<string, string>> = { s: "string", b: "bool", i: "int32", l: "int64", f: "float32", d: "v1.Duration" };
const INT32_LIMIT = 2_147_483_647;

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** A type of the core API in this file's short form. */
function shortType(of: TypeRef): string {
  if (of.type === "list") return `[]${shortType(of.of)}`;
  if (of.type === "map") return "R";
  return of.type === "struct" ? of.name : of.code;
}

const parsed = new Map<string, ReadonlyMap<string, string>>();

function fieldsOf(struct: string): ReadonlyMap<string, string> | undefined {
  const known = parsed.get(struct);
  if (known) return known;
  const own = STRUCTS[struct];
  const core = own === undefined ? structType(struct) : undefined;
  if (own === undefined && core === undefined) return undefined;
  const fields = own === undefined ? new Map([...(core?.fields.values() ?? [])].map((f) => [f.name, shortType(f.of)])) : new Map(own.split(",").map((part) => part.split(" ") as [string, string]));
  parsed.set(struct, fields);
  return fields;
}

function goType(type: string): string {
  if (type.startsWith("[]")) return `[]${goType(type.slice(2))}`;
  return GO_TYPES[type] ?? `v1.${type}`;
}

interface Reading {
  /** The first wrong type. */
  wrong: string | undefined;
  readonly unknown: string[];
}

const jsonKind = (value: unknown): string => (Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value);

/** Checks one value; remembers the first wrong type (`names`: Go's path, without indexes) and every unknown field (`path`: with them). */
function check(value: unknown, type: string, struct: string, names: string, path: string, reading: Reading): void {
  if (value === null || value === undefined || type === "R") return;
  const fail = (shown: string): void => void (reading.wrong ??= names === "" ? `json: cannot unmarshal ${shown} into Go value of type v1.${type}` : `json: cannot unmarshal ${shown} into Go struct field ${struct}.${names} of type ${goType(type)}`);
  if (type.startsWith("[]")) {
    if (!Array.isArray(value)) return fail(jsonKind(value));
    for (const [i, item] of value.entries()) check(item, type.slice(2), struct, names, `${path}[${i}]`, reading);
    return;
  }
  if (type === "d" && typeof value !== "string") return void (reading.wrong ??= `json: cannot unmarshal ${jsonKind(value)} into Go value of type string`);
  if (type === "d") return void (Number.isNaN(parseGoDuration(String(value))) && (reading.wrong ??= `time: invalid duration ${JSON.stringify(value)}`));
  if (type === "s") return typeof value === "string" ? undefined : fail(jsonKind(value));
  if (type === "b") return typeof value === "boolean" ? undefined : fail(jsonKind(value));
  if (type === "i" || type === "l" || type === "f") {
    if (typeof value !== "number") return fail(jsonKind(value));
    if (type !== "f" && (!Number.isInteger(value) || (type === "i" && Math.abs(value) > INT32_LIMIT))) fail(`number ${value}`);
    return;
  }
  const fields = fieldsOf(type);
  if (!fields) return;
  if (!isJson(value)) return fail(jsonKind(value));
  for (const [key, item] of Object.entries(value)) {
    const at = path === "" ? key : `${path}.${key}`;
    const field = fields.get(key);
    if (field === undefined) reading.unknown.push(`unknown field ${JSON.stringify(at)}`);
    else check(item, field, type, names === "" ? key : `${names}.${key}`, at, reading);
  }
}

/** Empty maps and lists may be written as null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJson(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => (item === null ? [] : [[key, withoutNulls(item)] as const])));
}

/** decodeNestedObjects: the arguments of one plugin. Out-of-tree plugins' arguments are left as they are. */
function checkArgs({ name, args }: PluginConfig, strict: string[], at: string): string | undefined {
  const type = `${name}Args`;
  if (STRUCTS[type] === undefined) return undefined;
  const { apiVersion = GROUP_VERSION, kind = type, ...fields } = isJson(args) ? args : {};
  if (apiVersion !== GROUP_VERSION) return `${at}: decoding args for plugin ${name}: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme ${JSON.stringify(SCHEME)}`;
  if (kind !== type) return `${at}: args for plugin ${name} were not of type ${type}.kubescheduler.config.k8s.io, got ${String(kind)}.kubescheduler.config.k8s.io`;
  const reading: Reading = { wrong: undefined, unknown: [] };
  check(isJson(args) ? fields : args, type, type, "", "", reading);
  if (reading.wrong !== undefined) return `${at}: decoding args for plugin ${name}: ${reading.wrong}`;
  if (reading.unknown.length > 0) strict.push(`${at}: strict decoding error: decoding args for plugin ${name}: strict decoding error: ${reading.unknown.join(", ")}`);
  return undefined;
}

/** Reads the text as far as its types go. A string is upstream's error. */
export function decodeConfiguration(text: string): ConfigurationSpec | string {
  const read = readConfigFile(text);
  if (typeof read === "string") return read;
  const { value } = read;
  const { apiVersion, kind } = value;
  if (typeof kind !== "string" || kind === "") return `Object 'Kind' is missing in '${text}'`;
  if (typeof apiVersion !== "string" || apiVersion === "") return `Object 'apiVersion' is missing in '${text}'`;
  if (apiVersion !== GROUP_VERSION) return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme ${JSON.stringify(SCHEME)}`;
  if (STRUCTS[kind] === undefined || (kind !== KIND && !kind.endsWith("Args"))) return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme ${JSON.stringify(SCHEME)}`;
  if (kind !== KIND) return `couldn't decode as KubeSchedulerConfiguration, got ${apiVersion}, Kind=${kind}: `;
  const reading: Reading = { wrong: undefined, unknown: [...read.strict] };
  check(value, KIND, KIND, "", "", reading);
  if (reading.wrong !== undefined) return reading.wrong;
  const spec = withoutNulls(value) as ConfigurationSpec;
  const nested: string[] = [];
  for (const [i, profile] of (spec.profiles ?? []).entries()) {
    for (const [j, config] of (profile.pluginConfig ?? []).entries()) {
      const wrong = checkArgs(config, nested, `decoding .profiles[${i}].pluginConfig[${j}]`);
      if (wrong !== undefined) return wrong;
    }
  }
  const strict = [...reading.unknown, ...nested];
  return strict.length > 0 ? `strict decoding error: ${strict.join(", ")}` : spec;
}
