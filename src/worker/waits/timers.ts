import type { MailId, Micros } from "../../sim/kernel/types.ts";
import { MAIL_KINDS } from "../../trace/model.ts";
import { NEVER, type Trace } from "../../trace/trace.ts";

const TIMER = MAIL_KINDS.indexOf("timer");
/** No timer that is asked about was set longer ago than this: Pods are evicted, replaced and forgotten earlier. */
const LOOK_BACK: Micros = 3_700_000_000;

/** A timer that is set and has not gone off. */
export interface SetTimer {
  readonly setAt: Micros;
  readonly dueAt: Micros;
}

/** What the recording knows at a time of timers that are set then. What becomes of them later is not looked at. */
export interface Timers {
  /** Undefined: it went off, or was cancelled, or was lost with its process. */
  get(id: MailId): SetTimer | undefined;
  /** The first to go off of a component's timers with a message of this type. */
  next<M extends { readonly type: string }>(component: string, type: M["type"], matches?: (message: M) => boolean): SetTimer | undefined;
}

/** The timers of a run at `at`. They are read once, when the first is asked for by type. */
export function timersAt(trace: Trace, at: Micros): Timers {
  const { mail } = trace;
  let byOwner: Map<string, MailId[]> | undefined;
  const timer = (id: MailId): SetTimer | undefined => {
    if (id < 0 || id >= trace.mailCount || mail.kind.get(id) !== TIMER) return undefined;
    const setAt = mail.sentAt.get(id);
    const dueAt = mail.dueAt.get(id);
    const cancelledAt = mail.cancelledAt.get(id);
    return setAt <= at && dueAt > at && (cancelledAt === NEVER || cancelledAt > at) ? { setAt, dueAt } : undefined;
  };
  const all = (): Map<string, MailId[]> => {
    const found = new Map<string, MailId[]>();
    const events = trace.eventsUntil(at);
    const end = events < trace.eventCount ? trace.events.firstMail.get(events) : trace.mailCount;
    for (let id = end - 1; id >= 0 && mail.sentAt.get(id) >= at - LOOK_BACK; id--) {
      if (mail.kind.get(id) !== TIMER || timer(id) === undefined) continue;
      const key = `${mail.to.get(id)} ${mail.verb.get(id)}`;
      const list = found.get(key);
      if (list) list.push(id);
      else found.set(key, [id]);
    }
    return found;
  };
  return {
    get: timer,
    next(component, type, matches) {
      byOwner ??= all();
      const ids = byOwner.get(`${trace.components.indexOf(component)} ${trace.strings.id(type)}`) ?? [];
      const fitting = matches === undefined ? ids : ids.filter((id) => matches(trace.payloads[id] as never));
      const dues = fitting.flatMap((id) => timer(id) ?? []).sort((a, b) => a.dueAt - b.dueAt);
      return dues[0];
    },
  };
}
