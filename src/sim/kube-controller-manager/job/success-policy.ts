// Models kubernetes/pkg/controller/job/success_policy.go
import { type Intervals, overlapOf, parseIntervals, totalOf } from "./intervals.ts";
import type { SuccessPolicy } from "./types.ts";

/** Says which rule is met by the indexes that succeeded; undefined if none is. */
export function matchSuccessPolicy(policy: SuccessPolicy | undefined, completions: number, succeeded: Intervals): string | undefined {
  if (succeeded.length === 0) return undefined;
  const at = (policy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && totalOf(succeeded) >= succeededCount;
    const required = parseIntervals(succeededIndexes, completions);
    if (required.length === 0) return false;
    const met = overlapOf(required, succeeded);
    return met === totalOf(required) || (succeededCount !== undefined && met >= succeededCount);
  });
  return at < 0 ? undefined : `Matched rules at index ${at}`;
}
