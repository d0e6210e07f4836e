import type { MailId } from "./model.ts";
import type { HopView } from "./trace.ts";
import type { TraceIndex } from "./trace-index.ts";

/** What the time on the way was spent for. */
export const BUDGETS = ["kubectl", "wire", "api", "etcd", "watch", "webhook", "scheduler", "controllers", "kubelet", "volumes", "network", "runtime", "pull", "application", "probes", "backoff", "user"] as const;
export type Budget = (typeof BUDGETS)[number];

/** One link of the chain of causes, from when it was sent (or its timer set) to when it was handled. Times in microseconds. */
export interface Segment {
  readonly mail: MailId;
  readonly from: number;
  readonly to: number;
  readonly budget: Budget;
}

/** What a Pod came to: when its object first said so, and the message that brought it. */
export interface Goal {
  readonly kind: "Ready" | "failed" | "waiting";
  /** "CrashLoopBackOff", "Unschedulable", ...; "" for Ready. */
  readonly reason: string;
  readonly at: number;
  readonly mail: MailId;
}

interface PodLike {
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
    readonly containerStatuses?: readonly ContainerLike[];
    readonly initContainerStatuses?: readonly ContainerLike[];
  };
}

interface ContainerLike {
  readonly state?: { readonly waiting?: { readonly reason?: string }; readonly terminated?: { readonly reason?: string; readonly exitCode?: number } };
}

const ON_THE_WAY = /^(?:|ContainerCreating|PodInitializing)$/;

function failureOf({ status = {} }: PodLike): string | undefined {
  if (status.phase === "Failed") return status.reason ?? "Failed";
  const scheduled = status.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status === "False") return scheduled.reason ?? "Unschedulable";
  for (const { state } of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
    const waiting = state?.waiting?.reason ?? "";
    if (!ON_THE_WAY.test(waiting)) return waiting;
    if (state?.terminated && state.terminated.exitCode !== 0) return state.terminated.reason ?? "Error";
  }
  return undefined;
}

const isReady = ({ status }: PodLike): boolean => status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false;

const mailOf = (index: TraceIndex, note: number): MailId => {
  const event = index.trace.notes.event.get(note);
  return event < 0 ? -1 : index.trace.events.mail.get(event);
};

/** What became of a Pod of this run (etcd key): Ready, unless it was that and is not any more; its first failure; or how far it came. Undefined if the run did not make it. */
export function goalOf(index: TraceIndex, key: string): Goal | undefined {
  const versions = index.versionsOf(key).filter(({ note, revision }) => note >= 0 && revision.object !== undefined);
  const goal = (kind: Goal["kind"], version: (typeof versions)[number], reason: string): Goal => ({ kind, reason, at: version.at, mail: mailOf(index, version.note) });
  const ready = versions.find(({ revision }) => isReady(revision.object as PodLike));
  const last = versions.at(-1);
  const stays = last !== undefined && failureOf(last.revision.object as PodLike) === undefined;
  if (ready && stays) return goal("Ready", ready, "");
  for (const version of versions) {
    const reason = failureOf(version.revision.object as PodLike);
    if (reason !== undefined) return goal("failed", version, reason);
  }
  return last && goal("waiting", last, (last.revision.object as PodLike).status?.phase ?? "Pending");
}

/** Keys of the Pods that a run made, in the order in which they came. */
export const podsMade = (index: TraceIndex): string[] => index.trace.revisions.filter(({ key, verb }) => verb === "create" && key.startsWith("/registry/pods/")).map(({ key }) => key);

const kindOf = (component: string): string => component.replace(/@.*/, "");
const BY_COMPONENT: Readonly<Record<string, Budget>> = { kubectl: "kubectl", "kube-apiserver": "api", webhook: "webhook", "kube-scheduler": "scheduler", kubelet: "kubelet", containerd: "runtime", cni: "network", process: "application", registry: "pull", csi: "volumes", "csi-controller": "volumes", "kube-proxy": "network", netfilter: "network", coredns: "network", users: "user", world: "user" };

function ofTimer({ from, verb }: HopView): Budget {
  const kind = kindOf(from);
  if (/^(?:kubelet\.requeue|scheduler\.flush-backoff|controller\.add)$/.test(verb)) return "backoff";
  if (/^kubelet\.(?:volume|claim|reconcile)$/.test(verb)) return "volumes";
  if (verb === "kubelet.probe") return "probes";
  return BY_COMPONENT[kind] ?? (kind.startsWith("etcd") ? "etcd" : kind.startsWith("external-") ? "volumes" : "controllers");
}

/** What a link's time counts for: whoever works or waits meanwhile. */
export function budgetOf(hop: HopView): Budget {
  if (hop.kind === "input" || hop.from === "world") return "user";
  if (hop.kind === "timer" || hop.from === hop.to) return ofTimer(hop);
  const ends = [kindOf(hop.from), kindOf(hop.to)];
  const either = (test: (kind: string) => boolean): boolean => ends.some(test);
  if (either((kind) => kind.startsWith("etcd"))) return "etcd";
  if (either((kind) => kind === "registry")) return "pull";
  if (either((kind) => kind === "cni")) return "network";
  if (either((kind) => kind.startsWith("csi") || kind.startsWith("external-"))) return "volumes";
  if (either((kind) => kind === "webhook")) return "webhook";
  if (hop.protocol === "watch") return "watch";
  if (either((kind) => kind === "process")) return either((kind) => kind === "kubelet") ? "probes" : "application";
  if (either((kind) => kind === "containerd")) return "runtime";
  return "wire";
}

/**
 * The chain of causes that ends with the handling of `mail`, first link first: each begins when the one before it was
 * handled, so that together they are the whole time from the user's action on.
 */
export function criticalPath(index: TraceIndex, mail: MailId): Segment[] {
  const chain = index.causesOf(mail).reverse();
  const segments: Segment[] = [];
  let from = chain[0] === undefined ? 0 : index.trace.mail.sentAt.get(chain[0]);
  for (const id of chain) {
    const hop = index.trace.hop(id);
    const event = index.trace.mail.event.get(id);
    const to = event >= 0 ? index.trace.events.at.get(event) : hop.dueAt;
    segments.push({ mail: id, from, to, budget: budgetOf(hop) });
    from = to;
  }
  return segments;
}

/** Links that follow one another and count for the same. */
export interface Stretch {
  readonly budget: Budget;
  readonly from: number;
  readonly to: number;
  readonly segments: readonly Segment[];
}

export function stretches(path: readonly Segment[]): Stretch[] {
  const list: Stretch[] = [];
  for (const segment of path) {
    const last = list.at(-1);
    if (last?.budget === segment.budget) list[list.length - 1] = { ...last, to: segment.to, segments: [...last.segments, segment] };
    else list.push({ budget: segment.budget, from: segment.from, to: segment.to, segments: [segment] });
  }
  return list;
}

/** Microseconds by what they were spent for, most first. */
export function budgets(path: readonly Segment[]): (readonly [Budget, number])[] {
  const sums = new Map<Budget, number>();
  for (const { budget, from, to } of path) sums.set(budget, (sums.get(budget) ?? 0) + to - from);
  return [...sums].filter(([, micros]) => micros > 0).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
