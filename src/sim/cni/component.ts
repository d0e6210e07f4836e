// Models containernetworking/plugins: bridge, host-local, portmap
import { activeFaults } from "../api/active-faults.ts";
import { hexId } from "../api/ids.ts";
import { podsOn, type World, type WorldNode } from "../api/world.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { Component, Ctx, MailId, Message } from "../kernel/types.ts";
import { allocate, hostNumber, type Ipam, rangeText, release } from "./host-local.ts";
import type { CniRequest, CniResponse, CniResult } from "./messages.ts";

export interface Endpoint {
  readonly containerId: string;
  readonly ip: string;
  readonly hostVeth: string;
  readonly mac: string;
  readonly netns: string;
  readonly routes: readonly string[];
  readonly portMappings: readonly { readonly hostPort: number; readonly containerPort: number; readonly protocol: string }[];
}

export interface CniState {
  readonly bridge: { readonly name: "cni0"; readonly gateway: string; readonly ports: readonly string[] };
  readonly ipam: Ipam;
  readonly endpoints: readonly Endpoint[];
  readonly exhausted: boolean;
  readonly faults: readonly FaultMessage[];
  /** ADDs between bridge and portmap. */
  readonly running: readonly { readonly request: MailId; readonly from: string; readonly message: CniRequest; readonly endpoint: Endpoint }[];
}

interface Portmap extends Message {
  readonly type: "cni.portmap";
  readonly request: MailId;
}

const CNI_VERSION = "1.0.0";

function mac(seed: number, key: string): string {
  const hex = hexId(seed, `mac/${key}`, 10);
  return `0a:${hex.match(/../g)?.join(":") ?? ""}`;
}

function respond(ctx: Ctx, to: string, response: CniResponse, subject: string, latency: number): void {
  ctx.send(to, response, { protocol: "exec", latency, verb: response.exitCode === 0 ? "result" : "error", subject, status: response.exitCode });
}

const podOf = (message: CniRequest): string => {
  const value = (name: string): string => new RegExp(`${name}=([^;]*)`).exec(message.env.CNI_ARGS)?.[1] ?? "";
  return `pod/${value("K8S_POD_NAMESPACE")}/${value("K8S_POD_NAME")}`;
};

interface Failing {
  readonly answer: Pick<CniResponse, "exitCode" | "plugin" | "error">;
  /** How long it tries before it gives up. */
  readonly after: number;
}

/** The plugin named by a fault, which answers in place of the chain. */
function failing(state: CniState, verb: "add" | "delete"): Failing | undefined {
  const fault = state.faults.find(({ id, params }) => id === "cni.add-fails" && (verb === "add" || params["deleteToo"] !== false));
  return fault && { after: verb === "add" ? Number(fault.params["seconds"]) * 1_000_000 : 0, answer: { exitCode: 1, plugin: String(fault.params["plugin"]), error: { cniVersion: CNI_VERSION, code: 999, msg: String(fault.params["error"]) } } };
}

function add(state: CniState, message: CniRequest, ctx: Ctx, world: World, node: WorldNode): CniState {
  const subject = podOf(message);
  const id = message.env.CNI_CONTAINERID;
  const failed = failing(state, "add");
  if (failed) {
    ctx.explain({ text: `${failed.answer.plugin ?? ""} fails to set up a network`, why: failed.answer.error?.msg ?? "", level: "basic", subject, status: "failing" });
    respond(ctx, ctx.from, { type: "cni.response", request: ctx.mail, ...failed.answer }, subject, ctx.latency("cni.bridge-add", id) + failed.after);
    return state;
  }
  const result = state.exhausted ? undefined : allocate(state.ipam, id);
  if (result === undefined) {
    const msg = `failed to allocate for range 0: no IP addresses available in range set: ${rangeText(state.ipam)}`;
    ctx.explain({ text: `host-local finds no free address in ${state.ipam.subnet}`, why: "Every address of the node's podCIDR is taken: the sandbox cannot be set up until one is freed", level: "basic", subject, status: "out of addresses" });
    respond(ctx, ctx.from, { type: "cni.response", request: ctx.mail, exitCode: 1, plugin: "bridge", error: { cniVersion: CNI_VERSION, code: 11, msg } }, subject, ctx.latency("cni.bridge-add", id));
    return state;
  }
  const hostVeth = `veth${hexId(world.seed, `veth/${id}`, 8)}`;
  const endpoint: Endpoint = { containerId: id, ip: result.ip, hostVeth, mac: mac(world.seed, id), netns: message.env.CNI_NETNS, routes: [`default via ${state.bridge.gateway} dev eth0`, `${node.podCIDR} dev eth0 scope link`], portMappings: message.portMappings };
  ctx.explain({ text: `bridge gives the Pod ${result.ip}: a veth pair joins eth0 in the sandbox to ${hostVeth} on cni0`, why: `host-local takes the next address after last_reserved (${result.ip}) in ${node.podCIDR}; the gateway ${state.bridge.gateway} is kept back`, level: "basic", subject, status: `ADD ${subject.slice(4)}` });
  const late = Number(state.faults.find((fault) => fault.id === "cni.slow")?.params["seconds"] ?? 0) * 1_000_000;
  if (late > 0) ctx.explain({ text: `The network plugin takes ${late / 1_000_000} s longer than usual`, level: "basic", subject, status: "slow" });
  ctx.after(ctx.latency("cni.bridge-add", id) + late, { type: "cni.portmap", request: ctx.mail } satisfies Portmap);
  return { ...state, ipam: result.ipam, bridge: { ...state.bridge, ports: [...state.bridge.ports, hostVeth] }, endpoints: [...state.endpoints, endpoint], running: [...state.running, { request: ctx.mail, from: ctx.from, message, endpoint }] };
}

function portmap(state: CniState, request: MailId, ctx: Ctx, node: WorldNode): CniState {
  const run = state.running.find((entry) => entry.request === request);
  if (!run) return state;
  const { endpoint, message } = run;
  const prefix = node.podCIDR.split("/")[1] ?? "24";
  const result: CniResult = {
    cniVersion: CNI_VERSION,
    interfaces: [{ name: "cni0", mac: mac(0, node.name) }, { name: endpoint.hostVeth, mac: mac(1, endpoint.hostVeth) }, { name: "eth0", mac: endpoint.mac, mtu: 1500, sandbox: endpoint.netns }],
    ips: [{ address: `${endpoint.ip}/${prefix}`, gateway: state.bridge.gateway, interface: 2 }],
    routes: [{ dst: "0.0.0.0/0", gw: state.bridge.gateway }],
    dns: {},
  };
  if (endpoint.portMappings.length > 0) ctx.explain({ text: `portmap forwards host port ${endpoint.portMappings.map((mapping) => mapping.hostPort).join(", ")} to the Pod`, subject: podOf(message) });
  respond(ctx, run.from, { type: "cni.response", request, exitCode: 0, result }, podOf(message), ctx.latency("cni.portmap-add", endpoint.containerId));
  return { ...state, running: state.running.filter((entry) => entry !== run) };
}

function del(state: CniState, message: CniRequest, ctx: Ctx): CniState {
  const id = message.env.CNI_CONTAINERID;
  const failed = failing(state, "delete");
  if (failed) {
    respond(ctx, ctx.from, { type: "cni.response", request: ctx.mail, ...failed.answer }, podOf(message), ctx.latency("cni.del", id));
    return state;
  }
  const endpoint = state.endpoints.find((entry) => entry.containerId === id);
  if (endpoint) ctx.explain({ text: `bridge removes ${endpoint.hostVeth}; host-local frees ${endpoint.ip}`, subject: podOf(message), status: "idle" });
  respond(ctx, ctx.from, { type: "cni.response", request: ctx.mail, exitCode: 0 }, podOf(message), ctx.latency("cni.del", id));
  return { ...state, ipam: release(state.ipam, id), bridge: { ...state.bridge, ports: state.bridge.ports.filter((port) => port !== endpoint?.hostVeth) }, endpoints: state.endpoints.filter((entry) => entry.containerId !== id) };
}

function initialState(world: World, node: WorldNode): CniState {
  const base = node.podCIDR.replace(/\.\d+\/\d+$/, "");
  let ipam: Ipam = { subnet: node.podCIDR, lastReserved: `${base}.1`, reserved: {} };
  const endpoints: Endpoint[] = [];
  for (const pod of podsOn(world, node.name)) {
    const ip = pod.status?.podIP;
    if (pod.spec.hostNetwork || ip === undefined || !ip.startsWith(`${base}.`)) continue;
    const containerId = hexId(world.seed, `sandbox/${pod.metadata.uid ?? ""}/0`);
    ipam = { ...ipam, reserved: { ...ipam.reserved, [ip]: containerId }, ...(hostNumber(ip) > hostNumber(ipam.lastReserved) ? { lastReserved: ip } : {}) };
    endpoints.push({ containerId, ip, hostVeth: `veth${hexId(world.seed, `veth/${containerId}`, 8)}`, mac: mac(world.seed, containerId), netns: `/var/run/netns/cni-${hexId(world.seed, `netns/${containerId}`, 8)}`, routes: [`default via ${base}.1 dev eth0`], portMappings: [] });
  }
  return { bridge: { name: "cni0", gateway: `${base}.1`, ports: endpoints.map((endpoint) => endpoint.hostVeth) }, ipam, endpoints, exhausted: false, faults: [], running: [] };
}

/** Component cni@NODE: the plugin chain bridge + host-local + portmap. Its state is the node's network and the address store on disk. */
export function createCni({ world, node }: { readonly world: World; readonly node: WorldNode }): Component<CniState> {
  return {
    id: `cni@${node.name}`,
    machine: node.name,
    // host-local keeps its reservations in files.
    init: (disk) => disk ?? initialState(world, node),
    step(state, message, ctx) {
      switch (message.type) {
        case "cni.request": {
          const request = message as CniRequest;
          return request.env.CNI_COMMAND === "ADD" ? add(state, request, ctx, world, node) : del(state, request, ctx);
        }
        case "cni.portmap":
          return portmap(state, (message as Portmap).request, ctx, node);
        case "fault":
          return (message as FaultMessage).id === "cni.ip-exhausted" ? { ...state, exhausted: (message as FaultMessage).on } : { ...state, faults: activeFaults(state.faults, message as FaultMessage) };
        default:
          return state;
      }
    },
  };
}
