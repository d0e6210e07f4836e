import type { HttpRequest, WatchEventMessage } from "../../../sim/api/http.ts";
import { broken, type Invariant } from "./invariant.ts";

const DELIVERED = 1;
const API_SERVER = "kube-apiserver";

/** One watch of one client, from its request to the next request for the same stream. */
interface Session {
  readonly number: number;
  /** Objects that were there come first, in any order, and not always with a bookmark behind them. */
  initial: "until a bookmark" | "in this event" | "no";
  startedIn: number;
  last: number;
  readonly seen: Set<string>;
  /** The last message of it that arrived. */
  arrived: number;
}

function sessionOf(number: number, event: number, { query = {} }: HttpRequest): Session {
  const from = query["resourceVersion"] ?? "";
  const streaming = query["sendInitialEvents"] === "true";
  return { number, initial: streaming ? "until a bookmark" : from === "" || from === "0" ? "in this event" : "no", startedIn: event, last: streaming || from === "" ? 0 : Number(from), seen: new Set(), arrived: -1 };
}

/** What is wrong with a line of a stream; notes it as seen. */
function follow(session: Session, event: number, { event: { type, object } }: WatchEventMessage): string | undefined {
  const version = Number(object.metadata?.resourceVersion ?? 0);
  if (type === "ERROR" || version === 0) return undefined;
  if (session.initial === "in this event" && (type !== "ADDED" || (session.seen.size > 0 && event !== session.startedIn))) session.initial = "no";
  if (session.seen.size === 0) session.startedIn = event;
  if (type === "BOOKMARK") {
    session.initial = "no";
    const behind = version < session.last;
    session.last = Math.max(session.last, version);
    return behind ? `a bookmark says ${version} after ${session.last}` : undefined;
  }
  const name = `${object.metadata.uid ?? `${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`} at ${version}`;
  const twice = session.seen.has(name);
  session.seen.add(name);
  const { last } = session;
  session.last = Math.max(last, version);
  if (twice) return `${type} ${object.metadata.name ?? ""} at revision ${version} is sent twice`;
  if (session.initial !== "no") return undefined;
  // A lease of etcd that ends deletes many keys in one revision.
  return version < last || (version === last && type !== "DELETED") ? `${type} ${object.metadata.name ?? ""} at revision ${version} is sent after revision ${last}` : undefined;
}

/** Within one watch, revisions only grow, nothing comes twice, and what is sent first arrives first. */
export const watchOrder: Invariant = {
  id: "watch-order",
  says: "a watch tells each revision once and in order",
  check({ trace }) {
    const { mail, events } = trace;
    const found: string[] = [];
    const sessions = new Map<string, Session>();
    const sessionOfMail = new Map<number, Session>();
    const server = trace.components.indexOf(API_SERVER);
    let number = 0;
    for (let event = 0; event < trace.eventCount; event++) {
      const handled = events.mail.get(event);
      const message = trace.payloads[handled] as HttpRequest | WatchEventMessage;
      if (message.type === "http.request" && message.stream !== undefined && mail.to.get(handled) === server) sessions.set(`${mail.from.get(handled)} ${message.stream}`, sessionOf(number++, event, message));
      const session = message.type === "watch.event" && mail.outcome.get(handled) === DELIVERED ? sessionOfMail.get(handled) : undefined;
      if (session !== undefined && message.type === "watch.event") {
        if (session.arrived > handled) found.push(broken(events.at.get(event), `${trace.hop(handled).to}, ${message.stream}`, `message ${handled} arrives after message ${session.arrived}, which was sent later`));
        session.arrived = handled;
      }
      if (mail.to.get(handled) !== server) continue;
      const end = event + 1 < trace.eventCount ? events.firstMail.get(event + 1) : trace.mailCount;
      for (let id = events.firstMail.get(event); id < end; id++) {
        const sent = trace.payloads[id] as WatchEventMessage;
        if (sent.type !== "watch.event") continue;
        const key = `${mail.to.get(id)} ${sent.stream}`;
        // A watch of the settled world was open before the run.
        const watch = sessions.get(key) ?? { number: number++, initial: "no", startedIn: event, last: 0, seen: new Set(), arrived: -1 };
        sessions.set(key, watch);
        sessionOfMail.set(id, watch);
        const wrong = follow(watch, event, sent);
        if (wrong !== undefined) found.push(broken(events.at.get(event), `${trace.hop(id).to}, ${sent.stream}`, wrong));
      }
    }
    return found;
  },
};
