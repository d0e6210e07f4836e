// Models kubernetes/pkg/controller/resourcequota/{resource_quota_controller,resource_quota_monitor}.go and pkg/quota/v1/install/update_filter.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { canonicalQuantity, compareQuantity } from "../../api/quantity.ts";
import { calculateUsage, isActiveDeadlineSet, isPodCharged, matchingResources, type ResourceQuota } from "../../api/quota.ts";
import { groupOf } from "../../api/schema/resources.ts";
import type { KubeObject, Pod, Quantity, ResourceList, Service } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { World } from "../../api/world.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import { byNamespace, type Indexer, type View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Handled, isSuccess, messageOf, type Plan, lazyWatchesOf } from "../controller.ts";
import { objectPath, RESOURCES, type ResourceInfo, subjectOf } from "../resources.ts";

const ID = "resourcequota-controller";
const FULL_RESYNC: Micros = 300_000_000;
// Simplified: upstream monitors every namespaced resource that can be created, listed, watched and deleted, Leases too.
const MONITORED: readonly ResourceInfo[] = RESOURCES.filter((info) => info.namespaced && info.resource !== "events" && info.resource !== "leases");
const WATCHED: readonly string[] = ["resourcequotas", ...MONITORED.map((info) => info.resource).filter((resource) => resource !== "resourcequotas")];
const INFO = new Map(MONITORED.map((info) => [info.resource, { group: groupOf(info.apiVersion), resource: info.resource }]));

const indexers: Readonly<Record<string, Indexer>> = Object.fromEntries(WATCHED.map((resource) => [resource, byNamespace(resource)]));

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
function replenish(resource: string, object: KubeObject, view: View): Handled<unknown> {
  const info = INFO.get(resource);
  if (info === undefined) return {};
  const quotas = view.byIndex<ResourceQuota>("resourcequotas", object.metadata.namespace ?? "");
  return { keys: quotas.filter((quota) => matchingResources(Object.keys(quota.status?.hard ?? {}), info.group, info.resource).length > 0).map((quota) => ({ key: objectKey(quota) })) };
}

function handle(change: Change, resource: string, view: View): Handled<unknown> {
  if (resource === "resourcequotas") {
    const quota = change.object as ResourceQuota;
    const own = change.type === "update" && sameList((change.old as ResourceQuota).spec?.hard, quota.spec?.hard) ? [] : [{ key: objectKey(quota) }];
    if (change.type !== "delete") return { keys: own };
    return { keys: [...own, ...(replenish(resource, quota, view).keys ?? [])] };
  }
  if (change.type === "delete" || (change.type === "update" && freesQuota(resource, change.old, change.object, view.now))) return replenish(resource, change.object, view);
  return {};
}

const canonical = (list: ResourceList): Record<string, Quantity> => Object.fromEntries(Object.entries(list).map(([name, quantity]) => [name, canonicalQuantity(quantity)]));

function sync(key: string, view: View): Plan<string> {
  const quota = view.get<ResourceQuota>("resourcequotas", key);
  if (!quota) return {};
  const namespace = quota.metadata.namespace ?? "";
  const hard = quota.spec?.hard ?? {};
  const counted = calculateUsage(quota, [...INFO.values()].map((info) => ({ ...info, objects: view.byIndex(info.resource, namespace) })), view.now);
  const used = Object.fromEntries(Object.entries({ ...quota.status?.used, ...counted }).filter(([name]) => hard[name] !== undefined));
  const known = quota.status;
  if (known?.hard !== undefined && known.used !== undefined && sameList(known.hard, hard) && sameList(known.used, used)) return {};
  const body = { ...quota, status: { hard: canonical(hard), used: canonical(used) } };
  const note: Note = { text: `resourcequota-controller counts what namespace ${namespace} uses of quota ${quota.metadata.name ?? ""}`.slice(0, 138), why: Object.entries(used).map(([name, quantity]) => `${name} ${canonicalQuantity(quantity)}/${canonicalQuantity(hard[name] ?? 0)}`).join(", "), level: "basic", subject: subjectOf(quota), status: "idle" };
  return { batches: [[{ method: "PUT", path: `${objectPath(quota)}/status`, body, subject: subjectOf(quota) }]], notes: [note], next: key };
}

/** Recomputes what each ResourceQuota has used: admission only ever adds. */
export const createResourceQuotaController = (config: ControllerConfig): Component<ControllerState<string>> =>
  createController<string, unknown>(
    {
      id: ID,
      account: ID,
      resources: WATCHED,
      lazy: true,
      indexers,
      workers: 5,
      latency: "controller.sync",
      memory: undefined,
      tickers: [{ name: "resync", period: FULL_RESYNC, first: FULL_RESYNC }],
      handle,
      sync,
      resume: (_key, _data, [answer]) => (answer === undefined || isSuccess(answer) || answer.status === 404 ? {} : { error: messageOf(answer) }),
      tick: (_name, view) => ({ keys: view.list<ResourceQuota>("resourcequotas").map((quota) => ({ key: objectKey(quota) })) }),
    },
    config,
  );

export const resourceQuotaWatches = (world?: World): WatchSpec[] => lazyWatchesOf(ID, WATCHED, world);
