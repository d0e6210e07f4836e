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
  const lines = commandLines(trace, input);
  if (lines === undefined) return undefined;
  const { exitCode } = lines;
  return { stdout: textOf(lines, "stdout"), stderr: textOf(lines, "stderr"), ...(exitCode === undefined ? {} : { exitCode }) };
}

/** What a command printed at which time. */
export interface PrintedLine {
  readonly at: number;
  readonly source: "stdout" | "stderr";
  readonly text: string;
}

export interface CommandLines {
  readonly printed: readonly PrintedLine[];
  /** Undefined while the command runs. */
  readonly exitCode?: number;
  readonly exitAt?: number;
  /** Notes by which it asked for an editor, in order. */
  readonly edits: readonly number[];
}

/** All that it printed to one of its outputs. */
export const textOf = ({ printed }: CommandLines, source: PrintedLine["source"]): string => printed.filter((line) => line.source === source).map(({ text }) => text).join("");

const EDITOR = /^kubectl opens \S+ in the editor$/;

/** The same, line by line with times; undefined if the input started no command. */
export function commandLines(trace: Trace, input: MailId): CommandLines | undefined {
  const { notes, events, mail, strings } = trace;
  const kubectl = trace.components.indexOf(KUBECTL);
  let command = -1;
  const printed: PrintedLine[] = [];
  const edits: number[] = [];
  let exit: { exitCode: number; exitAt: number } | undefined;
  const logs = new Map(trace.logNotes.map((note, i) => [note, trace.logs[i]] as const));
  for (let note = firstNoteAfter(trace, input); note < trace.noteCount; note++) {
    if (notes.component.get(note) !== kubectl) continue;
    if (command < 0) {
      if (mail.cause.get(events.mail.get(notes.event.get(note))) === input) command = notes.subject.get(note);
      continue;
    }
    if (notes.subject.get(note) !== command) continue;
    const text = strings.text(notes.text.get(note));
    const code = EXIT.exec(text)?.[1];
    if (code !== undefined) exit = { exitCode: Number(code), exitAt: notes.at.get(note) };
    if (notes.kind.get(note) !== OUTPUT) continue;
    const log = logs.get(note);
    if (log) printed.push({ at: notes.at.get(note), source: log.source === "stderr" ? "stderr" : "stdout", text: log.line });
    else if (EDITOR.test(text)) edits.push(note);
  }
  return command < 0 ? undefined : { printed, edits, ...exit };
}

/** Notes are in order of events, and an input's event comes before what it causes. */
function firstNoteAfter(trace: Trace, input: MailId): number {
  const event = trace.mail.event.get(input);
  return event < 0 ? trace.noteCount : trace.events.firstNote.get(event);
}
