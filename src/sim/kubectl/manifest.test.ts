import { expect, test } from "vitest";
import { readManifest } from "./manifest.ts";

const errors = (text: string): readonly (string | undefined)[] => readManifest("x.yaml", text).map(({ error }) => error);
const HINT = "; if you choose to ignore these errors, turn validation off with --validate=false";
const POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n";

test.each([
  ["two documents", `${POD}---\n${POD}`, [undefined, undefined]],
  ["a list kind is taken apart", "apiVersion: v1\nkind: ConfigMapList\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n", [undefined, undefined]],
  ["what is no object ends the file", `kind:\n---\n${POD}`, [`error: error validating "x.yaml": error validating data: [apiVersion not set, kind not set]${HINT}`]],
  ["an unknown kind does not", `apiVersion: v1\nkind: Pood\nmetadata: {name: a}\n---\n${POD}`, ['error: resource mapping not found for name: "a" namespace: "" from "x.yaml": no matches for kind "Pood" in version "v1"\nensure CRDs are installed first', undefined]],
  ["a text is no object, whatever follows it", "--\n# x\na: b\n::::\n", [`error: error validating "x.yaml": error validating data: invalid object to validate${HINT}`]],
  ["an escaped single quote", `${POD}data: {a: "it\\'s"}\n`, [undefined]],
  ["a merge of a list", `a: &l [1]\nb: {<<: *l}\n`, ["error: error parsing x.yaml: error converting YAML to JSON: yaml: map merge requires map or sequence of maps as the value"]],
  ["what was read before a mistake is kept", `${POD}---\n${POD}  x: y\n`, [undefined, "error: error parsing x.yaml: error converting YAML to JSON: yaml: line 3: did not find expected key"]],
  ["an alias that holds itself", "a: &x\n  b: *x\n", ["error: error parsing x.yaml: error converting YAML to JSON: yaml: anchor 'x' value contains itself"]],
  ["JSON objects one after another", '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"}}{"a" 1}', [undefined, undefined, "error: error parsing x.yaml: invalid character '1' after object key"]],
  ["thousands of levels", `${POD}data: ${"[".repeat(9000)}${"]".repeat(9000)}\n`, [undefined]],
  ["items of a List are checked here", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  spec: {containers: [{name: 1, nope: x}], priority: high}\n", [`error: error validating "x.yaml": error validating data: [ValidationError(Pod.spec.containers[0]): unknown field "nope" in io.k8s.api.core.v1.Container, ValidationError(Pod.spec.priority): invalid type for io.k8s.api.core.v1.PodSpec.priority: got "string", expected "integer"]${HINT}`]],
])("%s", (_name, text, expected) => expect(errors(text)).toEqual(expected));
