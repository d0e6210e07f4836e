import { describe, expect, test } from "vitest";
import { answers, body, http, type Op, PODS, run, T } from "../../testdata/control-plane.ts";
import type { Condition, KubeObject, OwnerReference, Pod } from "../../api/types.ts";
import { namespaceObject } from "../../testdata/controller-cluster.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../../testdata/mini-cluster.ts";
import type { PodDisruptionBudget } from "./budget.ts";
import { createDisruptionController, disruptionWatches } from "./disruption-controller.ts";

const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const owner = (kind: string, uid: string, apiVersion = "apps/v1", name = uid): OwnerReference => ({ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true });
const budget = (spec: object, extra: object = {}): KubeObject => ({ apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "web", namespace: "default", uid: "b", resourceVersion: "1", generation: 1 }, spec: { selector: { matchLabels: { app: "web" } }, ...spec }, ...extra });
const workload = (kind: string, uid: string, replicas: number, by?: OwnerReference): KubeObject => ({ apiVersion: kind === "ReplicationController" ? "v1" : "apps/v1", kind, metadata: { name: uid, namespace: "default", uid, resourceVersion: "1", ...(by === undefined ? {} : { ownerReferences: [by] }) }, spec: { replicas } });
const ready = (status: "True" | "False"): Condition => ({ type: "Ready", status });
function pod(name: string, by?: OwnerReference, conditions: readonly Condition[] = [ready("True")], metadata: object = {}): KubeObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", uid: `p-${name}`, resourceVersion: "1", labels: { app: "web" }, ...(by === undefined ? {} : { ownerReferences: [by] }), ...metadata }, spec: { nodeName: "n1", containers: [] }, status: { phase: "Running", conditions } } as KubeObject;
}

type Refuse = NonNullable<NonNullable<Parameters<typeof miniCluster>[4]>["refuse"]>;
function cluster(objects: readonly KubeObject[], inputs: MiniInput[] = [], refuse?: Refuse) {
  const m = miniCluster((world) => [createDisruptionController({ world })], disruptionWatches(), [nodeObject("n1"), namespaceObject("default"), ...objects], inputs, refuse === undefined ? {} : { refuse });
  const status = (n = 0) => m.list<PodDisruptionBudget>("PodDisruptionBudget")[n]?.status;
  return { ...m, until: (seconds: number) => m.sim.run(seconds * T), status, counts: (n = 0) => [status(n)?.expectedPods, status(n)?.currentHealthy, status(n)?.desiredHealthy, status(n)?.disruptionsAllowed], why: () => status()?.conditions?.map((entry) => `${entry.status} ${entry.reason} ${entry.message}`) };
}

const three = (by?: OwnerReference) => ["x", "y", "z"].map((name) => pod(name, by));
const rs = owner("ReplicaSet", "rs");

describe("expected, healthy, desired, allowed", () => {
  test.each([
    ["a number that must be available counts the Pods that are there", { minAvailable: 2 }, [...three()], [3, 3, 2, 1]],
    ["a part of what their controllers want", { minAvailable: "50%" }, [workload("ReplicaSet", "rs", 5), ...three(rs)], [5, 3, 3, 0]],
    ["a number that may be missing, of what they want", { maxUnavailable: 3 }, [workload("ReplicaSet", "rs", 5), ...three(rs)], [5, 3, 2, 1]],
    ["a part that may be missing is rounded up", { maxUnavailable: "30%" }, [workload("ReplicaSet", "rs", 5), ...three(rs)], [5, 3, 3, 0]],
    ["more than there are", { maxUnavailable: 9 }, [workload("ReplicaSet", "rs", 3), ...three(rs)], [3, 3, 0, 3]],
    ["the Deployment of a ReplicaSet", { maxUnavailable: 1 }, [workload("Deployment", "d", 4), workload("ReplicaSet", "rs", 3, owner("Deployment", "d")), ...three(rs)], [4, 3, 3, 0]],
    ["a StatefulSet and a ReplicationController, each once", { maxUnavailable: 4 }, [workload("StatefulSet", "s", 3), workload("ReplicationController", "rc", 2), ...["a", "b"].map((name) => pod(name, owner("StatefulSet", "s"))), ...["c", "d"].map((name) => pod(name, owner("ReplicationController", "rc", "v1")))], [5, 4, 1, 3]],
    ["Pods that are not ready or are going are not healthy", { minAvailable: 1 }, [pod("x"), pod("y", undefined, [ready("False")]), pod("z", undefined, [ready("True")], { deletionTimestamp: "2026-01-01T00:00:00Z" })], [3, 1, 1, 0]],
    ["no Pods: nothing may be disrupted", { minAvailable: 0 }, [], [0, 0, 0, 0]],
  ])("%s", (_name, spec, objects, counts) => {
    const m = cluster([budget(spec), ...objects]);
    m.until(1);
    expect(m.counts()).toEqual(counts);
    expect(m.why()).toEqual([counts[3] === 0 ? "False InsufficientPods " : "True SufficientPods "]);
    expect(m.status()?.observedGeneration).toBe(1);
  });

  test("nothing selected is told of; Pods without an owner are, where owners would count", () => {
    const none = cluster([budget({ minAvailable: 1 })]);
    none.until(1);
    expect(none.events()).toEqual(["NoPods: No matching pods found"]);
    const bare = cluster([budget({ maxUnavailable: 1 }), pod("x")]);
    bare.until(1);
    expect(bare.events()).toEqual(['UnmanagedPods: Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.']);
    expect(bare.counts()).toEqual([0, 1, 0, 0]);
  });

  test("follows its Pods, and says so only when something has changed", () => {
    const m = cluster([budget({ minAvailable: 1 }), ...three()], [at(1, write("PATCH", `${PODS}/x/status`, { status: { conditions: [ready("False")] } })), at(2, write("PATCH", `${PODS}/y`, { metadata: { annotations: { a: "b" } } })), at(3, write("DELETE", `${PODS}/z`, { gracePeriodSeconds: 0 }))]);
    m.until(1.5);
    expect(m.counts()).toEqual([3, 2, 1, 1]);
    m.until(4);
    expect([m.counts(), m.requests(/PUT/).length]).toEqual([[2, 1, 1, 0], 3]);
  });

  test("of two budgets one is chosen, and the Pod is told", () => {
    const second = budget({ maxUnavailable: 1 }, { metadata: { name: "two", namespace: "default", uid: "c", resourceVersion: "1", generation: 1 } });
    const m = cluster([budget({ minAvailable: 1 }), second, pod("x")], [at(1, write("PATCH", `${PODS}/x`, { metadata: { annotations: { a: "b" } } }))]);
    m.until(2);
    expect(m.events().filter((text) => text.startsWith("Multiple"))[0]).toMatch(/^MultiplePodDisruptionBudgets: Pod "default"\/"x" matches multiple PodDisruptionBudgets\. {2}Chose "(web|two)" arbitrarily\.$/);
  });
});

describe("evicted Pods", () => {
  const disrupted = (name: string) => budget({ minAvailable: 1 }, { status: { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 3, disruptedPods: { [name]: "2026-01-01T00:00:00Z" }, conditions: [] } });
  test("count as gone for two minutes; one that is still there then counts again, and is told", () => {
    const m = cluster([disrupted("x"), ...three()]);
    m.until(119);
    expect([m.counts(), m.status()?.disruptedPods]).toEqual([[3, 2, 1, 1], { x: "2026-01-01T00:00:00Z" }]);
    m.until(121);
    expect([m.counts(), m.status()?.disruptedPods, m.events()]).toEqual([[3, 3, 1, 2], undefined, ["NotDeleted: Pod was expected by PDB default/default to be deleted but it wasn't"]]);
  });

  test("a Pod that is gone is not remembered", () => {
    const m = cluster([disrupted("gone"), ...three()]);
    m.until(1);
    expect([m.counts(), m.status()?.disruptedPods]).toEqual([[3, 3, 1, 2], undefined]);
  });

  const target = (reason: string): Condition => ({ type: "DisruptionTarget", status: "True", reason, message: "m", lastTransitionTime: "2026-01-01T00:00:00Z" });
  test.each([
    ["is taken back after two minutes", pod("x", undefined, [target("EvictionByEvictionAPI")]), "False"],
    ["not what a kubelet says", pod("x", undefined, [target("TerminationByKubelet")]), "True"],
    ["nor that of a Pod that is going", pod("x", undefined, [target("EvictionByEvictionAPI")], { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["x/y"] }), "True"],
  ])("the announcement of a disruption %s", (_name, object, status) => {
    const m = cluster([object]);
    m.until(119);
    expect(m.requests(/PUT/)).toEqual([]);
    m.until(125);
    expect(m.list<Pod>("Pod")[0]?.status?.conditions?.map((entry) => entry.status)).toEqual([status]);
    expect(m.requests(/PUT/)).toEqual(status === "False" ? [`PUT ${PODS}/x/status`] : []);
  });
});

describe("writes that fail", () => {
  test.each([
    ["a conflict is tried again, and nothing else happens", 409, "True SufficientPods ", 1],
    ["of anything else the budget says so, and allows nothing", 500, "False SyncFailed no", 0],
  ])("%s", (_name, code, why, retries) => {
    let refused = 0;
    const m = cluster([budget({ minAvailable: 1 }), ...three()], [], (request) => (request.method === "PUT" && refused++ < 1 ? { status: code, reason: "Some", message: "no" } : undefined));
    m.until(0.005);
    m.until(0.009);
    expect([m.why() ?? [why], m.notes(/will retry/).length]).toEqual([[why], retries]);
    m.until(1);
    expect(m.counts()).toEqual([3, 3, 1, 2]);
  });
});

describe("controllers of other kinds", () => {
  const crd: KubeObject = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "teams.x.io" }, spec: { group: "x.io", scope: "Namespaced", names: { plural: "teams", singular: "team", kind: "Team", listKind: "TeamList" }, versions: [{ name: "v1", served: true, storage: true, subresources: { scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" } }, schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } }] } } as KubeObject;
  const post = (seconds: number, path: string, object: unknown): Op => http(seconds * T, { method: "POST", path, body: object });
  const templated = (name: string, by: OwnerReference) => ({ apiVersion: "v1", kind: "Pod", metadata: { name, labels: { app: "web" }, ownerReferences: [by] }, spec: { containers: [{ name: "c", image: "i" }] } });
  const failed = (error: string) => `False SyncFailed ${error}`;
  test.each([
    ["a DaemonSet has no scale", owner("DaemonSet", "d"), failed("daemonsets.apps does not implement the scale subresource")],
    ["nor has a Job", owner("Job", "j", "batch/v1"), failed("jobs.batch does not implement the scale subresource")],
    ["a node's own Pods", owner("Node", "n1", "v1"), failed("nodes does not implement the scale subresource")],
    ["one that is gone", owner("ReplicaSet", "rs"), failed('found no controllers for pod "p"')],
    ["a kind that there is not", owner("Ghost", "g", "x.io/v9"), failed('no matches for kind "Ghost" in version "x.io/v9"')],
    ["a custom resource with a scale", owner("Team", "", "x.io/v1", "t"), "False InsufficientPods "],
    ["one that is gone, too", owner("Team", "?", "x.io/v1", "none"), failed('found no controllers for pod "p"')],
  ])("%s", (_name, by, why) => {
    const around = { watches: disruptionWatches(), objects: [{ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "disruption-controller", namespace: "kube-system" } }], create: (world: Parameters<typeof createDisruptionController>[0]["world"]) => [createDisruptionController({ world })] };
    const first = run([post(1, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd), post(5, "/apis/x.io/v1/namespaces/default/teams", { apiVersion: "x.io/v1", kind: "Team", metadata: { name: "t" }, spec: { size: 4 } })], 8 * T, false, around);
    const uid = body(answers(first)[1]).metadata.uid ?? "";
    const sim = run([
      post(1, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd), post(5, "/apis/x.io/v1/namespaces/default/teams", { apiVersion: "x.io/v1", kind: "Team", metadata: { name: "t" }, spec: { size: 4 } }),
      post(8, PODS, templated("p", by.uid === "" ? { ...by, uid } : by)), post(9, BUDGETS, { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "web" }, spec: { selector: { matchLabels: { app: "web" } }, maxUnavailable: 1 } }),
      http(11 * T, { path: `${BUDGETS}/web` }),
    ], 12 * T, false, around);
    const { status } = body(answers(sim).at(-1)) as PodDisruptionBudget;
    expect(status?.conditions?.map((entry) => `${entry.status} ${entry.reason} ${entry.message ?? ""}`)).toEqual([why]);
    expect(status?.expectedPods).toBe(why.startsWith("False Insufficient") ? 4 : 0);
  });
});
