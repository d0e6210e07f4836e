import { runCommand } from "./command.ts";
import type { Block, ShellHost } from "./host.ts";
import { normalizePath } from "../files.ts";
import { hostWrite } from "./host.ts";
import { Run } from "./run.ts";
import type { Resume, ShellState } from "./state.ts";

/** Continues a shell, after a blocking command with its result. `block` undefined: `state.exit` is set. */
export function runShell(state: ShellState, host: ShellHost, resume?: Resume): { state: ShellState; block?: Block } {
  const run = new Run(state, host, runCommand);
  if (resume && state.blocked) {
    const { blocked: _, ...rest } = run.s;
    run.s = rest;
    const problem = resume.file && hostWrite(host, normalizePath(resume.file.path, run.s.cwd), resume.file.text);
    run.finish(problem === undefined ? resume : { status: 1, err: `can't open '${resume.file?.path ?? ""}': ${problem}\n` });
  }
  const block = run.run();
  return block === undefined ? { state: run.s } : { state: run.s, block };
}

/** What becomes of text that the waiting command writes, where its output leads: into a pipe, or out. */
export function writeThrough(state: ShellState, host: ShellHost, text: string): { readonly shell: ShellState; readonly output: string } {
  const run = new Run(state, host, runCommand);
  run.emit(text);
  return { shell: run.s, output: host.output.join("") };
}
