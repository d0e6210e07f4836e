import { expect, test } from "vitest";
import { probePeriod, withProbePeriod } from "./probe-period.ts";

const head = "kind: Pod\nspec:\n  containers:\n  - name: c\n";

test.each([
  { name: "given, in a block", text: `${head}    readinessProbe:\n      httpGet: {path: /, port: 80}\n      periodSeconds: 5 # often\n`, was: 5, want: `${head}    readinessProbe:\n      httpGet: {path: /, port: 80}\n      periodSeconds: 2 # often\n` },
  { name: "not given, in a block", text: `${head}    readinessProbe:\n      httpGet: {path: /, port: 80}\n`, was: 10, want: `${head}    readinessProbe:\n      periodSeconds: 2\n      httpGet: {path: /, port: 80}\n` },
  { name: "not given, in braces", text: `${head}    readinessProbe: {tcpSocket: {port: 80}}\n`, was: 10, want: `${head}    readinessProbe: {periodSeconds: 2, tcpSocket: {port: 80}}\n` },
  { name: "both that gate a start, in two documents", text: `${head}    startupProbe: {periodSeconds: 7, exec: {}}\n---\n${head}    readinessProbe: {periodSeconds: 8}\n    livenessProbe: {periodSeconds: 9}\n`, was: 7, want: `${head}    startupProbe: {periodSeconds: 2, exec: {}}\n---\n${head}    readinessProbe: {periodSeconds: 2}\n    livenessProbe: {periodSeconds: 9}\n` },
  { name: "JSON", text: '{"kind": "Pod", "spec": {"containers": [{"readinessProbe": {"periodSeconds": 3}}]}}', was: 3, want: '{"kind": "Pod", "spec": {"containers": [{"readinessProbe": {"periodSeconds": 2}}]}}' },
  { name: "none", text: head, was: undefined, want: head },
  { name: "no YAML", text: "a: [", was: undefined, want: "a: [" },
])("$name", ({ text, was, want }) => {
  expect(probePeriod(text)).toBe(was);
  expect(withProbePeriod(text, 2)).toBe(want);
});
