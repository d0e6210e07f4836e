// Models kubernetes/staging/src/k8s.io/apiserver/pkg/cel/library/{format,jsonpatch}.go
import { Optional } from "@marcbachmann/cel-js";
import { isDNS1035Label, isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidLabelValue, maskTrailingDash } from "../../names.ts";
import type { CelLibrary } from "../types.ts";

class FormatNamespace {}
class JsonPatchNamespace {}

class CelFormat {
  readonly check: (text: string) => readonly string[];
  constructor(check: (text: string) => readonly string[]) {
    this.check = check;
  }
}

const matching = (pattern: RegExp, message: string) => (text: string): string[] => (pattern.test(text) ? [] : [message]);

function date(text: string): string[] {
  const m = /^\d{4}-(\d{2})-(\d{2})$/.exec(text);
  const [month, day] = [Number(m?.[1]), Number(m?.[2])];
  return m !== null && month >= 1 && month <= 12 && day >= 1 && day <= 31 ? [] : ["invalid date"];
}

const FORMATS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  dns1123Label: isDNS1123Label,
  dns1123Subdomain: isDNS1123Subdomain,
  dns1035Label: isDNS1035Label,
  qualifiedName: isQualifiedName,
  dns1123LabelPrefix: (text) => isDNS1123Label(maskTrailingDash(text)),
  dns1123SubdomainPrefix: (text) => isDNS1123Subdomain(maskTrailingDash(text)),
  dns1035LabelPrefix: (text) => isDNS1035Label(maskTrailingDash(text)),
  labelValue: isValidLabelValue,
  uri: matching(/^(?:[A-Za-z][A-Za-z0-9+.-]*:|\/)\S*$/, "invalid URI"),
  uuid: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i, "does not match the UUID format"),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, "invalid base64"),
  date,
  datetime: matching(/^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/, "invalid datetime"),
};

const formats = new Map(Object.entries(FORMATS).map(([name, check]) => [name, new CelFormat(check)]));

function named(name: string): Optional {
  const format = formats.get(name);
  return format === undefined ? Optional.none() : Optional.of(format);
}

function validate(format: CelFormat, text: string): Optional {
  const errors = format.check(text);
  return errors.length === 0 ? Optional.none() : Optional.of(errors);
}

/** Named formats with the words of Kubernetes' own validation, and the escaping of JSON pointers. */
export const formatLibrary: CelLibrary = {
  classes: [["kubernetes.NamedFormat", CelFormat]],
  namespaces: [["format", "FormatNamespace", FormatNamespace], ["jsonpatch", "JsonPatchNamespace", JsonPatchNamespace]],
  functions: [
    ...[...formats].map(([name, format]) => [`FormatNamespace.${name}(): kubernetes.NamedFormat`, () => format] as const),
    ["FormatNamespace.named(string): optional<kubernetes.NamedFormat>", (_: unknown, name: string) => named(name)],
    ["kubernetes.NamedFormat.validate(string): optional<list<string>>", validate],
    ["JsonPatchNamespace.escapeKey(string): string", (_: unknown, key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1")],
  ],
};
