import type { Trace } from "../trace.ts";
import { causingHop, isForeground } from "./causing-hop.ts";

const SPAN_KIND_CLIENT = 3;
const STATUS_ERROR = 2;

const attribute = (key: string, value: string): unknown => ({ key, value: { stringValue: value } });
const hex = (value: number, width: number): string => value.toString(16).padStart(width, "0");
/** Microseconds to nanoseconds since 1970 as text: the number would not be exact. */
const nanos = (epochSeconds: number, at: number): string => String(BigInt(epochSeconds) * 1_000_000_000n + BigInt(at) * 1_000n);

/** OpenTelemetry's JSON encoding: a resource for each component, a span for each hop it sent, under the hop that caused it. `epochSeconds`: the run's time 0 in Unix seconds. */
export function otlp(trace: Trace, seed: number, epochSeconds: number): unknown {
  const traceId = hex(seed + 1, 32);
  const spans = new Map<string, unknown[]>();
  for (let id = 0; id < trace.mailCount; id++) {
    const hop = trace.hop(id);
    if (hop.kind !== "hop" || !isForeground(trace, id)) continue;
    let cause = causingHop(trace, id);
    while (cause !== null && !isForeground(trace, cause)) cause = causingHop(trace, cause);
    const list = spans.get(hop.from) ?? [];
    spans.set(hop.from, list);
    list.push({
      traceId,
      spanId: hex(id + 1, 16),
      ...(cause === null ? {} : { parentSpanId: hex(cause + 1, 16) }),
      name: hop.subject === "" ? hop.verb : `${hop.verb} ${hop.subject}`,
      kind: SPAN_KIND_CLIENT,
      startTimeUnixNano: nanos(epochSeconds, hop.sentAt),
      endTimeUnixNano: nanos(epochSeconds, hop.dueAt),
      attributes: [attribute("peer.service", hop.to), attribute("network.protocol.name", hop.protocol), ...(hop.status === 0 ? [] : [attribute("response.status", String(hop.status))])],
      status: hop.outcome === "lost" || hop.outcome === "refused" || hop.status >= 400 ? { code: STATUS_ERROR, message: hop.outcome } : {},
    });
  }
  return {
    resourceSpans: [...spans].map(([component, list]) => ({
      resource: { attributes: [attribute("service.name", component), attribute("host.name", trace.machines[trace.components.indexOf(component)] ?? "")] },
      scopeSpans: [{ scope: { name: "millipod" }, spans: list }],
    })),
  };
}
