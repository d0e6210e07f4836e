// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/drain/drain.go and pkg/drain
import { parseGoDuration } from "../api/duration.ts";
import { findResource } from "../api/schema/resources.ts";
import { SECOND } from "../api/time.ts";
import type { Pod, Status } from "../api/types.ts";
import { type Info, infosOf } from "./builder.ts";
import { filterPods, type Filtered } from "./drain-filters.ts";
import { errorText, statusOf } from "./errors.ts";
import { pathOf } from "./manifest.ts";
import { dryRunQuery, dryRunSuffix, patch } from "./patching.ts";
import { chunkOf, listAll } from "./paging.ts";
import { command, type Process } from "./process.ts";

const pods = findResource("pods");
const podPath = (pod: Pod): string => (pods === undefined ? "" : pathOf(pods, pod.metadata.namespace ?? "", pod.metadata.name ?? ""));
const podSubject = (pod: Pod): string => `pod/${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`;
const EVICTION_RETRY = 5;

/** The nodes that are named or selected; one that is missing ends the command. */
function nodesOf(p: Process): readonly Info[] {
  const { command: verb, args, selector } = p.options;
  const help = `\nSee 'kubectl ${verb} -h' for help and examples`;
  if (args.length === 0 && selector === "") return p.fail(`error: USAGE: ${verb} NODE [flags]${help}`);
  if (args.length > 0 && selector !== "") return p.fail(`error: cannot specify both a node name and a --selector option${help}`);
  const words = args.some((arg) => arg.includes("/")) ? args : ["nodes", ...args];
  const infos = infosOf(p, { args: words, stop: true, limit: true });
  const other = infos.find(({ api }) => api.resource !== "nodes");
  if (other) return p.fail(`error: expected resource of type node, got "${other.api.group}/${other.api.version}, Resource=${other.api.resource}"`);
  return infos;
}

function cordonOne(p: Process, info: Info, want: boolean): void {
  const done = want ? "cordoned" : "uncordoned";
  const is = (info.object.spec as { readonly unschedulable?: boolean } | undefined)?.unschedulable === true;
  if (is === want) return p.print(`node/${info.name} already ${done}${dryRunSuffix(p)}`);
  if (p.options.dryRun !== "client") {
    const answer = patch(p, info, { body: { spec: { unschedulable: want ? true : null } }, prefix: "" });
    if (answer === undefined) return;
  }
  p.print(`node/${info.name} ${done}${dryRunSuffix(p)}`);
}

const cordoning = (want: boolean) => (p: Process): void => {
  for (const info of nodesOf(p)) cordonOne(p, info, want);
};
/** kubectl cordon, kubectl uncordon */
export const cordon = command(["cordon"], cordoning(true));
export const uncordon = command(["uncordon"], cordoning(false));

function podsOn(p: Process, node: string): Filtered {
  const selector = p.flag("pod-selector");
  const { items } = listAll(p, { path: "/api/v1/pods", query: { fieldSelector: `spec.nodeName=${node}`, ...(selector === "" ? {} : { labelSelector: selector }) }, subject: `list pods of node/${node}` }, chunkOf(p.options));
  const daemonSets = findResource("daemonsets");
  return filterPods(p, items as readonly Pod[], (namespace, name) => daemonSets !== undefined && p.ask({ method: "GET", path: pathOf(daemonSets, namespace, name), subject: `daemonset/${namespace}/${name}` }).status === 200);
}

const deleteOptions = (p: Process): object => (p.options.gracePeriod >= 0 ? { gracePeriodSeconds: p.options.gracePeriod } : {});

/** True when the Pod is gone, or another one has its name. */
function isGone(p: Process, pod: Pod): boolean {
  const answer = p.ask({ method: "GET", path: podPath(pod), subject: podSubject(pod) });
  if (answer.status === 404) return true;
  if (answer.status !== 200) return p.fail(errorText(answer, p.turn.config.server));
  return (answer.body as Pod).metadata.uid !== pod.metadata.uid;
}

/** How asking to evict one Pod ended. */
function evict(p: Process, pod: Pod): "asked" | "gone" | "refused" | { readonly error: string } {
  const { name = "", namespace = "" } = pod.metadata;
  p.print(`evicting pod ${namespace}/${name}`);
  const answer = p.ask({ method: "POST", path: `${podPath(pod)}/eviction`, query: dryRunQuery(p), body: { kind: "Eviction", apiVersion: "policy/v1", metadata: { name, namespace }, deleteOptions: deleteOptions(p) }, subject: podSubject(pod), level: "basic" });
  if (answer.status === 201 || answer.status === 200) return "asked";
  if (answer.status === 404) return "gone";
  const message = (statusOf(answer) as Status | undefined)?.message ?? "";
  if (answer.status !== 429) return { error: `error when evicting pods/${JSON.stringify(name)} -n ${JSON.stringify(namespace)}: ${message}` };
  p.printError(`error when evicting pods/${JSON.stringify(name)} -n ${JSON.stringify(namespace)} (will retry after 5s): ${message}`);
  return "refused";
}

/** Evicts all; what a budget refuses is asked again every 5 s, what is evicted is asked for every second until it is gone. The text of an error. */
function evictAll(p: Process, all: readonly Pod[]): string | undefined {
  let due = [...all];
  let refused: Pod[] = [];
  let leaving: Pod[] = [];
  for (let second = 0; ; second++) {
    if (second % EVICTION_RETRY === 0 && second > 0) [due, refused] = [refused, []];
    for (const pod of due) {
      const result = evict(p, pod);
      if (typeof result === "object") return result.error;
      if (result === "refused") refused.push(pod);
      if (result === "asked" && p.options.dryRun === "none") leaving.push(pod);
    }
    due = [];
    leaving = leaving.filter((pod) => {
      if (!isGone(p, pod)) return true;
      p.print(`pod/${pod.metadata.name ?? ""} evicted`);
      return false;
    });
    if (refused.length === 0 && leaving.length === 0) return undefined;
    p.alarm(SECOND, "tick");
    if (p.next() === "timeout") {
      const [pod] = leaving;
      return pod === undefined ? `error when evicting pods/${JSON.stringify(refused[0]?.metadata.name ?? "")} -n ${JSON.stringify(refused[0]?.metadata.namespace ?? "")}: global timeout reached: ${p.options.timeout}` : `error when waiting for pod ${JSON.stringify(pod.metadata.name ?? "")} in namespace ${JSON.stringify(pod.metadata.namespace ?? "")} to terminate: context deadline exceeded`;
    }
  }
}

function deleteAll(p: Process, all: readonly Pod[]): string | undefined {
  for (const pod of all) p.must({ method: "DELETE", path: podPath(pod), body: deleteOptions(p), query: dryRunQuery(p), subject: podSubject(pod), level: "basic" });
  for (let leaving = p.options.dryRun === "none" ? [...all] : []; leaving.length > 0; ) {
    leaving = leaving.filter((pod) => {
      if (!isGone(p, pod)) return true;
      p.print(`pod/${pod.metadata.name ?? ""} deleted`);
      return false;
    });
    if (leaving.length === 0) break;
    p.alarm(SECOND, "tick");
    if (p.next() === "timeout") return "context deadline exceeded";
  }
  return undefined;
}

/** Empties one node; the text of an error. */
function drainOne(p: Process, node: string): { readonly error: string; readonly plain: boolean } | undefined {
  const { pods: list, errors, warnings } = podsOn(p, node);
  if (errors.length > 0) return { error: errors.length === 1 ? (errors[0] ?? "") : `[${errors.join(", ")}]`, plain: false };
  if (warnings.length > 0) p.printError(`Warning: ${warnings.join("; ")}`);
  if (p.options.dryRun === "client") {
    for (const pod of list) p.print(`evicting pod ${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""} (dry run)`);
    return undefined;
  }
  const direct = p.on("disable-eviction");
  // CheckEvictionSupport: whether this server has the subresource.
  if (list.length > 0 && !direct) p.ask({ method: "GET", path: "/api/v1", subject: "/api/v1" });
  const error = list.length === 0 ? undefined : direct ? deleteAll(p, list) : evictAll(p, list);
  if (error === undefined) return undefined;
  const left = podsOn(p, node).pods;
  if (left.length > 0) p.printError(`There are pending pods in node ${JSON.stringify(node)} when an error occurred: ${error}\n${left.map((pod) => `pod/${pod.metadata.name ?? ""}\n`).join("")}`);
  return { error, plain: direct };
}

/** kubectl drain NODE: cordon, then evict what runs there. */
export const drain = command(["drain"], (p) => {
  const infos = nodesOf(p);
  for (const info of infos) cordonOne(p, info, true);
  const timeout = parseGoDuration(p.options.timeout);
  if (timeout > 0) p.alarm(timeout);
  const pending: string[] = [];
  const failures: { readonly error: string; readonly plain: boolean }[] = [];
  for (const { name } of infos) {
    const failure = drainOne(p, name);
    if (failure === undefined) p.print(`node/${name} drained${dryRunSuffix(p)}`);
    else {
      p.printError(`error: unable to drain node ${JSON.stringify(name)} due to error: ${failure.error}, continuing command...`);
      pending.push(name);
      failures.push(failure);
    }
  }
  if (pending.length === 0) return;
  p.printError(`There are pending nodes to be drained:\n${pending.map((name) => ` ${name}\n`).join("")}`);
  for (const { error, plain } of failures) p.addError(plain && failures.length === 1 ? `error: ${error}` : error);
});
