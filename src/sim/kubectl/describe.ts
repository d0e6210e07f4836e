// Models kubernetes/staging/src/k8s.io/kubectl/pkg/describe/describe.go
import type { Command } from "./session.ts";
import { fail } from "./session.ts";
export const describe: Command = { names: ["describe"], start: (turn) => fail(turn, "error: not yet") };
