import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../api/types.ts";
import { http, type Op, requestsOf, runWith, stored, T } from "../../testdata/control-plane.ts";
import type { ControllerEntry } from "../registry.ts";
import { createNamespaceController, namespaceWatches } from "./namespace-controller.ts";

const CONTROLLER: ControllerEntry = { watches: namespaceWatches, create: createNamespaceController as never };
const NS = "/api/v1/namespaces/old";
const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "old" }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } };
const held = (kind: string, name: string, finalizers: readonly string[] = []): KubeObject => ({ apiVersion: "v1", kind, metadata: { name, namespace: "old", uid: `uid-${kind}-${name}`, ...(finalizers.length > 0 ? { finalizers } : {}) } });
const pod = (name: string, more: object, finalizers: readonly string[] = []): KubeObject => ({ ...held("Pod", name, finalizers), spec: { terminationGracePeriodSeconds: 30, containers: [{ name: "c", image: "nginx" }], ...more }, status: { phase: "Running" } });
const end: Op = http(1 * T, { method: "DELETE", path: NS });
const kill = (seconds: number, name: string): Op => http(seconds * T, { method: "DELETE", path: `${NS}/pods/${name}`, body: { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0 } });
const unhold = (seconds: number, path: string): Op => http(seconds * T, { method: "PATCH", path: `${NS}/${path}`, headers: { Accept: "application/json", "User-Agent": "test/1", "Content-Type": "application/merge-patch+json" }, body: { metadata: { finalizers: null } } });

type Sim = ReturnType<typeof runWith>;
const left = (sim: Sim): KubeObject | undefined => stored(sim, "Namespace").find(({ metadata }) => metadata.name === "old");
/** The conditions that are not as in a namespace that goes without trouble. */
const trouble = (sim: Sim): readonly string[] => ((left(sim)?.status as { conditions?: readonly { type: string; status: string; reason: string; message: string }[] } | undefined)?.conditions ?? []).filter(({ status }) => status === "True").map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
const calls = (sim: Sim): readonly string[] => requestsOf(sim, "namespace-controller").map(({ at, call, status }) => `${Math.floor(at / T)} ${call.replace(NS, "~")}${status < 300 ? "" : ` ${status}`}`);
/** One pass over everything: its requests but for those that every pass makes. */
const about = (sim: Sim, pattern: RegExp): readonly string[] => calls(sim).filter((call) => pattern.test(call));

test("an empty namespace: 5 s later every kind is deleted as a collection and looked for, Pods first; the last write is repeated for the conditions' sake", () => {
  const sim = runWith([CONTROLLER], [end], 20 * T, [namespace]);
  const made = calls(sim);
  expect(made.slice(0, 8)).toEqual(["6 GET ~", "6 GET /api", "6 GET /apis", "6 GET ~/pods", "6 DELETE ~/pods", "6 GET ~/pods", "6 DELETE ~/configmaps", "6 GET ~/configmaps"]);
  expect(made.slice(-4)).toEqual(["6 PUT ~/status", "6 PUT ~/finalize 409", "6 GET ~", "6 PUT ~/finalize"]);
  expect(made.filter((call) => call.includes("DELETE")).length).toBeGreaterThan(25);
  expect(requestsOf(sim, "namespace-controller").find(({ call }) => call.startsWith("DELETE"))?.body).toEqual({ kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" });
  expect(left(sim)).toBeUndefined();
});

describe("what holds a namespace, and for how long", () => {
  test("a Pod that runs: after half its grace period it is looked at again, nothing else goes before it", () => {
    const objects = [namespace, pod("a", { nodeName: "n1" }), held("ConfigMap", "m")];
    const early = runWith([CONTROLLER], [end], 10 * T, objects);
    expect([trouble(early), stored(early, "ConfigMap").length]).toEqual([[], 1]);
    const sim = runWith([CONTROLLER], [end, kill(20, "a")], 60 * T, objects);
    // The status that was written at 6 s brings it back at 11 s, and half of 30 s after that it comes again.
    expect(about(sim, / GET ~$/)).toEqual(["6 GET ~", "11 GET ~", "27 GET ~"]);
    expect(left(sim)).toBeUndefined();
  });

  test("a Pod with a finalizer beyond its grace period counts as 15 s", () => {
    const sim = runWith([CONTROLLER], [end], 60 * T, [namespace, pod("a", { nodeName: "n1", terminationGracePeriodSeconds: 1 }, ["example.com/keep"])]);
    expect(about(sim, / GET ~$/).slice(0, 4)).toEqual(["6 GET ~", "11 GET ~", "19 GET ~", "27 GET ~"]);
    expect(trouble(sim)).toEqual([]);
  });

  test("finalizers of other kinds are counted", () => {
    const objects = [namespace, held("ConfigMap", "m", ["example.com/keep", "example.com/more"]), held("ConfigMap", "n", ["example.com/keep"]), { ...held("Secret", "s", ["example.com/keep"]), type: "Opaque" } as KubeObject];
    const sim = runWith([CONTROLLER], [end], 12 * T, objects);
    expect(trouble(sim)).toEqual([
      "NamespaceContentRemaining SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource instances, secrets. has 1 resource instances",
      "NamespaceFinalizersRemaining SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/keep in 3 resource instances, example.com/more in 1 resource instances",
    ]);
    const freed = runWith([CONTROLLER], [end, unhold(12, "configmaps/m"), unhold(12, "configmaps/n"), unhold(12, "secrets/s")], 30 * T, objects);
    expect(about(freed, / GET ~$/)).toEqual(["6 GET ~", "11 GET ~", "19 GET ~", "19 GET ~"]);
    expect(left(freed)).toBeUndefined();
  });

  test("a server behind an APIService that does not answer: it never ends, though everything that is known goes", () => {
    const service = { apiVersion: "apiregistration.k8s.io/v1", kind: "APIService", metadata: { name: "v1.broken.example.com" }, spec: { group: "broken.example.com", version: "v1", groupPriorityMinimum: 100, versionPriority: 100, service: { name: "gone", namespace: "default" } } } as KubeObject;
    const sim = runWith([CONTROLLER], [end], 120 * T, [namespace, held("ConfigMap", "m"), service]);
    expect(trouble(sim)).toEqual(["NamespaceDeletionDiscoveryFailure DiscoveryFailed: Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: broken.example.com/v1: stale GroupVersion discovery: broken.example.com/v1"]);
    expect(stored(sim, "ConfigMap").filter(({ metadata }) => metadata.namespace === "old")).toEqual([]);
    expect(left(sim)).toBeDefined();
  });

  test("custom objects are discovered", () => {
    const crd = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "foos.example.com" }, spec: { group: "example.com", scope: "Namespaced", names: { plural: "foos", singular: "foo", kind: "Foo" }, versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }] } };
    const foo = { apiVersion: "example.com/v1", kind: "Foo", metadata: { name: "f", finalizers: ["example.com/keep"] } };
    const sim = runWith([CONTROLLER], [http(1 * T, { method: "POST", path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body: crd }), http(3 * T, { method: "POST", path: "/apis/example.com/v1/namespaces/old/foos", body: foo }), { ...end, at: 4 * T }], 15 * T, [namespace]);
    expect(trouble(sim)[0]).toBe("NamespaceContentRemaining SomeResourcesRemain: Some resources are remaining: foos.example.com has 1 resource instances");
  });

  test("another finalizer of the namespace itself: ours is removed, the namespace stays", () => {
    const sim = runWith([CONTROLLER], [end], 40 * T, [{ ...namespace, spec: { finalizers: ["kubernetes", "example.com/other"] } }]);
    expect((left(sim)?.spec as { finalizers: readonly string[] } | undefined)?.finalizers).toEqual(["example.com/other"]);
  });
});
