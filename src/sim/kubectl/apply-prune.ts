// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/apply/prune.go and pkg/util/prune
import { findResource, resourceForKind, type ApiResource } from "../api/schema/resources.ts";
import type { KubeObject } from "../api/types.ts";
import { errorText, statusOf } from "./errors.ts";
import { isOn, type Options } from "./flags.ts";
import { pathOf } from "./manifest.ts";
import { type Answer, ask, fail, klogWarning, printError, type Turn } from "./session.ts";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
/** In the order in which they are looked through. */
const NAMESPACED = ["configmaps", "endpoints", "persistentvolumeclaims", "pods", "replicationcontrollers", "secrets", "services", "jobs", "cronjobs", "ingresses", "daemonsets", "deployments", "replicasets", "statefulsets"];
const CLUSTER_WIDE = ["namespaces", "persistentvolumes"];

/** Lists that are still to be read, and objects of the last one that are to go. */
export interface Pruning {
  readonly lists: readonly { readonly api: ApiResource; readonly namespace: string }[];
  readonly doomed: readonly KubeObject[];
  readonly visited: readonly string[];
}

/** What is wrong with the flags of --prune. */
export function wrongPrune(options: Options): string | undefined {
  if (!isOn(options, "prune")) return undefined;
  if (options.force) return "error: --force cannot be used with --prune";
  if (options.selector === "" && !options.all) return "error: all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector";
  if (isOn(options, "server-side")) return "error: --prune is in alpha and doesn't currently work on objects created by server-side apply";
  const allowed = allowlist(options);
  return typeof allowed === "string" ? allowed : undefined;
}

/** --prune-allowlist=GROUP/VERSION/KIND; an error as text. */
function allowlist({ flags }: Options): readonly ApiResource[] | string {
  const found: ApiResource[] = [];
  for (const text of flags["prune-allowlist"] ?? []) {
    const [group = "", version = "", kind, more] = text.split("/");
    if (kind === undefined || more !== undefined) return `error: invalid GroupVersionKind format: ${text}, please follow <group/version/kind>`;
    const apiVersion = group === "core" || group === "" ? version : `${group}/${version}`;
    const api = resourceForKind(apiVersion, kind);
    if (api === undefined) return `error: no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`;
    found.push(api);
  }
  return found;
}

/** What has to be looked through, once everything is applied. */
export function pruningOf(turn: Turn, applied: readonly KubeObject[]): Pruning {
  const { options } = turn.session;
  const given = allowlist(options);
  const chosen = typeof given === "string" ? [] : given;
  if (chosen.length === 0) printError(turn, klogWarning(turn.ctx.now, "prune.go:71", "Deprecated: kubectl apply will no longer prune non-namespaced resources by default when used with the --namespace flag in a future release. To preserve the current behaviour, list the resources you want to target explicitly in the --prune-allowlist flag."));
  const named = (names: readonly string[]): readonly ApiResource[] => names.flatMap((name) => findResource(name) ?? []);
  const apis = chosen.length > 0 ? chosen : [...named(NAMESPACED), ...named(CLUSTER_WIDE)];
  const namespaces = [...new Set(applied.flatMap(({ metadata }) => metadata.namespace ?? []))].sort();
  const lists = [...namespaces.flatMap((namespace) => apis.filter((api) => api.namespaced).map((api) => ({ api, namespace }))), ...apis.filter((api) => !api.namespaced).map((api) => ({ api, namespace: "" }))];
  return { lists, doomed: [], visited: applied.flatMap(({ metadata }) => metadata.uid ?? []) };
}

/** The next request of a pruning; false when nothing is left. `printed` is told what goes without one. */
export function pruneNext(turn: Turn, { lists, doomed }: Pruning): boolean {
  const { options } = turn.session;
  const [list] = lists;
  const [object] = doomed;
  if (list === undefined) return false;
  const { api, namespace } = list;
  if (object === undefined) {
    ask(turn, "prune-list", { method: "GET", path: pathOf(api, namespace), query: options.selector === "" ? {} : { labelSelector: options.selector }, subject: `list ${api.resource}` });
    return true;
  }
  const { name = "" } = object.metadata;
  const body = { ...(options.gracePeriod >= 0 ? { gracePeriodSeconds: options.gracePeriod } : {}), ...(options.dryRun === "server" ? { dryRun: ["All"] } : {}), propagationPolicy: "Background" };
  ask(turn, "prune-delete", { method: "DELETE", path: pathOf(api, namespace, name), body, subject: `${api.singular}/${namespace === "" ? "" : `${namespace}/`}${name}`, level: "basic" });
  return true;
}

/** What a list says: objects that were applied once and are not in the files now. Undefined when the answer ended the command. */
export function doomedOf(turn: Turn, { lists, visited }: Pruning, answer: Answer): readonly KubeObject[] | undefined {
  const [list] = lists;
  if (answer.status !== 200 || list === undefined) {
    const kind = list === undefined ? "" : `${list.api.group}/${list.api.version}, Kind=${list.api.kind}`;
    fail(turn, answer.refused ? errorText(answer, turn.config.server) : `error: error pruning ${list?.api.namespaced === false ? "nonNamespaced" : "namespaced"} object ${kind}: ${statusOf(answer)?.message ?? ""}`);
    return undefined;
  }
  const { items } = answer.body as { readonly items: readonly KubeObject[] };
  return items.filter(({ metadata }) => metadata.annotations?.[LAST_APPLIED] !== undefined && !visited.includes(metadata.uid ?? "")).map((item) => ({ ...item, apiVersion: list.api.apiVersion, kind: list.api.kind }));
}
