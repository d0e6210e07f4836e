import { describe, expect, test } from "vitest";
import type { KubeObject, Pod } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { namespaceObject } from "../../testdata/controller-cluster.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../../testdata/mini-cluster.ts";
import { createStandIn, standInWatches } from "../../testdata/stand-in-kubelet.ts";
import type { ControllerRevision } from "../history/controller-history.ts";
import type { StatefulSet } from "./identity.ts";
import { createStatefulSetController, statefulSetWatches } from "./statefulset-controller.ts";

const SETS = "/apis/apps/v1/namespaces/default/statefulsets";
const PODS = "/api/v1/namespaces/default/pods";
const REVISIONS = "/apis/apps/v1/namespaces/default/controllerrevisions";
const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const template = (image = "i", annotations: Readonly<Record<string, string>> = {}) => ({ metadata: { labels: { app: "db" }, annotations }, spec: { containers: [{ name: "c", image }] } });
const set = (spec: object = {}, metadata: object = {}): KubeObject => ({ apiVersion: "apps/v1", kind: "StatefulSet", metadata: { name: "db", namespace: "default", ...metadata }, spec: { replicas: 2, serviceName: "db", selector: { matchLabels: { app: "db" } }, template: template(), updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } }, ...spec } });
const change = (spec: object) => write("PATCH", `${SETS}/db`, { spec });
const image = (name: string) => change({ template: { spec: { containers: [{ name: "c", image: name }] } } });
const annotated = (pod: string, annotations: object) => write("PATCH", `${PODS}/${pod}`, { metadata: { annotations } });
const status = (pod: string, phase: string, ready: boolean) => write("PATCH", `${PODS}/${pod}/status`, { status: { phase, conditions: [{ type: "Ready", status: ready ? "True" : "False" }] } });

type Refuse = NonNullable<NonNullable<Parameters<typeof miniCluster>[4]>["refuse"]>;
function cluster(inputs: MiniInput[], { refuse, objects = [], kubelet = true }: { refuse?: Refuse; objects?: readonly KubeObject[]; kubelet?: boolean } = {}) {
  const m = miniCluster(
    (world) => [createStatefulSetController({ world }), ...(kubelet ? [createStandIn({ nodes: ["n1"], readyAfterMs: 300, deleteAfterMs: 500 })] : [])] as Component[],
    [...statefulSetWatches(), ...(kubelet ? standInWatches() : [])],
    [nodeObject("n1"), namespaceObject("default"), ...objects], inputs, refuse === undefined ? {} : { refuse },
  );
  const pods = () => m.list<Pod>("Pod").map(({ metadata, spec }) => `${metadata.name}:${spec.containers[0]?.image}`);
  return { ...m, until: (seconds: number) => m.sim.run(seconds * 1_000_000), get: () => m.list<StatefulSet>("StatefulSet")[0], pods, claims: () => m.list("PersistentVolumeClaim").map(({ metadata }) => `${metadata.name} ${(metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind}/${name}`).join()}`), revisions: () => m.list<ControllerRevision>("ControllerRevision") };
}

const told = (m: ReturnType<typeof cluster>): string[] => m.events().map((text) => text.replace(/^\w+: /, ""));
/** What it did, from a second on; the text of an Event that repeats stands at its last time. */
const done = (m: ReturnType<typeof cluster>, from = 0): string[] => m.notes(/statefulset-controller (creates|deletes|repairs)/).filter((text) => Number.parseFloat(text) >= from).map((text) => text.replace(/^[\d.]+ statefulset-controller /, ""));

describe("in order", () => {
  test("each Pod waits for the one before to be ready; the first write says what is there, which is nothing", () => {
    const m = cluster([at(0, write("POST", SETS, set()))]);
    m.until(3);
    expect(m.requests(/statefulsets|controllerrevisions|POST .*pods$/).map((text) => text.replace(/ .*\//, " "))).toEqual(["POST statefulsets", "POST controllerrevisions", "POST pods", "PUT status", "PUT status", "POST pods", "PUT status", "PUT status", "PUT status"]);
    expect(told(m)).toEqual(["Create Pod db-0 in StatefulSet db successful", "Create Pod db-1 in StatefulSet db successful"]);
    expect(m.get()?.status).toMatchObject({ observedGeneration: 1, replicas: 2, readyReplicas: 2, currentReplicas: 2, updatedReplicas: 2, availableReplicas: 2, collisionCount: 0 });
  });

  test("scaled down from the top, the next when the last is gone", () => {
    const m = cluster([at(0, write("POST", SETS, set({ replicas: 3 }))), at(4, change({ replicas: 1 }))]);
    m.until(4.4);
    expect(m.pods().length).toBe(3);
    m.until(8);
    expect(told(m).slice(3)).toEqual(["Delete Pod db-2 in StatefulSet db successful", "Delete Pod db-1 in StatefulSet db successful"]);
    expect(m.pods()).toEqual(["db-0:i"]);
  });

  test.each([
    { name: "one that is not ready is spared while another is not", broken: ["db-1", "db-2"], pods: ["db-0:i", "db-1:i", "db-2:i"] },
    { name: "not so the only one", broken: ["db-2"], pods: ["db-0:i"] },
    { name: "nothing goes while one that stays is not ready", broken: ["db-0"], pods: ["db-0:i", "db-1:i", "db-2:i"] },
  ])("scaling down: $name", ({ broken, pods }) => {
    const m = cluster([at(0, write("POST", SETS, set({ replicas: 3 }))), at(4, ...broken.map((name) => status(name, "Running", false))), at(5, change({ replicas: 1 }))]);
    m.until(9);
    expect(m.pods()).toEqual(pods);
  });

  test.each([["Failed"], ["Succeeded"]])("a Pod that is %s is deleted and made anew; a going one is waited for", (phase) => {
    const m = cluster([at(0, write("POST", SETS, set())), at(3, status("db-0", phase, false))]);
    m.until(6);
    expect([done(m, 3), m.get()?.status?.readyReplicas]).toEqual([["deletes db-0", "creates db-0"], 2]);
  });

  test("ordinals begin where they are told to; those before go", () => {
    const m = cluster([at(0, write("POST", SETS, set({ ordinals: { start: 2 } }))), at(4, change({ ordinals: { start: 3 } }))]);
    m.until(2);
    expect(m.pods()).toEqual(["db-2:i", "db-3:i"]);
    expect(m.list<Pod>("Pod")[0]).toMatchObject({ metadata: { labels: { app: "db", "apps.kubernetes.io/pod-index": "2", "statefulset.kubernetes.io/pod-name": "db-2" } }, spec: { hostname: "db-2", subdomain: "db" } });
    m.until(8);
    expect(m.pods()).toEqual(["db-3:i", "db-4:i"]);
  });

  test("minReadySeconds: the next comes when the last has been ready so long, and the set looks again by itself", () => {
    const m = cluster([at(0, write("POST", SETS, set({ minReadySeconds: 5 })))]);
    m.until(4);
    expect([m.pods().length, m.get()?.status?.readyReplicas, m.get()?.status?.availableReplicas]).toEqual([1, 1, 0]);
    m.until(14);
    expect([m.pods().length, m.get()?.status?.availableReplicas]).toEqual([2, 2]);
  });
});

describe("in parallel", () => {
  const parallel = (spec: object = {}): KubeObject => set({ replicas: 5, podManagementPolicy: "Parallel", ...spec });
  test("creations go out in doubling batches, and nothing waits", () => {
    const m = cluster([at(0, write("POST", SETS, parallel())), at(2, change({ replicas: 1 }))]);
    m.until(1);
    expect(m.notes(/creates/).map((text) => text.replace(/^[\d.]+ statefulset-controller /, ""))).toEqual(["creates db-0", "creates db-1, creates db-2", "creates db-3, creates db-4"]);
    m.until(4);
    expect(m.pods()).toEqual(["db-0:i"]);
    expect(told(m).slice(5).sort()).toEqual([1, 2, 3, 4].map((n) => `Delete Pod db-${n} in StatefulSet db successful`));
  });

  test("a batch with an error is the last of the sync", () => {
    const m = cluster([at(0, write("POST", SETS, parallel()))], { refuse: (request, state) => (request.method === "POST" && request.path === PODS && state.requests.filter((text) => text === `POST ${PODS}`).length < 3 ? { status: 500, reason: "InternalError", message: "no room" } : undefined) });
    m.until(0.5);
    expect(m.events()[0]).toBe("FailedCreate: Create Pod db-0 in StatefulSet db failed error: no room");
    expect(m.notes(/will retry/)[0]).toMatch(/retry default\/db in 5 ms/);
  });
});

describe("a new template", () => {
  const rollOut = (spec: object, from = 4) => cluster([at(0, write("POST", SETS, set({ replicas: 3, ...spec }))), at(from, image("j"))]);
  test("goes from the top down, one at a time; then it is the current one", () => {
    const m = rollOut({});
    m.until(4.1);
    const before = m.get()?.status;
    expect([before?.updatedReplicas ?? 0, before?.currentReplicas, before?.currentRevision === before?.updateRevision]).toEqual([0, 2, false]);
    m.until(10);
    expect(done(m, 4)).toEqual([2, 1, 0].flatMap((n) => [`deletes db-${n}`, `creates db-${n}`]));
    expect(m.get()?.status?.currentRevision).toBe(m.get()?.status?.updateRevision);
    expect(m.revisions().map(({ revision }) => revision).sort()).toEqual([1, 2]);
  });

  test.each([
    ["stops at the partition", { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } }, ["db-0:i", "db-1:i", "db-2:j"]],
    ["waits for users to delete Pods", { updateStrategy: { type: "OnDelete" } }, ["db-0:i", "db-1:i", "db-2:i"]],
    ["in parallel too goes one at a time", { podManagementPolicy: "Parallel" }, ["db-0:j", "db-1:j", "db-2:j"]],
  ])("%s", (_name, spec, pods) => {
    const m = rollOut(spec);
    m.until(10);
    expect(m.pods()).toEqual(pods);
  });

  test("below the partition a Pod comes back as it was", () => {
    const m = cluster([at(0, write("POST", SETS, set({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } } }))), at(3, image("j")), at(6, write("DELETE", `${PODS}/db-0`))]);
    m.until(9);
    expect(m.pods()).toEqual(["db-0:i", "db-1:j"]);
  });

  test("one that never gets ready stops the roll-out; the old template does not mend it until somebody deletes it", () => {
    const m = cluster([at(0, write("POST", SETS, set())), at(3, change({ template: template("bad", { "sim.example/ready": "never" }) })), at(6, change({ template: template("i", { "sim.example/ready": "" }) })), at(9, write("DELETE", `${PODS}/db-1`))]);
    m.until(8.9);
    expect(m.pods()).toEqual(["db-0:i", "db-1:bad"]);
    m.until(14);
    expect(m.pods()).toEqual(["db-0:i", "db-1:i"]);
  });
});

describe("revisions", () => {
  test("a template that comes back is the old revision with a new number; those beyond the limit go, the oldest first", () => {
    const m = cluster([at(0, write("POST", SETS, set({ replicas: 1, revisionHistoryLimit: 1 }, { annotations: { note: "x" } }))), ...["j", "k", "i", "l"].map((name, n) => at(3 + 3 * n, image(name)))]);
    m.until(11.5);
    expect(m.revisions().map(({ revision }) => revision).sort()).toEqual([3, 4]);
    expect(m.revisions()[0]?.metadata).toMatchObject({ annotations: { note: "x" }, labels: { app: "db" }, ownerReferences: [{ kind: "StatefulSet", name: "db", controller: true }] });
    m.until(20);
    expect(m.requests(/DELETE .*controllerrevisions/).length).toBe(3);
    expect(m.get()?.status?.currentRevision).toMatch(/^db-\w+$/);
  });

  test("a name that another template has taken: the count of collisions is raised, and the Pods come all the same", () => {
    const first = cluster([at(0, write("POST", SETS, set()))]);
    first.until(1);
    const name = first.revisions()[0]?.metadata.name ?? "";
    const taken: KubeObject & ControllerRevision = { apiVersion: "apps/v1", kind: "ControllerRevision", metadata: { name, namespace: "default", uid: "r", resourceVersion: "1" }, data: { spec: { template: template("other") } }, revision: 1 };
    const m = cluster([at(1, write("POST", SETS, set()))], { objects: [taken] });
    m.until(4);
    expect(m.requests(/controllerrevisions/)).toEqual([`POST ${REVISIONS}`, `GET ${REVISIONS}/${name}`, `POST ${REVISIONS}`]);
    expect([m.get()?.status?.collisionCount, m.get()?.status?.readyReplicas]).toEqual([1, 2]);
  });

  test("a revision without an owner is adopted after a fresh look at the set", () => {
    const orphan: ControllerRevision = { apiVersion: "apps/v1", kind: "ControllerRevision", metadata: { name: "db-old", namespace: "default", uid: "r", resourceVersion: "1", labels: { app: "db" } }, data: { spec: { template: { ...template(), $patch: "replace" } } }, revision: 7 };
    const m = cluster([at(1, write("POST", SETS, set()))], { objects: [orphan] });
    m.until(4);
    expect(m.requests(/controllerrevisions|GET/)).toEqual([`GET ${SETS}/db`, `PATCH ${REVISIONS}/db-old`]);
    expect([m.get()?.status?.updateRevision, m.revisions()[0]?.metadata.ownerReferences?.length]).toEqual(["db-old", 1]);
  });
});

describe("claims", () => {
  const claims = (policy?: object, spec: object = {}): KubeObject => set({ volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"] } }], ...(policy === undefined ? {} : { persistentVolumeClaimRetentionPolicy: policy }), ...spec });
  test.each([
    [undefined, ["data-db-0 ", "data-db-1 "], ["data-db-0 ", "data-db-1 "]],
    [{ whenScaled: "Retain", whenDeleted: "Delete" }, ["data-db-0 StatefulSet/db", "data-db-1 StatefulSet/db"], ["data-db-0 StatefulSet/db", "data-db-1 StatefulSet/db"]],
    [{ whenScaled: "Delete", whenDeleted: "Retain" }, ["data-db-0 ", "data-db-1 "], ["data-db-0 ", "data-db-1 Pod/db-1"]],
    [{ whenScaled: "Delete", whenDeleted: "Delete" }, ["data-db-0 StatefulSet/db", "data-db-1 StatefulSet/db"], ["data-db-0 StatefulSet/db", "data-db-1 Pod/db-1"]],
  ])("%j: owned by %j, scaled down %j", (policy, before, after) => {
    const m = cluster([at(0, write("POST", SETS, claims(policy))), at(3, change({ replicas: 1 }))]);
    m.until(2.9);
    expect([m.claims(), told(m)[0], told(m)[1]]).toEqual([before, "Create Claim data-db-0 Pod db-0 in StatefulSet db success", "Create Pod db-0 in StatefulSet db successful"]);
    expect(m.list<Pod>("Pod")[0]?.spec.volumes).toEqual([{ name: "data", persistentVolumeClaim: { claimName: "data-db-0" } }]);
    m.until(6);
    expect(m.claims()).toEqual(after);
  });

  test("a policy that changes is carried out on what is there, Pod by Pod, and each is told as updated", () => {
    const m = cluster([at(0, write("POST", SETS, claims())), at(3, change({ persistentVolumeClaimRetentionPolicy: { whenScaled: "Retain", whenDeleted: "Delete" } }))]);
    m.until(6);
    expect(m.claims()).toEqual(["data-db-0 StatefulSet/db", "data-db-1 StatefulSet/db"]);
    expect(told(m).slice(4)).toEqual(["Update Pod db-0 in StatefulSet db successful", "Update Pod db-1 in StatefulSet db successful"]);
    expect(m.requests(/PUT .*(claims|pods)\/[^/]*$/)).toEqual([`PUT ${CLAIMS}/data-db-0`, `PUT ${PODS}/db-0`, `PUT ${CLAIMS}/data-db-1`, `PUT ${PODS}/db-1`]);
  });

  test("a claim that somebody else controls is left alone, and told of", () => {
    const other: KubeObject = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data-db-0", namespace: "default", uid: "c", resourceVersion: "1", ownerReferences: [{ apiVersion: "x/v1", kind: "Other", name: "o", uid: "o", controller: true }] } };
    const m = cluster([at(0, write("POST", SETS, claims({ whenScaled: "Retain", whenDeleted: "Delete" }, { replicas: 1 })))], { objects: [other] });
    m.until(3);
    expect([m.claims(), m.events().at(-1)]).toEqual([["data-db-0 Other/o"], "ConflictingController: PersistentVolumeClaim data-db-0 has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim"]);
  });

  test("a claim that goes with the Pod before: its successor waits", () => {
    const stale: KubeObject = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data-db-0", namespace: "default", uid: "c", resourceVersion: "1", ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "db-0", uid: "gone", controller: true }] } };
    const m = cluster([at(0, write("POST", SETS, claims({ whenScaled: "Delete", whenDeleted: "Retain" }, { replicas: 1 }))), at(2, write("DELETE", `${CLAIMS}/data-db-0`)), at(3, write("PATCH", `${SETS}/db`, { metadata: { annotations: { look: "again" } } }))], { objects: [stale] });
    m.until(1.9);
    expect(m.pods()).toEqual([]);
    m.until(5);
    expect([m.pods(), m.claims()]).toEqual([["db-0:i"], ["data-db-0 "]]);
  });

  test("a claim that is going, and one that cannot be made: the Pod is not made either", () => {
    const going: KubeObject = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data-db-0", namespace: "default", uid: "c", resourceVersion: "1", deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["x/y"] } };
    const m = cluster([at(0, write("POST", SETS, claims()))], { objects: [going] });
    m.until(0.2);
    expect(m.events()[0]).toBe("FailedCreate: Create Pod db-0 in StatefulSet db failed error: pvc data-db-0 is being deleted");
    const n = cluster([at(0, write("POST", SETS, claims()))], { refuse: (request) => (request.method === "POST" && request.path === CLAIMS ? { status: 403, reason: "Forbidden", message: "exceeded quota" } : undefined) });
    n.until(0.2);
    expect(n.events().slice(0, 2)).toEqual(["FailedCreate: Create Claim data-db-0 for Pod db-0 in StatefulSet db failed error: exceeded quota", "FailedCreate: Create Pod db-0 in StatefulSet db failed error: failed to create PVC data-db-0: exceeded quota"]);
  });

  test("a claim that was lost is made again while its Pod is pending", () => {
    const m = cluster([at(0, write("POST", SETS, claims(undefined, { replicas: 1 }))), at(1, write("DELETE", `${CLAIMS}/data-db-0`)), at(2, annotated("db-0", { look: "again" }))], { kubelet: false });
    m.until(4);
    expect([m.claims(), done(m)]).toEqual([["data-db-0 "], ["creates data-db-0", "creates db-0", "creates data-db-0"]]);
  });
});

describe("writes that fail", () => {
  test("a name that is taken is tried again without a word", () => {
    const m = cluster([at(0, write("POST", PODS, { apiVersion: "v1", kind: "Pod", metadata: { name: "db-0", namespace: "default", labels: { app: "else" } }, spec: { containers: [] } })), at(1, write("POST", SETS, set()))], { kubelet: false });
    m.until(1.5);
    expect([m.events(), m.notes(/will retry/).length > 3]).toEqual([[], true]);
  });

  test("a status that conflicts is written again from the cache, five times in all", () => {
    let refused = 0;
    const m = cluster([at(0, write("POST", SETS, set({ replicas: 1 })))], { refuse: (request) => (request.path.endsWith("/status") && request.method === "PUT" && refused++ < 5 ? { status: 409, reason: "Conflict", message: "the object has been modified" } : undefined) });
    m.until(0.09);
    expect(m.requests(/PUT .*status/).length).toBe(6);
    expect(m.notes(/will retry/).length).toBe(1);
    m.until(2);
    expect(m.get()?.status?.readyReplicas).toBe(1);
  });

  test("a Pod whose label was taken away gets its identity back", () => {
    const m = cluster([at(0, write("POST", SETS, set({ replicas: 1 }))), at(3, write("PATCH", `${PODS}/db-0`, { metadata: { labels: { "statefulset.kubernetes.io/pod-name": null } } }))]);
    m.until(5);
    expect(m.list("Pod")[0]?.metadata.labels?.["statefulset.kubernetes.io/pod-name"]).toBe("db-0");
    expect(told(m).at(-1)).toBe("Update Pod db-0 in StatefulSet db successful");
  });

  test("a set that is going only counts", () => {
    const m = cluster([at(0, write("POST", SETS, set({}, { finalizers: ["x/y"] }))), at(3, write("DELETE", `${SETS}/db`)), at(4, write("DELETE", `${PODS}/db-1`))]);
    m.until(7);
    expect([m.pods(), m.get()?.status?.replicas, m.get()?.status?.readyReplicas]).toEqual([["db-0:i"], 1, 1]);
  });
});
