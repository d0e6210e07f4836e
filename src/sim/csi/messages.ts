// Models github.com/container-storage-interface/spec csi.proto v1.11
import type { MailId, Message } from "../kernel/types.ts";

export interface VolumeCapability {
  readonly mount: { readonly fs_type: string };
  readonly access_mode: { readonly mode: "SINGLE_NODE_WRITER" | "MULTI_NODE_READER_ONLY" | "MULTI_NODE_MULTI_WRITER" | "SINGLE_NODE_SINGLE_WRITER" };
}

type Topology = { readonly segments: Readonly<Record<string, string>> };

/** A call with the fields of its protobuf request. */
export type CsiCall =
  | { readonly method: "CreateVolume"; readonly body: { readonly name: string; readonly capacity_range: { readonly required_bytes: number }; readonly volume_capabilities: readonly VolumeCapability[]; readonly parameters: Readonly<Record<string, string>>; readonly accessibility_requirements?: { readonly preferred: readonly Topology[] } } }
  | { readonly method: "DeleteVolume"; readonly body: { readonly volume_id: string } }
  | { readonly method: "ControllerExpandVolume"; readonly body: { readonly volume_id: string; readonly capacity_range: { readonly required_bytes: number }; readonly volume_capability: VolumeCapability } }
  | { readonly method: "ControllerPublishVolume"; readonly body: { readonly volume_id: string; readonly node_id: string; readonly volume_capability: VolumeCapability; readonly readonly: boolean; readonly volume_context: Readonly<Record<string, string>> } }
  | { readonly method: "ControllerUnpublishVolume"; readonly body: { readonly volume_id: string; readonly node_id: string } }
  | { readonly method: "NodeStageVolume"; readonly body: { readonly volume_id: string; readonly staging_target_path: string; readonly volume_capability: VolumeCapability; readonly volume_context: Readonly<Record<string, string>> } }
  | { readonly method: "NodePublishVolume"; readonly body: { readonly volume_id: string; readonly staging_target_path: string; readonly target_path: string; readonly volume_capability: VolumeCapability; readonly readonly: boolean; readonly volume_context?: Readonly<Record<string, string>> } }
  | { readonly method: "NodeUnpublishVolume"; readonly body: { readonly volume_id: string; readonly target_path: string } }
  | { readonly method: "NodeUnstageVolume"; readonly body: { readonly volume_id: string; readonly staging_target_path: string } };

/** One gRPC call to the driver's or the node plugin's socket. */
export interface CsiRequest extends Message {
  readonly type: "csi.request";
  readonly csi: CsiCall;
}

export interface CreatedVolume {
  readonly volume_id: string;
  readonly capacity_bytes: number;
  readonly accessible_topology?: readonly Topology[];
}

/** The answer to one call. `error` is the gRPC error as clients print it: "rpc error: code = ... desc = ...". */
export interface CsiResponse extends Message {
  readonly type: "csi.response";
  readonly request: MailId;
  readonly error?: string;
  readonly volume?: CreatedVolume;
  readonly expanded?: { readonly capacity_bytes: number; readonly node_expansion_required: boolean };
}

export const rpcError = (code: string, text: string): string => `rpc error: code = ${code} desc = ${text}`;

/** The node reads the disk it has attached. */
export interface DiskReadRequest extends Message {
  readonly type: "disk.read.request";
  readonly handle: string;
}

export interface DiskReadResponse extends Message {
  readonly type: "disk.read.response";
  readonly request: MailId;
  readonly files: Readonly<Record<string, string>>;
}

/** The node writes what a program has changed. */
export interface DiskWrite extends Message {
  readonly type: "disk.write";
  readonly handle: string;
  readonly files: Readonly<Record<string, string>>;
}
