import { describe, expect, test } from "vitest";
import { createEtcdMember } from "../etcd/member.ts";
import type { HttpRequest, HttpResponse } from "../api/http.ts";
import type { KubeObject } from "../api/types.ts";
import type { World } from "../api/world.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { Component, Input, Message } from "../kernel/types.ts";
import { LATENCIES } from "../latencies/registry.ts";
import { createApiServer } from "./server.ts";

const IDS = ["etcd-0", "etcd-1", "etcd-2"];
const rbac = (kind: string, name: string, rest: object): KubeObject => ({ apiVersion: "rbac.authorization.k8s.io/v1", kind, metadata: { name }, ...rest }) as KubeObject;
const objects: readonly KubeObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "default" }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } } as KubeObject,
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "untracked", namespace: "default" }, data: { k: "1" } } as KubeObject,
  rbac("ClusterRole", "patcher", { rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["patch"] }] }),
  rbac("ClusterRoleBinding", "patcher", { subjects: [{ kind: "User", name: "patcher" }], roleRef: { kind: "ClusterRole", name: "patcher" } }),
].map((object) => ({ ...object, metadata: { uid: `uid-${object.metadata.name}`, resourceVersion: "100", creationTimestamp: "2025-12-01T00:00:00Z", ...object.metadata } }));
const world: World = { name: "t", seed: 1, resourceVersion: "100", nodes: [], watches: [], objects, clusterDomain: "cluster.local", serviceCIDR: "10.96.0.0/12", podCIDR: "10.244.0.0/16", dnsServiceIP: "10.96.0.10" };

interface Call {
  readonly method?: HttpRequest["method"];
  readonly path: string;
  readonly body: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly user?: string;
}
type CallInput = Input & { readonly call: Call };

const client: Component<readonly HttpResponse[]> = {
  id: "client", machine: "m", init: () => [],
  step(state, message, ctx) {
    if (message.type === "http.response") return [...state, message as HttpResponse];
    if (message.type !== "call") return state;
    const { method = "PATCH", path, body, query = {}, type = "application/apply-patch+yaml", user = "admin" } = (message as Message & { call: Call }).call;
    const request: HttpRequest = { type: "http.request", method, path, query, headers: { "User-Agent": "tester/1", "Content-Type": type }, body, credential: { kind: "client-certificate", name: user, groups: user === "admin" ? ["system:masters"] : [] } };
    ctx.send("kube-apiserver", request, { protocol: "HTTPS", latency: 100, verb: method });
    return state;
  },
};

/** Sends the calls one second after another and returns their answers. */
function answersTo(...calls: readonly Call[]): readonly { readonly status: number; readonly body: KubeObject & { readonly message?: string; readonly details?: unknown } }[] {
  const sim = Simulation.create({
    seed: 1, profile: "quiet", latencies: LATENCIES,
    components: [client, createApiServer({ world }), ...IDS.map((id) => createEtcdMember({ world, id, peers: IDS }))] as Component[],
    resolve: (input) => [{ type: "deliver", to: "client", message: { type: "call", call: (input as CallInput).call } as Message, verb: "call" }],
  }, calls.map((call, i): CallInput => ({ at: (i + 1) * 1_000_000, type: "call", call })));
  sim.run((calls.length + 2) * 1_000_000);
  return (sim.stateAt("client", sim.now) as readonly HttpResponse[]).map(({ status, body }) => ({ status, body: body as never }));
}

const CM = "/api/v1/namespaces/default/configmaps";
const cm = (data: object, metadata: object = {}): object => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", ...metadata }, data });
const apply = (manager: string, body: object, query: Readonly<Record<string, string>> = {}, more: Partial<Call> = {}): Call => ({ path: `${CM}/x`, body, query: { fieldManager: manager, ...query }, ...more });
const managers = (object: KubeObject | undefined): readonly string[] => (object?.metadata.managedFields ?? []).map((entry) => `${entry.manager} ${entry.operation}${entry.subresource === undefined ? "" : ` ${entry.subresource}`} ${entry.time ?? ""}`);

describe("server-side apply", () => {
  test("creates, keeps still, conflicts, is forced and takes away", () => {
    const [created, again, conflict, forced, dry, removed] = answersTo(
      apply("a", cm({ k: "1", l: "1" })), apply("a", cm({ k: "1", l: "1" })), apply("b", cm({ k: "2" })),
      apply("b", cm({ k: "2" }), { force: "true" }), apply("a", cm({ k: "2" }), { dryRun: "All" }), apply("a", cm({ k: "2" })),
    );
    expect([created, again, conflict, forced, dry, removed].map((answer) => answer?.status)).toEqual([201, 200, 409, 200, 200, 200]);
    expect(again?.body.metadata.resourceVersion).toBe(created?.body.metadata.resourceVersion);
    expect(conflict?.body).toMatchObject({ reason: "Conflict", message: 'Apply failed with 1 conflict: conflict with "a": .data.k', details: { causes: [{ reason: "FieldManagerConflict", message: 'conflict with "a"', field: ".data.k" }] } });
    expect(managers(forced?.body)).toEqual(["a Apply 2026-01-01T00:00:01Z", "b Apply 2026-01-01T00:00:04Z"]);
    expect(forced?.body).toMatchObject({ data: { k: "2", l: "1" } });
    expect(dry?.body).toMatchObject({ data: { k: "2" } });
    expect(managers(removed?.body)).toEqual(["b Apply 2026-01-01T00:00:04Z", "a Apply 2026-01-01T00:00:06Z"]);
    expect(removed?.body).toHaveProperty("data", { k: "2" });
  });

  test.each<[string, Call, number, string]>([
    ["no manager", { path: `${CM}/x`, body: cm({}) }, 422, 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch'],
    ["force elsewhere", { ...apply("a", {}, { force: "true" }), type: "application/merge-patch+json" }, 422, 'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch'],
    ["another kind", apply("a", { apiVersion: "v1", kind: "Secret", metadata: { name: "x" } }), 400, "invalid object type: /v1, Kind=Secret"],
    ["managedFields", apply("a", cm({}, { managedFields: [] })), 400, "metadata.managedFields must be nil"],
    ["another name", apply("a", cm({}, { name: "y" })), 400, "the name of the object (y) does not match the name on the URL (x)"],
    ["another namespace", apply("a", cm({}, { namespace: "other" })), 400, "the namespace of the provided object does not match the namespace sent on the request"],
    ["a uid of nothing", apply("a", cm({}, { uid: "u" })), 409, 'Operation cannot be fulfilled on configmaps "x": uid mismatch: the provided object specified uid u, and no existing object was found'],
    ["a wrong type", apply("a", cm({ k: 1 }, { namespace: "default" })), 500, "failed to create typed patch object (default/x; /v1, Kind=ConfigMap): .data.k: expected string, got &value.valueUnstructured{Value:1}"],
    ["an invalid object", apply("a", cm({ "a b": "1" })), 422, 'ConfigMap "x" is invalid: data[a b]: Invalid value: "a b": a valid config key must consist of alphanumeric characters, \'-\', \'_\' or \'.\' (e.g. \'key.name\',  or \'KEY_NAME\',  or \'key-name\', regex used for validation is \'[-._a-zA-Z0-9]+\')'],
    ["no right to create", apply("a", cm({ k: "1" }), {}, { user: "patcher" }), 403, 'configmaps "x" is forbidden: User "patcher" cannot create resource "configmaps" in API group "" in the namespace "default"'],
  ])("refuses %s", (_, call, status, message) => {
    const [answer] = answersTo(call);
    expect([answer?.status, answer?.body.message]).toEqual([status, message]);
  });

  test("a resourceVersion in the configuration must be the stored one", () => {
    const [, stale] = answersTo(apply("a", cm({ k: "1" })), apply("a", cm({ k: "2" }, { resourceVersion: "1" })));
    expect([stale?.status, stale?.body.message]).toEqual([409, 'Operation cannot be fulfilled on configmaps "x": the object has been modified; please apply your changes to the latest version and try again']);
  });

  test("what nobody tracked belongs to before-first-apply", () => {
    const [applied] = answersTo({ path: `${CM}/untracked`, body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "untracked" }, data: { l: "1" } }, query: { fieldManager: "a" } });
    expect(managers(applied?.body)).toEqual(["a Apply 2026-01-01T00:00:01Z", "before-first-apply Update 2026-01-01T00:00:01Z"]);
  });
});

describe("managedFields of other writes", () => {
  const APPS = "/apis/apps/v1/namespaces/default/deployments";
  const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" }, spec: { selector: { matchLabels: { a: "b" } }, template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } } } };
  const merge = (path: string, body: object): Call => ({ path, body, type: "application/merge-patch+json" });

  test("each subresource has its own entry; a write that changes nothing keeps times and version", () => {
    const answers = answersTo(
      { method: "POST", path: APPS, body: deployment, type: "application/json" }, merge(`${APPS}/d/status`, { status: { replicas: 1 }, spec: { replicas: 9 } }), merge(`${APPS}/d/scale`, { spec: { replicas: 3 } }),
      merge(`${APPS}/d`, { spec: { replicas: 3 } }), merge(`${APPS}/d`, { metadata: { labels: { x: "y" } } }), merge(`${APPS}/d`, { metadata: { managedFields: [] } }),
    );
    expect(managers(answers[1]?.body)).toEqual(["tester Update 2026-01-01T00:00:01Z", "tester Update status 2026-01-01T00:00:02Z"]);
    expect(managers(answers[3]?.body)).toEqual(["tester Update scale ", "tester Update 2026-01-01T00:00:01Z", "tester Update status 2026-01-01T00:00:02Z"]);
    expect(managers(answers[4]?.body)).toEqual(["tester Update scale ", "tester Update status 2026-01-01T00:00:02Z", "tester Update 2026-01-01T00:00:05Z"]);
    expect(managers(answers[5]?.body)).toEqual([]);
  });

  test("an object that is too large with managedFields is stored without them", () => {
    const data = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`${"k".repeat(240)}${i}`, ""]));
    const [created] = answersTo({ method: "POST", path: CM, body: cm(data), type: "application/json" });
    expect([created?.status, managers(created?.body)]).toEqual([201, []]);
  });

  test("defaults are the creator's; objects that nobody tracks stay untracked", () => {
    const [created, untracked] = answersTo({ method: "POST", path: CM.replace("configmaps", "secrets"), body: { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, stringData: { a: "b" } }, type: "application/json" }, merge(`${CM}/untracked`, { data: { k: "2" } }));
    expect(created?.body.metadata.managedFields?.[0]?.fieldsV1).toEqual({ "f:data": { ".": {}, "f:a": {} }, "f:type": {} });
    expect([untracked?.status, managers(untracked?.body)]).toEqual([200, []]);
  });
});
