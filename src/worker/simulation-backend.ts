import { createCluster } from "../sim/cluster.ts";
import { expandInputs } from "../sim/faults/resolve.ts";
import { FAULTS } from "../sim/faults/registry.ts";
import type { NetfilterState } from "../sim/kube-proxy/netfilter.ts";
import { renderRules } from "../sim/kube-proxy/render.ts";
import type { ApiServerState } from "../sim/kube-apiserver/state.ts";
import { API_RESOURCES } from "../sim/api/schema/resources.ts";
import { checkManifest } from "../sim/manifest/check-manifest.ts";
import { fieldHelp } from "../sim/manifest/field-help.ts";
import type { Lookup } from "../sim/manifest/references.ts";
import { suggest } from "../sim/manifest/suggest.ts";
import { SAMPLES } from "../sim/scenarios/samples.ts";
import { WORLDS } from "../sim/scenarios/worlds/registry.ts";
import { SIMPLIFIED } from "../sim/simplified.generated.ts";
import type { Backend, StateOf } from "./backend.ts";

/** Objects as the API server's own caches hold them: what a client could list. */
function lookupIn(state: StateOf): Lookup {
  return (resource, namespace) => {
    const api = API_RESOURCES.find((one) => one.resource === resource);
    const server = state("kube-apiserver") as ApiServerState | undefined;
    const objects = api === undefined ? [] : (server?.caches.get(api.etcdPrefix)?.objects.sorted().map(([, object]) => object) ?? []);
    return namespace === "" ? objects : objects.filter((object) => object.metadata.namespace === namespace);
  };
}

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
  suggest: (text, offset, state) => suggest(text, offset, lookupIn(state)),
  fieldHelp,
  inspect: (component, state) => (component.startsWith("netfilter@") ? { ...(state as NetfilterState), iptables: (state as NetfilterState).rules.sorted().flatMap(([, rules]) => renderRules(rules, "iptables")) } : state),
};
