// Models kubernetes/pkg/proxy/{servicechangetracker,endpointslicecache}.go: Services and their slices by key
import { objectKey } from "../api/http.ts";
import type { EndpointSlice, KubeObject, Service } from "../api/types.ts";
import { PMap } from "../kernel/pmap.ts";
import type { ServiceRules } from "./messages.ts";
import { rulesOf } from "./service-rules.ts";

/** "default/nginx" of a slice, or "" when it belongs to no Service. */
export function serviceOfSlice(slice: KubeObject): string {
  const name = slice.metadata.labels?.["kubernetes.io/service-name"];
  return name === undefined ? "" : `${slice.metadata.namespace ?? ""}/${name}`;
}

/** Slices by Service, then by slice key. */
export type SliceIndex = PMap<PMap<KubeObject>>;

export function indexSlices(slices: readonly KubeObject[]): SliceIndex {
  return slices.reduce<SliceIndex>((index, slice) => putSlice(index, slice), PMap.empty());
}

export const putSlice = (index: SliceIndex, slice: KubeObject): SliceIndex => index.set(serviceOfSlice(slice), (index.get(serviceOfSlice(slice)) ?? PMap.empty<KubeObject>()).set(objectKey(slice), slice));

export function dropSlice(index: SliceIndex, slice: KubeObject): SliceIndex {
  const left = index.get(serviceOfSlice(slice))?.delete(objectKey(slice));
  return left === undefined || left.size === 0 ? index.delete(serviceOfSlice(slice)) : index.set(serviceOfSlice(slice), left);
}

const digests = new WeakMap<KubeObject, string>();

/** What of a Service or a slice decides about rules, as text; the same for all nodes, so made once. */
function digest(object: KubeObject): string {
  const known = digests.get(object);
  if (known !== undefined) return known;
  const { spec, status, metadata, ...rest } = object;
  const made = object.kind === "EndpointSlice" ? JSON.stringify([rest, metadata.labels]) : JSON.stringify([spec, status, metadata.labels]);
  digests.set(object, made);
  return made;
}

/** Whether a change of an object makes a sync necessary: other annotations do not. */
export const changed = ({ object, old }: { readonly object: KubeObject; readonly old?: KubeObject }): boolean => old === undefined || old === object || digest(old) !== digest(object);

/** The rules of a Service by key; undefined when it is gone or needs none. */
export function rulesFor(key: string, services: PMap<KubeObject>, slices: SliceIndex, node: string, zone: string): ServiceRules | undefined {
  const service = services.get(key) as Service | undefined;
  if (!service) return undefined;
  return rulesOf(service, (slices.get(key)?.sorted() ?? []).map((entry) => entry[1]) as unknown as readonly EndpointSlice[], node, zone);
}
