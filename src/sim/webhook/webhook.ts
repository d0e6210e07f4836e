// Models an admission webhook server: kubernetes/test/images/agnhost/webhook, and what faults make of it
import type { HttpResponse } from "../api/http.ts";
import { API_SERVER } from "../client-go/api-client.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { Component, Ctx, Message, NetErrorMessage } from "../kernel/types.ts";
import type { AdmissionResponse, WebhookRequest, WebhookResponse } from "./messages.ts";
import { NO_REGISTRATIONS, onRegistered, type RegisterAgain, register, registerAgain, type Registrations } from "./registration.ts";
import { delayOf, review } from "./reviews.ts";

export interface WebhookState {
  readonly registrations: Registrations;
  readonly reviews: number;
}

/** "https://hook.default.svc:443/add-label" -> "/add-label" */
const pathOf = (url: string): string => /^https?:\/\/[^/]+(\/[^?]*)/.exec(url)?.[1] ?? "/";

function answer(ctx: Ctx, { webhook, url, body }: WebhookRequest, { installed }: Registrations): void {
  const { request } = body;
  const verdict = review(pathOf(url), request, (fault, name) => String(installed[fault]?.params[name] ?? ""));
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

/** The program behind admission webhooks: verdicts by the path of the URL. */
export function createWebhook(config: { readonly machine?: string } = {}): Component<WebhookState> {
  return {
    id: "webhook",
    machine: config.machine ?? "internet",
    connections: [API_SERVER],
    init: () => ({ registrations: NO_REGISTRATIONS, reviews: 0 }),
    step(state, message: Message, ctx) {
      const { registrations } = state;
      switch (message.type) {
        case "webhook.request":
          answer(ctx, message as WebhookRequest, registrations);
          return { ...state, reviews: state.reviews + 1 };
        case "fault":
          return { ...state, registrations: register(ctx, registrations, message as FaultMessage) };
        case "webhook.register":
          return { ...state, registrations: registerAgain(ctx, registrations, message as RegisterAgain) };
        case "http.response":
          return { ...state, registrations: onRegistered(ctx, registrations, (message as HttpResponse).request, message as HttpResponse) };
        case "net.error":
          return { ...state, registrations: onRegistered(ctx, registrations, (message as NetErrorMessage).hop, undefined) };
        default:
          return state;
      }
    },
  };
}
