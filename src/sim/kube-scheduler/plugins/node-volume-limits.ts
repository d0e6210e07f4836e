// Models kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits/csi.go
import type { Pod } from "../../api/types.ts";
import { type Plugin, skip, success, unresolvable, unschedulable } from "../framework.ts";
import { getFrom, type Listers, type PersistentVolumeClaim } from "../listers.ts";
import { namespaceOf } from "../node-info.ts";
import { podClaims, storageClassOf } from "../volumes.ts";

/** Driver and a unique name of the volume behind a claim; a claim without a volume counts as one of its class's driver. */
// Simplified: upstream also counts in-tree volumes that CSI migration hands to a driver, and disks that are still attached without a Pod.
function csiVolume(listers: Listers, claim: PersistentVolumeClaim): { driver: string; volume: string } | undefined {
  const pv = getFrom(listers.persistentVolumes, "", claim.spec.volumeName ?? "");
  if (pv) return pv.spec.csi && { driver: pv.spec.csi.driver, volume: `${pv.spec.csi.driver}/${pv.spec.csi.volumeHandle}` };
  const driver = getFrom(listers.storageClasses, "", storageClassOf(claim))?.provisioner;
  return driver ? { driver, volume: `${driver}/claim ${claim.metadata.namespace ?? ""}/${claim.metadata.name ?? ""}` } : undefined;
}

function volumesOf(listers: Listers, pod: Pod): Map<string, string> {
  const volumes = new Map<string, string>();
  for (const { name } of podClaims(pod)) {
    const claim = getFrom(listers.persistentVolumeClaims, namespaceOf(pod), name);
    const found = claim && csiVolume(listers, claim);
    if (found) volumes.set(found.volume, found.driver);
  }
  return volumes;
}

/** A node attaches only so many volumes of a driver (CSINode.spec.drivers[].allocatable.count). */
export const nodeVolumeLimits = {
  name: "NodeVolumeLimits",

  preFilter: ({ pod }) => ({ status: podClaims(pod).length === 0 ? skip : success }),

  filter({ pod, snapshot }, node) {
    const { listers } = snapshot;
    const unknown = podClaims(pod).find(({ name }) => !getFrom(listers.persistentVolumeClaims, namespaceOf(pod), name));
    if (unknown) return unresolvable(`looking up PVC ${namespaceOf(pod)}/${unknown.name}: persistentvolumeclaim "${unknown.name}" not found`);
    const limits = (getFrom(listers.csiNodes, "", node.name)?.spec.drivers ?? []).flatMap((d) => (d.allocatable?.count === undefined ? [] : [[d.name, d.allocatable.count] as const]));
    if (limits.length === 0) return success;
    const wanted = volumesOf(listers, pod);
    const attached = new Map(node.pods.flatMap((info) => [...volumesOf(listers, info.pod)]));
    const count = (volumes: Iterable<string>, driver: string): number => [...volumes].filter((d) => d === driver).length;
    const fresh = [...wanted].filter(([volume]) => !attached.has(volume)).map(([, driver]) => driver);
    const exceeded = limits.some(([driver, limit]) => fresh.includes(driver) && count(attached.values(), driver) + count(fresh, driver) > limit);
    return exceeded ? unschedulable("node(s) exceed max volume count") : success;
  },
} satisfies Plugin;
