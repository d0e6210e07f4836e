import type { ComponentId, Link, LinkRule, Message, Micros } from "./types.ts";

/** What is broken in the world right now. Part of the recorded state, so that a fork inherits it. */
export interface NetworkState {
  /** Stopped components and how: a dead process refuses connections, a dead machine answers nothing, a paused process lets them wait. */
  readonly stopped: Readonly<Record<ComponentId, Stopped>>;
  readonly rules: readonly LinkRule[];
}

export type Stopped = "process" | "machine" | "paused";

export const WHOLE_NETWORK: NetworkState = { stopped: {}, rules: [] };

const MACHINE = "machine:";

function matches(pattern: string | undefined, component: ComponentId, machine: string): boolean {
  if (pattern === undefined) return true;
  return pattern.startsWith(MACHINE) ? pattern.slice(MACHINE.length) === machine : pattern === component;
}

/** Whether a rule concerns messages from one to the other. A machine always reaches itself. */
export function ruleMatches(rule: LinkRule, from: End, to: End): boolean {
  if (from.machine === to.machine && (rule.from?.startsWith(MACHINE) || rule.to?.startsWith(MACHINE))) return false;
  return matches(rule.from, from.id, from.machine) && matches(rule.to, to.id, to.machine);
}

/** What the broken links do to one message, and by which rule (the last that matches). */
export interface LinkEffect {
  readonly drop: boolean;
  readonly refuse: boolean;
  /** Of requests that are dropped; 0 for never. */
  readonly giveUp: Micros;
  readonly delay: Micros;
  /** Of the rules that lose packets, in their order. */
  readonly losses: readonly number[];
  readonly rule: string;
}

export interface End {
  readonly id: ComponentId;
  readonly machine: string;
}

/** A machine always reaches itself. */
export function linkEffect(state: NetworkState, from: End, to: End): LinkEffect {
  let drop = false;
  let refuse = false;
  let giveUp = 0;
  let delay = 0;
  let rule = "";
  const losses: number[] = [];
  for (const candidate of state.rules) {
    if (!ruleMatches(candidate, from, to)) continue;
    drop ||= candidate.drop ?? false;
    refuse ||= candidate.refuse ?? false;
    giveUp = candidate.giveUp ?? giveUp;
    delay += candidate.delay ?? 0;
    if (candidate.lossPercent !== undefined) losses.push(candidate.lossPercent);
    rule = candidate.id;
  }
  return { drop, refuse, giveUp, delay, losses, rule };
}

/** TCP sends a lost segment again after 200 ms, then after twice as long each time (TCP_RTO_MIN). */
const RETRANSMIT: Micros = 200_000;
/** tcp_retries2. */
const MAX_RETRIES = 15;

/** Lost datagrams are gone; what a stream loses comes later. `draw` is a uint32 for each try. */
function lossOf(percent: number, datagram: boolean, draw: (i: number) => number): Micros | "lost" {
  let delay = 0;
  let wait = RETRANSMIT;
  for (let i = 0; i < MAX_RETRIES; i++) {
    if (draw(i) % 100 >= percent) return delay;
    if (datagram) return "lost";
    delay += wait;
    wait *= 2;
  }
  return "lost";
}

export interface Passage {
  readonly due: Micros;
  /** The rule that touched it. */
  readonly fault: string;
  readonly lost: boolean;
}

const CONNECTED = new Set<Link["protocol"]>(["HTTPS", "HTTP", "gRPC", "TCP"]);

/** Whether a connection must be opened for it: then it can be refused, and its sender hears of it. */
export const isDialled = (protocol: Link["protocol"], { type }: Message): boolean => CONNECTED.has(protocol) && type.endsWith(".request");

/** Between two components one connection carries all of these; other requests have a connection each. */
export const LONG_LIVED = new Set<Link["protocol"]>(["HTTPS", "watch", "gRPC", "raft", "exec"]);

/** Whether what is sent later on the same connection waits for it. */
export const isHeldUp = ({ delay, losses }: LinkEffect, { protocol }: Link): boolean => LONG_LIVED.has(protocol) && (delay > 0 || losses.length > 0);

/** When a message arrives over these links. `behind`: what was sent before it on this connection arrives then. */
export function passage(effect: LinkEffect, message: Message, link: Link, now: Micros, behind: Micros, draw: (i: number) => number): Passage {
  const { drop, giveUp, delay, losses, rule } = effect;
  if (drop && giveUp > 0 && isDialled(link.protocol, message)) return { due: now + giveUp, fault: rule, lost: false };
  const datagram = link.protocol === "DNS";
  // A firewall that refuses acts where the message arrives.
  const fault = drop || delay > 0 || losses.length > 0 ? rule : "";
  let due = now + link.latency + delay;
  for (const [n, percent] of losses.entries()) {
    const later = lossOf(percent, datagram, (i) => draw(n * MAX_RETRIES + i));
    if (later === "lost") return { due, fault: rule, lost: true };
    due += later;
  }
  return { due: LONG_LIVED.has(link.protocol) ? Math.max(due, behind) : due, fault, lost: drop };
}
