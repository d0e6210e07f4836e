// Models kubernetes/pkg/registry/core/pod/storage/eviction.go
import { matchesLabelSelector } from "../../api/labels.ts";
import { etcdKey, resourceForKind } from "../../api/schema/resources.ts";
import { failure, newUnknownServerError } from "../../api/status-errors.ts";
import { rfc3339 } from "../../api/time.ts";
import type { Condition, KubeObject, LabelSelector, Pod, Status } from "../../api/types.ts";
import { askEtcd, objectSubject, type Run } from "../state.ts";
import { listObjects } from "../watch-cache/lookup.ts";
import { decodeValue } from "./metadata.ts";
import { isDryRunDelete } from "./delete-options.ts";

interface Budget extends KubeObject {
  readonly spec?: { readonly selector?: LabelSelector; readonly unhealthyPodEvictionPolicy?: string };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly disruptedPods?: Readonly<Record<string, string>>;
    readonly conditions?: readonly Condition[];
  };
}

const isReady = (pod: Pod): boolean => pod.status?.conditions?.some((entry) => entry.type === "Ready" && entry.status === "True") ?? false;

/** Pods that have ended, do not run yet or go already cause no disruption. */
const isBeyondBudgets = ({ metadata, status }: Pod): boolean => metadata.deletionTimestamp !== undefined || status?.phase === "Succeeded" || status?.phase === "Failed" || status?.phase === "Pending";

/** A Pod that is not ready may go if its budget is met without it, or says so. */
function mayGoUnready({ spec, status }: Budget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  return (status?.desiredHealthy ?? 0) > 0 && (status?.currentHealthy ?? 0) >= (status?.desiredHealthy ?? 0);
}

function blocked(cause: string, retryAfterSeconds = 0): Status {
  return failure(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", { causes: [{ reason: "DisruptionBudget", message: cause }], ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }) });
}

function refusal({ metadata, status }: Budget): Status | undefined {
  const budget = `The disruption budget ${metadata.name ?? ""}`;
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) return blocked(`${budget} is still being processed by the server.`, 10);
  if ((status?.disruptionsAllowed ?? 0) > 0) return undefined;
  const condition = status?.conditions?.find((entry) => entry.type === "DisruptionAllowed" && entry.status === "False" && (entry.message ?? "") !== "");
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  if (condition?.reason === "SyncFailed") return blocked(`${budget} does not allow evicting pods currently because it failed sync: ${condition.message ?? ""}`);
  if (currentHealthy <= desiredHealthy) return blocked(`${budget} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`);
  return blocked(`${budget} does not allow evicting pods currently${condition ? ` (${condition.reason ?? ""}): ${condition.message ?? ""}` : ""}`);
}

/** The budget with one disruption less, which names the Pod so that it does not count as healthy any more. */
function spent(budget: Budget, pod: string, now: number): Budget {
  const { status = {} } = budget;
  const left = (status.disruptionsAllowed ?? 0) - 1;
  const none: Condition = { type: "DisruptionAllowed", status: "False", observedGeneration: status.observedGeneration ?? 0, lastTransitionTime: rfc3339(now), reason: "InsufficientPods", message: "" };
  const conditions = left > 0 ? status.conditions : [...(status.conditions ?? []).filter((entry) => entry.type !== "DisruptionAllowed"), none];
  return { ...budget, status: { ...status, disruptionsAllowed: left, disruptedPods: { ...status.disruptedPods, [pod]: rfc3339(now) }, ...(conditions === undefined ? {} : { conditions }) } };
}

/**
 * Whether the Pod may be evicted: a Status if not; "wait" while its budget's status is written first; undefined when
 * the deletion may go on. Called again with etcd's answer.
 */
export function guardEviction(run: Run, pod: Pod): Status | "wait" | undefined {
  const { answer: got, info } = run.request;
  if (got?.type === "etcd.txn.response" && got.succeeded) {
    run.request.answer = undefined;
    return undefined;
  }
  if (got?.type === "etcd.error") return newUnknownServerError(got.message);
  if (isBeyondBudgets(pod)) return undefined;
  const budgets = listObjects(run.state, "poddisruptionbudgets", info.namespace).filter((object) => matchesLabelSelector((object as Budget).spec?.selector, pod.metadata.labels)) as readonly Budget[];
  if (budgets.length > 1) return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.", code: 500 };
  // The budget was changed meanwhile: what etcd holds counts.
  const fresh = got?.type === "etcd.txn.response" && got.kv !== undefined ? (decodeValue(got.kv) as Budget) : undefined;
  const budget = fresh ?? budgets[0];
  const api = resourceForKind("policy/v1", "PodDisruptionBudget");
  if (budget === undefined || api === undefined) return undefined;
  if (!isReady(pod) && mayGoUnready(budget)) return undefined;
  const refused = refusal(budget);
  if (refused !== undefined || isDryRunDelete(run)) return refused;
  const value = spent(budget, pod.metadata.name ?? "", run.ctx.now);
  askEtcd(run, { type: "etcd.txn.request", key: etcdKey(api, budget.metadata.namespace, budget.metadata.name ?? ""), modRevision: Number(budget.metadata.resourceVersion), value, subject: objectSubject(api, budget), level: run.request.level });
  return "wait";
}

/** The evicted Pod says who wanted it gone. Simplified: upstream writes the condition before the deletion, in a write of its own. */
export function asEvicted(pod: KubeObject, now: number): KubeObject {
  const { status } = pod as Pod;
  const target: Condition = { type: "DisruptionTarget", status: "True", lastTransitionTime: rfc3339(now), reason: "EvictionByEvictionAPI", message: "Eviction API: evicting" };
  return { ...pod, status: { ...status, conditions: [...(status?.conditions ?? []).filter((entry) => entry.type !== "DisruptionTarget"), target] } } as KubeObject;
}
