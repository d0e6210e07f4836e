// Models kubernetes/pkg/apis/events/v1/conversion.go: events are stored as core/v1 and served as events.k8s.io/v1 too
import type { KubeObject } from "../../api/types.ts";

/** events.k8s.io/v1 field to core/v1 field. */
const RENAMED: readonly (readonly [string, string])[] = [
  ["regarding", "involvedObject"], ["note", "message"], ["reportingController", "reportingComponent"], ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"], ["deprecatedLastTimestamp", "lastTimestamp"], ["deprecatedCount", "count"],
];

function rename(object: KubeObject, apiVersion: string, names: readonly (readonly [string, string])[]): KubeObject {
  const out: Record<string, unknown> = { ...object, apiVersion };
  for (const [from, to] of names) {
    if (!Object.hasOwn(out, from)) continue;
    out[to] = out[from];
    delete out[from];
  }
  return out as unknown as KubeObject;
}

const isEvent = (object: KubeObject): boolean => object.kind === "Event";

/** The object in the version a client asked for. */
export function asServed(object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  if (isEvent(object) && apiVersion === "events.k8s.io/v1") return rename(object, apiVersion, RENAMED.map(([a, b]) => [b, a] as const));
  // Simplified: the two versions of HorizontalPodAutoscaler are served without converting their metrics.
  return isEvent(object) ? asStored(object) : { ...object, apiVersion };
}

/** The object in its storage version. */
export const asStored = (object: KubeObject): KubeObject => (isEvent(object) && object.apiVersion === "events.k8s.io/v1" ? rename(object, "v1", RENAMED) : object);
