import { describe, expect, test } from "vitest";
import { calculateUsage, matchingResources, type ResourceQuota } from "../../api/quota.ts";
import type { KubeObject, ResourceList } from "../../api/types.ts";
import { http, runWith, stored, T } from "../../testdata/control-plane.ts";
import type { ControllerEntry } from "../registry.ts";
import { controllerCluster } from "../../testdata/controller-cluster.ts";
import { at, write } from "../../testdata/mini-cluster.ts";
import { createResourceQuotaController, resourceQuotaWatches } from "./resourcequota-controller.ts";

const PODS = "/api/v1/namespaces/default/pods";
const QUOTAS = "/api/v1/namespaces/default/resourcequotas";
const pod = (name: string, cpu: string, more: object = {}): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default" }, spec: { containers: [{ name: "c", resources: { requests: { cpu } } }] }, ...more });
const quota = (hard: ResourceList, more: object = {}): ResourceQuota => ({ apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "q", namespace: "default" }, spec: { hard, ...more } });
const cluster = (...inputs: Parameters<typeof controllerCluster>[1]) => controllerCluster([{ watches: resourceQuotaWatches, create: createResourceQuotaController as never }], inputs);
const used = (m: ReturnType<typeof cluster>) => m.list<ResourceQuota>("ResourceQuota")[0]?.status?.used;

test("a new quota is counted at once; a deleted and a finished Pod give back what they charged, a new one waits for admission", () => {
  const m = cluster(
    at(0, write("POST", PODS, pod("a", "500m")), write("POST", PODS, pod("b", "1"))),
    at(1, write("POST", QUOTAS, quota({ "requests.cpu": "4", pods: "10", "count/deployments.apps": "1" }))),
    at(2, write("POST", PODS, pod("c", "1"))),
    at(3, write("DELETE", `${PODS}/a`)),
    at(4, write("PATCH", `${PODS}/b/status`, { status: { phase: "Succeeded" } })),
    at(5, write("PATCH", `${QUOTAS}/q`, { spec: { hard: { pods: "5", "requests.cpu": null, "count/deployments.apps": null } } })),
  );
  m.sim.run(1_900_000);
  expect(used(m)).toEqual({ "requests.cpu": "1500m", pods: "2", "count/deployments.apps": "0" });
  m.sim.run(2_900_000);
  expect(used(m)?.["pods"]).toBe("2");
  m.sim.run(3_900_000);
  expect(used(m)).toEqual({ "requests.cpu": "2", pods: "2", "count/deployments.apps": "0" });
  m.sim.run(4_900_000);
  expect(used(m)).toEqual({ "requests.cpu": "1", pods: "1", "count/deployments.apps": "0" });
  m.sim.run(6_000_000);
  expect(m.list<ResourceQuota>("ResourceQuota")[0]?.status).toEqual({ hard: { pods: "5" }, used: { pods: "1" } });
});

test("every five minutes all quotas are counted again", () => {
  const m = cluster(at(1, write("POST", QUOTAS, quota({ pods: "10" }))), at(2, write("POST", PODS, pod("a", "1"))));
  m.sim.run(299_000_000);
  expect(used(m)).toEqual({ pods: "0" });
  m.sim.run(301_000_000);
  expect(used(m)).toEqual({ pods: "1" });
});

const QUOTA: ControllerEntry = { watches: resourceQuotaWatches, create: createResourceQuotaController as never };
const CRD = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "foos.example.com" }, spec: { group: "example.com", scope: "Namespaced", names: { plural: "foos", singular: "foo", kind: "Foo" }, versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }] } };
const FOOS = "/apis/example.com/v1/namespaces/default/foos";
const foo = (name: string): object => ({ apiVersion: "example.com/v1", kind: "Foo", metadata: { name } });
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

describe("every namespaced resource that discovery names can be counted", () => {
  test.each([
    { name: "a custom resource that was there", ops: [http(1 * T, { method: "POST", path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body: CRD }), http(3 * T, { method: "POST", path: FOOS, body: foo("a") }), http(4 * T, { method: "POST", path: FOOS, body: foo("b") }), http(5 * T, { method: "POST", path: QUOTAS, body: quota({ "count/foos.example.com": "9" }) })], used: { "count/foos.example.com": "2" } },
    { name: "and what is deleted of it frees quota", ops: [http(1 * T, { method: "POST", path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body: CRD }), http(3 * T, { method: "POST", path: FOOS, body: foo("a") }), http(5 * T, { method: "POST", path: QUOTAS, body: quota({ "count/foos.example.com": "9" }) }), http(7 * T, { method: "DELETE", path: `${FOOS}/a` })], used: { "count/foos.example.com": "0" } },
    { name: "a definition that comes after the quota: nothing may be made before all quotas are counted again", ops: [http(1 * T, { method: "POST", path: QUOTAS, body: quota({ "count/foos.example.com": "9" }) }), http(3 * T, { method: "POST", path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body: CRD }), http(20 * T, { method: "POST", path: FOOS, body: foo("a") }), http(301 * T, { method: "POST", path: FOOS, body: foo("b") })], used: { "count/foos.example.com": "1" } },
    { name: "Leases", ops: [http(1 * T, { method: "POST", path: LEASES, body: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "l" }, spec: {} } }), http(2 * T, { method: "POST", path: QUOTAS, body: quota({ "count/leases.coordination.k8s.io": "9" }) })], used: { "count/leases.coordination.k8s.io": "1" } },
  ])("$name", ({ ops, used: want }) => {
    const sim = runWith([QUOTA], ops, 310 * T);
    expect((stored(sim, "ResourceQuota")[0] as ResourceQuota | undefined)?.status?.used).toEqual(want);
  });
});

const now = 10_000_000;
const terminating = { metadata: { name: "a", deletionTimestamp: "2026-01-01T00:00:05Z", deletionGracePeriodSeconds: 3 } };
const service = (type: string, nodePorts: boolean): KubeObject => ({ apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { type, ports: [{ port: 1 }, { port: 2 }], allocateLoadBalancerNodePorts: nodePorts } }) as KubeObject;
const claim = (more: object = {}): KubeObject => ({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "c" }, spec: { storageClassName: "gold", resources: { requests: { storage: "1Gi" } } }, ...more }) as KubeObject;

describe("calculateUsage", () => {
  test.each([
    { name: "a Pod beyond its grace period counts as an object only", hard: { pods: "9", "count/pods": "9" }, resource: "pods", objects: [pod("a", "1", terminating)], want: { pods: "0", "count/pods": "1" } },
    { name: "scopes: only Pods with a deadline", hard: { pods: "9" }, spec: { scopes: ["Terminating"] }, resource: "pods", objects: [pod("a", "1"), pod("b", "1", { spec: { activeDeadlineSeconds: 0, containers: [] } })], want: { pods: "1" } },
    { name: "scopes: best effort", hard: { pods: "9" }, spec: { scopes: ["BestEffort"] }, resource: "pods", objects: [pod("a", "1"), pod("b", "1", { spec: { containers: [{ name: "c" }] } })], want: { pods: "1" } },
    { name: "a quota with scopes counts no Services", hard: { services: "9" }, spec: { scopes: ["BestEffort"] }, resource: "services", objects: [service("ClusterIP", true)], want: { services: "0" } },
    { name: "node ports by type", hard: { "services.nodeports": "9", "services.loadbalancers": "9", services: "9" }, resource: "services", objects: [service("NodePort", true), service("LoadBalancer", true), service("LoadBalancer", false), service("ClusterIP", true)], want: { "services.nodeports": "4", "services.loadbalancers": "2", services: "4" } },
    { name: "storage by class; an expansion counts", hard: { "requests.storage": "9Gi", "gold.storageclass.storage.k8s.io/requests.storage": "9Gi", "tin.storageclass.storage.k8s.io/persistentvolumeclaims": "1" }, resource: "persistentvolumeclaims", objects: [claim(), claim({ status: { allocatedResources: { storage: "2Gi" } } })], want: { "requests.storage": "3Gi", "gold.storageclass.storage.k8s.io/requests.storage": "3Gi", "tin.storageclass.storage.k8s.io/persistentvolumeclaims": "0" } },
    { name: "extended resources and huge pages", hard: { "requests.example.com/gpu": "9", "hugepages-2Mi": "9Gi" }, resource: "pods", objects: [pod("a", "1", { spec: { containers: [{ name: "c", resources: { requests: { "example.com/gpu": "2", "hugepages-2Mi": "4Mi" } } }] } })], want: { "requests.example.com/gpu": "2", "hugepages-2Mi": "4Mi" } },
  ])("$name", ({ hard, spec, resource, objects, want }) => expect(calculateUsage(quota(hard as unknown as ResourceList, spec ?? {}), [{ group: "", resource, objects }], now)).toEqual(want));

  test("names that a kind is charged to", () => {
    expect(matchingResources(["secrets", "count/secrets", "count/jobs.batch", "pods"], "", "secrets")).toEqual(["secrets", "count/secrets"]);
    expect(matchingResources(["secrets", "count/jobs.batch"], "batch", "jobs")).toEqual(["count/jobs.batch"]);
  });
});
