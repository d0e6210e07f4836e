// A cloud's network load balancer: it takes packets for its addresses to nodes that are well. Not a part of Kubernetes.
import { objectKey, type WatchSpec } from "../api/http.ts";
import type { TrafficRequest, TrafficResponse } from "../api/traffic.ts";
import type { KubeObject, Service } from "../api/types.ts";
import { objectsOf, type World } from "../api/world.ts";
import { API_SERVER, type ApiClient } from "../client-go/api-client.ts";
import { emptyInformer, type Informer, startInformer, stepInformer, syncedInformer } from "../client-go/informer.ts";
import type { Component, Ctx, MailId, Message, Micros, NetErrorMessage, StartMessage } from "../kernel/types.ts";

const ID = "load-balancer";
const OWN_ADDRESS = "192.0.2.1";
/** Every node is asked so often whether it has Pods of a Service with external policy Local. Assumption: clouds ask every 5 to 30 s. */
const CHECK_PERIOD: Micros = 5_000_000;
const WATCH: WatchSpec = { component: ID, resource: "services", path: "/api/v1/services" };
const CLIENT: ApiClient = { userAgent: "cloud/1.0", credential: { kind: "client-certificate", name: "cloud", groups: ["system:masters"] } };

export interface LoadBalancerState {
  readonly services: Informer;
  /** Packets that are out: their mail to who sent them. */
  readonly open: readonly { readonly forwarded: MailId; readonly mail: MailId; readonly client: string }[];
  /** Nodes by "service|node" whose last health check went well. */
  readonly healthy: Readonly<Record<string, boolean>>;
  readonly checks: readonly { readonly mail: MailId; readonly key: string }[];
  readonly checking: boolean;
  readonly carried: number;
}

interface CheckMessage extends Message {
  readonly type: "load-balancer.check";
}

export const loadBalancerWatches = (): WatchSpec[] => [WATCH];

/** Component load-balancer. Simplified: it learns of its addresses by a watch; a real one is told by the cloud's API. Packets keep their client's address. */
export function createLoadBalancer({ world }: { readonly world: World }): Component<LoadBalancerState> {
  const balancer = new Balancer(world);
  const none = { open: [], healthy: {}, checks: [], checking: false, carried: 0 };
  return {
    id: ID,
    machine: "internet",
    connections: [API_SERVER],
    init: () => ({ services: syncedInformer(WATCH, objectsOf<KubeObject>(world, "Service"), world.resourceVersion), ...none }),
    step(state, message, ctx) {
      switch (message.type) {
        case "start": return (message as StartMessage).cold ? { services: startInformer(ctx, CLIENT, emptyInformer(WATCH)), ...none } : balancer.checkNeeded(state, ctx);
        case "traffic.request": return balancer.carry(state, message as TrafficRequest, ctx);
        case "traffic.response": return balancer.back(state, message as TrafficResponse, ctx);
        case "net.error": return (message as NetErrorMessage).peer === API_SERVER ? watched(balancer, state, message, ctx) : balancer.back(state, { type: "traffic.response", request: (message as NetErrorMessage).hop, status: 0, error: "connection refused", why: "the node is down" }, ctx);
        case "load-balancer.check": return balancer.check({ ...state, checking: false }, ctx);
        default: return watched(balancer, state, message, ctx);
      }
    },
  };
}

function watched(balancer: Balancer, state: LoadBalancerState, message: Message, ctx: Ctx): LoadBalancerState {
  const stepped = stepInformer(ctx, CLIENT, state.services, message);
  return stepped ? balancer.checkNeeded({ ...state, services: stepped.informer }, ctx) : state;
}

class Balancer {
  private readonly nodes: World["nodes"];

  constructor(world: World) {
    const excluded = new Set(world.objects.filter((object) => object.kind === "Node" && object.metadata.labels?.["node.kubernetes.io/exclude-from-external-load-balancers"] !== undefined).map(({ metadata }) => metadata.name));
    this.nodes = world.nodes.filter(({ name }) => !excluded.has(name));
  }

  private local(state: LoadBalancerState): readonly Service[] {
    return (state.services.store.sortedValues() as unknown as readonly Service[]).filter(({ spec, status }) => spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local" && spec.healthCheckNodePort && (status?.loadBalancer?.ingress?.length ?? 0) > 0);
  }

  checkNeeded(state: LoadBalancerState, ctx: Ctx): LoadBalancerState {
    return state.checking || this.local(state).length === 0 ? state : this.check(state, ctx);
  }

  check(state: LoadBalancerState, ctx: Ctx): LoadBalancerState {
    const services = this.local(state);
    if (services.length === 0) return state;
    ctx.after(CHECK_PERIOD, { type: "load-balancer.check" } satisfies CheckMessage);
    const checks = services.flatMap((service) => this.nodes.map((node) => {
      const request: TrafficRequest = { type: "traffic.request", protocol: "HTTP", method: "GET", path: "/healthz", fromIP: OWN_ADDRESS, toIP: node.address, toPort: service.spec.healthCheckNodePort ?? 0, client: ID };
      const mail = ctx.send(`netfilter@${node.name}`, request, { protocol: "HTTP", latency: ctx.latency("link.lan", `check ${objectKey(service)} ${node.name} ${ctx.now}`), verb: "GET /healthz", subject: `service/${objectKey(service)}`, level: "source" });
      return { mail, key: `${objectKey(service)}|${node.name}` };
    }));
    // Who has not answered until the next round is not well.
    const silent = Object.fromEntries(state.checks.map(({ key }) => [key, false]));
    return { ...state, checks, checking: true, healthy: { ...state.healthy, ...silent } };
  }

  carry(state: LoadBalancerState, request: TrafficRequest, ctx: Ctx): LoadBalancerState {
    const service = (state.services.store.sortedValues() as unknown as readonly Service[]).find(({ status }) => status?.loadBalancer?.ingress?.some(({ ip }) => ip === request.toIP));
    const { client } = request;
    if (!service) return this.answer(state, ctx.mail, client, { error: "connection refused", why: `no load balancer has the address ${request.toIP}` }, ctx);
    const key = objectKey(service);
    const local = service.spec.externalTrafficPolicy === "Local";
    const well = local ? this.nodes.filter((node) => state.healthy[`${key}|${node.name}`] === true) : this.nodes;
    const node = well[ctx.rand(`node/${ctx.mail}`, 0) % Math.max(1, well.length)];
    if (!node) return this.answer(state, ctx.mail, client, { error: "connection refused", why: `the load balancer of ${key} knows no node that is well: its policy is Local, and every health check fails` }, ctx);
    const forwarded = ctx.send(`netfilter@${node.name}`, { ...request, client: ID }, { protocol: request.protocol === "UDP" ? "TCP" : request.protocol, latency: ctx.latency("link.lan", `carry ${ctx.mail}`), verb: request.method ?? request.protocol, subject: `service/${key}`, level: "operator" });
    return { ...state, carried: state.carried + 1, open: [...state.open.slice(-200), { forwarded, mail: ctx.mail, client }] };
  }

  private answer(state: LoadBalancerState, mail: MailId, client: string, response: Pick<TrafficResponse, "error" | "why">, ctx: Ctx): LoadBalancerState {
    ctx.send(client, { type: "traffic.response", request: mail, status: 0, ...response } satisfies TrafficResponse, { protocol: "TCP", latency: ctx.latency("link.internet", `${mail} refused`), verb: "RST" });
    return state;
  }

  back(state: LoadBalancerState, response: TrafficResponse, ctx: Ctx): LoadBalancerState {
    const check = state.checks.find(({ mail }) => mail === response.request);
    if (check) return this.checked(state, check.key, response.status === 200, ctx);
    const entry = state.open.find(({ forwarded }) => forwarded === response.request);
    if (!entry) return state;
    ctx.send(entry.client, { ...response, request: entry.mail }, { protocol: "HTTP", latency: ctx.latency("link.internet", `${entry.mail} back`), verb: response.error === undefined ? "answer" : "RST", status: response.status });
    return { ...state, open: state.open.filter((other) => other !== entry) };
  }

  private checked(state: LoadBalancerState, key: string, well: boolean, ctx: Ctx): LoadBalancerState {
    const [service = "", node = ""] = key.split("|");
    if ((state.healthy[key] ?? false) !== well) ctx.explain({ text: `The load balancer of ${service} ${well ? "sends to" : "leaves out"} ${node}`, why: well ? "its health check node port says 200: it has ready Pods of the Service" : "its health check node port does not say 200: no ready Pod of the Service is there", level: "operator", subject: `service/${service}` });
    return { ...state, checks: state.checks.filter((other) => other.key !== key), healthy: { ...state.healthy, [key]: well } };
  }
}
