// Models kubernetes/staging/src/k8s.io/api/admission/v1/types.go
import type { KubeObject } from "../api/types.ts";
import type { MailId } from "../kernel/types.ts";

/** An AdmissionReview posted to a webhook. */
export interface WebhookRequest {
  readonly type: "webhook.request";
  readonly webhook: string;
  readonly url: string;
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly resource: string;
  readonly object: KubeObject;
  /** What this webhook was set up to refuse with; undefined lets the program's own rules decide. */
  readonly policy?: string;
}

export interface WebhookResponse {
  readonly type: "webhook.response";
  readonly request: MailId;
  readonly allowed: boolean;
  /** "" is a refusal without explanation. */
  readonly message: string;
  readonly code: number;
}
