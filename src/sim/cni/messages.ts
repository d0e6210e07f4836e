// Models github.com/containernetworking/cni SPEC.md 1.1.0
import type { MailId, Message } from "../kernel/types.ts";

export interface NetworkConfig {
  readonly cniVersion: string;
  readonly name: string;
  readonly plugins: readonly Readonly<Record<string, unknown>>[];
}

/** One run of the plugin chain: the environment and, on stdin, the configuration. */
export interface CniRequest extends Message {
  readonly type: "cni.request";
  readonly env: {
    readonly CNI_COMMAND: "ADD" | "DEL";
    readonly CNI_CONTAINERID: string;
    readonly CNI_NETNS: string;
    readonly CNI_IFNAME: string;
    readonly CNI_ARGS: string;
    readonly CNI_PATH: string;
  };
  readonly config: NetworkConfig;
  readonly portMappings: readonly { readonly hostPort: number; readonly containerPort: number; readonly protocol: string }[];
}

export interface CniResult {
  readonly cniVersion: string;
  readonly interfaces: readonly { readonly name: string; readonly mac: string; readonly mtu?: number; readonly sandbox?: string }[];
  readonly ips: readonly { readonly address: string; readonly gateway: string; readonly interface: number }[];
  readonly routes: readonly { readonly dst: string; readonly gw?: string }[];
  readonly dns: Record<string, never>;
}

export interface CniError {
  readonly cniVersion: string;
  readonly code: number;
  readonly msg: string;
  readonly details?: string;
}

/** stdout of the chain and its exit code. */
export interface CniResponse extends Message {
  readonly type: "cni.response";
  readonly request: MailId;
  readonly exitCode: number;
  readonly result?: CniResult;
  readonly error?: CniError;
  /** Which plugin of the chain failed. */
  readonly plugin?: string;
}
