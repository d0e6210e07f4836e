import { type Stored, SUMMARIES, type Summary } from "../../trace/object-summary.ts";
import type { ObjectVersion, TraceIndex } from "../../trace/trace-index.ts";
import { isNew, podsAt } from "./model.ts";

/** A line of the box of stored objects. */
export interface ObjectLine {
  readonly key: string;
  readonly text: string;
  readonly detail: string;
  readonly look: "ok" | "pending";
}

function endpointsOf(index: TraceIndex, t: number, { metadata }: Stored): Summary {
  let ready = 0;
  let total = 0;
  for (const version of index.objectsAt(`/registry/endpointslices/${metadata.namespace ?? "default"}/`, t)) {
    const slice = version.object as { metadata: { labels?: Record<string, string> }; endpoints?: readonly { conditions?: { ready?: boolean } }[] };
    if (slice.metadata.labels?.["kubernetes.io/service-name"] !== metadata.name) continue;
    for (const endpoint of slice.endpoints ?? []) {
      total++;
      if (endpoint.conditions?.ready === true) ready++;
    }
  }
  return [`${ready} of ${total} ready`, ready > 0];
}

/** Workloads, Services, claims and Pods without a node that this run made: what is only written down. */
export function objectLines(index: TraceIndex, t: number): ObjectLine[] {
  const lines: ObjectLine[] = [];
  const add = (version: ObjectVersion, short: string, says: Summary | undefined): void => {
    if (says) lines.push({ key: version.key, text: `${short}/${(version.object as Stored).metadata.name ?? ""}`, detail: says[0], look: says[1] ? "ok" : "pending" });
  };
  const made = (prefix: string): ObjectVersion[] => index.objectsAt(`/registry/${prefix}/`, t).filter((version) => isNew(index, version));
  for (const [prefix, short, says] of SUMMARIES) for (const version of made(prefix)) add(version, short, says(version.object as Stored));
  for (const version of made("services/specs")) add(version, "svc", endpointsOf(index, t, version.object as Stored));
  for (const pod of podsAt(index, t)) if (pod.look === "pending") lines.push({ key: pod.key, text: `pod/${pod.name}`, detail: "no node", look: "pending" });
  return lines;
}
