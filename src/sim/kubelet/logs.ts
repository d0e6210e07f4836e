// Models kubernetes/pkg/kubelet/kubelet_pods.go GetKubeletContainerLogs, validateContainerLogStatus
import { parseRfc3339, rfc3339Micro, SECOND } from "../api/time.ts";
import type { ContainerStatus } from "../api/types.ts";
import { API_SERVER } from "../client-go/api-client.ts";
import type { LogsRequest, LogsResponse, StreamCancel, StreamData } from "../kube-apiserver/messages.ts";
import type { MailId, Micros } from "../kernel/types.ts";
import type { ProcessLogsCancel, ProcessLogsMore, ProcessLogsRequest, ProcessLogsResponse } from "../process/messages.ts";
import type { Pending } from "./state.ts";
import { workerByApiUid } from "./static-pods.ts";
import type { Turn } from "./turn.ts";

/** Which container's log is meant, or the refusal as kubectl prints it. */
export function logSource(pod: string, status: ContainerStatus | undefined, name: string, previous: boolean): { readonly id: string } | { readonly error: string } {
  if (!status) return { error: `container "${name}" in pod "${pod}" is not available` };
  const idOf = (text: string | undefined): string => (text ?? "").replace("containerd://", "");
  const last = status.lastState?.terminated;
  if (previous) return last?.containerID ? { id: idOf(last.containerID) } : { error: `previous terminated container "${name}" in pod "${pod}" not found` };
  if (status.state?.running) return { id: idOf(status.containerID) };
  if (status.state?.terminated?.containerID) return { id: idOf(status.state.terminated.containerID) };
  if (last) return last.containerID ? { id: idOf(last.containerID) } : { error: `container "${name}" in pod "${pod}" is terminated` };
  const waiting = status.state?.waiting?.reason;
  const why = waiting === "ErrImagePull" ? "image can't be pulled" : waiting === "ImagePullBackOff" ? "trying and failing to pull image" : waiting;
  return { error: why === undefined ? `container "${name}" in pod "${pod}" is waiting to start - no logs yet` : `container "${name}" in pod "${pod}" is waiting to start: ${why}` };
}

function respond(turn: Turn, to: string, request: MailId, status: number, body: string, follows = false): void {
  turn.ctx.send(to, { type: "logs.response", request, status, body, ...(follows ? { follows } : {}) } satisfies LogsResponse, { protocol: "HTTPS", latency: turn.ctx.latency("link.lan", `logs ${request}`), verb: "logs", status });
}

/** GET /containerLogs: the kubelet reads the file that the runtime's shim wrote. */
export function onLogsRequest(turn: Turn, message: LogsRequest): void {
  const { ctx } = turn;
  const worker = workerByApiUid(turn, message.uid);
  const status = turn.state.statuses.get(worker?.uid ?? "")?.status ?? worker?.pod.status;
  if (!worker || !status) return respond(turn, ctx.from, ctx.mail, 404, `pod "${message.name}" not found`);
  const container = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? []), ...(status.ephemeralContainerStatuses ?? [])].find((candidate) => candidate.name === message.container);
  const source = logSource(message.name, container, message.container, message.previous);
  if ("error" in source) return respond(turn, ctx.from, ctx.mail, 400, source.error);
  const follow = message.follow === undefined ? {} : { follow: { ...message.follow, timestamps: message.timestamps === true } };
  const mail = ctx.send(`process@${turn.config.node.name}`, { type: "process.logs.request", containerId: source.id, ...follow } satisfies ProcessLogsRequest, { protocol: "disk", latency: 200, verb: "read", subject: `pod/${worker.key}` });
  turn.expect(mail, { for: "logs", to: ctx.from, request: ctx.mail, containerId: source.id, asked: message });
}

/** RFC 3339 with nine digits, as the runtime writes it before each line. */
const stamp = (at: Micros): string => rfc3339Micro(at).replace("Z", "000Z");
const textOf = (lines: readonly string[], timestamps: boolean, at: (i: number) => Micros): string => lines.map((line, i) => `${timestamps ? `${stamp(at(i))} ` : ""}${line}\n`).join("");

/** pkg/kubelet/kuberuntime/logs ReadLogs: the tail first, then what is not too old, then as many bytes as are wanted. */
export function onLogsRead(turn: Turn, { found, lines, times, follows }: ProcessLogsResponse, { to, request, containerId, asked }: Pending & { readonly for: "logs" }): void {
  if (!found) return respond(turn, to, request, 200, `unable to retrieve container logs for containerd://${containerId}`);
  const first = asked.tailLines === undefined ? 0 : Math.max(0, lines.length - asked.tailLines);
  const since = asked.sinceTime !== undefined ? parseRfc3339(asked.sinceTime) : asked.sinceSeconds !== undefined ? turn.wall() - asked.sinceSeconds * SECOND : Number.NEGATIVE_INFINITY;
  const at = (i: number): Micros => turn.wall(times[first + i] ?? 0);
  let skipped = 0;
  while (first + skipped < lines.length && at(skipped) < since) skipped++;
  const text = textOf(lines.slice(first + skipped), asked.timestamps === true, (i) => at(skipped + i));
  // Simplified: the limit holds for what there is; upstream counts what follows as well.
  respond(turn, to, request, 200, asked.limitBytes === undefined ? text : text.slice(0, asked.limitBytes), follows);
}

/** A line more: it goes on to the API server, which hands it to the client. */
export function onLogsMore(turn: Turn, { follower, lines, at, done }: ProcessLogsMore): void {
  const { client, stream, timestamps } = follower;
  turn.ctx.send(API_SERVER, { type: "stream.data", client, stream, text: textOf(lines, timestamps, () => turn.wall(at)), done } satisfies StreamData, { protocol: "HTTPS", latency: turn.ctx.latency("link.lan", stream), verb: done ? "EOF" : "logs" });
}

export function onStreamCancel(turn: Turn, { stream }: StreamCancel): void {
  turn.ctx.send(`process@${turn.config.node.name}`, { type: "process.logs.cancel", stream } satisfies ProcessLogsCancel, { protocol: "disk", latency: 100, verb: "close", level: "source" });
}
