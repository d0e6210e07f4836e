import { newUnknownServerError, failure } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import { type Gate, tell, tellRefusal } from "../filters/gates.ts";
import { refuse, type Run, type Webhook, withoutAnswer } from "../state.ts";
import { listObjects } from "../watch-cache/lookup.ts";

export function runMutatingAdmission(_run: Run): Status | undefined {
  return undefined;
}

const WEBHOOK = "webhook";

interface Rule {
  readonly operations?: readonly string[];
  readonly resources?: readonly string[];
}
interface WebhookConfiguration {
  readonly webhooks?: readonly {
    readonly name: string;
    readonly rules?: readonly Rule[];
    readonly failurePolicy?: "Fail" | "Ignore";
    readonly timeoutSeconds?: number;
    readonly clientConfig?: { readonly url?: string; readonly service?: { readonly name: string; readonly namespace: string; readonly port?: number; readonly path?: string } };
  }[];
}

/** Webhooks in force: those of faults, and of every ValidatingWebhookConfiguration. */
function webhooksOf(run: Run): readonly Webhook[] {
  const configured = listObjects(run.state, "validatingwebhookconfigurations").flatMap((object) =>
    ((object as unknown as WebhookConfiguration).webhooks ?? []).map((webhook): Webhook => {
      const service = webhook.clientConfig?.service;
      return {
        name: webhook.name,
        url: webhook.clientConfig?.url ?? `https://${service?.name ?? ""}.${service?.namespace ?? ""}.svc:${service?.port ?? 443}${service?.path ?? ""}`,
        failurePolicy: webhook.failurePolicy ?? "Fail",
        timeoutSeconds: webhook.timeoutSeconds ?? 10,
        resources: (webhook.rules ?? []).flatMap((rule) => rule.resources ?? []),
        operations: (webhook.rules ?? []).flatMap((rule) => rule.operations ?? []),
      };
    }),
  );
  return [...run.state.webhooks, ...configured];
}

/** The next webhook that wants to see this request. */
function nextWebhook(run: Run): Webhook | undefined {
  const { info, existing, passed } = run.request;
  if (run.state.webhooks.length === 0 && (run.state.caches.get("/registry/validatingwebhookconfigurations")?.objects.size ?? 0) === 0) return undefined;
  if (info.resource.endsWith("webhookconfigurations")) return undefined;
  const operation = existing === undefined ? "CREATE" : "UPDATE";
  const resource = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
  return webhooksOf(run).find((webhook) => !passed.includes(webhook.name) && (webhook.operations.includes("*") || webhook.operations.includes(operation)) && (webhook.resources.includes("*") || webhook.resources.includes(resource)));
}

/** Built-in validating plugins, then webhooks one after another, each in a call of its own. */
export function runWebhooks(run: Run): void {
  const { answer: got } = run.request;
  const webhook = nextWebhook(run);
  if (webhook === undefined) return;
  if (got === undefined) return callWebhook(run, webhook);
  run.request = withoutAnswer({ ...run.request, passed: [...run.request.passed, webhook.name] });
  const status = judge(webhook, got);
  if (status !== undefined) {
    tellRefusal(run, "ValidatingAdmissionWebhook", `refuses: ${status.message ?? ""}`);
    return refuse(run, status);
  }
  tell(run, "ValidatingAdmissionWebhook", `hears from webhook ${webhook.name} that it may go on`, "a webhook is a program of the cluster's owner", "basic");
  runWebhooks(run);
}

function judge(webhook: Webhook, got: NonNullable<Run["request"]["answer"]>): Status | undefined {
  if (got.type === "webhook.response") {
    if (got.allowed) return undefined;
    return failure(got.code, "", `admission webhook ${JSON.stringify(webhook.name)} denied the request${got.message === "" ? " without explanation" : `: ${got.message}`}`);
  }
  if (webhook.failurePolicy === "Ignore") return undefined;
  if (got.type !== "unreachable") return newUnknownServerError("unexpected answer");
  const text = `Internal error occurred: failed calling webhook ${JSON.stringify(webhook.name)}: failed to call webhook: Post "${webhook.url}?timeout=${webhook.timeoutSeconds}s": ${got.message}`;
  return failure(500, "InternalError", text, { causes: [{ message: text.slice("Internal error occurred: ".length) }] });
}

function callWebhook(run: Run, webhook: Webhook): void {
  const { ctx, request } = run;
  const { info, object, existing } = request;
  if (object === undefined) return;
  const message = { type: "webhook.request", webhook: webhook.name, url: webhook.url, operation: existing === undefined ? "CREATE" : "UPDATE", resource: info.resource, object: object as KubeObject, ...(webhook.policy === undefined ? {} : { policy: webhook.policy }) } as const;
  const mail = ctx.send(WEBHOOK, message, { protocol: "HTTPS", latency: ctx.latency("link.lan", `webhook/${info.path}/${ctx.now}`), verb: "POST", subject: webhook.name, level: request.teach === "write" ? "basic" : "operator" });
  ctx.after(webhook.timeoutSeconds * 1_000_000, { type: "apiserver.webhook-timeout", mail });
  run.state = { ...run.state, outstanding: run.state.outstanding.set(`m${mail}`, { key: request.key, at: ctx.now, message }) };
  tell(run, "ValidatingAdmissionWebhook", `asks webhook ${webhook.name}`, `timeout ${webhook.timeoutSeconds} s, failurePolicy ${webhook.failurePolicy}`, "basic");
  run.result = "wait";
}

export const validatingGate: Gate = {
  name: "ValidatingAdmission",
  share: 0,
  run(run) {
    runWebhooks(run);
  },
};
