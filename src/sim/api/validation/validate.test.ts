import { expect, test } from "vitest";
import { decodeObject } from "../decode.ts";
import { applyDefaults } from "../defaulting/apply-defaults.ts";
import { fieldErrorText } from "../field-error.ts";
import type { KubeObject } from "../types.ts";
import { invalidStatus, validateCreate, validateUpdate } from "./validate.ts";

function object(body: object): KubeObject {
  const decoded = decodeObject(body);
  if (decoded.error !== undefined) throw new Error(decoded.error);
  return applyDefaults(decoded.object);
}
const meta = { name: "x", namespace: "default" };
const pod = (spec: object, metadata: object = meta): KubeObject => object({ apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [{ name: "c", image: "i" }], ...spec } });
const container = (fields: object): KubeObject => pod({ containers: [{ name: "c", image: "i", ...fields }] });
const texts = (o: KubeObject): string[] => validateCreate(o).map(fieldErrorText);
const deployment = (spec: object): KubeObject =>
  object({ apiVersion: "apps/v1", kind: "Deployment", metadata: meta, spec: { selector: { matchLabels: { app: "a" } }, template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i" }] } }, ...spec } });

test.each([
  { name: "valid", of: pod({}), want: [] },
  { name: "negative request", of: container({ resources: { requests: { cpu: "-100m" } } }), want: ['spec.containers[0].resources.requests[cpu]: Invalid value: "-100m": must be greater than or equal to 0'] },
  { name: "request over limit", of: container({ resources: { requests: { memory: "2Gi" }, limits: { memory: "1Gi" } } }), want: ['spec.containers[0].resources.requests: Invalid value: "2Gi": must be less than or equal to memory limit of 1Gi'] },
  {
    name: "unknown resource",
    of: container({ resources: { requests: { cpus: 1 } } }),
    want: ['spec.containers[0].resources.requests[cpus]: Invalid value: "cpus": must be a standard resource type or fully qualified', 'spec.containers[0].resources.requests[cpus]: Invalid value: "cpus": must be a standard resource for containers'],
  },
  { name: "vendor resource without limit", of: container({ resources: { requests: { "nvidia.com/gpu": 1 } } }), want: ["spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources"] },
  { name: "liveness success threshold", of: container({ livenessProbe: { exec: { command: ["x"] }, successThreshold: 2 } }), want: ["spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1"] },
  { name: "two handlers", of: container({ livenessProbe: { exec: { command: ["x"] }, tcpSocket: { port: 1 } } }), want: ["spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type"] },
  { name: "protocol is upper case", of: container({ ports: [{ containerPort: 1, protocol: "tcp" }] }), want: ['spec.containers[0].ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"'] },
  { name: "configMapKeyRef without name", of: container({ env: [{ name: "A", valueFrom: { configMapKeyRef: { key: "k", name: "Bad_Name" } } }] }), want: [expect.stringContaining('spec.containers[0].env[0].valueFrom.configMapKeyRef.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain')] },
  { name: "value and valueFrom", of: container({ env: [{ name: "A", value: "b", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] }), want: ['spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty'] },
  { name: "field that env cannot have", of: container({ env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "status.phase" } } }] }), want: ['spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "status.phase": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"'] },
  { name: "two volume sources", of: pod({ volumes: [{ name: "a", emptyDir: {}, hostPath: { path: "/x" } }] }), want: ["spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type"] },
  { name: "toleration without key", of: pod({ tolerations: [{ operator: "Equal", value: "v" }] }), want: ['spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"'] },
  { name: "tolerationSeconds needs NoExecute", of: pod({ tolerations: [{ key: "k", operator: "Exists", effect: "NoSchedule", tolerationSeconds: 5 }] }), want: ['spec.tolerations[0].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when `tolerationSeconds` is set'] },
  { name: "gated and placed", of: pod({ nodeName: "n", schedulingGates: [{ name: "a.b/c" }] }), want: ["spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared"] },
  { name: "DNS policy None", of: pod({ dnsPolicy: "None" }), want: ["spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"] },
  { name: "init container with the name of a container", of: pod({ initContainers: [{ name: "c", image: "i" }] }), want: ['spec.initContainers[0].name: Duplicate value: "c"'] },
  { name: "no containers", of: pod({ containers: [] }), want: ["spec.containers: Required value"] },
  { name: "no name", of: pod({}, { namespace: "default" }), want: ["metadata.name: Required value: name or generateName is required"] },
  { name: "template labels", of: deployment({ selector: { matchLabels: { app: "b" } } }), want: ['spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`'] },
  { name: "never restarted deployment", of: deployment({ template: { metadata: { labels: { app: "a" } }, spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } } }), want: ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'] },
  { name: "ports need names", of: object({ apiVersion: "v1", kind: "Service", metadata: meta, spec: { ports: [{ port: 1 }, { port: 2, name: "b" }] } }), want: ["spec.ports[0].name: Required value"] },
  { name: "job restarts", of: object({ apiVersion: "batch/v1", kind: "CronJob", metadata: meta, spec: { schedule: "* * * *", jobTemplate: { spec: { template: { spec: { containers: [{ name: "c", image: "i" }] } } } } } }), want: ['spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]', 'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'] },
])("create: $name", ({ of, want }) => {
  expect(texts(of)).toEqual(want);
});

test("privileged needs --allow-privileged", () => {
  const privileged = container({ securityContext: { privileged: true } });
  expect(validateCreate(privileged, { allowPrivileged: false }).map(fieldErrorText)).toEqual(["spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy"]);
  expect(validateCreate(privileged)).toEqual([]);
});

test("a workload's selector is immutable", () => {
  const old = { ...deployment({}), metadata: { ...meta, resourceVersion: "1" } };
  const changed = deployment({ selector: { matchLabels: { app: "b" } }, template: { metadata: { labels: { app: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } } });
  expect(validateUpdate({ ...changed, metadata: old.metadata }, old).map(fieldErrorText)).toEqual(['spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable']);
  expect(validateUpdate(old, old)).toEqual([]);
});

test("the 422 names kind and group and lists each cause", () => {
  const status = invalidStatus(deployment({ replicas: -1 }), validateCreate(deployment({ replicas: -1 })));
  expect(status).toMatchObject({ code: 422, reason: "Invalid", message: 'Deployment.apps "x" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0', details: { group: "apps", kind: "Deployment", causes: [{ field: "spec.replicas" }] } });
});
