import { describe, expect, test } from "vitest";
import { columnsOf, printColumns } from "./custom-columns.ts";
import { parseFlags } from "./flags.ts";
import { runGoTemplate } from "./go-template.ts";
import { JsonPathError, parseJsonPath, printJsonPath, relaxed } from "../api/jsonpath.ts";
import { sortedPlaces } from "./sort-by.ts";

const pod = { kind: "Pod", metadata: { name: "web", labels: { "app.kubernetes.io/name": "shop" } }, spec: { containers: [{ name: "a", image: "x:1" }, { name: "b", image: "y:2" }] }, status: { ready: true, count: 3, none: null } };
const list = { items: [pod, { ...pod, metadata: { name: "db" } }] };

describe("jsonpath", () => {
  test.each([
    ["{.metadata.name}", "web"],
    ["{$.metadata.name}", "web"],
    ["{.metadata.labels.app\\.kubernetes\\.io/name}", "shop"],
    ["{.metadata.labels['app.kubernetes.io/name']}", "shop"],
    ["{.spec.containers[*].name}", "a b"],
    ["{.spec.containers[-1].image}", "y:2"],
    ["{.spec.containers[0:1].name}", "a"],
    ["{.spec.containers[0,1].name}", "a b"],
    ['{.spec.containers[?(@.name=="b")].image}', "y:2"],
    ["{.spec.containers[0]}", '{"image":"x:1","name":"a"}'],
    ["{.status.ready} {.status.count}{.status.none}{.status.nope}", "true 3"],
    ["{..image}", "x:1 y:2"],
    ['{range .spec.containers[*]}{.name}{"\\t"}{.image}{"\\n"}{end}', "a\tx:1\nb\ty:2\n"],
  ])("%s", (template, expected) => expect(printJsonPath(parseJsonPath(template), pod)).toBe(expected));

  test("an index beyond the end is an error", () => expect(() => printJsonPath(parseJsonPath("{.spec.containers[5].name}"), pod)).toThrow("array index out of bounds: index 5, length 2"));
  test.each(["{.a", "{end}", "{range .a}"])("%s is none", (template) => expect(() => parseJsonPath(template)).toThrow(JsonPathError));
  test.each([[".a.b", "{.a.b}"], ["a.b", "{.a.b}"], ["{.a.b}", "{.a.b}"], ["{a}{b}", undefined]])("%s in short", (text, expected) => expect(relaxed(text)).toBe(expected));
});

test("custom columns", () => {
  const columns = columnsOf(parseFlags(["get", "-o", "custom-columns=NAME:.metadata.name,IMAGES:.spec.containers[*].image,X:.x"]), {});
  expect(printColumns(columns, list.items, true)).toBe("NAME   IMAGES    X\nweb    x:1,y:2   <none>\ndb     x:1,y:2   <none>\n");
  expect(columnsOf(parseFlags(["get", "-o", "custom-columns="]), {})).toBe("error: custom-columns format specified but no custom columns given");
});

test.each([
  ["{{.metadata.name}}", "web"],
  ['{{range .spec.containers}}{{.name}}{{"\\n"}}{{end}}', "a\nb\n"],
  ["{{if .status.ready}}yes{{else}}no{{end}}{{.x.y}}", "yes<no value>"],
  ['{{range $i, $c := .spec.containers}}{{$i}}={{$c.image}} {{end}}{{len .spec.containers | printf "%d"}}', "0=x:1 1=y:2 2"],
  ['{{index .metadata.labels "app.kubernetes.io/name"}}', "shop"],
])("template %s", (template, expected) => expect(runGoTemplate(template, pod)).toBe(expected));

test("--sort-by: numbers in names by value, quantities by amount, what is missing first", () => {
  const named = (...names: string[]): readonly object[] => names.map((name) => ({ name }));
  expect(sortedPlaces(named("n10", "n9", "n1"), ".name")).toEqual([2, 1, 0]);
  expect(sortedPlaces(named("1Gi", "512Mi", "2M"), ".name")).toEqual([2, 1, 0]);
  expect(sortedPlaces([{ a: 2 }, {}, { a: 1 }], ".a")).toEqual([1, 2, 0]);
  expect(sortedPlaces(named("x"), ".nope")).toBe('error: couldn\'t find any field with path "{.nope}" in the list of objects');
});
