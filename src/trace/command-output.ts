import { type MailId, NOTE_KINDS } from "./model.ts";
import type { Trace } from "./trace.ts";

export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined while the command runs. */
  readonly exitCode?: number;
}

const KUBECTL = "kubectl";
const OUTPUT = NOTE_KINDS.indexOf("output");
const EXIT = /^kubectl exits with code (\d+)/;

/** True for the subject that kubectl's own notes carry: it names a command, not an object. */
export const isCommand = (subject: string): boolean => subject.startsWith("command/");

/**
 * What the kubectl command of an input printed so far, and its exit code once it ended. Its notes carry a subject of
 * their own from the first on, also those that a watch event or a timer brings about.
 */
export function commandOutput(trace: Trace, input: MailId): CommandOutput | undefined {
  const { notes, events, mail, strings } = trace;
  const kubectl = trace.components.indexOf(KUBECTL);
  let command = -1;
  let stdout = "";
  let stderr = "";
  let exitCode: number | undefined;
  const logs = new Map(trace.logNotes.map((note, i) => [note, trace.logs[i]] as const));
  for (let note = firstNoteAfter(trace, input); note < trace.noteCount; note++) {
    if (notes.component.get(note) !== kubectl) continue;
    if (command < 0) {
      if (mail.cause.get(events.mail.get(notes.event.get(note))) === input) command = notes.subject.get(note);
      continue;
    }
    if (notes.subject.get(note) !== command) continue;
    const exit = EXIT.exec(strings.text(notes.text.get(note)))?.[1];
    if (exit !== undefined) exitCode = Number(exit);
    const log = notes.kind.get(note) === OUTPUT ? logs.get(note) : undefined;
    if (log?.source === "stderr") stderr += log.line;
    else if (log) stdout += log.line;
  }
  return command < 0 ? undefined : { stdout, stderr, ...(exitCode === undefined ? {} : { exitCode }) };
}

/** Notes are in order of events, and an input's event comes before what it causes. */
function firstNoteAfter(trace: Trace, input: MailId): number {
  const event = trace.mail.event.get(input);
  return event < 0 ? trace.noteCount : trace.events.firstNote.get(event);
}
