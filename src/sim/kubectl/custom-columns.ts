// Models kubernetes/staging/src/k8s.io/cli-runtime/pkg/printers/customcolumn.go
import { formatTable } from "../api/tabwriter.ts";
import type { Options } from "./flags.ts";
import { goText } from "./go-template.ts";
import { findJsonPath, type JsonPath, JsonPathError, parseJsonPath, relaxed } from "../api/jsonpath.ts";

export interface Column {
  readonly head: string;
  readonly path: JsonPath;
}

function columnOf(head: string, spec: string): Column | string {
  const path = relaxed(spec);
  if (path === undefined || path === "") return `error: unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`;
  try {
    return { head, path: parseJsonPath(path) };
  } catch (problem) {
    if (problem instanceof JsonPathError) return `error: ${problem.message}`;
    throw problem;
  }
}

const collect = (columns: readonly (Column | string)[]): readonly Column[] | string => columns.find((column) => typeof column === "string") ?? columns.filter((column) => typeof column !== "string");

/** The columns of -o custom-columns=HEAD:PATH,... or of the file that -o custom-columns-file names; a text is an error. */
export function columnsOf({ output }: Options, files: Readonly<Record<string, string>>): readonly Column[] | string {
  const at = output.indexOf("=");
  const spec = at < 0 ? "" : output.slice(at + 1);
  if (output.startsWith("custom-columns-file")) {
    const text = files[spec];
    if (text === undefined) return `error: error reading template ${spec}, open ${spec}: no such file or directory`;
    const [heads = "", paths = ""] = text.split("\n");
    const words = heads.trim().split(/\s+/);
    const specs = paths.trim().split(/\s+/);
    return words.length === specs.length ? collect(words.map((head, i) => columnOf(head, specs[i] ?? ""))) : `error: number of headers (${words.length}) and field specifications (${specs.length}) don't match`;
  }
  if (spec === "") return "error: custom-columns format specified but no custom columns given";
  const parts = spec.split(",");
  const wrong = parts.find((part) => !part.includes(":"));
  if (wrong !== undefined) return `error: unexpected custom-columns spec: ${wrong}, expected <header>:<json-path-expr>`;
  return collect(parts.map((part) => columnOf(part.slice(0, part.indexOf(":")), part.slice(part.indexOf(":") + 1))));
}

/** One row an object; what is not there is "<none>". */
export function printColumns(columns: readonly Column[] | string, objects: readonly object[], headers: boolean): string {
  if (typeof columns === "string") return "";
  const rows = objects.map((object) => columns.map(({ path }) => {
    const found = findJsonPath(path, object);
    return found.length === 0 ? "<none>" : found.map((value) => goText(value)).join(",");
  }));
  return formatTable(columns.map(({ head }) => ({ name: head, priority: 0 })), rows, true, headers);
}
