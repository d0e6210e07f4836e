import { expect, test } from "vitest";
import { decodeObject, decodeRequest } from "./decode.ts";
import { parseJson, sortKeys } from "./json.ts";

const pod = (spec: object): object => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });
const container = (fields: object): object => pod({ containers: [{ name: "c", image: "i", ...fields }] });

test.each([
  { name: "unknown fields, in the order met", body: pod({ containers: [{ name: "c", imagePolicy: "x" }], replicas: 2 }), want: 'strict decoding error: unknown field "spec.containers[0].imagePolicy", unknown field "spec.replicas"' },
  { name: "text for a number", body: container({ ports: [{ containerPort: "80" }] }), want: "json: cannot unmarshal string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32" },
  { name: "object for a list", body: pod({ containers: { name: "c" } }), want: "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container" },
  { name: "boolean for a text", body: container({ env: [{ name: "A", value: true }] }), want: "json: cannot unmarshal bool into Go struct field EnvVar.spec.containers.env.value of type string" },
  { name: "number in a map", body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { a: 1 } }, want: "json: cannot unmarshal number into Go struct field ConfigMap.data of type string" },
  { name: "number for a named text type", body: container({ imagePullPolicy: 1 }), want: "json: cannot unmarshal number into Go struct field Container.spec.containers.imagePullPolicy of type v1.PullPolicy" },
  { name: "fraction", body: pod({ activeDeadlineSeconds: 1.5, containers: [] }), want: "json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64" },
  { name: "a quantity wins over an earlier wrong type", body: container({ tty: 1, resources: { limits: { cpu: "1 core" } } }), want: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'" },
  { name: "no kind", body: { apiVersion: "v1" }, want: "Object 'Kind' is missing in the request body" },
])("error: $name", ({ body, want }) => {
  expect(decodeObject(body).error).toBe(want);
});

test("a decoded object looks as the server answers it, and decodes to itself", () => {
  const first = decodeObject({ ...container({ command: [], resources: { requests: { cpu: 1000, memory: "1024Mi" } }, livenessProbe: null }), status: null });
  expect(first.object).toEqual({
    kind: "Pod", apiVersion: "v1", metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i", resources: { requests: { cpu: "1k", memory: "1Gi" } } }] }, status: {},
  });
  expect(decodeObject(first.object).object).toBe(first.object);
});

test("repeated keys are only seen in the text", () => {
  const parsed = parseJson('{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i","image":"j,]}"}]}}');
  expect(parsed?.duplicates).toEqual(["spec.containers[0].image"]);
  expect(decodeRequest(parsed?.value, { duplicates: parsed?.duplicates ?? [] })).toMatchObject({ code: 400, message: 'Pod in version "v1" cannot be handled as a Pod: strict decoding error: duplicate field "spec.containers[0].image"' });
  expect(parseJson("{")).toBeUndefined();
});

test("Warn and Ignore let unknown fields fall away", () => {
  const body = pod({ containers: [], replicas: 1 });
  expect(decodeObject(body, { fieldValidation: "Warn" })).toMatchObject({ warnings: ['unknown field "spec.replicas"'] });
  expect(decodeObject(body, { fieldValidation: "Ignore" })).toMatchObject({ warnings: [], object: { spec: {} } });
});

test("kubectl sends sorted keys", () => {
  expect(JSON.stringify(sortKeys({ b: [{ z: 1, a: 2 }], a: 1 }))).toBe('{"a":1,"b":[{"a":2,"z":1}]}');
});

test.each([
  { name: "text for a number", body: { apiVersion: "apps/v1", kind: "Deployment", metadata: {}, spec: { replicas: "x" } }, want: "unrecognized type: int32" },
  { name: "number for a text", body: container({ env: [{ name: "A", value: 1 }] }), want: "cannot convert int64 to string" },
  { name: "object for a list", body: pod({ containers: {} }), want: "cannot restore slice from map" },
  { name: "unknown field", body: pod({ x: 1 }), want: 'strict decoding error: unknown field "spec.x"' },
])("a patched object: $name", ({ body, want }) => {
  expect(decodeObject(body, { patched: true }).error).toBe(want);
});

test("lists that are always printed", () => {
  expect(decodeObject({ apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata: { name: "e" }, addressType: "IPv4" }).object).toMatchObject({ endpoints: null, ports: null });
  expect(decodeObject(pod({})).object).toMatchObject({ spec: { containers: [] } });
});
