// Models the handlers of kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go
import { decodeCustomObject, defaultCustom, finalizerWarnings, prepareCustomForCreate, prepareCustomForStatus, prepareCustomForUpdate, validateCustomCreate, validateCustomStatusUpdate, validateCustomUpdate } from "../../api/apiextensions/custom-resource.ts";
import { compareVersions } from "../../api/apiextensions/served.ts";
import { conditionOf, type CustomVersion, isTrue } from "../../api/apiextensions/types.ts";
import { decodeErrorStatus, decodeObject, type DecodeOptions, type DecodeResult } from "../../api/decode.ts";
import { applyDefaults } from "../../api/defaulting/apply-defaults.ts";
import type { FieldError } from "../../api/field-error.ts";
import { type ApiResource, versionOf } from "../../api/schema/resources.ts";
import { kindType } from "../../api/schema/schema.ts";
import { newBadRequest, newForbidden, newInvalid } from "../../api/status-errors.ts";
import { parseRfc3339 } from "../../api/time.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";

/** A body as an object of the resource: built-in kinds by their Go types, custom ones by their schema. */
export const decodeAs = (api: ApiResource | undefined, body: unknown, options: DecodeOptions): DecodeResult => (api?.custom === undefined ? decodeObject(body, options) : decodeCustomObject(body, api, options));

/** The same, with the Status to answer when it cannot be read. */
export function decodeRequestAs(api: ApiResource | undefined, body: unknown, options: DecodeOptions): Extract<DecodeResult, { readonly object: KubeObject }> | Status {
  const result = decodeAs(api, body, api?.custom === undefined ? { ...options, expected: api } : options);
  if (result.error !== undefined) return decodeErrorStatus(body, result, api);
  return (api === undefined ? undefined : mismatch(result.object, api)) ?? result;
}

const goPackage = (apiVersion: string): string => (apiVersion.includes("/") ? (apiVersion.split(/[./]/)[0] ?? "") : "core");

/** A body of another kind or version than the URL's. */
function mismatch({ apiVersion, kind }: KubeObject, api: ApiResource): Status | undefined {
  if (apiVersion === api.apiVersion && kind === api.kind) return undefined;
  const known = kindType(apiVersion, kind) !== undefined;
  // Simplified: the scheme also knows the versions that are no longer served.
  if (kind === api.kind && (known || api.custom !== undefined)) return newBadRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${api.apiVersion})`);
  const version = versionOf(apiVersion);
  const why = known ? `converting (${version}.${kind}) to (${goPackage(api.apiVersion)}.${api.kind}): unknown conversion` : `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/api/legacyscheme/scheme.go:30"`;
  return newBadRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${api.kind}: ${why}`);
}

export const withDefaults = (api: ApiResource | undefined, object: KubeObject): KubeObject => (api?.custom === undefined ? applyDefaults(object) : defaultCustom(object, api.custom));

/** What makes a version's clients look for another one. */
export function versionWarnings({ custom, group, version, kind }: ApiResource): readonly string[] {
  if (custom?.version.deprecated !== true) return [];
  if (custom.version.deprecationWarning !== undefined) return [custom.version.deprecationWarning];
  const better = custom.crd.spec.versions.filter((other) => other.served && other.deprecated !== true && compareVersions(other.name, version) < 0).map(({ name }) => name).sort(compareVersions)[0];
  return [`${group}/${version} ${kind} is deprecated${better === undefined ? "" : `; use ${group}/${better} ${kind}`}`];
}

const JUST_CREATED: Micros = 2_000_000;

/** A definition that is established for less than 2 s lets its first objects wait: other servers may not know it yet. */
export function waitsForOthers({ crd }: CustomVersion, now: Micros): boolean {
  const since = parseRfc3339(conditionOf(crd, "Established")?.lastTransitionTime ?? "");
  return !Number.isNaN(since) && now - since < JUST_CREATED;
}
export const OTHERS_KNOW: Micros = JUST_CREATED;

/** Nothing new while a definition is on its way out. */
export const refusesCreation = ({ custom, group, resource }: ApiResource, name: string): Status | undefined =>
  custom !== undefined && isTrue(custom.crd, "Terminating") ? newForbidden({ group, resource }, name, "create not allowed while custom resource definition is terminating") : undefined;

/** Updates must say what they build on. */
export function unconditionalUpdate({ group, kind }: ApiResource, object: KubeObject): Status | undefined {
  const { resourceVersion = "", name = "" } = object.metadata;
  return resourceVersion === "" ? newInvalid({ group, kind }, name, [{ type: "FieldValueInvalid", field: "metadata.resourceVersion", message: "Invalid value: 0: must be specified for an update" }]) : undefined;
}

export interface Judged {
  readonly object: KubeObject;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** BeforeCreate or BeforeUpdate of a custom object, and its validation. */
export function judgeCustom(object: KubeObject, existing: KubeObject | undefined, custom: CustomVersion, subresource: string): Judged {
  if (existing === undefined) {
    const created = prepareCustomForCreate(object, custom);
    const { errors, warnings } = validateCustomCreate(created, custom);
    return { object: created, errors, warnings: [...finalizerWarnings(created), ...warnings] };
  }
  if (subresource === "status") {
    const updated = prepareCustomForStatus(object, existing);
    return { object: updated, ...validateCustomStatusUpdate(updated, existing, custom) };
  }
  const updated = prepareCustomForUpdate(object, existing, custom);
  const { errors, warnings } = validateCustomUpdate(updated, existing, custom);
  return { object: updated, errors, warnings: [...finalizerWarnings(updated, existing), ...warnings] };
}
