import type { TraceIndex } from "../../../trace/trace-index.ts";
import type { Level, MailId } from "../../../trace/model.ts";
import { mailOfNote, shownAt } from "../../widgets/trace-text.ts";

export interface GateNote {
  readonly note: number;
  readonly text: string;
  /** "Authorization"; "" for a refusal, whose data says it. */
  readonly name: string;
  readonly at: number;
  /** Microseconds since the gate before, or since the request arrived. */
  readonly took: number;
}

/** One request to the API server and the gates it met so far, in order. */
export interface RequestGates {
  readonly mail: MailId;
  readonly at: number;
  readonly from: string;
  readonly verb: string;
  readonly subject: string;
  readonly gates: readonly GateNote[];
  /** Status of the answer, 0 while there is none. */
  readonly status: number;
}

/** The request behind a note of the API server: the nearest mail on the way back that reached it from a client. */
function requestOf(index: TraceIndex, server: string, note: number): MailId {
  const { trace } = index;
  for (const id of index.causesOf(mailOfNote(trace, note))) {
    const hop = trace.hop(id);
    if (hop.to === server && hop.from !== server && hop.kind === "hop" && hop.protocol === "HTTPS" && hop.status === 0) return id;
  }
  return -1;
}

function gateNote(index: TraceIndex, id: number): Omit<GateNote, "took"> {
  const note = index.trace.note(id);
  return { note: id, text: note.text, name: /^(\w+): /.exec(note.status)?.[1] ?? "", at: note.at };
}

/** Gates in order of time, each with what it took. */
function withTimes(arrived: number, gates: readonly Omit<GateNote, "took">[]): GateNote[] {
  return gates.map((gate, i) => ({ ...gate, took: Math.max(0, gate.at - (gates[i - 1]?.at ?? arrived)) }));
}

/** One request's gates up to `t`; undefined if it is none, or passed them silently. */
export function gatesOfRequest(index: TraceIndex, mail: MailId, t: number): RequestGates | undefined {
  const { trace } = index;
  const hop = trace.hop(mail);
  const gates = index.notesUntil(hop.to, t).filter((id) => trace.notes.at.get(id) >= hop.dueAt && trace.note(id).kind === "gate" && requestOf(index, hop.to, id) === mail);
  if (gates.length === 0) return undefined;
  return { mail, at: hop.dueAt, from: hop.from, verb: hop.verb, subject: hop.subject, gates: withTimes(hop.dueAt, [...gates].map((id) => gateNote(index, id))), status: answerTo(index, hop.to, mail, t) };
}

/** The latest requests that went through gates up to `t`, newest first. */
export function requestGates(index: TraceIndex, server: string, t: number, detail: Level, limit: number): RequestGates[] {
  const { trace } = index;
  const found = new Map<MailId, Omit<GateNote, "took">[]>();
  const notes = index.notesUntil(server, t);
  for (let i = notes.length - 1; i >= 0; i--) {
    const note = trace.note(notes[i] as number);
    if (note.kind !== "gate") continue;
    const mail = requestOf(index, server, note.id);
    if (mail < 0) continue;
    const gates = found.get(mail);
    if (gates) gates.push(gateNote(index, note.id));
    else {
      if (!shownAt(trace.hop(mail).level, detail)) continue;
      if (found.size === limit) break;
      found.set(mail, [gateNote(index, note.id)]);
    }
  }
  return [...found].map(([mail, gates]) => {
    const hop = trace.hop(mail);
    return { mail, at: hop.dueAt, from: hop.from, verb: hop.verb, subject: hop.subject, gates: withTimes(hop.dueAt, gates.reverse()), status: answerTo(index, server, mail, t) };
  });
}

/** Status of the first answer to the client that the request led to and that was sent by `t`. */
function answerTo(index: TraceIndex, server: string, request: MailId, t: number): number {
  const { trace } = index;
  const client = trace.hop(request).from;
  const queue = [...index.consequencesOf(request)];
  for (let visited = 0; queue.length > 0 && visited < 200; visited++) {
    const id = queue.shift() as number;
    const hop = trace.hop(id);
    if (hop.from === server && hop.to === client && hop.status > 0) return hop.sentAt <= t ? hop.status : 0;
    if (hop.sentAt <= t) queue.push(...index.consequencesOf(id));
  }
  return 0;
}
