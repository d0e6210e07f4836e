// Models kubernetes/staging/src/k8s.io/cli-runtime/pkg/printers/yaml.go: what `kubectl get -o yaml` prints
import { Document, visit } from "yaml";

const STRING_TAG = "tag:yaml.org,2002:str";

function plain(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, `${path}[]`));
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    if (path === ".metadata" && key === "managedFields") continue;
    copy[key] = plain(item, `${path}.${key}`);
  }
  return copy;
}

/** Any plain data as YAML with sorted keys and unindented lists; `undefined` members are left out. */
export function toYaml(value: unknown): string {
  if (value === undefined) return "";
  const document = new Document(plain(value, ""), { version: "1.1", sortMapEntries: true, aliasDuplicateObjects: false });
  const tags = document.schema?.tags ?? [];
  // go-yaml's choice of quotes: double where plain text would be read as something else, single where it cannot be plain.
  visit(document, {
    Scalar(_, node) {
      const text = node.value;
      if (typeof text !== "string") return;
      const ambiguous = tags.some((tag) => tag.default === true && tag.tag !== STRING_TAG && "test" in tag && tag.test?.test(text) === true);
      if (ambiguous) node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ directives: false, lineWidth: 0, indentSeq: false, nullStr: "null", singleQuote: true });
}

/** Pretty JSON, as `kubectl get -o json` indents it. */
export function toJson(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value, null, 4);
}
