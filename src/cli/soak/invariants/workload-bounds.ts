import type { HttpRequest, HttpResponse } from "../../../sim/api/http.ts";
import type { Deployment, KubeObject, Pod, ReplicaSet } from "../../../sim/api/types.ts";
import { broken, type Invariant, type SoakRun, subjectOf, type Version, versionsUnder } from "./invariant.ts";

const ownerOf = (object: KubeObject): string | undefined => object.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
const isActive = ({ metadata, status }: Pod): boolean => metadata.deletionTimestamp === undefined && status?.phase !== "Succeeded" && status?.phase !== "Failed";

/**
 * Pods of each owner that a controller asked for and was not told of. It may ask for them again, as upstream's does
 * (ReplicaSet's expectations are lowered when a create fails): what had been stored all the same is then one too many.
 */
function unheard({ trace }: SoakRun): ReadonlyMap<string, number> {
  const heard = new Set<number>();
  for (let id = 0; id < trace.mailCount; id++) {
    const response = trace.payloads[id] as HttpResponse;
    if (response.type === "http.response" && response.status < 300 && trace.mail.outcome.get(id) === 1) heard.add(response.request);
  }
  const counts = new Map<string, number>();
  for (let id = 0; id < trace.mailCount; id++) {
    const request = trace.payloads[id] as HttpRequest;
    if (request.type !== "http.request" || request.method !== "POST" || !request.path.endsWith("/pods") || heard.has(id)) continue;
    const owner = ownerOf(request.body as KubeObject);
    if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return counts;
}

/** How many Pods an owner wants at once. */
function wantedBy(key: string, object: KubeObject): number | undefined {
  if (key.startsWith("/registry/replicasets/")) return (object as ReplicaSet).spec.replicas ?? 1;
  if (key.startsWith("/registry/controllers/")) return ((object as ReplicaSet).spec as { readonly replicas?: number }).replicas ?? 1;
  return key.startsWith("/registry/jobs/") ? ((object.spec as { readonly parallelism?: number }).parallelism ?? 1) : undefined;
}

interface Daemon {
  readonly updateStrategy?: { readonly rollingUpdate?: { readonly maxSurge?: number | string } };
}

/** The node for which a DaemonSet made a Pod. */
const aimedAt = (pod: Pod): string => {
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms[0]?.matchFields?.find(({ key }) => key === "metadata.name")?.values?.[0] ?? "";
};

/** A controller makes no more Pods than it was ever asked for. */
export const podCounts: Invariant = {
  id: "pod-counts",
  says: "a controller makes no Pod too many",
  check(run) {
    const found: string[] = [];
    const lost = unheard(run);
    const most = new Map<string, number>();
    const daemons = new Map<string, number>();
    const pods = new Map<string, Map<string, Pod>>();
    const take = ({ key, object, before, verb, at }: Pick<Version<KubeObject>, "key" | "object" | "before" | "verb" | "at">): void => {
      if (object !== undefined) {
        const wanted = wantedBy(key, object);
        const { uid = "" } = object.metadata;
        if (wanted !== undefined) most.set(uid, Math.max(most.get(uid) ?? 0, wanted));
        if (key.startsWith("/registry/daemonsets/")) daemons.set(uid, String((object.spec as Daemon).updateStrategy?.rollingUpdate?.maxSurge ?? 0) === "0" ? 1 : 2);
      }
      if (!key.startsWith("/registry/pods/")) return;
      const old = before === undefined ? undefined : ownerOf(before);
      if (old !== undefined) pods.get(old)?.delete(key);
      const pod = object as Pod | undefined;
      const owner = pod === undefined ? undefined : ownerOf(pod);
      if (pod === undefined || owner === undefined || !isActive(pod)) return;
      const mine = pods.get(owner) ?? new Map<string, Pod>();
      pods.set(owner, mine.set(key, pod));
      if (verb !== "create") return;
      const limit = most.get(owner);
      if (limit !== undefined && mine.size > limit + (lost.get(owner) ?? 0)) found.push(broken(at, subjectOf(key), `is active Pod ${mine.size} of an owner that never wanted more than ${limit}`));
      const each = daemons.get(owner);
      const here = each === undefined ? 0 : [...mine.values()].filter((other) => aimedAt(other) === aimedAt(pod)).length;
      if (each !== undefined && here > each + (lost.get(owner) ?? 0)) found.push(broken(at, subjectOf(key), `is active Pod ${here} of its DaemonSet on ${aimedAt(pod)}`));
    };
    for (const { key, object } of run.base) take({ key, object: object as KubeObject, before: undefined, verb: "update", at: 0 });
    for (const version of versionsUnder<KubeObject>(run, "/registry/")) take(version);
    return found;
  },
};

/** maxSurge in Pods: a percentage is rounded up. */
function surgeOf({ spec: { replicas = 1, strategy } }: Deployment): number {
  if (strategy?.type === "Recreate") return 0;
  const surge = strategy?.rollingUpdate?.maxSurge ?? "25%";
  return typeof surge === "number" ? surge : Math.ceil((Number.parseInt(surge, 10) * replicas) / 100);
}

/** A Deployment's ReplicaSets are never scaled up beyond its replicas and their surge, by the most that it ever asked for. */
export const surge: Invariant = {
  id: "surge",
  says: "a rollout keeps to maxSurge",
  check(run) {
    const found: string[] = [];
    const most = new Map<string, number>();
    const sets = new Map<string, Map<string, number>>();
    for (const { key, object } of run.base) if (key.startsWith("/registry/deployments/")) most.set((object as Deployment).metadata.uid ?? "", ((object as Deployment).spec.replicas ?? 1) + surgeOf(object as Deployment));
    for (const { key, object, before, at } of versionsUnder<KubeObject>(run, "/registry/")) {
      if (key.startsWith("/registry/deployments/") && object !== undefined) {
        const uid = object.metadata.uid ?? "";
        most.set(uid, Math.max(most.get(uid) ?? 0, ((object as Deployment).spec.replicas ?? 1) + surgeOf(object as Deployment)));
      }
      if (!key.startsWith("/registry/replicasets/")) continue;
      const old = before === undefined ? undefined : ownerOf(before);
      if (old !== undefined) sets.get(old)?.delete(key);
      const owner = object === undefined ? undefined : ownerOf(object);
      if (object === undefined || owner === undefined) continue;
      const { replicas = 1 } = (object as ReplicaSet).spec;
      const mine = (sets.get(owner) ?? new Map<string, number>()).set(key, replicas);
      sets.set(owner, mine);
      const grown = replicas > ((before as ReplicaSet | undefined)?.spec.replicas ?? 0) && (old === owner || before === undefined);
      const sum = [...mine.values()].reduce((total, each) => total + each, 0);
      const limit = most.get(owner);
      if (grown && limit !== undefined && sum > limit) found.push(broken(at, subjectOf(key), `its Deployment's ReplicaSets want ${sum} Pods, it never allowed more than ${limit}`));
    }
    return found;
  },
};

interface Counted {
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly updatedReplicas?: number;
  readonly fullyLabeledReplicas?: number;
}

const COUNTED = ["replicasets", "deployments", "controllers"];

/** Counts in a status are parts of each other, as validation of upstream's ReplicaSet and Deployment has it. */
export const counts: Invariant = {
  id: "counts",
  says: "counts in a status are parts of each other",
  check: (run) =>
    COUNTED.flatMap((resource) => versionsUnder<KubeObject>(run, `/registry/${resource}/`)).flatMap(({ at, key, object }) => {
      const { replicas = 0, readyReplicas = 0, availableReplicas = 0, updatedReplicas = 0, fullyLabeledReplicas = 0 } = (object?.status ?? {}) as Counted;
      const wrong = Math.max(readyReplicas, updatedReplicas, fullyLabeledReplicas) > replicas || availableReplicas > readyReplicas;
      return wrong ? [broken(at, subjectOf(key), `counts ${JSON.stringify(object?.status)}`)] : [];
    }),
};
