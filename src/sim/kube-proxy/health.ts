// Models kubernetes/pkg/proxy/healthcheck/{proxy_health,service_health}.go
import { rfc3339 } from "../api/time.ts";
import type { TrafficRequest, TrafficResponse } from "../api/traffic.ts";
import type { Service } from "../api/types.ts";
import type { Ctx } from "../kernel/types.ts";
import type { KubeProxyState } from "./kube-proxy.ts";
import { endpointsOf } from "./service-rules.ts";
import type { EndpointSlice } from "../api/types.ts";

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** What a cloud's load balancer reads to learn whether this node has Pods of the Service. */
function serviceHealth(state: KubeProxyState, service: Service, node: string): Answer {
  const key = `${service.metadata.namespace ?? ""}/${service.metadata.name ?? ""}`;
  const slices = (state.byService.get(key)?.sortedValues() ?? []) as unknown as readonly EndpointSlice[];
  const local = new Set((service.spec.ports ?? []).flatMap((port) => endpointsOf(slices, port.name ?? "", node, port.protocol ?? "TCP").filter((endpoint) => endpoint.isLocal && endpoint.ready).map((endpoint) => endpoint.ip))).size;
  const quote = JSON.stringify;
  return { status: local > 0 ? 200 : 503, body: `{\n\t"service": {\n\t\t"namespace": ${quote(service.metadata.namespace)},\n\t\t"name": ${quote(service.metadata.name)}\n\t},\n\t"localEndpoints": ${local},\n\t"serviceProxyHealthy": true\n}` };
}

/** Answers at the healthz port and at the health check node ports of Services with external policy Local. Simplified: a sync never fails, so kube-proxy is healthy as long as it runs. */
export function answerHealth(state: KubeProxyState, request: TrafficRequest, ctx: Ctx): KubeProxyState {
  const now = rfc3339(ctx.now);
  const node = ctx.from.slice(ctx.from.indexOf("@") + 1);
  const service = state.services.store.sortedValues().find((object) => (object as Service).spec.healthCheckNodePort === request.toPort) as Service | undefined;
  const known = service !== undefined || /^\/(?:healthz|livez)$/.test(request.path ?? "/");
  const answer: Answer = service ? serviceHealth(state, service, node) : known ? { status: 200, body: `{"lastUpdated":"${now}","currentTime":"${now}"${request.path === "/healthz" ? ',"nodeEligible":true' : ""}}` } : { status: 404, body: "404 page not found\n" };
  ctx.send(ctx.from, { type: "traffic.response", request: ctx.mail, ...answer, servedBy: `kube-proxy on ${node}` } satisfies TrafficResponse, { protocol: "HTTP", latency: ctx.latency("link.host", `${ctx.mail}`), verb: "answer", status: answer.status });
  return state;
}
