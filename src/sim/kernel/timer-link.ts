import type { Link } from "./types.ts";

const LINKS = new Map<string, Link>();

/** How a message to oneself is recorded: its verb is what it is for. */
export function timerLink(type: string): Link {
  let link = LINKS.get(type);
  if (!link) LINKS.set(type, (link = { protocol: "local", latency: 0, verb: type, level: "source" }));
  return link;
}
