import { expect, test } from "vitest";
import { toYaml } from "./yaml.ts";

test("prints an object as kubectl get -o yaml does", () => {
  const pod = {
    kind: "Pod",
    apiVersion: "v1",
    metadata: { name: "web", resourceVersion: "1041", creationTimestamp: "2026-01-01T00:00:00Z", labels: { on: "yes", app: "web" }, managedFields: [{ manager: "kubectl" }], annotations: { note: "a: b" } },
    spec: { containers: [{ name: "nginx", image: "nginx:1.27", resources: {}, args: [] as string[], tty: undefined }], nodeName: undefined },
    status: { conditions: [{ type: "Ready", status: "True", lastProbeTime: null }] },
  };
  expect(toYaml(pod)).toBe(`apiVersion: v1
kind: Pod
metadata:
  annotations:
    note: 'a: b'
  creationTimestamp: "2026-01-01T00:00:00Z"
  labels:
    app: web
    "on": "yes"
  name: web
  resourceVersion: "1041"
spec:
  containers:
  - args: []
    image: nginx:1.27
    name: nginx
    resources: {}
status:
  conditions:
  - lastProbeTime: null
    status: "True"
    type: Ready
`);
});

test.each([
  { name: "several lines are a block", value: { script: "a\nb\n" }, want: "script: |\n  a\n  b\n" },
  { name: "a number as text keeps its quotes", value: { port: "80" }, want: 'port: "80"\n' },
  { name: "a number does not", value: { port: 80 }, want: "port: 80\n" },
  { name: "nothing is nothing", value: undefined, want: "" },
  { name: "long text is not folded", value: { t: `${"word ".repeat(40)}end` }, want: `t: ${"word ".repeat(40)}end\n` },
])("$name", ({ value, want }) => expect(toYaml(value)).toBe(want));
