// Models kubernetes/pkg/registry/core/serviceaccount/storage/token.go, pod/rest/log.go and the API server's own endpoints
import { hexId } from "../../api/ids.ts";
import { newBadRequest, newNotFound, newUnknownServerError } from "../../api/status-errors.ts";
import { rfc3339, SECOND } from "../../api/time.ts";
import type { Pod } from "../../api/types.ts";
import type { Gate } from "../filters/gates.ts";
import type { Verb } from "../request-info.ts";
import type { LogsRequest } from "../messages.ts";
import { answer, refuse, type Run } from "../state.ts";
import { openApiDocument } from "../apiextensions/openapi.ts";
import { discoveredCustom } from "../apiextensions/resources.ts";
import { discoveryDocument } from "../discovery.ts";
import { authorize, rulesFor } from "../filters/authorization.ts";
import { healthBody } from "../health.ts";
import { getObject, listObjects } from "../watch-cache/lookup.ts";
import { pageNotFound } from "./read.ts";

const DEFAULT_TOKEN_SECONDS = 3_600;
const MIN_TOKEN_SECONDS = 600;

/** TokenRequest: a token bound to a Pod, signed and answered, never stored. */
export const tokenGate: Gate = {
  name: "Token",
  share: 92,
  run(run) {
    const { info, request } = run.request;
    if (getObject(run.state, "serviceaccounts", info.namespace, info.name) === undefined) return refuse(run, newNotFound({ resource: "serviceaccounts" }, info.name));
    const spec = ((request.body ?? {}) as { readonly spec?: { readonly audiences?: readonly string[]; readonly expirationSeconds?: number; readonly boundObjectRef?: unknown } }).spec ?? {};
    const seconds = Math.max(MIN_TOKEN_SECONDS, spec.expirationSeconds ?? DEFAULT_TOKEN_SECONDS);
    const audiences = spec.audiences?.length ? spec.audiences : ["https://kubernetes.default.svc.cluster.local"];
    // Simplified: upstream signs a JWT; the text here only looks like one.
    const token = `eyJhbGciOiJSUzI1NiIsImtpZCI6I.${hexId(run.config.world.seed, `token/${info.namespace}/${info.name}/${run.ctx.now}`, 96)}`;
    return answer(run, 201, { kind: "TokenRequest", apiVersion: "authentication.k8s.io/v1", metadata: { name: info.name, namespace: info.namespace, creationTimestamp: rfc3339(run.ctx.now) }, spec: { ...spec, audiences, expirationSeconds: seconds }, status: { token, expirationTimestamp: rfc3339(run.ctx.now + seconds * SECOND) } });
  },
};

/** GET pods/NAME/log: the API server asks the node's kubelet and passes on what it says. */
export const logsGate: Gate = {
  name: "Logs",
  share: 92,
  run(run) {
    const { info, request, answer: got } = run.request;
    if (got?.type === "logs.response") return answer(run, got.status, got.body);
    const pod = getObject(run.state, "pods", info.namespace, info.name) as Pod | undefined;
    if (pod === undefined) return refuse(run, newNotFound({ resource: "pods" }, info.name));
    const names = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].map((container) => container.name);
    const container = request.query?.["container"] ?? (pod.spec.containers.length === 1 ? pod.spec.containers[0]?.name : undefined);
    if (container === undefined) return refuse(run, newBadRequest(`a container name must be specified for pod ${info.name}, choose one of: [${names.join(" ")}]`));
    if (!names.includes(container)) return refuse(run, newBadRequest(`container ${container} is not valid for pod ${info.name}`));
    if (got?.type === "unreachable") {
      const address = `${nodeAddress(run)}:10250`;
      return refuse(run, newUnknownServerError(`Get "https://${address}/containerLogs/${info.namespace}/${info.name}/${container}${request.query?.["previous"] === "true" ? "?previous=true" : ""}": dial tcp ${address}: connect: connection refused`));
    }
    if ((pod.spec.nodeName ?? "") === "") return answer(run, 200, "");
    const { nodeName = "" } = pod.spec;
    const kubelet = `kubelet@${nodeName}`;
    const message = { type: "logs.request", namespace: info.namespace, name: info.name, uid: pod.metadata.uid ?? "", container, previous: request.query?.["previous"] === "true", ...(request.query?.["tailLines"] === undefined ? {} : { tailLines: Number(request.query["tailLines"]) }) } satisfies LogsRequest;
    const mail = run.ctx.send(kubelet, message, { protocol: "HTTPS", latency: run.ctx.latency("link.lan", `logs/${info.path}/${run.ctx.now}`), verb: "GET", subject: `containerLogs/${info.namespace}/${info.name}/${container}` });
    run.state.outstanding = run.state.outstanding.set(`m${mail}`, { key: run.request.key, at: run.ctx.now, message });
    run.result = "wait";
  },
};

const nodeAddress = (run: Run): string => {
  const pod = getObject(run.state, "pods", run.request.info.namespace, run.request.info.name) as Pod | undefined;
  const node = getObject(run.state, "nodes", "", pod?.spec.nodeName ?? "");
  return ((node?.status ?? {}) as { readonly addresses?: readonly { readonly type: string; readonly address: string }[] }).addresses?.find((address) => address.type === "InternalIP")?.address ?? "";
};

/** Endpoints of the server itself: discovery, OpenAPI, health, version; and access reviews. */
export const otherGate: Gate = {
  name: "Answer",
  share: 92,
  run(run) {
    const { info, request } = run.request;
    if (info.resource === "selfsubjectaccessreviews") return review(run);
    if (info.resource === "selfsubjectrulesreviews") return rulesReview(run);
    if (info.resource === "selfsubjectreviews") return whoReview(run);
    if (info.resource !== "" || info.path.startsWith("/nope")) return refuse(run, pageNotFound());
    if (info.path === "/version") return answer(run, 200, VERSION);
    const health = healthBody(info.path, request.query ?? {});
    if (health !== undefined) return answer(run, 200, health);
    if (request.method !== "GET") return refuse(run, pageNotFound());
    const custom = discoveredCustom(run.state);
    if (info.path.startsWith("/openapi/")) {
      // Simplified: of OpenAPI only custom resources are described; the documents of built-in types (1.6 MB) are not built, kubectl's knowledge of them is compiled in.
      return answer(run, 200, openApiDocument(info.path, custom));
    }
    const document = info.path.startsWith("/api") ? discoveryDocument(info.path.replace(/\/$/, ""), custom, request.headers["Accept"]?.includes("as=APIGroupDiscoveryList") === true) : undefined;
    return document === undefined ? refuse(run, pageNotFound()) : answer(run, 200, document);
  },
};

/** What /version says. */
const VERSION = { major: "1", minor: "36", emulationMajor: "1", emulationMinor: "36", minCompatibilityMajor: "1", minCompatibilityMinor: "35", gitVersion: "v1.36.2", gitCommit: "$Format:%H$", gitTreeState: "", buildDate: "1970-01-01T00:00:00Z", goVersion: "go1.26.10", compiler: "gc", platform: "linux/amd64" };

/** SelfSubjectRulesReview: every rule that holds for the user in a namespace. */
function rulesReview(run: Run): void {
  const { request, user } = run.request;
  const namespace = (request.body as { readonly spec?: { readonly namespace?: string } } | undefined)?.spec?.namespace ?? "";
  if (user === undefined) return;
  const rules = rulesFor(user, namespace, (resource, inNamespace) => listObjects(run.state, resource, inNamespace));
  const resourceRules = rules.filter(({ resources = [] }) => resources.length > 0);
  const nonResourceRules = rules.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0).map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs }));
  answer(run, 201, { kind: "SelfSubjectRulesReview", apiVersion: "authorization.k8s.io/v1", metadata: {}, spec: {}, status: { resourceRules, nonResourceRules, incomplete: false } });
}

/** SelfSubjectReview: who the server takes the user for. */
function whoReview(run: Run): void {
  const { user } = run.request;
  if (user === undefined) return;
  answer(run, 201, { kind: "SelfSubjectReview", apiVersion: "authentication.k8s.io/v1", metadata: { creationTimestamp: rfc3339(run.ctx.now) }, status: { userInfo: { username: user.name, groups: user.groups } } });
}

function review(run: Run): void {
  const { request, user } = run.request;
  const body = request.body as { readonly spec?: { readonly resourceAttributes?: Readonly<Record<string, string>>; readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string } } } | undefined;
  const path = body?.spec?.nonResourceAttributes?.path;
  const asked: Readonly<Record<string, string>> = body?.spec?.resourceAttributes ?? { verb: body?.spec?.nonResourceAttributes?.verb ?? "" };
  if (user === undefined) return;
  const info = { ...run.request.info, verb: (asked["verb"] ?? "get") as Verb, group: asked["group"] ?? "", resource: asked["resource"] ?? "", subresource: asked["subresource"] ?? "", namespace: asked["namespace"] ?? "", name: asked["name"] ?? "", ...(path === undefined ? {} : { path }) };
  const decision = authorize(user, info, (resource, namespace) => listObjects(run.state, resource, namespace), run.state.denied);
  answer(run, 201, { ...body, kind: "SelfSubjectAccessReview", apiVersion: "authorization.k8s.io/v1", metadata: {}, status: { allowed: decision.allowed, ...(decision.allowed ? { reason: `RBAC: allowed by ${decision.reason}` } : decision.problem === undefined ? {} : { evaluationError: decision.problem }) } });
}
