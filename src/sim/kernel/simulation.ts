import { PROTOCOLS } from "../../trace/model.ts";
import { NEVER, Trace } from "../../trace/trace.ts";
import { assert } from "./assert.ts";
import { KIND, OUTCOME, PROTOCOL_INDEX } from "./codes.ts";
import { type BrokenCall, breaksAt, brokenCall, PATIENCE, severed } from "./cut-links.ts";
import { cancelNotices, peersOf, unansweredCall } from "./dead-machines.ts";
import { tracePrefix } from "./fork.ts";
import { type ContextHost, KERNEL, KernelCtx, replayCtx, type Slot } from "./context.ts";
import { combineHash, structuralHash } from "./hash.ts";
import { History } from "./history.ts";
import { isDialled, isHeldUp, linkEffect, type NetworkState, passage, WHOLE_NETWORK } from "./network.ts";
import { MailQueue } from "./queue.ts";
import { SlowStreams } from "./slow-streams.ts";
import { drawLatency } from "./latency.ts";
import { timerLink } from "./timer-link.ts";
import { keyedRandom } from "./random.ts";
import { hashOfEvent, recordMail, recordNote } from "./record.ts";
import type { Action, ComponentId, Input, KernelConfig, Link, LinkRule, MailId, Message, Micros, NetErrorMessage, Note, WorldView } from "./types.ts";

/** More events than any lesson needs: reaching it is an error in the simulation, said clearly, not a slowdown. */
export const MAX_EVENTS = 5_000_000;

/** A refused connection is answered by the peer's network stack within one round trip. */
const REFUSAL: Link = { protocol: "TCP", latency: 200, verb: "RST", level: "operator" };
const HEARS_AFTER = { process: REFUSAL.latency, machine: PATIENCE, "up again": 0 } as const;

/**
 * Runs components as a discrete-event simulation and records everything around them. A run is a pure function of
 * (components, seed, inputs). Time is integer microseconds; ties are broken by the order of sending.
 */
export class Simulation implements ContextHost {
  readonly config: KernelConfig;
  readonly trace: Trace;
  readonly inputs: readonly Input[];
  private readonly slots = new Map<ComponentId, Slot>();
  private readonly order: Slot[] = [];
  private queue = new MailQueue();
  private network: NetworkState = WHOLE_NETWORK;
  private networkHistory: History;
  private readonly streams = new SlowStreams();
  private nextInput = 0;
  /** Simulated time up to which the run is complete. */
  private ranUntil: Micros = 0;
  private readonly ctx: KernelCtx;

  private constructor(config: KernelConfig, inputs: readonly Input[], trace: Trace) {
    this.config = config;
    this.inputs = inputs;
    this.trace = trace;
    this.networkHistory = new History(1);
    this.ctx = new KernelCtx(this);
  }

  /** A run from its beginning. Inputs must be in order of time. */
  static create(config: KernelConfig, inputs: readonly Input[] = []): Simulation {
    const trace = new Trace();
    const sim = new Simulation(config, inputs, trace);
    trace.components.push(KERNEL);
    trace.machines.push("");
    sim.networkHistory.record(-1, WHOLE_NETWORK, true, true);
    for (const component of config.components) {
      assert(!sim.slots.has(component.id), `two components are called ${component.id}`);
      const slot = { component, index: trace.components.length, history: new History(config.keepEvery ?? 1, config.keepAllOf), state: component.init() };
      trace.components.push(component.id);
      trace.machines.push(component.machine);
      sim.slots.set(component.id, slot);
      sim.order.push(slot);
      slot.history.record(-1, slot.state, true, true);
    }
    for (const slot of sim.order) sim.post(KIND.timer, NEVER, slot.index, slot.index, 0, 0, { type: "start", cold: false } as Message, { protocol: "local", latency: 0, verb: "start", level: "source" });
    return sim;
  }

  get now(): Micros {
    return this.ranUntil;
  }

  /** Due time of the next thing that will happen; Infinity if nothing will. */
  get nextDue(): Micros {
    return Math.min(this.queue.nextDue, this.inputs[this.nextInput]?.at ?? Number.POSITIVE_INFINITY);
  }

  /** Handles everything due at or before `until` (microseconds), or stops after `maxEvents`. Returns true when done. */
  run(until: Micros, maxEvents = Number.POSITIVE_INFINITY): boolean {
    for (let handled = 0; ; handled++) {
      const input = this.inputs[this.nextInput];
      const due = this.queue.nextDue;
      // Mail due at the same instant goes first: then a fork at t and a run with the input at t are the same.
      if (input !== undefined && input.at < due) {
        if (input.at > until) break;
        if (handled >= maxEvents) return false;
        this.nextInput++;
        this.handleInput(input);
        continue;
      }
      if (due > until) break;
      if (handled >= maxEvents) return false;
      this.deliver(this.queue.pop(), due);
      assert(this.trace.eventCount < MAX_EVENTS, `the run exceeded ${MAX_EVENTS} events`);
    }
    if (until > this.ranUntil && Number.isFinite(until)) this.ranUntil = until;
    return true;
  }

  /** A component's state after everything that happened at or before `t`. */
  stateAt(component: ComponentId, t: Micros): unknown {
    return this.stateAtEvent(component, this.trace.eventsUntil(t) - 1);
  }

  stateAtEvent(component: ComponentId, event: number): unknown {
    if (component === KERNEL) return this.networkHistory.at(event, (state) => state);
    const slot = this.slot(component);
    return slot.history.at(event, (state, handled) => this.replay(slot, state, handled));
  }

  /**
   * A child run that shares this one's past up to and including `t` and then follows `inputs` (those after `t`).
   * Without new inputs it has the same future.
   */
  fork(t: Micros, inputs: readonly Input[]): Simulation {
    const count = this.trace.eventsUntil(t);
    const past = this.inputs.slice(0, this.nextInput).filter((input) => input.at <= t);
    const child = new Simulation(this.config, [...past, ...inputs], tracePrefix(this.trace, count, t));
    child.nextInput = past.length;
    child.ranUntil = Math.min(t, this.ranUntil);
    child.networkHistory = this.networkHistory.prefix(count);
    child.network = child.networkHistory.at(count, (state) => state) as NetworkState;
    for (const slot of this.order) {
      const history = slot.history.prefix(count);
      const copy = { component: slot.component, index: slot.index, history, state: this.stateAtEvent(slot.component.id, count - 1) };
      child.slots.set(slot.component.id, copy);
      child.order.push(copy);
    }
    const mail = child.trace.mail;
    for (let id = 0; id < child.trace.mailCount; id++) if (mail.outcome.get(id) === OUTCOME.inFlight) child.queue.push(mail.dueAt.get(id), id);
    child.streams.restore(child.trace, child.network.rules);
    return child;
  }

  send(from: Slot, cause: MailId, now: Micros, to: ComponentId, message: Message, link: Link): MailId {
    const [target, due] = [this.slot(to), now + link.latency];
    assert(Number.isInteger(due) && link.latency >= 0, `${from.component.id} sent ${message.type} with latency ${link.latency}`);
    if (this.network.rules.length === 0 && now >= this.streams.until) return this.post(KIND.hop, cause, from.index, target.index, now, due, message, link);
    const effect = linkEffect(this.network, from.component, target.component);
    const key = `loss/${effect.rule}/${to}/${link.verb}/${link.subject ?? ""}/${now}`;
    const pass = passage(effect, message, link, now, this.streams.last(from.index, target.index), (i) => keyedRandom(this.config.seed, from.component.id, key, i));
    if (!pass.lost && isHeldUp(effect, link)) this.streams.sent(from.index, target.index, pass.due);
    return this.post(KIND.hop, cause, from.index, target.index, now, pass.due, message, link, pass.fault, pass.lost);
  }

  after(slot: Slot, cause: MailId, now: Micros, delay: Micros, message: Message): MailId {
    assert(Number.isInteger(delay) && delay >= 0, `${slot.component.id} set a timer of ${delay} for ${message.type}`);
    return this.post(KIND.timer, cause, slot.index, slot.index, now, now + delay, message, timerLink(message.type));
  }

  cancel(slot: Slot, timer: MailId, now: Micros): void {
    const mail = this.trace.mail;
    if (timer < 0 || timer >= this.trace.mailCount || mail.outcome.get(timer) !== OUTCOME.inFlight) return;
    assert(mail.kind.get(timer) === KIND.timer && mail.to.get(timer) === slot.index, `${slot.component.id} cancelled mail ${timer}, which is not its timer`);
    mail.outcome.set(timer, OUTCOME.cancelled);
    mail.cancelledAt.set(timer, now);
  }

  explain(component: number, event: number, now: Micros, note: Note): void {
    recordNote(this.trace, component, event, now, note);
  }

  private slot(component: ComponentId): Slot {
    const slot = this.slots.get(component);
    assert(slot, `there is no component ${component}`);
    return slot;
  }

  private post(kind: number, cause: MailId, from: number, to: number, now: Micros, due: Micros, message: Message, link: Link, fault = "", lost = false): MailId {
    const id = recordMail(this.trace, { kind, cause, from, to, now, due, message, link, fault, lost });
    if (!lost && kind !== KIND.input) this.queue.push(due, id);
    return id;
  }

  private beginEvent(at: Micros, mail: MailId): number {
    const { events } = this.trace;
    const event = events.at.length;
    events.at.push(at);
    events.mail.push(mail);
    events.firstMail.push(this.trace.mailCount);
    events.firstNote.push(this.trace.noteCount);
    events.hash.push(0);
    return event;
  }

  private deliver(id: MailId, at: Micros): void {
    const { mail } = this.trace;
    if (mail.outcome.get(id) !== OUTCOME.inFlight) return;
    const slot = this.order[mail.to.get(id) - 1];
    assert(slot, "a mail for nobody");
    // Mostly nothing is stopped: then no name need be looked up, event by event.
    const stopped = this.network.stopped === WHOLE_NETWORK.stopped ? undefined : this.network.stopped[slot.component.id];
    // It stays in flight, and `resume` finds it.
    if (stopped === "paused") return;
    const message = this.trace.payloads[id] as Message;
    if (this.network.rules.length > 0 && this.isHeld(id, slot, at, message)) return;
    this.ranUntil = at;
    if (stopped !== undefined) return this.bounce(id, slot, at, message, stopped, "refused");
    if (this.network.rules.length > 0) {
      const unheard = this.unheard(id, slot, message);
      if (unheard !== undefined) return this.bounce(id, slot, at, message, "process", unheard);
    }
    const event = this.beginEvent(at, id);
    mail.event.set(id, event);
    mail.outcome.set(id, OUTCOME.delivered);
    this.ctx.enter(slot, at, id, this.trace.components[mail.from.get(id)] ?? KERNEL, event);
    const next = slot.component.step(slot.state, message, this.ctx);
    const changed = next !== slot.state;
    slot.state = next;
    slot.history.record(event, next, changed, false);
    if (this.config.hashing) this.trace.events.hash.set(event, hashOfEvent(this.trace, event, slot.index, message, changed ? next : undefined));
  }

  /** Delivery to a stopped component: a live machine refuses the connection, a dead one says nothing. */
  private bounce(id: MailId, slot: Slot, at: Micros, message: Message, stopped: "process" | "machine", reason: NetErrorMessage["reason"]): void {
    const { mail } = this.trace;
    if (stopped === "machine" || !this.isRequest(id, message)) {
      mail.outcome.set(id, OUTCOME.lost);
      const call = stopped === "machine" ? unansweredCall(id, message, this.order[mail.from.get(id) - 1], slot, this.network) : undefined;
      return call && this.tellCaller(id, at, call);
    }
    mail.outcome.set(id, OUTCOME.refused);
    mail.event.set(id, this.beginEvent(at, id));
    const error = { type: "net.error", hop: id, peer: slot.component.id, reason, message } as Message;
    this.post(KIND.hop, id, slot.index, mail.from.get(id), at, at + REFUSAL.latency, error, REFUSAL);
  }

  /** A mail that is due over a cut link: it waits for the link, or is lost with the connection it was sent on. */
  private isHeld(id: MailId, slot: Slot, at: Micros, message: Message): boolean {
    const { mail } = this.trace;
    const sender = this.order[mail.from.get(id) - 1];
    const until = sender && breaksAt(this.network, sender.component, slot.component);
    if (sender === undefined || until === undefined) return false;
    if (at < until && mail.protocol.get(id) !== PROTOCOL_INDEX["DNS"]) {
      this.queue.push(until, id);
      return true;
    }
    mail.outcome.set(id, OUTCOME.lost);
    mail.cancelledAt.set(id, at);
    const call = brokenCall(id, message, mail.sentAt.get(id), until, sender.component, slot.component);
    if (call !== undefined) this.tellCaller(id, at, call);
    return true;
  }

  private tellCaller(id: MailId, at: Micros, call: BrokenCall): void {
    this.ranUntil = at;
    this.trace.mail.event.set(id, this.beginEvent(at, id));
    const [{ index }, due] = [this.slot(call.to), at + call.delay];
    this.post(KIND.hop, id, index, index, at, due, call.message, { ...REFUSAL, verb: "i/o timeout" });
  }

  private sever(rule: LinkRule, cause: MailId, now: Micros): void {
    for (const { component, peer } of severed(rule, this.order.map((slot) => slot.component))) {
      const { index } = this.slot(component);
      this.post(KIND.hop, cause, index, index, now, now + PATIENCE, { type: "net.closed", peer } as Message, { ...REFUSAL, verb: "connection lost" }, rule.id);
    }
  }

  /** A link is whole again: what waited for it arrives, and connections that were not given up yet live on. Simplified: a SYN that was not answered goes out again at once; upstream's 1, 3, 7 and 15 s after the first. */
  private mend(rule: string, now: Micros): void {
    const silent = this.network.rules.some(({ id, giveUp = 0 }) => id === rule && giveUp > 0);
    this.network = { ...this.network, rules: this.network.rules.filter((other) => other.id !== rule) };
    const { mail, payloads, strings } = this.trace;
    for (let id = 0; id < this.trace.mailCount; id++) {
      if (mail.outcome.get(id) !== OUTCOME.inFlight) continue;
      const concerned = strings.text(mail.fault.get(id)) === rule;
      if (concerned && (payloads[id] as Message).type === "net.closed") {
        mail.outcome.set(id, OUTCOME.cancelled);
        mail.cancelledAt.set(id, now);
      } else if (mail.dueAt.get(id) < now || (silent && concerned)) this.queue.push(now, id);
    }
  }

  private isRequest(id: MailId, message: Message): boolean {
    const { mail } = this.trace;
    return mail.kind.get(id) === KIND.hop && isDialled(PROTOCOLS[mail.protocol.get(id)] ?? "local", message);
  }

  /** Why a request does not get through a broken link at the moment when it would arrive. */
  private unheard(id: MailId, slot: Slot, message: Message): NetErrorMessage["reason"] | undefined {
    const from = this.order[this.trace.mail.from.get(id) - 1];
    if (from === undefined || !this.isRequest(id, message)) return undefined;
    const { refuse, drop, giveUp } = linkEffect(this.network, from.component, slot.component);
    return refuse ? "refused" : drop && giveUp > 0 ? "timeout" : undefined;
  }

  private handleInput(input: Input): void {
    this.ranUntil = input.at;
    const event = this.beginEvent(input.at, this.trace.mailCount);
    const id = this.post(KIND.input, NEVER, 0, 0, input.at, input.at, input as Message, { protocol: "local", latency: 0, verb: input.type, level: "basic" });
    this.trace.mail.event.set(id, event);
    this.trace.mail.outcome.set(id, OUTCOME.delivered);
    const before = this.network;
    const view: WorldView = {
      now: input.at,
      components: this.order.map((slot) => slot.component.id),
      machineOf: (component) => this.slot(component).component.machine,
      stateOf: (component) => this.slot(component).state,
    };
    for (const action of this.config.resolve(input, view)) this.act(action, id, event, input.at);
    this.networkHistory.record(event, this.network, before !== this.network, false);
    if (this.config.hashing) this.trace.events.hash.set(event, combineHash(event === 0 ? 0 : this.trace.events.hash.get(event - 1), structuralHash(input)) | 0);
  }

  private act(action: Action, cause: MailId, event: number, now: Micros): void {
    switch (action.type) {
      case "deliver":
        this.post(KIND.hop, cause, 0, this.slot(action.to).index, now, now, action.message, { protocol: "local", latency: 0, verb: action.verb, level: "basic", ...(action.subject === undefined ? {} : { subject: action.subject }) });
        return;
      case "stop":
        this.stop(this.slot(action.component), action.how, cause, now);
        return;
      case "start":
        this.start(this.slot(action.component), cause, event, now);
        return;
      case "pause":
        if (this.network.stopped[action.component] === undefined) this.network = { ...this.network, stopped: { ...this.network.stopped, [action.component]: "paused" } };
        return;
      case "resume":
        this.resume(this.slot(action.component), now);
        return;
      case "link":
        this.network = { ...this.network, rules: [...this.network.rules, { ...action.rule, since: now }] };
        if (action.rule.cut) this.sever(action.rule, cause, now);
        return;
      case "unlink":
        this.mend(action.id, now);
        return;
      case "note":
        this.explain(0, event, now, action.note);
    }
  }

  private stop(slot: Slot, how: "process" | "machine", cause: MailId, now: Micros): void {
    const { id } = slot.component;
    const before = this.network.stopped[id];
    if (before !== undefined && before !== "paused") return;
    this.network = { ...this.network, stopped: { ...this.network.stopped, [id]: how } };
    const { mail } = this.trace;
    for (let waiting = 0; waiting < this.trace.mailCount; waiting++) {
      if (mail.to.get(waiting) !== slot.index || mail.outcome.get(waiting) !== OUTCOME.inFlight) continue;
      // With a frozen process dies what waited in its sockets.
      if (mail.kind.get(waiting) !== KIND.timer && !(before === "paused" && mail.dueAt.get(waiting) <= now)) continue;
      mail.outcome.set(waiting, OUTCOME.cancelled);
      mail.cancelledAt.set(waiting, now);
    }
    this.closeConnections(slot, how, cause, now);
  }

  /** Peers hear of a connection's end: from a process's kernel at once, from a machine without power when their pings stay unanswered, and from one that is up again as soon as they ask. */
  private closeConnections(slot: Slot, how: "process" | "machine" | "up again", cause: MailId, now: Micros): void {
    if (how === "up again") cancelNotices(this.trace, slot.component.id, now);
    for (const peer of peersOf(slot, this.order, this.network, how)) {
      const fin = how === "process";
      this.post(fin ? KIND.hop : KIND.timer, cause, (fin ? slot : peer).index, peer.index, now, now + HEARS_AFTER[how], { type: "net.closed", peer: slot.component.id } as Message, { ...REFUSAL, verb: fin ? "FIN" : "connection lost" });
    }
  }

  /** What has waited for a paused component is handled now, in the order in which it was sent. */
  private resume(slot: Slot, now: Micros): void {
    const id = slot.component.id;
    if (this.network.stopped[id] !== "paused") return;
    const { [id]: _, ...stopped } = this.network.stopped;
    this.network = { ...this.network, stopped };
    const { mail } = this.trace;
    for (let waiting = 0; waiting < this.trace.mailCount; waiting++) {
      if (mail.to.get(waiting) === slot.index && mail.outcome.get(waiting) === OUTCOME.inFlight && mail.dueAt.get(waiting) < now) this.queue.push(now, waiting);
    }
  }

  private start(slot: Slot, cause: MailId, event: number, now: Micros): void {
    const id = slot.component.id;
    const { [id]: how, ...stopped } = this.network.stopped;
    if (how === undefined || how === "paused") return;
    this.network = { ...this.network, stopped };
    if (how === "machine") this.closeConnections(slot, "up again", cause, now);
    slot.state = slot.component.init(slot.state);
    slot.history.record(event, slot.state, true, true);
    this.post(KIND.timer, cause, slot.index, slot.index, now, now, { type: "start", cold: true } as Message, { protocol: "local", latency: 0, verb: "start", level: "operator" });
  }

  /** Recomputes one step of a component whose intermediate states were not kept. Sends get the ids they once got. */
  private replay(slot: Slot, state: unknown, event: number): unknown {
    const { events, mail } = this.trace;
    const id = events.mail.get(event);
    const ctx = replayCtx(this, slot, { now: events.at.get(event), mail: id, from: this.trace.components[mail.from.get(id)] ?? KERNEL, firstMail: events.firstMail.get(event) });
    return slot.component.step(state, this.trace.payloads[id] as Message, ctx);
  }

  latency(component: ComponentId, segment: string, key: string): Micros {
    const table = this.config.latencies[segment];
    assert(table, `no latency is known for ${segment}`);
    return this.config.profile === "quiet" ? table.median : drawLatency(table, keyedRandom(this.config.seed, component, `${segment}/${key}`, 0));
  }
}
