// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/logs and pkg/polymorphichelpers/logsforobject.go
import { parseGoDuration } from "../api/duration.ts";
import { labelSelectorAsSelector, selectorText } from "../api/labels.ts";
import { findResource } from "../api/schema/resources.ts";
import { SECOND } from "../api/time.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import { getInfo, list, typeOf } from "./builder.ts";
import { errorText, statusOf } from "./errors.ts";
import { command, type Process } from "./process.ts";

const USAGE = "error: expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command\nSee 'kubectl logs -h' for help and examples";

/** A text when the named container is not one of the Pod's. */
export function containerOf(pod: Pod, wanted: string): { readonly name: string; readonly others: string } | string {
  const { containers, initContainers = [] } = pod.spec;
  const ephemeral = (pod.spec as { readonly ephemeralContainers?: readonly { readonly name: string }[] }).ephemeralContainers ?? [];
  const names = [...containers.map(({ name }) => name), ...initContainers.map(({ name }) => `${name} (init)`), ...ephemeral.map(({ name }) => `${name} (ephem)`)].join(", ");
  const known = [...containers, ...initContainers, ...ephemeral].map(({ name }) => name);
  if (wanted !== "") return known.includes(wanted) ? { name: wanted, others: "" } : `error: container ${wanted} is not valid for pod ${pod.metadata.name ?? ""} out of: ${names}`;
  const annotated = pod.metadata.annotations?.["kubectl.kubernetes.io/default-container"] ?? "";
  const name = known.includes(annotated) ? annotated : (containers[0]?.name ?? "");
  return { name, others: known.length > 1 && name !== annotated ? names : "" };
}

/** The Pods of "POD", "TYPE/NAME" or -l. Of a workload's Pods the first one is taken. */
function podsOf(p: Process): readonly Pod[] {
  const pods = findResource("pods");
  const { args, selector } = p.options;
  if (pods === undefined) return [];
  if (selector !== "") {
    const found = list(p, pods);
    if (found.length === 0) p.printError(`No resources found in ${p.namespace} namespace.`);
    return found as readonly Pod[];
  }
  const [type = "", name] = args[0]?.includes("/") === true ? args[0].split("/") : ["pods", args[0] ?? ""];
  const api = typeOf(type);
  if (api === undefined) return p.fail(`error: the server doesn't have a resource type ${JSON.stringify(type)}`);
  const answer = getInfo(p, api, p.namespace, name ?? "");
  if (answer.status === 404) return p.fail(`error: error from server (NotFound): ${statusOf(answer)?.message ?? ""} in namespace ${JSON.stringify(p.namespace)}`);
  if (answer.status !== 200) return p.fail(errorText(answer, p.turn.config.server));
  const object = answer.body as KubeObject;
  return object.kind === "Pod" ? [object as Pod] : ofWorkload(p, object);
}

function ofWorkload(p: Process, object: KubeObject): readonly Pod[] {
  const { selector, jobTemplate } = (object.spec ?? {}) as { readonly selector?: Readonly<Record<string, unknown>>; readonly jobTemplate?: unknown };
  if (selector === undefined || jobTemplate !== undefined) return p.fail(`error: cannot get the logs from *v1.${object.kind}: unable to extract pod template from type *v1.${object.kind}`);
  const plain = object.kind === "Service" || object.kind === "ReplicationController";
  const parsed = labelSelectorAsSelector(plain ? { matchLabels: selector as Readonly<Record<string, string>> } : selector);
  const { items } = p.must({ method: "GET", path: `/api/v1/namespaces/${p.namespace}/pods`, query: { labelSelector: typeof parsed === "string" ? "" : selectorText(parsed) }, subject: "list pods" }) as { readonly items: readonly Pod[] };
  const [first, ...others] = items;
  if (first === undefined) return p.fail(`error: timed out waiting for the condition`);
  if (p.on("all-pods")) return items;
  if (others.length > 0) p.printError(`Found ${items.length} pods, using pod/${first.metadata.name ?? ""}`);
  return [first];
}

function queryOf(p: Process, container: string): Readonly<Record<string, string>> {
  const since = p.flag("since");
  return {
    container, ...(p.on("follow") ? { follow: "true" } : {}), ...(p.given("limit-bytes") ? { limitBytes: p.flag("limit-bytes") } : {}), ...(p.options.previous ? { previous: "true" } : {}), ...(since === "" ? {} : { sinceSeconds: String(Math.round(parseGoDuration(since) / SECOND)) }),
    ...(p.given("since-time") ? { sinceTime: p.flag("since-time") } : {}), ...(p.options.tail >= 0 ? { tailLines: String(p.options.tail) } : p.options.selector !== "" && !p.given("tail") ? { tailLines: "10" } : {}), ...(p.on("timestamps") ? { timestamps: "true" } : {}),
  };
}

/** kubectl logs. Simplified: -f ends with what there is. */
export const logs = command(["logs"], (p) => {
  const { args, selector, container } = p.options;
  if (args.length === 0 && selector === "") return p.fail(USAGE);
  if (args.length > 0 && selector !== "") return p.fail("error: only a selector (-l) or a POD name is allowed");
  if (args.length > 2) return p.fail(USAGE);
  const inline = args[1] ?? container;
  if (p.on("all-containers") && inline !== "") return p.fail(`error: --all-containers=true should not be specified with container name ${inline}`);
  if (container !== "" && args.length === 2) return p.fail("error: only one of -c or an inline [CONTAINER] arg is allowed");
  if (Number(p.flag("limit-bytes", "0")) < 0) return p.fail("error: --limit-bytes must be greater than 0");
  if (p.flag("since").startsWith("-")) return p.fail("error: --since must be greater than 0");
  if (p.options.tail < -1) return p.fail("error: --tail must be greater than or equal to -1");
  const prefixed = p.on("prefix");
  for (const pod of podsOf(p)) {
    if (p.given("since") && p.given("since-time")) return p.fail("error: at most one of `sinceTime` or `sinceSeconds` may be specified");
    const { name = "", namespace = "" } = pod.metadata;
    const wanted = args[1] ?? container;
    const all = p.on("all-containers") ? [...(pod.spec.initContainers ?? []), ...pod.spec.containers].map((one) => one.name) : undefined;
    const chosen = containerOf(pod, all === undefined ? wanted : (all[0] ?? ""));
    if (typeof chosen === "string") return p.fail(chosen);
    if (all === undefined && chosen.others !== "") p.printError(`Defaulted container ${JSON.stringify(chosen.name)} out of: ${chosen.others}`);
    for (const one of all ?? [chosen.name]) {
      const text = p.must({ method: "GET", path: `/api/v1/namespaces/${namespace}/pods/${name}/log`, query: queryOf(p, one), accept: "application/json, */*", subject: `log of pod/${namespace}/${name}` });
      if (typeof text === "string" && text !== "") p.print(prefixed ? text.replaceAll(/^(?=.)/gm, `[pod/${name}/${one}] `) : text);
    }
  }
});
