// Models kubernetes/pkg/scheduler/apis/config/validation/validation.go and component-base/config/validation/validation.go
import { parseGoDuration } from "../../api/duration.ts";
import { duplicate, type FieldError, invalid, required } from "../../api/field-error.ts";
import { isQualifiedName } from "../../api/names.ts";
import { semanticEqual } from "../../api/validation/helpers.ts";
import { GROUP_VERSION } from "./decode.ts";
import { type PluginArgs, pluginArgs } from "./plugin-args.ts";
import { type ConfigurationSpec, EXTENSION_POINTS, type ExtenderSpec, type LeaderElectionSpec, type PluginSet, type ProfileSpec } from "./types.ts";
import { validateArgs } from "./validation-args.ts";

const REMOVED_PLUGINS = new Set(["AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"]);
const WAS_INVALID = `was invalid in version ${JSON.stringify(GROUP_VERSION)} (KubeSchedulerConfiguration is version ${JSON.stringify(GROUP_VERSION)})`;

function leaderElection(spec: LeaderElectionSpec): FieldError[] {
  if (spec.leaderElect === false) return [];
  const { leaseDuration = "15s", renewDeadline = "10s", retryPeriod = "2s", resourceLock = "leases" } = spec;
  const path = "leaderElection";
  const errors: FieldError[] = [];
    // A zero is replaced by the default before it is looked at.
  for (const [name, text] of Object.entries({ leaseDuration, renewDeadline, retryPeriod })) if (parseGoDuration(text) < 0) errors.push(invalid(`${path}.${name}`, text, "must be greater than zero"));
  if (parseGoDuration(leaseDuration) <= parseGoDuration(renewDeadline)) errors.push(invalid(`${path}.leaseDuration`, renewDeadline, "must be greater than `RenewDeadline`"));
  if (resourceLock !== "leases" && resourceLock !== "") errors.push(invalid(`${path}.resourceLock`, resourceLock, 'resourceLock value must be "leases"'));
  return errors;
}

const percentage = (path: string, value: number | undefined): FieldError[] => (value !== undefined && (value < 0 || value > 100) ? [invalid(path, value, "not in valid range [0-100]")] : []);

function pluginErrors(path: string, profile: ProfileSpec, args: PluginArgs): FieldError[] {
  const errors: FieldError[] = [];
  // Upstream walks these in Go's random map order.
  for (const point of EXTENSION_POINTS) {
    for (const [i, { name }] of (profile.plugins?.[point]?.enabled ?? []).entries()) if (REMOVED_PLUGINS.has(name)) errors.push(invalid(`${path}.plugins.${point}.enabled[${i}]`, name, WAS_INVALID));
  }
  const seen = new Set<string>();
  for (const [i, { name }] of (profile.pluginConfig ?? []).entries()) {
    const at = `${path}.pluginConfig[${i}]`;
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
    if (REMOVED_PLUGINS.has(name)) errors.push(invalid(at, name, WAS_INVALID));
    else errors.push(...validateArgs(name, args, `${at}.args`));
  }
  return errors;
}

/** A set as Go prints the internal type: without JSON names. */
const goSet = (set: PluginSet | undefined): unknown => {
  const list = (plugins: PluginSet["enabled"]): unknown => (plugins && plugins.length > 0 ? plugins.map((p) => ({ Name: p.name, Weight: p.weight ?? 0 })) : null);
  return { Enabled: list(set?.enabled), Disabled: list(set?.disabled) };
};

function commonQueueSort(profiles: readonly ProfileSpec[]): FieldError[] {
  const canon = profiles[0]?.plugins?.queueSort;
  const length = canon?.enabled?.length ?? 0;
  const errors = length > 1 ? [invalid("profiles[0].plugins.queueSort.Enabled", length, "only one queue sort plugin can be enabled")] : [];
  for (const [i, profile] of profiles.entries()) {
    const own = profile.plugins?.queueSort;
    if (i > 0 && !semanticEqual(goSet(canon), goSet(own))) errors.push(invalid(`profiles[${i}].plugins.queueSort`, goSet(own), "must be the same for all profiles"));
  }
  return errors;
}

function extenderErrors(extenders: readonly ExtenderSpec[]): FieldError[] {
  const errors: FieldError[] = [];
  const resources = new Set<string>();
  for (const [i, extender] of extenders.entries()) {
    const weight = extender.weight ?? 0;
    if (extender.prioritizeVerb && weight <= 0) errors.push(invalid(`extenders[${i}].weight`, weight, "must have a positive weight applied to it"));
    for (const [j, { name }] of (extender.managedResources ?? []).entries()) {
      const path = `extenders[${i}].managedResources[${j}].name`;
      const wrong = isQualifiedName(name).map((text) => invalid(path, name, text));
      if (wrong.length > 0) errors.push(...wrong);
      else if (!name.includes("/") || name.includes("kubernetes.io/") || name.startsWith("requests.")) errors.push(invalid(path, name, "is an invalid extended resource name"));
      if (resources.has(name)) errors.push(invalid(path, name, "duplicate extender managed resource name"));
      resources.add(name);
    }
  }
  const binders = extenders.filter((e) => e.bindVerb).length;
  if (binders > 1) errors.push(invalid("extenders", `found ${binders} extenders implementing bind`, "only one extender can implement bind"));
  return errors;
}

/** ValidateKubeSchedulerConfiguration: every error, in upstream's order. `spec` has its profiles and their names filled in. */
export function validateConfiguration(spec: ConfigurationSpec & { readonly profiles: readonly ProfileSpec[] }): FieldError[] {
  const errors: FieldError[] = [];
  const burst = spec.clientConnection?.burst ?? 0;
  if (burst < 0) errors.push(invalid("clientConnection.burst", burst, "must be non-negative"));
  errors.push(...leaderElection(spec.leaderElection ?? {}));
  if ((spec.parallelism ?? 1) <= 0) errors.push(invalid("parallelism", spec.parallelism, "should be an integer value greater than zero"));
  const names = new Set<string>();
  for (const [i, profile] of spec.profiles.entries()) {
    const path = `profiles[${i}]`;
    const name = profile.schedulerName ?? "";
    if (name === "") errors.push(required(`${path}.schedulerName`));
    errors.push(...percentage(`${path}.percentageOfNodesToScore`, profile.percentageOfNodesToScore), ...pluginErrors(path, profile, pluginArgs(profile)));
    // The value is a path, which has no form of its own in JSON.
    if (names.has(name)) errors.push(duplicate(`${path}.schedulerName`, {}));
    names.add(name);
  }
  errors.push(...commonQueueSort(spec.profiles), ...percentage("percentageOfNodesToScore", spec.percentageOfNodesToScore));
  const { podInitialBackoffSeconds: initial = 1, podMaxBackoffSeconds: max = 10 } = spec;
  if (initial <= 0) errors.push(invalid("podInitialBackoffSeconds", initial, "must be greater than 0"));
  if (max < initial) errors.push(invalid("podMaxBackoffSeconds", max, "must be greater than or equal to PodInitialBackoffSeconds"));
  return [...errors, ...extenderErrors(spec.extenders ?? [])];
}
