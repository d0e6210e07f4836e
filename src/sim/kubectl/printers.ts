// Models kubernetes/staging/src/k8s.io/cli-runtime/pkg/printers: -o for single objects
import { API_RESOURCES } from "../api/schema/resources.ts";
import type { KubeObject } from "../api/types.ts";
import { sortKeys } from "../api/json.ts";
import { inGoOrder, indented } from "./go-json.ts";
import { GoTemplateError, runGoTemplate } from "./go-template.ts";
import { JsonPathError, parseJsonPath, printJsonPath } from "../api/jsonpath.ts";
import { printKyaml } from "./kyaml.ts";
import { typeName } from "./manifest.ts";
import { flag, isOn, type Options } from "./flags.ts";
import { printYaml, stripManaged } from "./yaml.ts";

/** Prints one object; `nth` counts what was printed before it. Or the text of an error. */
export type Printer = (object: KubeObject, nth: number) => string | { readonly error: string };

/** What every command with -o understands. */
export const PRINT_FORMATS = ["go-template", "go-template-file", "json", "jsonpath", "jsonpath-as-json", "jsonpath-file", "kyaml", "name", "template", "templatefile", "yaml"];

export const unmatched = (output: string, allowed: readonly string[]): string => `error: unable to match a printer suitable for the output format ${JSON.stringify(output)}, allowed formats are: ${[...allowed].sort().join(",")}`;

/** "pod/web", "deployment.apps/web". */
export function nameOf(object: KubeObject): string {
  const api = API_RESOURCES.find((candidate) => candidate.kind === object.kind && candidate.apiVersion === object.apiVersion);
  const group = object.apiVersion.includes("/") ? `.${object.apiVersion.split("/")[0] ?? ""}` : "";
  return `${api === undefined ? `${object.kind.toLowerCase()}${group}` : typeName(api)}/${object.metadata.name ?? ""}`;
}

function jsonPathPrinter(template: string, asJson: boolean): Printer | string {
  try {
    const parts = parseJsonPath(template);
    return (object) => {
      try {
        return asJson ? indented([printJsonPath(parts, object)]) : printJsonPath(parts, object);
      } catch (problem) {
        if (!(problem instanceof JsonPathError)) throw problem;
        return { error: `error: error executing jsonpath ${JSON.stringify(template)}: Error executing template: ${problem.message}. Printing more information for debugging the template:\n\ttemplate was:\n\t\t${template}\n\tobject given to jsonpath engine was:\n\t\t${goSyntax(object)}\n\n\n` };
      }
    };
  } catch (problem) {
    if (!(problem instanceof JsonPathError)) throw problem;
    return `error: error parsing jsonpath ${template}, ${problem.message}`;
  }
}

/** fmt's %#v of decoded JSON. */
function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (typeof value === "object") return `map[string]interface {}{${Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => `${JSON.stringify(key)}:${goSyntax(item)}`).join(", ")}}`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function templatePrinter(template: string): Printer {
  return (object) => {
    try {
      return runGoTemplate(template, object);
    } catch (problem) {
      if (!(problem instanceof GoTemplateError)) throw problem;
      return { error: `error: error executing template ${JSON.stringify(template)}: ${problem.message}` };
    }
  };
}

/** The printer that -o names; undefined for formats that are not one of these; a text when the format is wrong. `typed`: made here, not read as JSON. */
export function printerFor(options: Options, files: Readonly<Record<string, string>>, typed = false): Printer | string | undefined {
  const { output } = options;
  const visible = (object: KubeObject): KubeObject => (isOn(options, "show-managed-fields") ? object : (stripManaged(object) as KubeObject));
  const [format = "", ...rest] = output.split("=");
  const argument = output.includes("=") ? rest.join("=") : flag(options, "template");
  const fileText = (what: string): string | { readonly error: string } => files[argument] ?? { error: `error: error reading --template ${argument}, open ${argument}: no such file or directory${what}` };
  switch (format) {
    case "name":
      return (object) => `${nameOf(object)}\n`;
    case "yaml":
      return (object, nth) => `${nth > 0 ? "---\n" : ""}${printYaml(visible(object))}`;
    case "kyaml":
      return (object) => printKyaml(visible(object));
    case "json":
      return (object) => indented(typed ? inGoOrder(visible(object)) : sortKeys(visible(object)));
    case "jsonpath":
    case "jsonpath-as-json":
      return argument === "" ? "error: template format specified but no template given" : jsonPathPrinter(argument, format !== "jsonpath");
    case "go-template":
    case "template":
      return argument === "" ? "error: template format specified but no template given" : templatePrinter(argument);
    case "jsonpath-file":
    case "go-template-file":
    case "templatefile": {
      const text = fileText("");
      if (typeof text !== "string") return text.error;
      return format === "jsonpath-file" ? jsonPathPrinter(text, false) : templatePrinter(text);
    }
    default:
      return undefined;
  }
}
