// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/{drain,label,annotate,set,rollout,patch}: read, patch, one line
import { parseJson } from "../api/json.ts";
import { type ApiResource, findResource } from "../api/schema/resources.ts";
import { rfc3339 } from "../api/time.ts";
import type { KubeObject, PodSpec } from "../api/types.ts";
import { errorText } from "./errors.ts";
import { pathOf, typeName } from "./manifest.ts";
import { addError, ask, type Command, exit, fail, pause, print, say, type Turn } from "./session.ts";

interface Change {
  readonly patch: unknown;
  readonly contentType?: string;
  readonly done: string;
}
/** What one command makes of the live object: a patch, a line that says there is nothing to do, or an error. */
type Plan = (turn: Turn, object: KubeObject, words: readonly string[]) => Change | { readonly nothing: string } | { readonly error: string };

interface Recipe {
  readonly name: string;
  /** Words before the target ("image" in `set image`). */
  readonly sub?: string;
  /** The type when only names are given. */
  readonly type?: string;
  readonly plan: Plan;
}

interface Data {
  readonly api: ApiResource;
  readonly names: readonly string[];
  readonly words: readonly string[];
  readonly at: number;
  readonly done: string;
}

const data = (turn: Turn): Data => turn.session.data as Data;
const namespaceOf = (turn: Turn): string => (turn.session.options.namespaceGiven ? turn.session.options.namespace : turn.config.namespace);

/** Words with "=" or a trailing "-" are settings, the others name objects. */
function startWith(recipe: Recipe): (turn: Turn) => void {
  return (turn) => {
    let args = turn.session.options.args;
    if (recipe.sub !== undefined) {
      if (args[0] !== recipe.sub) return fail(turn, `error: unknown command ${JSON.stringify(args.join(" "))}\nSee 'kubectl ${recipe.name} -h' for help and examples`);
      args = args.slice(1);
    }
    const words = args.filter((arg) => arg.includes("=") || arg.endsWith("-"));
    let targets = args.filter((arg) => !words.includes(arg));
    let type = recipe.type ?? "";
    if (type === "" && targets[0]?.includes("/") !== true) [type = "", ...targets] = targets;
    else if (targets[0]?.includes("/") === true) {
      type = targets[0].split("/")[0] ?? "";
      targets = targets.map((target) => target.split("/")[1] ?? "");
    }
    const api = findResource(type);
    if (api === undefined) return fail(turn, `error: the server doesn't have a resource type ${JSON.stringify(type)}`);
    if (targets.length === 0) return fail(turn, "error: resource(s) were provided, but no name was specified");
    turn.session = { ...turn.session, data: { api, names: targets, words, at: 0, done: "" } satisfies Data };
    next(turn);
  };
}

const target = (turn: Turn): { readonly path: string; readonly subject: string; readonly label: string } => {
  const { api, names, at } = data(turn);
  const namespace = api.namespaced ? namespaceOf(turn) : "";
  const name = names[at] ?? "";
  return { path: pathOf(api, namespace, name), subject: `${api.singular}/${namespace === "" ? "" : `${namespace}/`}${name}`, label: `${typeName(api)}/${name}` };
};

function next(turn: Turn): void {
  const { names, at } = data(turn);
  if (at >= names.length) return pause(turn, "kubectl.exit", "exit");
  const { path, subject } = target(turn);
  ask(turn, "get", { method: "GET", path, subject });
}

const suffix = (turn: Turn): string => (turn.session.options.dryRun === "server" ? " (server dry run)" : turn.session.options.dryRun === "client" ? " (dry run)" : "");

const skip = (turn: Turn): void => {
  turn.session = { ...turn.session, data: { ...data(turn), at: data(turn).at + 1 } };
  next(turn);
};

function command(recipe: Recipe): Command {
  return {
    names: [recipe.name],
    start: startWith(recipe),
    onAnswer(turn, tag, answer) {
      if (answer.status !== 200) {
        addError(turn, errorText(answer, turn.config.server));
        return answer.refused ? exit(turn) : skip(turn);
      }
      const { path, subject, label } = target(turn);
      if (tag === "patch") {
        print(turn, `${label} ${data(turn).done}${suffix(turn)}`);
        return skip(turn);
      }
      const change = recipe.plan(turn, answer.body as KubeObject, data(turn).words);
      if ("error" in change) {
        addError(turn, change.error);
        return skip(turn);
      }
      if ("nothing" in change) {
        if (change.nothing !== "") print(turn, `${label} ${change.nothing}${suffix(turn)}`);
        return skip(turn);
      }
      if (turn.session.options.dryRun === "client") {
        print(turn, `${label} ${change.done}${suffix(turn)}`);
        return skip(turn);
      }
      turn.session = { ...turn.session, data: { ...data(turn), done: change.done } };
      say(turn, `sends PATCH for ${label}`, "only the difference goes over the wire", "basic", { body: change.patch });
      const { dryRun } = turn.session.options;
      ask(turn, "patch", { method: "PATCH", path, query: { ...(dryRun === "server" ? { dryRun: "All" } : {}), fieldManager: `kubectl-${recipe.name}` }, body: change.patch, contentType: change.contentType ?? "application/strategic-merge-patch+json", subject, level: "basic" });
    },
    onPause: (turn) => exit(turn),
  };
}

const unschedulable = (want: boolean): Plan => (_turn, object) => {
  const done = want ? "cordoned" : "uncordoned";
  const is = (object.spec as { readonly unschedulable?: boolean } | undefined)?.unschedulable === true;
  return is === want ? { nothing: `already ${done}` } : { patch: { spec: { unschedulable: want ? true : null } }, done };
};

const metadata = (field: "labels" | "annotations", done: string): Plan => (turn, object, words) => {
  if (words.length === 0) return { error: `error: at least one ${field === "labels" ? "label" : "annotation"} update is required` };
  const current = object.metadata[field] ?? {};
  const entries = words.map((word): readonly [string, string | null] => (word.includes("=") ? [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)] : [word.slice(0, -1), null]));
  const clash = entries.find(([key, value]) => value !== null && current[key] !== undefined && current[key] !== value);
  if (clash && !turn.session.options.overwrite) return { error: `error: ${field === "labels" ? `'${clash[0]}' already has a value (${current[clash[0]] ?? ""}), and --overwrite is false` : `--overwrite is false but found the following declared annotation(s): '${clash[0]}' already has a value (${current[clash[0]] ?? ""})`}` };
  if (entries.every(([key, value]) => (value === null ? current[key] === undefined : current[key] === value))) return { nothing: field === "labels" ? "not labeled" : "annotated" };
  const removed = entries.every(([, value]) => value === null);
  return { patch: { metadata: { [field]: Object.fromEntries(entries) } }, contentType: "application/merge-patch+json", done: removed && field === "labels" ? "unlabeled" : done };
};

const templateOf = (object: KubeObject): { readonly spec: PodSpec } | undefined => (object.spec as { readonly template?: { readonly spec: PodSpec } } | undefined)?.template;

const setImage: Plan = (_turn, object, words) => {
  const template = templateOf(object);
  const spec = template?.spec ?? (object.spec as PodSpec);
  const pairs = words.map((word) => word.split("=") as [string, string]);
  if (pairs.length === 0) return { error: "error: at least one image update is required" };
  const unknown = pairs.find(([name]) => name !== "*" && !spec.containers.some((container) => container.name === name));
  if (unknown) return { error: `error: unable to find container named ${JSON.stringify(unknown[0])}` };
  const containers = spec.containers.flatMap(({ name }) => pairs.filter(([wanted]) => wanted === name || wanted === "*").map(([, image]) => ({ name, image })));
  if (containers.every(({ name, image }) => spec.containers.find((container) => container.name === name)?.image === image)) return { nothing: "" };
  const podSpec = { "$setElementOrder/containers": spec.containers.map(({ name }) => ({ name })), containers };
  return { patch: { spec: template ? { template: { spec: podSpec } } : podSpec }, done: "image updated" };
};

const restart: Plan = (turn) => ({ patch: { spec: { template: { metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": rfc3339(turn.ctx.now) } } } } }, done: "restarted" });

const TYPES: Readonly<Record<string, string>> = { strategic: "application/strategic-merge-patch+json", merge: "application/merge-patch+json", json: "application/json-patch+json" };
const patchAny: Plan = (turn) => {
  const { patch, patchType } = turn.session.options;
  if (TYPES[patchType] === undefined) return { error: `error: --type must be one of [json merge strategic], not ${JSON.stringify(patchType)}` };
  if (patch === "") return { error: "error: must specify --patch or --patch-file containing the contents of the patch" };
  const parsed = parseJson(patch);
  return parsed === undefined ? { error: `error: unable to parse ${JSON.stringify(patch)}: yaml: did not find expected node content` } : { patch: parsed.value, contentType: TYPES[patchType] ?? "", done: "patched" };
};

export const PATCH_COMMANDS: readonly Command[] = [
  command({ name: "cordon", type: "node", plan: unschedulable(true) }),
  command({ name: "uncordon", type: "node", plan: unschedulable(false) }),
  command({ name: "label", plan: metadata("labels", "labeled") }),
  command({ name: "annotate", plan: metadata("annotations", "annotated") }),
  command({ name: "set", sub: "image", plan: setImage }),
  command({ name: "rollout", sub: "restart", plan: restart }),
  command({ name: "patch", plan: patchAny }),
];
