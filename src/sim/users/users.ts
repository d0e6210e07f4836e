// People and programs who use what the cluster serves. Not a part of Kubernetes.
import { objectKey, type WatchSpec } from "../api/http.ts";
import type { TrafficRequest, TrafficResponse } from "../api/traffic.ts";
import type { KubeObject, Service } from "../api/types.ts";
import { objectsOf, type World, type WorldNode } from "../api/world.ts";
import { API_SERVER, type ApiClient } from "../client-go/api-client.ts";
import { emptyInformer, type Informer, startInformer, stepInformer, syncedInformer } from "../client-go/informer.ts";
import type { DnsRequestMessage, DnsResponseMessage } from "../coredns/messages.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { Component, Ctx, Level, MailId, Message, Micros, NetErrorMessage, StartMessage } from "../kernel/types.ts";
import { type Flood, type FloodTick, sendFlood, startFlood } from "./flood.ts";

export interface UsersConfig {
  readonly world: World;
}

/** What one simulated client of one Service is doing and what came of it. */
export interface ClientOfService {
  readonly service: string;
  /** Inside: a Pod's network namespace on this node. Outside: through a node's address. */
  readonly where: "inside" | "outside";
  readonly node: string;
  readonly requests: number;
  readonly ok: number;
  readonly failed: number;
  /** "200 from default/nginx" or "connection refused by worker-node-01: no endpoints". */
  readonly last: string;
  readonly lastOk: boolean;
  /** Every result seen so far: a new one is news, the alternation between Pods is not. */
  readonly seen: readonly string[];
  readonly waiting: MailId;
  readonly timeout: MailId;
  readonly startedAt: Micros;
  readonly phase: "idle" | "dns" | "request";
}

export interface UsersState {
  readonly services: Informer;
  readonly clients: readonly ClientOfService[];
  readonly flood?: Flood;
}

const ID = "users";
/** One request a second to at most so many Services: enough to see, little to compute. */
const PERIOD: Micros = 1_000_000;
const FIRST_AFTER: Micros = 30_000;
const TIMEOUT: Micros = 5_000_000;
const MAX_SERVICES = 4;
/** Results remembered for each client. */
const MAX_SEEN = 200;
const CLIENT: ApiClient = { userAgent: "users/1.0", credential: { kind: "client-certificate", name: "users", groups: ["system:masters"] } };

interface GoMessage {
  readonly type: "users.go" | "users.timeout";
  readonly service: string;
}

/** Simplified: real users know a Service by its name; these learn of it by a watch, as soon as it exists. */
export const usersWatches = (): WatchSpec[] => [{ component: ID, resource: "services", path: "/api/v1/services" }];

const isServed = (service: Service): boolean =>
  service.metadata.namespace !== "kube-system" && service.spec.type !== "ExternalName" && (service.spec.ports ?? []).some((port) => (port.protocol ?? "TCP") === "TCP") && Object.keys(service.spec.selector ?? {}).length > 0;

/** Simulated clients: one GET a second to every Service that selects Pods, by its name and the node's rules. */
export function createUsers(config: UsersConfig): Component<UsersState> {
  const { world } = config;
  const people = new People(world);
  const [watch] = usersWatches() as [WatchSpec];
  return {
    id: ID,
    machine: "internet",
    connections: [API_SERVER],
    init: () => ({ services: syncedInformer(watch, objectsOf<KubeObject>(world, "Service"), world.resourceVersion), clients: [] }),
    step(state, message, ctx) {
      switch (message.type) {
        case "start":
          if ((message as StartMessage).cold) return { services: startInformer(ctx, CLIENT, emptyInformer(watch)), clients: [] };
          return objectsOf<Service>(world, "Service").reduce((next, service) => people.meet(next, service, ctx), state);
        case "users.go":
          return people.go(state, (message as GoMessage).service, ctx);
        case "users.flood":
          if (state.flood?.since === (message as FloodTick).since) sendFlood(ctx, state.flood);
          return state;
        case "fault":
          return flooding(state, message as FaultMessage, ctx);
        case "users.timeout":
          return people.timedOut(state, (message as GoMessage).service, ctx);
        case "dns.response":
          return people.resolved(state, message as DnsResponseMessage, ctx);
        case "traffic.response":
          return people.answered(state, (message as TrafficResponse).request, message as TrafficResponse, ctx);
        case "net.error":
          if (state.clients.some((client) => client.waiting === (message as NetErrorMessage).hop)) return people.answered(state, (message as NetErrorMessage).hop, { type: "traffic.response", request: 0, status: 0, error: "connection refused" }, ctx);
          return people.watch(state, message, ctx);
        default:
          return people.watch(state, message, ctx);
      }
    },
  };
}

function flooding({ services, clients }: UsersState, message: FaultMessage, ctx: Ctx): UsersState {
  const flood = startFlood(ctx, message);
  return { services, clients, ...(flood === undefined ? {} : { flood }) };
}

class People {
  private readonly world: World;
  private readonly workers: readonly WorldNode[];

  constructor(world: World) {
    this.world = world;
    const control = new Set(world.objects.filter((object) => object.kind === "Node" && object.metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined).map((object) => object.metadata.name));
    const workers = world.nodes.filter((node) => !control.has(node.name));
    this.workers = workers.length > 0 ? workers : world.nodes;
  }

  watch(state: UsersState, message: Message, ctx: Ctx): UsersState {
    const stepped = stepInformer(ctx, CLIENT, state.services, message);
    if (!stepped) return state;
    let next: UsersState = { ...state, services: stepped.informer };
    for (const change of stepped.changes) if (change.type !== "delete") next = this.meet(next, change.object as Service, ctx);
    return next;
  }

  /** A new Service gets a client. */
  meet(state: UsersState, service: Service, ctx: Ctx): UsersState {
    const key = objectKey(service);
    if (!isServed(service) || state.clients.length >= MAX_SERVICES || state.clients.some((client) => client.service === key)) return state;
    const outside = service.spec.type === "NodePort" || service.spec.type === "LoadBalancer";
    const node = this.workers[ctx.rand(`node/${key}`, 0) % this.workers.length];
    if (!node) return state;
    ctx.after(FIRST_AFTER, { type: "users.go", service: key } satisfies GoMessage);
    const client: ClientOfService = { service: key, where: outside ? "outside" : "inside", node: node.name, requests: 0, ok: 0, failed: 0, last: "", lastOk: false, seen: [], waiting: -1, timeout: -1, startedAt: ctx.now, phase: "idle" };
    return { ...state, clients: [...state.clients, client] };
  }

  go(state: UsersState, key: string, ctx: Ctx): UsersState {
    const client = state.clients.find((entry) => entry.service === key);
    if (!client || client.phase !== "idle") return state;
    const service = state.services.store.get(key) as Service | undefined;
    // The Service is gone: its users give up.
    if (!service) return { ...state, clients: state.clients.filter((entry) => entry !== client) };
    const timeout = ctx.after(TIMEOUT, { type: "users.timeout", service: key } satisfies GoMessage);
    const begun: ClientOfService = { ...client, requests: client.requests + 1, timeout, startedAt: ctx.now };
    if (client.where === "outside") return this.connect(replace(state, begun), begun, service, undefined, ctx);
    const [namespace = "default", name = ""] = key.split("/");
    const question: DnsRequestMessage = { type: "dns.request", name, qtype: "A", client: ID, namespace };
    const waiting = ctx.send("coredns", question, { protocol: "DNS", latency: ctx.latency("link.lan", `dns ${key} ${ctx.now}`), verb: `A ${name}`, subject: `service/${key}`, level: levelOf(client, "source") });
    return replace(state, { ...begun, waiting, phase: "dns" });
  }

  resolved(state: UsersState, answer: DnsResponseMessage, ctx: Ctx): UsersState {
    const client = state.clients.find((entry) => entry.waiting === answer.request && entry.phase === "dns");
    if (!client) return state;
    const service = state.services.store.get(client.service) as Service | undefined;
    const address = answer.addresses[ctx.rand(`address/${client.service}`, client.requests) % Math.max(1, answer.addresses.length)];
    if (!service || address === undefined) return this.finish(state, client, `no such host: ${client.service.split("/")[1] ?? ""} is not in DNS`, false, ctx);
    return this.connect(state, client, service, address, ctx);
  }

  /** Sends the request into the rules of a node: the client Pod's own, or the one whose address a user dials. */
  private connect(state: UsersState, client: ClientOfService, service: Service, address: string | undefined, ctx: Ctx): UsersState {
    const port = service.spec.ports?.find((entry) => (entry.protocol ?? "TCP") === "TCP");
    const node = client.where === "inside" ? this.world.nodes.find((entry) => entry.name === client.node) : this.workers[ctx.rand(`entry/${client.service}`, client.requests) % this.workers.length];
    if (!port || !node) return state;
    const headless = service.spec.clusterIP === "None";
    const balancer = service.status?.loadBalancer?.ingress?.[0]?.ip;
    const toIP = client.where === "inside" ? (address ?? "") : (balancer ?? node.address);
    const toPort = client.where === "inside" ? (headless ? targetPort(port.targetPort, port.port) : port.port) : balancer === undefined ? (port.nodePort ?? port.port) : port.port;
    const [, name = ""] = client.service.split("/");
    const request: TrafficRequest = {
      type: "traffic.request",
      protocol: "HTTP",
      method: "GET",
      path: "/",
      host: client.where === "inside" ? name : toIP,
      fromIP: client.where === "inside" ? node.podCIDR.replace(/\d+\/\d+$/, "250") : "203.0.113.7",
      toIP,
      toPort,
      client: ID,
    };
    const latency = ctx.latency(client.where === "inside" ? "link.host" : "link.internet", `get ${client.service} ${client.requests}`);
    const waiting = ctx.send(`netfilter@${node.name}`, request, { protocol: "HTTP", latency, verb: "GET /", subject: `service/${client.service}`, level: levelOf(client, "operator") });
    return replace(state, { ...client, node: node.name, waiting, phase: "request" });
  }

  answered(state: UsersState, request: MailId, response: TrafficResponse, ctx: Ctx): UsersState {
    const client = state.clients.find((entry) => entry.waiting === request && entry.phase === "request");
    if (!client) return state;
    const ok = response.error === undefined && response.status >= 200 && response.status < 400;
    const why = response.body === "no endpoints" ? ": no endpoints" : "";
    const text = response.error !== undefined ? `${response.error} by ${client.node}${why}` : `${response.status} from ${response.servedBy ?? "?"}`;
    return this.finish(state, client, text, ok, ctx);
  }

  timedOut(state: UsersState, key: string, ctx: Ctx): UsersState {
    const client = state.clients.find((entry) => entry.service === key);
    if (!client || client.phase === "idle") return state;
    return this.finish(state, client, client.phase === "dns" ? "i/o timeout: DNS does not answer" : `i/o timeout: no answer through ${client.node}`, false, ctx);
  }

  private finish(state: UsersState, client: ClientOfService, last: string, ok: boolean, ctx: Ctx): UsersState {
    ctx.cancel(client.timeout);
    ctx.after(Math.max(0, client.startedAt + PERIOD - ctx.now), { type: "users.go", service: client.service } satisfies GoMessage);
    const fresh = !client.seen.includes(last);
    const turned = client.last !== "" && ok !== client.lastOk;
    ctx.explain({
      text: `A user of ${client.service} gets ${last}`,
      why: ok ? "name, node rules and Pod all work" : client.phase === "dns" ? "the name has no address: CoreDNS does not know it, or does not answer" : client.ok === 0 ? "no endpoint of the Service is ready in this node's rules yet" : "the rules of the node or the Pod behind them do not work now",
      level: fresh || turned ? "basic" : "source",
      subject: `service/${client.service}`,
      status: `${client.ok + (ok ? 1 : 0)} ok, ${client.failed + (ok ? 0 : 1)} failed`,
      data: { service: client.service, ok, node: client.node, result: last, afterMicros: ctx.now - client.startedAt },
    });
    return replace(state, { ...client, ok: client.ok + (ok ? 1 : 0), failed: client.failed + (ok ? 0 : 1), last, lastOk: ok, seen: fresh ? [...client.seen.slice(-MAX_SEEN), last] : client.seen, waiting: -1, timeout: -1, phase: "idle" });
  }
}

/** A named target port cannot be known from outside the Pod: the Service's own number stands in. */
const targetPort = (target: number | string | undefined, port: number): number => (typeof target === "number" ? target : port);

/** Until the first success every request tells the story. */
const levelOf = (client: ClientOfService, later: Level): Level => (client.ok === 0 && client.failed < 3 ? "basic" : later);

const replace = (state: UsersState, client: ClientOfService): UsersState => ({ ...state, clients: state.clients.map((entry) => (entry.service === client.service ? client : entry)) });
