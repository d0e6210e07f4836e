/** Any stored object, as far as its summary looks at it. */
export interface Stored {
  readonly kind?: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string; readonly deletionTimestamp?: string };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** A few words on how an object stands, and whether that is as it should be. */
export type Summary = readonly [detail: string, ok: boolean];

const number = (value: unknown, otherwise = 0): number => (typeof value === "number" ? value : otherwise);
const of = (have: unknown, want: number): Summary => [`${number(have)}/${want}`, number(have) === want];
const list = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? (value as T[]) : []);

interface ConditionLike {
  readonly type: string;
  readonly status: string;
}

interface ContainerLike {
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: { readonly waiting?: { readonly reason?: string }; readonly terminated?: { readonly reason?: string; readonly exitCode?: number } };
}

const holds = (conditions: unknown, type: string): boolean => list<ConditionLike>(conditions).some((one) => one.type === type && one.status === "True");

function job({ spec, status }: Stored): Summary {
  const ended = ["Complete", "Failed", "Suspended"].find((type) => holds(status?.["conditions"], type));
  return ended === undefined ? [`${number(status?.["succeeded"])}/${number(spec?.["completions"], 1)}`, false] : [ended, ended === "Complete"];
}

function cronJob({ spec, status }: Stored): Summary {
  if (spec?.["suspend"] === true) return ["suspended", false];
  const active = list(status?.["active"]).length;
  return [active === 0 ? "waits" : `${active} active`, true];
}

interface Metric {
  readonly resource?: { readonly target?: { readonly averageUtilization?: number }; readonly current?: { readonly averageUtilization?: number } };
}

/** As kubectl's TARGETS: what is measured, and what is wanted; without a measurement how many replicas it wants. */
function autoscaler({ spec, status }: Stored): Summary {
  const target = list<Metric>(spec?.["metrics"])[0]?.resource?.target?.averageUtilization;
  const current = list<Metric | null>(status?.["currentMetrics"])[0]?.resource?.current?.averageUtilization;
  if (target !== undefined && current !== undefined) return [`${current}%/${target}%`, current <= target];
  return [`wants ${number(status?.["desiredReplicas"])}`, number(status?.["desiredReplicas"]) > 0];
}

/** kubectl's STATUS column, roughly. */
function pod({ metadata, status = {} }: Stored): Summary {
  const containers = [...list<ContainerLike>(status["initContainerStatuses"]), ...list<ContainerLike>(status["containerStatuses"])];
  const restarts = containers.reduce((sum, one) => sum + number(one.restartCount), 0);
  const bad = containers.map(({ state }) => state?.waiting?.reason ?? (state?.terminated && state.terminated.exitCode !== 0 ? state.terminated.reason : undefined)).find((reason) => reason !== undefined && reason !== "PodInitializing");
  const word = metadata.deletionTimestamp === undefined ? (bad ?? String(status["reason"] ?? status["phase"] ?? "Pending")) : "Terminating";
  const ready = holds(status["conditions"], "Ready");
  return [`${word}${ready ? ", ready" : ""}${restarts > 0 ? `, ${restarts} restart${restarts === 1 ? "" : "s"}` : ""}`, ready || word === "Succeeded"];
}

function node({ spec, status }: Stored): Summary {
  const ready = holds(status?.["conditions"], "Ready");
  const cordoned = spec?.["unschedulable"] === true;
  const pressure = ["MemoryPressure", "DiskPressure", "PIDPressure"].filter((type) => holds(status?.["conditions"], type));
  return [[ready ? "Ready" : "NotReady", ...(cordoned ? ["cordoned"] : []), ...pressure].join(", "), ready && !cordoned && pressure.length === 0];
}

/** How each kind is called in short, in the order in which they are told: what makes Pods first. Keys are etcd's. */
export const SUMMARIES: readonly (readonly [prefix: string, short: string, says: (object: Stored) => Summary | undefined])[] = [
  ["deployments", "deploy", ({ spec, status }) => of(status?.["readyReplicas"], number(spec?.["replicas"], 1))],
  ["replicasets", "rs", ({ spec, status }) => (spec?.["replicas"] === 0 ? undefined : of(status?.["readyReplicas"], number(spec?.["replicas"], 1)))],
  ["controllers", "rc", ({ spec, status }) => of(status?.["readyReplicas"], number(spec?.["replicas"], 1))],
  ["statefulsets", "sts", ({ spec, status }) => of(status?.["readyReplicas"], number(spec?.["replicas"], 1))],
  ["daemonsets", "ds", ({ status }) => of(status?.["numberReady"], number(status?.["desiredNumberScheduled"]))],
  ["cronjobs", "cj", cronJob],
  ["jobs", "job", job],
  ["horizontalpodautoscalers", "hpa", autoscaler],
  ["poddisruptionbudgets", "pdb", ({ status }) => [`allows ${number(status?.["disruptionsAllowed"])}`, number(status?.["disruptionsAllowed"]) > 0]],
  ["persistentvolumeclaims", "pvc", ({ status }) => [String(status?.["phase"] ?? ""), status?.["phase"] === "Bound"]],
];

/** The same for what is drawn elsewhere on the stage. */
const OTHERS: typeof SUMMARIES = [["pods", "pod", pod], ["minions", "node", node], ["services/specs", "svc", () => ["there", true]], ["namespaces", "ns", ({ status }) => [String(status?.["phase"] ?? "Active"), true]]];

const ALL = [...OTHERS, ...SUMMARIES];

/** "pod/web" and how it stands, for an etcd key; undefined for kinds that are not told. */
export function summaryOf(key: string, object: unknown): { readonly name: string; readonly text: string } | undefined {
  const found = ALL.find(([prefix]) => key.startsWith(`/registry/${prefix}/`));
  const says = found?.[2](object as Stored);
  if (!found || !says) return undefined;
  const { name = "", namespace = "default" } = (object as Stored).metadata;
  return { name: `${found[1]}/${namespace === "default" || found[1] === "node" ? "" : `${namespace}/`}${name}`, text: says[0] };
}
