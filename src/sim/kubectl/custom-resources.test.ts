import { describe, expect, test } from "vitest";
import { commandsOf } from "../../cli/commands-run.ts";
import type { KubeObject } from "../api/types.ts";
import type { World } from "../api/world.ts";
import { settledPolicy } from "../kube-apiserver/rbac/bootstrap-policy.ts";
import { createEtcdMember } from "../etcd/member.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { Component, Input } from "../kernel/types.ts";
import { createApiServer } from "../kube-apiserver/server.ts";
import { LATENCIES } from "../latencies/registry.ts";
import { createWebhook } from "../webhook/webhook.ts";
import { createKubectl } from "./kubectl.ts";

const MEMBERS = ["etcd-0", "etcd-1", "etcd-2"];
const objects: readonly KubeObject[] = [
  ...settledPolicy().map((object) => ({ ...object, metadata: { uid: `uid-${object.kind}-${object.metadata.name ?? ""}`, resourceVersion: "100", ...object.metadata } })),
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "default", uid: "n", resourceVersion: "100", creationTimestamp: "2025-12-01T00:00:00Z" }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } },
];
const world: World = { name: "t", seed: 1, resourceVersion: "100", nodes: [], watches: [], clusterDomain: "cluster.local", serviceCIDR: "10.96.0.0/12", podCIDR: "10.244.0.0/16", dnsServiceIP: "10.96.0.10", objects };

type Run = Input & { readonly argv: readonly string[]; readonly files: Readonly<Record<string, string>> };
const STEP = 5_000_000;

/** Commands 5 s apart on an empty cluster; what each printed. A file's text follows its command after a line break. */
function play(commands: readonly string[]): readonly string[] {
  const inputs = commands.map((line, i) => {
    const at = line.indexOf("\n");
    const [words, file] = at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)];
    return { at: i * STEP, type: "command", argv: words.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", "")) ?? [], files: { f: file } };
  });
  const components = [createKubectl({ world }), createApiServer({ world, machine: "m" }), ...MEMBERS.map((id) => createEtcdMember({ world, id, peers: MEMBERS.filter((peer) => peer !== id) })), createWebhook()] as Component[];
  const sim = Simulation.create({
    seed: 1, profile: "quiet", components, latencies: LATENCIES,
    resolve: (input) => [{ type: "deliver", to: "kubectl", message: { type: "kubectl.run", argv: (input as Run).argv, files: (input as Run).files, session: input.at }, verb: "exec" }],
  }, inputs);
  sim.run(commands.length * STEP + 30_000_000);
  return commandsOf(sim.trace).map(({ stdout, stderr }) => stdout + stderr);
}

const crd = (spec: string, name = "widgets.example.com"): string => `create -f f\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
const NAMES = "plural: widgets, kind: Widget, shortNames: [wd], categories: [all]";
const HEAD = `group: example.com, scope: Namespaced, names: {${NAMES}}`;
/** One version with this schema. */
const withSchema = (schema: string, more = ""): string => crd(`{${HEAD}, versions: [{name: v1, served: true, storage: true, ${more}schema: {openAPIV3Schema: ${schema}}}]}`);
const withSpec = (spec: string, more = ""): string => withSchema(`{type: object, properties: {spec: ${spec}, status: {type: object, x-kubernetes-preserve-unknown-fields: true}}}`, more);
const widget = (spec: string, name = "a", version = "v1"): string => `create -f f\napiVersion: example.com/${version}\nkind: Widget\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
const CREATED = "customresourcedefinition.apiextensions.k8s.io/widgets.example.com created\n";
const invalid = (...causes: readonly string[]): string => `The CustomResourceDefinition "widgets.example.com" is invalid: ${causes.length === 1 ? `${causes[0] ?? ""}\n` : `\n${causes.map((cause) => `* ${cause}\n`).join("")}`}`;
const SCHEMA = "spec.validation.openAPIV3Schema";
const trimmed = (texts: readonly string[]): readonly string[] => texts.map((text) => text.replace(/\n\n$/, "\n"));

describe("a definition is refused", () => {
  const cases: readonly (readonly [string, string])[] = [
    [crd(`{${HEAD}, versions: [{name: v1, served: true, storage: true}]}`), invalid("spec.versions[0].schema.openAPIV3Schema: Required value")],
    [crd(`{${HEAD}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}`, "x.example.com"), 'The CustomResourceDefinition "x.example.com" is invalid: metadata.name: Invalid value: "x.example.com": must be spec.names.plural+"."+spec.group\n'],
    [crd(`{group: example.com, scope: Any, names: {plural: widgets, kind: Widget, listKind: Widget}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}`), invalid('spec.scope: Unsupported value: "Any": supported values: "Cluster", "Namespaced"', 'spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same')],
    [withSchema("{type: object}", "deprecationWarning: old, "), invalid('spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for deprecated versions')],
    [withSchema("{}"), invalid(`${SCHEMA}.type: Required value: must not be empty at the root`)],
    [withSchema("{type: object, properties: {spec: {properties: {a: {type: array}}}}}"), invalid(`${SCHEMA}.properties[spec].properties[a].items: Required value: must be specified`, `${SCHEMA}.properties[spec].type: Required value: must not be empty for specified object fields`)],
    [withSpec("{type: object, anyOf: [{type: object}, {properties: {b: {minLength: 1}}}]}"), invalid(`${SCHEMA}.properties[spec].anyOf[0].type: Forbidden: must be empty to be structural`)],
    [withSchema("{type: object, anyOf: [{properties: {b: {minLength: 1}}}]}"), invalid(`${SCHEMA}.properties[b]: Required value: because it is defined in ${SCHEMA}.anyOf[0].properties[b]`)],
    [withSchema("{type: object, properties: {spec: {type: object, zork: 1}}}"), 'Error from server (BadRequest): error when creating "f": CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: strict decoding error: unknown field "spec.versions[0].schema.openAPIV3Schema.properties.spec.zork"\n'],
    [withSpec("{type: object, properties: {a: {type: string, default: 3}, b: {type: text}}}"), invalid(`${SCHEMA}.properties[spec].properties[a].default: Invalid value: "integer":  in body must be of type string: "integer"`, `${SCHEMA}.properties[spec].properties[b].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`)],
    [withSpec('{type: object, x-kubernetes-validations: [{rule: "self.a > 1"}], properties: {a: {type: string}}}'), invalid(`${SCHEMA}.properties[spec].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.a \\u003e 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:8: found no matching overload for '_>_' applied to '(string, int)'\n | self.a > 1\n | .......^`)],
    [withSpec("{type: array, items: {type: object, properties: {k: {type: string}}}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k]}"), invalid(`${SCHEMA}.properties[spec].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`)],
    [withSpec("{type: object}", "subresources: {scale: {specReplicasPath: .x.y, statusReplicasPath: .status.n}}, additionalPrinterColumns: [{name: A, type: text, jsonPath: spec.x}], selectableFields: [{jsonPath: .spec.x}], "), invalid('spec.subresources.scale.specReplicasPath: Invalid value: ".x.y": should be a json path under .spec', 'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string', 'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec.x": must be a simple json path starting with .', 'spec.selectableFields[0].jsonPath: Invalid value: ".spec.x": is an invalid path: does not refer to a valid field')],
    [crd(`{group: x.k8s.io, scope: Cluster, names: {plural: widgets, kind: Widget}, preserveUnknownFields: true, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}`, "widgets.x.k8s.io"), 'The CustomResourceDefinition "widgets.x.k8s.io" is invalid: \n* metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111\n* spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead\n'],
    [withSpec("{type: object, properties: {a: {type: string, format: zork}}}"), `Warning: unrecognized format "zork"\n${CREATED}`],
  ];
  const answers = trimmed(play(cases.map(([command]) => command)));
  test.each(cases.map(([command, text], i) => [command.split("\n").slice(4).join(""), text, answers[i]] as const))("%s", (_, text, answer) => expect(answer?.replace(CREATED, "")).toBe(text.replace(CREATED, "")));
});

describe("a custom object", () => {
  const SPEC = '{type: object, required: [size], properties: {size: {type: integer, minimum: 1, maximum: 9, multipleOf: 2}, color: {type: string, enum: [red, blue], default: red}, name: {type: string, minLength: 2, maxLength: 4, pattern: "^a"}, port: {x-kubernetes-int-or-string: true}, tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}, free: {type: object, x-kubernetes-preserve-unknown-fields: true}, pair: {type: object, oneOf: [{required: [x]}, {required: [z]}], properties: {x: {type: string}, z: {type: string}}}, maybe: {type: string, nullable: true}}, x-kubernetes-validations: [{rule: "self.size < 8", messageExpression: "\'too big: \' + string(self.size)"}, {rule: "!has(oldSelf.name) || self.name == oldSelf.name", fieldPath: .name, reason: FieldValueForbidden}]}';
  const UNCHECKED = "* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation\n";
  const cases: readonly (readonly [string, string])[] = [
    [withSpec(SPEC), CREATED],
    [widget("{size: 2, zzz: 1, free: {a: 1}}"), 'Error from server (BadRequest): error when creating "f": Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.zzz"\n'],
    [widget("{color: green}"), `The Widget "a" is invalid: \n* spec.color: Unsupported value: "green": supported values: "red", "blue"\n* spec.size: Required value\n${UNCHECKED}`],
    [widget("{size: 3, name: b, port: true, tags: [q, q], pair: {}}"), `The Widget "a" is invalid: \n* spec.name: Invalid value: "b": spec.name in body should be at least 2 chars long\n* <nil>: Invalid value: "": "spec.pair" must validate one and only one schema (oneOf). Found none valid\n* spec.pair.x: Required value\n* spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"\n* spec.size: Invalid value: 3: spec.size in body should be a multiple of 2\n* spec.tags[1]: Duplicate value: "q"\n${UNCHECKED}`],
    [widget("{size: 10}"), 'The Widget "a" is invalid: \n* spec.size: Invalid value: 10: spec.size in body should be less than or equal to 9\n* spec: Invalid value: too big: 10\n'],
    [widget("{size: 8}"), 'The Widget "a" is invalid: spec: Invalid value: too big: 8\n'],
    [widget("{size: 2, name: ab, maybe: null, port: null}"), "widget.example.com/a created\n"],
    ["get wd a -o jsonpath={.spec}", '{"color":"red","maybe":null,"name":"ab","size":2}'],
    [`patch wd a -p '{"spec":{"size":4}}'`, "Error from server (UnsupportedMediaType): the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml\n"],
    [`patch wd a --type=merge -p '{"spec":{"name":"ac"}}'`, 'The Widget "a" is invalid: spec.name: Forbidden: failed rule: !has(oldSelf.name) || self.name == oldSelf.name\n'],
    [`patch wd a --type=merge -p '{"spec":{"size":4}}'`, "widget.example.com/a patched\n"],
    ["label wd a x=z", "widget.example.com/a labeled\n"],
    ["get wd a -o jsonpath={.metadata.generation}", "2"],
    ["scale wd a --replicas=2", 'Error from server (NotFound): widgets.example.com "a" not found\n'],
    ["get all,nope", "error: the server doesn't have a resource type \"nope\"\n"],
  ];
  const answers = trimmed(play(cases.map(([command]) => command)));
  test.each(cases.map(([command, text], i) => [command.replace(/^create[^{]*/s, ""), text, answers[i]] as const))("%s", (_, text, answer) => expect(answer).toBe(text));
});

describe("the life of a definition", () => {
  const columns = "subresources: {status: {}, scale: {specReplicasPath: .spec.count, statusReplicasPath: .status.count}}, additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}, {name: Color, type: string, jsonPath: .spec.color, priority: 1}], selectableFields: [{jsonPath: .spec.color}], ";
  const versions = `{${HEAD}, versions: [{name: v1, served: true, storage: true, ${columns}schema: {openAPIV3Schema: {type: object, description: A widget., properties: {spec: {type: object, properties: {size: {type: integer}, color: {type: string, description: Its paint.}, count: {type: integer}}}, status: {type: object, properties: {count: {type: integer}}}}}}}, {name: v1beta1, served: true, storage: false, deprecated: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, default: 7}}}}}}}]}`;
  const cases: readonly (readonly [string, string])[] = [
    [`${crd(versions)}---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: early}\n`, `${CREATED}error: resource mapping not found for name: "early" namespace: "" from "f": no matches for kind "Widget" in version "example.com/v1"\nensure CRDs are installed first\n`],
    ["wait crd/widgets.example.com --for=condition=established", "customresourcedefinition.apiextensions.k8s.io/widgets.example.com condition met\n"],
    [widget("{color: red, count: 3}"), "widget.example.com/a created\n"],
    [widget("{size: 1}", "b", "v1beta1"), "widget.example.com/b created\nWarning: example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget\n"],
    ["get wd", "NAME   SIZE\na      \nb      1\n"],
    ["get widgets.v1.example.com -o wide --field-selector spec.color=red", "NAME   SIZE   COLOR\na             red\n"],
    ["get wd --field-selector spec.size=1", 'Error from server (BadRequest): Unable to find "example.com/v1, Resource=widgets" that match label selector "", field selector "spec.size=1": field label not supported: spec.size\n'],
    ["get widgets.v1beta1.example.com a -o jsonpath={.apiVersion}{.spec}", 'example.com/v1beta1{"size":7}Warning: example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget\n'],
    ["scale wd a --replicas=5", "widget.example.com/a scaled\n"],
    ["get wd a --subresource=scale", "NAME   DESIRED   AVAILABLE   AGE\na      5         0           35s\n"],
    [`patch wd a --type=merge -p '{"status":{"count":5}}'`, "widget.example.com/a patched (no change)\n"],
    [`patch wd a --type=merge --subresource=status -p '{"spec":{"color":"x"},"status":{"count":4}}'`, "widget.example.com/a patched\n"],
    ["get wd a -o jsonpath={.metadata.generation},{.spec.color},{.status}", '2,red,{"count":4}'],
    ["explain wd.spec.color", "GROUP:      example.com\nKIND:       Widget\nVERSION:    v1\n\nFIELD: color <string>\n\n\nDESCRIPTION:\n    Its paint.\n    \n\n"],
    [crd("{group: example.com, scope: Cluster, names: {plural: wds, singular: wd, kind: Widget}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}", "wds.example.com"), "customresourcedefinition.apiextensions.k8s.io/wds.example.com created\n"],
    ["get crd wds.example.com -o 'jsonpath={.status.acceptedNames.plural}:{range .status.conditions[*]}{.reason},{.message};{end}'", 'wds:ListKindConflict,"WidgetList" is already in use;NotAccepted,not all names are accepted;'],
    [`patch crd widgets.example.com --type=merge -p '{"spec":{"scope":"Cluster"}}'`, 'The CustomResourceDefinition "widgets.example.com" is invalid: spec.scope: Invalid value: "Cluster": field is immutable\n'],
    ["delete crd widgets.example.com", 'customresourcedefinition.apiextensions.k8s.io "widgets.example.com" deleted\n'],
    ["get wd", 'Error from server (NotFound): the server could not find the requested resource (get widgets.example.com)\n'],
    ["get crd -o name", "customresourcedefinition.apiextensions.k8s.io/wds.example.com\n"],
    ["get crd wds.example.com -o jsonpath={.status.conditions[*].status}", "True True"],
  ];
  const answers = trimmed(play(cases.map(([command]) => command)));
  test.each(cases.map(([command, text], i) => [command.replace(/^create.*metadata/s, "create"), text, answers[i]] as const))("%s", (_, text, answer) => expect(answer).toBe(text.replace(/\n\n$/, "\n")));
});
