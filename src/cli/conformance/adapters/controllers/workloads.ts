import { parseRfc3339, rfc3339 } from "../../../../sim/api/time.ts";
import type { Deployment, IntOrString, Pod, ReplicaSet } from "../../../../sim/api/types.ts";
import { mostRecentScheduleTime, type CronJobLike } from "../../../../sim/kube-controller-manager/cronjob/utils.ts";
import { parseSchedule } from "../../../../sim/kube-controller-manager/cronjob/schedule.ts";
import { DESIRED_REPLICAS, MAX_REPLICAS, maxSurge, maxUnavailable, newRSNewReplicas, reconcileNewSize, reconcileOldSizes, replicasOf, resolveFenceposts, scaleSizes } from "../../../../sim/kube-controller-manager/deployment/rolling.ts";
import { remainingBackoff } from "../../../../sim/kube-controller-manager/job/backoff.ts";
import { deletionOrder, podsToDelete } from "../../../../sim/kube-controller-manager/replicaset/ranking.ts";
import { slowStart } from "../../../../sim/kube-controller-manager/slow-start.ts";
import { EMPTY_QUEUE, rateLimit } from "../../../../sim/client-go/workqueue.ts";
import type { Adapter } from "../../adapter.ts";

interface RsInput {
  readonly name?: string;
  readonly replicas: number;
  readonly availableReplicas?: number;
  readonly age?: number;
}

interface RollingInput {
  readonly strategy?: string;
  readonly replicas: number;
  readonly maxSurge?: IntOrString | null;
  readonly maxUnavailable?: IntOrString | null;
  readonly previousReplicas?: number;
  readonly previousMaxSurge?: number;
  readonly newReplicaSet?: RsInput | null;
  readonly oldReplicaSet?: RsInput;
  readonly oldReplicaSets?: readonly RsInput[];
  readonly oldReplicaSetReplicas?: number;
  readonly newReplicaSetReplicas?: number;
  readonly totalReplicasAcrossReplicaSets?: number;
}

function deployment(input: RollingInput): Deployment {
  const rollingUpdate = { ...(input.maxSurge === null || input.maxSurge === undefined ? {} : { maxSurge: input.maxSurge }), ...(input.maxUnavailable === null || input.maxUnavailable === undefined ? {} : { maxUnavailable: input.maxUnavailable }) };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "foo" }, spec: { replicas: input.replicas, selector: {}, template: { spec: { containers: [] } }, strategy: { type: input.strategy ?? "RollingUpdate", rollingUpdate } } };
}

function replicaSet(rs: RsInput, annotations: Record<string, string> = {}): ReplicaSet {
  // A larger age is an older set.
  const creationTimestamp = rfc3339(-(rs.age ?? 0) * 60_000_000);
  return { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name: rs.name ?? "rs", uid: rs.name ?? "rs", creationTimestamp, annotations }, spec: { replicas: rs.replicas, selector: {} }, status: { replicas: rs.replicas, availableReplicas: rs.availableReplicas ?? 0 } };
}

function proportional(input: RollingInput): unknown {
  const annotations = { [DESIRED_REPLICAS]: String(input.previousReplicas ?? 0), [MAX_REPLICAS]: String((input.previousReplicas ?? 0) + (input.previousMaxSurge ?? 0)) };
  const newRS = input.newReplicaSet ? replicaSet(input.newReplicaSet, annotations) : undefined;
  const old = (input.oldReplicaSets ?? []).map((rs) => replicaSet(rs, annotations));
  const sizes = new Map([...(newRS ? [newRS] : []), ...old].map((rs) => [rs.metadata.name ?? "", replicasOf(rs)]));
  for (const { name, to } of scaleSizes(deployment(input), newRS, old)) sizes.set(name, to);
  return { replicaSets: Object.fromEntries(sizes) };
}

function oldStep(input: RollingInput, oldRS: RsInput): unknown {
  const newRS = replicaSet({ name: "new", ...(input.newReplicaSet ?? { replicas: 0 }) });
  const old = replicaSet({ name: "old", ...oldRS });
  const scalings = reconcileOldSizes(deployment(input), [old, newRS], [old], newRS);
  return { scaled: scalings.length > 0, oldReplicaSetReplicas: scalings.at(-1)?.to ?? oldRS.replicas };
}

function rollingMath(raw: unknown): unknown {
  const input = raw as RollingInput;
  const d = deployment(input);
  if (input.previousReplicas !== undefined) return proportional(input);
  if (input.oldReplicaSet) return oldStep(input, input.oldReplicaSet);
  if (input.totalReplicasAcrossReplicaSets !== undefined) return { newReplicaSetReplicas: newRSNewReplicas(d, input.totalReplicasAcrossReplicaSets, input.newReplicaSetReplicas ?? 0) };
  if (input.newReplicaSetReplicas !== undefined) {
    const newRS = replicaSet({ name: "new", replicas: input.newReplicaSetReplicas });
    const to = reconcileNewSize(d, [replicaSet({ name: "old", replicas: input.oldReplicaSetReplicas ?? 0 }), newRS], newRS);
    return { scaled: to !== input.newReplicaSetReplicas, newReplicaSetReplicas: to };
  }
  const { surge, unavailable } = resolveFenceposts(input.maxSurge ?? undefined, input.maxUnavailable ?? undefined, input.replicas);
  return { surge, unavailable, maxUnavailable: maxUnavailable(d), maxSurge: maxSurge(d) };
}

interface RankingInput {
  readonly now?: string;
  readonly pods: readonly Pod[];
  readonly relatedPods?: readonly Pod[];
  readonly deleteCount?: number;
  readonly ranks?: Readonly<Record<string, number>>;
}

function ranking(raw: unknown): unknown {
  const { now: text, pods, relatedPods, deleteCount, ranks } = raw as RankingInput;
  const now = text === undefined ? undefined : parseRfc3339(text);
  const name = (pod: Pod | undefined): string => pod?.metadata.name ?? "";
  if (deleteCount !== undefined) return { deleteInOrder: podsToDelete(pods, relatedPods ?? pods, deleteCount, now).map(name) };
  const rank = (pod: Pod): number => ranks?.[name(pod)] ?? 1;
  const sorted = [...pods].sort((a, b) => deletionOrder(a, b, rank(a), rank(b), now)).map(name);
  return { deletedFirst: sorted[0], deleteInOrder: sorted };
}

interface CronInput {
  readonly cronJob: CronJobLike & { readonly spec: { readonly schedule: string } };
  readonly now: string;
  readonly includeStartingDeadlineSeconds: boolean;
}

function cronSchedule(raw: unknown): unknown {
  const { cronJob, now, includeStartingDeadlineSeconds } = raw as CronInput;
  const schedule = parseSchedule(cronJob.spec.schedule);
  if (!schedule) return { error: true };
  const result = mostRecentScheduleTime(cronJob, parseRfc3339(now), schedule, includeStartingDeadlineSeconds);
  return { earliestTime: rfc3339(result.earliest), mostRecentScheduleTime: result.mostRecent === undefined ? null : rfc3339(result.mostRecent), missedSchedules: result.missed };
}

function jobBackoff(raw: unknown): unknown {
  const input = raw as { failuresAfterLastSuccess: number; secondsSinceLastFailure: number | null; defaultBackoffSeconds: number; maxBackoffSeconds: number };
  return { remainingSeconds: remainingBackoff(input.failuresAfterLastSuccess, (input.secondsSinceLastFailure ?? 0) * 1e6, input.defaultBackoffSeconds * 1e6, input.maxBackoffSeconds * 1e6) / 1e6 };
}

function queueDelays(raw: unknown): unknown {
  const input = raw as { baseDelayMs: number; maxDelayMs: number; calls: readonly string[] };
  let queue = EMPTY_QUEUE;
  const delaysMs = input.calls.map((key) => {
    const limited = rateLimit(queue, key, 0, input.baseDelayMs * 1000, input.maxDelayMs * 1000);
    queue = limited.queue;
    return limited.delay / 1000;
  });
  return { delaysMs, numRequeues: Object.fromEntries(queue.failures.sorted()) };
}

function slowStartCase(raw: unknown): unknown {
  const input = raw as { count: number; initialBatchSize: number; successfulCallLimit: number };
  return slowStart(input.count, input.initialBatchSize, (index) => index < input.successfulCallLimit);
}

export const workloadAdapters: readonly Adapter[] = [
  { kind: "deployment-rollingMath", run: rollingMath },
  { kind: "replicaset-deletionRanking", run: ranking },
  { kind: "replicaset-slowStart", run: slowStartCase },
  { kind: "cronjob-schedule", run: cronSchedule },
  { kind: "job-backoff", run: jobBackoff },
  { kind: "workqueue-ratelimit", run: queueDelays },
];
