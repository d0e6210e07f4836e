import { describe, expect, test } from "vitest";
import type { Io } from "./io.ts";
import { main } from "./main.ts";

const CLOCK = "apiVersion: v1\nkind: Pod\nmetadata: {name: clock, labels: {app: clock}}\nspec:\n  restartPolicy: Never\n  containers:\n  - {name: a, image: busybox:1.36, command: [sh, -c, 'i=0; while [ $i -lt 8 ]; do echo line $i; i=$((i+1)); sleep 1; done']}\n  - {name: b, image: busybox:1.36, command: [sh, -c, 'echo one; sleep 30']}\n";
const WEB = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - {name: web, image: 'busybox:1.36', command: [sleep, infinity]}\n";
const BARE = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: bare}\nspec:\n  containers:\n  - {name: bare, image: 'traefik/whoami:v1.10'}\n";

/** Types commands at these seconds in a cluster of one node; what they print together. */
function type(until: number, ...typed: readonly (readonly [at: number, command: string])[]): { readonly out: string; readonly err: string } {
  const printed = { out: "", err: "" };
  const io: Io = {
    out: (text) => void (printed.out += text), err: (text) => void (printed.err += text),
    read: () => `${CLOCK}${WEB}${BARE}`, list: () => undefined, exists: (path) => path === "all.yaml",
  };
  main(["run", "-f", "all.yaml", "--cluster", "one-node", ...typed.flatMap(([at, command]) => ["--at", `${at}s`, command]), "--until", `${until}s`], io);
  return printed;
}
const lines = (from: number, to: number, prefix = ""): string => Array.from({ length: to - from + 1 }, (_, i) => `${prefix}line ${from + i}\n`).join("");

describe("logs", () => {
  test("-f prints what comes until the container ends", () => expect(type(12, [3, "logs -f clock -c a"]).out).toBe(lines(0, 7)));
  test("-f waits for a container that does not run yet", () => {
    const { out, err } = type(12, [0.4, "logs -f clock -c a"]);
    expect(err).toContain('container "a" in pod "clock" is waiting to start: ContainerCreating\n');
    expect(out).toBe(lines(0, 7));
  });
  test("-f of several prefixes each line", () => expect(type(12, [3, "logs -f -l app=clock --all-containers --prefix --tail=1"]).out).toMatch(/^\[pod\/clock\/a\] line (\d)\n\[pod\/clock\/b\] one\n(\[pod\/clock\/a\] line \d\n)+$/));
  test.each([
    ["--since=2s", lines(4, 5)],
    ["--tail=2", lines(4, 5)],
    ["--tail=0", ""],
    ["--limit-bytes=9", "line 0\nli\n"],
  ])("%s", (flag, expected) => expect(type(9, [6.5, `logs clock -c a ${flag}`]).out).toBe(expected));
  test("--timestamps", () => expect(type(9, [6.5, "logs clock -c a --tail=1 --timestamps"]).out).toMatch(/^2026-01-01T00:00:0\d\.\d{9}Z line 5\n$/));
  test.each([
    ["logs -f -l app=clock --all-containers --max-log-requests=1", "error: you are attempting to follow 2 log streams, but maximum allowed concurrency is 1, use --max-log-requests to increase the limit\n"],
    ["logs -f clock -c zz", "error: container zz is not valid for pod clock out of: a, b\n"],
    ["logs -f clock -l app=clock", "error: only a selector (-l) or a POD name is allowed\nSee 'kubectl logs -h' for help and examples\n"],
  ])("%s is refused", (command, text) => expect(type(6, [4, command]).err).toContain(text));
});

describe("attach, exec, cp, debug", () => {
  test("attach shows what comes from now on", () => {
    const { out, err } = type(12, [5.5, "attach clock"]);
    expect(out).toBe(lines(5, 7));
    expect(err).toContain('Defaulted container "a" out of: a, b\nAll commands and output');
  });
  test("exec ends as its command does", () => expect(type(7, [4, "exec web -- sh -c 'exit 3'"]).err).toContain("command terminated with exit code 3\n"));
  test("cp into a folder, and what is not there", () => {
    const { out, err } = type(9, [4, "cp all.yaml web:/tmp"], [5, "exec web -- ls /tmp"], [6, "cp web:/nope x"]);
    expect(out).toBe("all.yaml\ntar: removing leading '/' from member names\ntar: /nope: No such file or directory\ntar: error exit delayed from previous errors\n");
    expect(err).toContain("command terminated with exit code 1\n");
  });
  test("cp needs tar in the container", () => expect(type(6, [4, "cp bare:/etc x"]).err).toContain('exec: \\"tar\\": executable file not found in $PATH'.replaceAll("\\", "")));
  test("debug starts a container in a running Pod", () => {
    const { out } = type(9, [4, "debug web --image=busybox:1.36 -c dbg -- sh -c 'echo seen; sleep 60'"], [6, "logs web -c dbg"], [6.5, "debug web --image=busybox:1.36"]);
    expect(out).toMatch(/^seen\nDefaulting debug container name to debugger-[b-z2-9]{5}\.\n$/);
  });
  test.each([
    ["debug web", "error: you must specify --image when not using --copy-to.\n"],
    ["debug web --image=x --replace", "error: --replace may only be used with --copy-to.\n"],
    ["debug web --image=x -t", "error: -i/--stdin is required for containers with -t/--tty=true\n"],
    ["debug web --copy-to=c", "error: you must specify --image, --set-image or command arguments.\n"],
    ["debug web --image=x --profile=odd", "error: unknown profile: odd\n"],
    ["debug sa/default --image=x", 'error: "/v1, Kind=ServiceAccount" not supported by debug\n'],
  ])("%s is refused", (command, text) => expect(type(6, [4, command]).err).toContain(text));
});

describe("watches", () => {
  test("get -w heads the first row only; --output-watch-events says what happened", () => {
    const { out } = type(9, [5, "get pod web -w --output-watch-events"], [6, "delete pod web --grace-period=1"]);
    expect(out).toMatch(/^EVENT {6}NAME {3}READY {3}STATUS {4}RESTARTS {3}AGE\nADDED {6}web {4}1\/1 {5}Running {3}0 {10}\ds\nMODIFIED {3}web {4}1\/1 {5}Terminating/);
    expect(out).toContain("DELETED    web");
  });
  test("--watch-only leaves out what is there already", () => expect(type(9, [5, "get pods -l odd=even --watch-only -o name"], [6, "label pod web odd=even"]).out).toBe("pod/web\npod/web labeled\n"));
  test("several types cannot be watched", () => expect(type(6, [5, "get pods,svc -w"]).err).toContain("error: you may only specify a single resource type\n"));
  test("events -w goes on", () => expect(type(9, [5, "events -w --for pod/web"], [6, "delete pod web --grace-period=1"]).out).toMatch(/LAST SEEN[^]*Scheduled[^]*Killing {5}Pod\/web/));
});

describe("run -i, wait", () => {
  test("run --rm -i shows the output, removes the Pod and ends as its container did", () => {
    const { out, err } = type(30, [4, "run t -i --rm --restart=Never --image=busybox:1.36 -- sh -c 'echo hi; sleep 2; echo ho; exit 3'"]);
    expect(out).toBe('hi\nho\npod "t" deleted from default namespace\n');
    expect(err).toContain("pod default/t terminated (Error)\n");
  });
  test.each([
    ["wait pod/web pod/bare --for=condition=Ready --for=jsonpath={.status.phase}=Running", "pod/web condition met\npod/web condition met\npod/bare condition met\npod/bare condition met\n"],
    ["wait pod/web pod/bare --for=condition=Odd --timeout=1s", "timed out waiting for the condition on pods/web\ntimed out waiting for the condition on pods/bare\n"],
    ["wait pod/web --for=jsonpath={.status.phase}=", "error: jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3\n"],
    ["wait pod/web --for=jsonpath={.status.conditions} --timeout=1s", "pod/web condition met\n"],
    ["wait pod/web --for=jsonpath={.status.conditions}=x --timeout=1s", "error: jsonpath leads to a nested object or list which is not supported\n"],
    ["wait pod/gone --for=delete", ""],
    ["wait pod/web --for=odd", 'error: unrecognized condition: "odd"\n'],
  ])("%s", (command, text) => {
    const { out, err } = type(9, [5, command]);
    expect(out + err).toContain(text);
  });
});
