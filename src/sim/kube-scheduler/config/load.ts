// Models kubernetes/cmd/kube-scheduler/app/options/configfile.go and pkg/scheduler/framework/runtime/framework.go (NewFramework)
import { aggregateText } from "../../api/field-error.ts";
import type { Pod } from "../../api/types.ts";
import type { Plugin } from "../framework.ts";
import { implementsPoint, pluginNamed } from "../plugins/registry.ts";
import { decodeConfiguration } from "./decode.ts";
import { mergePlugins } from "./default-plugins.ts";
import { pluginArgs, schedulerArgs } from "./plugin-args.ts";
import type { ConfigurationSpec, ExtensionPoint, PluginRef, PluginSets, Profile, ProfileSpec, SchedulerConfig } from "./types.ts";
import { nodeResourcesFitErrors } from "./validation-args.ts";
import { validateConfiguration } from "./validation.ts";

export const SCHEDULER_NAME = "default-scheduler";

/** The scheduler does not start with this configuration; the message is upstream's. */
export class ConfigurationError extends Error {}

const refuse = (text: string): never => {
  throw new ConfigurationError(text);
};

// In the order in which the framework fills its lists, which decides what error comes first.
const POINTS: readonly ExtensionPoint[] = ["preFilter", "filter", "postFilter", "reserve", "preScore", "score", "preBind", "bind", "postBind", "permit", "preEnqueue", "queueSort"];
const goInterface = (point: ExtensionPoint): string => `${point.charAt(0).toUpperCase()}${point.slice(1)}Plugin`;

const knownPlugin = (name: string, point: ExtensionPoint): Plugin => pluginNamed(name) ?? refuse(`${goInterface(point)} ${JSON.stringify(name)} does not exist`);

/** updatePluginList: what is enabled at one point by name. */
function specific(enabled: readonly PluginRef[], point: ExtensionPoint): string[] {
  const names: string[] = [];
  for (const { name } of enabled) {
    if (!implementsPoint(knownPlugin(name, point), point)) refuse(`plugin ${JSON.stringify(name)} does not extend ${goInterface(point)} plugin`);
    if (names.includes(name)) refuse(`plugin ${JSON.stringify(name)} already registered as ${JSON.stringify(goInterface(point))}`);
    names.push(name);
  }
  return names;
}

/** expandMultiPointPlugins for one point: first those configured again, then the others of MultiPoint, then the rest. */
function expand(own: readonly string[], sets: PluginSets, point: ExtensionPoint): readonly string[] {
  const disabled = new Set((sets[point]?.disabled ?? []).map((p) => p.name));
  const all = sets.multiPoint?.enabled ?? [];
  if (all.length === 0 || disabled.has("*")) return own;
  const overriding = new Set<string>();
  const added: string[] = [];
  for (const { name } of all) {
    if (!implementsPoint(knownPlugin(name, point), point) || disabled.has(name)) continue;
    if (own.includes(name)) overriding.add(name);
    else if (added.includes(name)) refuse(`plugin ${JSON.stringify(name)} already registered as ${JSON.stringify(goInterface(point))}`);
    else added.push(name);
  }
  return [...own.filter((name) => overriding.has(name)), ...added, ...own.filter((name) => !overriding.has(name))];
}

/** getValidScoreWeights: a point's own weight comes before MultiPoint's; 0 means 1. */
function weightsOf(sets: PluginSets, score: readonly string[]): Record<string, number> {
  const weights: Record<string, number> = {};
  for (const { name, weight = 0 } of [...(sets.score?.enabled ?? []), ...(sets.multiPoint?.enabled ?? [])]) if (score.includes(name)) weights[name] ??= weight === 0 ? 1 : weight;
  return weights;
}

function newProfile(spec: ProfileSpec, percentage: number): Profile {
  const schedulerName = spec.schedulerName ?? "";
  const sets = mergePlugins(spec.plugins);
  const args = pluginArgs(spec);
  const enabled = new Set(Object.values(sets).flatMap((set) => (set.enabled ?? []).map((p) => p.name)));
  const fit = enabled.has("NodeResourcesFit") ? nodeResourcesFitErrors(args.NodeResourcesFit) : [];
  if (fit.length > 0) refuse(`initializing plugin "NodeResourcesFit": ${aggregateText(fit)}`);
  const own = new Map(POINTS.map((point) => [point, specific(sets[point]?.enabled ?? [], point)] as const));
  const plugins = Object.fromEntries(POINTS.map((point) => [point, expand(own.get(point) ?? [], sets, point)])) as unknown as Profile["plugins"];
  if (plugins.queueSort.length !== 1) refuse(`only one queue sort plugin required for profile with scheduler name ${JSON.stringify(schedulerName)}, but got ${plugins.queueSort.length}`);
  if (plugins.bind.length === 0) refuse(`at least one bind plugin is needed for profile with scheduler name ${JSON.stringify(schedulerName)}`);
  return { schedulerName, args: schedulerArgs(args, percentage, spec.percentageOfNodesToScore), plugins, weights: weightsOf(sets, plugins.score) };
}

function newScheduler(spec: ConfigurationSpec & { readonly profiles: readonly ProfileSpec[] }): SchedulerConfig {
  const profiles = spec.profiles.map((profile) => {
    try {
      return newProfile(profile, spec.percentageOfNodesToScore ?? 0);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return refuse(`initializing profiles: creating profile for scheduler name ${profile.schedulerName ?? ""}: ${error.message}`);
    }
  });
  return { parallelism: spec.parallelism ?? 16, podInitialBackoffSeconds: spec.podInitialBackoffSeconds ?? 1, podMaxBackoffSeconds: spec.podMaxBackoffSeconds ?? 10, profiles };
}

/** Fills in what SetDefaults_KubeSchedulerConfiguration does: one profile, and a name if there is only one. */
function withDefaults(spec: ConfigurationSpec): ConfigurationSpec & { readonly profiles: readonly ProfileSpec[] } {
  const given = spec.profiles ?? [];
  const profiles = given.length === 0 ? [{}] : given;
  const [only] = profiles;
  return { ...spec, profiles: profiles.length === 1 && only && only.schedulerName === undefined ? [{ ...only, schedulerName: SCHEDULER_NAME }] : profiles };
}

/**
 * Reads a KubeSchedulerConfiguration (YAML or JSON). Throws ConfigurationError with the text that kube-scheduler ends
 * with: of the decoder, of validation, or of a plugin that cannot be made.
 */
// Simplified: extenders are checked, but nothing calls them.
export function loadConfig(text: string): SchedulerConfig {
  const decoded = decodeConfiguration(text);
  if (typeof decoded === "string") return refuse(decoded);
  const spec = withDefaults(decoded);
  const errors = validateConfiguration(spec);
  return errors.length > 0 ? refuse(aggregateText(errors)) : newScheduler(spec);
}

/** The text that loadConfig throws; "" for a configuration that kube-scheduler takes. */
export function configProblem(text: string): string {
  try {
    loadConfig(text);
    return "";
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

/** What kube-scheduler runs with when it is given no file. */
export const defaultProfile: Profile = newProfile({ schedulerName: SCHEDULER_NAME }, 0);
export const defaultConfig: SchedulerConfig = { ...newScheduler(withDefaults({})), profiles: [defaultProfile] };

/** HandlesSchedulerName: a Pod that names no profile of this configuration is another scheduler's to place. */
export const profileFor = (config: SchedulerConfig, pod: Pod): Profile | undefined => config.profiles.find((p) => p.schedulerName === (pod.spec.schedulerName || SCHEDULER_NAME));
