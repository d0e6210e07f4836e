// Models kubernetes/staging/src/k8s.io/cloud-provider/controllers/service/controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { Service } from "../../api/types.ts";
import type { World } from "../../api/world.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component, Micros } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Handled, type Plan, watchesOf } from "../controller.ts";
import { objectPath, subjectOf } from "../resources.ts";

const ID = "service-controller";
const RESOURCES = ["services"] as const;
const FINALIZER = "service.kubernetes.io/load-balancer-cleanup";
/** How long a cloud takes to make a balancer: assumption, real ones take some ten seconds to minutes. */
const MAKING: Micros = 20_000_000;
const DELETING: Micros = 5_000_000;
/** Addresses that this cloud gives: RFC 5737's first block. */
const BLOCK = "192.0.2";

/** Balancers that the cloud works on, until when, and those that it has, with what they were made for. */
export interface ServiceMemory {
  readonly working: Readonly<Record<string, Micros>>;
  readonly made: Readonly<Record<string, string>>;
}

/** Nodes that a cloud knows have an identity there. */
export const hasCloud = (world: World): boolean => world.objects.some((object) => object.kind === "Node" && (object.spec as { readonly providerID?: string } | undefined)?.providerID !== undefined);

const wantsLoadBalancer = ({ spec }: Service): boolean => spec.type === "LoadBalancer" && spec.loadBalancerClass === undefined;
const hasFinalizer = ({ metadata }: Service): boolean => (metadata.finalizers ?? []).includes(FINALIZER);
const needsCleanup = (service: Service): boolean => hasFinalizer(service) && (service.metadata.deletionTimestamp !== undefined || service.spec.type !== "LoadBalancer");

/** needsUpdate: what of a Service a balancer is made for. */
function madeFor({ metadata, spec }: Service): string {
  return JSON.stringify([spec.type, spec.loadBalancerSourceRanges, (spec.ports ?? []).map(({ name, protocol, port, nodePort }) => [name, protocol, port, nodePort]), spec.sessionAffinity, spec.sessionAffinityConfig, spec.loadBalancerIP, spec.externalIPs, metadata.annotations, metadata.uid, spec.externalTrafficPolicy, spec.healthCheckNodePort]);
}

function handle(change: Change): Handled<ServiceMemory> {
  const service = change.object as Service;
  const key = objectKey(service);
  if (change.type === "delete") return { keys: [{ key }] };
  if (change.type === "add") return { keys: wantsLoadBalancer(service) || needsCleanup(service) ? [{ key }] : [] };
  const old = change.old as Service;
  const changed = (wantsLoadBalancer(old) || wantsLoadBalancer(service)) && madeFor(old) !== madeFor(service);
  return { keys: changed || needsCleanup(service) ? [{ key }] : [] };
}

const without = <T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> => Object.fromEntries(Object.entries(record).filter(([other]) => other !== key));

const event = (object: Service, reason: string, message: string): EventToRecord => ({ object, type: "Normal", reason, message });

function patch(service: Service, body: Readonly<Record<string, unknown>>): Plan<unknown, ServiceMemory>["batches"] {
  return [[{ method: "PATCH", path: `${objectPath(service)}/status`, contentType: "application/merge-patch+json", body, subject: subjectOf(service) }]];
}

/** An address that no other Service has. */
function freeAddress(view: View<ServiceMemory>, wanted: string | undefined): string {
  const used = new Set(view.list<Service>("services").flatMap((service) => service.status?.loadBalancer?.ingress?.map(({ ip }) => ip) ?? []));
  if (wanted !== undefined && !used.has(wanted)) return wanted;
  for (let host = 10; host < 250; host++) if (!used.has(`${BLOCK}.${host}`)) return `${BLOCK}.${host}`;
  return `${BLOCK}.250`;
}

/** The first sync asks the cloud; the one that comes when it is done writes the address. */
function ensure(key: string, service: Service, view: View<ServiceMemory>): Plan<unknown, ServiceMemory> {
  const { working, made } = view.memory;
  const due = working[key];
  const subject = subjectOf(service);
  const have = service.status?.loadBalancer?.ingress?.[0]?.ip;
  if (due === undefined) {
    if (have !== undefined && made[key] === undefined && hasFinalizer(service)) return { memory: { working, made: { ...made, [key]: madeFor(service) } } };
    return {
      ...(hasFinalizer(service) ? {} : { batches: patch(service, { metadata: { finalizers: [...(service.metadata.finalizers ?? []), FINALIZER] } }) }),
      events: [event(service, "EnsuringLoadBalancer", "Ensuring load balancer")],
      notes: [{ text: `The cloud is asked for a load balancer for ${key}`, why: "type LoadBalancer: until an address comes back EXTERNAL-IP is <pending>", level: "basic", subject, status: `ensuring ${key}` }],
      memory: { working: { ...working, [key]: view.now + (have === undefined ? MAKING : DELETING) }, made },
      enqueue: [{ key, after: have === undefined ? MAKING : DELETING }],
    };
  }
  if (view.now < due) return { enqueue: [{ key, after: due - view.now }] };
  const ip = have ?? freeAddress(view, service.spec.loadBalancerIP);
  return {
    ...(have === undefined ? { batches: patch(service, { status: { loadBalancer: { ingress: [{ ip, ipMode: "VIP" }] } } }) } : {}),
    events: [event(service, "EnsuredLoadBalancer", "Ensured load balancer")],
    notes: [{ text: `The cloud's load balancer for ${key} has the address ${ip}`, why: "it sends what arrives there to the nodes, whose rules know the address from the Service's status", level: "basic", subject, status: "idle" }],
    memory: { working: without(working, key), made: { ...made, [key]: madeFor(service) } },
  };
}

function cleanUp(key: string, service: Service, view: View<ServiceMemory>): Plan<unknown, ServiceMemory> {
  const { working, made } = view.memory;
  const due = working[key];
  const deleting = due !== undefined && made[key] === "";
  if (!deleting) return { events: [event(service, "DeletingLoadBalancer", "Deleting load balancer")], memory: { working: { ...working, [key]: view.now + DELETING }, made: { ...made, [key]: "" } }, enqueue: [{ key, after: DELETING }] };
  if (view.now < due) return { enqueue: [{ key, after: due - view.now }] };
  const finalizers = (service.metadata.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER);
  return {
    batches: patch(service, { metadata: { finalizers: finalizers.length === 0 ? null : finalizers }, status: { loadBalancer: null } }),
    events: [event(service, "DeletedLoadBalancer", "Deleted load balancer")],
    memory: { working: without(working, key), made: without(made, key) },
  };
}

function sync(key: string, view: View<ServiceMemory>): Plan<unknown, ServiceMemory> {
  const service = view.get<Service>("services", key);
  if (!service) return { memory: { working: without(view.memory.working, key), made: without(view.memory.made, key) } };
  if (needsCleanup(service)) return cleanUp(key, service, view);
  return wantsLoadBalancer(service) ? ensure(key, service, view) : {};
}

/** Has the cloud make a load balancer for each Service that asks for one. Simplified: upstream runs in the cloud's own cloud-controller-manager, tells the cloud when nodes come and go, and works on one Service at a time. */
export const createServiceController = (config: ControllerConfig): Component<ControllerState<unknown, ServiceMemory>> =>
  createController<unknown, ServiceMemory>({ id: ID, account: ID, resources: RESOURCES, workers: 1, retryBase: 5_000_000, retryMax: 300_000_000, latency: "controller.sync", memory: { working: {}, made: {} }, handle, sync }, config);

export const serviceWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
