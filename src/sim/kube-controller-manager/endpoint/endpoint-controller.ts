// Models kubernetes/pkg/controller/endpoint/endpoints_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { KubeObject, ObjectReference, Pod, Service } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import { byNamespace, type View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Handled, type Plan, watchesOf } from "../controller.ts";
import { findPort, shouldPodBeInEndpoints } from "../endpointslice/endpoint.ts";
import { selects, servicesToUpdate } from "../endpointslice/endpointslice-controller.ts";
import { LABEL_HEADLESS } from "../endpointslice/reconcile.ts";
import { isPodReady } from "../pods.ts";
import { collectionPath, pathOf } from "../resources.ts";

const ID = "endpoint-controller";
const RESOURCES = ["services", "pods", "endpoints"] as const;
/** Beyond this the object is cut and annotated. */
const MAX_ADDRESSES = 1000;
const LABEL_MANAGED_BY = "endpoints.kubernetes.io/managed-by";

interface EndpointAddress {
  readonly ip: string;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef?: ObjectReference;
}

interface Subset {
  readonly addresses?: readonly EndpointAddress[];
  readonly notReadyAddresses?: readonly EndpointAddress[];
  readonly ports?: readonly { readonly name?: string; readonly port: number; readonly protocol: string }[];
}

export interface Endpoints extends KubeObject {
  readonly subsets?: readonly Subset[];
}

function addressOf(pod: Pod, service: Service): EndpointAddress {
  const named = pod.spec.hostname && pod.spec.subdomain === service.metadata.name;
  return {
    ip: pod.status?.podIP ?? pod.status?.podIPs?.[0]?.ip ?? "",
    ...(named ? { hostname: pod.spec.hostname ?? "" } : {}),
    ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: { kind: "Pod", namespace: pod.metadata.namespace ?? "", name: pod.metadata.name ?? "", uid: pod.metadata.uid ?? "" },
  };
}

/** The legacy form: ready and not ready addresses by set of ports; terminating Pods are left out. */
export function subsetsOf(service: Service, pods: readonly Pod[]): readonly Subset[] {
  const groups = new Map<string, { ready: EndpointAddress[]; notReady: EndpointAddress[]; ports: Subset["ports"] }>();
  for (const pod of pods) {
    if (!shouldPodBeInEndpoints(pod, service.spec.publishNotReadyAddresses ?? false)) continue;
    const ports = (service.spec.ports ?? []).flatMap((port) => {
      const number = findPort(pod, port);
      return number === undefined ? [] : [{ ...(port.name ? { name: port.name } : {}), port: number, protocol: port.protocol ?? "TCP" }];
    });
    if (ports.length === 0 && (service.spec.ports ?? []).length > 0) continue;
    const key = ports.map((port) => `${port.name ?? ""}/${port.port}/${port.protocol}`).join(",");
    const group = groups.get(key) ?? { ready: [], notReady: [], ports };
    groups.set(key, group);
    (isPodReady(pod) || service.spec.publishNotReadyAddresses ? group.ready : group.notReady).push(addressOf(pod, service));
  }
  const byIP = (a: EndpointAddress, b: EndpointAddress): number => (a.ip < b.ip ? -1 : 1);
  return [...groups.values()].map(({ ready, notReady, ports }) => ({
    ...(ready.length > 0 ? { addresses: ready.sort(byIP).slice(0, MAX_ADDRESSES) } : {}),
    ...(notReady.length > 0 ? { notReadyAddresses: notReady.sort(byIP).slice(0, Math.max(0, MAX_ADDRESSES - ready.length)) } : {}),
    ...(ports && ports.length > 0 ? { ports } : {}),
  }));
}

type Ports = NonNullable<Subset["ports"]>;

const sameList = <T>(a: readonly T[] | undefined, b: readonly T[] | undefined, same: (x: T, y: T) => boolean): boolean => (a?.length ?? 0) === (b?.length ?? 0) && (a ?? []).every((entry, i) => b?.[i] !== undefined && same(entry, b[i]));
const sameAddress = (a: EndpointAddress, b: EndpointAddress): boolean => a.ip === b.ip && a.nodeName === b.nodeName && a.targetRef?.uid === b.targetRef?.uid && a.hostname === b.hostname;
const samePort = (a: Ports[number], b: Ports[number]): boolean => a.name === b.name && a.port === b.port && a.protocol === b.protocol;
const sameSubset = (a: Subset, b: Subset): boolean => sameList(a.addresses, b.addresses, sameAddress) && sameList(a.notReadyAddresses, b.notReadyAddresses, sameAddress) && sameList(a.ports, b.ports, samePort);

function handle(change: Change, resource: string, view: View): Handled<unknown> {
  if (resource === "services") return { keys: [{ key: objectKey(change.object) }] };
  if (resource === "pods") return { keys: servicesToUpdate(change, view) };
  return change.type === "delete" ? { keys: [{ key: objectKey(change.object) }] } : {};
}

/** The Endpoints object of a Service with a selector. */
export function endpointsOf(service: Service, pods: readonly Pod[], metadata: KubeObject["metadata"]): Endpoints {
  const subsets = subsetsOf(service, pods);
  const labels = { ...service.metadata.labels, ...(service.spec.clusterIP === "None" ? { [LABEL_HEADLESS]: "" } : {}), [LABEL_MANAGED_BY]: ID };
  return { apiVersion: "v1", kind: "Endpoints", metadata: { ...metadata, labels }, ...(subsets.length === 0 ? {} : { subsets }) };
}

function sync(key: string, view: View): Plan {
  const service = view.get<Service>("services", key);
  const current = view.get<Endpoints>("endpoints", key);
  const [namespace = "", name = ""] = key.split("/");
  const subject = `endpoints/${key}`;
  if (!service) return current && current.metadata.labels?.[LABEL_MANAGED_BY] !== undefined ? { batches: [[{ method: "DELETE", path: pathOf("Endpoints", namespace, name), subject }]], next: "deleted" } : {};
  if (!service.spec.selector || service.metadata.deletionTimestamp !== undefined || service.spec.type === "ExternalName") return {};
  const { selector } = service.spec;
  const pods = view.byIndex<Pod>("podsByNamespace", namespace).filter((pod) => selects(selector, pod));
  const body = endpointsOf(service, pods, current?.metadata ?? { name, namespace });
  if (!current) return { batches: [[{ method: "POST", path: collectionPath("Endpoints", namespace), body, subject }]] };
  if (sameList(current.subsets, body.subsets ?? [], sameSubset)) return {};
  return { batches: [[{ method: "PUT", path: pathOf("Endpoints", namespace, name), body, subject }]] };
}

/** Keeps the legacy Endpoints object beside the slices (deprecated since 1.33, still written). */
export const createEndpointController = (config: ControllerConfig): Component<ControllerState> =>
  createController<unknown, unknown>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      indexers: { servicesByNamespace: byNamespace("services"), podsByNamespace: byNamespace("pods") },
      workers: 5,
      maxRetries: 15,
      latency: "endpoint.sync",
      memory: undefined,
      handle,
      sync,
      resume: () => ({}),
    },
    config,
  );

export const endpointWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
