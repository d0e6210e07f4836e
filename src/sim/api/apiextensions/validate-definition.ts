// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, notSupported, required, tooMany } from "../field-error.ts";
import { isDNS1035Label, isDNS1123Subdomain } from "../names.ts";
import type { KubeObject } from "../types.ts";
import { semanticEqual, validateImmutable } from "../validation/helpers.ts";
import { validateClientConfig } from "../validation/webhooks.ts";
import { validateApproval } from "./approval.ts";
import { findFieldPath } from "./field-path.ts";
import { jsonEqual } from "./json-value.ts";
import { validateDefaults } from "./schema-defaults.ts";
import { validateSchemaProps } from "./schema-props.ts";
import { unsupportedIn, validateStructural } from "./structural.ts";
import { type Conversion, type CrdNames, type CrdSpec, type CrdVersion, type CustomResourceDefinition, isTrue, type JsonSchema, type PrinterColumn, type Subresources } from "./types.ts";

/** Per-version parts in the internal form: what all versions have alike stands once, above them. */
interface Parts {
  readonly schema?: JsonSchema;
  /** "schema" is there, though perhaps empty. */
  readonly hasSchema: boolean;
  readonly subresources?: Subresources;
  readonly columns: readonly PrinterColumn[];
  readonly selectable: readonly { readonly jsonPath: string }[];
}

const partsOf = (version: CrdVersion | undefined): Parts => ({
  hasSchema: version?.schema !== undefined && version.schema !== null, ...(version?.schema?.openAPIV3Schema === undefined ? {} : { schema: version.schema.openAPIV3Schema }),
  ...(version?.subresources === undefined || version.subresources === null ? {} : { subresources: version.subresources }), columns: version?.additionalPrinterColumns ?? [], selectable: version?.selectableFields ?? [],
});

const PRINTED_TYPES = ["boolean", "date", "integer", "number", "string"];
const PRINTED_FORMATS = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const MAX_SELECTABLE = 8;

function pathErrors(text: string, path: string): FieldError[] {
  if (text === "") return [invalid(path, text, "must not be empty")];
  return text.startsWith(".") ? [] : [invalid(path, text, "must be a simple json path starting with .")];
}

function columnErrors({ name, type, format = "", jsonPath }: PrinterColumn, path: string): FieldError[] {
  const errors = name ? [] : [required(`${path}.name`)];
  if (!type) errors.push(required(`${path}.type`, `must be one of ${PRINTED_TYPES.join(",")}`));
  else if (!PRINTED_TYPES.includes(type)) errors.push(invalid(`${path}.type`, type, `must be one of ${PRINTED_TYPES.join(",")}`));
  if (format !== "" && !PRINTED_FORMATS.includes(format)) errors.push(invalid(`${path}.format`, format, `must be one of ${PRINTED_FORMATS.join(",")}`));
  return [...errors, ...(jsonPath ? pathErrors(jsonPath, `${path}.JSONPath`) : [required(`${path}.JSONPath`)])];
}

function scaleErrors({ scale }: Subresources, path: string): FieldError[] {
  if (scale === undefined || scale === null) return [];
  const under = (text: string, field: string, roots: readonly string[], where: string): FieldError[] => {
    const wrong = pathErrors(text, `${path}.${field}`);
    return wrong.length > 0 || roots.some((root) => text.startsWith(root)) ? wrong : [invalid(`${path}.${field}`, text, `should be a json path under ${where}`)];
  };
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = "" } = scale;
  return [
    ...(specReplicasPath ? under(specReplicasPath, "scale.specReplicasPath", [".spec."], ".spec") : [required(`${path}.scale.specReplicasPath`)]),
    ...(statusReplicasPath ? under(statusReplicasPath, "scale.statusReplicasPath", [".status."], ".status") : [required(`${path}.scale.statusReplicasPath`)]),
    ...(labelSelectorPath === "" ? [] : under(labelSelectorPath, "scale.labelSelectorPath", [".spec.", ".status."], "either .spec or .status")),
  ];
}

function selectableErrors({ selectable, schema }: Parts, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { jsonPath }] of selectable.entries()) {
    const place = `${path}[${i}].jsonPath`;
    if (!jsonPath) {
      errors.push(required(place));
      continue;
    }
    const found = findFieldPath(jsonPath, schema ?? {}, false);
    if (typeof found === "string") {
      errors.push(invalid(place, jsonPath, `is an invalid path: ${found}`));
      continue;
    }
    if (found.root === "metadata") errors.push(invalid(place, jsonPath, "must not point to fields in metadata"));
    if (!["string", "boolean", "integer"].includes(found.schema.type ?? "")) errors.push(invalid(place, jsonPath, "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed."));
    if (seen.has(found.path)) errors.push(duplicate(place, jsonPath));
    seen.add(found.path);
  }
  return seen.size > MAX_SELECTABLE ? [...errors, tooMany(path, seen.size, MAX_SELECTABLE)] : errors;
}

/** Fields at the root that do not vanish when the status is validated alone. */
const ROOT_FIELDS = ["Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum", "Minimum", "ExclusiveMinimum", "MaxLength", "MinLength", "Pattern", "MaxItems", "MinItems", "UniqueItems", "MultipleOf", "Required", "Items", "Properties", "ExternalDocs", "Example", "XPreserveUnknownFields", "XValidations"];
const ROOT_NAMES = new Set([...ROOT_FIELDS.map((name) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`), "x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations"]);

/** Simplified: the refused schema is quoted in its v1 form; upstream quotes its internal form. */
function rootErrors(schema: JsonSchema, status: boolean, path: string): FieldError[] {
  if (!status) return [];
  if (schema.type !== undefined && schema.type !== "object") return [invalid(`${path}.openAPIV3Schema.type`, schema.type, 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled')];
  const bad = Object.entries(schema).find(([key, value]) => !ROOT_NAMES.has(key) && value !== undefined && value !== false);
  return bad === undefined ? [] : [invalid(`${path}.openAPIV3Schema`, schema, `only [${ROOT_FIELDS.join(" ")}] fields are allowed at the root of the schema if the status subresource is enabled`)];
}

function schemaErrors(schema: JsonSchema | undefined, status: boolean, path: string): FieldError[] {
  if (schema === undefined) return [];
  const place = `${path}.openAPIV3Schema`;
  const errors = rootErrors(schema, status, path);
  if (schema.nullable === true) errors.push(forbidden(`${path}.openAPIV3Schema.nullable`, "nullable cannot be true at the root"));
  const unreadable = unsupportedIn(schema);
  const structural = unreadable === undefined ? validateStructural(schema, place) : [];
  const defaults = unreadable === undefined && structural.length === 0 ? validateDefaults(schema, place) : [];
  const props = validateSchemaProps(schema, place, unreadable === undefined && structural.length + defaults.length === 0);
  const all = [...errors, ...structural, ...defaults, ...props.schema, ...props.cel];
  return all.length === 0 && unreadable !== undefined ? [invalid(place, "", unreadable)] : all;
}

function warningErrors({ deprecated, deprecationWarning: text }: CrdVersion, path: string): FieldError[] {
  const say = (detail: string): FieldError => invalid(`${path}.deprecationWarning`, text, detail);
  if (text === undefined || text === null) return [];
  if (deprecated !== true) return [say("can only be set for deprecated versions")];
  const control = [...text].findIndex((c) => c < " " || c === "\u007f");
  return [...(text.length > 256 ? [say("must be <= 256 characters long")] : []), ...(text === "" ? [say("must not be an empty string")] : []), ...(control < 0 ? [] : [say(`must only contain printable UTF-8 characters; non-printable character found at index ${control}`)])];
}

function namesErrors(names: Partial<CrdNames>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const label = (value: string | undefined, field: string): void => {
    const wrong = value ? isDNS1035Label(value) : [];
    if (wrong.length > 0) errors.push(invalid(`${path}.${field}`, value, wrong.join(",")));
  };
  const mixed = (value: string | undefined, field: string): void => {
    const wrong = value ? isDNS1035Label(value.toLowerCase()) : [];
    if (wrong.length > 0) errors.push(invalid(`${path}.${field}`, value, `may have mixed case, but should otherwise match: ${wrong.join(",")}`));
  };
  const must = (value: string, field: string): void => {
    const wrong = isDNS1035Label(value);
    if (wrong.length > 0) errors.push(invalid(`${path}.${field}`, value, wrong.join(",")));
  };
  label(names.plural, "plural");
  label(names.singular, "singular");
  mixed(names.kind, "kind");
  mixed(names.listKind, "listKind");
  for (const [i, name] of (names.shortNames ?? []).entries()) must(name, `shortNames[${i}]`);
  if (names.kind && names.kind === names.listKind) errors.push(invalid(`${path}.listKind`, names.listKind, "kind and listKind may not be the same"));
  for (const [i, name] of (names.categories ?? []).entries()) must(name, `categories[${i}]`);
  return errors;
}

function reviewVersionErrors(versions: readonly string[], path: string): FieldError[] {
  if (versions.length === 0) return [required(path)];
  const errors = versions.flatMap((version, i) => (versions.indexOf(version) < i ? [invalid(`${path}[${i}]`, version, "duplicate version")] : isDNS1035Label(version).map((text) => invalid(`${path}[${i}]`, version, text))));
  return versions.some((version) => version === "v1" || version === "v1beta1") ? errors : [...errors, invalid(path, versions, "must include at least one of v1, v1beta1")];
}

/** Simplified: upstream also parses a conversion webhook's CA bundle. */
function conversionErrors(conversion: Conversion | undefined, path: string): FieldError[] {
  if (conversion === undefined) return [];
  const { strategy, webhook } = conversion;
  if (!strategy) return [required(`${path}.strategy`)];
  const errors = strategy === "None" || strategy === "Webhook" ? [] : [notSupported(`${path}.strategy`, strategy, ["None", "Webhook"])];
  const client = webhook?.clientConfig;
  const reviews = webhook?.conversionReviewVersions ?? [];
  if (strategy !== "Webhook") {
    if (client !== undefined) errors.push(forbidden(`${path}.webhookClientConfig`, "should not be set when strategy is not set to Webhook"));
    return reviews.length > 0 ? [...errors, forbidden(`${path}.conversionReviewVersions`, "should not be set when strategy is not set to Webhook")] : errors;
  }
  if (client === undefined) errors.push(required(`${path}.webhookClientConfig`, "required when strategy is set to Webhook"));
  else errors.push(...validateClientConfig(client, `${path}.webhookClientConfig`));
  return [...errors, ...reviewVersionErrors(reviews, `${path}.conversionReviewVersions`)];
}

/** Versions in the internal form, as errors quote them; what is alike in all has moved away. */
const internalVersions = (versions: readonly CrdVersion[], alike: Alike): unknown =>
  versions.map(({ name, served, storage, deprecated = false, deprecationWarning = null, schema = null, subresources = null, additionalPrinterColumns, selectableFields }) => ({
    Name: name, Served: served, Storage: storage, Deprecated: deprecated, DeprecationWarning: deprecationWarning, Schema: alike.schema ? null : schema, Subresources: alike.subresources ? null : subresources,
    AdditionalPrinterColumns: alike.columns ? null : (additionalPrinterColumns ?? null), SelectableFields: alike.selectable ? null : (selectableFields ?? null),
  }));

interface Alike {
  readonly schema: boolean;
  readonly subresources: boolean;
  readonly columns: boolean;
  readonly selectable: boolean;
}

function alikeIn(versions: readonly CrdVersion[]): Alike {
  const every = (of: (version: CrdVersion) => unknown): boolean => versions.every((version) => semanticEqual(of(version), of(versions[0] ?? version)));
  return { schema: every((v) => v.schema), subresources: every((v) => v.subresources), columns: every((v) => v.additionalPrinterColumns), selectable: every((v) => v.selectableFields) };
}

const hasStatus = (version: CrdVersion | undefined): boolean => version?.subresources?.status !== undefined && version.subresources.status !== null;

function versionErrors(version: CrdVersion, alike: Alike, path: string): FieldError[] {
  const own = partsOf(version);
  const errors = warningErrors(version, path);
  if (!alike.schema) errors.push(...schemaErrors(own.schema, hasStatus(version), `${path}.schema`));
  if (!alike.subresources) errors.push(...scaleErrors(own.subresources ?? {}, `${path}.subresources`));
  if (!alike.columns) errors.push(...own.columns.flatMap((column, i) => columnErrors(column, `${path}.additionalPrinterColumns[${i}]`)));
  if (!alike.selectable && own.selectable.length > 0) errors.push(...(alike.schema || own.schema === undefined ? [invalid(`${path}.selectableFields`, "", "may only be set when `version.schema.openAPIV3Schema` is not included")] : selectableErrors(own, `${path}.selectableFields`)));
  return errors;
}

function versionsErrors(given: readonly CrdVersion[] | null | undefined, alike: Alike): FieldError[] {
  const versions = given ?? [];
  const errors = versions.flatMap((version, i) => {
    const wrong = isDNS1035Label(version.name);
    return [...(wrong.length > 0 ? [invalid(`spec.versions[${i}].name`, version.name, wrong.join(","))] : []), ...versionErrors(version, alike, `spec.versions[${i}]`)];
  });
  const internal = given === null || given === undefined ? null : internalVersions(versions, alike);
  if (new Set(versions.map(({ name }) => name)).size < versions.length) errors.push(invalid("spec.versions", internal, "must contain unique version names"));
  if (versions.filter(({ storage }) => storage).length !== 1) errors.push(invalid("spec.versions", internal, "must have exactly one version marked as storage version"));
  const first = versions[0]?.name ?? "";
  const wrong = first === "" ? [] : isDNS1035Label(first);
  return wrong.length > 0 ? [...errors, invalid("spec.version", first, wrong.join(","))] : errors;
}

function groupErrors(group: string): FieldError[] {
  if (group === "") return [required("spec.group")];
  const wrong = isDNS1123Subdomain(group);
  if (wrong.length > 0) return [invalid("spec.group", group, wrong.join(","))];
  return group.includes(".") ? [] : [invalid("spec.group", group, "should be a domain with at least one dot")];
}

function specErrors(spec: CrdSpec): FieldError[] {
  const versions = spec.versions ?? [];
  const names: Partial<CrdNames> = spec.names ?? {};
  const alike = alikeIn(versions);
  const shared = partsOf(versions[0]);
  const errors = groupErrors(spec.group ?? "");
  if (!spec.scope) errors.push(required("spec.scope"));
  else if (spec.scope !== "Cluster" && spec.scope !== "Namespaced") errors.push(notSupported("spec.scope", spec.scope, ["Cluster", "Namespaced"]));
  if (!(alike.schema && shared.schema !== undefined)) for (const [i, version] of versions.entries()) if (alike.schema || version.schema?.openAPIV3Schema === undefined) errors.push(required(`spec.versions[${i}].schema.openAPIV3Schema`));
  errors.push(...versionsErrors(spec.versions, alike));
  for (const key of ["plural", "singular", "kind", "listKind"] as const) if (!names[key]) errors.push(required(`spec.names.${key}`));
  errors.push(...namesErrors(names, "spec.names"));
  if (alike.schema) errors.push(...schemaErrors(shared.schema, versions.some(hasStatus), "spec.validation"));
  if (alike.subresources) errors.push(...scaleErrors(shared.subresources ?? {}, "spec.subresources"));
  if (alike.columns) errors.push(...shared.columns.flatMap((column, i) => columnErrors(column, `spec.additionalPrinterColumns[${i}]`)));
  if (alike.selectable && shared.selectable.length > 0) errors.push(...(alike.schema && shared.hasSchema ? selectableErrors(shared, "spec.selectableFields") : [invalid("spec.selectableFields", "", "may only be set when validations.schema is included")]));
  return [...errors, ...conversionErrors(spec.conversion, "spec.conversion")];
}

function storedErrors({ spec, status }: CustomResourceDefinition): FieldError[] {
  const path = "status.storedVersions";
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) return [invalid(path, status?.storedVersions ?? null, "must have at least one stored version")];
  const names = (spec.versions ?? []).map(({ name }) => name);
  const missing = (spec.versions ?? []).filter(({ name, storage }) => storage && !stored.includes(name)).map(({ name }) => invalid(path, stored, `must have the storage version ${name}`));
  return [...missing, ...stored.flatMap((name, i) => (names.includes(name) ? [] : [invalid(`${path}[${i}]`, name, `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`)]))];
}

const commonErrors = (crd: CustomResourceDefinition, old?: CustomResourceDefinition): FieldError[] => [
  ...namesErrors(crd.status?.acceptedNames ?? {}, "status.acceptedNames"), ...storedErrors(crd), ...validateApproval(crd, old),
  ...(crd.spec.preserveUnknownFields === true && old?.spec.preserveUnknownFields !== true ? [invalid("spec.preserveUnknownFields", true, "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead")] : []),
];

/** A new definition, without its metadata but for its name. */
export function validateDefinition(object: KubeObject): FieldError[] {
  const crd = object as CustomResourceDefinition;
  const { name = "" } = crd.metadata;
  const named = name !== "" && name !== `${crd.spec.names?.plural ?? ""}.${crd.spec.group ?? ""}` ? [invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')] : [];
  return [...named, ...specErrors(crd.spec), ...commonErrors(crd)];
}

/** A changed one: names and scope are fixed once it is established. */
export function validateDefinitionUpdate(object: KubeObject, before: KubeObject): FieldError[] {
  const [crd, old] = [object as CustomResourceDefinition, before as CustomResourceDefinition];
  const fixed = isTrue(old, "Established") ? [...validateImmutable(crd.spec.scope, old.spec.scope, "spec.scope"), ...validateImmutable(crd.spec.names.kind, old.spec.names.kind, "spec.names.kind")] : [];
  const spec = jsonEqual(crd.spec, old.spec) ? [] : specErrors(crd.spec);
  return [...spec, ...fixed, ...validateImmutable(crd.spec.group, old.spec.group, "spec.group"), ...validateImmutable(crd.spec.names.plural, old.spec.names.plural, "spec.names.plural"), ...commonErrors(crd, old)];
}
