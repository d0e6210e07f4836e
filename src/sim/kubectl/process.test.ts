import { expect, test } from "vitest";
import type { Message } from "../kernel/types.ts";
import { fakeCtx } from "../testdata/fake-ctx.ts";
import { parseFlags } from "./flags.ts";
import { command, type Program } from "./process.ts";
import { type Answer, logOf, type Session, type Turn } from "./session.ts";

const argv = ["test"];
const config = { cluster: "c", server: "s:1", context: "x", user: "u", namespace: "default", client: { userAgent: "", credential: { kind: "none", name: "" } } } as const;
const fresh = (): Session => ({ key: "s1", run: { type: "kubectl.run", argv, files: {}, session: 1 }, startedAt: 0, options: parseFlags(argv), data: undefined, errors: [], waiting: [], streams: [], sinks: {}, done: false, discovered: [], schemas: {}, fresh: true });
const ok = (body: unknown): Answer => ({ status: 200, body, warnings: [] });

/** Runs a program with these answers and says what it did. */
function play(program: Program, answers: readonly Answer[]): { readonly paths: string[]; readonly out: string[]; readonly session: Session } {
  const ctx = fakeCtx();
  const turn: Turn = { ctx, config, session: fresh() };
  const made = command(["test"], program);
  made.start(turn);
  for (const answer of answers) made.onAnswer?.(turn, "ask", answer);
  expect(logOf(turn).asked.length).toBe(ctx.sent.length);
  return { paths: ctx.sent.map(({ message }) => (message as Message & { readonly path: string }).path), out: ctx.notes.flatMap((note) => note.log?.line ?? []), session: turn.session };
}

test("a program runs again from its start at every answer, and does nothing twice", () => {
  const { paths, out, session } = play((p) => {
    p.print("begins");
    const first = p.ask({ method: "GET", path: "/a" });
    p.print(`first ${String(first.body)}`);
    const second = p.ask({ method: "GET", path: "/b" });
    p.print(`second ${String(second.body)}`);
  }, [ok(1), ok(2)]);
  expect(paths).toEqual(["/a", "/b"]);
  expect(out).toEqual(["begins\n", "first 1\n", "second 2\n"]);
  expect(session.done).toBe(false);
});

test("errors are collected; several are worded as several", () => {
  const { out, session } = play((p) => {
    p.addError("error: one");
    p.addError({ single: "alone", several: "among others" });
  }, []);
  expect(out).toEqual(["one\n", "among others\n"]);
  expect(session.done).toBe(true);
});

test("a refusal ends the program that must have an answer", () => {
  const { out, session } = play((p) => {
    p.must({ method: "GET", path: "/a" });
    p.print("not reached");
  }, [{ status: 403, body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason: "Forbidden", code: 403, message: "no" }, warnings: [] }]);
  expect(out).toEqual(["Error from server (Forbidden): no\n"]);
  expect(session.done).toBe(true);
});
