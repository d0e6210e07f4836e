import { describe, expect, test } from "vitest";
import type { KubeObject, ManagedFieldsEntry } from "../types.ts";
import { conflictStatus } from "./conflict.ts";
import { applyManaged, updateManagedFields, type Write } from "./field-manager.ts";
import { type FieldSet, pathsOf } from "./field-set.ts";
import { pathText } from "./path-element.ts";
import { toParentEntries, toScaleEntries } from "./scale-handler.ts";
import { builtInSchema, type SchemaNode } from "./schema-node.ts";
import { customSchema } from "./structural-schema.ts";

type Json = Readonly<Record<string, unknown>>;
const EMPTIES: Readonly<Record<string, Json>> = { ConfigMap: {}, Service: { spec: {}, status: {} }, Pod: { spec: { containers: null }, status: {} }, Deployment: { spec: { template: { metadata: {}, spec: { containers: null } }, selector: null, strategy: {} }, status: {} } };
const VERSIONS: Readonly<Record<string, string>> = { Deployment: "apps/v1", Widget: "example.com/v1" };
const of = (kind: string, rest: Json, metadata: Json = {}): KubeObject => ({ apiVersion: VERSIONS[kind] ?? "v1", kind, metadata: { name: "x", ...metadata }, ...rest }) as KubeObject;

const WIDGET = customSchema({ type: "object", properties: { spec: { type: "object", properties: { tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } }, parts: { type: "array", items: { type: "string" } }, size: { type: "integer" } } } } });
const schemaOf = (version: string, kind: string): SchemaNode | undefined => (kind === "Widget" ? WIDGET : builtInSchema(version, kind));

/** One object and who owns it, written to step by step. */
class Store {
  object: KubeObject | undefined;
  second = 0;

  private write(kind: string, manager: string): Write {
    this.second++;
    const apiVersion = VERSIONS[kind] ?? "v1";
    return { manager, subresource: "", now: `2026-01-01T00:00:${String(this.second).padStart(2, "0")}Z`, scope: { apiVersion, schema: (version) => schemaOf(version, kind), convert: (object) => object, filter: (set) => set } };
  }
  private keep(object: KubeObject, managedFields: readonly ManagedFieldsEntry[] | undefined): void {
    this.object = { ...object, metadata: { ...object.metadata, uid: "u", ...(managedFields === undefined ? {} : { managedFields }) } };
  }
  private empty(kind: string): KubeObject {
    return { apiVersion: VERSIONS[kind] ?? "v1", kind, metadata: {}, ...EMPTIES[kind] };
  }
  update(manager: string, object: KubeObject, asked?: readonly ManagedFieldsEntry[] | "reset"): void {
    const live = this.object ?? this.empty(object.kind);
    this.keep(object, updateManagedFields(this.write(object.kind, manager), live, { ...object, metadata: { ...object.metadata, ...(this.object === undefined ? {} : { uid: "u" }) } }, asked));
  }
  apply(manager: string, config: KubeObject, force = false): string {
    const empty = this.empty(config.kind);
    const result = applyManaged(this.write(config.kind, manager), this.object ?? empty, empty, config, force);
    if (result.error !== undefined) return result.error;
    if (result.conflicts !== undefined) return conflictStatus(result.conflicts).message ?? "";
    this.keep(result.object, result.managedFields);
    return "";
  }
  owners(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries((this.object?.metadata.managedFields ?? []).map((entry) => [`${entry.manager}/${entry.operation}`, pathsOf(entry.fieldsV1 as FieldSet).map(pathText)]));
  }
  times(): Readonly<Record<string, string | undefined>> {
    return Object.fromEntries((this.object?.metadata.managedFields ?? []).map((entry) => [entry.manager, entry.time?.slice(17, 19)]));
  }
}

const containersOf = (store: Store): readonly Json[] => ((store.object?.spec ?? {}) as { readonly containers?: readonly Json[] }).containers ?? [];
const cm = (data: Json, metadata: Json = {}): KubeObject => of("ConfigMap", { data }, metadata);
const pod = (...containers: readonly Json[]): KubeObject => of("Pod", { spec: { containers } });

describe("updates", () => {
  test("the creator owns everything, structs that are always there excepted", () => {
    const store = new Store();
    store.update("a", of("Pod", { spec: { containers: [{ name: "c", image: "i", ports: [{ containerPort: 80 }] }], nodeSelector: { x: "y" } } }, { labels: { l: "1" } }));
    expect(store.owners()).toEqual({ "a/Update": [".metadata.labels", ".metadata.labels.l", ".spec.nodeSelector", '.spec.containers[name="c"]', '.spec.containers[name="c"].image', '.spec.containers[name="c"].name', '.spec.containers[name="c"].ports', '.spec.containers[name="c"].ports[containerPort=80,protocol="TCP"]', '.spec.containers[name="c"].ports[containerPort=80,protocol="TCP"].containerPort'] });
  });

  test("fields change hands when they change, and nobody owns what is gone", () => {
    const store = new Store();
    store.update("a", cm({ k: "1", l: "1", m: "1" }));
    store.update("b", cm({ k: "2", l: "1" }));
    expect(store.owners()).toEqual({ "a/Update": [".data", ".data.l"], "b/Update": [".data.k"] });
    expect(store.times()).toEqual({ a: "01", b: "02" });
    store.update("b", cm({ k: "2", l: "1" }));
    expect(store.times()).toEqual({ a: "01", b: "02" });
  });

  test("objects without managers stay without, unless they are new; a list that is empty forgets all", () => {
    const store = new Store();
    store.update("a", cm({ k: "1" }));
    store.update("b", cm({ k: "2" }), "reset");
    expect(store.owners()).toEqual({});
    store.update("b", cm({ k: "3" }));
    expect(store.owners()).toEqual({});
  });

  test("an update may carry managedFields; malformed ones are ignored", () => {
    const store = new Store();
    store.update("a", cm({ k: "1" }));
    store.update("b", cm({ k: "1" }), [{ manager: "z", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: { "f:data": { "f:k": {} } } }]);
    expect(store.owners()).toEqual({ "z/Apply": [".data.k"] });
    store.update("b", cm({ k: "1" }), [{ manager: "y", operation: "Apply", apiVersion: "", fieldsType: "FieldsV1", fieldsV1: {} }]);
    expect(store.owners()).toEqual({ "z/Apply": [".data.k"] });
  });

  test("only ten updaters are told apart: the oldest become one", () => {
    const store = new Store();
    const data: Record<string, string> = {};
    for (let i = 1; i <= 12; i++) {
      data[`k${i}`] = "v";
      store.update(`m${i}`, cm({ ...data }));
    }
    expect(Object.keys(store.owners())).toHaveLength(10);
    expect(store.owners()["ancient-changes/Update"]).toEqual([".data", ".data.k1", ".data.k2", ".data.k3"]);
    expect(store.times()["ancient-changes"]).toBe("03");
  });

  test("repeated items are one leaf until they are not repeated", () => {
    const store = new Store();
    const env = (...names: readonly string[]): KubeObject => pod({ name: "c", env: names.map((name, i) => ({ name, value: String(i) })) });
    store.update("a", env("x", "y"));
    store.update("b", env("x", "x", "y"));
    expect(store.owners()["b/Update"]).toEqual(['.spec.containers[name="c"].env[name="x"]', '.spec.containers[name="c"].env[name="y"].value']);
  });
});

describe("apply", () => {
  test("conflicts name fields and owners; force takes the fields", () => {
    const store = new Store();
    store.update("a", cm({ k: "1", l: "1" }));
    expect(store.apply("b", cm({ k: "2" }))).toBe('Apply failed with 1 conflict: conflict with "a" using v1: .data.k');
    expect(store.apply("b", cm({ k: "2", l: "2" }))).toBe('Apply failed with 2 conflicts: conflicts with "a" using v1:\n- .data.k\n- .data.l');
    expect(store.apply("b", cm({ k: "2" }), true)).toBe("");
    expect(store.apply("c", cm({ k: "3" }))).toBe('Apply failed with 1 conflict: conflict with "b": .data.k');
    expect(store.owners()).toEqual({ "b/Apply": [".data.k"], "a/Update": [".data", ".data.l"] });
  });

  test("what is no longer applied goes, unless somebody else owns it; equal values are shared", () => {
    const store = new Store();
    expect(store.apply("a", cm({ k: "1", l: "1", m: "1" }))).toBe("");
    expect(store.apply("b", cm({ l: "1" }))).toBe("");
    expect(store.times()).toEqual({ a: "01", b: undefined });
    expect(store.apply("a", cm({ m: "1" }))).toBe("");
    expect(store.object).toMatchObject({ data: { l: "1", m: "1" } });
    expect((store.object as unknown as { data: object }).data).toEqual({ l: "1", m: "1" });
    expect(store.owners()).toEqual({ "a/Apply": [".data.m"], "b/Apply": [".data.l"] });
  });

  test("items of map-like lists merge by key in the applied order; atomic lists are replaced", () => {
    const store = new Store();
    store.update("old", pod({ name: "a", image: "1" }, { name: "b", image: "1", args: ["x"] }));
    expect(store.apply("new", pod({ name: "c", image: "1" }, { name: "b", args: ["y"] }), true)).toBe("");
    expect(containersOf(store)).toEqual([{ name: "a", image: "1" }, { name: "c", image: "1" }, { name: "b", image: "1", args: ["y"] }]);
    expect(store.apply("new", pod({ name: "b", args: ["y"] }))).toBe("");
    expect(containersOf(store).map((c) => c["name"])).toEqual(["a", "b"]);
  });

  test("sets merge their values, in custom resources too", () => {
    const store = new Store();
    expect(store.apply("a", of("Widget", { spec: { tags: ["x", "y"], parts: ["1"] } }))).toBe("");
    expect(store.apply("b", of("Widget", { spec: { tags: ["z"] } }))).toBe("");
    expect(store.object?.spec).toEqual({ tags: ["x", "y", "z"], parts: ["1"] });
    expect(store.apply("b", of("Widget", { spec: { parts: ["2"] } }))).toBe('Apply failed with 1 conflict: conflict with "a": .spec.parts');
    expect(store.owners()["a/Apply"]).toEqual([".spec.parts", '.spec.tags[="x"]', '.spec.tags[="y"]']);
  });

  test("an object that nobody tracked belongs to before-first-apply", () => {
    const store = new Store();
    store.object = cm({ k: "1" }, { uid: "u" });
    expect(store.apply("a", cm({ k: "2" }))).toBe('Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.k');
  });

  test("kubectl takes over what client-side apply wrote and nobody changed", () => {
    const last = JSON.stringify(cm({ k: "1", l: "1" }));
    const annotations = { "kubectl.kubernetes.io/last-applied-configuration": last };
    const store = new Store();
    store.update("kubectl-client-side-apply", cm({ k: "1", l: "1" }, { annotations }));
    expect(store.apply("other", cm({ k: "2" }))).toContain("conflict");
    expect(store.apply("kubectl", cm({ k: "2", l: "1" }))).toBe("");
    store.update("b", cm({ k: "2", l: "5" }, { annotations }));
    expect(store.apply("kubectl", cm({ k: "2", l: "6" }))).toBe('Apply failed with 1 conflict: conflict with "b" using v1: .data.l');
  });

  test.each<[string, KubeObject, string]>([
    ["wrong scalar", cm({ a: 1 }), ".data.a: expected string, got &value.valueUnstructured{Value:1}"],
    ["unknown field", of("ConfigMap", { speck: {} }), ".speck: field not declared in schema"],
    ["number", of("Deployment", { spec: { replicas: "2" } }), ".spec.replicas: expected numeric (int or float), got string"],
    ["boolean", of("Pod", { spec: { hostNetwork: "yes" } }), ".spec.hostNetwork: expected boolean, got &{yes}"],
    ["list", pod({ name: "c", args: "x" }), '.spec.containers[name="c"].args: expected list, got &{x}'],
    ["no key", pod({ image: "x" }), '.spec.containers: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)'],
    ["twice", pod({ name: "c" }, { name: "c" }), '.spec.containers: duplicate entries for key [name="c"]'],
  ])("typed: %s", (_, config, text) => {
    const version = config.apiVersion.includes("/") ? config.apiVersion : `/${config.apiVersion}`;
    expect(new Store().apply("a", config)).toBe(`failed to create typed patch object (/x; ${version}, Kind=${config.kind}): ${text}`);
  });
});

test("a Scale view shows who owns the replicas, and hands them back to the object", () => {
  const replicas = { "f:spec": { "f:replicas": {} } };
  const parent: readonly ManagedFieldsEntry[] = [
    { manager: "ssa", operation: "Apply", apiVersion: "apps/v1", time: "2026-01-01T00:00:01Z", fieldsType: "FieldsV1", fieldsV1: { "f:spec": { "f:replicas": {}, "f:selector": {} } } },
    { manager: "other", operation: "Update", apiVersion: "apps/v1", fieldsType: "FieldsV1", fieldsV1: { "f:status": {} }, subresource: "status" },
  ];
  expect(toScaleEntries(parent)).toEqual([{ ...parent[0], apiVersion: "autoscaling/v1", fieldsV1: replicas }]);
  expect(toParentEntries(parent, toScaleEntries(parent), "apps/v1")).toEqual(parent);
  const scaled: ManagedFieldsEntry = { manager: "hpa", operation: "Update", apiVersion: "autoscaling/v1", time: "2026-01-01T00:00:09Z", fieldsType: "FieldsV1", fieldsV1: replicas, subresource: "scale" };
  const { time: _, ...untimed } = scaled;
  expect(toParentEntries(parent, [scaled], "apps/v1")).toEqual([{ ...parent[0], fieldsV1: { "f:spec": { "f:selector": {} } } }, { ...untimed, apiVersion: "apps/v1" }, parent[1]]);
});
