// Models kubernetes/staging/src/k8s.io/endpointslice/topologycache/{topologycache,sliceinfo,utils}.go
import { milliValue } from "../../api/quantity.ts";
import type { Endpoint, EndpointSlice, Node, Service } from "../../api/types.ts";
import { conditionOf } from "../pods.ts";

const OVERLOAD = 0.2;
const ZONE = "topology.kubernetes.io/zone";
const EXCLUDED = ["node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"];

/** Slices of one address family that a sync makes, changes and leaves alone. */
export interface SliceInfo {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly unchanged: readonly EndpointSlice[];
}

export type Zones = Readonly<Record<string, number>>;

interface Allocation {
  readonly minimum: number;
  readonly maximum: number;
  readonly desired: number;
}

/** Whether the Service asks for hints by its annotation: the older name wins. */
export function hintsEnabled({ metadata: { annotations = {} } }: Service): boolean {
  const mode = annotations["service.kubernetes.io/topology-aware-hints"] ?? annotations["service.kubernetes.io/topology-mode"];
  return mode === "Auto" || mode === "auto";
}

export const isNodeReady = (node: Node): boolean => conditionOf(node, "Ready")?.status === "True";

/** SetNodes: each zone's share of the CPU of ready worker nodes; undefined when a node does not tell, or there are not two zones. */
export function cpuRatios(nodes: readonly Node[]): Zones | undefined {
  const cpu: Record<string, number> = {};
  let total = 0;
  for (const node of nodes) {
    if (EXCLUDED.some((label) => node.metadata.labels?.[label] !== undefined) || !isNodeReady(node)) continue;
    const zone = node.metadata.labels?.[ZONE] ?? "";
    const milli = milliValue(node.status?.allocatable?.["cpu"]);
    if (zone === "" || milli === 0) return undefined;
    total += milli;
    cpu[zone] = (cpu[zone] ?? 0) + milli;
  }
  if (total === 0 || Object.keys(cpu).length < 2) return undefined;
  return Object.fromEntries(Object.entries(cpu).map(([zone, milli]) => [zone, milli / total]));
}

/** serviceOverloaded: some zone has fewer endpoints than its share of CPU allows. */
export function isOverloaded(hints: Zones, ratios: Zones | undefined): boolean {
  const total = Object.values(hints).reduce((sum, count) => sum + count, 0);
  if (Object.keys(hints).length === 0) return false;
  if (ratios === undefined) return true;
  return Object.entries(ratios).some(([zone, ratio]) => hints[zone] === undefined || (hints[zone] ?? 0) < Math.ceil(total * ratio * (1 / (1 + OVERLOAD))));
}

const isReady = (endpoint: Endpoint): boolean => endpoint.conditions?.ready === true;
const readyOf = (slice: EndpointSlice): readonly Endpoint[] => (slice.endpoints ?? []).filter(isReady);

function allocationsFor(ratios: Zones | undefined, endpoints: number): ReadonlyMap<string, Allocation> | string {
  if (ratios === undefined) return "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes";
  const zones = Object.entries(ratios).sort(([a], [b]) => (a < b ? -1 : 1));
  if (zones.length > endpoints) return `Insufficient number of endpoints (${endpoints} endpoints, ${zones.length} zones)`;
  const parts = zones.map(([zone, ratio]) => {
    const desired = ratio * endpoints;
    const minimum = Math.ceil(desired * (1 / (1 + OVERLOAD)));
    return { zone, minimum, desired: Math.max(desired, minimum) };
  });
  const least = parts.reduce((sum, { minimum }) => sum + minimum, 0);
  if (least > endpoints) return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (${endpoints} endpoints, ${zones.length} zones)`;
  return new Map(parts.map(({ zone, minimum, desired }) => [zone, { minimum, desired, maximum: minimum + endpoints - least }]));
}

/** The hints of a slice that may stay as it is, by zone; undefined when it must be written again. */
function hintsOfSlice(slice: EndpointSlice, before: Zones, allocations: ReadonlyMap<string, Allocation>): Zones | undefined {
  const counts: Record<string, number> = {};
  for (const { hints } of readyOf(slice)) {
    const zones = hints?.forZones ?? [];
    if (zones.length === 0 || zones.some(({ name }) => !allocations.has(name))) return undefined;
    for (const { name } of zones) counts[name] = (counts[name] ?? 0) + 1;
  }
  return Object.entries(counts).some(([zone, count]) => count + (before[zone] ?? 0) > (allocations.get(zone)?.maximum ?? 0)) ? undefined : counts;
}

/** The zone with the most, the first by name of several. */
function most(zones: Zones): readonly [string, number] {
  return Object.entries(zones).sort(([a], [b]) => (a < b ? -1 : 1)).reduce<readonly [string, number]>((best, entry) => (entry[1] > best[1] ? entry : best), ["", 0]);
}

/** How many endpoints each zone gives to others and gets from others. */
function exchange(allocations: ReadonlyMap<string, Allocation>, allocated: Zones): { readonly giving: Record<string, number>; readonly receiving: Record<string, number> } {
  const surplus: Record<string, number> = {};
  const need: Record<string, number> = {};
  for (const [zone, { desired }] of allocations) {
    const difference = (allocated[zone] ?? 0) - desired;
    if (difference > 0) surplus[zone] = difference;
    else if (difference < 0) need[zone] = -difference;
  }
  const giving: Record<string, number> = {};
  const receiving: Record<string, number> = {};
  for (;;) {
    const [giver, give] = most(surplus);
    const [receiver, receive] = most(need);
    if (giver === "" || receiver === "" || (give < 1 && receive < 1) || give < 0.5 || receive < 0.5) return { giving, receiving };
    giving[giver] = (giving[giver] ?? 0) + 1;
    surplus[giver] = give - 1;
    receiving[receiver] = (receiving[receiver] ?? 0) + 1;
    need[receiver] = receive - 1;
  }
}

const forZone = (endpoint: Endpoint, zone: string): Endpoint => ({ ...endpoint, hints: { forZones: [{ name: zone }] } });

/** Without hints: those made and changed anyway, and those that had some. */
export function withoutHints({ create, update, unchanged }: SliceInfo): SliceInfo {
  const has = (slice: EndpointSlice): boolean => (slice.endpoints ?? []).some(({ hints }) => hints !== undefined);
  const strip = (slice: EndpointSlice): EndpointSlice => (has(slice) ? { ...slice, endpoints: (slice.endpoints ?? []).map(({ hints: _hints, ...endpoint }) => endpoint) } : slice);
  return { create: create.map(strip), update: [...update, ...unchanged.filter(has)].map(strip), unchanged: unchanged.filter((slice) => !has(slice)) };
}

/** What AddHints came to: the slices with hints and how many each zone has, or without and why. */
export type Hinted = { readonly info: SliceInfo; readonly zones: Zones } | { readonly info: SliceInfo; readonly why: string };

/** AddHints: each ready endpoint for its own zone, then as many moved as zones with less CPU can spare for those with more. */
export function addHints(ratios: Zones | undefined, info: SliceInfo): Hinted {
  const total = [...info.create, ...info.update, ...info.unchanged].reduce((sum, slice) => sum + readyOf(slice).length, 0);
  const allocations = allocationsFor(ratios, total);
  if (typeof allocations === "string") return { info: withoutHints(info), why: allocations };
  let zones: Zones = {};
  const kept: EndpointSlice[] = [];
  const rewritten = [...info.update];
  for (const slice of info.unchanged) {
    const counts = hintsOfSlice(slice, zones, allocations);
    if (counts === undefined) rewritten.push(slice);
    else kept.push(slice);
    for (const [zone, count] of Object.entries(counts ?? {})) zones = { ...zones, [zone]: (zones[zone] ?? 0) + count };
  }
  const open = [...info.create, ...rewritten];
  if (open.some((slice) => readyOf(slice).some(({ zone }) => !zone))) return { info: withoutHints({ create: info.create, update: rewritten, unchanged: kept }), why: "One or more endpoints do not have a zone specified" };
  for (const slice of open) for (const { zone = "" } of readyOf(slice)) zones = { ...zones, [zone]: (zones[zone] ?? 0) + 1 };
  const { giving, receiving } = exchange(allocations, zones);
  const place = (endpoint: Endpoint): Endpoint => {
    const { zone = "" } = endpoint;
    if (!isReady(endpoint)) return endpoint;
    const receiver = (giving[zone] ?? 0) > 0 ? Object.keys(receiving).sort().find((name) => (receiving[name] ?? 0) > 0) : undefined;
    if (receiver === undefined) return forZone(endpoint, zone);
    giving[zone] = (giving[zone] ?? 0) - 1;
    receiving[receiver] = (receiving[receiver] ?? 0) - 1;
    zones = { ...zones, [zone]: (zones[zone] ?? 0) - 1, [receiver]: (zones[receiver] ?? 0) + 1 };
    return forZone(endpoint, receiver);
  };
  const hinted = open.map((slice): EndpointSlice => ({ ...slice, endpoints: (slice.endpoints ?? []).map(place) }));
  const done: SliceInfo = { create: hinted.slice(0, info.create.length), update: hinted.slice(info.create.length), unchanged: kept };
  return Object.keys(zones).length === 0 ? { info: withoutHints(done), why: "No hints allocated for zones" } : { info: done, zones };
}
