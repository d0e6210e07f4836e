// People and programs who use what the cluster serves. Not a part of Kubernetes.
import { objectKey, streamOf, type WatchSpec } from "../api/http.ts";
import type { TrafficResponse } from "../api/traffic.ts";
import type { KubeObject, Service } from "../api/types.ts";
import { objectsOf, type World } from "../api/world.ts";
import { API_SERVER, type ApiClient } from "../client-go/api-client.ts";
import { emptyInformer, type Informer, startInformer, stepInformer, syncedInformer } from "../client-go/informer.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { Component, Ctx, Message, NetErrorMessage, StartMessage } from "../kernel/types.ts";
import { type FloodTick, sendFlood, startFlood } from "./flood.ts";
import { type GoMessage, ID, People } from "./people.ts";
import type { UsersState } from "./state.ts";
import { isServed } from "./targets.ts";

export type { ClientOfService, UsersState } from "./state.ts";

export interface UsersConfig {
  readonly world: World;
}

const CLIENT: ApiClient = { userAgent: "users/1.0", credential: { kind: "client-certificate", name: "users", groups: ["system:masters"] } };
const SERVICES: WatchSpec = { component: ID, resource: "services", path: "/api/v1/services" };
const INGRESSES: WatchSpec = { component: ID, resource: "ingresses", path: "/apis/networking.k8s.io/v1/ingresses" };

/** Only where somebody acts on Ingresses does anybody call their hosts. */
const hasIngressController = (world: World): boolean => world.objects.some((object) => object.kind === "IngressClass");

/** Simplified: real users know a Service by its name; these learn of it by a watch, as soon as it exists. */
export const usersWatches = (world?: World): WatchSpec[] => [SERVICES, ...(world && hasIngressController(world) ? [INGRESSES] : [])];

/** Simulated clients: one GET a second to every Service, by its name and the node's rules, or from outside by a node's or a load balancer's address. */
export function createUsers(config: UsersConfig): Component<UsersState> {
  const { world } = config;
  const people = new People(world);
  const ingress = hasIngressController(world);
  return {
    id: ID,
    machine: "internet",
    connections: [API_SERVER],
    init: () => ({
      services: syncedInformer(SERVICES, objectsOf<KubeObject>(world, "Service"), world.resourceVersion),
      ...(ingress ? { ingresses: syncedInformer(INGRESSES, objectsOf<KubeObject>(world, "Ingress"), world.resourceVersion) } : {}),
      clients: [],
    }),
    step(state, message, ctx) {
      switch (message.type) {
        case "start":
          if ((message as StartMessage).cold) return { services: startInformer(ctx, CLIENT, emptyInformer(SERVICES)), ...(ingress ? { ingresses: startInformer(ctx, CLIENT, emptyInformer(INGRESSES)) } : {}), clients: [] };
          return objectsOf<Service>(world, "Service").reduce((next, service) => meetService(people, next, service, ctx), state);
        case "users.go":
          return people.go(state, (message as GoMessage).service, ctx);
        case "users.flood":
          if (state.flood?.since === (message as FloodTick).since) sendFlood(ctx, state.flood);
          return state;
        case "fault":
          return flooding(state, message as FaultMessage, ctx);
        case "users.timeout":
          return people.timedOut(state, (message as GoMessage).service, ctx);
        case "traffic.response":
          return people.named(state, message as TrafficResponse, ctx) ?? people.answered(state, (message as TrafficResponse).request, message as TrafficResponse, ctx);
        case "net.error":
          return failedHop(people, state, message as NetErrorMessage, ctx) ?? watch(people, state, message, ctx);
        default:
          return watch(people, state, message, ctx);
      }
    },
  };
}

const flooding = (state: UsersState, message: FaultMessage, ctx: Ctx): UsersState => ({ ...state, flood: startFlood(ctx, message) });

function failedHop(people: People, state: UsersState, { hop }: NetErrorMessage, ctx: Ctx): UsersState | undefined {
  const refused: TrafficResponse = { type: "traffic.response", request: hop, status: 0, error: "connection refused" };
  return people.named(state, refused, ctx) ?? (state.clients.some((client) => client.waiting === hop) ? people.answered(state, hop, refused, ctx) : undefined);
}

const meetService = (people: People, state: UsersState, service: Service, ctx: Ctx): UsersState => (isServed(service) ? people.meet(state, objectKey(service), service, service.spec.type === "NodePort" || service.spec.type === "LoadBalancer", ctx) : state);

function watch(people: People, state: UsersState, message: Message, ctx: Ctx): UsersState {
  const stream = message.type === "watch.event" ? (message as unknown as { stream: string }).stream : undefined;
  const own = (informer: Informer | undefined, spec: WatchSpec) => (informer === undefined || (stream !== undefined && stream !== streamOf(spec)) ? undefined : stepInformer(ctx, CLIENT, informer, message));
  let next = state;
  const services = own(state.services, SERVICES);
  if (services) {
    next = { ...next, services: services.informer };
    for (const change of services.changes) if (change.type !== "delete") next = meetService(people, next, change.object as Service, ctx);
  }
  const ingresses = own(state.ingresses, INGRESSES);
  if (ingresses) {
    next = { ...next, ingresses: ingresses.informer };
    for (const change of ingresses.changes) if (change.type !== "delete") next = people.meet(next, `ingress/${objectKey(change.object)}`, change.object, true, ctx);
  }
  return next;
}
