import { expect, test } from "vitest";
import { AdmissionEvaluation } from "../../api/cel/admission.ts";
import type { KubeObject } from "../../api/types.ts";
import { withApplyConfiguration } from "./apply-configuration.ts";
import type { AdmissionAttributes } from "./attributes.ts";

const attrs = { list: () => [] } as unknown as AdmissionAttributes;
const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a", labels: { x: "1" } }, spec: { containers: [{ name: "c", image: "i", args: ["a"] }, { name: "d", image: "j" }], nodeSelector: { os: "linux" } } } as unknown as KubeObject;
const ATOMIC = "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ";

test.each<readonly [string, object, unknown]>([
  ["maps merge", { metadata: { labels: { y: "2" } } }, { metadata: { labels: { x: "1", y: "2" } } }],
  ["lists with keys merge item by item", { spec: { containers: [{ name: "d", image: "k" }] } }, { spec: { containers: [{ name: "c", image: "i" }, { name: "d", image: "k" }] } }],
  ["an atomic list is left alone", { spec: { containers: [{ name: "c", args: ["b"] }] } }, `${ATOMIC}.spec.containers[0].args`],
  ["so is an atomic map", { spec: { nodeSelector: { arch: "arm64" } } }, `${ATOMIC}.spec.nodeSelector`],
  ["each is named", { spec: { nodeSelector: {}, tolerations: [] } }, `${ATOMIC}.spec.nodeSelector, .spec.tolerations`],
  ["a field that is none", { spec: { colour: "red" } }, "error applying patch: failed to convert patch object to typed object: .spec.colour: field not declared in schema"],
])("%s", (_, value, expected) => {
  const result = withApplyConfiguration(pod, value, attrs);
  if (typeof expected === "string") expect(result).toBe(expected);
  else expect(result).toMatchObject(expected as object);
});

test.each<readonly [string, readonly (readonly [string, string])[], string, unknown]>([
  ["a variable that nobody reads is not computed", [["bad", "object.spec.nothing"]], "true || variables.bad == 1", { value: true }],
  ["one that is read fails the reader", [["bad", "object.spec.nothing"]], "variables.bad == 1", { error: `expression 'variables.bad == 1' resulted in error: composited variable "bad" fails to evaluate: no such key: nothing` }],
  ["one reads another", [["one", "1"], ["two", "variables.one + 1"]], "variables.two == 2 && variables.one == 1", { value: true }],
  ["behind a condition", [["bad", "object.spec.nothing"]], "has(object.spec.nothing) ? variables.bad : 'none'", { value: "none" }],
])("%s", (_, variables, expression, expected) => {
  const evaluation = new AdmissionEvaluation(variables.map(([name, text]) => ({ name, expression: text })), {}, { object: pod }, 10_000_000);
  expect(evaluation.run(expression, [])).toMatchObject(expected as object);
});
