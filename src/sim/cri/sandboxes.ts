// Models containerd internal/cri/server/sandbox_{run,stop,remove}.go
import { hexId, uuid } from "../api/ids.ts";
import type { CniRequest, CniResponse } from "../cni/messages.ts";
import type { MailId } from "../kernel/types.ts";
import type { ProcessSignal } from "../process/messages.ts";
import { sandboxCgroupFiles, scopePath } from "./cgroup.ts";
import { takeAway } from "./containers.ts";
import type { CriCall, NamespaceOption, PodMeta, PodSandboxConfig } from "./messages.ts";
import { sandboxNamespaces } from "./namespaces.ts";
import type { Operation, Sandbox } from "./state.ts";
import { podSubject, type Turn } from "./turn.ts";

type Call<K extends CriCall["call"]> = Extract<CriCall, { call: K }>;

/** The first *.conflist in /etc/cni/net.d. */
function networkConfig(subnet: string): CniRequest["config"] {
  return {
    cniVersion: "1.0.0",
    name: "cbr0",
    plugins: [
      { type: "bridge", bridge: "cni0", isGateway: true, ipMasq: true, hairpinMode: true, ipam: { type: "host-local", ranges: [[{ subnet }]], routes: [{ dst: "0.0.0.0/0" }] } },
      { type: "portmap", capabilities: { portMappings: true } },
    ],
  };
}

/** Handlers of /etc/containerd/config.toml, and the default without a name. */
const RUNTIMES: ReadonlySet<string> = new Set(["", "runc"]);

export function runPodSandbox(turn: Turn, cri: Call<"RunPodSandbox">): void {
  const { config } = cri;
  if (!RUNTIMES.has(cri.runtimeHandler ?? "")) return turn.reply({ error: `rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "${cri.runtimeHandler ?? ""}" is configured` }, 400);
  const id = hexId(turn.world.seed, `sandbox/${config.pod.uid}/${config.attempt}/${config.attempt === 0 ? 0 : turn.ctx.now}`);
  const retry = turn.state.failedSandboxes > 0 || turn.state.sandboxes.has(id);
  const sandboxId = retry ? hexId(turn.world.seed, `sandbox/${config.pod.uid}/${config.attempt}/${turn.ctx.now}`) : id;
  turn.begin(cri, config.hostNetwork ? "reserve name" : "network namespace", sandboxId);
  turn.ctx.explain({
    text: config.hostNetwork ? "containerd reserves the sandbox; it shares the node's network" : "containerd makes the sandbox's network namespace before any process exists",
    why: "The pause process is started later, inside the namespaces that are made here",
    level: "basic",
    subject: podSubject(config.pod),
    status: `RunPodSandbox ${config.pod.namespace}/${config.pod.name}`,
  });
  turn.later("runtime.netns", sandboxId, config.hostNetwork ? "prepareFiles" : "setupNetwork");
}

function cniCall(turn: Turn, command: "ADD" | "DEL", sandboxId: string, pod: PodMeta, portMappings: PodSandboxConfig["portMappings"]): MailId {
  const netns = `/var/run/netns/cni-${uuid(turn.world.seed, `netns/${sandboxId}`)}`;
  const request: CniRequest = {
    type: "cni.request",
    env: { CNI_COMMAND: command, CNI_CONTAINERID: sandboxId, CNI_NETNS: netns, CNI_IFNAME: "eth0", CNI_ARGS: `IgnoreUnknown=1;K8S_POD_NAMESPACE=${pod.namespace};K8S_POD_NAME=${pod.name};K8S_POD_INFRA_CONTAINER_ID=${sandboxId};K8S_POD_UID=${pod.uid}`, CNI_PATH: "/opt/cni/bin" },
    config: networkConfig(turn.node.podCIDR),
    portMappings,
  };
  return turn.ctx.send(`cni@${turn.node.name}`, request, { protocol: "exec", latency: turn.ctx.latency("link.unix", `cni ${sandboxId}`), verb: command, subject: podSubject(pod), level: command === "ADD" ? "basic" : "operator" });
}

/** ErrCNINotInitialized: no configuration was found in /etc/cni/net.d. */
export const NOT_INITIALIZED = "cni plugin not initialized";

export function setupNetwork(turn: Turn, request: MailId): void {
  const operation = turn.operation(request);
  if (operation?.cri.call !== "RunPodSandbox") return;
  const { config } = operation.cri;
  if (!turn.state.networkReady) {
    turn.ctx.explain({ text: "containerd has no network configuration: no sandbox can get an address", level: "basic", subject: podSubject(config.pod), status: "idle" });
    return turn.finish(operation, { error: `rpc error: code = Unknown desc = failed to setup network for sandbox "${operation.id}": ${NOT_INITIALIZED}` });
  }
  turn.update(request, { step: "CNI ADD", waits: cniCall(turn, "ADD", operation.id, config.pod, config.portMappings) });
}

export function cniDone(turn: Turn, response: CniResponse): void {
  const operation = turn.waiting(response.request);
  if (!operation) return;
  if (operation.cri.call === "StopPodSandbox") {
    const sandbox = turn.state.sandboxes.get(operation.id);
    if (response.exitCode !== 0) return turn.finish(operation, { error: `rpc error: code = Unknown desc = failed to destroy network for sandbox "${operation.id}": ${pluginError(response, "delete")}` });
    if (sandbox) turn.sandbox(operation.id, { ...sandbox, netns: "" });
    if (sandbox) turn.ctx.explain({ text: "containerd removes the network namespace: the sandbox is gone", subject: podSubject(sandbox.pod), status: "idle" });
    turn.finish(operation, {});
    return;
  }
  if (operation.cri.call !== "RunPodSandbox") return;
  const { config } = operation.cri;
  if (operation.failure !== undefined) return giveUp(turn, operation, response.exitCode === 0);
  if (response.exitCode !== 0) {
    turn.ctx.explain({ text: "containerd gives the sandbox up: its network could not be set up", why: "It asks the plugins to take down what they may have made", level: "basic", subject: podSubject(config.pod) });
    const failure = `rpc error: code = Unknown desc = failed to setup network for sandbox "${operation.id}": ${pluginError(response, "add")}`;
    return turn.update(operation.request, { step: "CNI DEL after a failed ADD", failure, waits: cniCall(turn, "DEL", operation.id, config.pod, config.portMappings) });
  }
  const ip = response.result?.ips[0]?.address.split("/")[0] ?? "";
  // Kept in the store at once: a list sees the sandbox only when it is ready.
  turn.update(operation.request, { waits: -1 });
  files(turn, operation.request, ip);
}

/** Plugins of this node's list go by the list's name too. */
function pluginError({ plugin = "bridge", error }: CniResponse, verb: "add" | "delete"): string {
  return `plugin type="${plugin}"${OWN_PLUGINS.has(plugin) ? ' name="cbr0"' : ""} failed (${verb}): ${error?.msg ?? ""}`;
}

const OWN_PLUGINS = new Set(["bridge", "portmap"]);

/** RunPodSandbox has failed. What could not be taken down either stays behind as a sandbox that is not ready: the kubelet will see it. */
function giveUp(turn: Turn, operation: Operation, clean: boolean): void {
  if (operation.cri.call === "RunPodSandbox" && !clean) {
    const { config } = operation.cri;
    const status = { id: operation.id, attempt: config.attempt, state: "NOTREADY", createdAt: turn.ctx.now, ip: "", hostNetwork: config.hostNetwork } as const;
    turn.sandbox(operation.id, { pod: config.pod, status, config, netns: "", namespaces: undefined, cgroup: undefined, files: {}, portMappings: config.portMappings });
    turn.dirty();
  }
  turn.state = { ...turn.state, failedSandboxes: turn.state.failedSandboxes + 1 };
  turn.finish(operation, { error: operation.failure ?? "" });
}

function files(turn: Turn, request: MailId, ip: string): void {
  turn.update(request, { step: ip === "" ? "pause image and files" : `pause image and files, address ${ip}` });
  turn.later("runtime.sandbox-files", `${request}`, "prepareFiles", request);
}

export function prepareFiles(turn: Turn, request: MailId): void {
  const operation = turn.operation(request);
  if (operation?.cri.call !== "RunPodSandbox") return;
  const { config } = operation.cri;
  turn.ctx.explain({ text: "containerd writes hostname, hosts and resolv.conf and mounts /dev/shm", why: "The kubelet only computes the DNS settings; the runtime writes the file", subject: podSubject(config.pod) });
  turn.update(request, { step: operation.step.replace("pause image and files", "start pause") });
  turn.later("runtime.pause-start", operation.id, "pauseStarted", request);
}

function sandboxFiles(config: PodSandboxConfig): Readonly<Record<string, string>> {
  const { dns } = config;
  const resolv = [...(dns.searches.length > 0 ? [`search ${dns.searches.join(" ")}`] : []), ...dns.servers.map((server) => `nameserver ${server}`), ...(dns.options.length > 0 ? [`options ${dns.options.join(" ")}`] : [])];
  return { "/etc/hostname": `${config.hostname}\n`, "/etc/resolv.conf": resolv.map((line) => `${line}\n`).join("") };
}

export function pauseStarted(turn: Turn, request: MailId): void {
  const operation = turn.operation(request);
  if (operation?.cri.call !== "RunPodSandbox") return;
  const { config } = operation.cri;
  const ip = /address (\S+)/.exec(operation.step)?.[1] ?? "";
  const made = sandboxNamespaces(config.namespaces, turn.state.nextNamespace);
  const status = { id: operation.id, attempt: config.attempt, state: "READY", createdAt: turn.ctx.now, ip, hostNetwork: config.hostNetwork } as const;
  turn.sandbox(operation.id, { pod: config.pod, status, config, netns: config.hostNetwork ? "" : `/var/run/netns/cni-${uuid(turn.world.seed, `netns/${operation.id}`)}`, namespaces: made.namespaces, cgroup: { path: scopePath(config.cgroupParent, operation.id), files: sandboxCgroupFiles() }, files: sandboxFiles(config), portMappings: config.portMappings });
  turn.state = { ...turn.state, nextNamespace: made.next };
  turn.ctx.explain({ text: `The pause process runs and holds ${held(config.namespaces)}${ip === "" ? "" : ` at ${ip}`}`, level: "basic", subject: podSubject(config.pod), status: "idle" });
  turn.dirty();
  turn.finish(operation, { id: operation.id, sandbox: status });
}

/** The namespaces that all containers of the Pod will share. */
function held(option: NamespaceOption): string {
  const kinds = [...(option.network === "POD" ? ["network"] : []), ...(option.ipc === "POD" ? ["IPC"] : []), ...(option.network === "POD" ? ["UTS"] : []), ...(option.pid === "POD" ? ["PID"] : [])];
  if (kinds.length === 0) return "the Pod's place: its namespaces are the node's";
  const last = kinds.at(-1) ?? "";
  return `the Pod's ${kinds.length === 1 ? `${last} namespace` : `${kinds.slice(0, -1).join(", ")} and ${last} namespaces`}`;
}

export function stopPodSandbox(turn: Turn, cri: Call<"StopPodSandbox">): void {
  const sandbox = turn.state.sandboxes.get(cri.sandboxId);
  if (!sandbox || (sandbox.status.state === "NOTREADY" && sandbox.netns === "")) return turn.reply({}, 500);
  const { request } = turn.begin(cri, "stop sandbox task", cri.sandboxId);
  // Its tasks are gone already, its network is not: it is taken down again.
  if (sandbox.status.state === "NOTREADY") return teardownNetwork(turn, request);
  for (const container of turn.state.pods.get(sandbox.pod.uid)?.containers ?? []) {
    if (container.state === "running" && container.sandboxId === cri.sandboxId) turn.ctx.send(`process@${turn.node.name}`, { type: "process.signal", containerId: container.id, signal: "KILL" } satisfies ProcessSignal, { protocol: "syscall", latency: 50, verb: "SIGKILL", subject: podSubject(sandbox.pod) });
  }
  turn.later("runtime.stop-sandbox", cri.sandboxId, "teardownNetwork");
}

export function teardownNetwork(turn: Turn, request: MailId): void {
  const operation = turn.operation(request);
  const sandbox = operation && turn.state.sandboxes.get(operation.id);
  if (!operation || !sandbox) return;
  if (sandbox.status.state === "READY") {
    turn.sandbox(operation.id, stopped(sandbox));
    turn.dirty();
  }
  if (sandbox.status.hostNetwork) return turn.finish(operation, {});
  if (!turn.state.networkReady) return turn.finish(operation, { error: `rpc error: code = Unknown desc = failed to destroy network for sandbox "${operation.id}": ${NOT_INITIALIZED}` });
  turn.update(request, { step: "CNI DEL", waits: cniCall(turn, "DEL", operation.id, sandbox.pod, sandbox.portMappings) });
}

/** A sandbox whose pause process is gone, and with it its namespaces and cgroup. */
export function stopped(sandbox: Sandbox): Sandbox {
  return { ...sandbox, status: { ...sandbox.status, state: "NOTREADY", ip: "" }, namespaces: undefined, cgroup: undefined };
}

export function removeSandbox(turn: Turn, cri: Call<"RemovePodSandbox">): void {
  const sandbox = turn.state.sandboxes.get(cri.sandboxId);
  if (sandbox) {
    // What is left of its containers goes with it: the kubelet's calls to remove them may be under way still.
    for (const { id, sandboxId } of turn.state.pods.get(sandbox.pod.uid)?.containers ?? []) {
      const record = sandboxId === cri.sandboxId ? turn.state.containers.get(id) : undefined;
      if (record) takeAway(turn, record);
    }
    turn.state = { ...turn.state, sandboxes: turn.state.sandboxes.delete(cri.sandboxId) };
    turn.pod(sandbox.pod.uid, sandbox.pod, (pod) => ({ ...pod, sandboxes: pod.sandboxes.filter((other) => other.id !== cri.sandboxId) }));
    turn.dirty();
  }
  turn.reply({}, turn.ctx.latency("runtime.remove", cri.sandboxId), "source");
}
