// Models kubernetes/pkg/controller/statefulset/stateful_set_control.go (updateStatefulSet): Pods in turn, or in growing batches
import type { Pod, PodTemplateSpec } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import type { Answer } from "../controller.ts";
import { aggregate } from "../controller-ref.ts";
import { subjectOf } from "../resources.ts";
import { isCondemned, isTerminating, isUnavailable, newStatefulPod, ordinalOf, replicasOf, revisionOf, startOf, type StatefulSet } from "./identity.ts";
import { condemnedTask, deleteTask, fixTask, type PodTask, replicaTask, type Round, runTask, taskAnswered, type TaskStep } from "./pod-task.ts";

/** First the wanted Pods, then claims of those too many, then these themselves, then Pods of an old template. */
type Phase = "replicas" | "fix" | "condemned" | "rollout" | "over";
const AFTER: Readonly<Record<Phase, Phase>> = { replicas: "fix", fix: "condemned", condemned: "rollout", rollout: "over", over: "over" };
const TASKS = { replicas: replicaTask, fix: fixTask, condemned: condemnedTask, rollout: deleteTask } as const;
/** In parallel at most so many at once. */
const MAX_BATCH = 500;

/** The Pods of a set and how far a sync has come with them. Plain data. */
export interface Rounds {
  readonly round: Round;
  /** By ordinal; those that are not there as they must be made. */
  readonly replicas: readonly Pod[];
  /** Highest ordinal first. */
  readonly condemned: readonly Pod[];
  readonly update: string;
  readonly phase: Phase;
  readonly position: number;
  readonly size: number;
  readonly batch: readonly PodTask[];
  /** Tasks of the batch that wait for an answer, in the order of their requests. */
  readonly waiting: readonly number[];
  /** Pods of an old template that were deleted: they count as gone already. */
  readonly replaced: number;
  readonly error?: string;
}

export interface RoundsStep {
  readonly rounds: Rounds;
  readonly calls: readonly ApiCall[];
  readonly wait?: Micros;
  readonly events: readonly EventToRecord[];
  readonly notes: readonly Note[];
}

export interface Templates {
  readonly current: string;
  readonly update: string;
  /** Of the current revision. */
  readonly template: PodTemplateSpec;
}

/** newVersionedStatefulSetPod: below the partition, or as long as the current revision has not that many Pods, the old template is used. */
function newPod(set: StatefulSet, ordinal: number, { current, update, template }: Templates): Pod {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  const kept = rollingUpdate !== undefined ? (rollingUpdate.partition ?? 0) : type === "RollingUpdate" ? (set.status?.currentReplicas ?? 0) : 0;
  return ordinal < startOf(set) + kept ? newStatefulPod(set, ordinal, template, current) : newStatefulPod(set, ordinal, set.spec.template, update);
}

export function startRounds(set: StatefulSet, pods: readonly Pod[], templates: Templates, view: View): Rounds {
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]));
  const replicas = Array.from({ length: replicasOf(set) }, (_, i) => byOrdinal.get(startOf(set) + i) ?? newPod(set, startOf(set) + i, templates));
  const condemned = pods.filter((pod) => ordinalOf(pod) >= 0 && isCondemned(set, ordinalOf(pod))).sort((a, b) => ordinalOf(b) - ordinalOf(a));
  const first = [...replicas, ...condemned.toReversed()].find((pod) => isUnavailable(set, pod, view.now))?.metadata.name;
  const monotonic = set.spec.podManagementPolicy !== "Parallel";
  return { round: { set, monotonic, ...(first === undefined ? {} : { firstUnavailable: first }) }, replicas, condemned, update: templates.update, phase: "replicas", position: 0, size: 1, batch: [], waiting: [], replaced: 0 };
}

/** From the highest ordinal down to the partition one Pod of another revision goes, unless one above it is not available yet. */
function toReplace({ round: { set }, replicas, update }: Rounds, view: View): readonly Pod[] {
  if (set.spec.updateStrategy?.type === "OnDelete") return [];
  const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  for (const pod of replicas.slice(partition).toReversed()) {
    if (revisionOf(pod) !== update && !isTerminating(pod)) return [pod];
    if (isUnavailable(set, pod, view.now)) return [];
  }
  return [];
}

function podsOf(rounds: Rounds, view: View): readonly Pod[] {
  return rounds.phase === "replicas" ? rounds.replicas : rounds.phase === "rollout" ? toReplace(rounds, view) : rounds.condemned;
}

const over = (rounds: Rounds): Rounds => ({ ...rounds, phase: "over", batch: [], waiting: [] });

/** The next batch of the phase, or the next phase. */
function nextBatch(rounds: Rounds, view: View): Rounds {
  if (rounds.phase === "over") return rounds;
  const pods = podsOf(rounds, view);
  const left = pods.length - rounds.position;
  if (left <= 0) return { ...rounds, phase: AFTER[rounds.phase], position: 0, size: 1 };
  const size = rounds.round.monotonic ? 1 : Math.min(rounds.size, left, MAX_BATCH);
  return { ...rounds, batch: pods.slice(rounds.position, rounds.position + size).map(TASKS[rounds.phase]), position: rounds.position + size, size: 2 * size };
}

/** The tasks of a batch have come to their end: an error ends the sync; in order, one Pod that is not as it should be holds up all others. */
function batchDone(rounds: Rounds): Rounds {
  const errors = rounds.batch.flatMap(({ error }) => error ?? []);
  const error = aggregate(errors);
  const replaced = rounds.phase === "rollout" && error === undefined ? rounds.batch.length : 0;
  const next: Rounds = { ...rounds, batch: [], replaced: rounds.replaced + replaced };
  if (error !== undefined) return { ...over(next), error };
  return rounds.phase === "rollout" || (rounds.round.monotonic && rounds.batch.some((task) => task.exit)) ? over(next) : next;
}

/**
 * Goes on until requests are due or the Pods are done with.
 * Simplified: in parallel upstream's Pods do not wait for each other; here the next requests of a batch go out when all are answered.
 */
export function advance(start: Rounds, view: View): RoundsStep {
  let rounds = start;
  const events: EventToRecord[] = [];
  while (rounds.phase !== "over") {
    if (rounds.batch.length === 0) {
      rounds = nextBatch(rounds, view);
      continue;
    }
    const steps = rounds.batch.map((task): TaskStep => runTask(rounds.round, task, view));
    events.push(...steps.flatMap((step) => step.events));
    rounds = { ...rounds, batch: steps.map(({ task }) => task) };
    const waiting = steps.flatMap(({ call }, i) => (call === undefined ? [] : [i]));
    if (waiting.length === 0) {
      rounds = batchDone(rounds);
      continue;
    }
    const wait = Math.max(...steps.map((step) => step.wait ?? 0));
    const calls = steps.flatMap(({ call }) => call ?? []);
    return { rounds: { ...rounds, waiting }, calls, ...(wait > 0 ? { wait } : {}), events, notes: notesOf(rounds.round, calls) };
  }
  return { rounds, calls: [], events, notes: [] };
}

/** Takes in the answers to the requests of `advance`. */
export function roundsAnswered(rounds: Rounds, answers: readonly Answer[], view: View): { readonly rounds: Rounds; readonly events: readonly EventToRecord[] } {
  const events: EventToRecord[] = [];
  const batch = [...rounds.batch];
  rounds.waiting.forEach((index, i) => {
    const task = batch[index];
    const answer = answers[i];
    if (task === undefined || answer === undefined) return;
    const step = taskAnswered(rounds.round, task, answer, view);
    batch[index] = step.task;
    events.push(...step.events);
  });
  return { rounds: { ...rounds, batch, waiting: [] }, events };
}

const VERBS: Readonly<Record<string, string>> = { POST: "creates", PUT: "repairs", DELETE: "deletes" };

function notesOf({ set, monotonic }: Round, calls: readonly ApiCall[]): readonly Note[] {
  const told = calls.map((call) => `${VERBS[call.method] ?? call.method} ${call.subject?.split("/").at(-1) ?? ""}`);
  return [{ text: `statefulset-controller ${told.slice(0, 3).join(", ")}${told.length > 3 ? ` and ${told.length - 3} more` : ""}`, why: monotonic ? "one Pod at a time, in order of the ordinals" : "podManagementPolicy Parallel: no waiting", level: "basic", subject: subjectOf(set) }];
}
