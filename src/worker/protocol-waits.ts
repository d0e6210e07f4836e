/** What is waited for. What each is, by which rule and what ends it early: content/waits.ts. */
export type WaitKind =
  | "crash-loop"
  | "image-pull"
  | "pod-worker"
  | "grace"
  | "volume"
  | "probe"
  | "initial-delay"
  | "scheduler-backoff"
  | "unschedulable"
  | "gate"
  | "toleration"
  | "node-grace"
  | "node-taint"
  | "node-lease"
  | "leader-lease"
  | "leader-candidate"
  | "restart"
  | "job-backoff"
  | "attach"
  | "work-queue";

/** Something that waits at a time, as the state of the component that makes it wait has it. Times in microseconds. */
export interface WaitView {
  /** The same for as long as this wait lasts. */
  readonly id: string;
  readonly kind: WaitKind;
  /** What waits: an object's key in the store, or a component's id. */
  readonly about: string;
  /** Its name, and which part of it: "default/web", "container app". */
  readonly name: string;
  readonly part: string;
  /** In whose state it stands. */
  readonly component: string;
  /** Undefined where nobody has written down when it began. */
  readonly since?: number;
  /** When it ends; undefined where no timer ends it, or the one that would is lost. */
  readonly until?: number;
  /** Why there is no `until`. */
  readonly openBecause?: string;
  /** The waits that it can have, shortest first. Empty where there is only this one. */
  readonly ladder: readonly number[];
  /** Index into `ladder`; undefined where the present wait is none of them. */
  readonly rung?: number;
  /** What happens by it, and when, if that is not at `until` itself: the Pod worker wakes, the next look finds it. */
  readonly effect?: { readonly at: number; readonly what: string };
  /** Outcomes in a row of those that are needed: a probe's. */
  readonly count?: { readonly at: number; readonly of: number; readonly what: string };
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** How much it matters to who looks at its subject on the stage: 0 not at all. */
  readonly weight: number;
}
