// Models GetFirstPod, GetPodList and SelectorsForObject of kubernetes/staging/src/k8s.io/kubectl/pkg/polymorphichelpers/helpers.go and the orders of pkg/util/podutils/podutils.go
import { labelSelectorAsSelector, selectorText } from "../api/labels.ts";
import { parseRfc3339 } from "../api/time.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import type { Micros } from "../kernel/types.ts";
import { listAll } from "./paging.ts";
import type { Process } from "./process.ts";

interface Read {
  readonly assigned: boolean;
  readonly phase: number;
  readonly ready: number | undefined;
  readonly restarts: number;
  readonly sidecarRestarts: number;
  readonly created: number;
  readonly deleting: boolean;
}

const PHASES: Readonly<Record<string, number>> = { Unknown: 1, Pending: 2 };
const timeOf = (text: string | null | undefined): number => (text ? parseRfc3339(text) : Number.POSITIVE_INFINITY);

function read({ metadata, spec, status }: Pod): Read {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  const sidecars = new Set((spec.initContainers ?? []).filter((one) => (one as { readonly restartPolicy?: string }).restartPolicy === "Always").map(({ name }) => name));
  const most = (all: readonly { readonly restartCount: number }[]): number => all.reduce((max, one) => Math.max(max, one.restartCount), 0);
  return {
    assigned: (spec.nodeName ?? "") !== "", phase: PHASES[status?.phase ?? ""] ?? 0, ready: ready?.status === "True" ? timeOf(ready.lastTransitionTime) : undefined,
    restarts: most(status?.containerStatuses ?? []), sidecarRestarts: most((status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name))), created: timeOf(metadata.creationTimestamp), deleting: metadata.deletionTimestamp !== undefined,
  };
}

/** The best Pod first: assigned, running, ready, ready for long, often or rarely restarted, old. */
const order = (leaving: boolean) => (a: Pod, b: Pod): number => {
  const [x, y] = [read(a), read(b)];
  const ready = Number(y.ready !== undefined) - Number(x.ready !== undefined);
  const first = Number(y.assigned) - Number(x.assigned) || x.phase - y.phase || ready || (leaving ? Number(x.deleting) - Number(y.deleting) : 0);
  if (first !== 0) return first;
  if (x.ready !== undefined && y.ready !== undefined && x.ready !== y.ready) return x.ready - y.ready;
  // What logs wants to see is what restarts most, what one wants to enter is what restarts least.
  const restarts = y.restarts - x.restarts || y.sidecarRestarts - x.sidecarRestarts;
  return (leaving ? -restarts : restarts) || (x.created === y.created ? 0 : x.created - y.created);
};
/** ByLogging. */
export const forLogs = order(false);
/** ActivePods, reversed. */
export const forStreams = order(true);

/** The label selector by which an object finds its Pods; undefined when it has none. */
export function podSelectorOf({ kind, spec }: KubeObject): string | undefined {
  const { selector, jobTemplate } = (spec ?? {}) as { readonly selector?: Readonly<Record<string, unknown>>; readonly jobTemplate?: unknown };
  if (selector === undefined || jobTemplate !== undefined || Object.keys(selector).length === 0) return undefined;
  const plain = kind === "Service" || kind === "ReplicationController";
  const parsed = labelSelectorAsSelector(plain ? { matchLabels: selector as Readonly<Record<string, string>> } : selector);
  return typeof parsed === "string" ? undefined : selectorText(parsed);
}

/** The Pods that a selector finds, best first; without any it is waited for one, at most `timeout`. */
export function podsBySelector(p: Process, labelSelector: string, timeout: Micros, by: (a: Pod, b: Pod) => number): readonly Pod[] {
  const path = `/api/v1/namespaces/${p.namespace}/pods`;
  const { items, resourceVersion } = listAll(p, { path, query: { labelSelector }, subject: "list pods" });
  if (items.length > 0) return [...(items as readonly Pod[])].sort(by);
  p.watch({ method: "GET", path, query: { labelSelector, resourceVersion, watch: "true" }, subject: "watch pods" });
  p.alarm(timeout);
  for (;;) {
    const event = p.next();
    if (event === "timeout" || event === "closed") return p.fail("error: timed out waiting for the condition");
    if (event !== "tick" && (event.type === "ADDED" || event.type === "MODIFIED")) return [event.object as Pod];
  }
}
