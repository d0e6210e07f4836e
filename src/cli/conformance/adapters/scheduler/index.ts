import { parseRfc3339, rfc3339 } from "../../../../sim/api/time.ts";
import { backoffDuration } from "../../../../sim/kube-scheduler/backoff.ts";
import { fitErrorMessage } from "../../../../sim/kube-scheduler/fit-error.ts";
import type { Status } from "../../../../sim/kube-scheduler/framework.ts";
import { type NodeTotal, numFeasibleNodesToFind, popOrder } from "../../../../sim/kube-scheduler/host-selection.ts";
import type { Adapter } from "../../adapter.ts";
import { compareAsked, runFilterCase, runScoreCase } from "./plugin-cases.ts";
import { preemptionAdapters } from "./preemption-cases.ts";
import { adapter as schedulerDecision } from "./scheduler-decision.ts";
import { worldRecording } from "./world-recording.ts";

interface FitErrorInput {
  readonly numAllNodes: number;
  readonly preFilterMessage?: string;
  readonly postFilterMessage?: string;
  readonly nodeStatuses?: Readonly<Record<string, Status>>;
  readonly absentNodesStatus?: Status;
}

function runFitError(input: unknown): unknown {
  const { numAllNodes, preFilterMessage = "", postFilterMessage = "", nodeStatuses = {}, absentNodesStatus } = input as FitErrorInput;
  const statuses = { byNode: new Map(Object.entries(nodeStatuses)), absent: absentNodesStatus ?? ({ code: "UnschedulableAndUnresolvable", reasons: [] } satisfies Status) };
  return { message: fitErrorMessage({ numAllNodes, preFilterMessage, postFilterMessage, statuses }) };
}

function runHostSelection(input: unknown): unknown {
  const { nodeScores } = input as { readonly nodeScores: readonly NodeTotal[] };
  return { popOrder: popOrder(nodeScores.map((n) => ({ name: n.name, totalScore: n.totalScore, randomizer: n.randomizer ?? 0 }))).map((n) => n.name) };
}

interface NumFeasibleInput {
  readonly numAllNodes: number;
  readonly percentageOfNodesToScore?: number;
  readonly profilePercentageOfNodesToScore?: number | null;
}

function runNumFeasible(input: unknown): unknown {
  const { numAllNodes, percentageOfNodesToScore = 0, profilePercentageOfNodesToScore } = input as NumFeasibleInput;
  return { numFeasibleNodesToFind: numFeasibleNodesToFind(numAllNodes, percentageOfNodesToScore, profilePercentageOfNodesToScore) };
}

interface BackoffInput {
  readonly unschedulableCount?: number;
  readonly count?: number;
  readonly initialSeconds?: number;
  readonly maxSeconds?: number;
  readonly initialNanoseconds?: number;
  readonly maxNanoseconds?: number;
  readonly timestamp?: string;
}

function runBackoff(input: unknown): unknown {
  const c = input as BackoffInput;
  const count = c.unschedulableCount ?? c.count ?? 0;
  if (c.initialNanoseconds !== undefined) return { backoffNanoseconds: backoffDuration(count, c.initialNanoseconds, c.maxNanoseconds ?? 0) };
  const seconds = backoffDuration(count, c.initialSeconds ?? 1, c.maxSeconds ?? 10);
  return { backoffSeconds: seconds, ...(c.timestamp === undefined ? {} : { expires: rfc3339(parseRfc3339(c.timestamp) + seconds * 1_000_000) }) };
}

const FILTER_KINDS = ["interpodaffinity-filter", "nodeaffinity-filter", "nodename-nodeunschedulable", "nodeports-filter", "noderesources-fit", "podtopologyspread-filter", "tainttoleration-filter"];
const SCORE_KINDS = [
  "imagelocality-score", "interpodaffinity-score", "nodeaffinity-score", "noderesources-leastAllocated", "noderesources-mostAllocated",
  "noderesources-requestedToCapacityRatio", "noderesources-balancedAllocation", "podtopologyspread-score", "tainttoleration-score",
];

/** Every kind of conformance case that is about the scheduler. */
export const schedulerAdapters: readonly Adapter[] = [
  schedulerDecision,
  worldRecording,
  ...FILTER_KINDS.map((kind) => ({ kind, run: runFilterCase, compare: compareAsked })),
  ...SCORE_KINDS.map((kind) => ({ kind, run: runScoreCase, compare: compareAsked })),
  ...preemptionAdapters,
  { kind: "fitError-text", run: runFitError, compare: compareAsked },
  { kind: "hostSelection", run: runHostSelection, compare: compareAsked },
  { kind: "numFeasibleNodes", run: runNumFeasible, compare: compareAsked },
  { kind: "queue-backoff", run: runBackoff, compare: compareAsked },
];
