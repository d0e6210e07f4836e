// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/api/errors: reading what the server said
import type { KubeObject } from "../api/types.ts";
import type { Answer } from "./controller-types.ts";

export const isSuccess = (answer: Answer): boolean => answer.status >= 200 && answer.status < 300;

/** The server's words for a refusal. */
export function messageOf(answer: Answer): string {
  const body = answer.body as { readonly message?: string } | undefined;
  if (body?.message !== undefined) return body.message;
  return answer.status === 0 ? "connection refused" : `HTTP ${answer.status}`;
}

/** An error text when any call failed, for `Plan.error`. */
export function reasonOf(answers: readonly Answer[]): string | undefined {
  const bad = answers.find((answer) => answer.sent && !isSuccess(answer));
  return bad === undefined ? undefined : messageOf(bad);
}

export const bodyOf = (answer: Answer | undefined): KubeObject | undefined => (answer !== undefined && isSuccess(answer) ? (answer.body as KubeObject) : undefined);
