import type { Trace } from "../../trace/trace.ts";
import { KIND, OUTCOME } from "./codes.ts";
import type { Slot } from "./context.ts";
import { type BrokenCall, DIAL_TIMEOUT } from "./cut-links.ts";
import type { NetworkState } from "./network.ts";
import type { ComponentId, MailId, Message, Micros, NetClosedMessage } from "./types.ts";

/** A paused process has its timers and its sockets still. */
function isRunning({ component: { id } }: Slot, { stopped }: NetworkState): boolean {
  return stopped[id] === undefined || stopped[id] === "paused";
}

/** Who keeps a connection to a component that stops, or to one whose machine is up again. With a machine go all ends that are on it. */
export function peersOf({ component: { id, machine } }: Slot, order: readonly Slot[], network: NetworkState, how: "process" | "machine" | "up again"): readonly Slot[] {
  return order.filter((peer) => peer.component.connections?.includes(id) === true && (how === "process" || (peer.component.machine !== machine && isRunning(peer, network))));
}

/**
 * What the caller hears of a request to a machine without power: nobody answers its dial.
 * Simplified: upstream's request over a connection from before fails with that, 45 s after the machine stopped; here after 30 s as well. A machine that is up again before that refuses, here nothing is told until then.
 */
export function unansweredCall(id: MailId, message: Message, caller: Slot | undefined, { component: to }: Slot, network: NetworkState): BrokenCall | undefined {
  if (caller === undefined || !isRunning(caller, network) || !message.type.endsWith(".request")) return undefined;
  const from = caller.component;
  if (from.connections?.includes(to.id) !== true || from.machine === to.machine) return undefined;
  return { to: from.id, delay: DIAL_TIMEOUT, message: { type: "net.error", hop: id, peer: to.id, reason: "timeout", message } };
}

/** The machine of `peer` is up again: nobody waits any longer for what its connections from before would have told. */
export function cancelNotices({ mail, payloads }: Trace, peer: ComponentId, now: Micros): void {
  for (let id = 0; id < payloads.length; id++) {
    const message = payloads[id] as NetClosedMessage;
    if (mail.kind.get(id) !== KIND.timer || message.type !== "net.closed" || message.peer !== peer || mail.outcome.get(id) !== OUTCOME.inFlight) continue;
    mail.outcome.set(id, OUTCOME.cancelled);
    mail.cancelledAt.set(id, now);
  }
}
