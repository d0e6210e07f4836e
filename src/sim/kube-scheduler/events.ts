// Models kubernetes/staging/src/k8s.io/client-go/tools/events/{event_broadcaster,event_recorder}.go
import { MINUTE, type Micros, rfc3339Micro } from "../api/time.ts";
import type { KubeEvent, Pod } from "../api/types.ts";
import { apiRequest } from "../client-go/api-client.ts";
import { eventSuffix } from "../client-go/event-recorder.ts";
import type { Ctx, MailId } from "../kernel/types.ts";
import { truncateNote } from "./fit-error.ts";
import { namespaceOf, podKey } from "./node-info.ts";
import { client, schedulerNameOf } from "./scheduler-state.ts";

/** A written event, so that the same one again becomes a series instead of a second object. */
export interface EventSeries {
  readonly key: string;
  /** As it was written first. */
  readonly event: KubeEvent;
  readonly count: number;
  readonly last: Micros;
  /** The PATCH of the series that was sent last; -1 before. */
  readonly request: MailId;
}

export interface SchedulerEvent {
  readonly pod: Pod;
  readonly related?: Pod;
  readonly type: "Normal" | "Warning";
  readonly reason: "Scheduled" | "FailedScheduling" | "Preempted";
  readonly action: "Binding" | "Scheduling" | "Preempting";
  readonly note: string;
}

/** How often upstream looks for events that were not seen for as long: a series' last count is written then. */
export const SERIES_FINISH: Micros = 6 * MINUTE;
/** How often running series are written again, so that they outlive the API server's hour. */
const SERIES_REFRESH: Micros = 30 * MINUTE;
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

const create = (ctx: Ctx, event: KubeEvent): MailId => {
  const { namespace = "", name = "" } = event.metadata;
  return apiRequest(ctx, client, { method: "POST", path: eventsPath(namespace), body: event, subject: `event/${namespace}/${name}` });
};

const seriesOf = ({ count, last }: EventSeries) => ({ series: { count, lastObservedTime: rfc3339Micro(last) } });

function writeSeries(ctx: Ctx, known: EventSeries): EventSeries {
  const { namespace = "", name = "" } = known.event.metadata;
  const request = apiRequest(ctx, client, { method: "PATCH", path: `${eventsPath(namespace)}/${name}`, contentType: "application/strategic-merge-patch+json", body: seriesOf(known), subject: `event/${namespace}/${name}` });
  return { ...known, request };
}

/** getKey: what it is about, to the version of the object, but not what it says. */
const keyOf = ({ type, action, reason, reportingController, regarding, related }: KubeEvent): string =>
  [type, action, reason, reportingController, ...[regarding, related].flatMap((o) => [o?.namespace, o?.name, o?.uid, o?.resourceVersion])].join("|");

/**
 * Writes an events.k8s.io/v1 Event. The second of the same kind about the same version of an object patches a series into
 * the first, whatever it says; later ones only count.
 */
export function recordEvent(ctx: Ctx, known: readonly EventSeries[], event: SchedulerEvent): readonly EventSeries[] {
  const note = truncateNote(event.note);
  const name = `${event.pod.metadata.name ?? ""}.${eventSuffix(ctx, `${podKey(event.pod)}|${event.type}|${event.reason}|${event.action}|${note}`)}`;
  const object = eventObject(ctx, event, name, note);
  const key = keyOf(object);
  const at = known.findIndex((s) => s.key === key);
  const series = known[at];
  if (series) {
    const counted = { ...series, count: series.count + 1, last: ctx.now };
    return known.with(at, counted.count === 2 ? writeSeries(ctx, counted) : counted);
  }
  create(ctx, object);
  return [...known.slice(known.length >= MAX_SERIES ? 1 : 0), { key, event: object, count: 1, last: ctx.now, request: -1 }];
}

/** finishSeries and refreshExistingEventSeries: what was not seen for six minutes is forgotten, a series with its last count. */
export function tendSeries(ctx: Ctx, known: readonly EventSeries[]): readonly EventSeries[] {
  const kept: EventSeries[] = [];
  for (const one of known) {
    const over = one.last < ctx.now - SERIES_FINISH;
    const written = one.count > 1 && (over || ctx.now % SERIES_REFRESH === 0) ? writeSeries(ctx, one) : one;
    if (!over) kept.push(written);
  }
  return kept;
}

/** The event of a series may have been deleted meanwhile: then it is made anew, with its count. True if the answer was for one. */
export function onSeriesAnswer(ctx: Ctx, known: readonly EventSeries[], request: number, status: number): boolean {
  const series = known.find((s) => s.request === request);
  if (series && status === 404) create(ctx, { ...series.event, ...seriesOf(series) });
  return series !== undefined;
}
