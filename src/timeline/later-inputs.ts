import { sameInput } from "./sample-inputs.ts";
import type { RunInput, SampleInfo } from "../worker/protocol.ts";

type Command = Extract<RunInput, { type: "command" }>;

const KINDS: Readonly<Record<string, string>> = {
  deploy: "deployment", deployments: "deployment", sts: "statefulset", statefulsets: "statefulset", ds: "daemonset", daemonsets: "daemonset", po: "pod", pods: "pod", no: "node", nodes: "node",
  jobs: "job", cj: "cronjob", cronjobs: "cronjob", rs: "replicaset", replicasets: "replicaset", hpa: "horizontalpodautoscaler", pdb: "poddisruptionbudget", svc: "service", services: "service",
};
/** Commands whose first argument is a node, and those that are two words. */
const OF_NODES = new Set(["drain", "cordon", "uncordon"]);
const TWO_WORDS = new Set(["set", "rollout", "create", "apply", "certificate", "auth"]);

/** The words of a command line without flags and their values, as far as a value is told from a word. */
const wordsOf = (argv: readonly string[]): string[] => argv.filter((word, i) => !word.startsWith("-") && !/^(-[fnlo]|--(filename|namespace|selector|output))$/.test(argv[i - 1] ?? ""));

/** What a command does ("set image"), and to which objects ("deployment/web"); of a file, the file's name. */
function actOf({ argv }: Command): { readonly verb: string; readonly objects: readonly string[] } {
  const words = wordsOf(argv);
  const files = argv.flatMap((word, i) => (argv[i - 1] === "-f" || argv[i - 1] === "--filename" ? [`file/${word}`] : []));
  const [first = ""] = words;
  const two = TWO_WORDS.has(first) && files.length === 0;
  const verb = two ? `${first} ${words[1] ?? ""}` : first;
  const rest = words.slice(two ? 2 : 1).filter((word) => !word.includes("="));
  const kindOf = (kind: string): string => KINDS[kind.split(".")[0] ?? kind] ?? kind.split(".")[0] ?? kind;
  if (OF_NODES.has(first)) return { verb, objects: rest.map((name) => `node/${name}`) };
  const slashed = rest.filter((word) => word.includes("/")).map((word) => `${kindOf(word.slice(0, word.indexOf("/")))}/${word.slice(word.indexOf("/") + 1)}`);
  const [kind, ...names] = rest.filter((word) => !word.includes("/"));
  return { verb, objects: [...files, ...slashed, ...(kind === undefined ? [] : names.map((name) => `${kindOf(kind)}/${name}`))] };
}

/** The names that a manifest gives to its objects. */
const namesIn = (text: string): ReadonlySet<string> => new Set([...text.matchAll(/^ {2}name: *["']?([^"'\s#]+)/gm)].map(([, name = ""]) => name));

/** What `own` takes the place of: the same act on the same object, or an act on an object that it removes. */
export function supersedes(own: RunInput, later: RunInput): boolean {
  if (own.type === "fault") return later.type === "fault" && own.id === later.id;
  if (own.type !== "command" || later.type !== "command") return false;
  const [mine, theirs] = [actOf(own), actOf(later)];
  const same = theirs.objects.some((object) => mine.objects.includes(object));
  if (mine.verb === theirs.verb) return same;
  if (mine.verb !== "delete") return false;
  // Deleting a file's objects takes with it what a later command is about.
  const gone = mine.objects.some((object) => object.startsWith("file/")) ? Object.values(own.files).flatMap((text) => [...namesIn(text)]) : [];
  return same || theirs.objects.some((object) => gone.includes(object.slice(object.indexOf("/") + 1)));
}

/**
 * What is still to come of a run after a fork at `at`. A fork that changes nothing keeps all of it; so does a fault, which is to be
 * compared with the run without it. Another command is another decision: of the run's commands only those of its sample (`scripted`)
 * still come, as far as the new one does not take their place.
 */
export function laterInputs(inputs: readonly RunInput[], at: number, own: readonly RunInput[], scripted: readonly RunInput[]): readonly RunInput[] {
  const later = inputs.filter((input) => input.at > at);
  if (own.every((input) => input.type === "fault")) return later.filter((input) => !own.some((mine) => supersedes(mine, input)));
  return later.filter((input) => scripted.some((one) => sameInput(one, input)) && !own.some((mine) => supersedes(mine, input)));
}

/** True if a manifest still is about the objects of a sample: then what the sample does to them later makes sense. */
export function isVariationOf(text: string, sample: Pick<SampleInfo, "text">): boolean {
  const names = namesIn(text);
  return [...namesIn(sample.text)].every((name) => names.has(name));
}
