// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor/tableconvertor.go
import type { CrdVersion, PrinterColumn } from "../../api/apiextensions/types.ts";
import { findJsonPath, type JsonPath, JsonPathError, parseJsonPath, printJsonPath } from "../../api/jsonpath.ts";
import { type Micros, parseRfc3339 } from "../../api/time.ts";
import type { KubeObject } from "../../api/types.ts";
import { age, nameOf, type Printer } from "../printers/printer.ts";

/** apiextensions: what a version without columns has. */
const DEFAULT_COLUMNS: readonly PrinterColumn[] = [{ name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }];

/** What is missing, or not of the column's type, is an empty cell. */
function cell({ type }: PrinterColumn, path: JsonPath, object: KubeObject, now: Micros): string {
  const [value] = findJsonPath(path, object);
  if (value === undefined || value === null) return "";
  if (type === "string") return printJsonPath([{ path: [{ type: "value", value }] }], object);
  if (type === "date") return typeof value !== "string" ? "" : Number.isNaN(parseRfc3339(value)) ? "<invalid>" : age(value, now);
  if (type === "boolean") return typeof value === "boolean" ? String(value) : "";
  if (typeof value !== "number") return "";
  return String(type === "integer" ? Math.trunc(value) : value);
}

/** A path that cannot be read finds nothing. */
function pathOf(text: string): JsonPath {
  try {
    return parseJsonPath(`{${text}}`);
  } catch (problem) {
    if (problem instanceof JsonPathError) return [];
    throw problem;
  }
}

const printers = new WeakMap<CrdVersion, Printer>();

/** The columns that a version's definition names. */
export function customPrinter(version: CrdVersion): Printer {
  let printer = printers.get(version);
  if (printer === undefined) {
    const columns = version.additionalPrinterColumns?.length ? version.additionalPrinterColumns : DEFAULT_COLUMNS;
    const paths = columns.map(({ jsonPath }) => pathOf(jsonPath));
    printer = {
      kinds: [],
      columns: [{ name: "Name", priority: 0 }, ...columns.map(({ name, priority = 0 }) => ({ name, priority }))],
      row: (object, now) => [nameOf(object), ...columns.map((column, i) => cell(column, paths[i] ?? [], object, now))],
    };
    printers.set(version, printer);
  }
  return printer;
}
