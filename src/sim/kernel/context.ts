import { NEVER } from "../../trace/trace.ts";
import { assert } from "./assert.ts";
import type { History } from "./history.ts";
import { keyedRandom } from "./random.ts";
import type { Component, ComponentId, Ctx, Link, MailId, Message, Micros, Note } from "./types.ts";

/** The pseudo component that inputs and faults are recorded under. */
export const KERNEL: ComponentId = "world";

/** One component in a run: its state now and its past. */
export interface Slot {
  readonly component: Component;
  readonly index: number;
  readonly history: History;
  state: unknown;
}

/** What a context asks of the run it belongs to. */
export interface ContextHost {
  readonly config: { readonly seed: number };
  send(from: Slot, cause: MailId, now: Micros, to: ComponentId, message: Message, link: Link): MailId;
  after(slot: Slot, cause: MailId, now: Micros, delay: Micros, message: Message): MailId;
  cancel(slot: Slot, timer: MailId, now: Micros): void;
  explain(component: number, event: number, now: Micros, note: Note): void;
  latency(component: ComponentId, segment: string, key: string): Micros;
}

/** The one context object of a run, re-aimed at each event. */
export class KernelCtx implements Ctx {
  now = 0;
  mail: MailId = NEVER;
  from: ComponentId = KERNEL;
  private slot: Slot | undefined;
  private event = 0;
  private readonly sim: ContextHost;

  constructor(sim: ContextHost) {
    this.sim = sim;
  }

  enter(slot: Slot, now: Micros, mail: MailId, from: ComponentId, event: number): void {
    this.slot = slot;
    this.now = now;
    this.mail = mail;
    this.from = from;
    this.event = event;
  }

  private get self(): Slot {
    assert(this.slot, "a context is only valid inside step");
    return this.slot;
  }

  rand(purpose: string, n: number): number {
    return keyedRandom(this.sim.config.seed, this.self.component.id, purpose, n);
  }

  latency(segment: string, key: string): Micros {
    return this.sim.latency(this.self.component.id, segment, key);
  }

  send(to: ComponentId, message: Message, link: Link): MailId {
    return this.sim.send(this.self, this.mail, this.now, to, message, link);
  }

  after(delay: Micros, message: Message): MailId {
    return this.sim.after(this.self, this.mail, this.now, delay, message);
  }

  cancel(timer: MailId): void {
    this.sim.cancel(this.self, timer, this.now);
  }

  explain(note: Note): void {
    this.sim.explain(this.self.index, this.event, this.now, note);
  }
}

/** For a step that is taken again: what it sends gets the ids it once got, and nothing happens twice. */
export function replayCtx(sim: ContextHost, { component }: Slot, { now, mail, from, firstMail }: { readonly now: Micros; readonly mail: MailId; readonly from: ComponentId; readonly firstMail: MailId }): Ctx {
  let next = firstMail;
  return {
    now, mail, from,
    rand: (purpose, n) => keyedRandom(sim.config.seed, component.id, purpose, n),
    latency: (segment, key) => sim.latency(component.id, segment, key),
    send: () => next++,
    after: () => next++,
    cancel: () => undefined,
    explain: () => undefined,
  };
}
