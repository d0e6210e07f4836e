// Models kubernetes/pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go for Pods without resource claims
import { failed, type Plugin, skip, type StateKey, success, unresolvable, unschedulable } from "../framework.ts";

const stateKey: StateKey<true> = { name: "DynamicResources" };

// Simplified: upstream allocates devices for spec.resourceClaims; here such a Pod waits for a claim that never comes.
/** Without claims it lets everything pass, but its PostFilter text is part of every FailedScheduling event since v1.34. */
export const dynamicResources = {
  name: "DynamicResources",
  also: ["preEnqueue", "filter", "reserve", "preBind"],

  preFilter({ pod, state }) {
    state.write(stateKey, true);
    const [claim] = pod.spec.resourceClaims ?? [];
    if (!claim) return { status: skip };
    const name = claim.resourceClaimName;
    if (name === undefined) return { status: unresolvable(`waiting for resource claim to be created for pod claim ${claim.name}`) };
    return { status: unresolvable(`resourceclaim.resource.k8s.io "${name}" not found`) };
  },

  // If an earlier plugin's PreFilter rejected the Pod, this one's never ran and its state is missing: upstream then
  // shows the error of the failed read to the user.
  postFilter: ({ state }) => ({ status: state.read(stateKey) ? unschedulable("no new claims to deallocate") : failed("not found") }),

  preScore: () => success,

  score: () => ({ raw: 0, formula: "no claims with alternatives: 0", inputs: {} }),

  normalize: (_cycle, _nodes, raw) => ({ scores: raw, formula: "unchanged" }),
} satisfies Plugin;
