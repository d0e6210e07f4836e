// Models the volume plugins of kubernetes/pkg/volume: their names and directories
import type { Volume } from "../api/types.ts";
import type { VolumeState } from "./state.ts";

const KINDS = ["emptyDir", "configMap", "secret", "projected", "downwardAPI", "hostPath", "image", "persistentVolumeClaim", "ephemeral", "csi", "nfs"];

export const kindOf = (volume: Volume): string => KINDS.find((kind) => kind in volume) ?? "unknown";

/** Their volume is that of a claim, which is resolved first. */
export const CLAIM_KINDS: ReadonlySet<string> = new Set(["persistentVolumeClaim", "ephemeral"]);
/** The kubelet exchanges all their files at once, and nobody else may write to them. */
export const ATOMIC_KINDS: ReadonlySet<string> = new Set(["configMap", "secret", "projected", "downwardAPI"]);
/** Set up by the kubelet alone, or with one mount. */
export const MADE_HERE: ReadonlySet<string> = new Set([...ATOMIC_KINDS, "emptyDir", "hostPath", "image", "nfs", "csi"]);

const PLUGINS: Readonly<Record<string, string>> = { emptyDir: "empty-dir", configMap: "configmap", downwardAPI: "downward-api" };

/** The directory of a Pod's volume, as mounts show it. */
export function volumeDirectory(uid: string, name: string, kind: string, claim: VolumeState["claim"]): string {
  if (claim !== undefined) return claim.target === "" ? claim.path : claim.target;
  return `/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~${PLUGINS[kind] ?? kind}/${name}`;
}
