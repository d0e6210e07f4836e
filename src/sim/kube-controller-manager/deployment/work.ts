// Models kubernetes/pkg/controller/deployment/sync.go: what a sync of a Deployment carries from answer to answer
import type { Deployment, ReplicaSet } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Note } from "../../kernel/types.ts";
import type { Enqueue } from "../controller.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { findNewReplicaSet, ROLLBACK_TO } from "./replica-sets.ts";
import type { Scaling } from "./rolling.ts";
import type { DeploymentStatus } from "./status.ts";

export type Mode = "RollingUpdate" | "Recreate" | "scale" | "rollback" | "status";
export type StepName = "pause" | "probe" | "decide" | "new" | "create" | "revision" | "rollback" | "scale-new" | "scale-old" | "scale-all" | "wait" | "scaling" | "cleanup" | "deleting" | "status";

/** A sync in progress: what it has read and written so far, and where it stands. Plain data. */
export interface Work {
  readonly step: StepName;
  readonly mode: Mode;
  /** As read, with what this sync has set since: its resourceVersion stays the one read, so that a second write conflicts. */
  readonly d: Deployment;
  /** As read. */
  readonly sets: readonly ReplicaSet[];
  /** The one with the present template, as read, written or made last. */
  readonly newRS: ReplicaSet | undefined;
  /** The call under way makes the new ReplicaSet; it was made by this sync. */
  readonly creates: boolean;
  readonly made: boolean;
  /** What comes after the step "revision". */
  readonly next: StepName;
  /** What the server answered to changes of sizes. */
  readonly scaled: readonly ReplicaSet[];
  readonly scalings: readonly Scaling[];
  /** What "scaling" leads to. */
  readonly afterScaling: StepName;
  /** Old ReplicaSets still to be deleted. */
  readonly surplus: readonly ReplicaSet[];
  /** Uids of ReplicaSets with Pods that have not ended. */
  readonly running: readonly string[];
  readonly wrote: boolean;
  /** What the status under way means, to be said when it is written. */
  readonly told?: Note;
  /** The step whose call is under way. */
  readonly asked: StepName;
}

export interface StepResult {
  readonly work: Work;
  readonly calls?: readonly ApiCall[];
  readonly notes?: readonly Note[];
  readonly events?: readonly EventToRecord[];
  readonly enqueue?: readonly Enqueue[];
  readonly done?: true;
  /** Nothing follows this write. */
  readonly last?: true;
}

/** A ReplicaSet of the Deployment's namespace in the cache. */
export type Lookup = (name: string) => ReplicaSet | undefined;

export const nameOf = (object: { readonly metadata: { readonly name?: string } }): string => object.metadata.name ?? "";

/** All but the one with the present template, as they were read. */
export function oldOf({ d, sets }: Pick<Work, "d" | "sets">): readonly ReplicaSet[] {
  const uid = findNewReplicaSet(d, sets)?.metadata.uid;
  return sets.filter((rs) => rs.metadata.uid !== uid);
}

export const statusCall = (d: Deployment, status: DeploymentStatus): ApiCall => ({ method: "PUT", path: `${objectPath(d)}/status`, body: { ...d, status }, subject: subjectOf(d) });

export const scaledEvent = (d: Deployment, name: string, from: number, to: number): EventToRecord => ({ object: d, type: "Normal", reason: "ScalingReplicaSet", message: `Scaled ${to > from ? "up" : "down"} replica set ${name} from ${from} to ${to}` });

/** getRollbackTo: the revision that the deprecated annotation asks for, 0 for the last one; what is no number asks for nothing. */
export function rollbackTo({ metadata }: Deployment): number | undefined {
  const text = metadata.annotations?.[ROLLBACK_TO] ?? "";
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}
