import { describe, expect, test } from "vitest";
import type { KubeObject, Pod, Toleration } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { namespaceObject } from "../../testdata/controller-cluster.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../../testdata/mini-cluster.ts";
import { createStandIn, standInWatches } from "../../testdata/stand-in-kubelet.ts";
import type { ControllerRevision } from "../history/controller-history.ts";
import { createDaemonSetController, daemonSetWatches } from "./daemonset-controller.ts";
import type { DaemonSet } from "./placement.ts";

const SETS = "/apis/apps/v1/namespaces/default/daemonsets";
const PODS = "/api/v1/namespaces/default/pods";
const REVISIONS = "/apis/apps/v1/namespaces/default/controllerrevisions";
const template = (spec: object = {}, annotations: Readonly<Record<string, string>> = {}) => ({ metadata: { labels: { app: "a" }, annotations }, spec: { containers: [{ name: "c", image: "i" }], ...spec } });
const rolling = (rollingUpdate: object) => ({ updateStrategy: { type: "RollingUpdate", rollingUpdate } });
const set = (spec: object = {}, metadata: object = {}): KubeObject => ({ apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name: "ds", namespace: "default", ...metadata }, spec: { selector: { matchLabels: { app: "a" } }, template: template(), ...rolling({ maxUnavailable: 1, maxSurge: 0 }), ...spec } });
const image = (name: string) => write("PATCH", `${SETS}/ds`, { spec: { template: { spec: { containers: [{ name: "c", image: name }] } } } });
const taint = (key: string, effect: string) => ({ key, effect });
const node = (name: string, patch: object) => write("PATCH", `/api/v1/nodes/${name}`, patch);

type Refuse = NonNullable<NonNullable<Parameters<typeof miniCluster>[4]>["refuse"]>;
interface Options {
  readonly refuse?: Refuse;
  readonly objects?: readonly KubeObject[];
  readonly nodes?: readonly KubeObject[];
  readonly kubelet?: boolean;
}
function cluster(inputs: MiniInput[], { refuse, objects = [], nodes = ["n1", "n2", "n3"].map((name) => nodeObject(name)), kubelet = true }: Options = {}) {
  const m = miniCluster(
    (world) => [createDaemonSetController({ world }), ...(kubelet ? [createStandIn({ nodes: ["n1"], readyAfterMs: 300, deleteAfterMs: 500 })] : [])] as Component[],
    [...daemonSetWatches(), ...(kubelet ? standInWatches() : [])],
    [...nodes, namespaceObject("default"), ...objects], inputs, refuse === undefined ? {} : { refuse },
  );
  const target = ({ spec }: Pod): string => spec.nodeName ?? spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms?.[0]?.matchFields?.[0]?.values?.[0] ?? "";
  const pods = () => m.list<Pod>("Pod").map((pod) => `${target(pod)}:${pod.spec.containers[0]?.image}${pod.metadata.deletionTimestamp === undefined ? "" : " going"}`).sort();
  const status = () => {
    const { observedGeneration: _, ...counts } = m.list<DaemonSet>("DaemonSet")[0]?.status ?? {};
    return counts;
  };
  return { ...m, until: (seconds: number) => m.sim.run(seconds * 1_000_000), pods, status, revisions: () => m.list<ControllerRevision>("ControllerRevision"), get: () => m.list<DaemonSet>("DaemonSet")[0], done: (from = 0) => m.notes(/daemonset-controller (creates|deletes)/).filter((text) => Number.parseFloat(text) >= from).map((text) => text.replace(/^[\d.]+ daemonset-controller (\w+ \d+).*/, "$1")) };
}

describe("which nodes have one", () => {
  const tainted = (...taints: object[]) => nodeObject("n1", "z1", { spec: { taints } });
  test.each([
    ["any", nodeObject("n1"), {}, 1],
    ["not one with a taint", tainted(taint("k", "NoSchedule")), {}, 0],
    ["nor one whose taint drives Pods away", tainted(taint("k", "NoExecute")), {}, 0],
    ["a taint that only asks does not matter", tainted(taint("k", "PreferNoSchedule")), {}, 1],
    ["what is tolerated does not either", tainted(taint("k", "NoSchedule")), { tolerations: [{ key: "k", operator: "Exists" }] }, 1],
    ["one that is not ready, unreachable, cordoned, short of memory, disk and PIDs", tainted(...["not-ready", "unreachable"].map((key) => taint(`node.kubernetes.io/${key}`, "NoExecute")), ...["unschedulable", "memory-pressure", "disk-pressure", "pid-pressure"].map((key) => taint(`node.kubernetes.io/${key}`, "NoSchedule"))), {}, 1],
    ["without a network none", tainted(taint("node.kubernetes.io/network-unavailable", "NoSchedule")), {}, 0],
    ["but one that needs none", tainted(taint("node.kubernetes.io/network-unavailable", "NoSchedule")), { hostNetwork: true }, 1],
    ["of the selected zone", nodeObject("n1"), { nodeSelector: { "topology.kubernetes.io/zone": "z1" } }, 1],
    ["not of another", nodeObject("n1"), { nodeSelector: { "topology.kubernetes.io/zone": "z2" } }, 0],
    ["named by the template", nodeObject("n1"), { nodeName: "n1" }, 1],
    ["not when it names another", nodeObject("n1"), { nodeName: "n2" }, 0],
    ["by required affinity", nodeObject("n1"), { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["z2"] }] }] } } } }, 0],
    ["what it prefers does not matter, nor whether there is room", nodeObject("n1", "z1", { status: { allocatable: { pods: "0" } } }), { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } } }, 1],
  ])("%s", (_name, one, spec, count) => {
    const m = cluster([at(0, write("POST", SETS, set({ template: template(spec) })))], { nodes: [one], kubelet: false });
    m.until(1);
    expect([m.pods().length, m.status().desiredNumberScheduled]).toEqual([count, count]);
  });

  test("a Pod is pinned to its node, keeps its other wishes, and tolerates what befalls nodes; its own time limit is lifted", () => {
    const own: Toleration = { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 30 };
    const preferred = [{ weight: 1, preference: {} }];
    const m = cluster([at(0, write("POST", SETS, set({ template: template({ tolerations: [own], affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } } }) }, { annotations: { "deprecated.daemonset.template.generation": "3" } })))], { nodes: [nodeObject("n1")], kubelet: false });
    m.until(1);
    const [pod] = m.list<Pod>("Pod");
    expect(pod?.spec.tolerations?.map(({ key, effect, tolerationSeconds }) => `${key?.split("/")[1]} ${effect} ${tolerationSeconds ?? "-"}`)).toEqual(["not-ready NoExecute -", "unreachable NoExecute -", "disk-pressure NoSchedule -", "memory-pressure NoSchedule -", "pid-pressure NoSchedule -", "unschedulable NoSchedule -"]);
    expect(pod?.spec.affinity?.nodeAffinity).toEqual({ preferredDuringSchedulingIgnoredDuringExecution: preferred, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["n1"] }] }] } });
    expect(pod?.metadata.labels).toMatchObject({ app: "a", "pod-template-generation": "3", "controller-revision-hash": m.revisions()[0]?.metadata.labels?.["controller-revision-hash"] });
  });
});

describe("nodes come and change", () => {
  const base = [at(0, write("POST", SETS, set()))];
  test.each([
    { name: "a new node gets one", input: write("POST", "/api/v1/nodes", nodeObject("n4")), count: 4 },
    { name: "a taint for new Pods lets it stay", input: node("n1", { spec: { taints: [taint("k", "NoSchedule")] } }), count: 3 },
    { name: "a taint for all Pods sends it away", input: node("n1", { spec: { taints: [taint("k", "NoExecute")] } }), count: 2 },
    { name: "a heartbeat wakes nobody", input: node("n1", { metadata: { annotations: { beat: "1" } } }), count: 3 },
  ])("$name", ({ input, count }) => {
    const m = cluster([...base, at(3, input)]);
    m.until(6);
    expect(m.pods().length).toBe(count);
  });

  test("only sets for which it makes a difference are woken; a set with a misscheduled Pod is, when the taint goes", () => {
    const selective = set({ template: template({ nodeSelector: { gpu: "yes" } }) }, { name: "other" });
    const m = cluster([at(0, write("POST", SETS, set())), at(0, write("POST", SETS, { ...selective, spec: { ...(selective.spec as object), selector: { matchLabels: { app: "b" } } } })), at(3, node("n1", { spec: { taints: [taint("k", "NoSchedule")] } })), at(4, write("PATCH", `${SETS}/ds`, { metadata: { annotations: { look: "again" } } })), at(5, node("n1", { spec: { taints: [] } }))]);
    m.until(3.9);
    expect(m.requests(/PUT .*status/).length).toBe(m.requests(/PUT .*status/).filter((text) => !text.includes("other")).length + 1);
    m.until(4.9);
    expect(m.status()).toMatchObject({ numberMisscheduled: 1, desiredNumberScheduled: 2, numberReady: 2 });
    m.until(6);
    expect(m.status()).toMatchObject({ numberMisscheduled: 0, desiredNumberScheduled: 3, numberReady: 3 });
  });

  test("a Pod that waits for a node that is no more is deleted", () => {
    const m = cluster([at(0, write("POST", SETS, set())), at(2, write("DELETE", "/api/v1/nodes/n3")), at(3, write("PATCH", `${SETS}/ds`, { metadata: { annotations: { look: "again" } } }))], { kubelet: false });
    m.until(5);
    expect(m.pods()).toEqual(["n1:i", "n2:i"]);
  });
});

describe("creations", () => {
  const many = Array.from({ length: 300 }, (_, i) => nodeObject(`n${i}`));
  test("at most 250 in one sync, in doubling batches", () => {
    const m = cluster([at(0, write("POST", SETS, set()))], { nodes: many, kubelet: false });
    m.until(10);
    expect([m.done(), m.pods().length]).toEqual([["creates 250", "creates 50"], 300]);
  });

  test("what always fails is tried once a sync; the status is written all the same", () => {
    const m = cluster([at(0, write("POST", SETS, set()))], { nodes: many, kubelet: false, refuse: (request) => (request.method === "POST" && request.path === PODS ? { status: 403, reason: "Forbidden", message: "exceeded quota" } : undefined) });
    m.until(0.2);
    expect([m.requests(/POST .*pods/).length, m.notes(/will retry/).length]).toEqual([6, 6]);
    expect([m.events()[0], m.status().desiredNumberScheduled]).toEqual(["FailedCreate: Error creating: exceeded quota", 300]);
  });

  test("one that is missing comes back; one too many goes, the youngest", () => {
    const extra = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", labels: { app: "a" } }, spec: { nodeName: "n1", containers: [{ name: "c", image: "old" }] }, status: { phase: "Running" } } as KubeObject);
    const m = cluster([at(0, write("POST", PODS, extra("x"))), at(2, write("POST", PODS, extra("y"))), at(3, write("POST", SETS, set({ updateStrategy: { type: "OnDelete" } })))]);
    m.until(6);
    expect(m.pods()).toEqual(["n1:old", "n2:i", "n3:i"]);
    expect(m.list<Pod>("Pod").find(({ metadata }) => metadata.name === "x")?.metadata.ownerReferences?.[0]?.name).toBe("ds");
    expect(m.requests(/GET .*daemonsets/).length).toBe(1);
  });
});

describe("Pods that end", () => {
  test("a failed one is told of and removed; the next waits a second from when it is seen, then two, then four", () => {
    const m = cluster([at(0, write("POST", SETS, set({ template: template({}, { "sim.example/exit-code": "1", "sim.example/run-ms": "10" }) })))], { nodes: [nodeObject("n1")] });
    m.until(9);
    expect(m.events().filter((text) => text.startsWith("Failed"))[0]).toMatch(/^FailedDaemonPod: Found failed daemon pod default\/ds-\w+ on node n1, will try to kill it$/);
    const times = m.notes(/deletes 1/).map((text) => Number.parseFloat(text));
    expect(times.slice(1).map((time, i) => Math.round((time - (times[i] ?? 0)) * 10) / 10)).toEqual([1.3, 2.3, 4.3]);
  });

  test("a succeeded one is removed at once, every time", () => {
    const m = cluster([at(0, write("POST", SETS, set({ template: template({}, { "sim.example/exit-code": "0", "sim.example/run-ms": "10" }) })))], { nodes: [nodeObject("n1")] });
    m.until(1.2);
    expect(m.events().filter((text) => text.startsWith("SucceededDaemonPod"))[0]).toMatch(/^SucceededDaemonPod: Found succeeded daemon pod default\/ds-\w+ on node n1, will try to delete it$/);
    expect(m.notes(/deletes 1/).length).toBeGreaterThan(1);
  });
});

describe("a new template", () => {
  const roll = (spec: object) => cluster([at(0, write("POST", SETS, set(spec))), at(3, image("j"))]);
  test("one node at a time: the old Pod goes, then the new one comes", () => {
    const m = roll({});
    m.until(3.4);
    expect(m.pods()).toEqual(["n1:i going", "n2:i", "n3:i"]);
    m.until(9);
    expect([m.pods(), m.done(3)]).toEqual([["n1:j", "n2:j", "n3:j"], ["deletes 1", "creates 1", "deletes 1", "creates 1", "deletes 1", "creates 1"]]);
    expect(m.status()).toMatchObject({ updatedNumberScheduled: 3, numberAvailable: 3 });
  });

  test.each([
    ["half of them, rounded up", rolling({ maxUnavailable: "50%" }), ["deletes 2", "creates 1", "creates 1", "deletes 1", "creates 1"]],
    ["none, when users delete Pods themselves", { updateStrategy: { type: "OnDelete" } }, []],
    ["surge: the new one first, the old one goes when it is ready", rolling({ maxUnavailable: 0, maxSurge: 1 }), ["creates 1", "deletes 1", "creates 1", "deletes 1", "creates 1", "deletes 1"]],
    ["surge on all", rolling({ maxUnavailable: 0, maxSurge: "100%" }), ["creates 3", "deletes 1", "deletes 2"]],
  ])("%s", (_name, spec, done) => {
    const m = roll(spec);
    m.until(9);
    expect(m.done(3)).toEqual(done);
  });

  test("one that is not ready is replaced beyond the limit", () => {
    const unready = m0().map((name) => write("PATCH", `${PODS}/${name}/status`, { status: { conditions: [{ type: "Ready", status: "False" }] } }));
    const m = cluster([at(0, write("POST", SETS, set())), at(2.5, ...unready.slice(0, 2)), at(3, image("j"))]);
    m.until(3.2);
    expect(m.pods().filter((text) => text.endsWith("going")).length).toBe(2);
  });

  test("minReadySeconds slows the pace; the set looks again by itself", () => {
    const m = cluster([at(0, write("POST", SETS, set({ minReadySeconds: 4 }))), at(8, image("j"))]);
    m.until(3);
    expect([m.status().numberReady, m.status().numberAvailable ?? 0]).toEqual([3, 0]);
    m.until(7.9);
    expect(m.status().numberAvailable).toBe(3);
    m.until(30);
    const times = m.notes(/deletes 1/).map((text) => Number.parseFloat(text));
    expect([times.length, times.slice(1).every((time, i) => time - (times[i] ?? 0) > 4.5)]).toEqual([3, true]);
  });
});

/** Names of the Pods of a run that begins the same way. */
function m0(): readonly string[] {
  const m = cluster([at(0, write("POST", SETS, set()))]);
  m.until(2);
  return m.list<Pod>("Pod").map(({ metadata }) => metadata.name ?? "");
}

describe("revisions", () => {
  const revision = (name: string, labels: Readonly<Record<string, string>>, number: number, spec: object, owned = true): ControllerRevision => ({ apiVersion: "apps/v1", kind: "ControllerRevision", metadata: { name, namespace: "default", uid: name, resourceVersion: "1", labels: { app: "a", ...labels }, ...(owned ? { ownerReferences: [{ apiVersion: "apps/v1", kind: "DaemonSet", name: "ds", uid: "d", controller: true }] } : {}) }, data: { spec: { template: { ...template(spec), $patch: "replace" } } }, revision: number });
  const existing = set({ revisionHistoryLimit: 1 }, { uid: "d", resourceVersion: "1", generation: 1 });
  const HASH = "controller-revision-hash";

  test("a template that comes back is the old revision with a new number; of old ones beyond the limit the oldest go", () => {
    const m = cluster([at(0, write("POST", SETS, set({ revisionHistoryLimit: 1 }))), ...["j", "k", "i"].map((name, n) => at(3 + 6 * n, image(name)))], { nodes: [nodeObject("n1")] });
    m.until(12);
    expect(m.revisions().map((entry) => entry.revision).sort()).toEqual([2, 3]);
    m.until(20);
    expect(m.revisions().map((entry) => entry.revision).sort()).toEqual([3, 4]);
  });

  test("of two of the present template the newer is kept and Pods are relabelled; one without its label gets it; an orphan is adopted", () => {
    const m = cluster([at(1, write("PATCH", `${SETS}/ds`, { metadata: { annotations: { look: "again" } } }))], { nodes: [nodeObject("n1")], objects: [existing, revision("ds-a", { [HASH]: "a" }, 1, {}), revision("ds-b", { [HASH]: "b" }, 2, {}), revision("ds-c", {}, 1, { hostNetwork: true }), revision("ds-o", { [HASH]: "o" }, 1, { hostPID: true }, false), { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "default", uid: "p", resourceVersion: "1", labels: { app: "a", [HASH]: "a" }, ownerReferences: [{ apiVersion: "apps/v1", kind: "DaemonSet", name: "ds", uid: "d", controller: true }] }, spec: { nodeName: "n1", containers: [{ name: "c", image: "i" }] }, status: { phase: "Running" } } as KubeObject] });
    m.until(3);
    expect(m.requests(/controllerrevisions|pods\/p|GET/).map((text) => text.replace(`${REVISIONS}/`, ""))).toEqual([`GET ${SETS}/ds`, "PATCH ds-o", "PUT ds-c", `PATCH ${PODS}/p`, "DELETE ds-a", "DELETE ds-c"]);
    expect(m.list("Pod")[0]?.metadata.labels?.[HASH]).toBe("b");
  });

  test("a name that another template has taken: the count of collisions goes up, and the next sync makes another", () => {
    const first = cluster([at(0, write("POST", SETS, set()))]);
    first.until(1);
    const name = first.revisions()[0]?.metadata.name ?? "";
    const { ownerReferences: _, ...metadata } = revision(name, { app: "else" }, 1, { hostPID: true }).metadata;
    const m = cluster([at(0, write("POST", SETS, set()))], { objects: [{ ...revision(name, {}, 1, { hostPID: true }), metadata } as KubeObject] });
    m.until(3);
    expect(m.requests(/controllerrevisions|daemonsets/).slice(0, 6)).toEqual([`POST ${SETS}`, `POST ${REVISIONS}`, `GET ${REVISIONS}/${name}`, `GET ${SETS}/ds`, `PUT ${SETS}/ds/status`, `POST ${REVISIONS}`]);
    expect([m.status().collisionCount, m.status().numberReady]).toEqual([1, 3]);
  });
});

describe("the status", () => {
  test("a write that fails is tried once more on the object as it is", () => {
    let refused = 0;
    const m = cluster([at(0, write("POST", SETS, set()))], { refuse: (request) => (request.path.endsWith("ds/status") && request.method === "PUT" && refused++ < 1 ? { status: 409, reason: "Conflict", message: "modified" } : undefined), kubelet: false });
    m.until(1);
    expect(m.requests(/(GET|PUT) .*daemonsets/).slice(0, 3)).toEqual([`PUT ${SETS}/ds/status`, `GET ${SETS}/ds`, `PUT ${SETS}/ds/status`]);
    expect(m.get()?.status).toEqual({ currentNumberScheduled: 3, numberMisscheduled: 0, desiredNumberScheduled: 3, numberReady: 0, observedGeneration: 1, updatedNumberScheduled: 3, numberUnavailable: 3 });
  });

  test("a set that is going is left alone", () => {
    const m = cluster([at(0, write("POST", SETS, set({}, { finalizers: ["x/y"] }))), at(3, write("DELETE", `${SETS}/ds`)), at(4, ...m0().map((name) => write("DELETE", `${PODS}/${name}`)))]);
    m.until(7);
    expect([m.pods(), m.done(3)]).toEqual([[], []]);
  });
});
