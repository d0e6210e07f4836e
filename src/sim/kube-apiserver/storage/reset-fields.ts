// Models GetResetFields and GetResetFieldsFilter of the strategies in kubernetes/pkg/registry/*/*/strategy.go
import { type FieldSet, includeMatches, recursiveDifference, setOf } from "../../api/fieldmanager/field-set.ts";
import { field, type PathElement } from "../../api/fieldmanager/path-element.ts";
import { kindType } from "../../api/schema/schema.ts";

const path = (text: string): readonly PathElement[] => text.split(".").map((name) => (name === "*" ? name : field(name)));
const paths = (text: string): FieldSet => setOf(...text.split(" ").map(path));

const STATUS = paths("status");
const SPEC = paths("spec");
const CUSTOM = paths("spec metadata");
/** What writes to the status do not take: the spec, and of some kinds metadata or parts of it. */
const STATUS_RESETS: ReadonlyMap<string, FieldSet> = new Map([
  ["Pod", paths("spec metadata.deletionTimestamp metadata.ownerReferences")],
  ["Deployment", paths("spec metadata.labels")],
  ["CertificateSigningRequest", paths("spec status.conditions")],
  ...["ValidatingAdmissionPolicy", "FlowSchema", "PriorityLevelConfiguration", "ServiceCIDR", "ResourceClaim", "VolumeAttachment"].map((kind): [string, FieldSet] => [kind, paths("spec metadata")]),
]);
/** Kinds that take more than their status only from their own writes. */
const MAIN_RESETS: ReadonlyMap<string, FieldSet> = new Map([["CertificateSigningRequest", paths("spec status")]]);
const APPROVAL = paths("spec status.certificate");
const RESIZE = ["spec.containers.*.resources", "spec.containers.*.resizePolicy", "spec.initContainers.*.resources", "spec.initContainers.*.resizePolicy"].map(path);
const EPHEMERAL = [path("spec.ephemeralContainers")];

/**
 * The set without the fields that a write through this subresource ("" for the object itself) does not take from clients.
 * `hasStatus` says whether the status is written through a subresource of its own.
 */
export function withoutResetFields(set: FieldSet, kind: string, apiVersion: string, subresource: string, hasStatus: boolean): FieldSet {
  switch (subresource) {
    case "status":
      return recursiveDifference(set, STATUS_RESETS.get(kind) ?? (kindType(apiVersion, kind) === undefined ? CUSTOM : SPEC));
    case "approval":
      return recursiveDifference(set, APPROVAL);
    case "resize":
      return includeMatches(set, RESIZE);
    case "ephemeralcontainers":
      return includeMatches(set, EPHEMERAL);
    case "scale":
      return set;
    default:
      return hasStatus ? recursiveDifference(set, MAIN_RESETS.get(kind) ?? STATUS) : set;
  }
}
