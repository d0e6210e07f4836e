import { describe, expect, test } from "vitest";
import type { ResourceClaim } from "../../api/resource-claims.ts";
import type { KubeEvent, KubeObject, Pod } from "../../api/types.ts";
import type { Simulation } from "../../kernel/simulation.ts";
import type { Component } from "../../kernel/types.ts";
import { createScheduler, schedulerWatches } from "../../kube-scheduler/scheduler.ts";
import { answers, body, http, type Op, PODS, run, T } from "../../testdata/control-plane.ts";
import { createResourceClaimController, resourceClaimWatches } from "./resource-claim-controller.ts";

const RESOURCE = "/apis/resource.k8s.io/v1";
const CLAIMS = `${RESOURCE}/namespaces/default/resourceclaims`;
const TEMPLATES = `${RESOURCE}/namespaces/default/resourceclaimtemplates`;
const spec = { devices: { requests: [{ name: "r", exactly: { deviceClassName: "gpu" } }] } };
const object = (kind: string, name: string, more: object) => ({ apiVersion: "resource.k8s.io/v1", kind, metadata: { name }, ...more });
const post = (seconds: number, path: string, what: object): Op => http(seconds * T, { method: "POST", path, body: what });
const remove = (seconds: number, path: string): Op => http(seconds * T, { method: "DELETE", path, body: { gracePeriodSeconds: 0 } });
const patch = (seconds: number, path: string, what: object): Op => http(seconds * T, { method: "PATCH", path, body: what });
const pod = (name: string, more: object = {}) => ({ apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers: [{ name: "c", image: "nginx:1.27", resources: { claims: [{ name: "gpu" }] } }], resourceClaims: [{ name: "gpu", resourceClaimTemplateName: "one" }], ...more } });
const template = post(0.1, TEMPLATES, object("ResourceClaimTemplate", "one", { spec: { metadata: { labels: { a: "b" }, annotations: { x: "y" } }, spec } }));
const named = (claim: string) => ({ resourceClaims: [{ name: "gpu", resourceClaimName: claim }] });
const devices: readonly Op[] = [
  post(0.1, `${RESOURCE}/deviceclasses`, object("DeviceClass", "gpu", { spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }] } })),
  post(0.1, `${RESOURCE}/resourceslices`, object("ResourceSlice", "n1", { spec: { driver: "gpu.example.com", nodeName: "n1", pool: { name: "n1", generation: 1, resourceSliceCount: 1 }, devices: [{ name: "x" }, { name: "y" }] } })),
  patch(0.1, "/api/v1/nodes/n1/status", { status: { allocatable: { cpu: "4", memory: "8Gi", pods: "10" } } }),
];

interface Seen {
  readonly claims: readonly ResourceClaim[];
  readonly pods: readonly Pod[];
  readonly events: readonly string[];
}

const items = <K extends KubeObject>(sim: Simulation, at: number): readonly K[] => (body(answers(sim).at(at)).items ?? []) as unknown as readonly K[];

/** What is stored at that second. */
function after(seconds: number, ...ops: readonly Op[]): Seen {
  const lists = [CLAIMS, PODS, "/api/v1/namespaces/default/events"].map((path, i) => http(seconds * T + i, { path }));
  const sim = run([...ops, ...lists], (seconds + 1) * T, false, {
    watches: [...resourceClaimWatches(), ...schedulerWatches()],
    objects: [{ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "resource-claim-controller", namespace: "kube-system" } }],
    create: (world) => [createResourceClaimController({ world }) as Component, createScheduler({ world }) as Component],
  });
  return { claims: items<ResourceClaim>(sim, -3), pods: items<Pod>(sim, -2), events: items<KubeEvent>(sim, -1).map((event) => `${event.reason}: ${event.message ?? event.note ?? ""}`) };
}

const claimOf = (seen: Seen): ResourceClaim | undefined => seen.claims[0];
const users = (seen: Seen): readonly string[] | undefined => claimOf(seen)?.status?.reservedFor?.map((consumer) => consumer.name);

describe("a Pod that names a template", () => {
  test("gets a claim of its own, whose name is in its status", () => {
    const seen = after(2, template, post(0.5, PODS, pod("p")));
    const claim = claimOf(seen);
    expect(claim?.metadata).toMatchObject({ generateName: "p-gpu-", labels: { a: "b" }, annotations: { x: "y", "resource.kubernetes.io/pod-claim-name": "gpu" }, ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", controller: true }] });
    expect(claim?.metadata.ownerReferences?.[0]).not.toHaveProperty("blockOwnerDeletion");
    expect(claim?.spec.devices?.requests?.[0]?.exactly?.deviceClassName).toBe("gpu");
    expect(seen.pods[0]?.status?.resourceClaimStatuses).toEqual([{ name: "gpu", resourceClaimName: claim?.metadata.name }]);
    expect(seen.pods[0]?.metadata.managedFields?.find((entry) => entry.manager === "ResourceClaimController")).toMatchObject({ operation: "Apply", subresource: "status" });
  });

  test("that is not there is told so until it is", () => {
    expect(after(2, post(0.5, PODS, pod("p"))).events).toContain('FailedResourceClaimCreation: PodResourceClaim gpu: resource claim template "one": resourceclaimtemplate.resource.k8s.io "one" not found');
    expect(after(3, post(0.5, PODS, pod("p")), post(1.5, TEMPLATES, object("ResourceClaimTemplate", "one", { spec: { spec } }))).claims).toHaveLength(1);
  });

  test("in two entries gets two claims in one status", () => {
    const two = pod("p", { resourceClaims: ["gpu", "other"].map((name) => ({ name, resourceClaimTemplateName: "one" })) });
    const seen = after(2, template, post(0.5, PODS, two));
    expect(seen.claims.map((claim) => claim.metadata.generateName).sort()).toEqual(["p-gpu-", "p-other-"]);
    expect(seen.pods[0]?.status?.resourceClaimStatuses?.map((entry) => entry.name)).toEqual(["gpu", "other"]);
  });

  test("and a claim by name: only the first is made", () => {
    const two = pod("p", { resourceClaims: [{ name: "gpu", resourceClaimTemplateName: "one" }, { name: "other", resourceClaimName: "mine" }] });
    expect(after(2, template, post(0.5, PODS, two)).claims).toHaveLength(1);
  });

  test("with a long name has both parts cut", () => {
    const name = "p".repeat(60);
    expect(claimOf(after(2, template, post(0.5, PODS, pod(name))))?.metadata.generateName).toBe(`${"p".repeat(52)}-gp`);
  });

  test.each([[1.5, 0], [3_602, 1]])("that loses its claim after %d s gets another only when the old one is an hour old", (lost, left) => {
    const seen = after(lost + 2, template, post(0.5, PODS, pod("p")), http(lost * T, { method: "DELETE", path: CLAIMS, query: {} }));
    expect(seen.claims).toHaveLength(left);
    expect(seen.pods[0]?.status?.resourceClaimStatuses?.[0]?.resourceClaimName === claimOf(seen)?.metadata.name).toBe(left === 1);
  });
});

describe("with the scheduler", () => {
  test("the claim gets a device, the Pod its node", () => {
    const seen = after(4, ...devices, template, post(0.5, PODS, pod("p")));
    expect(seen.pods[0]?.spec.nodeName).toBe("n1");
    expect(claimOf(seen)).toMatchObject({ metadata: { finalizers: ["resource.kubernetes.io/delete-protection"] }, status: { allocation: { devices: { results: [{ request: "r", driver: "gpu.example.com", pool: "n1", device: "x" }] } }, reservedFor: [{ resource: "pods", name: "p", uid: seen.pods[0]?.metadata.uid }] } });
  });

  test("a claim made for a Pod goes when that is done", () => {
    expect(after(6, ...devices, template, post(0.5, PODS, pod("p")), patch(4, `${PODS}/p/status`, { status: { phase: "Succeeded" } })).claims).toEqual([]);
  });

  test("a claim that Pods share loses those that are done, and its device with the last", () => {
    const ops = [...devices, post(0.3, CLAIMS, object("ResourceClaim", "c", { spec })), post(0.5, PODS, pod("p", named("c"))), post(0.6, PODS, pod("q", named("c")))];
    const both = after(5, ...ops);
    expect(users(both)).toEqual(["p", "q"]);
    const one = after(7, ...ops, remove(5, `${PODS}/p`));
    expect([users(one), claimOf(one)?.status?.allocation?.devices.results?.length]).toEqual([["q"], 1]);
    const none = after(7, ...ops, remove(5, `${PODS}/p`), patch(5, `${PODS}/q/status`, { status: { phase: "Failed" } }));
    expect([claimOf(none)?.status ?? {}, claimOf(none)?.metadata.finalizers]).toEqual([{}, undefined]);
  });

  test("a deleted claim stays while a Pod uses it", () => {
    const ops = [...devices, post(0.3, CLAIMS, object("ResourceClaim", "c", { spec })), post(0.5, PODS, pod("p", named("c"))), remove(4, `${CLAIMS}/c`)];
    expect(claimOf(after(6, ...ops))?.metadata.deletionTimestamp).toBeDefined();
    expect(after(8, ...ops, remove(6, `${PODS}/p`)).claims).toEqual([]);
  });

  test("a Pod that somebody else placed gets the claim reserved", () => {
    const ops = [...devices, post(0.3, CLAIMS, object("ResourceClaim", "c", { spec })), post(0.5, PODS, pod("p", named("c"))), post(4, PODS, pod("q", { ...named("c"), nodeName: "n1" }))];
    expect(users(after(6, ...ops))).toEqual(["p", "q"]);
  });
});
