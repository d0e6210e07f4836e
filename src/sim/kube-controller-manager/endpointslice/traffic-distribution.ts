// Models kubernetes/staging/src/k8s.io/endpointslice/trafficdist/trafficdist.go
import type { Endpoint, EndpointSlice, Service } from "../../api/types.ts";
import { hintsEnabled, type SliceInfo } from "./topology.ts";

const CLOSE: ReadonlySet<string> = new Set(["PreferClose", "PreferSameZone", "PreferSameNode"]);

/** Whether hints follow spec.trafficDistribution; the annotation wins over it. */
export const followsTrafficDistribution = (service: Service): boolean => CLOSE.has(service.spec.trafficDistribution ?? "") && !hintsEnabled(service);

const names = (list: readonly { readonly name: string }[] | undefined): string => (list ?? []).map(({ name }) => name).join(",");

/** A ready endpoint is meant for its own zone, and for its own node first if that is asked for. */
function hintsFor({ zone, nodeName }: Endpoint, byNode: boolean): Endpoint["hints"] | undefined {
  const forNodes = byNode && nodeName !== undefined ? { forNodes: [{ name: nodeName }] } : undefined;
  const forZones = zone === undefined ? undefined : { forZones: [{ name: zone }] };
  return forNodes === undefined && forZones === undefined ? undefined : { ...forZones, ...forNodes };
}

function hasRightHints(endpoint: Endpoint, byNode: boolean): boolean {
  if (endpoint.conditions?.ready !== true) return true;
  const wanted = hintsFor(endpoint, byNode);
  return names(wanted?.forZones) === names(endpoint.hints?.forZones) && names(wanted?.forNodes) === names(endpoint.hints?.forNodes);
}

/** ReconcileHints: hints for all slices that are written, and a write for those that lack some. */
export function trafficHints(service: Service, { create, update, unchanged }: SliceInfo): SliceInfo {
  const byNode = service.spec.trafficDistribution === "PreferSameNode";
  const right = (slice: EndpointSlice): boolean => (slice.endpoints ?? []).every((endpoint) => hasRightHints(endpoint, byNode));
  const hinted = (endpoint: Endpoint): Endpoint => {
    if (hasRightHints(endpoint, byNode)) return endpoint;
    const { hints: _old, ...rest } = endpoint;
    const hints = hintsFor(endpoint, byNode);
    return hints === undefined ? rest : { ...rest, hints };
  };
  const fill = (slice: EndpointSlice): EndpointSlice => (right(slice) ? slice : { ...slice, endpoints: (slice.endpoints ?? []).map(hinted) });
  return { create: create.map(fill), update: [...update, ...unchanged.filter((slice) => !right(slice))].map(fill), unchanged: unchanged.filter(right) };
}
