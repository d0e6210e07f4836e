// Models kubernetes/staging/src/k8s.io/client-go/tools/record/{event,events_cache}.go
import type { KubeEvent, KubeObject } from "../api/types.ts";
import { rfc3339 } from "../api/time.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Ctx, MailId, Micros } from "../kernel/types.ts";
import { type ApiClient, apiRequest } from "./api-client.ts";

interface Seen {
  readonly name: string;
  readonly count: number;
  readonly first: Micros;
}

interface Similar {
  readonly messages: readonly string[];
  readonly last: Micros;
}

interface Bucket {
  readonly tokens: number;
  readonly at: Micros;
}

/** What a recorder remembers, so that a repeat raises a count instead of making a new object. */
export interface EventRecorder {
  readonly component: string;
  readonly host?: string;
  readonly seen: PMap<Seen>;
  readonly similar: PMap<Similar>;
  readonly spam: PMap<Bucket>;
}

export interface EventToRecord {
  readonly object: KubeObject;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** "spec.containers{nginx}" */
  readonly fieldPath?: string;
}

// Upstream defaults: from the 10th similar event in 600 s on they are folded; 25 events an object, then one each 300 s.
const MAX_SIMILAR = 10;
const SIMILAR_WINDOW: Micros = 600_000_000;
const SPAM_BURST = 25;
const SPAM_REFILL: Micros = 300_000_000;

export function newRecorder(component: string, host?: string): EventRecorder {
  return { component, seen: PMap.empty(), similar: PMap.empty(), spam: PMap.empty(), ...(host === undefined ? {} : { host }) };
}

function takeToken(recorder: EventRecorder, key: string, now: Micros): { allowed: boolean; bucket: Bucket } {
  const bucket = recorder.spam.get(key) ?? { tokens: SPAM_BURST, at: now };
  const refilled = Math.floor((now - bucket.at) / SPAM_REFILL);
  const tokens = Math.min(SPAM_BURST, bucket.tokens + refilled);
  const at = refilled > 0 ? bucket.at + refilled * SPAM_REFILL : bucket.at;
  return tokens > 0 ? { allowed: true, bucket: { tokens: tokens - 1, at } } : { allowed: false, bucket: { tokens, at } };
}

/** Sends a core/v1 Event (POST, or PATCH of the count for a repeat). Answers need no handling: events are best effort. `wall`: what the recorder's clock shows. */
export function recordEvent(ctx: Ctx, client: ApiClient, recorder: EventRecorder, event: EventToRecord, wall = ctx.now): { recorder: EventRecorder; request: MailId } {
  const { object } = event;
  // Some controllers name an object without its uid.
  const subject = object.metadata.uid ?? `${object.kind}/${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`;
  const spamKey = `${subject}/${event.type}`;
  const token = takeToken(recorder, spamKey, ctx.now);
  const spam = recorder.spam.set(spamKey, token.bucket);
  if (!token.allowed) return { recorder: { ...recorder, spam }, request: -1 };
  const aggregateKey = `${subject}|${event.fieldPath ?? ""}|${event.type}|${event.reason}`;
  const known = recorder.similar.get(aggregateKey);
  const fresh = known === undefined || ctx.now - known.last > SIMILAR_WINDOW;
  const messages = fresh ? [event.message] : known.messages.includes(event.message) ? known.messages : [...known.messages, event.message];
  const similar = recorder.similar.set(aggregateKey, { messages, last: ctx.now });
  const folded = messages.length >= MAX_SIMILAR;
  const message = folded ? `(combined from similar events): ${event.message}` : event.message;
  const key = folded ? `${aggregateKey}|*` : `${aggregateKey}|${event.message}`;
  const namespace = object.metadata.namespace ?? "default";
  const seen = recorder.seen.get(key);
  if (seen) {
    const next = { ...seen, count: seen.count + 1 };
    const request = apiRequest(ctx, client, {
      method: "PATCH",
      path: `/api/v1/namespaces/${namespace}/events/${seen.name}`,
      contentType: "application/strategic-merge-patch+json",
      body: { count: next.count, lastTimestamp: rfc3339(wall), message },
      subject: `event/${namespace}/${seen.name}`,
    });
    return { recorder: { ...recorder, similar, spam, seen: recorder.seen.set(key, next) }, request };
  }
  const name = `${object.metadata.name ?? ""}.${eventSuffix(ctx, key)}`;
  const body: KubeEvent = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name, namespace },
    involvedObject: {
      kind: object.kind,
      ...(object.metadata.namespace === undefined ? {} : { namespace: object.metadata.namespace }),
      ...(object.metadata.name === undefined ? {} : { name: object.metadata.name }),
      ...(object.metadata.uid === undefined ? {} : { uid: object.metadata.uid }),
      apiVersion: object.apiVersion,
      ...(object.metadata.resourceVersion === undefined ? {} : { resourceVersion: object.metadata.resourceVersion }),
      ...(event.fieldPath === undefined ? {} : { fieldPath: event.fieldPath }),
    },
    reason: event.reason,
    message,
    source: { component: recorder.component, ...(recorder.host === undefined ? {} : { host: recorder.host }) },
    firstTimestamp: rfc3339(wall),
    lastTimestamp: rfc3339(wall),
    count: 1,
    type: event.type,
    eventTime: null,
    reportingComponent: recorder.component,
    reportingInstance: recorder.host ?? "",
  };
  const request = apiRequest(ctx, client, { method: "POST", path: `/api/v1/namespaces/${namespace}/events`, body, subject: `event/${namespace}/${name}` });
  return { recorder: { ...recorder, similar, spam, seen: recorder.seen.set(key, { name, count: 1, first: ctx.now }) }, request };
}

/** Upstream names events after the nanosecond clock in hex; the low digits, which the simulation has not, are drawn. */
export function eventSuffix(ctx: Ctx, key: string): string {
  const micros = BigInt(ctx.now) + 1_767_225_600_000_000n;
  return (micros * 1000n + BigInt(ctx.rand(`event/${key}`, 0) % 1000)).toString(16);
}
