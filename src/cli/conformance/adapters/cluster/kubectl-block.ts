import type { HttpRequest, HttpResponse } from "../../../../sim/api/http.ts";
import { expandInputs } from "../../../../sim/faults/resolve.ts";
import type { Simulation } from "../../../../sim/kernel/simulation.ts";
import type { RunInput } from "../../../../sim/scenarios/recipe.ts";
import { commandOutput } from "../../../../trace/command-output.ts";
import type { Trace } from "../../../../trace/trace.ts";
import { type AuditedRequest, audited } from "./audit-log.ts";

/** What one command is given. */
export interface Typed {
  /** When the recorded one was started, in the simulation's microseconds. */
  readonly at: number;
  readonly argv: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** What one command did. */
export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  /** -1 if it did not end. */
  readonly exitCode: number;
  readonly requests: readonly AuditedRequest[];
  /** By API path, what GET answers once the command has ended. */
  readonly after: Readonly<Record<string, unknown>>;
}

/** No recorded command took longer. */
const ANSWER_TIME = 40_000_000;
const EXITS = /^kubectl exits with code /;

/** The first mail from `from` on that was typed. */
const typedMail = (trace: Trace, from: number): number => {
  for (let id = from; id < trace.mailCount; id++) if ((trace.payloads[id] as { readonly type?: string }).type === "kubectl.run") return trace.mail.cause.get(id);
  return -1;
};

function endOf(trace: Trace, from: number): number | undefined {
  for (let note = from; note < trace.noteCount; note++) if (EXITS.test(trace.strings.text(trace.notes.text.get(note)))) return trace.notes.at.get(note);
  return undefined;
}

/** The requests of kubectl's among the mails from `first` on, in the order in which they were sent. */
function requestsOf(trace: Trace, first: number): readonly AuditedRequest[] {
  const answers = new Map<number, number>();
  const asked: [number, HttpRequest][] = [];
  const kubectl = trace.components.indexOf("kubectl");
  for (let id = first; id < trace.mailCount; id++) {
    const payload = trace.payloads[id] as { readonly type: string };
    if (payload.type === "http.request" && trace.mail.from.get(id) === kubectl) asked.push([id, payload as HttpRequest]);
    else if (payload.type === "http.response" && trace.mail.to.get(id) === kubectl) answers.set((payload as HttpResponse).request, (payload as HttpResponse).status);
  }
  return asked.map(([id, request]) => audited(request, answers.get(id)));
}

/** The simulation in which a command has just ended, and what it did. */
export function runCommand(before: Simulation, typed: Typed, paths: readonly string[]): { readonly sim: Simulation; readonly ran: Ran } {
  const at = Math.max(typed.at, before.now + 1);
  const { argv, files, env } = typed;
  const input: RunInput = { at, type: "command", argv, files, ...(env === undefined ? {} : { env }) };
  const whole = before.fork(before.now, expandInputs([input]));
  const { mailCount, noteCount } = whole.trace;
  let ended: number | undefined;
  for (let until = at + 250_000; ended === undefined && until <= at + ANSWER_TIME; until += 250_000) {
    whole.run(until);
    ended = endOf(whole.trace, noteCount);
  }
  const { stdout = "", stderr = "", exitCode = -1 } = commandOutput(whole.trace, typedMail(whole.trace, mailCount)) ?? {};
  const requests = requestsOf(whole.trace, mailCount);
  const sim = whole.fork(ended ?? whole.now, []);
  const after = Object.fromEntries(paths.map((path) => [path, stored(sim, path)]));
  return { sim, ran: { stdout, stderr, exitCode, requests, after } };
}

/** What GET answers now; asked in a side branch, of which the commands to come know nothing. */
function stored(sim: Simulation, path: string): unknown {
  const { ran } = runCommand(sim, { at: 0, argv: ["get", "--raw", path.replace(/\?mf$/, "")], files: {} }, []);
  return ran.exitCode === 0 ? (JSON.parse(ran.stdout) as unknown) : undefined;
}
