// Models kubernetes/staging/src/k8s.io/endpointslice/util/endpointslice_tracker.go
import type { EndpointSlice } from "../../api/types.ts";

/** Generations of a Service's slices as last written, by uid; DELETION for one that should go. Undefined: nothing was written. */
export type Tracked = Readonly<Record<string, number>> | undefined;

const DELETION = -1;
const uidOf = (slice: EndpointSlice): string => slice.metadata.uid ?? "";
const generationOf = (slice: EndpointSlice): number => slice.metadata.generation ?? 0;

/** The slice was written by somebody else, or its own write was not noted. */
export function shouldSync(tracked: Tracked, slice: EndpointSlice): boolean {
  const known = tracked?.[uidOf(slice)];
  return known === undefined || generationOf(slice) > known;
}

/** The cache does not have yet what was written. */
export function isStale(tracked: Tracked, slices: readonly EndpointSlice[]): boolean {
  if (tracked === undefined) return false;
  const seen = new Set(slices.map(uidOf));
  if (slices.some((slice) => tracked[uidOf(slice)] === DELETION || (tracked[uidOf(slice)] ?? 0) > generationOf(slice))) return true;
  return Object.entries(tracked).some(([uid, generation]) => generation !== DELETION && !seen.has(uid));
}

export const withWritten = (tracked: Tracked, slice: EndpointSlice): Tracked => ({ ...tracked, [uidOf(slice)]: generationOf(slice) });
export const withDeleted = (tracked: Tracked, slice: EndpointSlice): Tracked => ({ ...tracked, [uidOf(slice)]: DELETION });

/** HandleDeletion: the slice is gone. `expected` is false when it was not this controller's doing. */
export function deletionSeen(tracked: Tracked, slice: EndpointSlice): { readonly tracked: Tracked; readonly expected: boolean } {
  const known = tracked?.[uidOf(slice)];
  if (known === undefined) return { tracked, expected: true };
  const { [uidOf(slice)]: _gone, ...rest } = tracked ?? {};
  return { tracked: rest, expected: known === DELETION };
}
