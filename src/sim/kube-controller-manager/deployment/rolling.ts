// Models kubernetes/pkg/controller/deployment/{rolling,sync}.go and util/deployment_util.go: the arithmetic of a rollout
import { scaledValue } from "../../api/int-or-string.ts";
import type { Deployment, IntOrString, ReplicaSet } from "../../api/types.ts";

export const DESIRED_REPLICAS = "deployment.kubernetes.io/desired-replicas";
export const MAX_REPLICAS = "deployment.kubernetes.io/max-replicas";

export const replicasOf = (object: { readonly spec: { readonly replicas?: number } }): number => object.spec.replicas ?? 1;
export const availableOf = (rs: ReplicaSet): number => rs.status?.availableReplicas ?? 0;
export const sumReplicas = (sets: readonly ReplicaSet[]): number => sets.reduce((sum, rs) => sum + replicasOf(rs), 0);
export const sumAvailable = (sets: readonly ReplicaSet[]): number => sets.reduce((sum, rs) => sum + availableOf(rs), 0);

/** Surge rounds up, unavailable down; both zero would stand still, so unavailable becomes 1. */
export function resolveFenceposts(maxSurge: IntOrString | undefined, maxUnavailable: IntOrString | undefined, desired: number): { surge: number; unavailable: number } {
  const surge = scaledValue(maxSurge, desired, true) ?? 0;
  const unavailable = scaledValue(maxUnavailable, desired, false) ?? 0;
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
}

const isRolling = (d: Deployment): boolean => (d.spec.strategy?.type ?? "RollingUpdate") === "RollingUpdate";

const fenceposts = (d: Deployment): { surge: number; unavailable: number } => resolveFenceposts(d.spec.strategy?.rollingUpdate?.maxSurge, d.spec.strategy?.rollingUpdate?.maxUnavailable, replicasOf(d));

/** Replicas above the desired count; 0 unless rolling. */
export const maxSurge = (d: Deployment): number => (isRolling(d) ? fenceposts(d).surge : 0);

/** Replicas that may be missing: capped at the desired count, 0 for Recreate. */
export function maxUnavailable(d: Deployment): number {
  if (!isRolling(d) || replicasOf(d) === 0) return 0;
  return Math.min(fenceposts(d).unavailable, replicasOf(d));
}

/** The size the new ReplicaSet may have now, `total` being the size of all of them. */
export function newRSNewReplicas(d: Deployment, total: number, newReplicas: number): number {
  if (!isRolling(d)) return replicasOf(d);
  const maxTotal = replicasOf(d) + maxSurge(d);
  if (total >= maxTotal) return newReplicas;
  return newReplicas + Math.min(maxTotal - total, replicasOf(d) - newReplicas);
}

/** reconcileNewReplicaSet: the new size of the new ReplicaSet (the same when nothing is to do). */
export function reconcileNewSize(d: Deployment, all: readonly ReplicaSet[], newRS: ReplicaSet): number {
  const current = replicasOf(newRS);
  if (current === replicasOf(d)) return current;
  if (current > replicasOf(d)) return replicasOf(d);
  return newRSNewReplicas(d, sumReplicas(all), current);
}

const MAX_INT32 = 2_147_483_647;

/** A size kept in an annotation; undefined when it is none. */
export function annotatedSize(rs: ReplicaSet, name: string): number | undefined {
  const text = rs.metadata.annotations?.[name] ?? "";
  return /^\d+$/.test(text) && Number(text) <= MAX_INT32 ? Number(text) : undefined;
}

export interface Scaling {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const created = (rs: ReplicaSet): string => rs.metadata.creationTimestamp ?? "";
const nameOf = (rs: ReplicaSet): string => rs.metadata.name ?? "";

/** Oldest first; ties by name. */
export const byCreation = (a: ReplicaSet, b: ReplicaSet): number => {
  if (created(a) !== created(b)) return created(a) < created(b) ? -1 : 1;
  return nameOf(a) < nameOf(b) ? -1 : 1;
};
const bySizeOlder = (a: ReplicaSet, b: ReplicaSet): number => replicasOf(b) - replicasOf(a) || byCreation(a, b);
const bySizeNewer = (a: ReplicaSet, b: ReplicaSet): number => replicasOf(b) - replicasOf(a) || byCreation(b, a);

/** reconcileOldReplicaSets: unhealthy replicas go first, then as many as keep the minimum available. */
export function reconcileOldSizes(d: Deployment, all: readonly ReplicaSet[], old: readonly ReplicaSet[], newRS: ReplicaSet): readonly Scaling[] {
  if (sumReplicas(old) === 0) return [];
  const minAvailable = replicasOf(d) - maxUnavailable(d);
  const newUnavailable = replicasOf(newRS) - availableOf(newRS);
  const room = sumReplicas(all) - minAvailable - newUnavailable;
  if (room <= 0) return [];
  const scalings: Scaling[] = [];
  const sizes = new Map(old.map((rs) => [nameOf(rs), replicasOf(rs)]));
  const ordered = [...old].sort(byCreation);
  let cleaned = 0;
  for (const rs of ordered) {
    if (cleaned >= room) break;
    const size = replicasOf(rs);
    if (size === 0 || size === availableOf(rs)) continue;
    const cut = Math.min(room - cleaned, size - availableOf(rs));
    // More are available than it should have: its status is not up to date, and upstream gives up here.
    if (cut < 0) return scalings;
    scalings.push({ name: nameOf(rs), from: size, to: size - cut });
    sizes.set(nameOf(rs), size - cut);
    cleaned += cut;
  }
  const spare = sumAvailable(all) - minAvailable;
  let scaled = 0;
  for (const rs of ordered) {
    if (scaled >= spare) break;
    const size = sizes.get(nameOf(rs)) ?? 0;
    if (size === 0) continue;
    const cut = Math.min(size, spare - scaled);
    scalings.push({ name: nameOf(rs), from: size, to: size - cut });
    scaled += cut;
  }
  return scalings;
}

/** Half away from zero, in integers: what math.Round gives for a / b. */
function roundedQuotient(a: number, b: number): number {
  const magnitude = Math.floor((2 * Math.abs(a) + b) / (2 * b));
  return a < 0 ? -magnitude : magnitude;
}

/** The share of a change of size that falls to one ReplicaSet (GetReplicaSetProportion). */
function proportion(d: Deployment, rs: ReplicaSet, toAdd: number, added: number): number {
  if (replicasOf(rs) === 0 || toAdd === 0 || toAdd === added) return 0;
  const base = annotatedSize(rs, MAX_REPLICAS) || (d.status?.replicas ?? 0);
  // Without a size to compare with the set keeps its own.
  const share = base === 0 ? 0 : roundedQuotient(replicasOf(rs) * (replicasOf(d) + maxSurge(d)), base) - replicasOf(rs);
  const fraction = replicasOf(d) === 0 ? -replicasOf(rs) : share;
  const allowed = toAdd - added;
  return toAdd > 0 ? Math.min(fraction, allowed) : Math.max(fraction, allowed);
}

const isActive = (rs: ReplicaSet): boolean => replicasOf(rs) > 0;

/** The only active ReplicaSet, or the newest when none is; undefined while several share the Pods. */
export function findActiveOrLatest(newRS: ReplicaSet | undefined, old: readonly ReplicaSet[]): ReplicaSet | undefined {
  if (!newRS && old.length === 0) return undefined;
  const all = newRS ? [...old, newRS] : [...old];
  const active = all.filter(isActive);
  if (active.length === 0) return newRS ?? [...old].sort((a, b) => byCreation(b, a))[0];
  return active.length === 1 ? active[0] : undefined;
}

/** The new ReplicaSet has all the Pods it should and all are available. */
function isSaturated(d: Deployment, rs: ReplicaSet | undefined): boolean {
  return rs !== undefined && replicasOf(rs) === replicasOf(d) && annotatedSize(rs, DESIRED_REPLICAS) === replicasOf(d) && availableOf(rs) === replicasOf(d);
}

/** The sizes after a change of spec.replicas: proportional while a rollout is under way. */
export function scaleSizes(d: Deployment, newRS: ReplicaSet | undefined, old: readonly ReplicaSet[]): readonly Scaling[] {
  const single = findActiveOrLatest(newRS, old);
  const scaling = (rs: ReplicaSet, to: number): Scaling => ({ name: nameOf(rs), from: replicasOf(rs), to });
  if (single) return replicasOf(single) === replicasOf(d) ? [] : [scaling(single, replicasOf(d))];
  if (isSaturated(d, newRS)) return old.filter(isActive).map((rs) => scaling(rs, 0));
  if (!isRolling(d)) return [];
  const all = [...old.filter(isActive), ...(newRS ? [newRS] : [])].filter(isActive);
  const allowed = replicasOf(d) > 0 ? replicasOf(d) + maxSurge(d) : 0;
  const toAdd = allowed - sumReplicas(all);
  all.sort(toAdd > 0 ? bySizeNewer : bySizeOlder);
  let added = 0;
  const sizes = all.map((rs) => {
    const share = toAdd === 0 ? 0 : proportion(d, rs, toAdd, added);
    added += share;
    return replicasOf(rs) + share;
  });
  if (sizes.length > 0 && toAdd !== 0) sizes[0] = Math.max(0, (sizes[0] ?? 0) + toAdd - added);
  return all.map((rs, i) => scaling(rs, sizes[i] ?? replicasOf(rs)));
}
