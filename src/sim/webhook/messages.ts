// Models kubernetes/staging/src/k8s.io/api/admission/v1/types.go
import type { KubeObject } from "../api/types.ts";
import type { MailId } from "../kernel/types.ts";

/** AdmissionRequest: everything a webhook learns of a request. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  /** null on a DELETE. */
  readonly object: KubeObject | null;
  /** null on a CREATE. */
  readonly oldObject: KubeObject | null;
  readonly dryRun: boolean;
}

/** AdmissionResponse: the verdict. The patch is a JSON patch in base64. */
export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { readonly code?: number; readonly message?: string; readonly reason?: string };
  readonly patch?: string;
  readonly patchType?: "JSONPatch";
  readonly warnings?: readonly string[];
}

/** An AdmissionReview posted to a webhook. */
export interface WebhookRequest {
  readonly type: "webhook.request";
  readonly webhook: string;
  readonly url: string;
  readonly body: { readonly apiVersion: "admission.k8s.io/v1"; readonly kind: "AdmissionReview"; readonly request: AdmissionRequest };
}

export interface WebhookResponse {
  readonly type: "webhook.response";
  readonly request: MailId;
  /** HTTP status; without 200 there is no review. */
  readonly status: number;
  readonly body?: { readonly apiVersion: "admission.k8s.io/v1"; readonly kind: "AdmissionReview"; readonly response: AdmissionResponse };
}
