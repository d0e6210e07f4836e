import type { Adapter, CaseContext, ConformanceCase } from "./adapter.ts";
import { difference } from "./difference.ts";

export interface Selection {
  readonly kinds: readonly string[];
  readonly ids: readonly string[];
  /** Leave out kinds without an adapter instead of counting them as failed. */
  readonly onlyKnown: boolean;
}

export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  /** One line for each failing case. */
  readonly failures: readonly string[];
}

const isCase = (value: unknown): value is ConformanceCase => typeof value === "object" && value !== null && "id" in value && "kind" in value;

/**
 * The cases of a file: an array of them, or a recording of one world ({cases: {name: ...}}), whose cases get the kind
 * "world-recording" and the file's name before theirs. Undefined if the file holds neither.
 */
export function casesIn(content: unknown, file: string): readonly ConformanceCase[] | undefined {
  if (Array.isArray(content)) return content.every(isCase) ? content : undefined;
  if (typeof content !== "object" || content === null || !("cases" in content)) return undefined;
  const world = file.replace(/^.*\//, "").replace(/(\.recorded)?\.json$/, "");
  return Object.entries(content.cases as Record<string, Record<string, unknown>>).map(([name, { pod, ...expect }]) => ({ id: `${world}/${name}`, kind: "world-recording", input: { world, pod }, expect }));
}

function failureOf(testCase: ConformanceCase, adapter: Adapter | undefined, context: CaseContext): string | undefined {
  if (!adapter) return `no adapter for kind ${testCase.kind}`;
  try {
    const actual = adapter.run(testCase.input, testCase, context);
    return adapter.compare ? adapter.compare(actual, testCase.expect, testCase) : difference(testCase.expect, actual);
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Runs the selected cases, in their order. */
export function runCases(cases: readonly ConformanceCase[], adapters: readonly Adapter[], selection: Selection, sibling: CaseContext["sibling"] = () => undefined): Verdict {
  const byKind = new Map(adapters.map((adapter) => [adapter.kind, adapter]));
  const context: CaseContext = { cases, sibling };
  const failures: string[] = [];
  let passed = 0;
  for (const testCase of cases) {
    if (selection.kinds.length > 0 && !selection.kinds.includes(testCase.kind)) continue;
    if (selection.ids.length > 0 && !selection.ids.includes(testCase.id)) continue;
    if (selection.onlyKnown && !byKind.has(testCase.kind)) continue;
    const failure = failureOf(testCase, byKind.get(testCase.kind), context);
    if (failure === undefined) passed++;
    else failures.push(`${testCase.id} (${testCase.kind}): ${failure.replaceAll("\n", "\\n")}`);
  }
  return { passed, failed: failures.length, failures };
}
