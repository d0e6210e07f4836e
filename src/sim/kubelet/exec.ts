// Models kubernetes/pkg/kubelet/server/server.go getExec and containerd's streaming server
import { hexId } from "../api/ids.ts";
import type { CriResponse } from "../cri/messages.ts";
import type { ExecRequest, ExecResponse, ExecResult } from "../kube-apiserver/messages.ts";
import type { MailId } from "../kernel/types.ts";
import type { ProcessLogsRequest, ProcessLogsResponse } from "../process/messages.ts";
import { workerByApiUid } from "./static-pods.ts";
import type { Turn } from "./turn.ts";

function respond(turn: Turn, to: string, request: MailId, result: ExecResult): void {
  turn.ctx.send(to, { type: "exec.response", request, result } satisfies ExecResponse, { protocol: "HTTPS", latency: turn.ctx.latency("link.lan", `exec ${request}`), verb: "exec", status: result.error === undefined ? 200 : 500 });
}

/** POST /exec: the kubelet asks the runtime to run a command in a running container. */
export function onExecRequest(turn: Turn, message: ExecRequest): void {
  const { ctx } = turn;
  const worker = workerByApiUid(turn, message.uid);
  const status = turn.state.statuses.get(worker?.uid ?? "")?.status ?? worker?.pod.status;
  const container = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? []), ...(status?.ephemeralContainerStatuses ?? [])].find(({ name }) => name === message.container);
  const id = container?.state?.running === undefined ? "" : (container.containerID ?? "").replace("containerd://", "");
  if (!worker || id === "") return respond(turn, ctx.from, ctx.mail, { error: `container not found ("${message.container}")`, status: 404 });
  if (message.command.length === 0) return attach(turn, id, message);
  turn.cri({ call: "ExecSync", containerId: id, command: message.command, timeoutSeconds: 0, ...(message.stdin === undefined ? {} : { stdin: message.stdin }) }, { for: "exec", to: ctx.from, request: ctx.mail }, `pod/${worker.key}`, "operator");
}

/** POST /attach runs nothing: what the container writes from now on is passed on. */
function attach(turn: Turn, containerId: string, { follow }: ExecRequest): void {
  const { ctx } = turn;
  const mail = ctx.send(`process@${turn.config.node.name}`, { type: "process.logs.request", containerId, ...(follow === undefined ? {} : { follow: { ...follow, timestamps: false } }) } satisfies ProcessLogsRequest, { protocol: "gRPC", latency: 200, verb: "Attach", level: "operator" });
  turn.expect(mail, { for: "attach", to: ctx.from, request: ctx.mail });
}

export function onAttached(turn: Turn, { follows }: ProcessLogsResponse, { to, request }: { readonly to: string; readonly request: MailId }): void {
  respond(turn, to, request, { exitCode: 0, output: "", follows });
}

export function onExecDone(turn: Turn, response: CriResponse, { to, request }: { readonly to: string; readonly request: MailId }): void {
  const error = (response as { readonly error?: string }).error;
  if (error === undefined) return respond(turn, to, request, { exitCode: response.exitCode ?? 0, output: response.output ?? "" });
  const why = error.replace(/^.*failed to exec in container: /, "");
  const id = hexId(1, `exec ${request}`, 64);
  respond(turn, to, request, { error: `error executing command in container: failed to exec in container: ${why.startsWith("OCI") ? `failed to start exec ${JSON.stringify(id)}: ${why}` : why}` });
}
