import type { ComponentId, Level, LogLine, MailId, NoteKind, Protocol, Revision } from "../../trace/model.ts";
import type { Micros } from "../api/time.ts";

export type { ComponentId, Level, MailId, Micros, NoteKind, Protocol };

/** Every message is plain data with a type. A component's `step` switches on it. */
export interface Message {
  readonly type: string;
}

/** The wire under a message: how long it takes and what a reader is told about it. */
export interface Link {
  readonly protocol: Protocol;
  /** Integer microseconds from send to delivery; from `ctx.latency`, or 0 within one process. */
  readonly latency: Micros;
  /** What is done: "POST", "PATCH", "RunPodSandbox", "MsgApp", "ADD", "GET /healthz". */
  readonly verb: string;
  /** Object reference "pod/default/nginx", "node/worker-node-03", "service/default/nginx"; or a request path. */
  readonly subject?: string;
  /** HTTP status or an exit code for answers. */
  readonly status?: number;
  /** Default "operator". "basic" tells the story; "source" is background noise such as heartbeats. */
  readonly level?: Level;
}

/** The reason a learner will read. One sentence, present tense, the actor first, at most 140 characters. */
export interface Note {
  readonly text: string;
  /** One line that says why. */
  readonly why?: string;
  /** The component's live line from now on ("syncing default/nginx"); "idle" when it rests. */
  readonly status?: string;
  /** Default "operator". */
  readonly level?: Level;
  readonly subject?: string;
  /** Default "step". A "revision" carries `revision`, a "log" or "output" carries `log`. */
  readonly kind?: NoteKind;
  /** Details for the inspector: a gate's before and after, a scheduling decision, a payload. Plain data. */
  readonly data?: unknown;
  readonly revision?: Revision;
  readonly log?: LogLine;
}

/** What a component may do to the world, and all it may know of it besides its own state and the message. */
export interface Ctx {
  /** Simulated time in integer microseconds. */
  readonly now: Micros;
  /** The mail being handled: answers name it, so that the asker finds its continuation. */
  readonly mail: MailId;
  /** Who sent it (itself for timers). */
  readonly from: ComponentId;
  /** A uint32 keyed by (seed, component, purpose, n): the same question always has the same answer. */
  rand(purpose: string, n: number): number;
  /** The duration of a measured segment (see sim/latencies): the median in the quiet profile, a draw keyed by `key` in the busy one. */
  latency(segment: string, key: string): Micros;
  /** Arrives at `to` after the link's latency, unless the link or the peer is broken; becomes a hop. Returns its id. */
  send<M extends Message>(to: ComponentId, message: M, link: Link): MailId;
  /** Comes back to this component after `delay`. A stopped component loses its timers. */
  after<M extends Message>(delay: Micros, message: M): MailId;
  /** Cancels a pending timer; unknown or fired ids are ignored. */
  cancel(timer: MailId): void;
  explain(note: Note): void;
}

/** A state machine without I/O: a message in, the next state out. Returning the same reference means nothing changed. */
export interface Component<S = unknown> {
  readonly id: ComponentId;
  /** The machine it runs on: when that dies, so does it. */
  readonly machine: string;
  /** Servers it keeps a connection to: told with `net.closed` when such a process stops. */
  readonly connections?: readonly ComponentId[];
  /** The state at the start. After a restart `disk` is the state it died with: only what a disk would have kept may be taken from it. */
  init(disk?: S): S;
  // Each component narrows Message to its own union inside; the kernel only carries it.
  step(state: S, message: Message, ctx: Ctx): S;
}

/** Sent by the kernel to every component at the start of a run (cold false) and to a restarted one (cold true: memory lost). */
export interface StartMessage {
  readonly type: "start";
  readonly cold: boolean;
}

/** The sender's own network stack: nobody listens there ("refused"), or nothing came back over a cut link ("timeout"). Only for requests over HTTPS, HTTP, gRPC and TCP. */
export interface NetErrorMessage {
  readonly type: "net.error";
  readonly hop: MailId;
  readonly peer: ComponentId;
  readonly reason: "refused" | "timeout";
  readonly message: Message;
}

/** A connection to `peer` was closed because its process stopped. */
export interface NetClosedMessage {
  readonly type: "net.closed";
  readonly peer: ComponentId;
}

export type KernelMessage = StartMessage | NetErrorMessage | NetClosedMessage;

/** What an input may do to the world: deliver a message, stop, freeze or start processes, break or mend links. */
export type Action =
  | { readonly type: "deliver"; readonly to: ComponentId; readonly message: Message; readonly verb: string; readonly subject?: string }
  | { readonly type: "stop"; readonly component: ComponentId; readonly how: "process" | "machine" }
  | { readonly type: "start"; readonly component: ComponentId }
  /** SIGSTOP and SIGCONT: what arrives meanwhile waits in its sockets, its timers go off late, nobody is told. */
  | { readonly type: "pause"; readonly component: ComponentId }
  | { readonly type: "resume"; readonly component: ComponentId }
  | { readonly type: "link"; readonly rule: LinkRule }
  | { readonly type: "unlink"; readonly id: string }
  | { readonly type: "note"; readonly note: Note };

/** A broken or slow wire. `from` and `to` are component ids, "machine:NAME", or absent for any. */
export interface LinkRule {
  readonly id: string;
  readonly from?: string;
  readonly to?: string;
  readonly drop?: boolean;
  /**
   * No packet gets through, but connections retransmit: what is sent waits until the link is whole, or is lost when the
   * connection is given up after 45 s; its two ends are told by `net.closed`, callers by `net.error`.
   */
  readonly cut?: boolean;
  /** When the kernel put the rule in force. */
  readonly since?: Micros;
  readonly delay?: Micros;
  /** A firewall answers in the peer's place that nobody listens. */
  readonly refuse?: boolean;
  /** With `drop`: after so long the sender of a request is told that the connection timed out; when the link is mended before, the request arrives. */
  readonly giveUp?: Micros;
  /** So many of a hundred packets are lost: TCP sends them again, later; a datagram is gone. */
  readonly lossPercent?: number;
}

/** One entry of the input log. The scenario layer turns it into actions when its time comes. */
export interface Input {
  readonly at: Micros;
  readonly type: string;
}

/** A read-only look at the world for resolving an input ("the member that leads now"). */
export interface WorldView {
  readonly now: Micros;
  readonly components: readonly ComponentId[];
  machineOf(component: ComponentId): string;
  stateOf(component: ComponentId): unknown;
}

export interface LatencyTable {
  /** Integer microseconds. */
  readonly median: Micros;
  readonly min: Micros;
  readonly p90: Micros;
  readonly max: Micros;
  readonly source: string;
}

export interface KernelConfig {
  readonly seed: number;
  /** "quiet": medians. "busy": draws up to the p99. */
  readonly profile: "quiet" | "busy";
  readonly components: readonly Component[];
  readonly latencies: Readonly<Record<string, LatencyTable>>;
  readonly resolve: (input: Input, view: WorldView) => readonly Action[];
  /** Keep every n-th state of a component; the others are recomputed. Default 1. */
  readonly keepEvery?: number;
  /** Of so many first events every state is kept all the same. Default 0. */
  readonly keepAllOf?: number;
  /** Record a hash of everything at every event. Default false. */
  readonly hashing?: boolean;
}
