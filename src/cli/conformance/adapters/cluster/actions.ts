import { stringify } from "yaml";
import type { KubeObject } from "../../../../sim/api/types.ts";
import type { FaultParams, RunInput } from "../../../../sim/scenarios/recipe.ts";
import { splitWords } from "../../../args.ts";
import { resizePatch } from "./resize-words.ts";

/** Something that was done to the recorded cluster, in the recorder's words. */
export interface RecordedAction {
  readonly atMs: number;
  readonly do: string;
  /** When it had been done: a command of several requests acts until then. */
  readonly doneMs?: number;
  /** The object or file that it sent. */
  readonly manifest?: KubeObject;
}

/** What the words need to know: the scenario's objects and when it was over. */
export interface Scenario {
  readonly manifests: readonly KubeObject[];
  readonly actions: readonly RecordedAction[];
}

type Rule = (m: readonly string[], at: number, action: RecordedAction, scenario: Scenario) => readonly RunInput[];

const WORKLOADS = new Set(["Deployment", "StatefulSet", "ReplicaSet", "DaemonSet", "ReplicationController"]);
/** The whole of a recording: what is never started again stays stopped. */
const FOREVER = 86_400_000_000;

const command = (at: number, argv: readonly string[], files: Readonly<Record<string, string>> = {}): RunInput => ({ at, type: "command", argv, files });
const apply = (at: number, objects: readonly KubeObject[]): readonly RunInput[] => (objects.length === 0 ? [] : [command(at, ["create", "-f", "objects.yaml"], { "objects.yaml": objects.map((object) => stringify(object)).join("---\n") })]);
const mergePatch = (at: number, what: readonly string[], body: unknown): readonly RunInput[] => [command(at, ["patch", ...what, "--type=merge", "-p", JSON.stringify(body)])];

/** "kind/name" of the one object of such a kind that the scenario has. */
function only(manifests: readonly KubeObject[], kinds: ReadonlySet<string>): string {
  const found = manifests.find((object) => kinds.has(object.kind));
  return found ? `${found.kind.toLowerCase()}/${found.metadata.name ?? ""}` : "pod/none";
}

/** Every key of a ConfigMap or Secret that a manifest refers to, with a value: the recorder did not say which it made. */
function filled(kind: string, name: string, { manifests }: Scenario): KubeObject {
  const data: Record<string, string> = { a: "1" };
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { key, name: of } = value as { key?: unknown; name?: unknown };
    if (typeof key === "string" && of === name) data[key] = "1";
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(manifests);
  return { apiVersion: "v1", kind, metadata: { name }, ...(kind === "Secret" ? { stringData: data } : { data }) } as KubeObject;
}

/** A fault of the catalogue from this action until the first later one that undoes it. */
function faultUntil(id: string, params: FaultParams, at: number, undone: RegExp, { actions }: Scenario): readonly RunInput[] {
  const end = actions.find((action) => action.atMs * 1_000 > at && undone.test(action.do));
  return [{ at, type: "fault", id, params, until: end === undefined ? FOREVER : end.atMs * 1_000 }];
}

/** Words after which the rest of the line is one word: the recorder joined them with blanks. */
const SHELLS = new Set(["sh", "/bin/sh", "bash", "/bin/bash", "ash"]);

/** A patch in JSON, which the recorder wrote without the quotes of a shell. */
const PATCH = /(\s(?:-p|--patch)[= ])([[{].*[\]}])(?=\s-|$)/s;

function kubectlWords(text: string): readonly string[] {
  const patch = PATCH.exec(text)?.[2];
  const line = patch === undefined ? text : text.replace(PATCH, "$1<patch>");
  const words = splitWords(line).map((word) => (patch !== undefined && word.includes("<patch>") ? word.replace("<patch>", () => patch) : word));
  const own = words.indexOf("--");
  const kept = words.filter((word, i) => (own >= 0 && i > own) || !(word === "-n" || words[i - 1] === "-n" || word.startsWith("--namespace=")));
  const at = kept.indexOf("--");
  if (at < 0 || !SHELLS.has(kept[at + 1] ?? "") || kept[at + 2] !== "-c") return kept;
  return [...kept.slice(0, at + 3), line.slice(line.indexOf(" -c ", line.indexOf(" -- ")) + 4).replace(/^(['"])(.*)\1$/s, "$2")];
}

/** A configuration that leaves /etc/cni/net.d. */
const CNI_GONE = /^(?!.*\b(?:back|into|restor\w*)\b).*\b(?:mov\w*|remov\w*|delet\w*|renam\w*|mv|rm|tak\w*)\b.*(?:\bcni\b|\/net\.d\b)|(?:\bcni\b|\/net\.d\b).*\b(?:away|out|removed|deleted|gone)\b/i;
/** One that is written there; moved there it goes unseen: containerd's watch sees writes, not renames (oracle/README.md, 16). */
const CNI_WRITTEN = /^(?!.*\b(?:mv|mov\w*|renam\w*)\b)(?=.*(?:\bcni\b|\/net\.d\b)).*\b(?:writ\w*|cop\w*|cp|restor\w*|put|creat\w*|touch\w*)\b/i;

const containerdDown: Rule = (_, at, _action, scenario) => faultUntil("cri.down", { node: "" }, at, /^(?:re)?start containerd/, scenario);
const kubeletDown: Rule = (_, at, _action, scenario) => faultUntil("kubelet.stopped", { node: "" }, at, /^(?:re)?start (?:the )?kubelet/, scenario);
const NOTHING: Rule = () => [];

/** One rule a way in which the recorder words what it did; the first that fits is taken. */
const RULES: readonly (readonly [RegExp, Rule])[] = [
  [/^create the manifests$/, (_, at, _action, { manifests }) => apply(at, manifests)],
  // Looking changes nothing: what was seen is compared where the expectation says so.
  [/^(?:kubectl (?:get|describe|logs|top|events|explain|version|api-resources|wait|rollout (?:status|history))\b|logs\b|GET |curl |read |look )/, NOTHING],
  [/^write (\/etc\/kubernetes\/manifests\/\S+)/, (m, at, action, scenario) => faultUntil("kubelet.static-pod", { node: "", path: m[1] ?? "", manifest: stringify(action.manifest ?? {}) }, at, new RegExp(`^(?:remove|delete|write|rm) ${m[1]?.replaceAll(".", "\\.") ?? ""}`), scenario)],
  [/^(?:remove|delete|rm) \/etc\/kubernetes\/manifests\//, NOTHING],
  [/^(?:stop|kill) containerd/, containerdDown],
  [/^(?:stop|kill) (?:the )?kubelet/, kubeletDown],
  [/^restart containerd/, (_, at) => [{ at, type: "fault", id: "cri.down", params: { node: "" }, until: at + 1_000_000 }]],
  [/^restart (?:the )?kubelet/, (_, at) => [{ at, type: "fault", id: "kubelet.stopped", params: { node: "" }, until: at + 1_000_000 }]],
  [/^start (?:containerd|(?:the )?kubelet)/, NOTHING],
  [/\bcni\b|\/net\.d\b/i, (_, at, action, scenario) => (CNI_GONE.test(action.do) ? faultUntil("cni.not-ready", { node: "" }, at, CNI_WRITTEN, scenario) : [])],
  [/^(?:create|POST|apply)\b/, (_, at, action, scenario) => {
    if (action.manifest !== undefined) return apply(at, [action.manifest]);
    const named = /^\S+ (ConfigMap|Secret) ([\w.-]+)/i.exec(action.do);
    if (!named) throw new Error(`no manifest was recorded for: ${action.do}`);
    return apply(at, [filled(named[1]?.toLowerCase() === "secret" ? "Secret" : "ConfigMap", named[2] ?? "", scenario)]);
  }],
  [/^(?:update|PUT|PATCH) (ConfigMap|Secret) ([\w.-]+) (\S+=.*)$/i, (m, at) => mergePatch(at, [(m[1] ?? "").toLowerCase(), m[2] ?? ""], { [m[1]?.toLowerCase() === "secret" ? "stringData" : "data"]: Object.fromEntries((m[3] ?? "").split(" ").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])) })],
  [/^delete ([\w.-]+)[/ ]([\w.-]+)(.*)$/i, (m, at) => {
    const grace = /\b(?:grace|gracePeriodSeconds)\D{0,3}(\d+)/.exec(m[3] ?? "")?.[1];
    return [command(at, ["delete", m[1] ?? "", m[2] ?? "", "--wait=false", ...(grace === undefined ? [] : [`--grace-period=${grace}`, ...(grace === "0" ? ["--force"] : [])])])];
  }],
  [/^set image (?:(\S+\/\S+) )?(\S+=\S+)$/, (m, at, _action, { manifests }) => [command(at, ["set", "image", m[1] ?? only(manifests, WORKLOADS), m[2] ?? ""])]],
  [/^scale (?:(\S+\/\S+) )?to (\d+)$/, (m, at, _action, { manifests }) => [command(at, ["scale", m[1] ?? only(manifests, WORKLOADS), `--replicas=${m[2] ?? "1"}`])]],
  [/^remove (?:the )?(?:scheduling )?gates?\b/i, (_, at, _action, { manifests }) => mergePatch(at, [only(manifests, new Set(["Pod"]))], { spec: { schedulingGates: null } })],
  [/^remove (?:the )?finalizers?\b/i, (_, at, _action, { manifests }) => mergePatch(at, [only(manifests, new Set(["Pod"]))], { metadata: { finalizers: null } })],
  [/^(?:PATCH )?resize (.*)$/, (m, at, _action, { manifests }) => [command(at, ["patch", only(manifests, new Set(["Pod"])), "--subresource=resize", "-p", JSON.stringify(resizePatch(m[1] ?? "", manifests))])]],
  [/^(label|annotate) (\S+\/\S+|\S+ \S+) (\S+[=-].*)$/, (m, at) => [command(at, [m[1] ?? "", ...splitWords(m[2] ?? ""), ...splitWords(m[3] ?? ""), "--overwrite"])]],
  [/^(cordon|uncordon|drain|taint) (.*)$/, (m, at) => [command(at, [m[1] ?? "", ...kubectlWords(m[2] ?? "")])]],
  [/^(?:POST )?evict(?:ion)?(?: of)? (?:pod[/ ])?([\w.-]+)/i, (m, at) => [command(at, ["create", "--raw", `/api/v1/namespaces/default/pods/${m[1] ?? ""}/eviction`, "-f", "eviction.json"], { "eviction.json": JSON.stringify({ apiVersion: "policy/v1", kind: "Eviction", metadata: { name: m[1], namespace: "default" } }) })]],
  // The recorder's remarks stand in parentheses.
  [/^kubectl (.*?)(?: \((?:mirror|[a-z][a-z ,]*)\))?$/s, (m, at, { manifest }) => {
    const words = kubectlWords((m[1] ?? "").replaceAll("$NS", "default").replaceAll("<NS>", "default"));
    const file = words.findIndex((_word, i) => words[i - 1] === "-f" || words[i - 1] === "--filename");
    if (manifest === undefined || file < 0) return [command(at, words)];
    return [command(at, words.with(file, "objects.yaml"), { "objects.yaml": stringify(manifest) })];
  }],
];

/** Whether it changes anything: looking does not. */
export const isMutation = (action: RecordedAction): boolean => RULES.find(([pattern]) => pattern.test(action.do))?.[1] !== NOTHING || /^(?:start|remove|delete|rm|write|restore|copy|put|cp) /.test(action.do);

/** What a recorded action is in the simulation; undefined for what it cannot do. */
export function inputsOf(action: RecordedAction, scenario: Scenario): readonly RunInput[] | undefined {
  for (const [pattern, rule] of RULES) {
    const m = pattern.exec(action.do);
    if (m) return rule([...m], action.atMs * 1_000, action, scenario);
  }
  return undefined;
}
