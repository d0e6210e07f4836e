import { describe, expect, test } from "vitest";
import { checkManifest } from "./check-manifest.ts";

const POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n";

describe("checkManifest", () => {
  test.each([
    { name: "a plain Pod is simulated in full", text: `${POD}  containers: [{name: c, image: nginx}]\n`, want: [] },
    { name: "a claim", text: `${POD}  volumes:\n  - name: a\n    emptyDir: {}\n  - name: d\n    persistentVolumeClaim: {claimName: x}\n`, want: [] },
    { name: "a template", text: "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      os: {name: linux}\n", want: ["spec.template.spec.os:6"] },
    { name: "a kind without a controller", text: "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n", want: ["kind:2"] },
    { name: "users, groups and capabilities are acted on", text: `${POD}  securityContext: {runAsNonRoot: true, fsGroup: 1}\n`, want: [] },
    { name: "what the nodes do not have", text: `${POD}  containers:\n  - name: c\n    securityContext: {privileged: true, seLinuxOptions: {level: s0}}\n`, want: ["spec.containers[0].securityContext.seLinuxOptions:7"] },
    { name: "several documents", text: `${POD}---\n${POD}  os: {name: linux}\n`, want: ["spec.os:10"] },
    { name: "a List", text: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  spec: {os: {name: linux}}\n", want: ["items[0].spec.os:6"] },
  ])("$name", ({ text, want }) => {
    expect(checkManifest(text).notSimulated.map((entry) => `${entry.path}:${entry.line}`)).toEqual(want);
  });

  test("says where the YAML breaks", () => {
    const report = checkManifest("kind: Pod\nspec:\n\tcontainers: []\n");
    expect(report.problems[0]).toMatchObject({ line: 3 });
    expect(report.notSimulated).toEqual([]);
  });

  test.each([
    { name: "in a later document, at the token", text: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n---\nkind: Pod\nspec:\n  a: [b\n  c: d\n", want: ["9:4: did not find expected ',' or ']'"] },
    { name: "a value where none may be", text: "kind: Pod\nmetadata: {}\n  x: y\n", want: ["3:3: did not find expected key"] },
    { name: "an alias of nothing", text: "kind: Pod\r\nspec: *x\r\n", want: ["2:7: unknown anchor 'x' referenced"] },
    { name: "JSON", text: '{\n  "kind": "Pod",\n  "spec" {}\n}\n', want: ["3:10: invalid character '{' after object key"] },
    { name: "a field behind an alias", text: `${POD}  containers:\n  - &c {name: c, imag: x}\n  - *c\n`, want: ['6:18: unknown field "spec.containers[0].imag"', '6:18: unknown field "spec.containers[1].imag"'] },
    { name: "a field of a JSON object", text: '{"apiVersion": "v1", "kind": "Pod",\n "spec": {"x": 1}}', want: ['2:11: unknown field "spec.x"'] },
    { name: "a separator with a text", text: "kind: Pod\n--- x\n", want: ["2:1: invalid Yaml document separator: x"] },
  ])("places: $name", ({ text, want }) => {
    expect(checkManifest(text).problems.map(({ line, column, message }) => `${line}:${column}: ${message}`)).toEqual(want);
  });

  test.each([
    { name: "an unknown field, at its key", text: `${POD}  containerz: []\n  containers:\n  - name: c\n    imagePolicy: x\n`, want: ['5: unknown field "spec.containerz"', '8: unknown field "spec.containers[0].imagePolicy"'] },
    { name: "a wrong type, in the server's words", text: "---\napiVersion: v1\nkind: Service\nspec:\n  ports: [{port: abc}]\n", want: ["5: json: cannot unmarshal string into Go struct field ServicePort.spec.ports.port of type int32"] },
    { name: "a value outside an enum", text: `${POD}  restartPolicy: Sometimes\n  containers:\n  - name: c\n    image: x\n`, want: ['5: spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'] },
    { name: "a quantity that is none", text: `${POD}  containers:\n  - name: c\n    image: x\n    resources:\n      limits:\n        cpu: lots\n`, want: ["10: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"] },
    { name: "an item of a List", text: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: p}\n  spec:\n    containers:\n    - name: C\n      image: x\n", want: ["9: spec.containers[0].name: Invalid value: \"C\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"] },
    { name: "what the server fills in is not missed", text: "apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: j-}\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n      containers: [{name: c, image: x}]\n", want: [] },
    { name: "a kind nobody knows is kubectl's to refuse", text: "apiVersion: example.com/v1\nkind: Widget\n", want: [] },
  ])("problems: $name", ({ text, want }) => {
    expect(checkManifest(text).problems.map((problem) => `${problem.line}: ${problem.message}`)).toEqual(want);
  });
});
