// Models kubernetes/staging/src/k8s.io/component-helpers/scheduling/corev1/helpers.go and api/core/v1/toleration.go
import type { Taint, Toleration } from "./types.ts";

const INTEGER = /^-?(0|[1-9]\d*)$/;

function compares(toleration: Toleration, taint: Pick<Taint, "value">): boolean {
  const have = taint.value ?? "";
  const want = toleration.value ?? "";
  if (!INTEGER.test(have) || !INTEGER.test(want)) return false;
  return toleration.operator === "Gt" ? Number(have) > Number(want) : Number(have) < Number(want);
}

/** Whether one toleration tolerates one taint. An empty key with Exists matches every taint, an empty effect every effect. */
export function toleratesTaint(toleration: Toleration, taint: Pick<Taint, "key" | "value" | "effect">): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  switch (toleration.operator ?? "") {
    case "":
    case "Equal":
      return (toleration.value ?? "") === (taint.value ?? "");
    case "Exists":
      return true;
    case "Gt":
    case "Lt":
      return compares(toleration, taint);
    default:
      return false;
  }
}

/** Whether any of the tolerations tolerates the taint. */
export function tolerates(tolerations: readonly Toleration[] | undefined, taint: Pick<Taint, "key" | "value" | "effect">): boolean {
  return tolerations?.some((t) => toleratesTaint(t, taint)) ?? false;
}

/** The first taint with one of `effects` that is not tolerated. */
export function findUntoleratedTaint(taints: readonly Taint[] | undefined, tolerations: readonly Toleration[] | undefined, effects: readonly string[]): Taint | undefined {
  return taints?.find((taint) => effects.includes(taint.effect) && !tolerates(tolerations, taint));
}
