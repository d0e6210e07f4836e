import { expect, test } from "vitest";
import { SECOND } from "../../api/time.ts";
import type { KubeObject, Pod, Service } from "../../api/types.ts";
import { beforeDelete } from "./graceful-delete.ts";
import { prepareForCreate, prepareForStatusUpdate, prepareForUpdate } from "./registry.ts";
import { allocateService, type ServiceAllocator } from "./services.ts";

const pod = (fields: Partial<Pod>): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "p", generation: 1 }, spec: { containers: [{ name: "c" }], nodeName: "n", terminationGracePeriodSeconds: 30 }, ...fields });
const marked = { name: "p", generation: 2, deletionTimestamp: "2026-01-01T00:00:40Z", deletionGracePeriodSeconds: 30 };

test.each([
  { name: "running Pod", object: pod({}), request: {}, want: { type: "mark", object: { metadata: { generation: 2, deletionGracePeriodSeconds: 30, deletionTimestamp: "2026-01-01T00:00:40Z" } } } },
  { name: "unscheduled Pod", object: pod({ spec: { containers: [], terminationGracePeriodSeconds: 30 } }), request: {}, want: { type: "remove" } },
  { name: "finished Pod", object: pod({ status: { phase: "Failed" } }), request: {}, want: { type: "remove" } },
  { name: "force", object: pod({}), request: { gracePeriodSeconds: 0 }, want: { type: "remove" } },
  { name: "finalizer keeps it", object: pod({ metadata: { name: "p", finalizers: ["a/b"] } }), request: { gracePeriodSeconds: 0 }, want: { type: "mark", object: { metadata: { deletionGracePeriodSeconds: 0 } } } },
  { name: "second DELETE may shorten", object: pod({ metadata: marked }), request: { gracePeriodSeconds: 5 }, want: { type: "mark", object: { metadata: { deletionTimestamp: "2026-01-01T00:00:15Z", deletionGracePeriodSeconds: 5 } } } },
  { name: "second DELETE may not lengthen", object: pod({ metadata: marked }), request: { gracePeriodSeconds: 60 }, want: { type: "unchanged" } },
  { name: "the kubelet's last DELETE", object: pod({ metadata: marked }), request: { gracePeriodSeconds: 0 }, want: { type: "remove" } },
  { name: "ConfigMap", object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } }, request: { propagationPolicy: "Background" }, want: { type: "remove" } },
  { name: "foreground", object: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" } }, request: { propagationPolicy: "Foreground" }, want: { type: "mark", object: { metadata: { finalizers: ["foregroundDeletion"] } } } },
])("delete: $name", ({ object, request, want }) => {
  expect(beforeDelete(object, request, 10 * SECOND)).toMatchObject(want);
});

test("a client's status is thrown away at creation", () => {
  const created = prepareForCreate(pod({ status: { phase: "Running", podIP: "1.2.3.4" } }));
  expect(created).toMatchObject({ metadata: { generation: 1 }, status: { phase: "Pending", qosClass: "BestEffort" } });
  expect(created.status).not.toHaveProperty("podIP");
});

test("generation counts changes of spec only", () => {
  const old: KubeObject = { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name: "r", generation: 3 }, spec: { replicas: 1 }, status: { replicas: 1 } };
  expect(prepareForUpdate({ ...old, spec: { replicas: 2 }, status: {} }, old)).toMatchObject({ metadata: { generation: 4 }, status: { replicas: 1 } });
  expect(prepareForUpdate({ ...old, metadata: { ...old.metadata, labels: { a: "b" } } }, old).metadata.generation).toBe(3);
  const labelled = { ...old, metadata: { ...old.metadata, labels: { a: "b" }, annotations: { c: "d" } } };
  expect(prepareForStatusUpdate(labelled, old).metadata).toEqual(labelled.metadata);
  expect(prepareForStatusUpdate({ ...labelled, kind: "Deployment" }, { ...old, kind: "Deployment" }).metadata).toEqual({ ...old.metadata, annotations: { c: "d" } });
  expect(prepareForStatusUpdate({ ...old, spec: { replicas: 9 }, status: { replicas: 2 } }, old)).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 2 }, metadata: { generation: 3 } });
});

test("a Job selects by its own uid, a Secret keeps data only, a namespace has its finalizer", () => {
  const job = prepareForCreate({ apiVersion: "batch/v1", kind: "Job", metadata: { name: "j", uid: "u" }, spec: { template: { spec: {} } } });
  expect(job.spec).toMatchObject({ selector: { matchLabels: { "batch.kubernetes.io/controller-uid": "u" } }, template: { metadata: { labels: { "job-name": "j", "controller-uid": "u" } } } });
  const secret = prepareForCreate({ apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data: { a: "eA==" }, stringData: { b: "y" } } as KubeObject);
  expect(secret).toEqual({ apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data: { a: "eA==", b: "eQ==" } });
  expect(prepareForCreate({ apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } })).toMatchObject({ spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } });
});

const allocator: ServiceAllocator = {
  serviceRange: "10.96.0.0/16",
  nextClusterIP: () => "10.96.0.7",
  claimClusterIP: (ip) => (ip.startsWith("10.96.") ? (ip === "10.96.0.1" ? "taken" : "free") : "outside"),
  nextNodePort: () => 30_001,
  claimNodePort: (port) => (port < 30_000 ? "outside" : "free"),
};
const service = (spec: Service["spec"]): Service => ({ apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec });

test.each([
  { name: "cluster IP", spec: { type: "ClusterIP", ports: [] }, want: { spec: { clusterIP: "10.96.0.7", clusterIPs: ["10.96.0.7"], ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" } } },
  { name: "headless", spec: { type: "ClusterIP", clusterIP: "None", selector: { a: "b" } }, want: { spec: { clusterIPs: ["None"], ipFamilyPolicy: "SingleStack" } } },
  { name: "node port", spec: { type: "NodePort", ports: [{ port: 80 }] }, want: { spec: { ports: [{ port: 80, nodePort: 30_001 }] } } },
  { name: "node port out of range", spec: { type: "NodePort", ports: [{ port: 80, nodePort: 80 }] }, want: { code: 422, message: 'Service "s" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767' } },
  { name: "taken IP", spec: { type: "ClusterIP", clusterIP: "10.96.0.1" }, want: { code: 422, message: 'Service "s" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.1"]: failed to allocate IP 10.96.0.1: provided IP is already allocated' } },
  { name: "external name", spec: { type: "ExternalName", externalName: "x.y" }, want: { spec: { type: "ExternalName" } } },
])("service: $name", ({ spec, want }) => {
  expect(allocateService(service(spec), undefined, allocator)).toMatchObject(want);
});

test("an update that leaves out allocated values keeps them", () => {
  const old = service({ type: "NodePort", clusterIP: "10.96.0.7", clusterIPs: ["10.96.0.7"], ports: [{ name: "a", port: 80, nodePort: 30_005 }] });
  expect(prepareForUpdate(service({ type: "NodePort", ports: [{ name: "a", port: 81 }] }), old).spec).toMatchObject({ clusterIP: "10.96.0.7", ports: [{ port: 81, nodePort: 30_005 }] });
});

const stored = (kind: string, apiVersion: string, fields: object): KubeObject => prepareForCreate({ apiVersion, kind, metadata: { name: "x" }, ...fields } as KubeObject);

test.each([
  ["a projection behind a gate that is off", stored("Pod", "v1", { spec: { containers: [], volumes: [{ name: "v", projected: { sources: [{ clusterTrustBundle: { path: "p" } }] } }] } }), { spec: { containers: [], volumes: [{ name: "v", projected: { sources: [{}] } }] } }],
  ["a stop signal in a template", stored("Deployment", "apps/v1", { spec: { template: { spec: { containers: [{ name: "c", lifecycle: { stopSignal: "SIGUSR1" } }] } } } }), { spec: { template: { spec: { containers: [{ name: "c", lifecycle: {} }] } } } }],
  ["maxUnavailable of a StatefulSet", stored("StatefulSet", "apps/v1", { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: 2, partition: 1 } } } }), { spec: { updateStrategy: { rollingUpdate: { partition: 1 } } } }],
  ["a claim's source is said twice", stored("PersistentVolumeClaim", "v1", { spec: { dataSource: { kind: "PersistentVolumeClaim", name: "a" } } }), { spec: { dataSourceRef: { kind: "PersistentVolumeClaim", name: "a" } }, status: { phase: "Pending" } }],
  ["a source of an unknown kind", stored("PersistentVolumeClaim", "v1", { spec: { dataSource: { kind: "Widget", name: "a" } } }), { spec: {} }],
  ["names of an account's secrets", stored("ServiceAccount", "v1", { secrets: [{ name: "a", namespace: "b" }] }), { secrets: [{ name: "a" }] }],
  ["a flow schema counts its changes", stored("FlowSchema", "flowcontrol.apiserver.k8s.io/v1", { spec: {}, status: { conditions: [] } }), { metadata: { generation: 1 }, status: {} }],
])("strategy of a create: %s", (_name, object, want) => expect(object).toMatchObject(want));

test("a change of an EndpointSlice's labels is a new generation, of a PriorityClass's description is none", () => {
  const slice = stored("EndpointSlice", "discovery.k8s.io/v1", { endpoints: [] });
  expect(prepareForUpdate({ ...slice, metadata: { ...slice.metadata, labels: { a: "b" } } }, slice).metadata.generation).toBe(2);
  const high = stored("PriorityClass", "scheduling.k8s.io/v1", { value: 1 });
  expect(prepareForUpdate({ ...high, description: "d" } as KubeObject, high).metadata.generation).toBe(1);
});
