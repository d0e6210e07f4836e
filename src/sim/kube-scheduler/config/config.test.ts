import { describe, expect, test } from "vitest";
import { DEFAULT_CONFIG_TEXT } from "./default-text.ts";
import { ConfigurationError, defaultConfig, defaultProfile, loadConfig } from "./load.ts";
import type { ExtensionPoint } from "./types.ts";

const HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
const withProfile = (yaml: string): string => `${HEAD}profiles:\n- ${yaml.trim().replaceAll("\n", "\n  ")}\n`;
const withArgs = (name: string, yaml: string): string => withProfile(`pluginConfig:\n- name: ${name}\n  args:\n    ${yaml.replaceAll("\n", "\n    ")}`);

function errorOf(text: string): string {
  try {
    loadConfig(text);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  return "";
}

const first = (text: string) => loadConfig(text).profiles[0] ?? defaultProfile;

describe("KubeSchedulerConfiguration", () => {
  test("the text shown to begin with changes nothing", () => {
    expect(loadConfig(DEFAULT_CONFIG_TEXT)).toEqual(defaultConfig);
    expect(loadConfig(HEAD)).toEqual(defaultConfig);
  });

  test("the default profile runs upstream's plugins in upstream's order", () => {
    expect(defaultProfile.plugins.filter).toEqual(["NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit", "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone", "PodTopologySpread", "InterPodAffinity", "DynamicResources", "NodeDeclaredFeatures"]);
    expect(defaultProfile.plugins.score).toEqual(["TaintToleration", "NodeAffinity", "NodeResourcesFit", "VolumeBinding", "PodTopologySpread", "InterPodAffinity", "DynamicResources", "NodeResourcesBalancedAllocation", "ImageLocality"]);
    expect(defaultProfile.plugins.preEnqueue).toEqual(["SchedulingGates", "DynamicResources", "DefaultPreemption"]);
    expect(defaultProfile.plugins.postFilter).toEqual(["DynamicResources", "DefaultPreemption"]);
    expect(defaultProfile.plugins.reserve).toEqual(["VolumeBinding", "DynamicResources"]);
    expect(defaultProfile.plugins.permit).toEqual([]);
    expect(defaultProfile.weights).toEqual({ TaintToleration: 3, NodeAffinity: 2, NodeResourcesFit: 1, VolumeBinding: 1, PodTopologySpread: 2, InterPodAffinity: 2, DynamicResources: 2, NodeResourcesBalancedAllocation: 1, ImageLocality: 1 });
  });

  test.each<readonly [string, string, ExtensionPoint, readonly string[]]>([
    ["one plugin off everywhere", "plugins:\n  multiPoint:\n    disabled:\n    - name: ImageLocality", "score", defaultProfile.plugins.score.filter((n) => n !== "ImageLocality")],
    ["one plugin off at one point", "plugins:\n  score:\n    disabled:\n    - name: NodeAffinity", "score", defaultProfile.plugins.score.filter((n) => n !== "NodeAffinity")],
    ["all off at one point, one on again", "plugins:\n  score:\n    disabled:\n    - name: '*'\n    enabled:\n    - name: ImageLocality\n      weight: 5", "score", ["ImageLocality"]],
    ["configured again at a point: comes first", "plugins:\n  filter:\n    enabled:\n    - name: NodeName", "filter", ["NodeName", ...defaultProfile.plugins.filter.filter((n) => n !== "NodeName")]],
    ["all of MultiPoint off", "plugins:\n  multiPoint:\n    disabled:\n    - name: '*'\n    enabled:\n    - name: PrioritySort\n    - name: DefaultBinder\n    - name: NodeResourcesFit", "filter", ["NodeResourcesFit"]],
    ["off at other points stays on here", "plugins:\n  score:\n    disabled:\n    - name: '*'", "filter", defaultProfile.plugins.filter],
  ])("%s", (_name, yaml, point, want) => expect(first(withProfile(yaml)).plugins[point]).toEqual(want));

  test("weights: the point's own first, then MultiPoint's, 0 counts as 1", () => {
    expect(first(withProfile("plugins:\n  score:\n    enabled:\n    - name: ImageLocality\n      weight: 7\n  multiPoint:\n    enabled:\n    - name: ImageLocality\n      weight: 9\n    - name: NodeAffinity")).weights).toMatchObject({ ImageLocality: 7, NodeAffinity: 1 });
  });

  test("arguments reach the plugins", () => {
    const { args } = first(withProfile(`percentageOfNodesToScore: 30
pluginConfig:
- name: NodeResourcesFit
  args: {scoringStrategy: {type: RequestedToCapacityRatio, resources: [{name: cpu}], requestedToCapacityRatio: {shape: [{utilization: 0}, {utilization: 100, score: 10}]}}}
- name: PodTopologySpread
  args: {defaultingType: List, defaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]}
- name: InterPodAffinity
  args: {hardPodAffinityWeight: 7}
- name: VolumeBinding
  args: {bindTimeoutSeconds: 5}`));
    expect(args.profilePercentageOfNodesToScore).toBe(30);
    expect(args.scoringStrategy).toEqual({ type: "RequestedToCapacityRatio", resources: [{ name: "cpu", weight: 1 }], shape: [{ utilization: 0, score: 0 }, { utilization: 100, score: 10 }] });
    expect(args.defaultConstraints).toHaveLength(1);
    expect(args).toMatchObject({ hardPodAffinityWeight: 7, bindTimeoutSeconds: 5 });
  });

  test("several profiles, each of its own name", () => {
    const { profiles } = loadConfig(`${HEAD}profiles:\n- schedulerName: default-scheduler\n- schedulerName: packing\n  plugins:\n    score:\n      disabled: [{name: '*'}]\n`);
    expect(profiles.map((p) => [p.schedulerName, p.plugins.score.length])).toEqual([["default-scheduler", 9], ["packing", 0]]);
  });
});

describe("what kube-scheduler refuses, in its words", () => {
  test.each([
    ["unknown field", `${HEAD}foo: 1`, 'strict decoding error: unknown field "foo"'],
    ["unknown fields of a profile", withProfile("name: a\nplugins:\n  scores: {}"), 'strict decoding error: unknown field "profiles[0].name", unknown field "profiles[0].plugins.scores"'],
    ["a key twice", `${HEAD}leaderElection:\n  leaderElect: true\n  leaderElect: true\n`, 'strict decoding error: yaml: unmarshal errors:\n  line 5: key "leaderElect" already set in map'],
    ["a key twice in a list, its value on the next line", `${HEAD}profiles:\n- plugins: {}\n  plugins:\n    score: {}\n`, 'strict decoding error: yaml: unmarshal errors:\n  line 6: key "plugins" already set in map'],
    ["a key twice in JSON", `{"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "parallelism": 1, "parallelism": 2}`, 'strict decoding error: duplicate field "parallelism"'],
    ["broken YAML", `${HEAD}profiles:\n- a: b: c\n`, "yaml: line 4: mapping values are not allowed in this context"],
    ["a tab", `${HEAD}profiles:\n\t- {}\n`, "yaml: line 4: found character that cannot start any token"],
    ["broken JSON", `{"kind": "KubeSchedulerConfiguration",}`, "couldn't get version/kind; json parse error: invalid character '}' looking for beginning of object key string"],
    ["a list", "- a\n", `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`],
    ["nothing at all", "", "Object 'Kind' is missing in ''"],
    ["another kind", "apiVersion: kubescheduler.config.k8s.io/v1\nkind: Pod\n", 'no kind "Pod" is registered for version "kubescheduler.config.k8s.io/v1" in scheme "pkg/scheduler/apis/config/scheme/scheme.go:29"'],
    ["wrong type", `${HEAD}parallelism: many`, "json: cannot unmarshal string into Go struct field KubeSchedulerConfiguration.parallelism of type int32"],
    ["another version", "apiVersion: kubescheduler.config.k8s.io/unknown\nkind: KubeSchedulerConfiguration", 'no kind "KubeSchedulerConfiguration" is registered for version "kubescheduler.config.k8s.io/unknown" in scheme "pkg/scheduler/apis/config/scheme/scheme.go:29"'],
    ["no version", "kind: KubeSchedulerConfiguration", "Object 'apiVersion' is missing in 'kind: KubeSchedulerConfiguration'"],
    ["arguments of another plugin", withArgs("DefaultPreemption", "apiVersion: kubescheduler.config.k8s.io/v1\nkind: InterPodAffinityArgs"), "decoding .profiles[0].pluginConfig[0]: args for plugin DefaultPreemption were not of type DefaultPreemptionArgs.kubescheduler.config.k8s.io, got InterPodAffinityArgs.kubescheduler.config.k8s.io"],
    ["strict arguments", withArgs("NodeResourcesFit", "scoringStrategy:\n  requestedToCapacityRatio:\n    shape:\n    - Score: 2\n      Utilization: 1"), 'strict decoding error: decoding .profiles[0].pluginConfig[0]: strict decoding error: decoding args for plugin NodeResourcesFit: strict decoding error: unknown field "scoringStrategy.requestedToCapacityRatio.shape[0].Score", unknown field "scoringStrategy.requestedToCapacityRatio.shape[0].Utilization"'],
    ["parallelism", `${HEAD}parallelism: 0`, "parallelism: Invalid value: 0: should be an integer value greater than zero"],
    ["percentage and back-off", `${HEAD}percentageOfNodesToScore: 101\npodInitialBackoffSeconds: 5\npodMaxBackoffSeconds: 2`, "[percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100], podMaxBackoffSeconds: Invalid value: 2: must be greater than or equal to PodInitialBackoffSeconds]"],
    ["two profiles without names", `${HEAD}profiles:\n- {}\n- schedulerName: a`, "profiles[0].schedulerName: Required value"],
    ["a removed plugin", withProfile("plugins:\n  score:\n    enabled:\n    - name: AzureDiskLimits"), 'profiles[0].plugins.score.enabled[0]: Invalid value: "AzureDiskLimits": was invalid in version "kubescheduler.config.k8s.io/v1" (KubeSchedulerConfiguration is version "kubescheduler.config.k8s.io/v1")'],
    ["weight of required affinity", withArgs("InterPodAffinity", "hardPodAffinityWeight: 101"), "profiles[0].pluginConfig[0].args.hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]"],
    ["default constraints with System", withArgs("PodTopologySpread", "defaultConstraints:\n- maxSkew: 0\n  topologyKey: zone\n  whenUnsatisfiable: Sometimes"), '[profiles[0].pluginConfig[0].args.defaultingType: Invalid value: "System": when .defaultConstraints are not empty, profiles[0].pluginConfig[0].args.defaultConstraints[0].maxSkew: Invalid value: 0: not in valid range (0, inf), profiles[0].pluginConfig[0].args.defaultConstraints[0].whenUnsatisfiable: Unsupported value: "Sometimes": supported values: "DoNotSchedule", "ScheduleAnyway"]'],
    ["candidates", withArgs("DefaultPreemption", "minCandidateNodesPercentage: 0\nminCandidateNodesAbsolute: 0"), "[profiles[0].pluginConfig[0].args.minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as minCandidateNodesAbsolute, profiles[0].pluginConfig[0].args.minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as minCandidateNodesPercentage]"],
    ["added affinity", withArgs("NodeAffinity", "addedAffinity:\n  requiredDuringSchedulingIgnoredDuringExecution:\n    nodeSelectorTerms:\n    - matchExpressions:\n      - key: disk\n        operator: Is"), 'profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported value: "Is": supported values: "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"'],
    ["a strategy: checked by the plugin itself", withArgs("NodeResourcesFit", "scoringStrategy:\n  type: Best"), 'initializing profiles: creating profile for scheduler name default-scheduler: initializing plugin "NodeResourcesFit": scoringStrategy.type: Unsupported value: "Best": supported values: "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"'],
    ["an unknown plugin", withProfile("plugins:\n  score:\n    enabled:\n    - name: Mine"), 'initializing profiles: creating profile for scheduler name default-scheduler: ScorePlugin "Mine" does not exist'],
    ["a plugin at a point it has no part in", withProfile("plugins:\n  filter:\n    enabled:\n    - name: ImageLocality"), 'initializing profiles: creating profile for scheduler name default-scheduler: plugin "ImageLocality" does not extend FilterPlugin plugin'],
    ["no bind plugin", withProfile("plugins:\n  bind:\n    disabled:\n    - name: '*'"), 'initializing profiles: creating profile for scheduler name default-scheduler: at least one bind plugin is needed for profile with scheduler name "default-scheduler"'],
    ["no queue sort plugin", withProfile("plugins:\n  multiPoint:\n    disabled:\n    - name: PrioritySort"), 'initializing profiles: creating profile for scheduler name default-scheduler: only one queue sort plugin required for profile with scheduler name "default-scheduler", but got 0'],
    ["leader election", `${HEAD}leaderElection:\n  renewDeadline: 20s\n  resourceLock: endpoints`, '[leaderElection.leaseDuration: Invalid value: "20s": must be greater than `RenewDeadline`, leaderElection.resourceLock: Invalid value: "endpoints": resourceLock value must be "leases"]'],
  ])("%s", (_name, text, want) => expect(errorOf(text)).toBe(want));
});
