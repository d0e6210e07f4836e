// Models kubernetes/pkg/kubelet/server/server.go (/metrics/resource) and pkg/kubelet/metrics/collectors/resource_metrics.go
import type { MailId } from "../kernel/types.ts";
import type { ResourceMetricsResponse } from "../metrics-server/messages.ts";
import type { ProcessStatsRequest, ProcessStatsResponse } from "../process/messages.ts";
import type { Turn } from "./turn.ts";

/** Chosen: what the kernel, the kubelet and the runtime take beside containers. */
const SYSTEM_MILLI = 60;
const SYSTEM_MEMORY = 700 * 1_048_576;

/** Simplified: upstream asks the runtime over CRI or reads cgroups through cAdvisor; here the kernel is asked. */
export function onResourceMetrics(turn: Turn): void {
  const { ctx } = turn;
  const mail = ctx.send(`process@${turn.config.node.name}`, { type: "process.stats.request" } satisfies ProcessStatsRequest, { protocol: "disk", latency: 300, verb: "read cgroups", level: "source" });
  turn.expect(mail, { for: "stats", to: ctx.from, request: ctx.mail });
}

export function onStatsRead(turn: Turn, { at, containers }: ProcessStatsResponse, asked: { readonly to: string; readonly request: MailId }): void {
  const node = { cpu: containers.reduce((sum, entry) => sum + entry.cpu, Math.floor((at * SYSTEM_MILLI) / 1000)), memory: containers.reduce((sum, entry) => sum + entry.memory, SYSTEM_MEMORY) };
  const latency = turn.ctx.latency("link.lan", `metrics ${asked.request}`);
  turn.ctx.send(asked.to, { type: "resource-metrics.response", request: asked.request, at, node, containers } satisfies ResourceMetricsResponse, { protocol: "HTTPS", latency, verb: "metrics", status: 200, level: "source" });
}
