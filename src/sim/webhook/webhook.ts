// Models an admission webhook server as kubernetes/test/images/agnhost/webhook: allows everything until told to refuse
import type { FaultMessage } from "../faults/messages.ts";
import type { Component, Message } from "../kernel/types.ts";
import type { WebhookRequest, WebhookResponse } from "./messages.ts";

export interface WebhookState {
  /** Why it refuses everything, undefined while it allows. */
  readonly denies: string | undefined;
  readonly reviews: number;
}

/** The program behind an admission webhook. Refuses with its policy's message, allows otherwise. */
export function createWebhook(config: { readonly machine?: string } = {}): Component<WebhookState> {
  return {
    id: "webhook",
    machine: config.machine ?? "internet",
    init: () => ({ denies: undefined, reviews: 0 }),
    step(state, message: Message, ctx) {
      if (message.type === "fault") {
        const fault = message as FaultMessage;
        if (fault.id !== "admission.webhook-denies") return state;
        return { ...state, denies: fault.on ? String(fault.params["message"] ?? "") : undefined };
      }
      if (message.type !== "webhook.request") return state;
      const review = message as WebhookRequest;
      const reason = review.policy ?? state.denies;
      const { kind, metadata } = review.object;
      const subject = `${kind.toLowerCase()}/${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
      ctx.explain({
        text: reason === undefined ? `webhook ${review.webhook} allows ${review.operation} ${subject}` : `webhook ${review.webhook} refuses ${review.operation} ${subject}`,
        why: reason ?? "nothing in its rules speaks against it", subject, level: reason === undefined ? "operator" : "basic",
      });
      const response: WebhookResponse = { type: "webhook.response", request: ctx.mail, allowed: reason === undefined, message: reason ?? "", code: 400 };
      ctx.send(ctx.from, response, { protocol: "HTTPS", latency: ctx.latency("webhook.review", `${ctx.now}`), verb: reason === undefined ? "allowed" : "denied", subject, status: 200 });
      return { ...state, reviews: state.reviews + 1 };
    },
  };
}
