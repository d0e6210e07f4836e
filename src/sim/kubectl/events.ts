// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/events
import { humanDuration } from "../api/duration.ts";
import { findResource } from "../api/schema/resources.ts";
import { formatTable } from "../api/tabwriter.ts";
import { parseRfc3339 } from "../api/time.ts";
import type { KubeEvent, KubeObject } from "../api/types.ts";
import type { ApiCall } from "../client-go/api-client.ts";
import { typeOf } from "./builder.ts";
import { pathOf } from "./manifest.ts";
import { listAll } from "./paging.ts";
import { PRINT_FORMATS, type Printer, printerFor, unmatched } from "./printers.ts";
import { command, type Process } from "./process.ts";
import { align } from "./tabwriter.ts";
import { stripManaged } from "./yaml.ts";

type Event = KubeEvent & { readonly series?: { readonly count?: number; readonly lastObservedTime?: string } };

/** "20s (x6 over 4m40s)": an event's series, its count, or its one time. */
export function lastSeen(event: Event, now: number): string {
  const ago = (timestamp: string | null | undefined): string => (timestamp ? humanDuration(now - parseRfc3339(timestamp)) : "<unknown>");
  const { series } = event;
  if (series) return `${ago(series.lastObservedTime)} (x${series.count ?? 0} over ${ago(event.eventTime)})`;
  if ((event.count ?? 1) > 1) return `${ago(event.lastTimestamp)} (x${event.count ?? 1} over ${ago(event.firstTimestamp)})`;
  return ago(event.firstTimestamp ?? event.eventTime);
}

/** When an event was last seen, as RFC 3339 text. */
const seenAt = (event: Event): string => event.series?.lastObservedTime || event.lastTimestamp || event.eventTime || event.firstTimestamp || "";

/** --for=TYPE/NAME as a field selector. */
function selectorOf(p: Process): string {
  const text = p.flag("for");
  if (text === "") return "";
  const [type = "", name = "", more] = text.split("/");
  if (!text.includes("/")) return p.fail("error: --for must be in resource/name form");
  if (more !== undefined) return p.fail("error: arguments in resource/name form may not have more than one slash");
  const api = typeOf(type, p.types);
  if (api === undefined) return p.fail(`error: the server doesn't have a resource type ${JSON.stringify(type)}`);
  return `involvedObject.kind=${api.kind},involvedObject.apiVersion=${api.apiVersion},involvedObject.name=${name}`;
}

const headsOf = (p: Process): readonly string[] => [...(p.options.allNamespaces ? ["NAMESPACE"] : []), "LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"];
const rowOf = (p: Process, event: Event): readonly string[] => [...(p.options.allNamespaces ? [event.metadata.namespace ?? ""] : []), lastSeen(event, p.now), event.type ?? "", event.reason ?? "", `${event.involvedObject?.kind ?? ""}/${event.involvedObject?.name ?? ""}`, (event.message ?? "").trim()];

/** -w: every event from the first one that is stored, until Ctrl+C. */
function follow(p: Process, { path, query }: Pick<ApiCall, "path" | "query">, wanted: (event: Event) => boolean, printer: Printer | undefined): void {
  p.watch({ method: "GET", path, query: { ...query, limit: "500", watch: "true" }, subject: "watch events" });
  const widths: number[] = [];
  for (let nth = 0; ; ) {
    const arrival = p.next();
    if (arrival === "closed" || arrival === "timeout") return;
    if (arrival === "tick" || arrival.type === "DELETED" || arrival.type === "BOOKMARK" || !wanted(arrival.object as unknown as Event)) continue;
    const event = arrival.object as unknown as Event;
    const text = printer === undefined ? formatTable(headsOf(p).map((name) => ({ name, priority: 0 })), [rowOf(p, event)], false, nth === 0 && !p.options.noHeaders, widths) : printer(stripManaged(event) as KubeObject, nth);
    nth++;
    if (typeof text !== "string") return p.fail(text.error);
    p.printRaw(text);
  }
}

/** kubectl events */
export const listEvents = command(["events"], (p) => {
  const events = findResource("events");
  const types = p.flags("types");
  if (types.some((type) => !["normal", "warning"].includes(type.toLowerCase()))) return p.fail("error: valid --types are Normal or Warning");
  const { output, allNamespaces, noHeaders } = p.options;
  const printer = output === "" ? undefined : printerFor(p.options, p.turn.session.run.files);
  if (typeof printer === "string") return p.fail(printer);
  if (output !== "" && printer === undefined) return p.fail(unmatched(output, PRINT_FORMATS));
  const fieldSelector = selectorOf(p);
  if (events === undefined) return;
  const path = pathOf(events, allNamespaces ? "" : p.namespace);
  const query: Readonly<Record<string, string>> = fieldSelector === "" ? {} : { fieldSelector };
  const wanted = (event: Event): boolean => types.length === 0 || types.some((type) => type.toLowerCase() === (event.type ?? "").toLowerCase());
  if (p.options.watch) return follow(p, { path, query }, wanted, printer);
  const items = (listAll(p, { path, query, subject: "list events" }, { limit: "500" }).items as readonly Event[]).filter(wanted).sort((a, b) => (seenAt(a) < seenAt(b) ? -1 : seenAt(a) > seenAt(b) ? 1 : 0));
  if (items.length === 0) return output === "name" ? undefined : p.printError(allNamespaces ? "No events found." : `No events found in ${p.namespace} namespace.`);
  if (printer !== undefined) {
    if (output === "name") return;
    const text = printer({ apiVersion: "v1", kind: "EventList", metadata: {}, items: items.map((item) => stripManaged(item)) } as KubeObject, 0);
    return typeof text === "string" ? p.print(text) : p.fail(text.error);
  }
  // Messages with several lines are printed as they are, unlike in `kubectl get events`.
  p.print(align([...(noHeaders ? [] : [headsOf(p)]), ...items.map((event) => rowOf(p, event))].map((row) => `${row.join("\t")}\n`).join(""), 3));
});
