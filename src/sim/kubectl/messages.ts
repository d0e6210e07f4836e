import type { Message } from "../kernel/types.ts";

/** A command typed by the user: argv without "kubectl", and the files it may read. */
export interface KubectlRun extends Message {
  readonly type: "kubectl.run";
  readonly argv: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly session: number;
  /** Environment variables that were set for it. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The editor that an output note with data {session, edit: {file, text}} asked for was closed; without a text, nothing was saved. */
export interface KubectlEdited extends Message {
  readonly type: "kubectl.edited";
  readonly session: number;
  readonly text?: string;
}

/** Control-C. */
export interface KubectlInterrupt extends Message {
  readonly type: "kubectl.interrupt";
  readonly session: number;
}
