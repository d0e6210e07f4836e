// Models kubernetes/pkg/registry/core/pod/storage/eviction.go
import { matchesLabelSelector } from "../../api/labels.ts";
import { etcdKey, resourceForKind } from "../../api/schema/resources.ts";
import { failure, newForbidden, newNotFound, newUnknownServerError } from "../../api/status-errors.ts";
import { rfc3339 } from "../../api/time.ts";
import type { Condition, KubeObject, LabelSelector, Pod, Status } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { tell } from "../filters/gates.ts";
import { askEtcd, type EvictionProgress, objectSubject, type Run } from "../state.ts";
import { listObjects } from "../watch-cache/lookup.ts";
import { servedBy, storedBy } from "./convert.ts";
import { isDryRunDelete, optionsOf, preconditionFailure } from "./delete-options.ts";
import { decodeValue } from "./metadata.ts";

const BUDGET = { group: "policy", resource: "poddisruptionbudget" };
/** MaxDisruptedPodSize. */
const MAX_DISRUPTED = 2000;
const TARGET: Condition = { type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI", message: "Eviction API: evicting" };

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

const stillProcessed = (budget: string): Status => blocked(`The disruption budget ${budget} is still being processed by the server.`, 10);

/** checkAndDecrement, up to the write. */
function refusal({ metadata: { name = "", generation = 0 }, status = {} }: Budget): Status | undefined {
  const budget = `The disruption budget ${name}`;
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {}, currentHealthy = 0, desiredHealthy = 0 } = status;
  if (observedGeneration < generation) return stillProcessed(name);
  if (disruptionsAllowed < 0) return newForbidden(BUDGET, name, "pdb disruptions allowed is negative");
  if (Object.keys(disruptedPods).length > MAX_DISRUPTED) return newForbidden(BUDGET, name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
  if (disruptionsAllowed > 0) return undefined;
  const condition = status.conditions?.find((entry) => entry.type === "DisruptionAllowed" && entry.status === "False" && (entry.message ?? "") !== "");
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

/** A conflict on the budget is tried again after so long, and up to a tenth more. */
const CONFLICT_PAUSE: Micros = 500_000;

type Verdict = Status | "wait" | undefined;

/** Whether the Pod may be evicted: a Status if not, "wait" while its budget's status is written. What is allowed stands in the request. */
function guard(run: Run, pod: Pod): Verdict {
  const { answer: got, info } = run.request;
  const allow = (rule: EvictionProgress["rule"], budget = ""): undefined => {
    run.request.answer = undefined;
    run.request.eviction = { rule, announced: false, budget };
  };
  if (got?.type === "etcd.error") return newUnknownServerError(got.message);
  if (got?.type === "etcd.txn.response") {
    if (got.succeeded) return allow("counted");
    run.request.answer = undefined;
    run.request.attempts++;
    run.ctx.after(CONFLICT_PAUSE + (run.ctx.rand(`eviction/${run.request.key}/${run.ctx.now}`, 0) % (CONFLICT_PAUSE / 10)), { type: "apiserver.step", key: run.request.key });
    tell(run, "Eviction", "tries again in half a second", "the budget was changed meanwhile", "operator");
    run.result = "wait";
    return "wait";
  }
  if (isBeyondBudgets(pod)) return allow("no budget counts");
  const budgets = listObjects(run.state, "poddisruptionbudgets", info.namespace).filter((object) => matchesLabelSelector((object as Budget).spec?.selector, pod.metadata.labels)) as readonly Budget[];
  if (budgets.length > 1) return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.", code: 500 };
  const [budget] = budgets;
  const api = resourceForKind("policy/v1", "PodDisruptionBudget");
  if (budget === undefined || api === undefined) return allow("counted");
  const name = budget.metadata.name ?? "";
  if (!isReady(pod) && mayGoUnready(budget)) return allow("not ready", name);
  const refused = refusal(budget);
  if (refused !== undefined) return refused;
  if (isDryRunDelete(run)) return allow("counted");
  tell(run, "Eviction", `takes one disruption from budget ${name}`, `it allows ${budget.status?.disruptionsAllowed ?? 0}; the Pod counts as gone from now on`, "operator");
  const value = spent(budget, pod.metadata.name ?? "", run.ctx.now);
  askEtcd(run, { type: "etcd.txn.request", key: etcdKey(api, budget.metadata.namespace, name), modRevision: Number(budget.metadata.resourceVersion), value, subject: objectSubject(api, budget), level: run.request.level });
  return "wait";
}

/** The Pod with the condition that says who wanted it gone; the same when it says so already. */
function asEvicted(pod: Pod, now: Micros): Pod {
  const conditions = pod.status?.conditions ?? [];
  const old = conditions.find((entry) => entry.type === TARGET.type);
  if (old !== undefined && old.status === TARGET.status && old.reason === TARGET.reason && old.message === TARGET.message) return pod;
  const next: Condition = { ...TARGET, lastTransitionTime: old?.status === TARGET.status ? (old.lastTransitionTime ?? null) : rfc3339(now) };
  return { ...pod, status: { ...pod.status, conditions: old === undefined ? [...conditions, next] : conditions.map((entry) => (entry === old ? next : entry)) } };
}

/**
 * What an eviction does before the deletion: its budget is asked, then the Pod is marked in a write of its own. A Status
 * refuses, "wait" means that etcd was asked, undefined that the deletion may go on with the Pod as it is stored now.
 */
export function evict(run: Run): Verdict {
  const pod = run.request.existing as Pod;
  if (run.request.eviction === undefined) {
    const verdict = guard(run, pod);
    if (verdict !== undefined) return verdict;
  }
  const { answer: got, info, eviction } = run.request;
  if (eviction === undefined || eviction.announced || info.api === undefined) return undefined;
  if (got === undefined) return announce(run, pod, eviction);
  if (got.type !== "etcd.txn.response") return newUnknownServerError("message" in got ? got.message : "unexpected answer");
  if (got.kv === undefined) return newNotFound({ group: info.group, resource: info.resource }, info.name);
  const stored = servedBy(info.api, decodeValue(got.kv));
  run.request.answer = undefined;
  run.request.existing = stored;
  if (got.succeeded) {
    run.request.eviction = { ...eviction, announced: true };
    return undefined;
  }
  return overtaken(run, pod) ?? evict(run);
}

function announce(run: Run, pod: Pod, eviction: EvictionProgress): Verdict {
  const conflict = preconditionFailure(pod, optionsOf(run));
  if (conflict !== undefined) return conflict;
  const next = asEvicted(pod, run.ctx.now);
  const { api, namespace, name } = run.request.info;
  if (next === pod || isDryRunDelete(run) || api === undefined) {
    run.request.eviction = { ...eviction, announced: true };
    return undefined;
  }
  askEtcd(run, { type: "etcd.txn.request", key: etcdKey(api, namespace, name), modRevision: Number(pod.metadata.resourceVersion), value: storedBy(api, next), subject: objectSubject(api, pod), level: run.request.level });
  return "wait";
}

/** The Pod was changed under the eviction, and `existing` is what it is now: one that no budget counted may count by now; of one that was not ready the client has to ask again. */
export function overtaken(run: Run, before: Pod): Status | undefined {
  const { eviction } = run.request;
  if (eviction === undefined) return undefined;
  const pinned = optionsOf(run).preconditions?.resourceVersion !== undefined;
  const held = before.status?.phase === "Pending" && before.metadata.deletionTimestamp === undefined;
  if (eviction.rule === "not ready" && !pinned) return stillProcessed(eviction.budget);
  run.request.eviction = eviction.rule === "no budget counts" && held && !pinned ? undefined : { ...eviction, announced: false };
  return undefined;
}
