import { describe, expect, test } from "vitest";
import { type Io, UsageError } from "./io.ts";
import { main } from "./main.ts";

const POD = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n    - name: web\n      image: nginx:1.27\n";
const TYPO = POD.replace("image:", "imagePolicy: x\n      image:");

function cli(argv: readonly string[], files: Readonly<Record<string, string>> = {}): { status: number; out: string; err: string } {
  const printed = { out: "", err: "" };
  const io: Io = {
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    read(path) {
      const text = files[path];
      if (text === undefined) throw new UsageError(`the path "${path}" does not exist`);
      return text;
    },
    list: () => undefined,
    exists: (path) => path in files,
  };
  return { status: main(argv, io), ...printed };
}

describe("bad usage is status 2 and one line", () => {
  test.each([
    [["launch"], /^millipod: unknown command "launch"/],
    [["run"], /^millipod run: nothing to run/],
    [["run", "-f"], /^millipod run: flag -f needs a value\n$/],
    [["run", "-f", "nowhere.yaml"], /^millipod run: the path "nowhere.yaml" does not exist\n$/],
    [["run", "-f", "pod.yaml", "-o", "xml"], /^millipod run: unknown output format "xml"/],
    [["run", "-f", "pod.yaml", "--cluster", "moon"], /^millipod run: there is no cluster "moon"/],
    [["run", "-f", "pod.yaml", "--cluster", "pod.yaml"], /^millipod run: a cluster needs at least one Node/],
    [["run", "-f", "pod.yaml", "--fault", "node.crash,node=mars"], /^millipod run: fault node.crash acts on nothing/],
    [["run", "-f", "pod.yaml", "--until", "soon"], /^millipod run: "soon" is not a time/],
    [["validate"], /^millipod validate: give the manifest/],
    [["conformance", "pod.yaml"], /^millipod conformance: pod.yaml is not JSON/],
    [["serve"], /not yet/],
  ])("%j", (argv, message) => {
    const { status, out, err } = cli(argv, { "pod.yaml": POD });
    expect([status, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /);
  });
});

describe("run", () => {
  test("prints what --at commands print at their time, and nothing else, on standard output", () => {
    const { status, out, err } = cli(["run", "-f", "pod.yaml", "--cluster", "one-node", "--at", "30s", "kubectl get pods", "--at", "31s", "delete pod web --wait=false"], { "pod.yaml": POD });
    expect(out).toMatch(/^NAME\s+READY\s+STATUS\s+RESTARTS\s+AGE\nweb\s+1\/1\s+Running\s+0\s+(29|30)s\npod "web" deleted/);
    expect(err).toContain("pod/web created\n");
    expect(status).toBe(0);
  });

  test("what the API server refuses is status 1, in kubectl's words", () => {
    const { status, err } = cli(["run", "-f", "typo.yaml", "--until", "2s", "-o", "events"], { "typo.yaml": TYPO });
    expect(status).toBe(1);
    expect(err).toContain('unknown field "spec.containers[0].imagePolicy"');
  });

  test("hops are one JSON object a line, each with a cause before it", () => {
    const { out } = cli(["run", "-f", "pod.yaml", "--until", "ready", "-o", "hops"], { "pod.yaml": POD });
    const rows = out.trim().split("\n").map((line) => JSON.parse(line) as { id: number; cause: number | null });
    const ids = new Set<number>();
    expect(rows.length).toBeGreaterThan(50);
    for (const { id, cause } of rows) {
      expect(cause === null || ids.has(cause)).toBe(true);
      ids.add(id);
    }
  });

  test("objects are what kubectl get -o yaml would hold", () => {
    const { out } = cli(["run", "-f", "pod.yaml", "--until", "ready", "-o", "objects"], { "pod.yaml": POD });
    expect(out).toMatch(/^apiVersion: v1\nitems:\n- apiVersion: /);
    expect(out).toContain("  phase: Running\n");
  });
});

test("a fault may wait for a condition; the recipe that is printed holds the time, and runs the same", () => {
  const flags = ["run", "-f", "pod.yaml", "--until", "4s", "-o", "json", "--fault"];
  const waited = cli([...flags, "kubelet.stopped@when:event Scheduled..+2s"], { "pod.yaml": POD });
  expect(waited.err).toMatch(/^# fault kubelet\.stopped begins at 0\.\d{6} s: Scheduled: Successfully assigned default\/web to /);
  const { recipe } = JSON.parse(waited.out) as { recipe: { inputs: { at: number; until: number; type: string }[] } };
  const [fault] = recipe.inputs;
  expect(fault).toEqual({ type: "fault", id: "kubelet.stopped", params: {}, at: expect.any(Number), until: (fault?.at ?? 0) + 2_000_000 });
  const timed = cli([...flags, `kubelet.stopped@${(fault?.at ?? 0) / 1e6}..${(fault?.until ?? 0) / 1e6}`], { "pod.yaml": POD });
  expect(timed.out === waited.out).toBe(true);
  expect(cli([...flags, "kubelet.stopped@when:event Evicted"], { "pod.yaml": POD })).toMatchObject({ status: 2, err: expect.stringMatching(/begins when “event Evicted” holds, which does not come within 4\.000000 s/) });
});

test("validate stores nothing and says what the server would", () => {
  expect(cli(["validate", "-f", "pod.yaml"], { "pod.yaml": POD })).toEqual({ status: 0, out: "pod/web created (server dry run)\n", err: "" });
  expect(cli(["validate", "-f", "typo.yaml"], { "typo.yaml": TYPO })).toMatchObject({ status: 1, out: "" });
});

test("lists print as text and as JSON", () => {
  for (const name of ["faults", "scenarios", "samples"]) {
    expect(cli([name]).out).toMatch(/^ID /);
    expect((JSON.parse(cli([name, "-o", "json"]).out) as unknown[]).length).toBeGreaterThan(3);
  }
});
