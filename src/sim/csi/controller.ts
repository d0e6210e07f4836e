// Models the controller service of a CSI driver (github.com/container-storage-interface/spec, service Controller) and the disks behind it
import { hexId } from "../api/ids.ts";
import type { FaultMessage } from "../faults/messages.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Component, ComponentId, Ctx, MailId, Message, Micros } from "../kernel/types.ts";
import { type CsiCall, type CsiRequest, type CsiResponse, type DiskReadRequest, type DiskReadResponse, type DiskWrite, rpcError } from "./messages.ts";

export const CSI_CONTROLLER = "csi-controller";

/** A disk of the storage system. */
export interface Disk {
  readonly handle: string;
  readonly name: string;
  readonly bytes: number;
  /** The StorageClass it was made for; "" when that is not known. */
  readonly storageClass: string;
  /** Nodes it is attached to. */
  readonly publishedTo: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

interface Operation {
  readonly request: MailId;
  readonly from: ComponentId;
  readonly call: CsiCall;
}

export interface CsiControllerState {
  readonly disks: PMap<Disk>;
  readonly running: readonly Operation[];
  readonly faults: readonly FaultMessage[];
  /** When an attachment that a fault slows down will be done: "handle/node". */
  readonly slow: PMap<Micros>;
}

interface DoneTimer extends Message {
  readonly type: "csi.done";
  readonly request: MailId;
}

const SEGMENT = { CreateVolume: "csi.create-volume", DeleteVolume: "csi.delete-volume", ControllerExpandVolume: "csi.controller-expand", ControllerPublishVolume: "csi.controller-publish", ControllerUnpublishVolume: "csi.controller-unpublish" } as const;
const isOurs = (method: string): method is keyof typeof SEGMENT => method in SEGMENT;
const SECOND: Micros = 1_000_000;

const EMPTY: CsiControllerState = { disks: PMap.empty(), running: [], faults: [], slow: PMap.empty() };

function faultOf(state: CsiControllerState, id: string, handle: string, node: string): FaultMessage | undefined {
  const fits = (fault: FaultMessage, name: string, value: string): boolean => (fault.params[name] ?? "") === "" || fault.params[name] === value;
  return state.faults.find((fault) => fault.id === id && fits(fault, "node", node) && (fits(fault, "volume", handle) || fits(fault, "volume", state.disks.get(handle)?.name ?? "")));
}

function begin(state: CsiControllerState, request: CsiRequest, ctx: Ctx): CsiControllerState {
  const call = request.csi;
  if (!isOurs(call.method)) {
    respond(ctx, ctx.from, call, { type: "csi.response", request: ctx.mail, error: rpcError("Unimplemented", `unknown method ${call.method}`) }, 100);
    return state;
  }
  const key = call.method === "CreateVolume" ? call.body.name : call.body.volume_id;
  ctx.explain({ text: `csi-controller begins ${call.method} for ${key}`.slice(0, 138), why: "The driver asks the storage system; Kubernetes knows of it only what the answer says", status: `${call.method} ${key}`.slice(0, 60) });
  let delay = ctx.latency(SEGMENT[call.method], `${key} ${ctx.now}`);
  let { slow } = state;
  if (call.method === "ControllerPublishVolume") {
    const at = `${call.body.volume_id}/${call.body.node_id}`;
    const fault = faultOf(state, "csi.attach-slow", call.body.volume_id, call.body.node_id);
    if (fault) {
      const due = slow.get(at) ?? ctx.now + Number(fault.params["seconds"] ?? 60) * SECOND;
      slow = slow.set(at, due);
      delay = Math.max(delay, due - ctx.now);
    }
  }
  ctx.after(delay, { type: "csi.done", request: ctx.mail } satisfies DoneTimer);
  return { ...state, slow, running: [...state.running, { request: ctx.mail, from: ctx.from, call }] };
}

function respond(ctx: Ctx, to: ComponentId, call: CsiCall, response: CsiResponse, latency = ctx.latency("link.unix", `csi ${response.request}`)): void {
  ctx.send(to, response, { protocol: "gRPC", latency, verb: response.error === undefined ? `${call.method} done` : `${call.method} failed`, status: response.error === undefined ? 0 : 13 });
}

function done(state: CsiControllerState, request: MailId, ctx: Ctx): CsiControllerState {
  const operation = state.running.find((entry) => entry.request === request);
  if (!operation) return state;
  const next = { ...state, running: state.running.filter((entry) => entry !== operation) };
  const outcome = carryOut(next, operation.call);
  const { result } = outcome;
  const text = result.error === undefined ? outcome.text : `csi-controller answers ${operation.call.method} with an error`;
  ctx.explain({ text: text.slice(0, 138), level: result.error === undefined ? "operator" : "basic", status: "idle", ...(result.error === undefined ? {} : { why: result.error }) });
  respond(ctx, operation.from, operation.call, { ...result, type: "csi.response", request });
  return outcome.state;
}

interface Outcome {
  readonly state: CsiControllerState;
  readonly result: Partial<CsiResponse>;
  readonly text: string;
}

/** Every call may come twice: doing again what is done is no error. */
function carryOut(state: CsiControllerState, call: CsiCall): Outcome {
  switch (call.method) {
    case "CreateVolume": return create(state, call.body);
    case "DeleteVolume": return { state: { ...state, disks: state.disks.delete(call.body.volume_id) }, result: {}, text: `csi-controller deletes disk ${call.body.volume_id}` };
    case "ControllerPublishVolume": return publish(state, call.body);
    case "ControllerExpandVolume": return grow(state, call.body);
    case "ControllerUnpublishVolume": {
      const { volume_id: handle, node_id: node } = call.body;
      const disk = diskOf(state, handle);
      return { state: { ...state, disks: state.disks.set(handle, { ...disk, publishedTo: disk.publishedTo.filter((other) => other !== node) }) }, result: {}, text: `csi-controller detaches disk ${handle} from ${node}` };
    }
    default: return { state, result: {}, text: "" };
  }
}

const isFull = (state: CsiControllerState, storageClass: string): boolean => state.faults.some((entry) => entry.id === "csi.provision-fails" && ["", storageClass].includes(String(entry.params["storageClass"] ?? "")));

function create(state: CsiControllerState, body: Extract<CsiCall, { method: "CreateVolume" }>["body"]): Outcome {
  const storageClass = body.parameters["csi.storage.k8s.io/storageclass"] ?? "";
  if (isFull(state, storageClass)) return { state, result: { error: rpcError("Internal", "the storage system has no room for another volume") }, text: "" };
  const handle = `vol-${hexId(1, `disk/${body.name}`, 17)}`;
  const known = state.disks.get(handle);
  const disk: Disk = known ?? { handle, name: body.name, bytes: body.capacity_range.required_bytes, storageClass, publishedTo: [], files: {} };
  const topology = body.accessibility_requirements?.preferred[0];
  return {
    state: known ? state : { ...state, disks: state.disks.set(handle, disk) },
    result: { volume: { volume_id: handle, capacity_bytes: disk.bytes, ...(topology === undefined ? {} : { accessible_topology: [topology] }) } },
    text: `csi-controller has made disk ${handle} for ${body.name}`,
  };
}

/** A disk grows while it is in use; what holds its files grows with it. */
function grow(state: CsiControllerState, body: Extract<CsiCall, { method: "ControllerExpandVolume" }>["body"]): Outcome {
  const { volume_id: handle } = body;
  const disk = diskOf(state, handle);
  if (isFull(state, disk.storageClass)) return { state, result: { error: rpcError("Internal", "the storage system has no room to grow the volume") }, text: "" };
  const bytes = Math.max(disk.bytes, body.capacity_range.required_bytes);
  return { state: { ...state, disks: state.disks.set(handle, { ...disk, bytes }) }, result: { expanded: { capacity_bytes: bytes, node_expansion_required: false } }, text: `csi-controller has grown disk ${handle}` };
}

// Simplified: a disk that a manifest names by its handle is taken as existing; upstream's driver would look for it.
const diskOf = (state: CsiControllerState, handle: string): Disk => state.disks.get(handle) ?? { handle, name: handle, bytes: 0, storageClass: "", publishedTo: [], files: {} };

function publish(state: CsiControllerState, body: Extract<CsiCall, { method: "ControllerPublishVolume" }>["body"]): Outcome {
  const { volume_id: handle, node_id: node } = body;
  const disk = diskOf(state, handle);
  const refuse = (code: string, text: string): Outcome => ({ state, result: { error: rpcError(code, text) }, text: "" });
  if (faultOf(state, "csi.attach-fails", handle, node)) return refuse("Internal", `the storage system cannot attach ${handle} to ${node}`);
  if (disk.publishedTo.includes(node)) return { state, result: {}, text: `Disk ${handle} is attached to ${node} already` };
  const single = body.volume_capability.access_mode.mode.startsWith("SINGLE_NODE");
  const [other] = disk.publishedTo;
  if (single && other !== undefined) return refuse("FailedPrecondition", `volume ${handle} is attached to ${other}`);
  return {
    state: { ...state, slow: state.slow.delete(`${handle}/${node}`), disks: state.disks.set(handle, { ...disk, publishedTo: [...disk.publishedTo, node] }) },
    result: {},
    text: `csi-controller has attached disk ${handle} to ${node}`,
  };
}

/**
 * Component csi-controller: the controller service of csi.millipod.example with the storage system behind it.
 * Simplified: what a disk holds is handed over whole when a node mounts it and at each write; a real disk is read and written block by block, and its blocks never pass the driver.
 */
export function createCsiController({ machine }: { readonly machine: string }): Component<CsiControllerState> {
  return {
    id: CSI_CONTROLLER,
    machine,
    // The disks are elsewhere: they outlive the driver.
    init: (disk) => (disk ? { ...EMPTY, disks: disk.disks, faults: disk.faults } : EMPTY),
    step(state, message, ctx) {
      switch (message.type) {
        case "csi.request": return begin(state, message as CsiRequest, ctx);
        case "csi.done": return done(state, (message as DoneTimer).request, ctx);
        case "disk.read.request": {
          const { handle } = message as DiskReadRequest;
          ctx.send(ctx.from, { type: "disk.read.response", request: ctx.mail, files: diskOf(state, handle).files } satisfies DiskReadResponse, { protocol: "disk", latency: ctx.latency("csi.device", `${handle} ${ctx.now}`), verb: "blocks", level: "source" });
          return state;
        }
        case "disk.write": {
          const { handle, files } = message as DiskWrite;
          return { ...state, disks: state.disks.set(handle, { ...diskOf(state, handle), files }) };
        }
        case "fault": {
          const fault = message as FaultMessage;
          if (!fault.id.startsWith("csi.")) return state;
          return { ...state, faults: fault.on ? [...state.faults, fault] : state.faults.filter((entry) => entry.id !== fault.id), ...(fault.id === "csi.attach-slow" && !fault.on ? { slow: PMap.empty<Micros>() } : {}) };
        }
        default: return state;
      }
    },
  };
}

