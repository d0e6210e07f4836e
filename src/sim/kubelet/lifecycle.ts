// Models kubernetes/pkg/kubelet/lifecycle/handlers.go
import type { TrafficRequest, TrafficResponse } from "../api/traffic.ts";
import type { Container, Handler, IntOrString, Pod } from "../api/types.ts";
import type { CriResponse } from "../cri/messages.ts";
import type { Message } from "../kernel/types.ts";
import type { Pending } from "./state.ts";
import { containerNamed, formatPod, podRef, RUNTIME_DOWN, type Turn } from "./turn.ts";

/** A port by number or by the name the container gives it; 0 if there is none. */
export function portNumber(container: Container | undefined, port: IntOrString): number {
  if (typeof port === "number") return port;
  const named = container?.ports?.find((candidate) => candidate.name === port)?.containerPort;
  return named ?? (Number(port) || 0);
}

export function podIPOf(turn: Turn, pod: Pod): string {
  const worker = turn.worker(pod.metadata.uid ?? "");
  if (pod.spec.hostNetwork) return turn.config.node.address;
  return worker?.run?.podIP || worker?.podIP || pod.status?.podIP || "";
}

/** Whether a hook failed: exec by its exit code, http only by having no answer at all. */
export function hookFailed(message: Message): boolean {
  if (message.type === "cri.response") return (message as CriResponse).error !== undefined || (message as CriResponse).exitCode !== 0;
  return message.type === "net.error" || (message as TrafficResponse).error !== undefined;
}

/** What a failed hook leaves as its container's message. Simplified: what the command wrote counts as its standard output. */
export function hookFailure(turn: Turn, pod: Pod, container: Container, hook: Handler, message: Message): string {
  const of = `for Container ${JSON.stringify(container.name)} in Pod ${JSON.stringify(formatPod(pod))} failed - error:`;
  if (hook.exec) {
    const command = hook.exec.command ?? [];
    const { error, exitCode, output = "" } = message.type === "net.error" ? { error: RUNTIME_DOWN() } : (message as CriResponse & { error?: string });
    return `Exec lifecycle hook ([${command.join(" ")}]) ${of} ${error ?? `command '${command.join(" ")}' exited with ${exitCode ?? 0}: `}, message: ${JSON.stringify(output)}`;
  }
  const path = hook.httpGet?.path ?? "/";
  const address = `${hook.httpGet?.host ?? podIPOf(turn, pod)}:${portNumber(container, hook.httpGet?.port ?? 0)}`;
  const reason = (message as Partial<TrafficResponse>).error ?? "connection refused";
  return `HTTP lifecycle hook (${path}) ${of} Get "${(hook.httpGet?.scheme ?? "HTTP").toLowerCase()}://${address}${path}": dial tcp ${address}: ${reason === "i/o timeout" ? "" : "connect: "}${reason}`;
}

/** Sends an exec, http or tcp handler on its way; false if there is none. `purpose`: the probe it is made for, told to the application as real ones tell by path. */
export function runHandler(turn: Turn, pod: Pod, containerName: string, containerId: string, handler: Handler, pending: Pending, timeoutSeconds: number, purpose = ""): boolean {
  const container = containerNamed(pod, containerName);
  if (handler.exec) {
    turn.cri({ call: "ExecSync", containerId, command: handler.exec.command ?? [], timeoutSeconds }, pending, podRef(pod), "operator");
    return true;
  }
  const target = handler.httpGet ?? handler.tcpSocket;
  if (!target && !handler.grpc) return false;
  const toPort = handler.grpc?.port ?? portNumber(container, target?.port ?? 0);
  const request: TrafficRequest = {
    type: "traffic.request", protocol: handler.httpGet ? "HTTP" : handler.grpc ? "gRPC" : "TCP", fromIP: turn.config.node.address, toIP: target?.host ?? podIPOf(turn, pod), toPort, client: `kubelet@${turn.config.node.name}${purpose === "" ? "" : `#${purpose}`}`,
    ...(handler.httpGet ? { method: "GET", path: handler.httpGet.path ?? "/", headers: { "User-Agent": "kube-probe/1.36", Accept: "*/*" } } : {}),
  };
  const mail = turn.ctx.send(`process@${turn.config.node.name}`, request, { protocol: request.protocol === "gRPC" ? "gRPC" : request.protocol === "HTTP" ? "HTTP" : "TCP", latency: turn.ctx.latency("link.host", `${containerId} ${turn.now}`), verb: handler.httpGet ? `GET ${request.path ?? "/"}` : "connect", subject: podRef(pod), level: "operator" });
  turn.expect(mail, pending);
  return true;
}
