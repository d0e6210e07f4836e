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
  { name: "an embedded struct is part of the way", body: pod({ containers: [], volumes: [{ name: "v", emptyDir: "x" }] }), want: "json: cannot unmarshal string into Go struct field Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource" },
  { name: "embedded reference", body: container({ env: [{ name: "A", valueFrom: { secretKeyRef: { name: 1, key: "k" } } }] }), want: "json: cannot unmarshal number into Go struct field SecretKeySelector.spec.containers.env.valueFrom.secretKeyRef.LocalObjectReference.name of type string" },
  { name: "int32 overflow", body: container({ ports: [{ containerPort: 2147483648 }] }), want: "json: cannot unmarshal number 2147483648 into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32" },
  { name: "boolean for a port", body: container({ livenessProbe: { httpGet: { port: true } } }), want: "json: cannot unmarshal bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32" },
  { name: "fraction for a port", body: { apiVersion: "v1", kind: "Service", metadata: {}, spec: { ports: [{ port: 80, targetPort: 1.5 }] } }, want: "json: cannot unmarshal number 1.5 into Go struct field ServicePort.spec.ports.targetPort of type int32" },
  { name: "number for a time", body: { apiVersion: "v1", kind: "Pod", metadata: { creationTimestamp: 1 } }, want: "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string" },
  { name: "date for a time", body: { apiVersion: "v1", kind: "Pod", metadata: { creationTimestamp: "2026-01-01" } }, want: 'parsing time "2026-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"' },
  { name: "month of a time", body: { apiVersion: "v1", kind: "Pod", metadata: { creationTimestamp: "2026-13-01T00:00:00Z" } }, want: 'parsing time "2026-13-01T00:00:00Z": month out of range' },
  { name: "day of a time", body: { apiVersion: "v1", kind: "Pod", metadata: { creationTimestamp: "2026-02-29T00:00:00Z" } }, want: 'parsing time "2026-02-29T00:00:00Z": day out of range' },
  { name: "micro time without a fraction", body: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: {}, spec: { renewTime: "2026-01-01T00:00:00Z" } }, want: 'parsing time "2026-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"' },
  { name: "base64", body: { apiVersion: "v1", kind: "Secret", metadata: {}, data: { a: "abc" } }, want: "illegal base64 data at input byte 0" },
  { name: "base64 with one pad too few", body: { apiVersion: "v1", kind: "Secret", metadata: {}, data: { a: "YWJjZA=" } }, want: "illegal base64 data at input byte 7" },
  { name: "text for a boolean schema", body: { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: {}, spec: { versions: [{ name: "v1", schema: { openAPIV3Schema: { additionalProperties: "yes" } } }] } }, want: "boolean or JSON schema expected" },
  { name: "wrong type in a schema's items", body: { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: {}, spec: { versions: [{ name: "v1", schema: { openAPIV3Schema: { items: { type: 1 } } } }] } }, want: "json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items.type of type string" },
  { name: "a list", body: [], want: `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }` },
  { name: "a number for the kind", body: { apiVersion: "v1", kind: 1 }, want: "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string" },
  { name: "no kind", body: { apiVersion: "v1" }, want: `Object 'Kind' is missing in '{"apiVersion":"v1"}'` },
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
  { name: "number for a named text", body: container({ imagePullPolicy: 1 }), want: "cannot convert int64 to v1.PullPolicy" },
  { name: "the first field of the struct counts", body: pod({ nodeName: 1, containers: "x" }), want: "cannot restore slice from string" },
  { name: "fraction", body: { apiVersion: "apps/v1", kind: "Deployment", metadata: {}, spec: { replicas: 1.5 } }, want: "cannot convert float64 to int32" },
  { name: "base64", body: { apiVersion: "v1", kind: "Secret", metadata: {}, data: { a: "%" } }, want: "error decoding from json: illegal base64 data at input byte 0" },
  { name: "unknown fields, sorted", body: pod({ z: 1, a: 1, containers: [] }), want: 'strict decoding error: unknown field "spec.a", unknown field "spec.z"' },
  { name: "object for a list", body: pod({ containers: {} }), want: "cannot restore slice from map" },
  { name: "unknown field", body: pod({ x: 1 }), want: 'strict decoding error: unknown field "spec.x"' },
])("a patched object: $name", ({ body, want }) => {
  expect(decodeObject(body, { patched: true }).error).toBe(want);
});

test("lists that are always printed", () => {
  expect(decodeObject({ apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata: { name: "e" }, addressType: "IPv4" }).object).toMatchObject({ endpoints: null, ports: null });
  expect(decodeObject(pod({})).object).toMatchObject({ spec: { containers: [] } });
});

test("the URL says what a body leaves out, and a reference's missing group is printed", () => {
  const expected = { apiVersion: "v1", kind: "PersistentVolumeClaim" };
  expect(decodeObject({ metadata: { name: "c" }, spec: { dataSource: { kind: "PersistentVolumeClaim", name: "d" } } }, { expected }).object).toMatchObject({ ...expected, spec: { dataSource: { apiGroup: null } } });
  expect(decodeRequest([], { expected })).toMatchObject({ code: 400, message: expect.stringMatching(/^the object provided is unrecognized \(must be of type PersistentVolumeClaim\): .* \(5b5d\)$/) as string });
});
