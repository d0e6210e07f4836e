// Models kubernetes/pkg/registry/core/pod/rest/subresources.go (ExecREST): the API server leads the stream to the node's kubelet
import { newBadRequest, newNotFound } from "../../api/status-errors.ts";
import type { Pod } from "../../api/types.ts";
import type { Gate } from "../filters/gates.ts";
import type { ExecRequest, ExecResult } from "../messages.ts";
import { answer, refuse, type Run } from "../state.ts";
import { getObject } from "../watch-cache/lookup.ts";
import { beginStream, followerOf } from "./streams.ts";

/** The words of "?command=ls&command=-l", which the query holds as one text. */
const wordsOf = (text: string): readonly string[] => (text === "" ? [] : text.split("&command="));

function unreachable(run: Run, container: string, nodeName: string, message: string): void {
  const { info, request: { query = {} } } = run.request;
  const node = getObject(run.state, "nodes", "", nodeName);
  const address = ((node?.status ?? {}) as { readonly addresses?: readonly { readonly type: string; readonly address: string }[] }).addresses?.find(({ type }) => type === "InternalIP")?.address ?? "";
  const parameters = [...wordsOf(query["command"] ?? "").map((word) => `command=${encodeURIComponent(word).replaceAll("%20", "+")}`), "error=1", ...(query["stdin"] === "true" ? ["input=1"] : []), "output=1", ...(query["tty"] === "true" ? ["tty=1"] : [])];
  const what = info.subresource === "attach" ? "attach" : "exec";
  answer(run, 101, { error: `error sending request: Post "https://${address}:10250/${what}/${info.namespace}/${info.name}/${container}?${parameters.join("&")}": ${message.replace("dial tcp", `dial tcp ${address}:10250`)}` } satisfies ExecResult);
}

/** GET pods/NAME/exec. Simplified: one message each way stands for the stream; what exec writes comes at its end, what attach sees comes as it is written. */
export const execGate: Gate = {
  name: "Exec",
  share: 92,
  run(run) {
    const { info, request, answer: got } = run.request;
    const pod = getObject(run.state, "pods", info.namespace, info.name) as Pod | undefined;
    if (got?.type === "exec.response") {
      answer(run, 101, got.result);
      return got.result.error === undefined ? beginStream(run, pod?.spec.nodeName ?? "", got.result.follows === true) : undefined;
    }
    if (pod === undefined) return refuse(run, newNotFound({ resource: "pods" }, info.name));
    const ephemeral = (pod.spec as { readonly ephemeralContainers?: readonly { readonly name: string }[] }).ephemeralContainers ?? [];
    const names = [...(pod.spec.initContainers ?? []), ...pod.spec.containers, ...ephemeral].map(({ name }) => name);
    const container = request.query?.["container"] ?? (pod.spec.containers.length === 1 ? pod.spec.containers[0]?.name : undefined);
    if (container === undefined) return refuse(run, newBadRequest(`a container name must be specified for pod ${info.name}, choose one of: [${names.join(" ")}]`));
    if (!names.includes(container)) return refuse(run, newBadRequest(`container ${container} is not valid for pod ${info.name}`));
    const { nodeName = "" } = pod.spec;
    if (nodeName === "") return refuse(run, newBadRequest(`pod ${info.name} does not have a host assigned`));
    if (got?.type === "unreachable") return unreachable(run, container, nodeName, got.message);
    const follow = followerOf(run);
    const message = { type: "exec.request", name: info.name, uid: pod.metadata.uid ?? "", container, command: wordsOf(request.query?.["command"] ?? ""), ...(follow === undefined ? {} : { follow }), ...(typeof request.body === "string" ? { stdin: request.body } : {}) } satisfies ExecRequest;
    const mail = run.ctx.send(`kubelet@${nodeName}`, message, { protocol: "HTTPS", latency: run.ctx.latency("link.lan", `exec/${info.path}/${run.ctx.now}`), verb: "POST", subject: `${info.subresource}/${info.namespace}/${info.name}/${container}` });
    run.state.outstanding = run.state.outstanding.set(`m${mail}`, { key: run.request.key, at: run.ctx.now, message });
    run.result = "wait";
  },
};
