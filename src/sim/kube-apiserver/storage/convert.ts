// Models kubernetes/pkg/apis/events/v1/conversion.go: events are stored as core/v1 and served as events.k8s.io/v1 too
import { hpaToV1, hpaToV2 } from "../../api/convert-hpa.ts";
import { customAsServed } from "../../api/apiextensions/custom-resource.ts";
import type { ApiResource } from "../../api/schema/resources.ts";
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

/** An object of a built-in kind in the version a client asked for. */
export function asServed(object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  if (isEvent(object) && apiVersion === "events.k8s.io/v1") return rename(object, apiVersion, RENAMED.map(([a, b]) => [b, a] as const));
  if (apiVersion === "autoscaling/v1") return hpaToV1(object);
  return isEvent(object) || object.apiVersion === "autoscaling/v1" ? asStored(object) : { ...object, apiVersion };
}

/** The object as the resource that a client asked for has it. */
export const servedBy = (api: ApiResource, object: KubeObject): KubeObject => (api.custom === undefined ? asServed(object, api.apiVersion) : customAsServed(object, api));

/** The object as the resource stores it. */
export function storedBy({ custom, group }: ApiResource, object: KubeObject): KubeObject {
  if (custom === undefined) return asStored(object);
  const apiVersion = `${group}/${custom.storage.name}`;
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

/** The object in its storage version. */
function asStored(object: KubeObject): KubeObject {
  if (isEvent(object) && object.apiVersion === "events.k8s.io/v1") return rename(object, "v1", RENAMED);
  return object.kind === "HorizontalPodAutoscaler" && object.apiVersion === "autoscaling/v1" ? hpaToV2(object) : object;
}
