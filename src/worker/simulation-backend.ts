import { createCluster } from "../sim/cluster.ts";
import { expandInputs } from "../sim/faults/resolve.ts";
import { FAULTS } from "../sim/faults/registry.ts";
import type { NetfilterState } from "../sim/kube-proxy/netfilter.ts";
import { renderRules } from "../sim/kube-proxy/render.ts";
import { checkManifest } from "../sim/manifest/check-manifest.ts";
import { SAMPLES } from "../sim/scenarios/samples.ts";
import { WORLDS } from "../sim/scenarios/worlds/registry.ts";
import { SIMPLIFIED } from "../sim/simplified.generated.ts";
import type { Backend } from "./backend.ts";

/** The simulation as the worker sees it. */
export const simulation: Backend = {
  catalogue: () => ({
    worlds: WORLDS.map(({ id, title }) => ({ id, title })),
    faults: FAULTS.map(({ id, title, group, symptom, command, fix, params }) => ({ id, title, group, symptom, command, fix, params })),
    samples: SAMPLES,
    simplified: SIMPLIFIED,
  }),
  createCluster: (recipe) => createCluster(recipe),
  expandInputs,
  check: checkManifest,
  inspect: (component, state) => (component.startsWith("netfilter@") ? { ...(state as NetfilterState), iptables: (state as NetfilterState).rules.sorted().flatMap(([, rules]) => renderRules(rules, "iptables")) } : state),
};
