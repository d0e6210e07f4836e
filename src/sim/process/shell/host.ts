import type { Micros } from "../../kernel/types.ts";
import { type FileView, type Files, writeFile } from "../files.ts";

/** What a command may touch while it runs: files, its output, the clock. Lives for one step only. */
export interface ShellHost {
  view: FileView;
  readonly hostname: string;
  readonly now: Micros;
  /** Programs of the image that are not shell commands: servers and interpreters. */
  readonly programs: ReadonlySet<string>;
  /** busybox or dash: decides how errors are worded. */
  readonly shell: string;
  readonly output: string[];
}

/** Why a command line pauses. */
export type Block =
  | { readonly t: "sleep"; readonly micros: Micros }
  | { readonly t: "forever" }
  | { readonly t: "memory"; readonly bytes: number }
  | { readonly t: "program"; readonly argv: readonly string[] }
  | { readonly t: "dns"; readonly name: string; readonly tool: string }
  | { readonly t: "http"; readonly url: string; readonly tool: string; readonly quiet: boolean; readonly save?: string };

/** A finished command, or the reason why it is not. */
export type CommandResult = { readonly status: number; readonly out?: string; readonly err?: string } | { readonly block: Block };

/** Writes or removes a file through the host; the error text, if any. */
export function hostWrite(host: ShellHost, path: string, content: string | undefined): string | undefined {
  const result = writeFile(host.view, path, content);
  host.view = { ...host.view, own: result.own as Files, volumes: result.volumes };
  return result.error;
}
