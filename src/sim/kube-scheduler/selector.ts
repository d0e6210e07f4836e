// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/labels/selector.go as the scheduler uses it
import { labelSelectorAsSelector, type Labels, matches, NOTHING, type Selector, selectorFromSet } from "../api/labels.ts";
import type { LabelSelector } from "../api/types.ts";

export { matches as matchesSelector, NOTHING, selectorFromSet };
export type { Labels, Selector };

/** metav1.LabelSelectorAsSelector: nil selects nothing, empty selects everything. An invalid one cannot be stored; it selects nothing. */
export function compileSelector(selector: LabelSelector | undefined | null): Selector {
  const compiled = labelSelectorAsSelector(selector ?? undefined);
  return typeof compiled === "string" ? NOTHING : compiled;
}

/** Adds requirements; a selector of nothing stays one, and nothing is added from one. */
export const addRequirements = (selector: Selector, added: Selector): Selector => (selector === NOTHING || added === NOTHING ? selector : [...selector, ...added]);

/** True for a selector without requirements. The selector of nothing is not empty (labels.Nothing().Empty() is false). */
export const isEmptySelector = (selector: Selector): boolean => selector.length === 0;
