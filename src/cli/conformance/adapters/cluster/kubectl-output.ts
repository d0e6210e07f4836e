import { EPOCH_SECONDS, parseRfc3339 } from "../../../../sim/api/time.ts";
import type { KubeObject } from "../../../../sim/api/types.ts";
import { HOME, WORKING_FOLDER } from "../../../../sim/kubectl/files.ts";
import { UsageError } from "../../../io.ts";
import type { Adapter, CaseContext, ConformanceCase } from "../../adapter.ts";
import { type AuditedRequest, differentRequest } from "./audit-log.ts";
import { type Ran, runCommand, type Typed } from "./kubectl-block.ts";
import { withoutProse } from "./prose.ts";
import { recordedCluster } from "./recorded-cluster.ts";
import { differentObject } from "./same-object.ts";
import { atMoment, firstDifferentLine, inRandomOrder, sameOutput, type Span, withoutListVersion, wordsOf } from "./same-output.ts";
import { shifter } from "./shifted-time.ts";

interface KubectlInput {
  /** When kubectl was started, in UTC. */
  readonly at: string;
  /** Milliseconds. */
  readonly tookMs: number;
  readonly argv: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface KubectlExpect {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** The audit log's. */
  readonly requests: readonly AuditedRequest[];
  /** API path to the object as it was stored after the command. */
  readonly after?: Readonly<Record<string, unknown>>;
}

interface Answer extends Ran {
  readonly moved: (text: string) => string;
  readonly movedObject: (object: unknown) => unknown;
  /** The time of the command in the simulation's calendar. */
  readonly moment: Span;
  /** True for a value that the dumped cluster holds. */
  readonly dumped: (value: string) => boolean;
}

/** The file of objects that the recorded API server held, beside the cases. */
const OBJECTS = "kubectl-objects.json";
const SECOND = 1_000_000;

const block = (testCase: ConformanceCase): string => String(testCase["block"] ?? testCase["group"] ?? testCase.id);
const inputOf = (testCase: ConformanceCase): KubectlInput => testCase.input as KubectlInput;
const pathsOf = (testCase: ConformanceCase): readonly string[] => Object.keys((testCase.expect as KubectlExpect).after ?? {});

/** Runs a block's commands one after the other, each at its time; those of no block each find the cluster as it was dumped. */
function runBlock(cases: readonly ConformanceCase[], objects: readonly unknown[], together: boolean): ReadonlyMap<string, Answer> {
  const times = cases.map((testCase) => parseRfc3339(inputOf(testCase).at));
  const start = Math.floor(Math.min(...times) / SECOND) - 1;
  const time = shifter(EPOCH_SECONDS + start);
  const dumped = new Set(JSON.stringify(objects).match(/[\w.-]+/g));
  const fresh = recordedCluster(objects.map((object) => time.object(object) as KubeObject));
  let sim = fresh;
  const answers = cases.map((testCase, i): readonly [string, Answer] => {
    const { argv, files = {}, stdin, env, tookMs } = inputOf(testCase);
    const at = (times[i] ?? 0) - start * SECOND;
    const typed: Typed = { at, argv, files: stdin === undefined ? files : { ...files, "-": stdin }, ...(env === undefined ? {} : { env }) };
    const { sim: next, ran } = runCommand(together ? sim : fresh, typed, pathsOf(testCase));
    sim = next;
    // Objects may carry the times of the block's earlier commands.
    const from = EPOCH_SECONDS + Math.floor((together ? 1 : at / SECOND));
    return [testCase.id, { ...ran, moved: (text) => movedText(text, time.text), movedObject: time.object, moment: [from, EPOCH_SECONDS + Math.floor(at / SECOND + tookMs / 1_000)], dumped: (value) => dumped.has(value) }];
  });
  return new Map(answers);
}

/** Time and process id of a klog line, as the recordings write them. */
const KLOG = /^([WEI])\d{4} [\d:.]+ +\d+ /gm;
const TEMPORARY = /(\/tmp\/(?:LIVE|MERGED)-)\d+/g;
const EDITED = /(\/tmp\/kubectl-edit-)\d+\.yaml/g;
const FILE_TIME = /^((?:---|\+\+\+) \S+\t)\d.*$/gm;
const GO_TIME = /\b(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) \+0000 UTC/g;

/** Our folders, editor's files, times and process ids as the recordings write them. */
const placeholders = (text: string): string => text.replaceAll(KLOG, "$1<KLOG> ").replaceAll(TEMPORARY, "$1<N>").replaceAll(FILE_TIME, "$1<FILETIME>").replaceAll(EDITED, "$1<N>.yaml").replaceAll(WORKING_FOLDER, "<CWD>").replaceAll(HOME, "<HOME>");

/** Times are moved, but for those at which programs were built. */
function movedText(text: string, move: (value: string) => string): string {
  const lines = text.replaceAll(GO_TIME, (_, day: string, clock: string) => move(`${day}T${clock}Z`).replace("T", " ").replace("Z", " +0000 UTC"));
  return lines.split(/(?<=\n)/).map((line) => (line.includes("buildDate") ? line : move(line))).join("");
}

const known = new Map<string, ReadonlyMap<string, Answer>>();

function answersFor(testCase: ConformanceCase, context: CaseContext | undefined): ReadonlyMap<string, Answer> {
  const done = known.get(block(testCase));
  if (done?.has(testCase.id)) return done;
  const dump = context?.sibling(testCase, OBJECTS) as { items?: readonly unknown[] } | undefined;
  if (!context || !dump?.items) throw new UsageError(`the objects of the recorded cluster, ${OBJECTS}, are not beside the cases`);
  const mates = context.cases.filter((other) => other.kind === testCase.kind && block(other) === block(testCase)).sort((a, b) => parseRfc3339(inputOf(a).at) - parseRfc3339(inputOf(b).at));
  // One that breaks the simulation must not hide what the others would answer, where they do not build on each other.
  const together = testCase["block"] !== undefined;
  let answers: ReadonlyMap<string, Answer>;
  try {
    answers = runBlock(mates, dump.items, together);
  } catch (error) {
    if (together) throw error;
    return runBlock([testCase], dump.items, false);
  }
  known.set(block(testCase), answers);
  return answers;
}

function differentAfter(got: Answer, after: KubectlExpect["after"]): string | undefined {
  for (const [path, object] of Object.entries(after ?? {})) {
    const found = differentObject(got.movedObject(object), got.after[path], path.endsWith("?mf"), got.moment, got.dumped);
    if (found !== undefined) return `${path} afterwards: ${found}`;
  }
  return undefined;
}

/** What kubectl printed against the recorded API server, its exit status, what it asked for, and what the server then stored. */
export const kubectlOutput: Adapter = {
  kind: "kubectl-output",
  run: (_input, testCase, context) => answersFor(testCase, context).get(testCase.id),
  compare(actual, expected, testCase) {
    const [got, want] = [actual as Answer, expected as KubectlExpect];
    const { argv } = inputOf(testCase);
    const volatile = (testCase["volatile"] ?? []) as readonly string[];
    if (got.exitCode === -1) return "kubectl did not end";
    for (const stream of ["stderr", "stdout"] as const) {
      const [whole, ours] = withoutProse(got.moved(want[stream]), placeholders(got[stream]), argv);
      const text = withoutListVersion(whole, argv);
      const printed = withoutListVersion(atMoment(whole, ours, got.moment), argv);
      if (inRandomOrder(argv) && wordsOf(text) === wordsOf(printed)) continue;
      if (!sameOutput(text, printed, volatile)) return `${stream} of ${argv.join(" ")}: ${firstDifferentLine(text, printed)}`;
    }
    if (got.exitCode !== want.exitCode) return `exit status: expected ${want.exitCode}, got ${got.exitCode}`;
    return differentRequest(want.requests, got.requests) ?? differentAfter(got, want.after);
  },
};
