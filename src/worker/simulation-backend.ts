import { createCluster } from "../sim/cluster.ts";
import { expandInputs } from "../sim/faults/resolve.ts";
import { FAULTS } from "../sim/faults/registry.ts";
import type { ApiServerState } from "../sim/kube-apiserver/state.ts";
import { configProblem } from "../sim/kube-scheduler/config/load.ts";
import { DEFAULT_CONFIG_TEXT } from "../sim/kube-scheduler/config/default-text.ts";
import { listObjects } from "../sim/kube-apiserver/watch-cache/lookup.ts";
import { filtered, readCommandLine } from "../sim/kubectl/command-line.ts";
import { complete } from "../sim/kubectl/complete.ts";
import type { NetfilterState } from "../sim/kube-proxy/netfilter.ts";
import { renderRules } from "../sim/kube-proxy/render.ts";
import { checkManifest } from "../sim/manifest/check-manifest.ts";
import { probePeriod, withProbePeriod } from "../sim/manifest/probe-period.ts";
import type { Lookup } from "../sim/manifest/references.ts";
import { SLOWDOWNS } from "../sim/scenarios/slowdowns.ts";
import { SAMPLES } from "../sim/scenarios/samples.ts";
import { WORLDS } from "../sim/scenarios/worlds/registry.ts";
import { SIMPLIFIED } from "../sim/simplified.generated.ts";
import { apiServerView } from "./api-server-view.ts";
import type { Backend, StateOf } from "./backend.ts";
import { etcdMembers } from "./etcd-members.ts";
import { managerView } from "./manager-view.ts";
import { podInside } from "./pod-inside.ts";
import { waitsAt } from "./waits.ts";

/** Objects as the API server's own caches hold them: what a client could list. */
function lookupIn(state: StateOf): Lookup {
  return (resource, namespace) => {
    const server = state("kube-apiserver") as ApiServerState | undefined;
    return server === undefined ? [] : listObjects(server, resource, namespace);
  };
}

/** A node's rules, and how its tool would print them. */
function printedRules(state: NetfilterState): NetfilterState & { readonly printed: readonly string[] } {
  const { mode, rules, options } = state;
  return { ...state, printed: renderRules(rules.sortedValues().flatMap(({ ports }) => ports), mode, options) };
}

/** What only the editor needs (with the parser that knows where a caret stands) is a chunk of its own. */
const editorHelp = () => import("./editor-help.ts");

/** The simulation as the worker sees it. */
export const simulation: Backend = {
  catalogue: () => ({
    worlds: WORLDS.map(({ id, title }) => ({ id, title })),
    faults: FAULTS.map(({ id, title, group, symptom, command, fix, params }) => ({ id, title, group, symptom, command, fix, params })),
    samples: SAMPLES,
    slowdowns: SLOWDOWNS.map(({ id, title }) => ({ id, title })),
    schedulerConfig: DEFAULT_CONFIG_TEXT,
    simplified: SIMPLIFIED,
  }),
  createCluster: (recipe) => createCluster(recipe),
  expandInputs,
  check: (text, state) => checkManifest(text, state && lookupIn(state)),
  probePeriod: (text, seconds) => ({ seconds: probePeriod(text), text: seconds === undefined ? text : withProbePeriod(text, seconds) }),
  checkScheduler: configProblem,
  suggest: async (text, offset, state) => (await editorHelp()).suggest(text, offset, lookupIn(state)),
  fieldHelp: async (text, offset) => (await editorHelp()).fieldHelp(text, offset),
  etcd: etcdMembers,
  apiServer: (state) => apiServerView(state as ApiServerState),
  manager: managerView,
  podInside,
  waits: waitsAt,
  complete: (apiServer, line, cursor) => complete(line, cursor, { namespace: "default", objects: (resource, namespace) => listObjects(apiServer as ApiServerState, resource, namespace) }),
  readLine: readCommandLine,
  filter: filtered,
  inspect: (component, state) => (component.startsWith("netfilter@") ? printedRules(state as NetfilterState) : state),
};
