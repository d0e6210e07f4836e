// Models kubernetes/staging/src/k8s.io/apiserver/pkg/util/{webhook/client.go,proxy/proxy.go}: the call of one webhook
import { hexId } from "../../api/ids.ts";
import type { ApiResource } from "../../api/schema/resources.ts";
import { netIPFamily } from "../../api/ip.ts";
import type { KubeObject, Pod, Service } from "../../api/types.ts";
import type { AdmissionRequest, WebhookRequest } from "../../webhook/messages.ts";
import { admissionRequest, versioned } from "../admission/admission-bindings.ts";
import { DEFAULT_TIMEOUT_SECONDS, type Hook, type KeyedHook, urlOf } from "../admission/admission-webhooks.ts";
import type { AdmissionAttributes } from "../admission/attributes.ts";
import { tell } from "../filters/gates.ts";
import type { BackendAnswer, HookCall, Run } from "../state.ts";
import { getObject, listObjects } from "../watch-cache/lookup.ts";

/** The simulated program, and the name under which it is reached from everywhere. */
const PROGRAM = "webhook";
const PROGRAM_HOST = "webhook.example.com";
const SECOND = 1_000_000;

/** Where a call ends: at the program, at a closed door after a round trip, or before it leaves. */
type Route = { readonly to: "program"; readonly address: string } | { readonly to: "nowhere"; readonly reason: string; readonly dialled: boolean };

const refusedAt = (address: string): Route => ({ to: "nowhere", reason: `dial tcp ${address}: connect: connection refused`, dialled: true });

function hostRoute(host: string, port: string): Route {
  if (host === PROGRAM_HOST) return { to: "program", address: `${host}:${port}` };
  if (netIPFamily(host) !== 0 || host === "localhost") return refusedAt(`${host === "localhost" ? "127.0.0.1" : host}:${port}`);
  return { to: "nowhere", reason: `dial tcp: lookup ${host}: no such host`, dialled: true };
}

interface Slice extends KubeObject {
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean }; readonly targetRef?: { readonly kind?: string; readonly name?: string } }[];
}

/** Whether the Pod's program answers AdmissionReviews: agnhost started as "webhook". */
const reviews = (pod: Pod): boolean => pod.spec.containers.some((c) => /(^|\/)agnhost(:|@|$)/.test(c.image ?? "") && [...(c.command ?? []), ...(c.args ?? [])].includes("webhook"));

/**
 * A Service's address, as kube-proxy's rules would lead there.
 * Simplified: the connection itself is not made; what is behind the address is read from EndpointSlices and Pods. A Pod that declares the port but is no webhook speaks plain HTTP.
 */
function serviceRoute(run: Run, hook: Hook): Route {
  const { name = "", namespace = "", port = 443 } = hook.clientConfig?.service ?? {};
  const lost = (reason: string): Route => ({ to: "nowhere", reason, dialled: false });
  const service = getObject(run.state, "services", namespace, name) as Service | undefined;
  if (service === undefined) return lost(`service ${JSON.stringify(name)} not found`);
  const { type = "ClusterIP", clusterIP = "", ports = [], externalName = "" } = service.spec as Service["spec"] & { readonly externalName?: string };
  if (type === "ExternalName") return hostRoute(externalName, `${port}`);
  if (clusterIP === "None") return lost('cannot route to service with ClusterIP "None"');
  const found = ports.find((candidate) => candidate.port === port);
  if (found === undefined) return lost(`no service port ${port} found for service ${JSON.stringify(name)}`);
  const address = `${clusterIP}:${port}`;
  const slices = listObjects(run.state, "endpointslices", namespace).filter((slice) => slice.metadata.labels?.["kubernetes.io/service-name"] === name) as readonly Slice[];
  for (const slice of slices) {
    const target = slice.ports?.find((candidate) => (candidate.name ?? "") === (found.name ?? ""))?.port;
    const ready = slice.endpoints?.find((endpoint) => endpoint.conditions?.ready !== false);
    if (target === undefined || ready === undefined) continue;
    const pod = getObject(run.state, "pods", namespace, ready.targetRef?.name ?? "") as Pod | undefined;
    if (pod !== undefined && reviews(pod)) return { to: "program", address };
    const listens = pod?.spec.containers.some((c) => c.ports?.some((declared) => declared.containerPort === target)) === true;
    return listens ? { to: "nowhere", reason: "http: server gave HTTP response to HTTPS client", dialled: true } : refusedAt(address);
  }
  return refusedAt(address);
}

function routeOf(run: Run, hook: Hook): Route {
  if (hook.clientConfig?.service !== undefined) return serviceRoute(run, hook);
  const [, host = "", port = "443"] = /^https?:\/\/(\[[^\]]*\]|[^/:?]+)(?::(\d+))?/.exec(urlOf(hook)) ?? [];
  return hostRoute(host, port);
}

function reviewOf(run: Run, attrs: AdmissionAttributes, matched: ApiResource | undefined): AdmissionRequest {
  const { info, object, existing } = run.request;
  const deleting = attrs.operation === "DELETE";
  const named = attrs.name || object?.metadata.name || "";
  return {
    ...(admissionRequest({ ...attrs, name: named }, matched) as Omit<AdmissionRequest, "uid" | "object" | "oldObject">),
    uid: hexId(run.config.world.seed, `review/${info.path}/${run.ctx.now}`, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5"),
    object: deleting ? null : versioned(object, matched), oldObject: versioned(existing, matched),
  };
}

/** Posts the AdmissionReview and starts the clock. The call's id is that of the mail which will answer it. */
export function callHook(run: Run, plugin: string, { key, hook }: KeyedHook, attrs: AdmissionAttributes, matched: ApiResource | undefined): HookCall {
  const { ctx, request } = run;
  const timeout = (hook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * SECOND;
  const route = routeOf(run, hook);
  tell(run, plugin, `asks webhook ${hook.name}`.slice(0, 126), `POST ${urlOf(hook)}: timeout ${hook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS} s, failurePolicy ${hook.failurePolicy ?? "Fail"}`, "basic");
  const latency = ctx.latency("link.lan", `webhook/${key}/${request.info.path}/${ctx.now}`);
  const message = { type: "webhook.request", webhook: hook.name, url: urlOf(hook), body: { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: reviewOf(run, attrs, matched) } } satisfies WebhookRequest;
  if (route.to === "nowhere") {
    const id = `w${ctx.mail}/${key}`;
    run.state.outstanding = run.state.outstanding.set(id, { key: request.key, at: ctx.now, message });
    const timer = ctx.after(route.dialled ? Math.min(2 * latency, timeout) : 0, { type: "apiserver.webhook-failed", call: id, reason: route.reason });
    return { id, key, hook, timer, address: "" };
  }
  const mail = ctx.send(PROGRAM, message, { protocol: "HTTPS", latency, verb: "POST", subject: hook.name, level: request.teach === "write" ? "basic" : "operator" });
  const timer = ctx.after(timeout, { type: "apiserver.webhook-failed", call: `m${mail}`, reason: "context deadline exceeded" });
  run.state.outstanding = run.state.outstanding.set(`m${mail}`, { key: request.key, at: ctx.now, message });
  return { id: `m${mail}`, key, hook, timer, address: route.address };
}

/** Why no verdict came, in Go's words. */
export function unreachableReason(call: HookCall, answer: BackendAnswer): string {
  const reason = "message" in answer ? answer.message : "unexpected answer";
  return reason.replace(/^dial tcp:/, `dial tcp ${call.address}:`);
}
