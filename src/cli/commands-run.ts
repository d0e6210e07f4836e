import type { Micros } from "../sim/api/time.ts";
import { commandOutput } from "../trace/command-output.ts";
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

/** All kubectl commands of a run, in the order they were typed. */
export function commandsOf(trace: Trace): readonly CommandRun[] {
  const commands: CommandRun[] = [];
  for (let id = 0; id < trace.mailCount; id++) {
    const payload = trace.payloads[id] as { type: string; argv?: readonly string[] };
    if (payload.type !== "kubectl.run" || !payload.argv) continue;
    const { stdout = "", stderr = "", exitCode } = commandOutput(trace, trace.mail.cause.get(id)) ?? {};
    commands.push({ at: trace.mail.sentAt.get(id), argv: payload.argv, stdout, stderr, exitCode });
  }
  return commands;
}
