// Models kubernetes/pkg/scheduler/apis/config/types.go
import type { SchedulerArgs } from "../args.ts";

/** Where plugins are called, in the order of a Pod's way through the scheduler. */
export const EXTENSION_POINTS = ["preEnqueue", "queueSort", "preFilter", "filter", "postFilter", "preScore", "score", "reserve", "permit", "preBind", "bind", "postBind"] as const;
export type ExtensionPoint = (typeof EXTENSION_POINTS)[number];

/**
 * One scheduler name with its plugins, after defaults and MultiPoint are worked out. Plain data: plugins are named, so
 * that a profile can stand in the scheduler's state.
 */
export interface Profile {
  readonly schedulerName: string;
  readonly args: SchedulerArgs;
  /** Names of the plugins at each point, in the order in which they run. */
  readonly plugins: Readonly<Record<ExtensionPoint, readonly string[]>>;
  /** What each score plugin's 0..100 is multiplied by. */
  readonly weights: Readonly<Record<string, number>>;
}

/** KubeSchedulerConfiguration as the running scheduler uses it. */
export interface SchedulerConfig {
  readonly parallelism: number;
  readonly podInitialBackoffSeconds: number;
  readonly podMaxBackoffSeconds: number;
  readonly profiles: readonly Profile[];
}

// The versioned form: what the user may write. Only the fields that something here reads.

export interface PluginRef {
  readonly name: string;
  readonly weight?: number;
}

export interface PluginSet {
  readonly enabled?: readonly PluginRef[];
  readonly disabled?: readonly PluginRef[];
}

export type PluginSets = Readonly<Partial<Record<ExtensionPoint | "multiPoint", PluginSet>>>;

export interface PluginConfig {
  readonly name: string;
  readonly args?: unknown;
}

export interface ProfileSpec {
  readonly schedulerName?: string;
  readonly percentageOfNodesToScore?: number;
  readonly plugins?: PluginSets;
  readonly pluginConfig?: readonly PluginConfig[];
}

export interface LeaderElectionSpec {
  readonly leaderElect?: boolean;
  readonly leaseDuration?: string;
  readonly renewDeadline?: string;
  readonly retryPeriod?: string;
  readonly resourceLock?: string;
}

export interface ExtenderSpec {
  readonly prioritizeVerb?: string;
  readonly weight?: number;
  readonly bindVerb?: string;
  readonly managedResources?: readonly { readonly name: string }[];
}

export interface ConfigurationSpec {
  readonly parallelism?: number;
  readonly leaderElection?: LeaderElectionSpec;
  readonly clientConnection?: { readonly burst?: number };
  readonly percentageOfNodesToScore?: number;
  readonly podInitialBackoffSeconds?: number;
  readonly podMaxBackoffSeconds?: number;
  readonly profiles?: readonly ProfileSpec[];
  readonly extenders?: readonly ExtenderSpec[];
}
