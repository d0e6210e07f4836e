// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/{exec,top,portforward,cp}: as far as they get here
import { API_RESOURCES } from "../api/schema/resources.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import { typeOf } from "./builder.ts";
import { errorText } from "./errors.ts";
import { pathOf } from "./manifest.ts";
import { onlySubcommands } from "./help-commands.ts";
import { containerOf } from "./logs.ts";
import { command, type Process } from "./process.ts";

function podOf(p: Process, arg: string): Pod {
  const name = arg.replace(/^(pods?|po)\//, "");
  const answer = p.ask({ method: "GET", path: `/api/v1/namespaces/${p.namespace}/pods/${name}`, subject: `pod/${p.namespace}/${name}` });
  return answer.status === 200 ? (answer.body as Pod) : p.fail(errorText(answer, p.turn.config.server));
}

/** Simplified: the stream into the container is not simulated. */
function stream(p: Process, pod: Pod, words: readonly string[]): void {
  const chosen = containerOf(pod, p.options.container);
  if (typeof chosen === "string") return p.fail(chosen);
  if (chosen.others !== "") p.printError(`Defaulted container ${JSON.stringify(chosen.name)} out of: ${chosen.others}`);
  const { name = "", namespace = "" } = pod.metadata;
  const phase = ((pod.status ?? {}) as { readonly phase?: string }).phase;
  if (phase === "Succeeded" || phase === "Failed") return p.fail(`error: cannot exec into a container in a completed pod; current phase is ${phase}`);
  return p.fail(`error: ${p.options.command} is not simulated: no stream reaches a container here (${namespace}/${name}: ${words.join(" ")})`);
}

/** kubectl exec POD -- COMMAND */
export const exec = command(["exec"], (p) => {
  const [name, ...rest] = p.options.args;
  const words = [...rest, ...(p.options.dash ?? [])];
  if (name === undefined) return p.fail("error: pod, type/name or --filename must be specified");
  if (words.length === 0) return p.fail("error: you must specify at least one command for the container");
  stream(p, podOf(p, name), words);
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
  const api = typeOf(type ?? "");
  if (api === undefined) return p.fail(`error: the server doesn't have a resource type ${JSON.stringify(type)}`);
  const object = p.must({ method: "GET", path: `${pathOf(api, p.namespace, name)}`, subject: `${api.singular}/${p.namespace}/${name ?? ""}` }) as KubeObject;
  if (object.kind === "Service") {
    const served = ((object.spec as { readonly ports?: readonly { readonly name?: string; readonly port: number }[] }).ports ?? []).flatMap((port) => [String(port.port), port.name ?? ""]);
    const missing = ports.map((port) => port.split(":").at(-1) ?? "").find((port) => !served.includes(port));
    if (missing !== undefined) return p.fail(`error: Service ${name ?? ""} does not have a service port ${missing}`);
  }
  const phase = ((object.status ?? {}) as { readonly phase?: string }).phase ?? "";
  if (object.kind === "Pod" && phase !== "Running") return p.fail(`error: unable to forward port because pod is not running. Current status=${phase}`);
  return p.fail("error: port-forward is not simulated: no packets leave this cluster");
});

/** kubectl cp. Simplified: files of containers are not read. */
export const cp = command(["cp"], (p) => {
  const [from, to] = p.options.args;
  if (from === undefined || to === undefined) return p.fail("error: source and destination are required");
  const remote = [from, to].find((spec) => spec.includes(":"));
  if (remote === undefined) return p.fail("error: one of src or dest must be a remote file specification");
  const path = remote.slice(remote.indexOf(":") + 1);
  stream(p, podOf(p, remote.slice(0, remote.indexOf(":")).split("/").at(-1) ?? ""), ["tar", "cf", "-", path]);
});
