import type { Micros } from "../sim/api/time.ts";
import type { Trace } from "../trace/trace.ts";

/** One kubectl command of a run and what it printed so far. */
export interface CommandRun {
  readonly at: Micros;
  readonly argv: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined while it runs. */
  readonly exitCode: number | undefined;
}

interface Running {
  at: Micros;
  argv: readonly string[];
  stdout: string;
  stderr: string;
  exitCode: number | undefined;
}

/** All kubectl commands of a run, in the order they were typed. */
export function commandsOf(trace: Trace): readonly CommandRun[] {
  const commands = new Map<number, Running>();
  for (let id = 0; id < trace.mailCount; id++) {
    const payload = trace.payloads[id] as { type: string; argv?: readonly string[]; session?: number };
    if (payload.type === "kubectl.run" && payload.argv) commands.set(payload.session ?? id, { at: trace.mail.sentAt.get(id), argv: payload.argv, stdout: "", stderr: "", exitCode: undefined });
  }
  const kubectl = trace.components.indexOf("kubectl");
  const logs = new Map(trace.logNotes.map((note, i) => [note, trace.logs[i]]));
  for (let note = 0; note < trace.noteCount; note++) {
    if (trace.notes.component.get(note) !== kubectl) continue;
    const log = logs.get(note);
    const data = trace.noteData[note] as { session?: number; exitCode?: number } | undefined;
    if (!log && data?.exitCode === undefined) continue;
    const command = commands.get(data?.session ?? -1);
    if (!command) continue;
    if (log?.source === "stdout") command.stdout += log.line;
    if (log?.source === "stderr") command.stderr += log.line;
    if (typeof data?.exitCode === "number") command.exitCode = data.exitCode;
  }
  return [...commands.values()];
}
