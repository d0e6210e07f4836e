// Models kubernetes/pkg/scheduler/framework/plugins/volumezone/volume_zone.go
import { type Plugin, skip, type StateKey, success, unresolvable } from "../framework.ts";
import { getFrom, type PersistentVolume } from "../listers.ts";
import { labelsOf, namespaceOf } from "../node-info.ts";
import { storageClassOf } from "../volumes.ts";

interface Topology {
  readonly key: string;
  readonly values: readonly string[];
}

const GA_KEYS: readonly (readonly [string, string])[] = [
  ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
  ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
];
const KEYS = GA_KEYS.flat();
const topologiesKey: StateKey<readonly Topology[]> = { name: "PreFilterVolumeZone" };

// A volume that spans zones lists them with this separator.
export const topologiesOf = (volume: PersistentVolume): Topology[] =>
  KEYS.flatMap((key) => {
    const label = labelsOf(volume)[key];
    return label === undefined ? [] : [{ key, values: label.split("__") }];
  });

/** Volumes that carry zone labels (made before node affinity existed) keep their Pods in that zone. */
export const volumeZone = {
  name: "VolumeZone",

  preFilter({ pod, snapshot, state }) {
    const { persistentVolumeClaims, persistentVolumes, storageClasses } = snapshot.listers;
    const topologies: Topology[] = [];
    for (const volume of pod.spec.volumes ?? []) {
      const name = volume.persistentVolumeClaim?.claimName;
      if (name === undefined) continue;
      if (name === "") return { status: unresolvable("PersistentVolumeClaim had no name") };
      const claim = getFrom(persistentVolumeClaims, namespaceOf(pod), name);
      if (!claim) return { status: unresolvable(`persistentvolumeclaim "${name}" not found`) };
      const pvName = claim.spec.volumeName;
      if (!pvName) {
        const className = storageClassOf(claim);
        if (className === "") return { status: unresolvable("PersistentVolumeClaim had no pv name and storageClass name") };
        const storageClass = getFrom(storageClasses, "", className);
        if (!storageClass) return { status: unresolvable(`storageclass.storage.k8s.io "${className}" not found`) };
        if (!storageClass.volumeBindingMode) return { status: unresolvable(`VolumeBindingMode not set for StorageClass "${className}"`) };
        if (storageClass.volumeBindingMode === "WaitForFirstConsumer") continue;
        return { status: unresolvable("PersistentVolume had no name") };
      }
      const pv = getFrom(persistentVolumes, "", pvName);
      if (!pv) return { status: unresolvable(`persistentvolume "${pvName}" not found`) };
      topologies.push(...topologiesOf(pv));
    }
    if (topologies.length === 0) return { status: skip };
    state.write(topologiesKey, topologies);
    return { status: success };
  },

  filter({ state }, { node }) {
    const labels = labelsOf(node);
    if (!KEYS.some((key) => labels[key] !== undefined)) return success;
    const fits = (state.read(topologiesKey) ?? []).every(({ key, values }) => {
      const label = labels[key] ?? labels[GA_KEYS.find(([beta]) => beta === key)?.[1] ?? key];
      return label !== undefined && values.includes(label);
    });
    return fits ? success : unresolvable("node(s) had no available volume zone");
  },
} satisfies Plugin;
