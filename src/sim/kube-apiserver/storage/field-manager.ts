// Models kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/installer.go and handlers/fieldmanager: the field manager of a request
import { decodeObject } from "../../api/decode.ts";
import { isReset, updateManagedFields, type Write } from "../../api/fieldmanager/field-manager.ts";
import { equalSets, type FieldSet } from "../../api/fieldmanager/field-set.ts";
import { field } from "../../api/fieldmanager/path-element.ts";
import { toParentEntries, toScaleEntries } from "../../api/fieldmanager/scale-handler.ts";
import { builtInSchema, DEDUCED_OBJECT, type SchemaNode } from "../../api/fieldmanager/schema-node.ts";
import { customSchema } from "../../api/fieldmanager/structural-schema.ts";
import type { Scope } from "../../api/fieldmanager/updater.ts";
import { type ApiResource, groupOf, versionOf } from "../../api/schema/resources.ts";
import { rfc3339 } from "../../api/time.ts";
import type { KubeObject, ManagedFieldsEntry } from "../../api/types.ts";
import { mergeStringData } from "../registry/others.ts";
import type { Run } from "../state.ts";
import { listObjects } from "../watch-cache/lookup.ts";
import { asServed } from "./convert.ts";
import { managerOf } from "./metadata.ts";
import { withoutResetFields } from "./reset-fields.ts";

type Entries = readonly ManagedFieldsEntry[] | undefined;

interface Definition extends KubeObject {
  readonly spec?: {
    readonly group?: string;
    readonly names?: { readonly kind?: string };
    readonly versions?: readonly { readonly name?: string; readonly schema?: { readonly openAPIV3Schema?: object } }[];
  };
}

/** The schema of a kind: built in, from its CustomResourceDefinition, or none, which takes everything as it comes. */
function schemaOf(run: Run, apiVersion: string, kind: string): SchemaNode | undefined {
  const known = builtInSchema(apiVersion, kind);
  if (known !== undefined) return known;
  const definition = (listObjects(run.state, "customresourcedefinitions") as readonly Definition[]).find(({ spec }) => spec?.group === groupOf(apiVersion) && spec.names?.kind === kind);
  if (definition === undefined) return undefined;
  const schema = definition.spec?.versions?.find(({ name }) => name === versionOf(apiVersion))?.schema?.openAPIV3Schema;
  return schema === undefined ? DEDUCED_OBJECT : customSchema(schema);
}

/** Scopes of built-in kinds, by resource and subresource: they depend on nothing that a run changes. */
const scopes = new Map<string, Scope>();

function scopeOf(run: Run, api: ApiResource, subresource: string): Scope {
  const { apiVersion, kind } = api;
  const builtIn = builtInSchema(apiVersion, kind) !== undefined;
  const key = `${apiVersion}/${kind}/${subresource}`;
  const known = builtIn ? scopes.get(key) : undefined;
  if (known !== undefined) return known;
  const hasStatus = api.subresources.includes("status");
  const schema = (version: string): SchemaNode | undefined => (builtIn ? builtInSchema(version, kind) : schemaOf(run, version, kind));
  const scope: Scope = {
    apiVersion, schema,
    convert: (object, version) => (schema(version) === undefined ? undefined : builtIn ? asServed(object, version) : { ...object, apiVersion: version }),
    filter: (set, version) => withoutResetFields(set, kind, version, subresource, hasStatus),
  };
  if (builtIn) scopes.set(key, scope);
  return scope;
}

const SCALE: Scope = { apiVersion: "autoscaling/v1", schema: (version) => builtInSchema(version, "Scale"), convert: (object) => object, filter: (set) => set };

const writeBy = (run: Run, scope: Scope, subresource: string): Write => ({ scope, subresource, manager: managerOf(run), now: rfc3339(run.ctx.now) });

/** The write that this request is, as the field manager of its resource sees it. */
export function writeOf(run: Run, api: ApiResource): Write {
  const { subresource } = run.request.info;
  return subresource === "scale" ? writeBy(run, SCALE, subresource) : writeBy(run, scopeOf(run, api, subresource), subresource);
}

const empties = new Map<string, KubeObject>();

/** A new object of the kind, as Go makes it: the fields that are never left out are there with their zero values. */
export function emptyObject(apiVersion: string, kind: string): KubeObject {
  const key = `${apiVersion}/${kind}`;
  let object = empties.get(key);
  if (object === undefined) {
    const bare: KubeObject = { apiVersion, kind, metadata: {} };
    object = decodeObject(bare, { fieldValidation: "Ignore" }).object ?? bare;
    empties.set(key, object);
  }
  return object;
}

/** The object with these entries; the same object when they are in it already. */
export function withManagedFields(object: KubeObject, entries: Entries): KubeObject {
  if (object.metadata.managedFields === entries) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: entries === undefined ? metadata : { ...metadata, managedFields: entries } };
}

/** What the body says about managedFields. An empty list is lost when the body is decoded, and means something. */
export function askedEntries(raw: unknown, decoded: KubeObject): Entries | "reset" {
  const metadata = (raw as { readonly metadata?: { readonly managedFields?: unknown } } | null | undefined)?.metadata;
  return isReset(metadata?.managedFields) ? "reset" : decoded.metadata.managedFields;
}

/** What decoding turns into something else before ownership is settled. */
const asDecoded = (object: KubeObject): KubeObject => (object.kind === "Secret" && object.apiVersion === "v1" ? mergeStringData(object) : object);

/** A create: the client owns what it sent and the defaults that follow from it. */
export function trackCreate(run: Run, sent: KubeObject): KubeObject {
  const { api } = run.request.info;
  if (api === undefined) return sent;
  const object = asDecoded(sent);
  const empty = emptyObject(object.apiVersion, object.kind);
  return withManagedFields(object, updateManagedFields(writeOf(run, api), empty, object, askedEntries(run.request.request.body, object)));
}

/** An update: the client owns what it changed. Through a subresource nobody may set managedFields. */
export function trackUpdate(run: Run, existing: KubeObject, sent: KubeObject, asked: Entries | "reset"): KubeObject {
  const { api, subresource } = run.request.info;
  if (api === undefined) return sent;
  const object = asDecoded(sent);
  return withManagedFields(object, updateManagedFields(writeOf(run, api), existing, object, subresource === "" ? asked : undefined));
}

/** Where a resource keeps the number that its Scale view shows: a custom one says so itself. */
const replicasPath = ({ custom }: ApiResource): readonly string[] | undefined => custom?.version.subresources?.scale?.specReplicasPath.split(".").filter((part) => part !== "").map(field);

/** The Scale view of an object with the owners of its replicas. */
export const withScaleOwners = (api: ApiResource, existing: KubeObject, view: KubeObject): KubeObject => withManagedFields(view, toScaleEntries(existing.metadata.managedFields, replicasPath(api)));

/** The object with the owners that its Scale view has after a write. */
export const withOwnersOfScale = (api: ApiResource, existing: KubeObject, scaled: KubeObject, view: Entries): KubeObject =>
  withManagedFields(scaled, toParentEntries(existing.metadata.managedFields, view, existing.apiVersion, replicasPath(api)));

/** Owners of a Scale view after an update of it from `live` to `after`. */
export const trackScale = (run: Run, live: KubeObject, after: KubeObject): Entries => updateManagedFields(writeBy(run, SCALE, "scale"), live, after, undefined);

/** Whether two lists differ at most in their times: such a write is none. */
export function sameOwners(a: Entries, b: Entries): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.length !== b.length) return false;
  return a.every((entry, i) => {
    const other = b[i];
    return entry === other || (other !== undefined && entry.manager === other.manager && entry.operation === other.operation && entry.apiVersion === other.apiVersion && (entry.subresource ?? "") === (other.subresource ?? "") && equalSets((entry.fieldsV1 ?? {}) as FieldSet, (other.fieldsV1 ?? {}) as FieldSet));
  });
}
