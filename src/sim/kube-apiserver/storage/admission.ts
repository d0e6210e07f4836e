// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/{chain,plugin/webhook}
import { etcdKey, resourceForKind } from "../../api/schema/resources.ts";
import { failure, isFailure, newUnknownServerError } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import type { AdmissionAttributes, Operation } from "../admission/attributes.ts";
import { mutatingPlugins, validateAdmission } from "../admission/registry.ts";
import { checkQuotas, resourceQuota } from "../admission/resource-quota.ts";
import { type Gate, tell, tellRefusal } from "../filters/gates.ts";
import { objectSubject, refuse, type Run, sendEtcd, type Webhook } from "../state.ts";
import { getObject, listObjects } from "../watch-cache/lookup.ts";
import { nextDraw } from "./metadata.ts";

/** What plugins may know of this request; lookups read the server's own caches. */
export function attributesOf(run: Run, operation: Operation): AdmissionAttributes {
  const { info, user, existing, object, request } = run.request;
  const identity = `${info.resource}/${info.namespace}/${object?.metadata.name ?? object?.metadata.generateName ?? info.name}`;
  let draw = -1;
  return {
    operation, group: info.group, resource: info.resource, subresource: info.subresource, namespace: info.resource === "namespaces" ? "" : info.namespace, name: info.name,
    ...(existing === undefined ? {} : { oldObject: existing }),
    user: { name: user?.name ?? "", groups: user?.groups ?? [] },
    dryRun: request.query?.["dryRun"] === "All",
    lookup: (resource, namespace, name) => getObject(run.state, resource, namespace, name),
    list: (resource, namespace) => listObjects(run.state, resource, namespace),
    rand(purpose, n) {
      if (draw < 0) draw = nextDraw(run, `admission/${identity}`);
      return run.ctx.rand(`admission/${purpose}/${identity}/${draw}`, n);
    },
  };
}

const operationOf = (run: Run): Operation => (run.request.existing === undefined ? "CREATE" : "UPDATE");

/** Mutating plugins one after another; each change is shown with before and after. The refusal, if one refuses. */
export function runMutatingAdmission(run: Run): Status | undefined {
  const { object } = run.request;
  if (object === undefined || run.request.info.subresource === "binding") return undefined;
  const attrs = attributesOf(run, operationOf(run));
  let current = object;
  const changed: string[] = [];
  for (const plugin of mutatingPlugins(attrs)) {
    const next = plugin.admit?.(current, attrs) ?? current;
    if (isFailure(next)) return next;
    if (next !== current) {
      changed.push(plugin.name);
      tell(run, plugin.name, `lets admission plugin ${plugin.name} change the object`, "built into the API server; a mutating webhook would come after these", "operator", { outcome: "changed", before: current, after: next });
    }
    current = next as KubeObject;
  }
  run.request.object = current;
  const text = changed.length === 0 ? "passes mutating admission unchanged" : `completes the object in mutating admission: ${changed.join(", ")}`;
  tell(run, "MutatingAdmission", text.slice(0, 126), "what plugins add was never in the manifest", "basic", { outcome: changed.length === 0 ? "passed" : "changed", before: object, after: current });
  return undefined;
}

/** Validating plugins; quotas are charged when everything else has passed. */
function runValidatingPlugins(run: Run): Status | undefined {
  const { object, info, request } = run.request;
  if (object === undefined || info.subresource === "binding") return undefined;
  const attrs = attributesOf(run, operationOf(run));
  const refusal = validateAdmission(object, attrs);
  if (refusal !== undefined || request.query?.["dryRun"] === "All" || !resourceQuota.handles(attrs)) return refusal;
  const charged = checkQuotas(object, attrs);
  const api = resourceForKind("v1", "ResourceQuota");
  if (isFailure(charged as object) || api === undefined) return undefined;
  // Simplified: upstream waits for the quota's compare-and-swap and tries again on a conflict; here it is sent and not waited for.
  for (const quota of charged as readonly KubeObject[]) {
    run.state = sendEtcd(run.ctx, run.state, "quota", { type: "etcd.txn.request", key: etcdKey(api, quota.metadata.namespace, quota.metadata.name ?? ""), modRevision: Number(quota.metadata.resourceVersion), value: quota, subject: objectSubject(api, quota), level: "operator" }, "operator");
  }
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
  run.request.passed = [...run.request.passed, webhook.name];
  run.request.answer = undefined;
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
  run.state.outstanding = run.state.outstanding.set(`m${mail}`, { key: request.key, at: ctx.now, message });
  tell(run, "ValidatingAdmissionWebhook", `asks webhook ${webhook.name}`, `timeout ${webhook.timeoutSeconds} s, failurePolicy ${webhook.failurePolicy}`, "basic");
  run.result = "wait";
}

export const validatingGate: Gate = {
  name: "ValidatingAdmission",
  share: 0,
  run(run) {
    if (run.request.answer === undefined && run.request.passed.length === 0) {
      const status = runValidatingPlugins(run);
      if (status !== undefined) {
        tellRefusal(run, "ValidatingAdmission", `refuses: ${status.message ?? ""}`);
        return refuse(run, status);
      }
      tell(run, "ValidatingAdmission", "passes validating admission", "policies, webhooks and quotas have the last word; none objects", "operator");
    }
    runWebhooks(run);
  },
};
