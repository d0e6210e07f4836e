// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/{exec,top,portforward,cp}: as far as they get here
import { API_RESOURCES } from "../api/schema/resources.ts";
import { labelSelectorAsSelector, selectorText } from "../api/labels.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import { getInfo, typeOf } from "./builder.ts";
import { errorText } from "./errors.ts";
import { onlySubcommands } from "./help-commands.ts";
import { containerOf } from "./logs.ts";
import { command, type Process } from "./process.ts";

type Reviewed = { readonly exitCode?: number; readonly output?: string; readonly error?: string; readonly status?: number };

/** The Pod of "POD", "TYPE/NAME" or "TYPE NAME"; of a workload's Pods, one that runs. */
function podOf(p: Process, arg: string): Pod {
  const [type, name = ""] = arg.includes("/") ? arg.split("/") : ["pods", arg];
  const api = typeOf(type ?? "", p.types);
  if (api === undefined) return p.fail(`error: the server doesn't have a resource type ${JSON.stringify(type)}`);
  const answer = getInfo(p, api, api.namespaced ? p.namespace : "", name);
  if (answer.status !== 200) return p.fail(errorText(answer, p.turn.config.server));
  return attachable(p, answer.body as KubeObject);
}

/** polymorphichelpers AttachablePodForObject: the Pod itself, or one of its workload's. */
function attachable(p: Process, object: KubeObject): Pod {
  if (object.kind === "Pod") return object as Pod;
  const selector = (object.spec as { readonly selector?: Readonly<Record<string, unknown>> } | undefined)?.selector;
  if (selector === undefined) return p.fail(`error: cannot attach to *v1.${object.kind}: selector for *v1.${object.kind} not implemented`);
  const parsed = labelSelectorAsSelector(object.kind === "Service" || object.kind === "ReplicationController" ? { matchLabels: selector as Readonly<Record<string, string>> } : selector);
  const { items } = p.must({ method: "GET", path: `/api/v1/namespaces/${p.namespace}/pods`, query: { labelSelector: typeof parsed === "string" ? "" : selectorText(parsed) }, subject: "list pods" }) as { readonly items: readonly Pod[] };
  return items.find((pod) => ((pod.status ?? {}) as { readonly phase?: string }).phase === "Running") ?? items[0] ?? p.fail("error: timed out waiting for the condition");
}

/** Runs a command in a container; what it wrote, and its exit code. */
function stream(p: Process, pod: Pod, words: readonly string[], what: "exec" | "attach" = "exec"): Reviewed {
  const phase = ((pod.status ?? {}) as { readonly phase?: string }).phase;
  if (phase === "Succeeded" || phase === "Failed") return p.fail(what === "exec" ? `error: cannot exec into a container in a completed pod; current phase is ${phase}` : `error: cannot attach a container in a completed pod; current phase is ${phase}`);
  const chosen = containerOf(pod, p.options.container);
  if (typeof chosen === "string") return p.fail(chosen);
  if (chosen.others !== "" && !p.on("quiet")) p.printError(`Defaulted container ${JSON.stringify(chosen.name)} out of: ${chosen.others}`);
  const { name = "", namespace = "" } = pod.metadata;
  const query = { ...(words.length === 0 ? {} : { command: words.join("&command=") }), container: chosen.name, ...(p.on("stdin") ? { stdin: "true" } : {}), stderr: "true", stdout: "true" };
  const answer = p.ask({ method: "GET", path: `/api/v1/namespaces/${namespace}/pods/${name}/${what}`, query, subject: `${what} in pod/${namespace}/${name}`, level: "basic" });
  if (answer.refused || answer.status !== 101) return p.fail(errorText(answer, p.turn.config.server));
  const result = answer.body as Reviewed;
  if (result.error !== undefined) return p.fail(result.status === 404 ? `error: Internal error occurred: unable to upgrade connection: ${result.error}` : `error: Internal error occurred: ${result.error}`);
  return result;
}

/** Shells that wait for what is typed. */
const SHELLS = new Set(["sh", "bash", "ash", "/bin/sh", "/bin/bash", "/bin/ash"]);

/** kubectl exec POD -- COMMAND */
export const exec = command(["exec"], (p) => {
  const { args, dash, files } = p.options;
  const [name] = args;
  if (args.length > 1 || (args.length > 0 && dash === undefined && files.length > 0)) return p.fail("error: exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead\nSee 'kubectl exec -h' for help and examples");
  if (name === undefined) return p.fail("error: pod, type/name or --filename must be specified");
  if (dash === undefined || dash.length === 0) return p.fail("error: you must specify at least one command for the container");
  const pod = podOf(p, name);
  if (p.on("stdin") && dash.length === 1 && SHELLS.has(dash[0] ?? "")) p.printError(`A shell needs a keyboard that this terminal does not lend it: put the command behind it, as in kubectl exec ${name} -- ${dash[0] ?? ""} -c "ls /".`);
  const { exitCode = 0, output = "" } = stream(p, pod, dash);
  if (output !== "") p.printRaw(output);
  if (exitCode !== 0) {
    p.printError(`command terminated with exit code ${exitCode}`);
    p.exit(exitCode);
  }
});

/** kubectl attach POD. Simplified: what the container writes from now on is not followed; its log is. */
export const attach = command(["attach"], (p) => {
  const { args } = p.options;
  if (args.length === 0 && p.options.files.length === 0) return p.fail("error: at least 1 argument is required for attach");
  if (args.length > 2) return p.fail(`error: expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw ${args.length}: [${args.join(" ")}]`);
  const pod = podOf(p, args.length === 2 ? args.join("/") : (args[0] ?? ""));
  if (!p.on("quiet")) p.printError("All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through the command prompt.\nIf you don't see a command prompt, try pressing enter.");
  const { output = "" } = stream(p, pod, [], "attach");
  if (output !== "") p.printRaw(output);
});

/** kubectl top: there is no metrics API here. */
export const top = command(["top"], (p) => {
  if (p.options.path === "top") return onlySubcommands(p);
  for (const path of ["/api", "/apis"]) p.must({ method: "GET", path, subject: path });
  if (!API_RESOURCES.some(({ group }) => group === "metrics.k8s.io")) p.fail("error: Metrics API not available");
});

/** kubectl port-forward. Simplified: nothing is forwarded; what would refuse it does. */
export const portForward = command(["port-forward"], (p) => {
  const [target, ...ports] = p.options.args;
  if (target === undefined || ports.length === 0) return p.fail("error: TYPE/NAME and list of ports are required for port-forward\nSee 'kubectl port-forward -h' for help and examples");
  const [type, name] = target.includes("/") ? target.split("/") : ["pods", target];
  const api = typeOf(type ?? "", p.types);
  if (api === undefined) return p.fail(`error: the server doesn't have a resource type ${JSON.stringify(type)}`);
  const answer = getInfo(p, api, api.namespaced ? p.namespace : "", name ?? "");
  if (answer.status !== 200) return p.fail(errorText(answer, p.turn.config.server));
  const object = answer.body as KubeObject;
  const pod = attachable(p, object);
  if (object.kind === "Service") {
    const served = ((object.spec as { readonly ports?: readonly { readonly name?: string; readonly port: number }[] }).ports ?? []).flatMap((port) => [String(port.port), port.name ?? ""]);
    const missing = ports.map((port) => port.split(":").at(-1) ?? "").find((port) => !served.includes(port));
    if (missing !== undefined) return p.fail(`error: Service ${name ?? ""} does not have a service port ${missing}`);
  }
  const live = p.must({ method: "GET", path: `/api/v1/namespaces/${p.namespace}/pods/${pod.metadata.name ?? ""}`, subject: `pod/${p.namespace}/${pod.metadata.name ?? ""}` }) as Pod;
  const phase = ((live.status ?? {}) as { readonly phase?: string }).phase ?? "";
  if (phase !== "Running") return p.fail(`error: unable to forward port because pod is not running. Current status=${phase}`);
  return p.fail("error: port-forward is not simulated: no packets leave this cluster");
});

/** kubectl cp: tar in the container does the work. Simplified: the archive is one file, read by cat or written by the shell. */
export const cp = command(["cp"], (p) => {
  const [from, to, more] = p.options.args;
  if (from === undefined || to === undefined || more !== undefined) return p.fail("error: source and destination are required");
  const remoteFrom = from.includes(":");
  if (remoteFrom === to.includes(":")) return p.fail(`error: one of src or dest must be a ${remoteFrom ? "local" : "remote"} file specification`);
  const remote = remoteFrom ? from : to;
  const [place, path] = [remote.slice(0, remote.indexOf(":")), remote.slice(remote.indexOf(":") + 1)];
  if (from.endsWith(":") || to.endsWith(":")) return p.fail("error: filepath can not be empty");
  const [namespace, name] = place.includes("/") ? [place.split("/")[0] ?? "", place.split("/")[1] ?? ""] : [p.namespace, place];
  const local = remoteFrom ? "" : p.file(from);
  if (local === undefined) return p.fail(`error: ${from} doesn't exist in local filesystem`);
  const answer = p.ask({ method: "GET", path: `/api/v1/namespaces/${namespace}/pods/${name}`, subject: `pod/${namespace}/${name}` });
  if (answer.status !== 200) return p.fail(errorText(answer, p.turn.config.server));
  const pod = answer.body as Pod;
  const words = remoteFrom ? ["tar", "cf", "-", path] : ["tar", "-xmf", "-", "-C", path.slice(0, Math.max(1, path.lastIndexOf("/")))];
  const { exitCode = 0, output = "" } = stream(p, pod, words);
  if (output !== "") p.printError(output);
  if (exitCode !== 0) {
    p.printError(`command terminated with exit code ${exitCode}`);
    p.exit(exitCode);
  }
});
