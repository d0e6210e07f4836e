import type { Service } from "../../sim/api/types.ts";
import type { ObjectVersion, TraceIndex } from "../../trace/trace-index.ts";
import { isNew, podsAt } from "./model.ts";

/** A line of the box of stored objects. */
export interface ObjectLine {
  readonly key: string;
  readonly text: string;
  readonly detail: string;
  readonly look: "ok" | "pending";
}

interface Stored {
  readonly metadata: { readonly name?: string };
  readonly spec?: { readonly replicas?: number; readonly metrics?: readonly { readonly resource?: { readonly target?: { readonly averageUtilization?: number } } }[] };
  readonly status?: {
    readonly readyReplicas?: number;
    readonly numberReady?: number;
    readonly desiredNumberScheduled?: number;
    readonly active?: number | readonly unknown[];
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly disruptionsAllowed?: number;
    readonly phase?: string;
    readonly currentMetrics?: readonly ({ readonly resource?: { readonly current?: { readonly averageUtilization?: number } } } | null)[] | null;
  };
}

type Detail = (object: Stored) => readonly [detail: string, ok: boolean] | undefined;

const replicas: Detail = ({ spec, status }) => [`${status?.readyReplicas ?? 0}/${spec?.replicas ?? 1}`, (status?.readyReplicas ?? 0) === (spec?.replicas ?? 1)];

const isTrue = ({ status }: Stored, type: string): boolean => status?.conditions?.some((one) => one.type === type && one.status === "True") ?? false;

function jobDetail(job: Stored): readonly [string, boolean] {
  if (isTrue(job, "Complete")) return ["done", true];
  if (isTrue(job, "Failed")) return ["failed", false];
  const active = Number(job.status?.active ?? 0);
  return active > 0 ? [`${active} active`, true] : ["waiting", false];
}

/** As kubectl's TARGETS: what is measured, and what is wanted. */
function targets({ spec, status }: Stored): readonly [string, boolean] {
  const target = spec?.metrics?.[0]?.resource?.target?.averageUtilization;
  const current = status?.currentMetrics?.[0]?.resource?.current?.averageUtilization;
  return [`${current ?? "?"}%/${target ?? "?"}%`, current !== undefined && (target === undefined || current <= target)];
}

/** Workloads and what steers them, in the order in which one causes the other. */
const KINDS: readonly (readonly [prefix: string, short: string, detail: Detail])[] = [
  ["/registry/cronjobs/", "cron", ({ status }) => [`${Array.isArray(status?.active) ? status.active.length : 0} active`, true]],
  ["/registry/jobs/", "job", jobDetail],
  ["/registry/horizontalpodautoscalers/", "hpa", targets],
  ["/registry/deployments/", "deploy", replicas],
  ["/registry/replicasets/", "rs", (rs) => (rs.spec?.replicas === 0 ? undefined : replicas(rs))],
  ["/registry/statefulsets/", "sts", replicas],
  ["/registry/daemonsets/", "ds", ({ status }) => [`${status?.numberReady ?? 0}/${status?.desiredNumberScheduled ?? 0}`, status?.numberReady === status?.desiredNumberScheduled]],
  ["/registry/poddisruptionbudgets/", "pdb", ({ status }) => [`${status?.disruptionsAllowed ?? 0} may go`, (status?.disruptionsAllowed ?? 0) > 0]],
  ["/registry/persistentvolumeclaims/", "pvc", ({ status }) => [status?.phase ?? "Pending", status?.phase === "Bound"]],
];

/** Services, workloads and Pods without a node that this run made: what is only written down. */
export function objectLines(index: TraceIndex, t: number): ObjectLine[] {
  const lines: ObjectLine[] = [];
  const add = ({ key }: ObjectVersion, text: string, detail: string, ok: boolean): void => void lines.push({ key, text, detail, look: ok ? "ok" : "pending" });
  for (const [prefix, short, detailOf] of KINDS) {
    for (const version of index.objectsAt(prefix, t)) {
      const object = version.object as Stored;
      const detail = isNew(index, version) ? detailOf(object) : undefined;
      if (detail) add(version, `${short}/${object.metadata.name ?? ""}`, ...detail);
    }
  }
  for (const version of index.objectsAt("/registry/services/specs/", t)) {
    if (!isNew(index, version)) continue;
    const service = version.object as Service;
    const { ready, total } = endpointsOf(index, t, service);
    add(version, `svc/${service.metadata.name ?? ""}`, `${ready} of ${total} ready`, ready > 0);
  }
  for (const pod of podsAt(index, t)) if (pod.look === "pending") lines.push({ key: pod.key, text: `pod/${pod.name}`, detail: "no node", look: "pending" });
  return lines;
}

function endpointsOf(index: TraceIndex, t: number, service: Service): { ready: number; total: number } {
  let ready = 0;
  let total = 0;
  for (const version of index.objectsAt(`/registry/endpointslices/${service.metadata.namespace ?? "default"}/`, t)) {
    const slice = version.object as { metadata: { labels?: Record<string, string> }; endpoints?: readonly { conditions?: { ready?: boolean } }[] };
    if (slice.metadata.labels?.["kubernetes.io/service-name"] !== service.metadata.name) continue;
    for (const endpoint of slice.endpoints ?? []) {
      total++;
      if (endpoint.conditions?.ready === true) ready++;
    }
  }
  return { ready, total };
}
