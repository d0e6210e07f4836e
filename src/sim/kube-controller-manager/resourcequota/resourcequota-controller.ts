// Models kubernetes/pkg/controller/resourcequota/{resource_quota_controller,resource_quota_monitor}.go and pkg/quota/v1/install/update_filter.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { canonicalQuantity, compareQuantity } from "../../api/quantity.ts";
import { calculateUsage, isActiveDeadlineSet, isPodCharged, matchingResources, type ResourceQuota } from "../../api/quota.ts";
import type { KubeObject, Pod, Quantity, ResourceList, Service } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { World } from "../../api/world.ts";
import type { Component, Ctx, Message, Micros, Note } from "../../kernel/types.ts";
import { byNamespace, type Indexer, type View } from "../caches.ts";
import { INFORMERS } from "../clients.ts";
import { type ControllerConfig, type ControllerState, createController, type Handled, isSuccess, isUsed, lazyWatchesOf, managerClient, messageOf, type Plan } from "../controller.ts";
import { areFilled, discover, monitored, type Monitors, type MonitorSpec, monitorWatches, NO_MONITORS, resync, settledMonitors, stepMonitors } from "../monitors.ts";
import { objectPath, subjectOf } from "../resources.ts";

const ID = "resourcequota-controller";
const FULL_RESYNC: Micros = 300_000_000;
/** The kinds whose updates can free quota; of all others creation and deletion are enough. */
const TYPED = ["resourcequotas", "pods", "services", "persistentvolumeclaims"] as const;
const DISCOVERY_PERIOD: Micros = 30_000_000;

/** GetQuotableResources: every namespaced resource but events. */
const monitorSpec = (component: string): MonitorSpec => ({
  component, client: managerClient(ID), informers: INFORMERS,
  wants: ({ namespaced, group, resource }) => namespaced && !(resource === "events" && (group === "" || group === "events.k8s.io")) && !(group === "" && (TYPED as readonly string[]).includes(resource)),
});

const indexers: Readonly<Record<string, Indexer>> = Object.fromEntries(TYPED.map((resource) => [resource, byNamespace(resource)]));

const sameList = (a: ResourceList | undefined, b: ResourceList | undefined): boolean => {
  const names = Object.keys(a ?? {});
  return names.length === Object.keys(b ?? {}).length && names.every((name) => b?.[name] !== undefined && compareQuantity(a?.[name], b[name]) === 0);
};

const storage = (claim: KubeObject): unknown => (claim.status as { readonly allocatedResources?: ResourceList } | undefined)?.allocatedResources?.["storage"];

function resized(old: Pod, now: Pod): boolean {
  return [...(old.status?.containerStatuses ?? []), ...(old.status?.initContainerStatuses ?? [])].some((status) => {
    const next = [...(now.status?.containerStatuses ?? []), ...(now.status?.initContainerStatuses ?? [])].find((entry) => entry.name === status.name);
    const resources = (entry: unknown): unknown => (entry as { readonly resources?: unknown }).resources;
    return next !== undefined && resources(status) !== resources(next) && JSON.stringify(resources(status)) !== JSON.stringify(resources(next));
  });
}

/** Updates that can lower what an object charges; what raises it was charged by admission. */
function freesQuota(resource: string, old: KubeObject, object: KubeObject, now: Micros): boolean {
  if (resource === "pods") {
    const [before, after] = [old as Pod, object as Pod];
    return resized(before, after) || isActiveDeadlineSet(before) !== isActiveDeadlineSet(after) || (isPodCharged(before, now) && !isPodCharged(after, now));
  }
  if (resource === "services") return (old as Service).spec.type !== (object as Service).spec.type;
  return resource === "persistentvolumeclaims" && storage(old) !== storage(object);
}

/** replenishQuota: the quotas of the namespace that track this kind. */
function replenish(group: string, resource: string, object: KubeObject, view: View): Handled<Monitors> {
  const quotas = view.byIndex<ResourceQuota>("resourcequotas", object.metadata.namespace ?? "");
  return { keys: quotas.filter((quota) => matchingResources(Object.keys(quota.status?.hard ?? {}), group, resource).length > 0).map((quota) => ({ key: objectKey(quota) })) };
}

function handle(change: Change, resource: string, view: View): Handled<Monitors> {
  if (resource === "resourcequotas") {
    const quota = change.object as ResourceQuota;
    const own = change.type === "update" && sameList((change.old as ResourceQuota).spec?.hard, quota.spec?.hard) ? [] : [{ key: objectKey(quota) }];
    if (change.type !== "delete") return { keys: own };
    return { keys: [...own, ...(replenish("", resource, quota, view).keys ?? [])] };
  }
  if (change.type === "delete" || (change.type === "update" && freesQuota(resource, change.old, change.object, view.now))) return replenish("", resource, change.object, view);
  return {};
}

const canonical = (list: ResourceList): Record<string, Quantity> => Object.fromEntries(Object.entries(list).map(([name, quantity]) => [name, canonicalQuantity(quantity)]));

function sync(key: string, view: View<Monitors>): Plan<string, Monitors> {
  const quota = view.get<ResourceQuota>("resourcequotas", key);
  if (!quota) return {};
  const namespace = quota.metadata.namespace ?? "";
  const hard = quota.spec?.hard ?? {};
  const counted = calculateUsage(quota, [...TYPED.map((resource) => ({ group: "", resource, objects: view.byIndex(resource, namespace) })), ...monitored(view.memory, namespace)], view.now);
  const used = Object.fromEntries(Object.entries({ ...quota.status?.used, ...counted }).filter(([name]) => hard[name] !== undefined));
  const known = quota.status;
  if (known?.hard !== undefined && known.used !== undefined && sameList(known.hard, hard) && sameList(known.used, used)) return {};
  const body = { ...quota, status: { hard: canonical(hard), used: canonical(used) } };
  const note: Note = { text: `resourcequota-controller counts what namespace ${namespace} uses of quota ${quota.metadata.name ?? ""}`.slice(0, 138), why: Object.entries(used).map(([name, quantity]) => `${name} ${canonicalQuantity(quantity)}/${canonicalQuantity(hard[name] ?? 0)}`).join(", "), level: "basic", subject: subjectOf(quota), status: "idle" };
  return { batches: [[{ method: "PUT", path: `${objectPath(quota)}/status`, body, subject: subjectOf(quota) }]], notes: [note], next: key };
}

/** What is deleted anywhere may free quota. */
function receive(spec: MonitorSpec, message: Message, view: View<Monitors>, ctx: Ctx): Handled<Monitors> | undefined {
  const stepped = stepMonitors(ctx, spec, view.memory, message);
  if (stepped === undefined) return undefined;
  const keys = stepped.changes.flatMap(({ api, change }) => (change.type === "delete" ? (replenish(api.group, api.resource, change.object, view).keys ?? []) : []));
  return { memory: stepped.monitors, keys };
}

/** Recomputes what each ResourceQuota has used: admission only ever adds. */
export function createResourceQuotaController(config: ControllerConfig): Component<ControllerState<string, Monitors>> {
  const spec = monitorSpec(`${ID}${config.replica?.suffix ?? ""}`);
  return createController<string, Monitors>(
    {
      id: ID,
      account: ID,
      resources: TYPED,
      lazy: true,
      indexers,
      // Simplified: upstream has five workers for each of its two queues, and takes quotas without usage first; here both are one.
      workers: 10,
      latency: "controller.sync",
      memory: isUsed(TYPED, config.world) ? settledMonitors(spec, config.world).monitors : NO_MONITORS,
      own: {
        stopped: NO_MONITORS,
        settled: () => ({}),
        launch: () => NO_MONITORS,
        wake: (monitors, ctx) => discover(ctx, spec, monitors),
        isReady: (monitors) => monitors.discovery < 0 && (monitors.informers.size === 0 || areFilled(monitors)),
        receive: (message, view, ctx) => receive(spec, message, view, ctx),
        tick: (name, view, ctx) => (name === "resync" ? { keys: view.list<ResourceQuota>("resourcequotas").map((quota) => ({ key: objectKey(quota) })) } : view.memory.informers.size === 0 ? {} : { memory: resync(ctx, spec, view.memory) }),
      },
      tickers: [{ name: "resync", period: FULL_RESYNC, first: FULL_RESYNC }, { name: "discovery", period: DISCOVERY_PERIOD, first: 17_000_000 }],
      handle,
      sync,
      resume: (_key, _data, [answer]) => (answer === undefined || isSuccess(answer) || answer.status === 404 ? {} : { error: messageOf(answer) }),
    },
    config,
  );
}

export const resourceQuotaWatches = (world?: World): WatchSpec[] => [...lazyWatchesOf(ID, TYPED, world), ...(world !== undefined && isUsed(TYPED, world) ? monitorWatches(monitorSpec(ID), world) : [])];
