import type { Code, Status } from "../../../../sim/kube-scheduler/framework.ts";
import { defaultPreemption } from "../../../../sim/kube-scheduler/plugins/default-preemption.ts";
import { dryRunPreemption, pickOneNode, preemptionRefusal } from "../../../../sim/kube-scheduler/preemption.ts";
import type { Adapter } from "../../adapter.ts";
import { compareAsked, cycleOf, type PluginCase, preFilter } from "./plugin-cases.ts";

interface PreemptionCase extends PluginCase {
  readonly filterStatuses?: Readonly<Record<string, Code>>;
  readonly absentNodesStatus?: Code;
  readonly nominatedNodeFilterStatus?: Code;
}

const status = (code: Code): Status => ({ code, reasons: [] });
const everywhere = { byNode: new Map<string, Status>(), absent: status("Unschedulable") };

function prepared(input: unknown) {
  const c = input as PreemptionCase;
  const cycle = cycleOf(c, c.filters ?? []);
  preFilter(cycle);
  return { c, cycle };
}

function runVictims(input: unknown): unknown {
  const { candidates } = dryRunPreemption(prepared(input).cycle, everywhere);
  const named = candidates.map((v) => [v.node, { victims: v.pods.map((p) => p.metadata.name ?? "").sort(), numPDBViolations: v.numPDBViolations }]);
  return { candidates: Object.fromEntries(named), victimOrder: "names sorted" };
}

const runPickNode = (input: unknown): unknown => ({ node: pickOneNode(dryRunPreemption(prepared(input).cycle, everywhere).candidates)?.node ?? "" });

function comparePickNode(actual: unknown, expect: unknown): string | undefined {
  const { node } = actual as { node: string };
  const { nominatedNodeAnyOf } = expect as { nominatedNodeAnyOf: readonly string[] };
  return nominatedNodeAnyOf.includes(node) ? undefined : `node: want one of ${nominatedNodeAnyOf.join(", ")}, got ${node}`;
}

function runPostFilter(input: unknown): unknown {
  const { c, cycle } = prepared(input);
  const byNode = new Map(Object.entries(c.filterStatuses ?? {}).map(([node, code]) => [node, status(code)]));
  const outcome = defaultPreemption.postFilter(cycle, { byNode, absent: status(c.absentNodesStatus ?? "UnschedulableAndUnresolvable") });
  return { code: outcome.status.code, message: outcome.status.reasons.join(", "), nominatedNodeName: outcome.chosen?.node ?? "" };
}

function runEligibility(input: unknown): unknown {
  const { c, cycle } = prepared(input);
  const message = preemptionRefusal(cycle, status(c.nominatedNodeFilterStatus ?? "Unschedulable"));
  return { eligible: message === undefined, message: message ?? "" };
}

export const preemptionAdapters: readonly Adapter[] = [
  { kind: "preemption-victims", run: runVictims, compare: compareAsked },
  { kind: "preemption-pickNode", run: runPickNode, compare: comparePickNode },
  { kind: "preemption-postFilterMessage", run: runPostFilter, compare: compareAsked },
  { kind: "preemption-eligibility", run: runEligibility, compare: compareAsked },
];
