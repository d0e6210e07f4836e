import { valueAt } from "./field-path.ts";
import { summaryOf } from "./object-summary.ts";
import type { TraceIndex } from "./trace-index.ts";

type Op = "=" | "!=" | ">=" | "<=";

/** A condition of the story at which to stop. */
export type Breakpoint =
  /** A Kubernetes Event with this reason is stored, about this object if one is named ("Pod/web"). */
  | { readonly kind: "event"; readonly reason: string; readonly about: string }
  /** An object ("pod/web", or all of a kind) comes to a state. */
  | { readonly kind: "object"; readonly object: string; readonly field: string; readonly op: Op; readonly value: string }
  | { readonly kind: "revision"; readonly revision: number }
  | { readonly kind: "http"; readonly status: number }
  | { readonly kind: "hop"; readonly from: string; readonly to: string; readonly verb: string }
  | { readonly kind: "says"; readonly component: string; readonly text: string };

/** When a condition begins to hold, and what was seen. Time in microseconds. */
export interface Hit {
  readonly at: number;
  readonly what: string;
}

export const BREAKPOINT_EXAMPLES: readonly string[] = ["event FailedScheduling", "pod restarts = 3", "pod/nginx Ready = False", "deployment/web spec.replicas >= 3", "revision 1100", "http 429", "kubelet -> kube-apiserver PATCH", "kube-scheduler says preempts"];

/** Reads a condition as typed. A sentence if it is none. */
export function parseBreakpoint(text: string): Breakpoint | string {
  const trimmed = text.trim();
  const event = /^event\s+(\w+)(?:\s+(?:on|about)\s+(\S+))?$/i.exec(trimmed);
  if (event) return { kind: "event", reason: event[1] ?? "", about: event[2] ?? "" };
  const counted = /^(revision|http)\s+(\d+)$/i.exec(trimmed);
  if (counted) return counted[1]?.toLowerCase() === "http" ? { kind: "http", status: Number(counted[2]) } : { kind: "revision", revision: Number(counted[2]) };
  const hop = /^(\S+)\s*->\s*(\S+)(?:\s+(\S+))?$/.exec(trimmed);
  if (hop) return { kind: "hop", from: hop[1] ?? "", to: hop[2] ?? "", verb: hop[3] ?? "" };
  const says = /^(?:(\S+)\s+)?says\s+(.+)$/i.exec(trimmed);
  if (says) return { kind: "says", component: says[1] ?? "", text: (says[2] ?? "").replace(/^"(.*)"$/, "$1") };
  const object = /^([a-z]+(?:\/\S+)?)\s+([^\s!<>=]+)\s*(!=|>=|<=|=)\s*(.*)$/.exec(trimmed);
  if (object) return { kind: "object", object: object[1] ?? "", field: object[2] ?? "", op: object[3] as Op, value: object[4] ?? "" };
  return `not understood: write it like ${BREAKPOINT_EXAMPLES.slice(0, 4).map((example) => `“${example}”`).join(", ")}`;
}

const PREFIXES: Readonly<Record<string, string>> = {
  node: "minions", service: "services/specs", svc: "services/specs", endpoints: "services/endpoints", po: "pods", deploy: "deployments", rs: "replicasets", sts: "statefulsets", ds: "daemonsets", cj: "cronjobs", hpa: "horizontalpodautoscalers", pdb: "poddisruptionbudgets", pvc: "persistentvolumeclaims", pv: "persistentvolumes", ingress: "ingress", networkpolicy: "networkpolicies", rc: "controllers", replicationcontroller: "controllers",
};

/** "pod/web" matches "/registry/pods/default/web"; a kind alone matches all of them. */
function isObject(key: string, object: string): boolean {
  const [kind = "", ...name] = object.split("/");
  const prefix = `/registry/${PREFIXES[kind] ?? `${kind}s`}/`;
  return key.startsWith(prefix) && (name.length === 0 || key === prefix + name.join("/") || key === `${prefix}default/${name.join("/")}`);
}

interface WithStatus {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount?: number }[];
    readonly initContainerStatuses?: readonly { readonly restartCount?: number }[];
  };
}

/** "restarts", "STATUS", a condition's type, or a path such as "spec.replicas" or "spec.containers[nginx].image". */
export function fieldValue(key: string, object: unknown, field: string): string | undefined {
  const { status } = object as WithStatus;
  if (/^restart(?:s|Count)$/.test(field)) return String([...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].reduce((sum, { restartCount = 0 }) => sum + restartCount, 0));
  if (field === "STATUS") return summaryOf(key, object)?.text;
  const condition = status?.conditions?.find(({ type }) => type === field);
  if (condition) return condition.status;
  const value = valueAt(object, field);
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function holds(value: string | undefined, op: Op, wanted: string): boolean {
  if (op === "=") return value === wanted;
  if (value === undefined) return false;
  if (op === "!=") return value !== wanted;
  return op === ">=" ? Number(value) >= Number(wanted) : Number(value) <= Number(wanted);
}

function objectHits(index: TraceIndex, { object, field, op, value }: Extract<Breakpoint, { kind: "object" }>): Hit[] {
  const before = new Map<string, boolean>();
  const { trace } = index;
  const hits: Hit[] = [];
  trace.revisions.forEach((revision, i) => {
    if (!isObject(revision.key, object)) return;
    const now = revision.object !== undefined && holds(fieldValue(revision.key, revision.object, field), op, value);
    const at = trace.notes.at.get(trace.revisionNotes[i] ?? -1);
    if (!before.has(revision.key)) before.set(revision.key, holds(fieldValue(revision.key, index.versionsOf(revision.key)[0]?.revision.object ?? {}, field), op, value) && index.versionsOf(revision.key)[0]?.note === -1);
    if (now && before.get(revision.key) !== true) hits.push({ at, what: `${revision.key.split("/").at(-1) ?? ""}: ${field} is ${fieldValue(revision.key, revision.object, field) ?? "not there"}` });
    before.set(revision.key, now);
  });
  return hits;
}

interface EventLike {
  readonly reason?: string;
  readonly message?: string;
  readonly note?: string;
  readonly involvedObject?: { readonly kind?: string; readonly name?: string };
  readonly regarding?: { readonly kind?: string; readonly name?: string };
}

function eventHits(index: TraceIndex, { reason, about }: Extract<Breakpoint, { kind: "event" }>): Hit[] {
  const { trace } = index;
  return trace.revisions.flatMap(({ key, object }, i): Hit[] => {
    if (!key.startsWith("/registry/events/") || object === undefined) return [];
    const event = object as EventLike;
    const of = event.involvedObject ?? event.regarding ?? {};
    const named = about === "" || about.toLowerCase() === `${of.kind ?? ""}/${of.name ?? ""}`.toLowerCase() || about === of.name;
    return event.reason === reason && named ? [{ at: trace.notes.at.get(trace.revisionNotes[i] ?? -1), what: `${reason}: ${event.message ?? event.note ?? ""}` }] : [];
  });
}

/** "kubelet" stands for the kubelet of any node. */
const isComponent = (id: string, name: string): boolean => name === "*" || id === name || id.startsWith(`${name}@`) || (name === "etcd" && id.startsWith("etcd-"));

function hopHits(index: TraceIndex, bp: Extract<Breakpoint, { kind: "hop" | "http" }>): Hit[] {
  const { trace } = index;
  const { mail } = trace;
  const hits: Hit[] = [];
  const matching = (name: string): ReadonlySet<number> => new Set(trace.components.flatMap((id, i) => (isComponent(id, name) ? [i] : [])));
  const from = bp.kind === "hop" ? matching(bp.from) : undefined;
  const to = bp.kind === "hop" ? matching(bp.to) : undefined;
  for (let id = 0; id < trace.mailCount; id++) {
    if (mail.kind.get(id) !== 0) continue;
    if (bp.kind === "http" ? mail.status.get(id) !== bp.status : !from?.has(mail.from.get(id)) || !to?.has(mail.to.get(id))) continue;
    const hop = trace.hop(id);
    if (bp.kind === "http" && hop.protocol !== "HTTPS") continue;
    if (bp.kind === "hop" && bp.verb !== "" && hop.verb.toLowerCase() !== bp.verb.toLowerCase()) continue;
    hits.push({ at: bp.kind === "http" ? hop.dueAt : hop.sentAt, what: `${hop.from} to ${hop.to}: ${hop.verb}${bp.kind === "http" ? `, ${bp.status}` : ""}` });
  }
  return hits.sort((a, b) => a.at - b.at);
}

function saysHits(index: TraceIndex, { component, text }: Extract<Breakpoint, { kind: "says" }>): Hit[] {
  const wanted = text.toLowerCase();
  return [...index.steps("source")].flatMap((id): Hit[] => {
    const note = index.trace.note(id);
    return (component === "" || isComponent(note.component, component)) && note.text.toLowerCase().includes(wanted) ? [{ at: note.at, what: note.text }] : [];
  });
}

/** Every time at which the condition begins to hold in a run, in order. */
export function hitsOf(index: TraceIndex, breakpoint: Breakpoint): Hit[] {
  switch (breakpoint.kind) {
    case "event": return eventHits(index, breakpoint);
    case "object": return objectHits(index, breakpoint);
    case "revision": return index.trace.revisions.flatMap(({ revision, key, verb }, i): Hit[] => (revision === breakpoint.revision ? [{ at: index.trace.notes.at.get(index.trace.revisionNotes[i] ?? -1), what: `revision ${revision}: ${verb} ${key}` }] : []));
    case "http": case "hop": return hopHits(index, breakpoint);
    case "says": return saysHits(index, breakpoint);
  }
}
