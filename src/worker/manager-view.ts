import { queuedKeys } from "../sim/client-go/workqueue.ts";
import type { ManagerState } from "../sim/kube-controller-manager/controller-manager.ts";
import type { ControllerState } from "../sim/kube-controller-manager/controller-types.ts";
import type { StateOf } from "./backend.ts";
import type { ControllerView, ManagerView, QueuedKey } from "./protocol-manager.ts";

function controllerView(id: string, { queue, delayed, informers, ready, workers }: ControllerState): ControllerView {
  const known = (key: string, at?: number): QueuedKey => ({ key, failures: queue.failures.get(key) ?? 0, ...(at === undefined ? {} : { at }) });
  const versions = informers.map(({ resourceVersion }) => resourceVersion).filter((version) => version !== "");
  return {
    id, workers, ready, working: queue.processing, queued: queuedKeys(queue).map((key) => known(key)),
    later: delayed.sorted().sort((a, b) => a[1] - b[1]).map(([key, at]) => known(key, at)),
    caches: informers.length, objects: informers.reduce((sum, { store }) => sum + store.size, 0),
    resourceVersion: versions.reduce((newest, version) => (Number(version) > Number(newest) ? version : newest), ""),
  };
}

/** One process of kube-controller-manager with all its controllers; undefined where there is none. */
export function managerView(component: string, state: StateOf): ManagerView | undefined {
  const manager = state(component) as ManagerState | undefined;
  if (manager === undefined) return undefined;
  const { election, running, starts, controllers } = manager;
  return {
    identity: election.identity, leads: election.leads, holder: election.lease?.spec?.holderIdentity ?? "", renewed: String(election.lease?.spec?.renewTime ?? ""), running, starts,
    controllers: controllers.flatMap((id) => {
      const controller = state(id) as ControllerState | undefined;
      return controller?.queue === undefined ? [] : [controllerView(id, controller)];
    }),
  };
}
