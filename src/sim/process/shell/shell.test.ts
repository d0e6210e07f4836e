import { describe, expect, it } from "vitest";
import { PMap } from "../../kernel/pmap.ts";
import type { Files } from "../files.ts";
import { ROOT } from "../ownership.ts";
import type { Block, ShellHost } from "./host.ts";
import { runShell } from "./machine.ts";
import { newShell, type ShellState, signalShell } from "./state.ts";

interface Started { readonly pid: number; readonly state: ShellState; readonly argv: readonly string[] }

function host(own: Files = {}, shell = "busybox"): ShellHost & { readonly started: Started[]; readonly killed: string[] } {
  const started: Started[] = [];
  const killed: string[] = [];
  return {
    view: { podUid: "u", mounts: [{ path: "/data", volume: "v", readOnly: false }, { path: "/ro", volume: "r", readOnly: true }], own, image: { "/etc/hello": "hi\n" }, volumes: PMap.from<Files>([["u/r", { "/key": "value" }]]), layer: "c", owners: PMap.empty(), who: ROOT, readOnlyRoot: false },
    hostname: "web-0", ip: "10.244.1.5", now: 0, memoryLimit: 0, programs: new Set(["nginx"]), shell, known: true, output: [], started, killed,
    spawn: (state, argv) => started.push({ pid: 7 + started.length, state, argv }) + 6,
    kill: (pid, signal) => killed.push(`${signal} ${pid}`) > 0 && pid < 20,
    processes: () => [{ pid: 1, user: "root", command: "sh -c x" }, ...started.map(({ pid, argv }) => ({ pid, user: "root", command: argv.join(" ") }))],
  };
}

function runScript(script: string, files: Files = {}, shell = "busybox", bash = false): { out: string; exit: number | undefined; block: Block | undefined } {
  const at = host(files, shell);
  const { state, block } = runShell({ ...newShell(script, { NAME: "world" }, ["sh", "one", "two words"], "/"), bash }, at);
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
    ["nginx -g 'daemon off;'", { t: "program", argv: ["nginx", "-g", "daemon off;"], replaces: true }],
    ["nginx; echo after", { t: "program", argv: ["nginx"], replaces: false }],
    ["sleep 5 & wait $!; echo done", { t: "wait", pids: [7] }],
    ["sleep 5 & sleep 6 & wait", { t: "wait", pids: [] }],
    ["x=$(curl -s http://api/v1); echo $x", { t: "http", url: "http://api/v1", method: "GET", tool: "curl", flags: { quiet: true, fail: false, headersOnly: false, head: false } }],
    ["tail -F /etc/hello", { t: "follow", path: "/etc/hello", from: 0 }],
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

  it("runs a trap after the foreground command, and without one has no handler", () => {
    const start = runShell(newShell("trap 'echo bye; exit 0' TERM; while true; do sleep 1; done", {}, [], "/"), host()).state;
    const after = host();
    expect(runShell(signalShell(start, "TERM"), after, { status: 0 }).state.exit).toBe(0);
    expect(after.output.join("")).toBe("bye\n");
    const deaf = runShell(newShell("sleep 100", {}, [], "/"), host()).state;
    expect(signalShell(deaf, "TERM")).toBe(deaf);
  });

  it("waits inside a substitution and goes on with what it printed", () => {
    const { state } = runShell(newShell('until [ "$(wget -qO- http://db)" = ok ]; do sleep 1; done; echo "$(echo a $(echo b))"', {}, [], "/"), host());
    const again = runShell(state, host(), { status: 1, err: "wget: bad address 'db'\n" });
    expect(again.block).toMatchObject({ t: "sleep" });
    const asked = runShell(again.state, host(), { status: 0 });
    const last = host();
    expect(runShell(asked.state, last, { status: 0, out: "ok\n" }).state.exit).toBe(0);
    expect(last.output.join("")).toBe("a b\n");
  });

  it("starts children that know their number and where output leads", () => {
    const at = host();
    runShell(newShell("exec > /tmp/log; (echo child) & kill -0 $!; kill -TERM 99 || echo none", {}, [], "/"), at);
    expect(at.killed).toEqual(["0 7", "TERM 99"]);
    const child = at.started[0];
    if (child === undefined) throw new Error("no child");
    runShell(child.state, at);
    expect(at.output).toEqual(["kill: can't kill pid 99: No such process\n"]);
    expect(at.view.own["/tmp/log"]).toBe("none\nchild\n");
  });

  it("saves what was fetched", () => {
    const { state } = runShell(newShell("wget -O /data/index.html http://info.example", {}, [], "/"), host());
    const next = host();
    expect(runShell(state, next, { status: 0, file: { path: "/data/index.html", text: "<html>" } }).state.exit).toBe(0);
    expect(next.view.volumes.get("u/v")).toEqual({ "/index.html": "<html>" });
  });

  it("yields from a loop that never waits", () => expect(runScript("while true; do true; done").block).toMatchObject({ t: "sleep" }));

  it.each([
    ["f() { local x=2; echo $1 $x; return 3; }; x=1; f hi; echo $? $x", "hi 2\n3 1\n"],
    ['case "$1" in one|two) echo match;; *) echo other;; esac', "match\n"],
    ["case abc in a*) echo star;; esac; case x in [a-c]) echo no;; ?) echo one;; esac", "star\none\n"],
    ["cat <<EOF\nhello $NAME\n  \"$(echo sub)\"\nEOF\necho end", 'hello world\n  "sub"\nend\n'],
    ["cat <<'EOF' > /tmp/f\nraw $NAME\nEOF\ncat /tmp/f", "raw $NAME\n"],
    ["for a in \"$@\"; do echo \"[$a]\"; done; shift; echo $# $1", "[one]\n[two words]\n1 two words\n"],
    ["v=/a/b/c.tar.gz; echo ${v##*/} ${v%.gz} ${v%%.*} ${#v} ${v#/a}", "c.tar.gz /a/b/c.tar /a/b/c 13 /b/c.tar.gz\n"],
    ["echo ${U:-d} ${U:=set} $U ${U:+alt} ${V+no}.", "d set set alt .\n"],
    ["echo $((2 + 3 * 4)) $(( (1+2)*3 )) $((7 % 4)) $((1 < 2 && 3 > 2)); i=5; echo $((i += 2)) $i", "14 9 3 1\n7 7\n"],
    ["touch /tmp/a.txt /tmp/b.txt; cd /tmp; echo *.txt; echo *.none '*.txt'", "a.txt b.txt\n*.none *.txt\n"],
    ["printf 'a\\nb\\nc\\n' | while read line; do echo \"<$line>\"; done", "<a>\n<b>\n<c>\n"],
    ["printf 'x 1\\ny 2\\n' > /tmp/t; while read k v; do echo $v-$k; done < /tmp/t", "1-x\n2-y\n"],
    ["echo 'a:b:c' | cut -d: -f2; echo abc | tr a-c A-C; printf '3\\n1\\n2\\n' | sort -n | tail -1", "b\nABC\n3\n"],
    ["echo 'k1 v1' | awk '{print $2}'; printf '1\\n2\\n' | awk '{s+=$1} END {print s}'", "v1\n3\n"],
    ["echo hello | sed 's/l\\(.\\)/L\\1/; s/o$/0/'; printf 'a\\nb\\n' | sed -n 2p", "heLl0\nb\n"],
    ["set -e; if false; then :; fi; false || true; ! true; echo here; x=$(false); echo never", "here\n"],
    ["trap 'echo bye $?' EXIT; echo hi; exit 3", "hi\nbye 3\n"],
    ["echo a 2>/dev/null 1>&2; { echo out; echo err >&2; } 2>/dev/null", "out\n"],
    ["[ -n \"$NAME\" -a 1 -lt 2 ] && echo yes; [[ $NAME == wor* ]] || echo literal; test -d /data && echo dir", "yes\nliteral\ndir\n"],
    ["export A=1; B=2; sh -c 'echo $A.$B.'; env | grep -c ^B=", "1..\n0\n"],
    ["echo one two | xargs -n1 echo =; seq 3 | wc -l", "= one\n= two\n3\n"],
    ["for i in 1 2 3; do for j in a b; do [ $j = b ] && continue 2; echo $i$j; done; done", "1a\n2a\n3a\n"],
    ["command -v nginx >/dev/null && echo has; command -v nope || echo not", "has\nnot\n"],
    ["mkdir -p /data/x/y; echo 1 > /data/x/y/f; find /data -type f; ls /data/x", "/data/x/y/f\ny\n"],
    ["date -u +%Y-%m-%d; date", "2026-01-01\nThu Jan  1 00:00:00 UTC 2026\n"],
    ["eval 'x=3; echo $x'; . /etc/none || echo gone", "3\nsh: can't open /etc/none: No such file\ngone\n"],
  ])("%s", (script, out) => expect(runScript(script).out).toBe(out));

  it.each([
    ["echo {1..3} a{x,y}", "1 2 3 ax ay\n"],
    ["[[ $NAME =~ ^wor && -z $NONE ]] && echo re; cat <<< \"$NAME\"", "re\nworld\n"],
    ["x=abcdef; echo ${x:1:2} ${x/b/B} ${x^^}", "bc aBcdef ABCDEF\n"],
    ["a=(foo 'b c' $NAME); echo ${a[1]} ${#a[@]}; for x in \"${a[@]}\"; do echo \"<$x>\"; done; i=2; echo ${a[$i]}", "b c 3\n<foo>\n<b c>\n<world>\nworld\n"],
    ["[[ web-12 =~ -([0-9]+)$ ]] && echo ${BASH_REMATCH[1]}; [[ web =~ -([0-9]+)$ ]] || echo none", "12\nnone\n"],
    ["set -o pipefail; false | true || echo failed", "failed\n"],
  ])("bash: %s", (script, out) => expect(runScript(script, {}, "dash", true).out).toBe(out));

  it.each([
    ["nope", "sh: 1: nope: not found\n", 127],
    ["cat /none", "cat: /none: No such file or directory\n", 1],
    ["echo 'unclosed", undefined, undefined],
    ["set -u; echo $UNSET; echo no", "sh: UNSET: parameter not set\n", 2],
    ["echo ${REQUIRED:?must be set}", "sh: REQUIRED: must be set\n", 2],
    ["echo x > /ro/f || echo $?", "sh: 1: cannot create /ro/f: Read-only file system\n1\n", 0],
  ])("what goes wrong, in dash's words: %s", (script, out, exit) => {
    if (out === undefined) expect(() => runScript(script)).toThrow(/unterminated/);
    else expect(runScript(script, {}, "dash")).toEqual({ out, exit, block: undefined });
  });
});
