import { describe, expect, test } from "vitest";
import { fieldErrorText } from "../field-error.ts";
import { defaultObject } from "./defaulting.ts";
import { hasFormat, isKnownFormat } from "./formats.ts";
import { validateListTypes } from "./list-type.ts";
import { pruneNulls, pruneObject } from "./pruning.ts";
import { validateRules } from "./rules.ts";
import { validateSchema } from "./schema-validator.ts";
import { compareVersions } from "./served.ts";
import type { JsonSchema } from "./types.ts";

const object = (properties: Readonly<Record<string, JsonSchema>>, more: JsonSchema = {}): JsonSchema => ({ type: "object", properties, ...more });

describe("pruning", () => {
  const schema = object({ spec: object({ a: { type: "string" }, list: { type: "array", items: object({ k: { type: "string" } }) }, map: { type: "object", additionalProperties: object({ v: { type: "integer" } }) }, free: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { deep: object({ k: { type: "string" } }) } }, pod: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: object({}) } } }) });
  test.each([
    [{ spec: { a: "x", b: 1 }, top: 1 }, { spec: { a: "x" } }, ["spec.b", "top"]],
    [{ spec: { list: [{ k: "x", z: 1 }, { y: 1 }] } }, { spec: { list: [{ k: "x" }, {}] } }, ["spec.list[0].z", "spec.list[1].y"]],
    [{ spec: { map: { one: { v: 1, w: 2 } } } }, { spec: { map: { one: { v: 1 } } } }, ["spec.map.one.w"]],
    [{ spec: { free: { any: 1, deep: { k: "x", z: 1 } } } }, { spec: { free: { any: 1, deep: { k: "x" } } } }, ["spec.free.deep.z"]],
    [{ spec: { pod: { kind: "Pod", metadata: { name: "x" }, spec: { z: 1 } } } }, { spec: { pod: { kind: "Pod", metadata: { name: "x" }, spec: {} } } }, ["spec.pod.spec.z"]],
  ])("%j", (before, after, unknown) => expect(pruneObject(before, schema)).toEqual({ object: after, unknown }));

  test("nothing unknown keeps the object", () => {
    const whole = { kind: "W", metadata: {}, spec: { a: "x" } };
    expect(pruneObject(whole, schema).object).toBe(whole);
  });
});

describe("defaults and nulls", () => {
  const schema = object({ a: { type: "string", default: "x" }, b: { type: "string", nullable: true, default: "y" }, c: { type: "string" }, inner: object({ n: { type: "integer", default: 1 } }), made: object({ n: { type: "integer", default: 1 } }, { default: {} }) });
  test.each([
    [{}, { a: "x", b: "y", made: { n: 1 } }], [{ a: null, b: null, c: null, inner: {} }, { a: "x", b: null, inner: { n: 1 }, made: { n: 1 } }], [{ inner: { n: 0 }, made: { n: 2 } }, { a: "x", b: "y", inner: { n: 0 }, made: { n: 2 } }],
  ])("%j", (before, after) => expect(defaultObject(pruneNulls(before, schema), schema)).toEqual(after));
});

describe("values against a schema", () => {
  const texts = (value: unknown, schema: JsonSchema, old?: unknown): readonly string[] => validateSchema(value, object({ v: schema }), old === undefined ? undefined : { value: { v: old } }).map(fieldErrorText);
  const run = (v: unknown, schema: JsonSchema): readonly string[] => texts({ v }, schema);
  test.each<readonly [unknown, JsonSchema, readonly string[]]>([
    [1.5, { type: "integer" }, ['v: Invalid value: "number": v in body must be of type integer: "number"']], [1, { type: "number" }, []], ["1", { "x-kubernetes-int-or-string": true }, []],
    [null, { type: "string" }, ['v: Invalid value: "null": v in body must be of type string: "null"']], [null, { type: "string", nullable: true }, []], [null, { type: "string", nullable: true, enum: ["a"] }, ['v: Unsupported value: null: supported values: "a"']],
    [5, { type: "integer", exclusiveMaximum: true, maximum: 5 }, ["v: Invalid value: 5: v in body should be less than 5"]], [0.5, { type: "number", minimum: 0.75 }, ["v: Invalid value: 0.5: v in body should be greater than or equal to 0.75"]],
    [3_000_000_000, { type: "integer", format: "int32" }, ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in v']], ["abcdef", { type: "string", maxLength: 3 }, ["v: Too long: may not be more than 3 bytes"]],
    ["nope", { type: "string", format: "date-time" }, ['v: Invalid value: "nope": v in body must be of type date-time: "nope"']], ["nope", { type: "string", format: "zork" }, []], ["xb", { type: "string", pattern: "^a" }, ["v: Invalid value: \"xb\": v in body should match '^a'"]],
    [[1], { type: "array", items: { type: "integer" }, minItems: 2 }, ["v: Invalid value: 1: v in body should have at least 2 items"]], [{}, { type: "object", minProperties: 1 }, ["v: Invalid value: 0: v in body should have at least 1 properties"]],
    ["b", { type: "string", not: { enum: ["b"] } }, ['<nil>: Invalid value: "": "v" must not validate the schema (not)']], [3, { anyOf: [{ minimum: 5 }, { maximum: 1 }] }, ['<nil>: Invalid value: "": "v" must validate at least one schema (anyOf)', "v: Invalid value: 3: v in body should be greater than or equal to 5"]],
  ])("%j against %j", (value, schema, expected) => expect(run(value, schema)).toEqual(expected));

  test("what an update leaves alone may stay wrong", () => {
    const schema: JsonSchema = { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], items: object({ k: { type: "string" }, n: { type: "integer", maximum: 5 } }) };
    expect(texts({ v: [{ k: "a", n: 9 }, { k: "b", n: 7 }] }, schema, [{ k: "a", n: 9 }])).toEqual(["v[1].n: Invalid value: 7: v[1].n in body should be less than or equal to 5"]);
  });

  test("map lists hold no key twice", () => {
    const schema = object({ v: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k", "p"], items: object({}) } });
    expect(validateListTypes({ v: [{ k: "a", p: 1 }, { p: 1, k: "a" }, { k: "a" }] }, schema).map(fieldErrorText)).toEqual(['v[1]: Duplicate value: {"k":"a","p":1}']);
  });
});

describe("rules", () => {
  const schema = object({ n: { type: "integer" }, items: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], items: object({ k: { type: "string" }, v: { type: "integer" } }, { "x-kubernetes-validations": [{ rule: "self.v >= oldSelf.v", message: "may only grow" }] }) } }, { "x-kubernetes-validations": [{ rule: "self.n > 0", reason: "FieldValueInvalid", fieldPath: ".n" }, { rule: "!oldSelf.hasValue() || self.n >= oldSelf.value().n", optionalOldSelf: true }] });
  const run = (value: unknown, old?: unknown): unknown => {
    const { errors, warnings } = validateRules(value, schema, old === undefined ? undefined : { value: old }, false);
    return [errors.map(fieldErrorText), warnings];
  };
  test.each([
    [{ n: 1 }, undefined, [[], []]], [{ n: 0 }, undefined, [["n: Invalid value: failed rule: self.n > 0"], []]], [{ n: 1 }, { n: 2 }, [["<nil>: Invalid value: failed rule: !oldSelf.hasValue() || self.n >= oldSelf.value().n"], []]],
    [{ n: 3, items: [{ k: "b", v: 1 }, { k: "a", v: 1 }] }, { n: 3, items: [{ k: "a", v: 2 }] }, [["items[1]: Invalid value: may only grow"], []]],
  ])("%j after %j", (value, old, expected) => expect(run(value, old)).toEqual(expected));
});

test.each<readonly [string, object, boolean]>([
  ["self.a__dash__b > 0", { "a-b": 1 }, true], ["self.a__dash__b > 0", { "a-b": 0 }, false], ["self.__namespace__ == 'x'", { namespace: "x" }, true],
  ["self.x__dot__y__slash__z.all(v, v.in__dash__side)", { "x.y/z": [{ "in-side": true }, { "in-side": false }] }, false], ["has(self.a__dash__b)", {}, false], ["self.two__underscores__parts == 'u'", { two__parts: "u" }, true],
])("a rule names fields as CEL can write them: %s of %j", (rule, value, holds) => {
  const schema = object(
    { "a-b": { type: "integer" }, namespace: { type: "string" }, "x.y/z": { type: "array", items: object({ "in-side": { type: "boolean" } }) }, two__parts: { type: "string" } },
    { "x-kubernetes-validations": [{ rule }] },
  );
  expect(validateRules(value, schema, undefined, false).errors.map(fieldErrorText)).toEqual(holds ? [] : [`<nil>: Invalid value: failed rule: ${rule}`]);
});

test("versions by priority", () => expect(["v1beta2", "foo", "v10", "v1alpha1", "v2", "v1beta10", "v1", "bar"].sort(compareVersions)).toEqual(["v10", "v2", "v1", "v1beta10", "v1beta2", "v1alpha1", "bar", "foo"]));

test.each([["ipv4", "10.0.0.1", true], ["ipv4", "10.0.0", false], ["uuid4", "9b2d9c8e-1f0a-4c3b-8d7e-0123456789ab", true], ["date", "2026-02-30x", false], ["duration", "1h30m", true], ["hexcolor", "#ff0", true], ["byte", "YQ==", true], ["byte", "a", false], ["isbn10", "0321751043", true], ["k8s-short-name", "A", false]] as const)("format %s: %s", (format, text, fits) => expect([isKnownFormat("string", format), hasFormat(format, text)]).toEqual([true, fits]));
