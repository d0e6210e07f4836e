import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseArgs } from "./args.ts";
import type { Io } from "./io.ts";
import { runSchedule, type ScheduleJson } from "./schedule.ts";

const world = (name: string): string => readFileSync(new URL(`../sim/scenarios/worlds/${name}`, import.meta.url), "utf8");

const CONFIG = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
const FILES: Readonly<Record<string, string>> = {
  "most.yaml": `${CONFIG}profiles:
- pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: MostAllocated}}
  plugins:
    score:
      disabled: [{name: TaintToleration}, {name: PodTopologySpread}, {name: NodeResourcesBalancedAllocation}]
`,
  "wrong.yaml": `${CONFIG}parallelism: 0\n`,
  "other.yaml": `${CONFIG}profiles:\n- schedulerName: other\n`,
  "cluster.yaml": world("ten-nodes.yaml"),
  "nginx.yaml": world("nginx.yaml"),
  "list.yaml": `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata: {name: n1}
  status: {allocatable: {cpu: "1", memory: 1Gi, pods: "10"}}
- apiVersion: v1
  kind: Pod
  metadata: {name: low, namespace: default}
  spec: {nodeName: n1, containers: [{name: c, resources: {requests: {cpu: 900m}}}]}
  status: {phase: Running}
`,
  "high.yaml": `apiVersion: v1
kind: Pod
metadata: {name: high}
spec: {priority: 1000, containers: [{name: c, image: a, resources: {requests: {cpu: 500m}}}]}
`,
  "deploy.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: a}]}}}
`,
};

function run(line: string): { out: string; code: number } {
  let out = "";
  const io: Io = {
    out: (text) => void (out += text),
    err: () => {},
    read: (path) => FILES[path] ?? "",
    list: () => undefined,
    exists: (path) => FILES[path] !== undefined,
  };
  const specs = [{ name: "--file", short: "-f", words: 1 }, { name: "--output", short: "-o", words: 1 }, { name: "--scheduler-config", words: 1 }];
  const code = runSchedule(parseArgs(line.split(" "), specs), io);
  return { out, code };
}

const json = (line: string): ScheduleJson => JSON.parse(run(`${line} -o json`).out) as ScheduleJson;

describe("millipod schedule", () => {
  test("explains the sample in the ten-node world", () => {
    const result = json("-f cluster.yaml -f nginx.yaml");
    expect(result.selected).toBe("worker-node-03");
    expect([...result.feasible].sort()).toEqual(["worker-node-03", "worker-node-05", "worker-node-08"]);
    expect(result.filter["control-plane-01"]).toEqual({ plugin: "TaintToleration", reasons: ["node(s) had untolerated taint(s)"], code: "UnschedulableAndUnresolvable" });
    expect(Object.keys(result.filter)).toHaveLength(7);
    expect(result.score["worker-node-03"]?.total).toBe(659);
    expect(result.score["worker-node-03"]?.plugins["TaintToleration"]).toEqual({ raw: 0, normalized: 100, weight: 3, weighted: 300 });
    expect(result.event).toBe("Successfully assigned default/nginx to worker-node-03");
    expect(result.preemption).toBeNull();
  });

  test("knows the built-in worlds by name", () => {
    expect(json("-f ten-nodes -f nginx.yaml").selected).toBe("worker-node-03");
  });

  test("tells victims", () => {
    const result = json("-f list.yaml -f high.yaml");
    expect(result).toMatchObject({ selected: null, event: "0/1 nodes are available: 1 Insufficient cpu.", preemption: { node: "n1", victims: ["default/low"] } });
    expect(result.filter["n1"]).toEqual({ plugin: "NodeResourcesFit", reasons: ["Insufficient cpu"], code: "Unschedulable" });
  });

  test("takes the first Pod of a Deployment", () => {
    expect(json("-f list.yaml -f deploy.yaml").event).toBe("Successfully assigned default/web-0 to n1");
  });

  test("decides by another configuration", () => {
    const result = json("-f cluster.yaml -f nginx.yaml --scheduler-config most.yaml");
    expect(result.selected).toBe("worker-node-05");
    expect(result.explain.scores.map((s) => s.plugin)).toEqual(["NodeResourcesFit", "DynamicResources", "ImageLocality"]);
    expect(result.explain.scores[0]?.nodes.find((n) => n.node === "worker-node-05")?.formula).toMatch(/^cpu 2250 × 100 \/ 4000 = 56; memory 7650410496 × 100 \/ 17179869184 = 44; weighted mean 100 \/ 2 = 50$/);
  });

  test("explains how the sentence came about", () => {
    const result = json("-f list.yaml -f high.yaml");
    expect(result.explain.sentence.map((part) => part.text).join("")).toBe(result.event);
    expect(result.explain.candidates).toMatchObject([{ node: "n1", victims: ["default/low"] }]);
  });

  test("prints a table for readers", () => {
    const { out, code } = run("-f cluster.yaml -f nginx.yaml");
    expect(code).toBe(0);
    expect(out).toMatch(/worker-node-04 +NodeResourcesFit +UnschedulableAndUnresolvable|worker-node-04 +NodeResourcesFit +Unschedulable/);
    expect(out).toMatch(/worker-node-03 .*0 > 100 x 3 = 300.*659/);
    expect(out.trimEnd().endsWith("Scheduled: Successfully assigned default/nginx to worker-node-03")).toBe(true);
  });

  test.each(["", "-f high.yaml", "-f cluster.yaml", "-f cluster.yaml -f nginx.yaml -o xml", "-f cluster.yaml -f nginx.yaml --scheduler-config wrong.yaml", "-f cluster.yaml -f nginx.yaml --scheduler-config other.yaml"])("usage error: %s", (line) => {
    expect(() => run(line)).toThrow();
  });
});

describe("odd files", () => {
  const NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {allocatable: {cpu: '2', memory: 4Gi, pods: '9'}}\n";
  const POD = "spec: {containers: [{name: c, image: x}]}";
  const of = (...files: string[]): { out: string; code: number } => {
    const all: Record<string, string> = Object.fromEntries(files.map((text, i) => [`f${i}`, text]));
    let out = "";
    const io: Io = { out: (text) => void (out += text), err: () => {}, read: (path) => all[path] ?? "", list: () => undefined, exists: (path) => all[path] !== undefined };
    const code = runSchedule(parseArgs(files.map((_, i) => `-f f${i}`).join(" ").split(" "), [{ name: "--file", short: "-f", words: 1 }, { name: "--output", short: "-o", words: 1 }]), io);
    return { out, code };
  };

  test.each<[string, readonly string[], string]>([
    ["a typed list whose items leave out their kind", [NODE, `apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: p}\n  ${POD}\n`], "Successfully assigned default/p to a"],
    ["unknown kinds, empty documents and null items", [`${NODE}---\n---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n`, `apiVersion: v1\nkind: List\nitems:\n- null\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: p}\n  ${POD}\n`], "Successfully assigned default/p to a"],
    ["a node that says nothing of itself", ["apiVersion: v1\nkind: Node\nmetadata: {name: bare}\n", `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n${POD}\n`], "0/1 nodes are available: 1 Too many pods."],
    ["a Pod that says nothing of itself", [NODE, "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"], "Successfully assigned default/p to a"],
    ["of several Pods the one that waits", [NODE, `apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: done}\n  ${POD}\n  status: {phase: Failed}\n- metadata: {name: there}\n  spec: {nodeName: a, containers: []}\n- metadata: {name: p}\n  ${POD}\n`], "Successfully assigned default/p to a"],
    ["a Job", [NODE, `apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {template: {${POD.replace("spec", "spec")}}}\n`], "Successfully assigned default/j-0 to a"],
    ["a Pod with gates", [NODE, `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {schedulingGates: [{name: g}], containers: []}\n`], "Pod default/p is not tried: waiting for scheduling gates: [g]"],
  ])("%s", (_, files, want) => expect(of(...files).out).toContain(want));

  test.each<[string, readonly string[], string]>([
    ["items that are no list", [NODE, "apiVersion: v1\nkind: List\nitems: 7\n"], "f1: List: items is no list"],
    ["no kind", [NODE, "metadata: {name: p}\n"], "f1: no Kubernetes object: kind is not set"],
    ["a text", [NODE, "hello"], 'f1: no Kubernetes object: "hello"'],
    ["an amount that is none", [NODE, "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, resources: {requests: {cpu: abc}}}]}\n"], "f1: Pod p: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ["a name that YAML 1.1 takes for no", [NODE, "apiVersion: v1\nkind: Pod\nmetadata: {name: n}\n"], "f1: Pod without a name: json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.name of type string"],
    ["a DaemonSet", [NODE, "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: d}\nspec: {selector: {}, template: {}}\n"], "each Pod of a DaemonSet is made for one node: give one of its Pods"],
    ["no Pod that waits", [NODE, "apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: p}\n  spec: {nodeName: a, containers: []}\n- metadata: {name: q}\n  spec: {nodeName: a, containers: []}\n"], "no Pod to place: none of the Pods in the last file waits for a node"],
  ])("%s is refused", (_, files, want) => expect(() => of(...files)).toThrow(want));
});
