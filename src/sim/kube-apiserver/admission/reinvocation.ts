// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/{policy/mutating,webhook/mutating}/reinvocationcontext.go
import type { KubeObject } from "../../api/types.ts";
import { semanticEqual } from "../../api/validation/helpers.ts";

/** Which policies or webhooks may be asked a second time, and must be. */
export interface Reinvocation {
  /** What the object was when the plugin had finished its last round. */
  readonly output: KubeObject | undefined;
  readonly invoked: readonly string[];
  readonly wanted: readonly string[];
}

export const NOT_REINVOKED: Reinvocation = { output: undefined, invoked: [], wanted: [] };

/** The object changed: whoever was asked before and wants to see changes will be asked again. */
export const requireReinvoking = (state: Reinvocation): Reinvocation => ({ ...state, invoked: [], wanted: [...state.wanted, ...state.invoked] });

export const wasInvoked = (state: Reinvocation, key: string): Reinvocation => ({ ...state, invoked: [...state.invoked, key] });

/** In the second round, what other plugins changed meanwhile counts as a change too. */
export function firstOfRound(state: Reinvocation, round: 0 | 1, object: KubeObject): Reinvocation {
  return round === 1 && state.output !== undefined && !semanticEqual(state.output, object) ? requireReinvoking(state) : state;
}
