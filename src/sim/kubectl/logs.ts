// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/logs and pkg/polymorphichelpers/logsforobject.go
import { parseGoDuration } from "../api/duration.ts";
import { findResource } from "../api/schema/resources.ts";
import { SECOND } from "../api/time.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import type { ApiCall } from "../client-go/api-client.ts";
import type { Micros } from "../kernel/types.ts";
import { getInfo, list, typeOf } from "./builder.ts";
import { errorText, statusOf } from "./errors.ts";
import { forLogs, podsBySelector, podSelectorOf } from "./first-pod.ts";
import { command, type Process } from "./process.ts";

const USAGE = "error: expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command\nSee 'kubectl logs -h' for help and examples";

const ephemeralOf = ({ spec }: Pod): readonly { readonly name: string }[] => spec.ephemeralContainers ?? [];
const containersOf = (pod: Pod): readonly string[] => [...(pod.spec.initContainers ?? []), ...pod.spec.containers, ...ephemeralOf(pod)].map(({ name }) => name);

/** A text when the named container is not one of the Pod's. */
export function containerOf(pod: Pod, wanted: string): { readonly name: string; readonly others: string } | string {
  const { containers, initContainers = [] } = pod.spec;
  const ephemeral = ephemeralOf(pod);
  const names = [...containers.map(({ name }) => name), ...initContainers.map(({ name }) => `${name} (init)`), ...ephemeral.map(({ name }) => `${name} (ephem)`)].join(", ");
  const known = [...containers, ...initContainers, ...ephemeral].map(({ name }) => name);
  if (wanted !== "") return known.includes(wanted) ? { name: wanted, others: "" } : `error: container ${wanted} is not valid for pod ${pod.metadata.name ?? ""} out of: ${names}`;
  const annotated = pod.metadata.annotations?.["kubectl.kubernetes.io/default-container"] ?? "";
  const name = known.includes(annotated) ? annotated : (containers[0]?.name ?? "");
  return { name, others: known.length > 1 && name !== annotated ? names : "" };
}

/** The object that "POD" or "TYPE/NAME" names, or the Pods of -l. */
function objectOf(p: Process): KubeObject | readonly Pod[] {
  const pods = findResource("pods");
  const { args, selector } = p.options;
  if (pods === undefined) return [];
  if (selector !== "") {
    const found = list(p, pods);
    if (found.length === 0) p.printError(`No resources found in ${p.namespace} namespace.`);
    return found as readonly Pod[];
  }
  const [type = "", name] = args[0]?.includes("/") === true ? args[0].split("/") : ["pods", args[0] ?? ""];
  const api = typeOf(type, p.types);
  if (api === undefined) return p.fail(`error: the server doesn't have a resource type ${JSON.stringify(type)}`);
  const answer = getInfo(p, api, p.namespace, name ?? "");
  if (answer.status === 404) return p.fail(`error: error from server (NotFound): ${statusOf(answer)?.message ?? ""} in namespace ${JSON.stringify(p.namespace)}`);
  if (answer.status !== 200) return p.fail(errorText(answer, p.turn.config.server));
  return answer.body as KubeObject;
}

function ofWorkload(p: Process, object: KubeObject): readonly Pod[] {
  const selector = podSelectorOf(object);
  if (selector === undefined) return p.fail(`error: cannot get the logs from *v1.${object.kind}: unable to extract pod template from type *v1.${object.kind}`);
  const found = podsBySelector(p, selector, timeoutOf(p), forLogs);
  const [first, ...others] = found;
  if (first === undefined || p.on("all-pods")) return found;
  if (others.length > 0) p.printError(`Found ${found.length} pods, using pod/${first.metadata.name ?? ""}`);
  return [first];
}

/** --pod-running-timeout */
const timeoutOf = (p: Process): Micros => parseGoDuration(p.flag("pod-running-timeout", "20s"));

function queryOf(p: Process, container: string): Readonly<Record<string, string>> {
  const since = p.flag("since");
  const { tail, selector, previous } = p.options;
  return {
    container, ...(p.on("follow") ? { follow: "true" } : {}), ...(p.given("limit-bytes") ? { limitBytes: p.flag("limit-bytes") } : {}), ...(previous ? { previous: "true" } : {}), ...(since === "" ? {} : { sinceSeconds: String(Math.round(parseGoDuration(since) / SECOND)) }),
    ...(p.given("since-time") ? { sinceTime: p.flag("since-time") } : {}), ...(tail >= 0 ? { tailLines: String(tail) } : selector !== "" && !p.given("tail") ? { tailLines: "10" } : {}), ...(p.on("timestamps") ? { timestamps: "true" } : {}),
  };
}

/** One log of one container: what is asked, and what stands before each line. */
interface LogSource {
  readonly call: ApiCall;
  readonly prefix: string;
}

function sourcesOf(p: Process, pod: Pod): readonly LogSource[] {
  const { name = "", namespace = "" } = pod.metadata;
  const { args, container } = p.options;
  const all = p.on("all-containers") ? containersOf(pod) : undefined;
  const chosen = containerOf(pod, args[1] ?? container);
  if (all === undefined && typeof chosen === "string") return p.fail(chosen);
  if (all === undefined && typeof chosen !== "string" && chosen.others !== "" && !p.on("all-pods")) p.printError(`Defaulted container ${JSON.stringify(chosen.name)} out of: ${chosen.others}`);
  return (all ?? [typeof chosen === "string" ? "" : chosen.name]).map((one) => ({
    prefix: p.on("prefix") || p.on("all-pods") ? `[pod/${name}/${one}] ` : "",
    call: { method: "GET", path: `/api/v1/namespaces/${namespace}/pods/${name}/log`, query: queryOf(p, one), accept: "application/json, */*", subject: `log of pod/${namespace}/${name}` },
  }));
}

/** One after the other. */
function readAll(p: Process, sources: readonly LogSource[]): void {
  for (const { call, prefix } of sources) {
    const answer = p.ask(call);
    if (answer.refused || answer.status >= 400) {
      if (!p.on("ignore-errors") || answer.refused) return p.fail(errorText(answer, p.turn.config.server));
      p.print(`error: ${statusOf(answer)?.message ?? ""}`);
    } else if (typeof answer.body === "string" && answer.body !== "") p.print(prefix === "" ? answer.body : answer.body.replaceAll(/^(?=.)/gm, prefix));
  }
}

/** All at once, until each has ended. What cannot be opened yet is tried again every second. */
function followAll(p: Process, sources: readonly LogSource[]): void {
  const most = Number(p.flag("max-log-requests", "5"));
  if (sources.length > 1 && sources.length > most) return p.fail(`error: you are attempting to follow ${sources.length} log streams, but maximum allowed concurrency is ${most}, use --max-log-requests to increase the limit`);
  const until = p.now + timeoutOf(p);
  const open = new Map(sources.map((source) => [p.follow(source.call, source.prefix), source] as const));
  const later: LogSource[] = [];
  while (open.size + later.length > 0) {
    const ended = p.ended();
    if (typeof ended === "string") {
      const source = later.shift();
      if (source !== undefined) open.set(p.follow(source.call, source.prefix), source);
      continue;
    }
    const source = open.get(ended.stream);
    open.delete(ended.stream);
    const { refusal } = ended;
    if (source === undefined || refusal === undefined) continue;
    if (refusal.refused) return p.fail(errorText(refusal, p.turn.config.server));
    const message = statusOf(refusal)?.message ?? "";
    if (p.on("ignore-errors")) p.print(`error: ${message}`);
    else {
      p.printError(message);
      if (p.now + SECOND > until) return p.fail("error: context deadline exceeded");
      later.push(source);
      p.alarm(SECOND, "tick");
    }
  }
}

/** Upstream looks at these only once it has the object. */
function wrongFlags(p: Process): string | undefined {
  const { args, container, tail } = p.options;
  const inline = args[1] ?? container;
  if (p.given("since-time") && parseGoDuration(p.flag("since", "0s")) !== 0) return "at most one of `sinceTime` or `sinceSeconds` may be specified";
  if (p.on("all-containers") && inline !== "") return `--all-containers=true should not be specified with container name ${inline}`;
  if (p.given("container") && args.length === 2) return "only one of -c or an inline [CONTAINER] arg is allowed";
  if (Number(p.flag("limit-bytes", "0")) < 0) return "--limit-bytes must be greater than 0";
  if (p.flag("since").startsWith("-")) return "--since must be greater than 0";
  return tail < -1 ? "--tail must be greater than or equal to -1" : undefined;
}

/** kubectl logs */
export const logs = command(["logs"], (p) => {
  const { args, selector } = p.options;
  if (args.length > 2 || (args.length === 0 && selector === "")) return p.fail(USAGE);
  if (args.length === 1 && selector !== "") return p.fail("error: only a selector (-l) or a POD name is allowed\nSee 'kubectl logs -h' for help and examples");
  const given = objectOf(p);
  const wrong = wrongFlags(p);
  if (wrong !== undefined) return p.fail(`error: ${wrong}`);
  const pods = Array.isArray(given) ? (given as readonly Pod[]) : (given as KubeObject).kind === "Pod" ? [given as Pod] : ofWorkload(p, given as KubeObject);
  const sources = pods.flatMap((pod) => sourcesOf(p, pod));
  if (p.on("follow")) followAll(p, sources);
  else readAll(p, sources);
});
