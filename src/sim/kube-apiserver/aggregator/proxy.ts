// Models kubernetes/staging/src/k8s.io/kube-aggregator/pkg/apiserver/handler_proxy.go
import type { ApiResource } from "../../api/schema/resources.ts";
import type { Condition, KubeObject, Status } from "../../api/types.ts";
import type { Gate } from "../filters/gates.ts";
import type { AggregatedRequest } from "../messages.ts";
import type { RequestInfo } from "../request-info.ts";
import { type ApiServerState, answer, refuse } from "../state.ts";
import { getObject, listObjects } from "../watch-cache/lookup.ts";

interface ApiService extends KubeObject {
  readonly spec?: { readonly group?: string; readonly version?: string; readonly service?: { readonly name: string; readonly namespace: string } };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

const metrics = (resource: string, kind: string, namespaced: boolean): ApiResource => ({
  group: "metrics.k8s.io", version: "v1beta1", apiVersion: "metrics.k8s.io/v1beta1", kind, resource, singular: resource.slice(0, -1), shortNames: [], namespaced, subresources: [], categories: [], createOnly: false, etcdPrefix: "",
});

/** What the servers that can stand behind an APIService serve. Simplified: upstream reads each server's own discovery documents; here metrics-server's are known. */
const SERVED: ReadonlyMap<string, readonly ApiResource[]> = new Map([["v1beta1.metrics.k8s.io", [metrics("nodes", "NodeMetrics", false), metrics("pods", "PodMetrics", true)]]]);

const serviceOf = (state: ApiServerState, group: string, version: string): ApiService["spec"] | undefined => (getObject(state, "apiservices", "", `${version}.${group}`) as ApiService | undefined)?.spec;

/** Whether another server answers requests for this group and version. */
export const isAggregated = (state: ApiServerState, { api, group, version }: RequestInfo): boolean => api === undefined && group !== "" && serviceOf(state, group, version)?.service !== undefined;

const joined = new WeakMap<readonly ApiResource[], readonly ApiResource[]>();

/** Discovery with what other servers serve. The same array as long as nothing changes. */
export function withAggregated(state: ApiServerState, custom: readonly ApiResource[]): readonly ApiResource[] {
  const more = [...SERVED].filter(([name]) => (getObject(state, "apiservices", "", name) as ApiService | undefined)?.spec?.service !== undefined).flatMap(([, resources]) => resources);
  if (more.length === 0) return custom;
  const known = joined.get(custom) ?? [...custom, ...more];
  joined.set(custom, known);
  return known;
}

const NONE: readonly string[] = [];

/** Group versions whose server is not available, as "metrics.k8s.io/v1beta1". */
export function unavailable(state: ApiServerState): readonly string[] {
  const services = listObjects(state, "apiservices") as readonly ApiService[];
  if (services.length === 0) return NONE;
  return services.filter(({ metadata, spec, status }) => spec?.service !== undefined && (!SERVED.has(metadata.name ?? "") || status?.conditions?.some(({ type, status: is }) => type === "Available" && is === "False") === true)).map(({ spec }) => `${spec?.group ?? ""}/${spec?.version ?? ""}`);
}

const UNAVAILABLE: Status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message: "the server is currently unable to handle the request", reason: "ServiceUnavailable", code: 503 };

/** Passes the request on. Simplified: the APIService's Available condition stays what it was; upstream's availability controller keeps it. */
export const proxyGate: Gate = {
  name: "Proxy",
  share: 92,
  run(run) {
    const { info, request, answer: got } = run.request;
    if (got?.type === "aggregated.response") return answer(run, got.status, got.body);
    const service = serviceOf(run.state, info.group, info.version)?.service;
    if (got?.type === "unreachable" || service === undefined) return refuse(run, UNAVAILABLE);
    const message = { type: "aggregated.request", method: request.method, path: request.path, query: request.query ?? {} } satisfies AggregatedRequest;
    const mail = run.ctx.send(service.name, message, { protocol: "HTTPS", latency: run.ctx.latency("link.lan", `proxy/${info.path}/${run.ctx.now}`), verb: request.method, subject: `service/${service.namespace}/${service.name}`, level: run.request.level });
    run.state.outstanding = run.state.outstanding.set(`m${mail}`, { key: run.request.key, at: run.ctx.now, message });
    run.result = "wait";
  },
};
