// Models containerd internal/cri/server
import type { World, WorldNode } from "../api/world.ts";
import type { CniResponse } from "../cni/messages.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { Component, MailId, Message, NetErrorMessage, StartMessage } from "../kernel/types.ts";
import type { ProcessExecResponse, ProcessExited, ProcessStartResponse, ProcessTasksRequest, ProcessTasksResponse } from "../process/messages.ts";
import type { RegistryProgress, RegistryResponse } from "../registry/messages.ts";
import { beginExec, beginStart, beginStop, createContainer, ended, execDone, execTimeout, killNow, onExit, removeContainer, reopenLog, startAnswered, startTask, updateResources } from "./containers.ts";
import type { CriRequest, CriStatusChanged, SettledPod } from "./messages.ts";
import { beginRemoveImage, dropImage, imageRemoved, listImages } from "./images.ts";
import { beginPull, imageStatus, onProgress, onRegistry, pullSilent, unpacked } from "./pull.ts";
import { cniDone, NOT_INITIALIZED, pauseStarted, prepareFiles, removeSandbox, runPodSandbox, setupNetwork, stopped, stopPodSandbox, teardownNetwork } from "./sandboxes.ts";
import { type ContainerdState, imageKey, initialState } from "./state.ts";
import { Turn } from "./turn.ts";

/** A step of an operation is due. */
interface OperationTimer extends Message {
  readonly type: "containerd.step";
  readonly request: MailId;
  readonly next: string;
}

/** What follows when a step's time has passed; the inspector shows the operation's `step`. */
const STEPS: Readonly<Record<string, (turn: Turn, request: MailId) => void>> = { setupNetwork, prepareFiles, pauseStarted, createContainer, startTask, killNow, teardownNetwork, unpacked, pullSilent, execTimeout, imageRemoved };

function onRequest(turn: Turn, request: CriRequest): void {
  const { cri } = request;
  switch (cri.call) {
    case "RunPodSandbox": return runPodSandbox(turn, cri);
    case "StopPodSandbox": return stopPodSandbox(turn, cri);
    case "RemovePodSandbox": return removeSandbox(turn, cri);
    case "CreateContainer": {
      turn.begin(cri, "snapshot and OCI spec", "");
      return turn.later("runtime.create-container", `${cri.sandboxId}/${cri.config.name}/${cri.config.attempt}`, "createContainer");
    }
    case "StartContainer": return beginStart(turn, cri);
    case "StopContainer": return beginStop(turn, cri);
    case "RemoveContainer": return removeContainer(turn, cri);
    case "UpdateContainerResources": return updateResources(turn, cri);
    case "ExecSync": return beginExec(turn, cri);
    case "ImageStatus": return imageStatus(turn, cri);
    case "PullImage": return beginPull(turn, cri);
    case "ListImages": return listImages(turn);
    case "RemoveImage": return beginRemoveImage(turn, cri);
    case "ReopenContainerLog": return reopenLog(turn, cri);
    case "ListPodSandbox": {
      const pods = cri.podUid === undefined ? turn.state.pods.values() : [turn.state.pods.get(cri.podUid)].filter((pod) => pod !== undefined);
      return turn.reply({ pods }, turn.ctx.latency("runtime.list", `${cri.podUid ?? "all"} ${turn.ctx.now}`), "source");
    }
    case "Version": return turn.reply({}, 300, "source");
    case "Status": return turn.reply(turn.state.networkReady ? {} : { networkError: `NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: ${NOT_INITIALIZED}` }, 300, "source");
  }
}

/** When a copy on the node's disk would hide that the registry's image is another or cannot be had, or is itself the bad one. */
const GONE_AT_BEGIN = new Set(["image.not-found", "image.unauthorized", "image.rate-limited", "image.registry-down", "image.slow-pull", "image.wrong-architecture"]);
const GONE_AT_END = new Set(["image.wrong-architecture"]);

function onFault(turn: Turn, fault: FaultMessage): void {
  if (fault.id === "cni.not-ready") return networkConfiguration(turn, !fault.on);
  // The image is on no disk any more: what runs goes on, the next start must pull.
  const key = imageKey(String(fault.on && fault.params["uncached"] ? fault.params["uncached"] : (fault.params["image"] ?? "")));
  if ((fault.on ? GONE_AT_BEGIN : GONE_AT_END).has(fault.id)) dropImage(turn, key);
}

/** inotify on /etc/cni/net.d: a configuration was written or is gone. */
function networkConfiguration(turn: Turn, there: boolean): void {
  turn.state = { ...turn.state, networkReady: there };
  turn.ctx.explain({ text: there ? "containerd loads the network configuration of /etc/cni/net.d" : "containerd finds no network configuration in /etc/cni/net.d any more", why: there ? "Its watch of the directory saw a write" : "Without one no sandbox can get an address; those that have one keep it", level: "basic", status: there ? "idle" : "no network configuration" });
  turn.ctx.send(`kubelet@${turn.node.name}`, { type: "cri.statusChanged" } satisfies CriStatusChanged, { protocol: "local", latency: 0, verb: "changed", level: "source" });
}

/** After its start containerd asks which of its tasks live: shims go on without it, a reboot leaves none. */
function recover(turn: Turn): void {
  turn.ctx.explain({ text: "containerd starts and connects to the shims that it left behind", why: "Each container's shim is a process of its own: it outlives containerd and keeps the exit code", level: "basic", status: "recovering" });
  turn.ctx.send(`process@${turn.node.name}`, { type: "process.tasks.request" } satisfies ProcessTasksRequest, { protocol: "syscall", latency: 200, verb: "connect to shims", level: "operator" });
}

function recovered(turn: Turn, { tasks, boot }: ProcessTasksResponse): void {
  const rebooted = boot !== turn.state.boot;
  turn.state = { ...turn.state, boot };
  if (rebooted) for (const [id, sandbox] of turn.state.sandboxes.sorted()) turn.sandbox(id, stopped(sandbox));
  for (const [id, record] of turn.state.containers.sorted()) {
    if (record.status.state !== "running") continue;
    const task = tasks.find(({ containerId }) => containerId === id);
    // What no shim answers for has ended, exit code unknown.
    if (!task) turn.container(id, ended(record, { exitCode: 255, reason: "Unknown", finishedAt: turn.ctx.now }));
    else if (task.ended) onExit(turn, { type: "process.exited", containerId: id, ...task.ended }, task.ended.at);
  }
  turn.ctx.explain({ text: "containerd serves its socket again", level: "operator", status: "idle" });
  turn.dirty();
}

function step(turn: Turn, message: Message): void {
  switch (message.type) {
    case "start": return (message as StartMessage).cold ? recover(turn) : undefined;
    case "process.tasks.response": return recovered(turn, message as ProcessTasksResponse);
    case "fault": return onFault(turn, message as FaultMessage);
    case "cri.request": return onRequest(turn, message as CriRequest);
    case "containerd.step": return STEPS[(message as OperationTimer).next]?.(turn, (message as OperationTimer).request);
    case "cni.response": return cniDone(turn, message as CniResponse);
    case "process.start.response": return startAnswered(turn, message as ProcessStartResponse);
    case "process.exited": return onExit(turn, message as ProcessExited);
    case "process.exec.response": return execDone(turn, message as ProcessExecResponse);
    case "registry.response": return onRegistry(turn, message as RegistryResponse);
    case "registry.progress": return onProgress(turn, message as RegistryProgress);
    case "net.error": {
      const { hop, peer } = message as NetErrorMessage;
      if (peer === "registry") onRegistry(turn, { type: "registry.response", request: hop, status: 0, error: "failed to do request: connection refused" });
      return;
    }
  }
}

/** Component containerd@NODE: sandboxes, containers, images, cgroups; every CRI call is an operation with named steps. */
export function createContainerd({ world, node, settled = [] }: { readonly world: World; readonly node: WorldNode; readonly settled?: readonly SettledPod[] }): Component<ContainerdState> {
  return {
    id: `containerd@${node.name}`,
    machine: node.name,
    // Its metadata and images are on disk; operations under way were not.
    init: (disk) => (disk ? { ...disk, operations: [] } : initialState(world, node, settled)),
    step(state, message, ctx) {
      const turn = new Turn(state, ctx, world, node);
      step(turn, message);
      return turn.state;
    },
  };
}
