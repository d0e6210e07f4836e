// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/{exec,attach}: a command's way into a container
import { parseGoDuration } from "../api/duration.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import type { ApiCall } from "../client-go/api-client.ts";
import { getInfo, typeOf } from "./builder.ts";
import { errorText } from "./errors.ts";
import { forStreams, podsBySelector, podSelectorOf } from "./first-pod.ts";
import { containerOf } from "./logs.ts";
import type { Process } from "./process.ts";

/** What a command did in a container, or why it could not. */
export interface Streamed {
  readonly exitCode?: number;
  readonly output?: string;
  readonly error?: string;
  readonly status?: number;
}

/** Bytes for a command's standard input, and the container when it is not the default one. */
export interface StreamOptions {
  readonly stdin?: string;
  /** Nothing is said about a default container. */
  readonly quiet?: boolean;
}

/** The Pod of "POD", "TYPE/NAME" or "TYPE NAME"; of a workload's Pods, the one that has run best. */
export function podOf(p: Process, arg: string, namespace = p.namespace): Pod {
  const [type, name = ""] = arg.includes("/") ? arg.split("/") : ["pods", arg];
  const api = typeOf(type ?? "", p.types);
  if (api === undefined) return p.fail(`error: the server doesn't have a resource type ${JSON.stringify(type)}`);
  const answer = getInfo(p, api, api.namespaced ? namespace : "", name);
  if (answer.status !== 200) return p.fail(errorText(answer, p.turn.config.server));
  return attachablePod(p, answer.body as KubeObject);
}

/** AttachablePodForObject: the Pod itself, or of a workload's Pods the one that has run best. */
export function attachablePod(p: Process, object: KubeObject): Pod {
  if (object.kind === "Pod") return object as Pod;
  const selector = podSelectorOf(object);
  if (selector === undefined) return p.fail(`error: cannot attach to *v1.${object.kind}: selector for *v1.${object.kind} not implemented`);
  const [first] = podsBySelector(p, selector, parseGoDuration(p.flag("pod-running-timeout", "1m0s")), forStreams);
  return first ?? p.fail("error: timed out waiting for the condition");
}

/** The container that is meant: -c, the annotated or the first one. */
export function chosenContainer(p: Process, pod: Pod, wanted: string, quiet = p.on("quiet")): string {
  const chosen = containerOf(pod, wanted);
  if (typeof chosen === "string") return p.fail(chosen);
  if (chosen.others !== "" && !quiet) p.printError(`Defaulted container ${JSON.stringify(chosen.name)} out of: ${chosen.others}`);
  return chosen.name;
}

export function streamCall(p: Process, { metadata: { name = "", namespace = "" } }: Pod, container: string, words: readonly string[], what: "exec" | "attach", stdin?: string): ApiCall {
  const query = { ...(words.length === 0 ? {} : { command: words.join("&command=") }), container, ...(p.on("stdin") || stdin !== undefined ? { stdin: "true" } : {}), stderr: "true", stdout: "true" };
  return { method: "GET", path: `/api/v1/namespaces/${namespace}/pods/${name}/${what}`, query, subject: `${what} in pod/${namespace}/${name}`, level: "basic", ...(stdin === undefined ? {} : { body: stdin }) };
}

/** Why a stream could not be opened, as kubectl words it. */
export const streamError = ({ error = "", status }: Streamed): string => (status === 404 ? `error: Internal error occurred: unable to upgrade connection: ${error}` : `error: Internal error occurred: ${error}`);

/** Runs a command in a container; what it wrote, and its exit code. A refusal ends this command. */
export function containerStream(p: Process, pod: Pod, words: readonly string[], { stdin, quiet }: StreamOptions = {}): Streamed {
  const phase = pod.status?.phase;
  if (phase === "Succeeded" || phase === "Failed") return p.fail(`error: cannot exec into a container in a completed pod; current phase is ${phase}`);
  const container = chosenContainer(p, pod, p.options.container, quiet);
  const answer = p.ask(streamCall(p, pod, container, words, "exec", stdin));
  if (answer.refused || answer.status !== 101) return p.fail(errorText(answer, p.turn.config.server));
  const result = answer.body as Streamed;
  return result.error === undefined ? result : p.fail(streamError(result));
}
