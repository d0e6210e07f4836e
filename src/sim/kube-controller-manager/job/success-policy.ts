// Models kubernetes/pkg/controller/job/success_policy.go
import { parseIndexes } from "./indexed.ts";
import type { SuccessPolicy } from "./types.ts";

/** Says which rule is met by the indexes that succeeded; undefined if none is. */
export function matchSuccessPolicy(policy: SuccessPolicy | undefined, completions: number, succeeded: readonly number[]): string | undefined {
  if (succeeded.length === 0) return undefined;
  const done = new Set(succeeded);
  const at = (policy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && succeeded.length >= succeededCount;
    const required = parseIndexes(succeededIndexes, completions);
    if (required.length === 0) return false;
    const met = required.filter((index) => done.has(index)).length;
    return met === required.length || (succeededCount !== undefined && met >= succeededCount);
  });
  return at < 0 ? undefined : `Matched rules at index ${at}`;
}
