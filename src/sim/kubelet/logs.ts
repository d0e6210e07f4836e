// Models kubernetes/pkg/kubelet/kubelet_pods.go GetKubeletContainerLogs, validateContainerLogStatus
import type { ContainerStatus } from "../api/types.ts";
import type { LogsRequest, LogsResponse } from "../kube-apiserver/messages.ts";
import type { MailId } from "../kernel/types.ts";
import type { ProcessLogsRequest, ProcessLogsResponse } from "../process/messages.ts";
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

function respond(turn: Turn, to: string, request: MailId, status: number, body: string): void {
  turn.ctx.send(to, { type: "logs.response", request, status, body } satisfies LogsResponse, { protocol: "HTTPS", latency: turn.ctx.latency("link.lan", `logs ${request}`), verb: "logs", status });
}

/** GET /containerLogs: the kubelet reads the file that the runtime's shim wrote. */
export function onLogsRequest(turn: Turn, message: LogsRequest): void {
  const { ctx } = turn;
  const worker = turn.worker(message.uid);
  const status = turn.state.statuses.get(message.uid)?.status ?? worker?.pod.status;
  if (!worker || !status) return respond(turn, ctx.from, ctx.mail, 404, `pod "${message.name}" not found`);
  const container = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])].find((candidate) => candidate.name === message.container);
  const source = logSource(message.name, container, message.container, message.previous);
  if ("error" in source) return respond(turn, ctx.from, ctx.mail, 400, source.error);
  const mail = ctx.send(`process@${turn.config.node.name}`, { type: "process.logs.request", containerId: source.id } satisfies ProcessLogsRequest, { protocol: "disk", latency: 200, verb: "read", subject: `pod/${worker.key}` });
  turn.expect(mail, { for: "logs", to: ctx.from, request: ctx.mail, containerId: source.id, ...(message.tailLines === undefined ? {} : { tailLines: message.tailLines }) });
}

export function onLogsRead(turn: Turn, response: ProcessLogsResponse, asked: { readonly to: string; readonly request: MailId; readonly containerId: string; readonly tailLines?: number }): void {
  if (!response.found) return respond(turn, asked.to, asked.request, 200, `unable to retrieve container logs for containerd://${asked.containerId}`);
  const lines = asked.tailLines === undefined ? response.lines : response.lines.slice(Math.max(0, response.lines.length - asked.tailLines));
  respond(turn, asked.to, asked.request, 200, lines.map((line) => `${line}\n`).join(""));
}
