// Models how admission webhooks come into force: their installer writes a configuration, and removes it again
import type { HttpResponse } from "../api/http.ts";
import type { KubeObject } from "../api/types.ts";
import { type ApiClient, apiRequest } from "../client-go/api-client.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { Ctx, MailId, Micros } from "../kernel/types.ts";

const CLIENT: ApiClient = { userAgent: "webhook-installer/v1", credential: { kind: "client-certificate", name: "webhook-installer", groups: ["system:masters"] } };
const RETRY: Micros = 5_000_000;
const API = "/apis/admissionregistration.k8s.io/v1";

export interface Installed {
  readonly params: FaultMessage["params"];
  /** False once its configuration is to go. */
  readonly wanted: boolean;
}

/** What is installed, by the fault that asked for it, and the requests under way. */
export interface Registrations {
  readonly installed: Readonly<Record<string, Installed>>;
  readonly asked: Readonly<Record<string, string>>;
}

export const NO_REGISTRATIONS: Registrations = { installed: {}, asked: {} };

/** Simplified: upstream's webhooks run behind a Service in the cluster; this one answers at a public name. */
const urlOf = (path: string): string => `https://webhook.example.com${path}`;
const PODS = [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], scope: "*" }];

interface Plan {
  readonly path: string;
  readonly mutating?: true;
}

/** Where each fault's webhook answers. */
const PLANS: Readonly<Record<string, Plan>> = {
  "admission.webhook-denies": { path: "/deny" },
  "admission.webhook-timeout": { path: "/hang" },
  "admission.webhook-injects-sidecar": { path: "/inject-sidecar", mutating: true },
};

function configurationOf(id: string, params: Installed["params"]): { readonly collection: string; readonly object: KubeObject } | undefined {
  const plan = PLANS[id];
  if (plan === undefined) return undefined;
  const name = String(params["name"] || "check.example.com");
  const kind = plan.mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
  const webhook = { name, clientConfig: { url: urlOf(plan.path) }, rules: PODS, sideEffects: "None", admissionReviewVersions: ["v1"], failurePolicy: String(params["failurePolicy"] ?? "Fail"), timeoutSeconds: Number(params["timeoutSeconds"] ?? 10) };
  return { collection: `${API}/${kind.toLowerCase()}s`, object: { apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name }, webhooks: [webhook] } as unknown as KubeObject };
}

function ask(ctx: Ctx, state: Registrations, id: string): Registrations {
  const entry = state.installed[id];
  const configuration = entry && configurationOf(id, entry.params);
  if (entry === undefined || configuration === undefined) return state;
  const { collection, object } = configuration;
  const subject = `${object.kind.toLowerCase()}/${object.metadata.name ?? ""}`;
  const mail = apiRequest(ctx, CLIENT, entry.wanted ? { method: "POST", path: collection, body: object, subject } : { method: "DELETE", path: `${collection}/${object.metadata.name ?? ""}`, subject });
  ctx.explain({ text: `The webhook's installer ${entry.wanted ? "registers" : "removes"} ${subject}`, why: "only a stored configuration makes the API server ask a webhook", subject, level: "operator" });
  return { ...state, asked: { ...state.asked, [`m${mail}`]: id } };
}

/** Puts a fault's webhook into force, or out of it. */
export function register(ctx: Ctx, state: Registrations, { id, on, params }: FaultMessage): Registrations {
  return PLANS[id] === undefined ? state : ask(ctx, { ...state, installed: { ...state.installed, [id]: { params, wanted: on } } }, id);
}

export interface RegisterAgain {
  readonly type: "webhook.register";
  readonly id: string;
}

export const registerAgain = (ctx: Ctx, state: Registrations, { id }: RegisterAgain): Registrations => ask(ctx, state, id);

/** The server's answer, or that it was not reached. */
export function onRegistered(ctx: Ctx, state: Registrations, request: MailId, answer: HttpResponse | undefined): Registrations {
  const key = `m${request}`;
  const id = state.asked[key];
  if (id === undefined) return state;
  const { [key]: _, ...asked } = state.asked;
  // Somebody else may have made it, or removed it.
  const done = answer !== undefined && (answer.status < 300 || answer.status === 409 || answer.status === 404);
  if (!done) ctx.after(RETRY, { type: "webhook.register", id } satisfies RegisterAgain);
  return { ...state, asked };
}
