import type { Message } from "../kernel/types.ts";

/** A command typed by the user: argv without "kubectl", and the files it may read. */
export interface KubectlRun extends Message {
  readonly type: "kubectl.run";
  readonly argv: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly session: number;
}

/** Control-C. */
export interface KubectlInterrupt extends Message {
  readonly type: "kubectl.interrupt";
  readonly session: number;
}
