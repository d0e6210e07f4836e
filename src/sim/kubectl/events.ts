// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/events
import { humanDuration } from "../api/duration.ts";
import { findResource } from "../api/schema/resources.ts";
import { parseRfc3339 } from "../api/time.ts";
import type { KubeEvent, KubeObject } from "../api/types.ts";
import { typeOf } from "./builder.ts";
import { pathOf } from "./manifest.ts";
import { PRINT_FORMATS, printerFor, unmatched } from "./printers.ts";
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
  const [type = "", name = ""] = text.split("/");
  if (name === "") return p.fail("error: --for must be in resource/name form");
  const api = typeOf(type, p.types);
  if (api === undefined) return p.fail(`error: the server doesn't have a resource type ${JSON.stringify(type)}`);
  return `involvedObject.kind=${api.kind},involvedObject.apiVersion=${api.apiVersion},involvedObject.name=${name}`;
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
  const body = p.must({ method: "GET", path: pathOf(events, allNamespaces ? "" : p.namespace), query: { ...(fieldSelector === "" ? {} : { fieldSelector }), limit: "500" }, subject: "list events" }) as { readonly items: readonly Event[] };
  const items = body.items.filter((event) => types.length === 0 || types.some((type) => type.toLowerCase() === (event.type ?? "").toLowerCase())).sort((a, b) => (seenAt(a) < seenAt(b) ? -1 : seenAt(a) > seenAt(b) ? 1 : 0));
  if (items.length === 0) return output === "name" ? undefined : p.printError(allNamespaces ? "No events found." : `No events found in ${p.namespace} namespace.`);
  if (printer !== undefined) {
    if (output === "name") return;
    const text = printer({ apiVersion: "v1", kind: "EventList", metadata: {}, items: items.map((item) => stripManaged(item)) } as KubeObject, 0);
    return typeof text === "string" ? p.print(text) : p.fail(text.error);
  }
  const heads = [...(allNamespaces ? ["NAMESPACE"] : []), "LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"];
  const rows = items.map((event) => [...(allNamespaces ? [event.metadata.namespace ?? ""] : []), lastSeen(event, p.now), event.type ?? "", event.reason ?? "", `${event.involvedObject?.kind ?? ""}/${event.involvedObject?.name ?? ""}`, (event.message ?? "").trim()]);
  // Messages with several lines are printed as they are, unlike in `kubectl get events`.
  p.print(align([...(noHeaders ? [] : [heads]), ...rows].map((row) => `${row.join("\t")}\n`).join(""), 3));
});
