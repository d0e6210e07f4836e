// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/{apihelpers/helpers.go,controller/apiapproval/apiapproval_controller.go}
import { type FieldError, invalid, required } from "../field-error.ts";
import { conditionOf, type CustomResourceDefinition, withCondition } from "./types.ts";

const ANNOTATION = "api-approved.kubernetes.io";
const FIELD = `metadata.annotations[${ANNOTATION}]`;
const SEE = "see https://github.com/kubernetes/enhancements/pull/1111";

const isProtected = (group: string): boolean => ["k8s.io", "kubernetes.io"].some((domain) => group === domain || group.endsWith(`.${domain}`));

interface Approval {
  readonly state: "missing" | "bypassed" | "approved" | "invalid";
  readonly reason: string;
}

function approvalOf(crd: CustomResourceDefinition): Approval {
  const text = crd.metadata.annotations?.[ANNOTATION] ?? "";
  if (text === "") return { state: "missing", reason: `protected groups must have approval annotation ${JSON.stringify(ANNOTATION)}, ${SEE}` };
  if (text.startsWith("unapproved")) return { state: "bypassed", reason: `not approved: ${JSON.stringify(text)}` };
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/\s]+\S*$/.test(text)) return { state: "approved", reason: `approved in ${text}` };
  return { state: "invalid", reason: `protected groups must have approval annotation ${JSON.stringify(ANNOTATION)} with either a URL or a reason starting with "unapproved", ${SEE}` };
}

/** Groups of Kubernetes' own domains need an approval, or an admission that there is none. */
export function validateApproval(crd: CustomResourceDefinition, old?: CustomResourceDefinition): FieldError[] {
  if (!isProtected(crd.spec.group)) return [];
  const { state, reason } = approvalOf(crd);
  if (old !== undefined && approvalOf(old).state === state) return [];
  if (state === "missing") return [required(FIELD, reason)];
  return state === "invalid" ? [invalid(FIELD, crd.metadata.annotations?.[ANNOTATION], reason)] : [];
}

const REASONS = { missing: "MissingAnnotation", bypassed: "UnapprovedAnnotation", approved: "ApprovedAnnotation", invalid: "InvalidAnnotation" } as const;

/** The condition KubernetesAPIApprovalPolicyConformant of a protected group; the same definition when it says so already. */
export function approvalCondition(crd: CustomResourceDefinition, at: string): CustomResourceDefinition {
  if (!isProtected(crd.spec.group)) return crd;
  const { state, reason: message } = approvalOf(crd);
  const type = "KubernetesAPIApprovalPolicyConformant";
  const [status, reason] = [state === "approved" ? "True" : "False", REASONS[state]] as const;
  const old = conditionOf(crd, type);
  return old?.status === status && old.reason === reason && old.message === message ? crd : withCondition(crd, { type, status, reason, message }, at);
}
