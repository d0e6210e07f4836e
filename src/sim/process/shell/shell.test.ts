import { describe, expect, it } from "vitest";
import { PMap } from "../../kernel/pmap.ts";
import type { Files } from "../files.ts";
import type { Block, ShellHost } from "./host.ts";
import { runShell } from "./machine.ts";
import { newShell, signalShell } from "./state.ts";

function host(own: Files = {}): ShellHost {
  return { view: { podUid: "u", mounts: [{ path: "/data", volume: "v", readOnly: false }, { path: "/ro", volume: "r", readOnly: true }], own, image: { "/etc/hello": "hi\n" }, volumes: PMap.from<Files>([["u/r", { "/key": "value" }]]) }, hostname: "web-0", now: 0, programs: new Set(["nginx"]), shell: "busybox", output: [] };
}

function runScript(script: string, files: Files = {}): { out: string; exit: number | undefined; block: Block | undefined } {
  const at = host(files);
  const { state, block } = runShell(newShell(script, { NAME: "world" }, ["sh"], "/"), at);
  return { out: at.output.join(""), exit: state.exit, block };
}

describe("sh -c", () => {
  it.each([
    ["echo boom; exit 1", "boom\n", 1],
    ['echo "hello $NAME"', "hello world\n", 0],
    ["echo '$NAME' ${MISSING:-fallback}", "$NAME fallback\n", 0],
    ["false || echo or && echo and", "or\nand\n", 0],
    ["false && echo no", "", 1],
    ["if [ -f /etc/hello ]; then cat /etc/hello; else echo none; fi", "hi\n", 0],
    ["for i in 1 2 3; do echo n$i; done", "n1\nn2\nn3\n", 0],
    ["i=0; while [ $i -lt 3 ]; do i=$((i+1)); done; echo $i", "3\n", 0],
    ["touch /tmp/healthy; rm /tmp/healthy; cat /tmp/healthy", "cat: can't open '/tmp/healthy': No such file or directory\n", 1],
    ["echo a > /data/x; echo b >> /data/x; cat /data/x", "a\nb\n", 0],
    ["cat /ro/key; echo; touch /ro/new || echo refused", "value\ntouch: /ro/new: Read-only file system\nrefused\n", 0],
    ["echo one two | wc -c", "8\n", 0],
    ["n=$(echo a | grep -c a); echo got $n", "got 1\n", 0],
    ["nope", "sh: nope: not found\n", 127],
    ["set -e; false; echo unreachable", "", 1],
    ["for i in 1 2; do if [ $i = 2 ]; then break; fi; echo $i; done; echo end", "1\nend\n", 0],
    ["sh -c 'exit 3'; echo $?", "3\n", 0],
    ["x=1; (x=2; exit 5); echo $x $?", "1 5\n", 0],
    ["hostname; echo done >/dev/null; echo e 1>&2", "web-0\ne\n", 0],
    ["{ echo a; echo b; } > /data/y; cat /data/y", "a\nb\n", 0],
  ])("%s", (script, out, exit) => expect(runScript(script)).toEqual({ out, exit, block: undefined }));

  it.each([
    ["echo before; sleep 2; echo after", { t: "sleep", micros: 2_000_000 }],
    ["sleep infinity", { t: "forever" }],
    ["tail -f /dev/null", { t: "forever" }],
    ["nginx -g 'daemon off;'", { t: "program", argv: ["nginx", "-g", "daemon off;"] }],
    ["until nslookup db.default; do sleep 2; done", { t: "dns", name: "db.default", tool: "nslookup" }],
    ["tail /dev/zero", { t: "memory", bytes: 1e15 }],
  ])("%s waits", (script, block) => expect(runScript(script).block).toEqual(block));

  it("continues where it stopped", () => {
    const first = host();
    const { state } = runShell(newShell("sleep 1; echo woke; exit 4", {}, [], "/"), first);
    const next = host();
    expect(runShell(state, next, { status: 0 }).state.exit).toBe(4);
    expect(next.output.join("")).toBe("woke\n");
  });

  it("runs a trap after the foreground command, and without one ignores the signal as PID 1", () => {
    const start = runShell(newShell("trap 'echo bye; exit 0' TERM; while true; do sleep 1; done", {}, [], "/"), host()).state;
    const after = host();
    expect(runShell(signalShell(start, "TERM").state, after, { status: 0 }).state.exit).toBe(0);
    expect(after.output.join("")).toBe("bye\n");
    const deaf = runShell(newShell("sleep 100", {}, [], "/"), host()).state;
    expect(signalShell(deaf, "TERM").state).toBe(deaf);
  });

  it("yields from a loop that never waits", () => expect(runScript("while true; do true; done").block).toMatchObject({ t: "sleep" }));
});
