/** A key of a work queue, and what is to be known of it. */
export interface QueuedKey {
  readonly key: string;
  /** When it is added again; absent for one that is due. */
  readonly at?: number;
  /** Failures in a row. */
  readonly failures: number;
}

/** One controller inside the process. */
export interface ControllerView {
  readonly id: string;
  readonly workers: number;
  readonly working: readonly string[];
  readonly queued: readonly QueuedKey[];
  /** Added when their time comes: retries, and what was put off. */
  readonly later: readonly QueuedKey[];
  readonly caches: number;
  readonly objects: number;
  /** The newest resource version among its caches; "" before they are filled. */
  readonly resourceVersion: string;
  readonly ready: boolean;
}

/** kube-controller-manager: who leads, and what its controllers have to do. */
export interface ManagerView {
  readonly identity: string;
  readonly leads: boolean;
  readonly holder: string;
  readonly renewed: string;
  readonly running: boolean;
  readonly starts: number;
  readonly controllers: readonly ControllerView[];
}
