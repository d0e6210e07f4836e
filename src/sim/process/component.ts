// Models the node's kernel and the programs in its containers: exec, signals, memory limits, files, sockets.
import type { TrafficRequest, TrafficResponse } from "../api/traffic.ts";
import type { Pod } from "../api/types.ts";
import { nodeNamed, podsOn, type WorldNode } from "../api/world.ts";
import type { FaultMessage } from "../faults/messages.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Component, Message, NetErrorMessage, StartMessage } from "../kernel/types.ts";
import { httpResume, onAnswer, onLookupTimer, onTimer, resolved } from "./answers.ts";
import type { Files } from "./files.ts";
import type { ServerProgram } from "./images/image.ts";
import { onDnsAnswer } from "./lookup.ts";
import type { ImagesStored, LogRotate, NodeWatch, ProcessExecRequest, ProcessLimits, ProcessLogsCancel, ProcessLogsRequest, ProcessLogsResponse, ProcessRemove, ProcessSignal, ProcessStartRequest, ProcessTask, ProcessTasksResponse, SummaryRequest, UsageWatch, VolumeMakeDirectory, VolumeReadRequest, VolumesRemove, VolumeWrite } from "./messages.ts";
import { type Owner, ownerKey, ROOT } from "./ownership.ts";
import { programOf, resolveArgv } from "./program.ts";
import { traffic } from "./serve-traffic.ts";
import { stats } from "./stats.ts";
import { exec, onLaunch, onListen, signal, start } from "./start-stop.ts";
import { followAll } from "./follow.ts";
import { takeMemory } from "./node-memory.ts";
import { NO_USE } from "./node-use.ts";
import { rebooted, rotateLog, summary, tellShort, watchUsage } from "./summary.ts";
import { signalTask } from "./signals.ts";
import { finishTask } from "./tasks.ts";
import { type FaultTimer, onFault, onFaultTimer, onOverLimit } from "./trouble.ts";
import { makeDirectory, readVolumes, removeVolumes, withoutOwners, writeBack, writeVolume } from "./volumes.ts";
import { type ListenTimer, type LookupTimer, MIB, NO_TASK, type Proc, type ProcessConfig, type ProcessState, type TaskTimer, Turn } from "./turn.ts";

/** The container's record goes; with the last one at an address, nobody has that address any more. */
function removed(turn: Turn, id: string): void {
  const ip = turn.state.containers.get(id)?.spec.ip ?? "";
  const left = (turn.state.byIP.get(ip) ?? []).filter((other) => other !== id);
  turn.state = { ...turn.state, containers: turn.state.containers.delete(id), byIP: left.length === 0 ? turn.state.byIP.delete(ip) : turn.state.byIP.set(ip, left), owners: withoutOwners(turn.state.owners, ownerKey(id, "")) };
}

function onResponse(turn: Turn, response: TrafficResponse): void {
  const progress = turn.state.lookups.length === 0 ? { mine: false } : onDnsAnswer(turn, response);
  if (progress.mine) resolved(turn, progress);
  else onAnswer(turn, response.request, (task, shell) => httpResume(response, task, shell));
}

/** More than any node has: a program that never stops taking. */
const MAX_MIB = 1_048_576;

function onTaskTimer(turn: Turn, message: TaskTimer): void {
  const block = turn.state.containers.get(message.containerId)?.tasks[message.task]?.block;
  if (block?.t === "memory") takeMemory(turn, message.containerId, message.task, Math.min(MAX_MIB, Math.ceil(block.bytes / MIB)));
  else onTimer(turn, message);
}

function step(turn: Turn, message: Message): void {
  switch (message.type) {
    case "process.start.request": return start(turn, message as ProcessStartRequest);
    case "process.signal": return signal(turn, message as ProcessSignal);
    case "process.exec.request": return exec(turn, message as ProcessExecRequest);
    case "process.timer": return onTaskTimer(turn, message as TaskTimer);
    case "process.launch": return onLaunch(turn, (message as ListenTimer).containerId);
    case "process.listen": return onListen(turn, (message as ListenTimer).containerId, (message as ListenTimer).task);
    case "process.overLimit": return onOverLimit(turn, (message as ListenTimer).containerId);
    case "process.crash": case "process.hang": case "process.leak": return onFaultTimer(turn, message as FaultTimer);
    case "process.stopped": {
      const { containerId, task } = message as ListenTimer;
      return finishTask(turn, containerId, task, turn.state.containers.get(containerId)?.tasks[task]?.server?.stopExit ?? 0, "");
    }
    case "traffic.request": return traffic(turn, message as TrafficRequest);
    case "traffic.response": return onResponse(turn, message as TrafficResponse);
    case "process.dns-timeout": return onLookupTimer(turn, message as LookupTimer);
    case "net.error": return onResponse(turn, { type: "traffic.response", request: (message as NetErrorMessage).hop, status: 0, error: "connection refused" });
    case "volume.write": return writeVolume(turn, message as VolumeWrite);
    case "volumes.remove": return removeVolumes(turn, (message as VolumesRemove).podUid);
    case "volume.mkdir": return makeDirectory(turn, message as VolumeMakeDirectory);
    case "volume.read.request": return readVolumes(turn, message as VolumeReadRequest);
    case "process.remove": {
      return removed(turn, (message as ProcessRemove).containerId);
    }
    case "process.limits": {
      const { containerId, memoryLimit, cpuLimit } = message as ProcessLimits;
      const proc = turn.state.containers.get(containerId);
      if (proc) turn.put(containerId, { ...proc, spec: { ...proc.spec, memoryLimit, cpuLimit } });
      return;
    }
    case "process.tasks.request": {
      const tasks = turn.state.containers.sorted().map(([containerId, { ended }]): ProcessTask => ({ containerId, ...(ended === undefined ? {} : { ended }) }));
      turn.ctx.send(turn.ctx.from, { type: "process.tasks.response", boot: turn.state.boot, tasks } satisfies ProcessTasksResponse, { protocol: "syscall", latency: 500, verb: "tasks", level: "source" });
      return;
    }
    case "process.stats.request": return stats(turn);
    case "process.summary.request": return summary(turn, (message as SummaryRequest).first === true);
    case "process.log.rotate": return rotateLog(turn, message as LogRotate);
    case "node.watch": {
      turn.state = { ...turn.state, node: { ...turn.state.node, levels: (message as NodeWatch).levels } };
      return;
    }
    case "usage.watch": return watchUsage(turn, message as UsageWatch);
    case "images.stored": {
      turn.state = { ...turn.state, node: { ...turn.state.node, images: (message as ImagesStored).bytes } };
      return;
    }
    case "process.logs.request": {
      const { containerId, follow } = message as ProcessLogsRequest;
      const proc = turn.state.containers.get(containerId);
      const follows = follow !== undefined && proc?.state === "running";
      if (follows) turn.put(containerId, { ...proc, followers: [...proc.followers, follow] });
      turn.ctx.send(turn.ctx.from, { type: "process.logs.response", request: turn.ctx.mail, lines: proc?.log ?? [], times: proc?.logAt ?? [], found: proc !== undefined, follows } satisfies ProcessLogsResponse, { protocol: "disk", latency: 300, verb: "read", level: "source" });
      return;
    }
    case "process.logs.cancel": {
      const { stream } = message as ProcessLogsCancel;
      for (const [id, proc] of turn.state.containers.sorted()) if (proc.followers.some((follower) => follower.stream === stream)) turn.put(id, { ...proc, followers: proc.followers.filter((follower) => follower.stream !== stream) });
      return;
    }
    case "fault": return onFault(turn, message as FaultMessage);
  }
}

/** A container of the settled world, running since before time 0. */
function settled(pod: Pod, node: WorldNode): readonly (readonly [string, Proc])[] {
  return pod.spec.containers.flatMap((container) => {
    const status = pod.status?.containerStatuses?.find((candidate) => candidate.name === container.name);
    const containerId = status?.containerID?.replace("containerd://", "");
    if (!status?.state?.running || containerId === undefined) return [];
    const ports = (container.ports ?? []).map((port) => port.containerPort);
    const spec: ProcessStartRequest = {
      type: "process.start.request", containerId, podUid: pod.metadata.uid ?? "", namespace: pod.metadata.namespace ?? "default", podName: pod.metadata.name ?? "", container: container.name,
      image: container.image ?? "", command: container.command ?? [], args: container.args ?? [], env: [], workingDir: container.workingDir ?? "", mounts: [], ports,
      ip: pod.status?.podIP ?? node.address, hostname: pod.metadata.name ?? "", memoryLimit: 0, attempt: status.restartCount, terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File",
    };
    const resolved = resolveArgv(spec.image, spec.command, spec.args);
    const { program } = programOf(resolved, resolved.argv, ports);
    const server: ServerProgram = program.kind === "server" ? program : { kind: "server", ports, protocol: "HTTP", startup: 0, memoryMiB: 8, stopExit: 0, stopDelay: 3000, log: [] };
    const proc: Proc = { spec, state: "running", startedAt: 0, exitCode: 0, files: {}, imageFiles: resolved.image.files, who: ROOT, tasks: { main: { ...NO_TASK, argv: resolved.argv, server, listening: true, forever: true } }, nextPid: 7, memoryMiB: server.memoryMiB, log: [], logAt: [], partial: "", followers: [] };
    return [[containerId, proc] as const];
  });
}

function initialState(config: ProcessConfig): ProcessState {
  let containers = PMap.empty<Proc>();
  let byIP = PMap.empty<readonly string[]>();
  for (const pod of podsOn(config.world, config.node.name)) {
    for (const [id, proc] of settled(pod, config.node)) {
      containers = containers.set(id, proc);
      byIP = byIP.set(proc.spec.ip, [...(byIP.get(proc.spec.ip) ?? []), id]);
    }
  }
  return { containers, byIP, volumes: PMap.empty<Files>(), tmpfs: PMap.empty<number>(), owners: PMap.empty<Owner>(), following: [], lookups: [], faults: [], crashes: {}, boot: 0, node: { ...NO_USE, images: (nodeNamed(config.world, config.node.name)?.status?.images ?? []).reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0) } };
}

/** Component process@NODE: all processes in the node's containers, their files and sockets. */
export function createProcess(config: ProcessConfig): Component<ProcessState> {
  return {
    id: `process@${config.node.name}`,
    machine: config.node.name,
    init: () => initialState(config),
    step(state, message, ctx) {
      // After a reboot nothing of the past is running.
      if (message.type === "start" && (message as StartMessage).cold) return rebooted(state, ctx.now);
      const turn = new Turn(state, ctx, config);
      step(turn, message);
      for (let sent = turn.signals.shift(); sent !== undefined; sent = turn.signals.shift()) signalTask(turn, sent.containerId, sent.task, sent.signal, false);
      if (turn.state.following.length > 0 && turn.state !== state) followAll(turn);
      tellShort(turn, state);
      if (turn.state.volumes !== state.volumes && message.type !== "volume.write" && message.type !== "volumes.remove") writeBack(turn, state.volumes);
      return turn.state;
    },
  };
}
