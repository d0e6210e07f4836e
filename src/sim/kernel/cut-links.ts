import { type NetworkState, ruleMatches } from "./network.ts";
import type { Component, ComponentId, LinkRule, MailId, Message, Micros, NetErrorMessage } from "./types.ts";

/** An HTTP/2 client pings a connection that is silent for 30 s and gives it up 15 s later (apimachinery util/net: ReadIdleTimeout, PingTimeout). */
export const PATIENCE: Micros = 45_000_000;
/** How long a client tries to open a connection (client-go transport: the dialer's timeout). */
export const DIAL_TIMEOUT: Micros = 30_000_000;

/** When connections between the two break, or broke, if their link is cut; undefined for a whole one. */
export function breaksAt({ rules }: NetworkState, from: Component, to: Component): Micros | undefined {
  let at: Micros | undefined;
  for (const rule of rules) if (rule.cut && ruleMatches(rule, from, to)) at = Math.min(at ?? Number.POSITIVE_INFINITY, (rule.since ?? 0) + PATIENCE);
  return at;
}

/** Who loses which connection when this link stays cut. Simplified: upstream's server learns of it later, when its keepalives fail. */
export function severed(rule: LinkRule, components: readonly Component[]): readonly { readonly component: ComponentId; readonly peer: ComponentId }[] {
  return components.flatMap((component) =>
    (component.connections ?? []).flatMap((peer) => {
      const other = components.find(({ id }) => id === peer);
      return other && ruleMatches(rule, component, other) ? [{ component: component.id, peer }] : [];
    }),
  );
}

export interface BrokenCall {
  /** Who is told: the caller. */
  readonly to: ComponentId;
  readonly delay: Micros;
  readonly message: NetErrorMessage;
}

/** What the caller hears of a request or an answer that was lost with its connection; undefined if nobody waits on one. */
export function brokenCall(id: MailId, message: Message, sentAt: Micros, broke: Micros, from: Component, to: Component): BrokenCall | undefined {
  const error = (hop: MailId, peer: Component): NetErrorMessage => ({ type: "net.error", hop, peer: peer.id, reason: "timeout", message });
  if (message.type.endsWith(".request") && from.connections?.includes(to.id)) return { to: from.id, delay: sentAt < broke ? 0 : DIAL_TIMEOUT, message: error(id, to) };
  const { request } = message as { readonly request?: unknown };
  if (message.type.endsWith(".response") && typeof request === "number" && to.connections?.includes(from.id)) return { to: to.id, delay: 0, message: error(request, from) };
  return undefined;
}
