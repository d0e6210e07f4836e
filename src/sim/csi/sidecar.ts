// Models kubernetes-sigs/sig-storage-lib-external-provisioner controller/controller.go: the loop that external-provisioner and external-attacher share
import type { HttpResponse, WatchSpec } from "../api/http.ts";
import type { KubeObject } from "../api/types.ts";
import type { World } from "../api/world.ts";
import { API_SERVER, type ApiCall, type ApiClient, apiRequest } from "../client-go/api-client.ts";
import { type EventRecorder, type EventToRecord, newRecorder, recordEvent } from "../client-go/event-recorder.ts";
import { type Change, emptyInformer, type Informer, startInformer, stepInformer, syncedInformer } from "../client-go/informer.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Component, Ctx, MailId, Message, Micros, NetClosedMessage, NetErrorMessage, StartMessage } from "../kernel/types.ts";
import { type CsiCall, type CsiRequest, type CsiResponse, rpcError } from "./messages.ts";

/** Something under way for one object. */
export interface Job<S extends string = string> {
  readonly step: S | "backoff";
  readonly failures: number;
  /** The mail whose answer it waits for, or the timer; -1 for none. */
  readonly waits: MailId;
  readonly since: Micros;
}

export interface SidecarState<J extends Job> {
  readonly informers: readonly Informer[];
  /** Under way, by object. */
  readonly jobs: PMap<J>;
  /** Which job a mail belongs to. */
  readonly pending: PMap<string>;
  readonly recorder: EventRecorder;
}

interface RetryTimer extends Message {
  readonly type: "sidecar.retry" | "sidecar.begin";
  readonly key: string;
}
interface TimeoutTimer extends Message {
  readonly type: "sidecar.timeout";
  readonly key: string;
  readonly mail: MailId;
}

export interface WatchedKind {
  readonly kind: string;
  readonly resource: string;
  readonly path: string;
}

export const WATCHED = {
  claims: { kind: "PersistentVolumeClaim", resource: "persistentvolumeclaims", path: "/api/v1/persistentvolumeclaims" },
  volumes: { kind: "PersistentVolume", resource: "persistentvolumes", path: "/api/v1/persistentvolumes" },
  classes: { kind: "StorageClass", resource: "storageclasses", path: "/apis/storage.k8s.io/v1/storageclasses" },
  attachments: { kind: "VolumeAttachment", resource: "volumeattachments", path: "/apis/storage.k8s.io/v1/volumeattachments" },
  csiNodes: { kind: "CSINode", resource: "csinodes", path: "/apis/storage.k8s.io/v1/csinodes" },
  nodes: { kind: "Node", resource: "nodes", path: "/api/v1/nodes" },
} as const satisfies Readonly<Record<string, WatchedKind>>;

/** What makes one sidecar: what it watches, and what it does when something changes, is answered or is to be tried again. */
export interface SidecarSpec<J extends Job> {
  readonly id: string;
  readonly eventSource: string;
  readonly account: string;
  readonly watched: readonly WatchedKind[];
  /** How long the driver may take for one call. */
  readonly rpcTimeout: Micros;
  changed(turn: SidecarTurn<J>, change: Change, kind: string): void;
  /** The first attempt and each later one. */
  begin(turn: SidecarTurn<J>, key: string): void;
  answered(turn: SidecarTurn<J>, key: string, job: J, answer: SidecarAnswer): void;
}

/** `error` is set if the call failed, whoever says so. */
export interface SidecarAnswer {
  readonly error?: string;
  readonly status: number;
  readonly object?: KubeObject;
  readonly csi?: CsiResponse;
}

const FIRST_RETRY: Micros = 1_000_000;
const MAX_RETRY: Micros = 300_000_000;

/** One handling of one message. */
export class SidecarTurn<J extends Job> {
  state: SidecarState<J>;
  readonly ctx: Ctx;
  readonly spec: SidecarSpec<J>;
  readonly client: ApiClient;

  constructor(state: SidecarState<J>, ctx: Ctx, spec: SidecarSpec<J>, client: ApiClient) {
    this.state = state;
    this.ctx = ctx;
    this.spec = spec;
    this.client = client;
  }

  list<T extends KubeObject>(watched: WatchedKind): readonly T[] {
    return (this.informer(watched)?.store.values() ?? []) as unknown as readonly T[];
  }

  get<T extends KubeObject>(watched: WatchedKind, key: string): T | undefined {
    return this.informer(watched)?.store.get(key) as T | undefined;
  }

  private informer(watched: WatchedKind): Informer | undefined {
    return this.state.informers[this.spec.watched.indexOf(watched)];
  }

  job(key: string): J | undefined {
    return this.state.jobs.get(key);
  }

  put(key: string, job: J): void {
    this.state = { ...this.state, jobs: this.state.jobs.set(key, job) };
  }

  drop(key: string): void {
    this.state = { ...this.state, jobs: this.state.jobs.delete(key) };
  }

  /** An object wants work: it begins after the queue's moment. */
  enqueue(key: string, job: J): void {
    const waits = this.ctx.after(this.ctx.latency("csi.sidecar-sync", `${key} ${this.ctx.now}`), { type: "sidecar.begin", key } satisfies RetryTimer);
    this.put(key, { ...job, waits });
  }

  private expect(key: string, mail: MailId, change: Partial<J>): void {
    const job = this.job(key);
    if (job) this.put(key, { ...job, ...change, waits: mail });
    this.state = { ...this.state, pending: this.state.pending.set(`m${mail}`, key) };
  }

  api(key: string, call: ApiCall, change: Partial<J>): void {
    this.expect(key, apiRequest(this.ctx, this.client, call), change);
  }

  rpc(key: string, csi: CsiCall, subject: string, change: Partial<J>): void {
    const mail = this.ctx.send("csi-controller", { type: "csi.request", csi } satisfies CsiRequest, { protocol: "gRPC", latency: this.ctx.latency("link.unix", `${csi.method} ${this.ctx.now}`), verb: csi.method, subject, level: "basic" });
    this.expect(key, mail, change);
    this.ctx.after(this.spec.rpcTimeout, { type: "sidecar.timeout", key, mail } satisfies TimeoutTimer);
  }

  event(event: EventToRecord): void {
    this.state = { ...this.state, recorder: recordEvent(this.ctx, this.client, this.state.recorder, event).recorder };
  }

  /** Tries again after 1 s x 2^n, at most 5 min. */
  backOff(key: string, why: string): void {
    const job = this.job(key);
    if (!job) return;
    let delay = FIRST_RETRY;
    for (let i = 0; i < job.failures && delay < MAX_RETRY; i++) delay *= 2;
    delay = Math.min(delay, MAX_RETRY);
    const waits = this.ctx.after(delay, { type: "sidecar.retry", key } satisfies RetryTimer);
    this.put(key, { ...job, step: "backoff", failures: job.failures + 1, waits });
    this.ctx.explain({ text: `${this.spec.id} will try again in ${delay / 1_000_000} s`, why, status: "backing off" });
  }
}

const clientOf = (spec: { readonly id: string; readonly account: string }): ApiClient => ({
  userAgent: `${spec.id}/v6.0.0 (linux/amd64)`,
  credential: { kind: "service-account-token", name: `system:serviceaccount:kube-system:${spec.account}`, groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"] },
});

function ownAnswer(message: Message): { readonly mail: MailId; readonly answer: SidecarAnswer } | undefined {
  switch (message.type) {
    case "http.response": {
      const { request, status, body } = message as HttpResponse;
      const text = (body as { readonly message?: string } | undefined)?.message ?? `status ${status}`;
      return { mail: request, answer: status < 300 ? { status, object: body as KubeObject } : { status, error: text } };
    }
    case "csi.response": {
      const csi = message as CsiResponse;
      return { mail: csi.request, answer: { status: 0, csi, ...(csi.error === undefined ? {} : { error: csi.error }) } };
    }
    case "net.error":
      return { mail: (message as NetErrorMessage).hop, answer: { status: 0, error: rpcError("Unavailable", "connection refused") } };
    default:
      return undefined;
  }
}

function answered<J extends Job>(turn: SidecarTurn<J>, mail: MailId, answer: SidecarAnswer): void {
  const key = turn.state.pending.get(`m${mail}`);
  if (key === undefined) return;
  turn.state = { ...turn.state, pending: turn.state.pending.delete(`m${mail}`) };
  const job = turn.job(key);
  if (job?.waits === mail) turn.spec.answered(turn, key, job, answer);
}

function informers<J extends Job>(turn: SidecarTurn<J>, message: Message): boolean {
  for (let at = 0; at < turn.state.informers.length; at++) {
    const informer = turn.state.informers[at];
    const result = informer && stepInformer(turn.ctx, turn.client, informer, message);
    if (!result) continue;
    turn.state = { ...turn.state, informers: turn.state.informers.with(at, result.informer) };
    for (const change of result.changes) turn.spec.changed(turn, change, turn.spec.watched[at]?.kind ?? "");
    if (message.type !== "net.closed") return true;
  }
  return message.type === "net.closed";
}

/** The connection is gone: what was asked over it will not be answered. */
function connectionLost<J extends Job>(turn: SidecarTurn<J>): void {
  for (const [key, job] of turn.state.jobs.sorted()) {
    if (job.step !== "backoff" && turn.state.pending.has(`m${job.waits}`)) answered(turn, job.waits, { status: 0, error: rpcError("Unavailable", `connection closed while ${key} was waiting`) });
  }
}

function start<J extends Job>(turn: SidecarTurn<J>, watches: readonly WatchSpec[], cold: boolean): void {
  if (cold) {
    turn.state = { ...turn.state, informers: watches.map((watch) => startInformer(turn.ctx, turn.client, emptyInformer(watch))) };
    return;
  }
  turn.state.informers.forEach((informer, at) => {
    for (const [, object] of informer.store.sorted()) turn.spec.changed(turn, { type: "add", object }, turn.spec.watched[at]?.kind ?? "");
  });
}

export const sidecarWatches = (spec: { readonly id: string; readonly watched: readonly WatchedKind[] }): WatchSpec[] => spec.watched.map(({ resource, path }) => ({ component: spec.id, resource, path }));

/** Wraps a sidecar as a component. Simplified: no leader election. */
export function createSidecar<J extends Job>(spec: SidecarSpec<J>, world: World, machine: string): Component<SidecarState<J>> {
  const watches = sidecarWatches(spec);
  const client = clientOf(spec);
  return {
    id: spec.id,
    machine,
    connections: [API_SERVER, "csi-controller"],
    init: () => ({
      informers: watches.map((watch, at) => syncedInformer(watch, world.objects.filter((object) => object.kind === spec.watched[at]?.kind), world.resourceVersion)),
      jobs: PMap.empty<J>(), pending: PMap.empty<string>(), recorder: newRecorder(spec.eventSource),
    }),
    step(state, message, ctx) {
      const turn = new SidecarTurn(state, ctx, spec, client);
      if (informers(turn, message) && message.type !== "net.closed") return turn.state;
      switch (message.type) {
        case "start": start(turn, watches, (message as StartMessage).cold); break;
        case "net.closed":
          if ((message as NetClosedMessage).peer === API_SERVER || (message as NetClosedMessage).peer === "csi-controller") connectionLost(turn);
          break;
        case "sidecar.begin": case "sidecar.retry": {
          const { key } = message as RetryTimer;
          if (turn.job(key)) spec.begin(turn, key);
          break;
        }
        case "sidecar.timeout": {
          const { mail } = message as TimeoutTimer;
          answered(turn, mail, { status: 0, error: rpcError("DeadlineExceeded", "context deadline exceeded") });
          break;
        }
        default: {
          const own = ownAnswer(message);
          if (own) answered(turn, own.mail, own.answer);
        }
      }
      return turn.state;
    },
  };
}

