// Models kubernetes-csi/csi-lib-utils accessmodes
import type { AccessMode } from "../api/storage.ts";
import type { VolumeCapability } from "./messages.ts";

const MODES = { ReadWriteOnce: "SINGLE_NODE_WRITER", ReadOnlyMany: "MULTI_NODE_READER_ONLY", ReadWriteMany: "MULTI_NODE_MULTI_WRITER", ReadWriteOncePod: "SINGLE_NODE_SINGLE_WRITER" } as const;

/** What CSI calls an access mode of Kubernetes. */
export const capability = (mode: AccessMode, fsType = "ext4"): VolumeCapability => ({ mount: { fs_type: fsType }, access_mode: { mode: MODES[mode] } });
