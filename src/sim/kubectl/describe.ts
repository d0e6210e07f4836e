// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/describe
import type { KubeEvent, KubeObject } from "../api/types.ts";
import { getInfo, infosOf, list, namedBy, subjectOf, type Info, infoOf, type Named } from "./builder.ts";
import { DESCRIBERS, genericText } from "./describe-kinds.ts";
import { eventLines } from "./describe-pod.ts";
import { errorText, statusOf } from "./errors.ts";
import { pathOf } from "./manifest.ts";
import { chunkOf, listOrNothing } from "./paging.ts";
import { command, type Process } from "./process.ts";
import { align } from "./tabwriter.ts";

const NO_TYPE = "error: You must specify the type of resource to describe. Use \"kubectl api-resources\" for a complete list of supported resources.";

/** The events about an object, or nothing when they are not wanted. */
export function eventsOf(p: Process, { kind, metadata }: KubeObject, shown: boolean): string {
  if (!shown) return "";
  const { name = "", namespace = "", uid = "" } = metadata;
  const find = (id: string): readonly KubeEvent[] => {
    const fieldSelector = [`involvedObject.name=${name}`, `involvedObject.namespace=${namespace}`, ...(kind === "Pod" ? [] : [`involvedObject.kind=${kind}`]), `involvedObject.uid=${id}`].join(",");
    const call = { path: namespace === "" ? "/api/v1/events" : `/api/v1/namespaces/${namespace}/events`, query: { fieldSelector }, subject: `events of ${name}` };
    return (listOrNothing(p, call, chunkOf(p.options)) ?? []) as readonly KubeEvent[];
  };
  // A kubelet names its node by the name where others give the uid.
  return eventLines(kind === "Node" ? [...find(uid), ...find(name)] : find(uid), p.now);
}

function describeOne(p: Process, object: KubeObject, shown: boolean): string {
  const describer = DESCRIBERS[object.kind];
  let asked: string | undefined;
  const events = (): string => (asked ??= eventsOf(p, object, shown && p.flag("show-events") !== "false"));
  if (describer === undefined) return align(`${genericText(object)}${events()}`);
  const { text, withoutEvents = false } = describer(p, object, events);
  return align(`${text}${withoutEvents ? "" : events()}`);
}

const fresh = (p: Process, { api, namespace, name, object }: Info): KubeObject => {
  const answer = p.ask({ method: "GET", path: pathOf(api, namespace, name), subject: subjectOf(api, namespace, name) });
  return answer.status === 200 ? (answer.body as KubeObject) : object;
};

/** One object by its name; when there is none, those whose names begin with it, if TYPE and NAME were words of their own. */
function byName(p: Process, { api, name }: Named): readonly Info[] {
  const namespace = api.namespaced ? p.namespace : "";
  const answer = getInfo(p, api, namespace, name);
  if (answer.status === 200) return [{ api, namespace, name, object: answer.body as KubeObject }];
  const missing = p.options.args.length === 2 && statusOf(answer)?.reason === "NotFound";
  const found = missing ? list(p, api, chunkOf(p.options)).filter((object) => object.metadata.name?.startsWith(name) === true) : [];
  if (found.length === 0) return p.fail(errorText(answer, p.turn.config.server));
  p.print(found.map((object) => `${describeOne(p, fresh(p, infoOf(api, object)), false)}\n`).join(""));
  return [];
}

/** kubectl describe TYPE [NAME] */
export const describe = command(["describe"], (p) => {
  const { args, selector, files, allNamespaces } = p.options;
  if (args.length === 0 && files.length === 0) return p.fail(NO_TYPE);
  const named = files.length > 0 ? [] : namedBy(args, "describe", p.types);
  if (typeof named === "string") return p.fail(named);
  if (selector !== "" && named.some(({ name }) => name !== "")) return p.fail("error: name cannot be provided when a selector is specified");
  const [first] = named;
  const one = named.length === 1 && first !== undefined && first.name !== "" ? byName(p, first) : undefined;
  if (one?.length === 0) return;
  const infos = one ?? (files.length > 0 || named.some(({ name }) => name !== "") ? infosOf(p, { args, latest: true }) : named.flatMap(({ api }) => list(p, api, chunkOf(p.options)).map((object) => infoOf(api, object))));
  const blocks = infos.map((info) => describeOne(p, fresh(p, info), infos.length === 1));
  if (blocks.length > 0) p.print(blocks.join("\n\n"));
  else if (p.turn.session.errors.length === 0) p.printError(named.some(({ api }) => api.namespaced) && !allNamespaces ? `No resources found in ${p.namespace} namespace.` : "No resources found");
});
