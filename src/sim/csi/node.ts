// Models the node service of a CSI driver (github.com/container-storage-interface/spec, service Node)
import type { WorldNode } from "../api/world.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Component, ComponentId, Ctx, MailId, Message } from "../kernel/types.ts";
import type { VolumeChanged, VolumesRemove, VolumeWrite } from "../process/messages.ts";
import { type CsiCall, type CsiRequest, type CsiResponse, type DiskReadRequest, type DiskReadResponse, type DiskWrite, rpcError } from "./messages.ts";

export interface Published {
  readonly handle: string;
  readonly staging: string;
  readonly target: string;
}

interface Operation {
  readonly request: MailId;
  readonly from: ComponentId;
  readonly call: CsiCall;
  /** The mail whose answer it waits for; -1 for a timer. */
  readonly waits: MailId;
}

export interface CsiNodeState {
  /** Staging path to volume handle. */
  readonly staged: PMap<string>;
  /** By target path. */
  readonly published: PMap<Published>;
  readonly running: readonly Operation[];
}

interface DoneTimer extends Message {
  readonly type: "csi.done";
  readonly request: MailId;
}

const CONTROLLER = "csi-controller";
const SEGMENT = { NodeStageVolume: "csi.node-stage", NodePublishVolume: "csi.node-publish", NodeUnpublishVolume: "csi.node-unpublish", NodeUnstageVolume: "csi.node-unstage" } as const;
const isOurs = (method: string): method is keyof typeof SEGMENT => method in SEGMENT;

/** A node path as the files of process@NODE name it: directory and last part. */
function place(path: string): { readonly podUid: string; readonly volume: string } {
  const at = path.lastIndexOf("/");
  return { podUid: `host:${path.slice(0, at)}`, volume: path.slice(at + 1) };
}

class Turn {
  state: CsiNodeState;
  readonly ctx: Ctx;
  readonly node: WorldNode;

  constructor(state: CsiNodeState, ctx: Ctx, node: WorldNode) {
    this.state = state;
    this.ctx = ctx;
    this.node = node;
  }

  begin(call: CsiCall, waits: MailId): void {
    this.state = { ...this.state, running: [...this.state.running, { request: this.ctx.mail, from: this.ctx.from, call, waits }] };
  }

  finishLater(request: MailId, call: CsiCall): void {
    if (!isOurs(call.method)) return;
    this.ctx.after(this.ctx.latency(SEGMENT[call.method], `${request}`), { type: "csi.done", request } satisfies DoneTimer);
  }

  respond(to: ComponentId, request: MailId, call: CsiCall, error?: string): void {
    this.ctx.send(to, { type: "csi.response", request, ...(error === undefined ? {} : { error }) } satisfies CsiResponse, { protocol: "gRPC", latency: this.ctx.latency("link.unix", `csi ${request}`), verb: `${call.method} ${error === undefined ? "done" : "failed"}`, status: error === undefined ? 0 : 13 });
  }

  process<M extends Message>(message: M, verb: string): void {
    this.ctx.send(`process@${this.node.name}`, message, { protocol: "disk", latency: 200, verb, level: "source" });
  }
}

function onRequest(turn: Turn, request: CsiRequest): void {
  const call = request.csi;
  const { ctx } = turn;
  switch (call.method) {
    case "NodeStageVolume": {
      if (turn.state.staged.has(call.body.staging_target_path)) return turn.respond(ctx.from, ctx.mail, call);
      const waits = ctx.send(CONTROLLER, { type: "disk.read.request", handle: call.body.volume_id } satisfies DiskReadRequest, { protocol: "disk", latency: ctx.latency("csi.device", `${call.body.volume_id} ${ctx.now}`), verb: "mount", level: "source" });
      return turn.begin(call, waits);
    }
    case "NodePublishVolume":
      if (call.body.volume_context?.["csi.storage.k8s.io/ephemeral"] !== "true" && !turn.state.staged.has(call.body.staging_target_path)) return turn.respond(ctx.from, ctx.mail, call, rpcError("FailedPrecondition", `volume ${call.body.volume_id} is not staged at ${call.body.staging_target_path}`));
      turn.begin(call, -1);
      return turn.finishLater(ctx.mail, call);
    case "NodeUnpublishVolume":
    case "NodeUnstageVolume":
      turn.begin(call, -1);
      return turn.finishLater(ctx.mail, call);
    default:
      return turn.respond(ctx.from, ctx.mail, call, rpcError("Unimplemented", `unknown method ${call.method}`));
  }
}

function onAnswer(turn: Turn, mail: MailId, message: Message): void {
  const operation = turn.state.running.find((entry) => entry.waits === mail);
  if (!operation) return;
  const { call } = operation;
  if (call.method !== "NodeStageVolume") return;
  if (message.type === "net.error") {
    turn.state = { ...turn.state, running: turn.state.running.filter((entry) => entry !== operation) };
    return turn.respond(operation.from, operation.request, call, rpcError("Internal", "the device cannot be read"));
  }
  turn.process({ type: "volume.write", ...place(call.body.staging_target_path), files: (message as DiskReadResponse).files } satisfies VolumeWrite, "mount");
  turn.finishLater(operation.request, call);
}

/** A write of a program goes on to the disk. */
function onWrite(turn: Turn, { path, files }: VolumeChanged): void {
  const handle = turn.state.staged.get(path);
  if (handle !== undefined) turn.ctx.send(CONTROLLER, { type: "disk.write", handle, files } satisfies DiskWrite, { protocol: "disk", latency: turn.ctx.latency("csi.device", `${handle} ${turn.ctx.now}`), verb: "write", level: "source" });
}

function onDone(turn: Turn, request: MailId): void {
  const operation = turn.state.running.find((entry) => entry.request === request);
  if (!operation) return;
  const { call } = operation;
  const { ctx } = turn;
  let { staged, published } = turn.state;
  switch (call.method) {
    case "NodeStageVolume":
      staged = staged.set(call.body.staging_target_path, call.body.volume_id);
      ctx.explain({ text: `csi@${turn.node.name} has mounted disk ${call.body.volume_id} on the node`, why: "Staging: once a node, whatever the number of its Pods that use the volume; a new disk gets its file system here", level: "basic", status: "idle" });
      break;
    case "NodePublishVolume":
      published = published.set(call.body.target_path, { handle: call.body.volume_id, staging: call.body.staging_target_path, target: call.body.target_path });
      ctx.explain({ text: `csi@${turn.node.name} has bound ${call.body.volume_id} into the Pod's directory`, why: "Publishing: once a Pod; the container will get it as a mount", level: "basic", status: "idle" });
      break;
    case "NodeUnpublishVolume":
      published = published.delete(call.body.target_path);
      ctx.explain({ text: `csi@${turn.node.name} has unmounted ${call.body.volume_id} from the Pod's directory`, status: "idle" });
      break;
    case "NodeUnstageVolume":
      staged = staged.delete(call.body.staging_target_path);
      turn.process({ type: "volumes.remove", podUid: place(call.body.staging_target_path).podUid } satisfies VolumesRemove, "unmount");
      ctx.explain({ text: `csi@${turn.node.name} has unmounted disk ${call.body.volume_id} from the node`, why: "Once the node no longer reports it as in use, it may be detached", status: "idle" });
      break;
  }
  turn.state = { staged, published, running: turn.state.running.filter((entry) => entry !== operation) };
  turn.respond(operation.from, operation.request, call);
}

const EMPTY: CsiNodeState = { staged: PMap.empty(), published: PMap.empty(), running: [] };

/** Component csi@NODE: the node service of csi.millipod.example; it mounts attached disks. Mounts do not outlive the node's start. */
export function createCsiNode({ node }: { readonly node: WorldNode }): Component<CsiNodeState> {
  return {
    id: `csi@${node.name}`,
    machine: node.name,
    init: () => EMPTY,
    step(state, message, ctx) {
      const turn = new Turn(state, ctx, node);
      switch (message.type) {
        case "csi.request": onRequest(turn, message as CsiRequest); break;
        case "csi.done": onDone(turn, (message as DoneTimer).request); break;
        case "disk.read.response": onAnswer(turn, (message as DiskReadResponse).request, message); break;
        case "volume.changed": onWrite(turn, message as VolumeChanged); break;
        case "net.error": onAnswer(turn, (message as { readonly hop?: MailId } & Message).hop ?? -1, message); break;
      }
      return turn.state;
    },
  };
}

