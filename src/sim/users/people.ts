// What clients do: find an address, send a request, say what came of it
import { answered as dnsAnswered, beginLookup, type Step } from "../api/resolver.ts";
import type { DnsQuestion, TrafficRequest, TrafficResponse } from "../api/traffic.ts";
import type { KubeObject, Service } from "../api/types.ts";
import type { World, WorldNode } from "../api/world.ts";
import type { Ctx, Level, MailId, Micros } from "../kernel/types.ts";
import { ingressTargets, type Target } from "./targets.ts";
import { type ClientOfService, type FailureKind, replace, type UsersState } from "./state.ts";

export const ID = "users";
/** One request a second to at most so many Services: enough to see, little to compute. */
const PERIOD: Micros = 1_000_000;
const MAX_PER_SECOND = 20;
/** A Service may ask for more requests; what is no number, or too much, is not listened to. */
const RATE = "millipod.dev/requests-per-second";
const FIRST_AFTER: Micros = 30_000;
const TIMEOUT: Micros = 5_000_000;
const MAX_CLIENTS = 4;
/** Results remembered for each client. */
const MAX_SEEN = 200;
const MAX_RECENT = 60;
const OUTSIDE_IP = "203.0.113.7";

export interface GoMessage {
  readonly type: "users.go" | "users.timeout";
  readonly service: string;
}

function periodOf({ metadata }: KubeObject): Micros {
  const rate = Number(metadata.annotations?.[RATE] ?? 1);
  return rate >= 1 && rate <= MAX_PER_SECOND ? Math.round(PERIOD / rate) : PERIOD;
}

/** Until the first success every request tells the story. */
const levelOf = (client: ClientOfService, later: Level): Level => (client.ok === 0 && client.failed < 3 ? "basic" : later);

const KINDS: Readonly<Record<string, FailureKind>> = { "connection refused": "refused", "no route to host": "unreachable", "i/o timeout": "timeout", "no such host": "dns" };

export class People {
  private readonly world: World;
  private readonly workers: readonly WorldNode[];

  constructor(world: World) {
    this.world = world;
    const control = new Set(world.objects.filter((object) => object.kind === "Node" && object.metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined).map((object) => object.metadata.name));
    const workers = world.nodes.filter((node) => !control.has(node.name));
    this.workers = workers.length > 0 ? workers : world.nodes;
  }

  /** Something new to call gets a client. */
  meet(state: UsersState, key: string, object: KubeObject, outside: boolean, ctx: Ctx): UsersState {
    if (state.clients.length >= MAX_CLIENTS || state.clients.some((client) => client.service === key)) return state;
    const node = this.workers[ctx.rand(`node/${key}`, 0) % this.workers.length];
    if (!node) return state;
    ctx.after(FIRST_AFTER, { type: "users.go", service: key } satisfies GoMessage);
    const client: ClientOfService = { service: key, where: outside ? "outside" : "inside", node: node.name, period: periodOf(object), requests: 0, ok: 0, failed: 0, failures: {}, last: "", lastOk: false, recent: [], seen: [], waiting: -1, timeout: -1, startedAt: ctx.now, phase: "idle" };
    return { ...state, clients: [...state.clients, client] };
  }

  go(state: UsersState, key: string, ctx: Ctx): UsersState {
    const client = state.clients.find((entry) => entry.service === key);
    if (!client || client.phase !== "idle") return state;
    const target = this.target(state, client, ctx);
    // What they called is gone: its users give up.
    if (!target) return { ...state, clients: state.clients.filter((entry) => entry !== client) };
    const timeout = ctx.after(TIMEOUT, { type: "users.timeout", service: key } satisfies GoMessage);
    const begun: ClientOfService = { ...client, requests: client.requests + 1, timeout, startedAt: ctx.now };
    if (client.where === "outside") return this.connect(replace(state, begun), begun, target, target.address, ctx);
    const [namespace = "default"] = key.split("/");
    const { clusterDomain, dnsServiceIP } = this.world;
    const conf = { nameservers: [dnsServiceIP], search: [`${namespace}.svc.${clusterDomain}`, `svc.${clusterDomain}`, clusterDomain], ndots: 5, timeout: TIMEOUT, attempts: 2 };
    return this.stepped(replace(state, begun), begun, beginLookup(target.host, conf, this.asker(begun, ctx)), ctx);
  }

  private target(state: UsersState, client: ClientOfService, ctx: Ctx): Target | undefined {
    if (client.service.startsWith("ingress/")) {
      const targets = ingressTargets(state.ingresses?.store.get(client.service.slice("ingress/".length)));
      return targets[client.requests % Math.max(1, targets.length)];
    }
    const service = state.services.store.get(client.service) as Service | undefined;
    return service && this.serviceTarget(service, client, ctx);
  }

  private serviceTarget(service: Service, client: ClientOfService, ctx: Ctx): Target | undefined {
    const [, name = ""] = client.service.split("/");
    const port = service.spec.ports?.find((entry) => (entry.protocol ?? "TCP") === "TCP");
    if (service.spec.type === "ExternalName") return { host: name, path: "/", port: port?.port ?? 80 };
    if (!port) return undefined;
    if (client.where === "inside") return { host: name, path: "/", port: service.spec.clusterIP === "None" ? targetPort(port.targetPort, port.port) : port.port };
    const ingress = service.status?.loadBalancer?.ingress?.[0];
    const entry = this.workers[ctx.rand(`entry/${client.service}`, client.requests) % this.workers.length];
    const address = ingress?.ip ?? entry?.address;
    return address === undefined ? undefined : { host: address, path: "/", address, port: ingress?.ip === undefined ? (port.nodePort ?? port.port) : port.port };
  }

  private asker(client: ClientOfService, ctx: Ctx): (question: DnsQuestion, server: string) => MailId {
    const node = this.world.nodes.find((entry) => entry.name === client.node);
    return (dns, server) => {
      const request: TrafficRequest = { type: "traffic.request", protocol: "UDP", fromIP: insideIP(node), toIP: server, toPort: 53, client: ID, dns };
      return ctx.send(`netfilter@${client.node}`, request, { protocol: "DNS", latency: ctx.latency("link.host", `dns ${client.service} ${dns.qtype} ${dns.name} ${ctx.now}`), verb: `${dns.qtype} ${dns.name}`, subject: `service/${client.service}`, level: levelOf(client, "source") });
    };
  }

  /** An answer to one of the questions of a client's lookup; undefined when it is none. */
  named(state: UsersState, response: TrafficResponse, ctx: Ctx): UsersState | undefined {
    const client = state.clients.find((entry) => entry.resolving?.pending.includes(response.request));
    return client?.resolving && this.stepped(state, client, dnsAnswered(client.resolving, response.request, response, this.asker(client, ctx)), ctx);
  }

  private stepped(state: UsersState, client: ClientOfService, step: Step, ctx: Ctx): UsersState {
    if ("going" in step) return replace(state, { ...client, resolving: step.going, phase: "dns" });
    const { resolving: _, ...rest } = client;
    const { failed, addresses } = step.done;
    const target = this.target(state, rest, ctx);
    const address = addresses.find((candidate) => !candidate.includes(":"));
    if (failed !== undefined) return this.finish(state, rest, "no name server: the Service kube-dns has no Pod that answers", "dns", ctx);
    if (!target || address === undefined) return this.finish(state, rest, `no such host: ${client.service.split("/")[1] ?? ""} is not in DNS`, "dns", ctx);
    return this.connect(state, rest, target, address, ctx);
  }

  /** Sends the request into the rules of a node: the client Pod's own, or the one whose address a user dials. */
  private connect(state: UsersState, client: ClientOfService, target: Target, address: string | undefined, ctx: Ctx): UsersState {
    const inside = client.where === "inside";
    const dialled = this.world.nodes.find((entry) => entry.address === address);
    const node = inside ? this.world.nodes.find((entry) => entry.name === client.node) : (dialled ?? this.workers[ctx.rand(`entry/${client.service}`, client.requests) % this.workers.length]);
    if (!node) return state;
    if (address === undefined) return this.finish(state, client, "no address yet: nobody has given one", "dns", ctx);
    const request: TrafficRequest = { type: "traffic.request", protocol: "HTTP", method: "GET", path: target.path, host: target.host, fromIP: inside ? insideIP(node) : OUTSIDE_IP, toIP: address, toPort: target.port, client: ID, ...(target.tls ? { headers: { "X-Forwarded-Proto": "https" } } : {}) };
    const latency = ctx.latency(inside ? "link.host" : "link.internet", `get ${client.service} ${client.requests}`);
    // An address that no node has is a load balancer's.
    const to = inside || dialled ? `netfilter@${node.name}` : "load-balancer";
    const waiting = ctx.send(to, request, { protocol: "HTTP", latency, verb: `GET ${target.path}`, subject: subjectOf(client), level: levelOf(client, "operator") });
    return replace(state, { ...client, node: node.name, waiting, phase: "request" });
  }

  answered(state: UsersState, request: MailId, response: TrafficResponse, ctx: Ctx): UsersState {
    const client = state.clients.find((entry) => entry.waiting === request && entry.phase === "request");
    if (!client) return state;
    const ok = response.error === undefined && response.status >= 200 && response.status < 400;
    const why = response.why === undefined ? "" : `: ${response.why}`;
    const text = response.error !== undefined ? `${response.error}${why === "" ? ` by ${client.node}` : why}` : `${response.status} from ${response.servedBy ?? "?"}${ok ? "" : why}`;
    return this.finish(state, client, text, ok ? undefined : (KINDS[response.error ?? ""] ?? "http"), ctx);
  }

  timedOut(state: UsersState, key: string, ctx: Ctx): UsersState {
    const client = state.clients.find((entry) => entry.service === key);
    if (!client || client.phase === "idle") return state;
    const { resolving: _, ...rest } = client;
    return client.phase === "dns" ? this.finish(state, rest, "i/o timeout: DNS does not answer", "dns", ctx) : this.finish(state, rest, `i/o timeout: no answer through ${client.node}`, "timeout", ctx);
  }

  private finish(state: UsersState, client: ClientOfService, last: string, failure: FailureKind | undefined, ctx: Ctx): UsersState {
    ctx.cancel(client.timeout);
    ctx.after(Math.max(0, client.startedAt + client.period - ctx.now), { type: "users.go", service: client.service } satisfies GoMessage);
    const ok = failure === undefined;
    const fresh = !client.seen.includes(last);
    // Several paths take turns: that one of them fails is news once.
    const turned = client.last !== "" && ok !== client.lastOk && !client.service.startsWith("ingress/");
    const counted: ClientOfService = { ...client, ok: client.ok + (ok ? 1 : 0), failed: client.failed + (ok ? 0 : 1), ...(failure === undefined ? {} : { failures: { ...client.failures, [failure]: (client.failures[failure] ?? 0) + 1 } }) };
    ctx.explain({
      text: `A user of ${client.service} gets ${last}`,
      why: ok ? "name, node rules and Pod all work" : WHY[failure],
      level: fresh || turned ? "basic" : "source",
      subject: subjectOf(client),
      status: `${counted.ok} ok, ${counted.failed} failed`,
      data: { service: client.service, ok, node: client.node, result: last, afterMicros: ctx.now - client.startedAt },
    });
    return replace(state, { ...counted, last, lastOk: ok, recent: [...client.recent.slice(1 - MAX_RECENT), ok], seen: fresh ? [...client.seen.slice(-MAX_SEEN), last] : client.seen, waiting: -1, timeout: -1, phase: "idle" });
  }
}

const WHY: Readonly<Record<FailureKind, string>> = {
  dns: "the name could not be turned into an address, so nothing was sent to the Service",
  refused: "the packet arrived, and was answered with a refusal: by the node's rules, which know no endpoint, or by the Pod, where nothing listens on that port",
  unreachable: "the rules of the node still send to an address that no Pod has",
  timeout: "nothing came back: the packet was dropped on its way, or its machine is gone",
  http: "the connection works; the application, or the proxy before it, says no",
};

const subjectOf = ({ service }: ClientOfService): string => (service.startsWith("ingress/") ? service : `service/${service}`);
const insideIP = (node: WorldNode | undefined): string => (node?.podCIDR ?? "").replace(/\d+\/\d+$/, "250");

/** A named target port cannot be known from outside the Pod: the Service's own number stands in. */
const targetPort = (target: number | string | undefined, port: number): number => (typeof target === "number" ? target : port);
