// Models an admission webhook server: kubernetes/test/images/agnhost/webhook, which allows everything at /validate until told to refuse
import type { FaultMessage } from "../faults/messages.ts";
import type { Component, Ctx, Message } from "../kernel/types.ts";
import type { AdmissionResponse, WebhookRequest, WebhookResponse } from "./messages.ts";
import { delayOf, review } from "./reviews.ts";

export interface WebhookState {
  /** Why it refuses everything, undefined while it allows. */
  readonly denies: string | undefined;
  readonly reviews: number;
}

/** "https://hook.default.svc:443/add-label" -> "/add-label" */
const pathOf = (url: string): string => /^https?:\/\/[^/]+(\/[^?]*)/.exec(url)?.[1] ?? "/";

function answer(ctx: Ctx, { webhook, url, body, policy }: WebhookRequest, denies: string | undefined): void {
  const { request } = body;
  const reason = policy ?? denies;
  const verdict = reason === undefined ? review(pathOf(url), request) : { allowed: false, status: { message: reason, code: 400 } };
  const object = request.object ?? request.oldObject;
  const subject = `${(object?.kind ?? request.resource.resource).toLowerCase()}/${request.namespace ?? ""}/${request.name ?? ""}`;
  if (verdict === "never") return ctx.explain({ text: `webhook ${webhook} does not answer about ${request.operation} ${subject}`, why: "its program waits for something that never comes", subject, level: "basic" });
  const allowed = verdict?.allowed === true;
  const why = verdict === undefined ? "there is nothing at this path: 404" : (verdict.status?.message ?? verdict.status?.reason ?? (verdict.patch === undefined ? "nothing in its rules speaks against it" : "it answers with a JSON patch"));
  ctx.explain({ text: `webhook ${webhook} ${allowed ? (verdict?.patch === undefined ? "allows" : "changes") : "refuses"} ${request.operation} ${subject}`.slice(0, 140), why, subject, level: allowed ? "operator" : "basic" });
  const response: WebhookResponse = verdict === undefined ? { type: "webhook.response", request: ctx.mail, status: 404 }
    : { type: "webhook.response", request: ctx.mail, status: 200, body: { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: { uid: request.uid, ...verdict } satisfies AdmissionResponse } };
  ctx.send(ctx.from, response, { protocol: "HTTPS", latency: ctx.latency("webhook.review", `${ctx.now}/${webhook}`) + delayOf(pathOf(url)), verb: allowed ? "allowed" : "denied", subject, status: response.status });
}

/** The program behind admission webhooks: verdicts by the path of the URL; refuses everything while told to. */
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
      answer(ctx, message as WebhookRequest, state.denies);
      return { ...state, reviews: state.reviews + 1 };
    },
  };
}
