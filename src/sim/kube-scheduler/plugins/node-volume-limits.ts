// Models kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits/csi.go
import type { Pod, Volume } from "../../api/types.ts";
import { type CsiSource, driverOf, isMigratable, translated } from "../csi-translation.ts";
import { type Plugin, skip, success, unresolvable, unschedulable } from "../framework.ts";
import { type CSINode, getFrom, type Listers, type PersistentVolumeClaim } from "../listers.ts";
import { labelsOf, namespaceOf } from "../node-info.ts";
import { podClaims, storageClassOf } from "../volumes.ts";

/** getCSIDriverInfo: the volume behind a claim; a claim without one counts as one of its class's driver. */
function claimSource(listers: Listers, claim: PersistentVolumeClaim, csiNode: CSINode | undefined): CsiSource | undefined {
  const pv = getFrom(listers.persistentVolumes, "", claim.spec.volumeName ?? "");
  if (pv) {
    const zone = labelsOf(pv)["failure-domain.beta.kubernetes.io/zone"] || labelsOf(pv)["topology.kubernetes.io/zone"];
    return pv.spec.csi ?? translated(pv.spec, csiNode, zone);
  }
  const provisioner = getFrom(listers.storageClasses, "", storageClassOf(claim))?.provisioner;
  const driver = provisioner === undefined ? undefined : driverOf(provisioner, csiNode);
  return driver === undefined ? undefined : { driver, volumeHandle: `claim ${claim.metadata.namespace ?? ""}/${claim.metadata.name ?? ""}` };
}

/** filterAttachableVolumes: drivers by a unique name of the volume. */
function volumesOf(listers: Listers, pod: Pod, csiNode: CSINode | undefined): Map<string, string> {
  const claims = podClaims(pod).flatMap(({ name }) => getFrom(listers.persistentVolumeClaims, namespaceOf(pod), name) ?? []);
  const sources = [...claims.map((claim) => claimSource(listers, claim, csiNode)), ...(pod.spec.volumes ?? []).filter(isInline).map((volume) => translated(volume, csiNode))];
  return new Map(sources.flatMap((source) => (source ? [[`${source.driver}/${source.volumeHandle}`, source.driver] as const] : [])));
}

const isInline = (volume: Volume): boolean => !volume.persistentVolumeClaim && !volume.ephemeral && isMigratable(volume);

/** Is any of the Pod's volumes one that a driver attaches? */
export const hasAttachable = (pod: Pod): boolean => podClaims(pod).length > 0 || (pod.spec.volumes ?? []).some(isInline);

/** Disks that are attached to the node, be it that no Pod uses them (any more). */
function attachments(listers: Listers, nodeName: string): [string, string][] {
  return listers.volumeAttachments.flatMap(({ spec }): [string, string][] => {
    const pv = spec.nodeName === nodeName && spec.attacher ? getFrom(listers.persistentVolumes, "", spec.source?.persistentVolumeName ?? "") : undefined;
    return pv?.spec.csi ? [[`${spec.attacher ?? ""}/${pv.spec.csi.volumeHandle}`, spec.attacher ?? ""]] : [];
  });
}

/** A node attaches only so many volumes of a driver (CSINode.spec.drivers[].allocatable.count). */
export const nodeVolumeLimits = {
  name: "NodeVolumeLimits",

  preFilter: ({ pod }) => ({ status: hasAttachable(pod) ? success : skip }),

  filter({ pod, snapshot }, node) {
    const { listers } = snapshot;
    const unknown = podClaims(pod).find(({ name }) => !getFrom(listers.persistentVolumeClaims, namespaceOf(pod), name));
    if (unknown) return unresolvable(`looking up PVC ${namespaceOf(pod)}/${unknown.name}: persistentvolumeclaim "${unknown.name}" not found`);
    const csiNode = getFrom(listers.csiNodes, "", node.name);
    const limits = (csiNode?.spec.drivers ?? []).flatMap((d) => (d.allocatable?.count === undefined ? [] : [[d.name, d.allocatable.count] as const]));
    const wanted = volumesOf(listers, pod, csiNode);
    if (wanted.size === 0 || limits.length === 0) return success;
    const used = new Map(node.pods.flatMap((info) => [...volumesOf(listers, info.pod, csiNode)]));
    const fresh = [...wanted].filter(([volume]) => !used.has(volume)).map(([, driver]) => driver);
    const attached = new Map([...attachments(listers, node.name), ...used]);
    const count = (volumes: Iterable<string>, driver: string): number => [...volumes].filter((d) => d === driver).length;
    const exceeded = limits.some(([driver, limit]) => fresh.includes(driver) && count(attached.values(), driver) + count(fresh, driver) > limit);
    return exceeded ? unschedulable("node(s) exceed max volume count") : success;
  },
} satisfies Plugin;
