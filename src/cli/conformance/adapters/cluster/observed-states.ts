import type { Condition, ContainerState, ContainerStatus, KubeObject, Node, Pod } from "../../../../sim/api/types.ts";
import { podSummary } from "../../../../sim/kube-apiserver/printers/pods.ts";
import type { Trace } from "../../../../trace/trace.ts";
import type { Normalize } from "./recorded-text.ts";
import type { Phase } from "./same-states.ts";

/** What the recorder kept of each kind of object, by object: what it was from when on. */
export type States = ReadonlyMap<string, readonly Phase[]>;

/** One row of the recording: of whom, when, and the rest as the recorder wrote it. */
export interface RecordedRow {
  readonly atMs: number;
  readonly pod?: string;
  readonly service?: string;
  readonly node?: string;
  readonly type?: string;
  readonly [field: string]: unknown;
}

const add = (states: Map<string, Phase[]>, who: string, phase: Phase): void => {
  states.set(who, [...(states.get(who) ?? []), phase]);
};

/** Fields that were kept for reading only, or that another row tells. */
const LEFT_OUT = new Set(["atMs", "type", "pod", "service", "node", "nodeName", "podIP", "finalizers", "age"]);

function text(row: Readonly<Record<string, unknown>>, name: Normalize): string {
  return name(JSON.stringify(row, (key, value: unknown) => (LEFT_OUT.has(key) && typeof value !== "object" ? undefined : value)));
}

export function recordedStates(rows: readonly RecordedRow[], name: Normalize): States {
  const states = new Map<string, Phase[]>();
  for (const row of rows) {
    const { atMs, pod, service, node, type, nodeName: _, podIP: __, finalizers: ___, ...rest } = row;
    add(states, name(pod ?? service ?? node ?? "job"), { at: atMs, text: type === "DELETED" ? "gone" : text(rest, name) });
  }
  return states;
}

interface StatusRow {
  readonly atMs: number;
  readonly pod: string;
  readonly status: string;
  readonly ready: string | null;
  readonly restarts: string | null;
}

const column = (status: string, ready: string | null, restarts: string | null): string => (status === "<gone>" ? "gone" : `${status} ${ready} ${(restarts ?? "").replace(/ \(.*$/, "")}`);

export function recordedColumns(rows: readonly StatusRow[], name: Normalize): States {
  const states = new Map<string, Phase[]>();
  for (const { atMs, pod, status, ready, restarts } of rows) add(states, name(pod), { at: atMs, text: column(status, ready, restarts) });
  return states;
}

const labelOf = ({ status, reason }: Condition): string => (reason === undefined || reason === "" ? status : `${status}:${reason}`);

function stateOf(state: ContainerState | undefined): Record<string, unknown> {
  if (state?.running) return { state: "running" };
  const [kind, of] = state?.terminated ? (["terminated", state.terminated] as const) : (["waiting", state?.waiting] as const);
  return { state: kind, ...(of?.reason ? { reason: of.reason } : {}), ...(of?.message ? { message: of.message } : {}), ...(state?.terminated ? { exitCode: state.terminated.exitCode } : {}) };
}

function containersOf(pod: Pod): Record<string, unknown> {
  const groups = [["init", pod.status?.initContainerStatuses], ["main", pod.status?.containerStatuses], ["ephemeral", pod.status?.ephemeralContainerStatuses]] as const;
  const one = (kind: string, status: ContainerStatus): unknown => {
    const { terminated } = status.lastState ?? {};
    return { kind, ...stateOf(status.state), ready: status.ready, restartCount: status.restartCount, ...(status.started === undefined ? {} : { started: status.started }), ...(terminated ? { last: { state: "terminated", reason: terminated.reason, exitCode: terminated.exitCode } } : {}) };
  };
  return Object.fromEntries(groups.flatMap(([kind, statuses = []]) => statuses.map((status) => [status.name, one(kind, status)] as const)));
}

/** A Pod in the recorder's words. */
export function podRow(pod: Pod): Record<string, unknown> {
  const { metadata, status = {} } = pod;
  const conditions = status.conditions ?? [];
  const messages = conditions.filter(({ message }) => message);
  return {
    phase: status.phase, ...(status.reason ? { reason: status.reason } : {}), ...(status.message ? { message: status.message } : {}),
    ...(metadata.deletionTimestamp === undefined ? {} : { deleting: true, deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds }),
    conditions: Object.fromEntries(conditions.map((condition) => [condition.type, labelOf(condition)])),
    ...(messages.length === 0 ? {} : { conditionMessages: Object.fromEntries(messages.map(({ type, message }) => [type, message])) }),
    containers: containersOf(pod), qosClass: status.qosClass,
  };
}

function nodeRow({ spec, status }: Node): Record<string, unknown> {
  const conditions = status?.conditions ?? [];
  return {
    conditions: Object.fromEntries(conditions.map((condition) => [condition.type, labelOf(condition)])),
    readyMessage: conditions.find(({ type }) => type === "Ready")?.message,
    taints: (spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`),
  };
}

function jobRow(job: KubeObject): Record<string, unknown> {
  const { status = {} } = job as KubeObject & { status?: Record<string, unknown> };
  const counts = Object.fromEntries(["active", "ready", "succeeded", "failed", "terminating"].map((field) => [field, status[field] ?? null]));
  return { ...counts, conditions: ((status["conditions"] ?? []) as readonly Condition[]).map((condition) => `${condition.type}=${labelOf(condition)}`) };
}

function sliceRow(slice: KubeObject): Record<string, unknown> {
  const { endpoints = [] } = slice as unknown as { endpoints?: readonly { conditions?: Record<string, boolean>; targetRef?: { name?: string } }[] };
  return { endpoints: (endpoints ?? []).map(({ conditions = {}, targetRef }) => ({ pod: targetRef?.name, ready: conditions["ready"], serving: conditions["serving"], terminating: conditions["terminating"] })) };
}

const KINDS = {
  pods: { prefix: "/registry/pods/default/", row: (object: KubeObject) => podRow(object as Pod), who: (object: KubeObject | undefined, key: string) => object?.metadata.name ?? key },
  nodes: { prefix: "/registry/minions/", row: (object: KubeObject) => nodeRow(object as Node), who: (object: KubeObject | undefined, key: string) => object?.metadata.name ?? key },
  jobs: { prefix: "/registry/jobs/default/", row: jobRow, who: () => "job" },
  slices: { prefix: "/registry/endpointslices/default/", row: sliceRow, who: (object: KubeObject | undefined, key: string) => object?.metadata.labels?.["kubernetes.io/service-name"] ?? key },
} as const;

/** The same of a run. `from`: the run's millisecond that is the recording's 0. */
export function simulatedStates(trace: Trace, kind: keyof typeof KINDS, name: Normalize, from: number): States {
  const { prefix, row, who } = KINDS[kind];
  const states = new Map<string, Phase[]>();
  eachWrite(trace, prefix, from, (at, object, key) => add(states, name(who(object, key)), { at, text: object === undefined ? "gone" : text(row(object), name) }));
  return states;
}

/** What `kubectl get pods` would have shown after each write of a Pod. */
export function simulatedColumns(trace: Trace, name: Normalize, from: number): States {
  const states = new Map<string, Phase[]>();
  eachWrite(trace, KINDS.pods.prefix, from, (at, object, key) => {
    const { status, ready, restarts } = object === undefined ? { status: "<gone>", ready: null, restarts: null } : podSummary(object as Pod, (at + from) * 1_000);
    add(states, name(key), { at, text: column(status, ready, restarts) });
  });
  return states;
}

function eachWrite(trace: Trace, prefix: string, from: number, visit: (at: number, object: KubeObject | undefined, key: string) => void): void {
  trace.revisions.forEach((revision, i) => {
    if (!revision.key.startsWith(prefix)) return;
    visit(trace.notes.at.get(trace.revisionNotes[i] ?? 0) / 1_000 - from, revision.object as KubeObject | undefined, revision.key.slice(prefix.length));
  });
}
