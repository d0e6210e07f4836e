import type { DnsQuestion } from "../../api/traffic.ts";
import type { Micros } from "../../kernel/types.ts";
import { type FileView, writeFile } from "../files.ts";
import type { ShellState } from "./state.ts";

/** A process as `ps` lists it. */
export interface ProcessRow {
  readonly pid: number;
  readonly user: string;
  readonly command: string;
}

/** What a command may touch while it runs: files, other processes, its output, the clock. Lives for one step only. */
export interface ShellHost {
  view: FileView;
  readonly hostname: string;
  readonly ip: string;
  readonly now: Micros;
  readonly memoryLimit: number;
  /** Programs of the image that are not shell commands: servers and interpreters. */
  readonly programs: ReadonlySet<string>;
  /** Whether the catalogue has the image; of others anything is believed. */
  readonly known: boolean;
  /** busybox or dash: decides how errors are worded. */
  readonly shell: string;
  readonly output: string[];
  /** Starts a process beside this one; its PID. */
  spawn(state: ShellState, argv: readonly string[]): number;
  /** False: no such process. Signals take effect when this step is over. */
  kill(pid: number, signal: string): boolean;
  processes(): readonly ProcessRow[];
}

/** Why a command line pauses. */
export type Block =
  | { readonly t: "sleep"; readonly micros: Micros }
  | { readonly t: "forever" }
  | { readonly t: "memory"; readonly bytes: number }
  /** `replaces`: as `exec` does, or because nothing would be left to do. Otherwise the shell waits for its child. */
  | { readonly t: "program"; readonly argv: readonly string[]; readonly replaces: boolean }
  /** For children: all of them, or the one named. */
  | { readonly t: "wait"; readonly pids: readonly number[] }
  /** For lines that are added to a file. `from`: characters that were shown. */
  | { readonly t: "follow"; readonly path: string; readonly from: number }
  | { readonly t: "dns"; readonly name: string; readonly tool: string; readonly qtype?: DnsQuestion["qtype"] }
  | { readonly t: "http"; readonly url: string; readonly method: string; readonly tool: string; readonly flags: HttpFlags };

export interface HttpFlags {
  readonly quiet: boolean;
  /** wget says what it does unless told not to. */
  readonly save?: string;
  readonly headersOnly: boolean;
  /** curl -f: an error status is a failure. */
  readonly fail: boolean;
  readonly head: boolean;
  /** curl -w, with `%{http_code}` and escapes. */
  readonly format?: string;
  readonly timeout?: Micros;
}

/** A finished command, or the reason why it is not. */
export type CommandResult = { readonly status: number; readonly out?: string; readonly err?: string } | { readonly block: Block };

/** Writes or removes a file through the host; the error text, if any. */
export function hostWrite(host: ShellHost, path: string, content: string | undefined): string | undefined {
  const result = writeFile(host.view, path, content);
  host.view = { ...host.view, own: result.own, volumes: result.volumes, owners: result.owners };
  return result.error;
}
