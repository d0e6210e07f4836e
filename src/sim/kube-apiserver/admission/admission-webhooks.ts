// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/{generic,mutating,validating,errors}: which webhooks are asked, and what their answers mean
import { base64Decode } from "../../api/base64.ts";
import type { NamedExpression } from "../../api/cel/admission.ts";
import { decodeObject } from "../../api/decode.ts";
import { applyDefaults } from "../../api/defaulting/apply-defaults.ts";
import { applyJsonPatch, type JsonPatchOperation } from "../../api/patch.ts";
import type { ApiResource } from "../../api/schema/resources.ts";
import { failure, isFailure, newBadRequest, newForbidden, newInternalError } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import type { AdmissionResponse } from "../../webhook/messages.ts";
import { hookConditions } from "./admission-bindings.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "./attributes.ts";
import { type Criteria, isExempt, matchCriteria } from "./match-criteria.ts";

interface ClientConfig {
  readonly url?: string;
  readonly service?: { readonly name: string; readonly namespace: string; readonly port?: number; readonly path?: string };
}

/** One webhook of a stored configuration. */
export interface Hook extends Criteria {
  readonly name: string;
  readonly clientConfig?: ClientConfig;
  readonly failurePolicy?: string;
  readonly timeoutSeconds?: number;
  readonly sideEffects?: string;
  readonly reinvocationPolicy?: string;
  readonly matchConditions?: readonly NamedExpression[];
}

interface Configuration extends KubeObject {
  readonly webhooks?: readonly Hook[];
}

/** A webhook with the key that no other has: "configuration/webhook/occurrence". */
export interface KeyedHook {
  readonly key: string;
  readonly hook: Hook;
}

export const DEFAULT_TIMEOUT_SECONDS = 10;

/** All webhooks of one kind of configuration: by name of the configuration, then in the order they are written. */
export function configuredHooks(resource: "mutatingwebhookconfigurations" | "validatingwebhookconfigurations", attrs: AdmissionAttributes): readonly KeyedHook[] {
  if (isExempt(attrs)) return [];
  const configurations = attrs.list(resource, "") as readonly Configuration[];
  if (configurations.length === 0) return [];
  const sorted = [...configurations].sort((a, b) => ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1));
  return sorted.flatMap(({ metadata, webhooks = [] }) => webhooks.map((hook, i) => ({ key: `${metadata.name ?? ""}/${hook.name}/${i}`, hook })));
}

/** ShouldCallHook: the resource under which it matched, a refusal, or undefined when the webhook is not concerned. */
export function shouldCall(hook: Hook, object: KubeObject | undefined, attrs: AdmissionAttributes): { readonly matched: ApiResource | undefined } | Status | undefined {
  const match = matchCriteria({ ...hook, rules: hook.rules ?? [] }, object, attrs);
  if (match === undefined || "kind" in match) return match;
  const conditions = hookConditions(hook.matchConditions ?? [], object, attrs, match.resource, hook.failurePolicy ?? "Fail");
  if ("error" in conditions) return newForbidden({ group: attrs.group, resource: attrs.resource }, attrs.name || object?.metadata.name || "", conditions.error);
  if (!conditions.matches) return undefined;
  if (attrs.dryRun && hook.sideEffects !== "None" && hook.sideEffects !== "NoneOnDryRun") return newBadRequest(`admission webhook ${JSON.stringify(hook.name)} does not support dry run`);
  return { matched: match.resource };
}

/** The address as errors print it: the Service's DNS name, or the URL. */
export function urlOf({ clientConfig }: Hook): string {
  const { url, service } = clientConfig ?? {};
  return url ?? `https://${service?.name ?? ""}.${service?.namespace ?? ""}.svc:${service?.port ?? 443}${service?.path ?? ""}`;
}

/** ErrCallingWebhook as the client sees it: a failure of the call, not a verdict. */
export const callFailure = (hook: Hook, reason: string): Status => newInternalError(`failed calling webhook ${JSON.stringify(hook.name)}: ${reason}`);

/** The words of a connection that failed. */
export const postError = (hook: Hook, reason: string): string => `failed to call webhook: Post "${urlOf(hook)}?timeout=${hook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS}s": ${reason}`;

/** ToStatusErr: a refusal, with the webhook's own words. */
export function denial(hook: Hook, { status = {} }: AdmissionResponse): Status {
  const head = `admission webhook ${JSON.stringify(hook.name)} denied the request`;
  const text = status.message || status.reason;
  return failure(Math.max(status.code ?? 0, 400), status.reason ?? "", text ? `${head}: ${text}` : `${head} without explanation`);
}

/** The object after the JSON patch of a mutating webhook, defaulted again; or the refusal. */
export function patchedByHook(hook: Hook, object: KubeObject | undefined, response: AdmissionResponse): KubeObject | Status | undefined {
  if ((response.patch ?? "") === "") return object;
  let operations: readonly JsonPatchOperation[];
  try {
    operations = JSON.parse(base64Decode(response.patch ?? "")) as readonly JsonPatchOperation[];
  } catch {
    return callFailure(hook, "received undecodable patch in webhook response: invalid JSON Document");
  }
  if (operations.length === 0) return object;
  if (object === undefined) return newInternalError(`admission webhook ${JSON.stringify(hook.name)} attempted to modify the object, which is not supported for this operation`);
  const applied = applyJsonPatch(object, operations);
  if (typeof applied === "string") return newInternalError(applied);
  const decoded = decodeObject(applied.value as KubeObject, { fieldValidation: "Ignore" });
  return decoded.object === undefined ? newInternalError(decoded.error) : applyDefaults(decoded.object);
}

export const isRefusal = (value: object | undefined): value is Status => isFailure(value);

const hooked = (name: string): AdmissionPlugin => ({ name, handles: () => false });

/** Asked by the request pipeline one after another (storage/mutating-webhooks.ts): each is a call over the network. */
export const mutatingAdmissionWebhook = hooked("MutatingAdmissionWebhook");
/** Asked by the request pipeline all at once (storage/validating-webhooks.ts). */
export const validatingAdmissionWebhook = hooked("ValidatingAdmissionWebhook");
