// Models github.com/opencontainers/distribution-spec
import type { MailId, Message } from "../kernel/types.ts";

/** One HTTP request of the pull: the manifest by tag, then the config and each layer by digest. */
export interface RegistryRequest extends Message {
  readonly type: "registry.request";
  readonly kind: "manifest" | "config" | "layer";
  /** "docker.io/library/nginx" */
  readonly repository: string;
  readonly reference: string;
  readonly digest?: string;
  readonly size?: number;
  /** Basic credentials, "user:password", exchanged for a token. */
  readonly auth?: string;
}

export interface Layer {
  readonly digest: string;
  /** Compressed bytes. */
  readonly size: number;
}

export interface Manifest {
  readonly repository: string;
  readonly reference: string;
  readonly digest: string;
  readonly configDigest: string;
  readonly layers: readonly Layer[];
  /** USER of the image config: "" is root. */
  readonly user: string;
  /** What its programs are built for; absent: an index has one for every platform. */
  readonly architecture?: string;
}

/** Bytes of a large layer have arrived: it will take longer, but it comes. */
export interface RegistryProgress extends Message {
  readonly type: "registry.progress";
  readonly request: MailId;
  readonly received: number;
}

/** `error` is what the client prints: a status, or what the network said. */
export interface RegistryResponse extends Message {
  readonly type: "registry.response";
  readonly request: MailId;
  readonly status: number;
  readonly manifest?: Manifest;
  readonly error?: string;
}
