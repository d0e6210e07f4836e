// Models kubernetes/staging/src/k8s.io/client-go/tools/events/{event_broadcaster,event_recorder}.go
import { rfc3339Micro } from "../api/time.ts";
import type { KubeEvent, Pod } from "../api/types.ts";
import { apiRequest } from "../client-go/api-client.ts";
import { eventSuffix } from "../client-go/event-recorder.ts";
import type { Ctx, Micros } from "../kernel/types.ts";
import { truncateNote } from "./fit-error.ts";
import { namespaceOf, podKey } from "./node-info.ts";
import { client, schedulerNameOf } from "./scheduler-state.ts";

/** A written event, so that the same one again becomes a series instead of a second object. */
export interface EventSeries {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly count: number;
  readonly last: Micros;
}

export interface SchedulerEvent {
  readonly pod: Pod;
  readonly related?: Pod;
  readonly type: "Normal" | "Warning";
  readonly reason: "Scheduled" | "FailedScheduling" | "Preempted";
  readonly action: "Binding" | "Scheduling" | "Preempting";
  readonly note: string;
}

// A series ends when its event was not seen for six minutes.
const SERIES_FINISH: Micros = 360_000_000;
const MAX_SERIES = 256;

const eventsPath = (namespace: string): string => `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;

const reference = (pod: Pod) => ({ kind: "Pod", namespace: namespaceOf(pod), name: pod.metadata.name ?? "", uid: podKey(pod), apiVersion: "v1", ...(pod.metadata.resourceVersion === undefined ? {} : { resourceVersion: pod.metadata.resourceVersion }) });

function eventObject(ctx: Ctx, event: SchedulerEvent, name: string, note: string): KubeEvent {
  const controller = schedulerNameOf(event.related ?? event.pod);
  return {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name, namespace: namespaceOf(event.pod) },
    eventTime: rfc3339Micro(ctx.now),
    reportingController: controller,
    reportingInstance: `${controller}-kube-scheduler`,
    action: event.action,
    reason: event.reason,
    regarding: reference(event.pod),
    ...(event.related ? { related: reference(event.related) } : {}),
    note,
    type: event.type,
  };
}

/**
 * Writes an events.k8s.io/v1 Event; the answer is not waited for. The second of the same kind patches a series into the
 * first, later ones only count.
 */
// Simplified: upstream refreshes a running series every 30 minutes and writes its last count when it ends.
export function recordEvent(ctx: Ctx, known: readonly EventSeries[], event: SchedulerEvent): readonly EventSeries[] {
  const note = truncateNote(event.note);
  const key = `${podKey(event.pod)}|${event.type}|${event.reason}|${event.action}|${note}`;
  const namespace = namespaceOf(event.pod);
  const at = known.findIndex((s) => s.key === key && ctx.now - s.last <= SERIES_FINISH);
  const series = known[at];
  if (series) {
    const count = series.count + 1;
    const body = { series: { count, lastObservedTime: rfc3339Micro(ctx.now) } };
    const path = `${eventsPath(namespace)}/${series.name}`;
    if (count === 2) apiRequest(ctx, client, { method: "PATCH", path, contentType: "application/strategic-merge-patch+json", body, subject: `event/${namespace}/${series.name}` });
    return known.with(at, { ...series, count, last: ctx.now });
  }
  const name = `${event.pod.metadata.name ?? ""}.${eventSuffix(ctx, key)}`;
  apiRequest(ctx, client, { method: "POST", path: eventsPath(namespace), body: eventObject(ctx, event, name, note), subject: `event/${namespace}/${name}` });
  return [...known.slice(known.length >= MAX_SERIES ? 1 : 0), { key, namespace, name, count: 1, last: ctx.now }];
}
