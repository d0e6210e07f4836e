import { describe, expect, test } from "vitest";
import type { KubeObject, OwnerReference } from "../../api/types.ts";
import { http, type Op, requestsOf, runWith, stored, T } from "../../testdata/control-plane.ts";
import type { ControllerEntry } from "../registry.ts";
import { createGarbageCollector, garbageCollectorWatches } from "./garbage-collector.ts";

const GC: ControllerEntry = { watches: garbageCollectorWatches, create: createGarbageCollector as never };
const MAPS = "/api/v1/namespaces/default/configmaps";
const ref = (name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({ apiVersion: "v1", kind: "ConfigMap", name, uid: `uid-${name}`, ...more });
const blocking = (name: string): OwnerReference => ref(name, { blockOwnerDeletion: true });
const map = (name: string, owners: readonly OwnerReference[] = [], more: object = {}): KubeObject => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default", ...(owners.length > 0 ? { ownerReferences: owners } : {}), ...more } });
const create = (seconds: number, object: KubeObject, path = MAPS): Op => http(seconds * T, { method: "POST", path, body: object });
const remove = (seconds: number, name: string, propagationPolicy: string, path = MAPS): Op => http(seconds * T, { method: "DELETE", path: `${path}/${name}`, body: { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy } });
const names = (sim: ReturnType<typeof runWith>, kind = "ConfigMap"): readonly string[] => stored(sim, kind).map(({ metadata }) => `${metadata.name ?? ""}${(metadata.ownerReferences ?? []).map(({ name }) => ` <- ${name}`).join("")}`);
/** What the collector asked for, in order: "GET child", "DELETE child Background". */
const calls = (sim: ReturnType<typeof runWith>): readonly string[] => requestsOf(sim, "garbage-collector").filter(({ call }) => call !== "GET /apis" && !call.endsWith("/events")).map(({ call, status, body }) => {
  const { propagationPolicy, metadata } = (body ?? {}) as { propagationPolicy?: string; metadata?: { ownerReferences?: unknown; finalizers?: unknown } };
  const [method = "", path = ""] = call.split(" ");
  return [method, path.split("/").at(-1), ...(propagationPolicy === undefined ? [] : [propagationPolicy]), ...(metadata === undefined ? [] : ["finalizers" in metadata ? "finalizers" : "owners"]), ...(status === 200 ? [] : [status])].join(" ");
});
const events = (sim: ReturnType<typeof runWith>): readonly string[] => (stored(sim, "Event") as readonly (KubeObject & { readonly type: string; readonly reason: string; readonly message: string; readonly source: { readonly component: string } })[]).map(({ type, reason, message, source }) => `${type} ${reason} ${message} (${source.component})`);

interface Situation {
  readonly name: string;
  readonly objects?: readonly KubeObject[];
  readonly ops: readonly Op[];
  readonly left: readonly string[];
  readonly calls?: readonly string[];
  readonly events?: readonly string[];
}

const FOREGROUND_CHAIN = [map("a"), map("b", [blocking("a")]), map("c", [blocking("b")])];

describe("what is left, and what was asked for it", () => {
  test.each<Situation>([
    { name: "background: the dependents of an owner that is gone go", objects: [map("a"), map("b", [ref("a")])], ops: [remove(1, "a", "Background")], left: [], calls: ["GET b", "DELETE b Background"] },
    { name: "an owner that never was: it is looked up once, for two dependents", ops: [create(1, map("b", [ref("a")])), create(2, map("c", [ref("a")]))], left: [], calls: ["GET a 404", "GET b", "DELETE b Background", "GET a 404", "GET c", "DELETE c Background"] },
    { name: "an owner of the same name with another uid is not the owner", objects: [map("a")], ops: [create(1, map("b", [ref("a", { uid: "other" })]))], left: ["a"], calls: ["GET a", "GET b", "DELETE b Background"] },
    { name: "orphan: the references go, then the owner", objects: [map("a"), map("b", [ref("a")])], ops: [remove(1, "a", "Orphan")], left: ["b"], calls: ["PATCH b owners", "GET a", "PATCH a finalizers"] },
    { name: "orphan without dependents", objects: [map("a")], ops: [remove(1, "a", "Orphan")], left: [], calls: ["GET a", "PATCH a finalizers"] },
    { name: "foreground: the last first", objects: FOREGROUND_CHAIN, ops: [remove(1, "a", "Foreground")], left: [] },
    { name: "foreground does not wait for those that do not block", objects: [map("a"), map("b", [ref("a")], { finalizers: ["example.com/keep"] })], ops: [remove(1, "a", "Foreground")], left: ["b <- a"] },
    { name: "foreground waits for one that blocks and does not go", objects: [map("a"), map("b", [blocking("a")], { finalizers: ["example.com/keep"] })], ops: [remove(1, "a", "Foreground")], left: ["a", "b <- a"] },
    { name: "and is done when the reference no longer blocks", objects: [map("a"), map("b", [blocking("a")], { finalizers: ["example.com/keep"] })], ops: [remove(1, "a", "Foreground"), http(2 * T, { method: "PATCH", path: `${MAPS}/b`, body: { metadata: { ownerReferences: [{ ...ref("a"), blockOwnerDeletion: false }] } } })], left: ["b <- a"] },
    { name: "one of two owners is gone: its reference goes", objects: [map("a"), map("d"), map("b", [ref("a"), ref("d")])], ops: [remove(1, "a", "Background")], left: ["b <- d", "d"], calls: ["GET b", "GET d", "PATCH b owners"] },
    { name: "one of two owners waits: its reference goes, it is not held up", objects: [map("a"), map("d"), map("b", [blocking("a"), ref("d")])], ops: [remove(1, "a", "Foreground")], left: ["b <- d", "d"] },
    { name: "a circle in the foreground is broken", objects: [map("a", [blocking("c")]), map("b", [blocking("a")]), map("c", [blocking("b")])], ops: [remove(1, "a", "Foreground")], left: [] },
    { name: "a dependent whose own dependents shall be orphaned", objects: [map("a"), map("b", [ref("a")], { finalizers: ["orphan"] }), map("c", [ref("b")])], ops: [remove(1, "a", "Background")], left: ["c"] },
    { name: "an owner in another namespace is none: an event says so", objects: [{ ...map("a"), metadata: { name: "a", namespace: "kube-system" } }], ops: [create(1, map("b", [ref("a")]))], left: ["a"], events: ['Warning OwnerRefInvalidNamespace ownerRef [v1/ConfigMap, namespace: default, name: a, uid: uid-a] does not exist in namespace "default" (garbage-collector-controller)'] },
    { name: "a cluster-scoped object with a namespaced owner stays, with an event", objects: [map("a")], ops: [create(1, { apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "v", ownerReferences: [ref("a")] }, spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } } } as KubeObject, "/api/v1/persistentvolumes")], left: ["a"], calls: ["GET v"], events: ['Warning OwnerRefInvalidNamespace ownerRef [v1/ConfigMap, namespace: , name: a, uid: uid-a] does not exist in namespace "" (garbage-collector-controller)'] },
    { name: "an owner of a version that is not served: nothing is deleted", objects: [map("a")], ops: [create(1, map("b", [ref("a", { apiVersion: "v9" })]))], left: ["a", "b <- a"] },
  ])("$name", ({ objects = [], ops, left, calls: asked, events: told }) => {
    const sim = runWith([GC], ops, 20 * T, objects);
    expect(names(sim)).toEqual(left);
    if (asked !== undefined) expect(calls(sim)).toEqual(asked);
    if (told !== undefined) expect(events(sim)).toEqual(told);
  });
});

test("a DELETE names the uid and the version that was looked at", () => {
  const sim = runWith([GC], [remove(1, "a", "Background")], 5 * T, [map("a"), map("b", [ref("a")])]);
  const deletion = requestsOf(sim, "garbage-collector").find(({ call }) => call === `DELETE ${MAPS}/b`);
  expect(deletion?.body).toEqual({ kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: "uid-b", resourceVersion: "100" }, propagationPolicy: "Background" });
  expect(deletion?.headers["Accept"]).toContain("as=PartialObjectMetadata");
});

test("a change between the look and the DELETE: it is deleted as it is now, if its owners are the same", () => {
  const looked = requestsOf(runWith([GC], [remove(1, "a", "Background")], 5 * T, [map("a"), map("b", [ref("a")])]), "garbage-collector")[0]?.at ?? 0;
  const patch = (metadata: object): Op => http(looked - 2000, { method: "PATCH", path: `${MAPS}/b`, body: { metadata } });
  const found = [1000, 1500, 2000, 2500, 3000, 3500].map((early) => runWith([GC], [remove(1, "a", "Background"), { ...patch({ labels: { x: "y" } }), at: looked - early }], 5 * T, [map("a"), map("b", [ref("a")])])).find((sim) => calls(sim).length > 2);
  expect(found === undefined ? [] : calls(found)).toEqual(["GET b", "DELETE b Background 409", "GET b", "DELETE b Background"]);
});

const CRD = (plural: string, kind: string): KubeObject => ({ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: `${plural}.example.com` }, spec: { group: "example.com", scope: "Namespaced", names: { plural, singular: kind.toLowerCase(), kind }, versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } }] } }) as KubeObject;
const FOOS = "/apis/example.com/v1/namespaces/default/foos";
const foo = (name: string, owners: readonly OwnerReference[] = []): KubeObject => ({ apiVersion: "example.com/v1", kind: "Foo", metadata: { name, ...(owners.length > 0 ? { ownerReferences: owners } : {}) } });

describe("custom resources are found by discovery, every 30 s", () => {
  const define = create(1, CRD("foos", "Foo"), "/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
  test.each([
    { policy: "Foreground", left: [], maps: [] },
    { policy: "Background", left: [], maps: [] },
    { policy: "Orphan", left: [], maps: ["b"] },
  ])("a custom owner, deleted with $policy", ({ policy, left, maps }) => {
    const before = runWith([GC], [define, create(3, foo("a"), FOOS)], 10 * T);
    const uid = stored(before, "Foo")[0]?.metadata.uid ?? "";
    const sim = runWith([GC], [define, create(3, foo("a"), FOOS), create(40, map("b", [{ apiVersion: "example.com/v1", kind: "Foo", name: "a", uid, blockOwnerDeletion: true }])), remove(45, "a", policy, FOOS)], 60 * T);
    expect([names(sim, "Foo"), names(sim)]).toEqual([left, maps]);
  });

  test("custom dependents: their lists of owners are written whole, for they know no strategic merge", () => {
    const sim = runWith([GC], [define, create(20, foo("b", [ref("a")]), FOOS), remove(45, "a", "Orphan")], 60 * T, [map("a")]);
    expect(names(sim, "Foo")).toEqual(["b"]);
    expect(calls(sim).filter((call) => call.startsWith("PATCH"))).toEqual(["PATCH b owners 415", "PATCH b owners", "PATCH a finalizers"]);
  });

  test("until discovery has found the kind, an owner of it is asked for again and again and its dependent lives", () => {
    const sim = runWith([GC], [define, create(2, foo("a"), FOOS), create(3, map("b", [{ apiVersion: "example.com/v1", kind: "Foo", name: "a", uid: "gone" }]))], 60 * T);
    const [first] = requestsOf(sim, "garbage-collector").filter(({ call }) => call === `GET ${FOOS}/a`);
    expect(first?.at).toBeGreaterThan(13 * T);
    expect(names(sim)).toEqual([]);
  });
});

test("a Node's Lease goes with the Node", () => {
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "n1", namespace: "default", uid: "uid-lease", ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n1", uid: "uid-n1" }] }, spec: {} } as KubeObject;
  expect(names(runWith([GC], [remove(1, "n1", "Background", "/api/v1/nodes")], 5 * T, [lease]), "Lease")).toEqual([]);
});

test("kinds without objects cost nothing: no list, no discovery, no bookmark in five minutes", () => {
  const sim = runWith([GC], [], 300 * T);
  expect(requestsOf(sim, "garbage-collector")).toEqual([]);
});
