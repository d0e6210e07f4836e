// Models kubernetes/pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go
import type { Pod, Volume } from "../../api/types.ts";
import { type Plugin, skip, type StateKey, success, unresolvable, unschedulable } from "../framework.ts";
import { getFrom } from "../listers.ts";
import { namespaceOf, type PodInfo } from "../node-info.ts";
import type { Snapshot } from "../snapshot.ts";

interface Restrictions {
  readonly claims: ReadonlySet<string>;
  readonly conflicts: number;
}

const restrictionsKey: StateKey<Restrictions> = { name: "PreFilterVolumeRestrictions" };

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const bothReadOnly = (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean => a["readOnly"] === true && b["readOnly"] === true;

const needsCheck = (v: Volume): boolean => Boolean(v.gcePersistentDisk || v.awsElasticBlockStore || v.rbd || v.iscsi);

/** The same network disk in two Pods of one node: allowed read-only (never for EBS). */
function volumesConflict(a: Volume, b: Volume): boolean {
  const gce = [a.gcePersistentDisk, b.gcePersistentDisk] as const;
  if (gce[0] && gce[1] && gce[0]["pdName"] === gce[1]["pdName"] && !bothReadOnly(gce[0], gce[1])) return true;
  const ebs = [a.awsElasticBlockStore, b.awsElasticBlockStore] as const;
  if (ebs[0] && ebs[1] && ebs[0]["volumeID"] === ebs[1]["volumeID"]) return true;
  const iscsi = [a.iscsi, b.iscsi] as const;
  if (iscsi[0] && iscsi[1] && iscsi[0]["iqn"] === iscsi[1]["iqn"] && !bothReadOnly(iscsi[0], iscsi[1])) return true;
  const { rbd: x } = a;
  const { rbd: y } = b;
  if (!x || !y || bothReadOnly(x, y)) return false;
  const monitors = list(y["monitors"]);
  return list(x["monitors"]).some((m) => monitors.includes(m)) && (text(x["pool"]) || "rbd") === (text(y["pool"]) || "rbd") && x["image"] === y["image"];
}

export const claimNames = (pod: Pod): string[] => (pod.spec.volumes ?? []).flatMap((v) => (v.persistentVolumeClaim ? [v.persistentVolumeClaim.claimName] : []));

/** Does one Pod use an in-tree disk that the other one cannot have at the same time? */
export const disksConflict = (a: Pod, b: Pod): boolean => (a.spec.volumes ?? []).filter(needsCheck).some((v) => (b.spec.volumes ?? []).some((w) => volumesConflict(v, w)));

const usedByPods = (snapshot: Snapshot, namespace: string, claim: string): boolean =>
  snapshot.nodes.some((node) => node.pods.some(({ pod }) => namespaceOf(pod) === namespace && claimNames(pod).includes(claim)));

const conflictsOf = (claims: ReadonlySet<string>, info: PodInfo): number => claimNames(info.pod).filter((name) => claims.has(name)).length;

/** In-tree disks that cannot be shared, and claims with ReadWriteOncePod that another Pod uses already. */
export const volumeRestrictions = {
  name: "VolumeRestrictions",

  preFilter({ pod, snapshot, state }) {
    const namespace = namespaceOf(pod);
    const claims = new Set<string>();
    for (const name of claimNames(pod)) {
      const claim = getFrom(snapshot.listers.persistentVolumeClaims, namespace, name);
      if (!claim) return { status: unresolvable(`persistentvolumeclaim "${name}" not found`) };
      if ((claim.spec.accessModes ?? []).includes("ReadWriteOncePod")) claims.add(name);
    }
    const conflicts = [...claims].filter((name) => usedByPods(snapshot, namespace, name)).length;
    if (conflicts === 0 && !(pod.spec.volumes ?? []).some(needsCheck)) return { status: skip };
    state.write(restrictionsKey, { claims, conflicts });
    return { status: success };
  },

  addPod({ state }, added) {
    const now = state.read(restrictionsKey);
    if (now) state.write(restrictionsKey, { ...now, conflicts: now.conflicts + conflictsOf(now.claims, added) });
  },

  removePod({ state }, removed) {
    const now = state.read(restrictionsKey);
    if (now) state.write(restrictionsKey, { ...now, conflicts: now.conflicts - conflictsOf(now.claims, removed) });
  },

  filter({ pod, state }, node) {
    if (node.pods.some((other) => disksConflict(pod, other.pod))) return unschedulable("node(s) had no available disk");
    if ((state.read(restrictionsKey)?.conflicts ?? 0) > 0) {
      return unschedulable("node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod");
    }
    return success;
  },
} satisfies Plugin;
