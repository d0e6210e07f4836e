import { expandInputs, resolveInput } from "../../../../sim/faults/resolve.ts";
import { createEtcdMember } from "../../../../sim/etcd/member.ts";
import { Simulation } from "../../../../sim/kernel/simulation.ts";
import { createApiServer } from "../../../../sim/kube-apiserver/server.ts";
import { HOME, WORKING_FOLDER } from "../../../../sim/kubectl/files.ts";
import { createKubectl } from "../../../../sim/kubectl/kubectl.ts";
import { createWebhook } from "../../../../sim/webhook/webhook.ts";
import { LATENCIES } from "../../../../sim/latencies/registry.ts";
import { EPOCH_SECONDS, parseRfc3339 } from "../../../../sim/api/time.ts";
import type { KubeObject } from "../../../../sim/api/types.ts";
import type { World } from "../../../../sim/api/world.ts";
import type { Component, KernelConfig } from "../../../../sim/kernel/types.ts";
import type { RunInput } from "../../../../sim/scenarios/recipe.ts";
import { type CommandRun, commandsOf } from "../../../commands-run.ts";
import { UsageError } from "../../../io.ts";
import type { Adapter, CaseContext, ConformanceCase } from "../../adapter.ts";
import { withoutProse } from "./prose.ts";
import { firstDifferentLine, sameOutput } from "./same-output.ts";
import { shifter } from "./shifted-time.ts";

interface KubectlInput {
  /** When kubectl was started, in UTC. */
  readonly at: string;
  readonly argv: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface KubectlExpect {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

interface Answer extends KubectlExpect {
  readonly moved: (text: string) => string;
}

/** The file of objects that the recorded API server held, beside the cases. */
const OBJECTS = "kubectl-objects.json";
/** The recorded kubectl's kubeconfig. */
const CONTEXT = { cluster: "lab", context: "lab", user: "admin", namespace: "shop", server: "127.0.0.1:6443", token: true, credential: { kind: "bearer-token", name: "lab-token" } } as const;
/** The recorded API server's --token-auth-file. */
const TOKENS = [{ token: "lab-token", name: "admin", uid: "admin-uid", groups: ["system:masters"] }];
const ANSWER_TIME = 40_000_000;

const block = (testCase: ConformanceCase): string => String(testCase["block"] ?? testCase["group"] ?? testCase.id);
const inputOf = (testCase: ConformanceCase): KubectlInput => testCase.input as KubectlInput;

function worldOf(objects: readonly KubeObject[]): World {
  const versions = objects.map((object) => Number(object.metadata.resourceVersion ?? 0));
  return { name: "recorded", seed: 1, objects, resourceVersion: String(Math.max(1, ...versions)), nodes: [], watches: [], clusterDomain: "cluster.local", serviceCIDR: "10.96.0.0/16", podCIDR: "10.244.0.0/16", dnsServiceIP: "10.96.0.10" };
}

/** A name that nobody answers to: in the recording no kubelet listened. */
const silent = (id: string): Component => ({ id, machine: id, init: () => undefined, step: (state) => state });

/** As in the recording: an API server and its store, and nobody that acts on what it holds. */
function components(world: World): Component[] {
  const members = ["etcd-0", "etcd-1", "etcd-2"];
  const kubelets = world.objects.filter((object) => object.kind === "Node").map((node) => silent(`kubelet@${node.metadata.name}`));
  return [createKubectl({ world, ...CONTEXT }), createApiServer({ world, tokenAuthFile: TOKENS }), ...members.map((id) => createEtcdMember({ world, id, peers: members.filter((peer) => peer !== id) })), createWebhook({}), ...kubelets] as Component[];
}

const STOP_KUBELETS = { at: 0, type: "stop-kubelets" };

const resolve: KernelConfig["resolve"] = (input, view) =>
  input.type === STOP_KUBELETS.type ? view.components.filter((id) => id.startsWith("kubelet@")).map((component) => ({ type: "stop", component, how: "process" })) : resolveInput(input, view);

/** Runs a block's commands in their order and at their distances; each finds what those before it left. */
function runBlock(cases: readonly ConformanceCase[], objects: readonly unknown[]): ReadonlyMap<string, Answer> {
  const times = cases.map((testCase) => parseRfc3339(inputOf(testCase).at));
  const start = Math.floor(Math.min(...times) / 1_000_000) - 1;
  const time = shifter(EPOCH_SECONDS + start);
  const world = worldOf(objects.map((object) => time.object(object) as KubeObject));
  const inputs = cases.map((testCase, i): RunInput => {
    const { argv, files = {}, stdin, env } = inputOf(testCase);
    return { at: (times[i] ?? 0) - start * 1_000_000, type: "command", argv, files: stdin === undefined ? files : { ...files, "-": stdin }, ...(env === undefined ? {} : { env }) };
  });
  const sim = Simulation.create({ seed: 1, profile: "quiet", components: components(world), latencies: LATENCIES, resolve }, [STOP_KUBELETS, ...expandInputs(inputs)]);
  sim.run((inputs.at(-1)?.at ?? 0) + ANSWER_TIME);
  const ran = commandsOf(sim.trace);
  return new Map(cases.map((testCase, i) => [testCase.id, answerOf(ran[i], (text) => movedText(text, time.text))]));
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

function answerOf(command: CommandRun | undefined, moved: Answer["moved"]): Answer {
  return { stdout: command?.stdout ?? "", stderr: command?.stderr ?? "", exitCode: command?.exitCode ?? -1, moved };
}

const known = new Map<string, ReadonlyMap<string, Answer>>();

function answersFor(testCase: ConformanceCase, context: CaseContext | undefined): ReadonlyMap<string, Answer> {
  const done = known.get(block(testCase));
  if (done?.has(testCase.id)) return done;
  const dump = context?.sibling(testCase, OBJECTS) as { items?: readonly unknown[] } | undefined;
  if (!context || !dump?.items) throw new UsageError(`the objects of the recorded cluster, ${OBJECTS}, are not beside the cases`);
  const mates = context.cases.filter((other) => other.kind === testCase.kind && block(other) === block(testCase)).sort((a, b) => parseRfc3339(inputOf(a).at) - parseRfc3339(inputOf(b).at));
  // One that breaks the simulation must not hide what the others would answer, where they do not build on each other.
  const alone = testCase["block"] === undefined;
  let answers: ReadonlyMap<string, Answer>;
  try {
    answers = runBlock(mates, dump.items);
  } catch (error) {
    if (!alone) throw error;
    return runBlock([testCase], dump.items);
  }
  known.set(block(testCase), answers);
  return answers;
}

/** What kubectl printed against the recorded API server: standard output, standard error and exit status. */
export const kubectlOutput: Adapter = {
  kind: "kubectl-output",
  run: (_input, testCase, context) => answersFor(testCase, context).get(testCase.id),
  compare(actual, expected, testCase) {
    const [got, want] = [actual as Answer, expected as KubectlExpect];
    const volatile = (testCase["volatile"] ?? []) as readonly string[];
    if (got.exitCode === -1) return "kubectl did not end";
    for (const stream of ["stderr", "stdout"] as const) {
      const [text, printed] = withoutProse(got.moved(want[stream]), placeholders(got[stream]), inputOf(testCase).argv);
      if (!sameOutput(text, printed, volatile)) return `${stream} of ${inputOf(testCase).argv.join(" ")}: ${firstDifferentLine(text, printed)}`;
    }
    return got.exitCode === want.exitCode ? undefined : `exit status: expected ${want.exitCode}, got ${got.exitCode}`;
  },
};
