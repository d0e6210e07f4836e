// The API server with etcd and a webhook program, driven over HTTP: policies, webhooks, quotas.
import { describe, expect, test } from "vitest";
import type { HttpRequest, HttpResponse } from "../api/http.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import type { World } from "../api/world.ts";
import { createEtcdMember } from "../etcd/member.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { Component, Input, Message } from "../kernel/types.ts";
import { LATENCIES } from "../latencies/registry.ts";
import { createWebhook } from "../webhook/webhook.ts";
import { createApiServer } from "./server.ts";

const IDS = ["etcd-0", "etcd-1", "etcd-2"];
const T = 1_000_000;
const PODS = "/api/v1/namespaces/default/pods";
type Call = Partial<HttpRequest> & { readonly path: string };
type Answer = HttpResponse & { readonly took: number; readonly path: string };

const settled = (object: KubeObject): KubeObject => ({ ...object, metadata: { uid: `uid-${object.metadata.name}`, resourceVersion: "100", creationTimestamp: "2025-12-01T00:00:00Z", ...object.metadata } });
const worldOf = (objects: readonly KubeObject[]): World => ({
  name: "t", seed: 1, resourceVersion: "100", nodes: [{ name: "n1", podCIDR: "10.244.1.0/24", address: "10.0.0.11", index: 0 }], watches: [], clusterDomain: "cluster.local", serviceCIDR: "10.96.0.0/12", podCIDR: "10.244.0.0/16", dnsServiceIP: "10.96.0.10",
  objects: [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "default", labels: { team: "a" } }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: "default" } }, ...objects,
  ].map(settled),
});

const client: Component<{ readonly answers: readonly Answer[]; readonly asked: Readonly<Record<string, { readonly at: number; readonly path: string }>> }> = {
  id: "client", machine: "m", init: () => ({ answers: [], asked: {} }),
  step(state, message, ctx) {
    if (message.type === "call") {
      const { call } = message as Message & { call: Call };
      const headers = { Accept: "application/json", "User-Agent": "kubectl/1", ...(call.method === "PATCH" ? { "Content-Type": "application/strategic-merge-patch+json" } : {}) };
      const id = ctx.send("kube-apiserver", { method: "POST", headers, credential: { kind: "client-certificate", name: "admin", groups: ["system:masters"] }, ...call, type: "http.request" } as HttpRequest, { protocol: "HTTPS", latency: 0, verb: "x" });
      return { ...state, asked: { ...state.asked, [`m${id}`]: { at: ctx.now, path: call.path } } };
    }
    if (message.type !== "http.response") return state;
    const asked = state.asked[`m${(message as HttpResponse).request}`];
    return { ...state, answers: [...state.answers, { ...(message as HttpResponse), took: ctx.now - (asked?.at ?? 0), path: asked?.path ?? "" }] };
  },
};

/** Calls at their seconds; answers in order of arrival. */
function run(objects: readonly KubeObject[], calls: readonly (readonly [at: number, call: Call])[], until = 40): { readonly answers: readonly Answer[]; readonly sim: Simulation } {
  const world = worldOf(objects);
  const inputs = calls.map(([at, call]): Input => ({ at: Math.round(at * T), type: "op", call }) as Input);
  const sim = Simulation.create({
    seed: 1, profile: "quiet", latencies: LATENCIES,
    components: [client, createApiServer({ world }), createWebhook(), ...IDS.map((id) => createEtcdMember({ world, id, peers: IDS }))],
    resolve: (input) => [{ type: "deliver", to: "client", message: { type: "call", call: (input as Input & { readonly call: Call }).call } as Message, verb: "call" }],
  }, inputs);
  sim.run(until * T);
  return { answers: (sim.stateAt("client", sim.now) as { readonly answers: readonly Answer[] }).answers, sim };
}

const pod = (name: string, image = "nginx:1.27", extra: object = {}): object => ({ apiVersion: "v1", kind: "Pod", metadata: { name, ...extra }, spec: { containers: [{ name: "c", image }] } });
const create = (name: string, image?: string, extra?: object): Call => ({ path: PODS, body: pod(name, image, extra) });
const message = (answer: Answer | undefined): string | undefined => (answer?.body as { readonly message?: string } | undefined)?.message;
const registration = (kind: string, name: string, rest: object): KubeObject => ({ apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name }, ...rest }) as KubeObject;
const PODS_RULE = { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], scope: "*" };

describe("ValidatingAdmissionPolicy", () => {
  const policy = registration("ValidatingAdmissionPolicy", "no-latest", {
    spec: {
      failurePolicy: "Fail", matchConstraints: { resourceRules: [PODS_RULE], matchPolicy: "Equivalent" },
      variables: [{ name: "images", expression: "object.spec.containers.map(c, c.image)" }],
      validations: [{ expression: "variables.images.all(i, !i.endsWith(':latest'))", message: "latest tag is not allowed" }, { expression: "object.metadata.name != 'bad'", messageExpression: "'name ' + object.metadata.name + ' is bad'", reason: "Forbidden" }],
      matchConditions: [{ name: "not-exempt", expression: "!has(object.metadata.labels) || !('exempt' in object.metadata.labels)" }],
    },
  });
  const binding = (actions: readonly string[], rest: object = {}): KubeObject => registration("ValidatingAdmissionPolicyBinding", "no-latest", { spec: { policyName: "no-latest", validationActions: actions, ...rest } });

  test("denies with upstream's words, and leaves alone what it does not match", () => {
    const { answers } = run([policy, binding(["Deny"])], [[1, create("ok", "nginx:latest")], [2, create("bad")], [3, create("fine")], [4, create("free", "nginx:latest", { labels: { exempt: "" } })]]);
    expect(answers.map((a) => a.status)).toEqual([422, 403, 201, 201]);
    expect(message(answers[0])).toBe(`pods "ok" is forbidden: ValidatingAdmissionPolicy 'no-latest' with binding 'no-latest' denied request: latest tag is not allowed`);
    expect(answers[0]?.body).toMatchObject({ reason: "Invalid", details: { name: "ok", kind: "pods", causes: [{ message: "ValidatingAdmissionPolicy 'no-latest' with binding 'no-latest' denied request: latest tag is not allowed" }] } });
    expect(message(answers[1])).toBe(`pods "bad" is forbidden: ValidatingAdmissionPolicy 'no-latest' with binding 'no-latest' denied request: name bad is bad`);
  });

  test("warns", () => {
    const { answers } = run([policy, binding(["Warn", "Audit"])], [[1, create("ok", "nginx:latest")]]);
    expect(answers[0]).toMatchObject({ status: 201, headers: { Warning: "Validation failed for ValidatingAdmissionPolicy 'no-latest' with binding 'no-latest': latest tag is not allowed" } });
  });

  test("without a binding nothing happens; a binding narrows; a missing parameter denies if told to", () => {
    expect(run([policy], [[1, create("ok", "nginx:latest")]]).answers[0]?.status).toBe(201);
    expect(run([policy, binding(["Deny"], { matchResources: { namespaceSelector: { matchLabels: { team: "b" } } } })], [[1, create("ok", "nginx:latest")]]).answers[0]?.status).toBe(201);
    const limits = registration("ValidatingAdmissionPolicy", "limits", { spec: { failurePolicy: "Fail", paramKind: { apiVersion: "v1", kind: "ConfigMap" }, matchConstraints: { resourceRules: [PODS_RULE] }, validations: [{ expression: "object.spec.containers.size() <= int(params.data.max)" }] } });
    const bound = (name: string): KubeObject => registration("ValidatingAdmissionPolicyBinding", "limits", { spec: { policyName: "limits", validationActions: ["Deny"], paramRef: { name, namespace: "default", parameterNotFoundAction: "Deny" } } });
    const none = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "none", namespace: "default" }, data: { max: "0" } } as KubeObject;
    expect(message(run([limits, bound("nope")], [[1, create("a")]]).answers[0])).toContain("denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction");
    expect(message(run([limits, bound("none"), none], [[1, create("a")]]).answers[0])).toContain("denied request: failed expression: object.spec.containers.size() <= int(params.data.max)");
  });
});

describe("MutatingAdmissionPolicy", () => {
  const policy = (name: string, mutations: readonly object[], rest: object = {}): KubeObject[] => [
    registration("MutatingAdmissionPolicy", name, { spec: { failurePolicy: "Fail", reinvocationPolicy: "Never", matchConstraints: { resourceRules: [PODS_RULE] }, mutations, ...rest } }),
    registration("MutatingAdmissionPolicyBinding", name, { spec: { policyName: name } }),
  ];

  test("applies configurations and JSON patches; the last sees what came before", () => {
    const objects = [
      ...policy("a", [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: `Object{ metadata: Object.metadata{ labels: {"from": "a"} }, spec: Object.spec{ containers: object.spec.containers.map(c, Object.spec.containers{ name: c.name, imagePullPolicy: "Always" }) } }` } }]),
      ...policy("b", [{ patchType: "JSONPatch", jsonPatch: { expression: `[JSONPatch{op: "add", path: "/metadata/labels/seen", value: object.metadata.labels["from"]}]` } }]),
    ];
    const { answers } = run(objects, [[1, create("p")]]);
    expect(answers[0]).toMatchObject({ status: 201, body: { metadata: { labels: { from: "a", seen: "a" } }, spec: { containers: [{ name: "c", image: "nginx:1.27", imagePullPolicy: "Always" }] } } });
  });

  test("is asked again when another changed the object after it", () => {
    const objects = [
      ...policy("a", [{ patchType: "JSONPatch", jsonPatch: { expression: `has(object.metadata.annotations) && "x" in object.metadata.annotations ? [JSONPatch{op: "add", path: "/metadata/annotations/y", value: "2"}] : []` } }], { reinvocationPolicy: "IfNeeded" }),
      ...policy("b", [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: `Object{ metadata: Object.metadata{ annotations: {"x": "1"} } }` } }]),
    ];
    expect(run(objects, [[1, create("p")]]).answers[0]).toMatchObject({ status: 201, body: { metadata: { annotations: { x: "1", y: "2" } } } });
  });

  test("an error denies", () => {
    const { answers } = run(policy("a", [{ patchType: "JSONPatch", jsonPatch: { expression: `[JSONPatch{op: "remove", path: "/metadata/nope"}]` } }]), [[1, create("p")]]);
    expect(message(answers[0])).toMatch(/^policy 'a' with binding 'a' denied request: JSON Patch: /);
  });
});

describe("webhooks", () => {
  const url = (path: string): object => ({ url: `https://webhook.example.com${path}` });
  const hook = (name: string, clientConfig: object, rest: object = {}): object => ({ name, clientConfig, rules: [PODS_RULE], failurePolicy: "Fail", matchPolicy: "Equivalent", sideEffects: "None", timeoutSeconds: 2, admissionReviewVersions: ["v1"], ...rest });
  const mutating = (name: string, ...webhooks: readonly object[]): KubeObject => registration("MutatingWebhookConfiguration", name, { webhooks });
  const validating = (...webhooks: readonly object[]): KubeObject => registration("ValidatingWebhookConfiguration", "check", { webhooks });

  test("mutating ones one after another, and again if needed", () => {
    // A policy-like order: "b" adds the label that "a" would have replaced, so "a" is asked twice.
    const objects = [mutating("a", hook("pods.example.com", url("/mutating-pods"), { reinvocationPolicy: "IfNeeded" })), mutating("b", hook("label.example.com", url("/add-label")))];
    const { answers, sim } = run(objects, [[1, create("webhook-to-be-mutated")]]);
    const body = answers[0]?.body as Pod;
    expect(answers[0]?.status).toBe(201);
    expect(body.metadata.labels).toEqual({ "added-label": "yes" });
    expect(body.spec.initContainers).toMatchObject([{ name: "webhook-added-init-container", image: "webhook-added-image", imagePullPolicy: "Always" }]);
    expect(sim.trace.payloads.filter((p) => (p as { readonly type?: string } | undefined)?.type === "webhook.request").map((p) => (p as { readonly webhook: string }).webhook)).toEqual(["pods.example.com", "label.example.com", "pods.example.com"]);
    // The second round gives the container that the webhook added its token.
    expect(body.spec.initContainers?.[0]?.volumeMounts).toHaveLength(1);
  });

  test("validating ones all at once; a denial in the webhook's words", () => {
    const { answers } = run([validating(hook("slow.example.com", url("/always-allow-delay-5s"), { timeoutSeconds: 10 }), hook("deny.example.com", url("/always-deny")))], [[1, create("p")]]);
    expect(answers[0]).toMatchObject({ status: 400, body: { message: 'admission webhook "deny.example.com" denied the request: this webhook denies all requests' } });
    expect(answers[0]?.took).toBeGreaterThan(5 * T);
    expect(answers[0]?.took).toBeLessThan(5.1 * T);
  });

  test.each([
    ["timeout", "Fail", url("/always-allow-delay-5s"), 'failed to call webhook: Post "https://webhook.example.com/always-allow-delay-5s?timeout=2s": context deadline exceeded'],
    ["refused", "Fail", { url: "https://10.0.0.99:8443/v" }, 'failed to call webhook: Post "https://10.0.0.99:8443/v?timeout=2s": dial tcp 10.0.0.99:8443: connect: connection refused'],
    ["no service", "Fail", { service: { name: "hook", namespace: "hooks", path: "/v", port: 443 } }, 'failed to call webhook: Post "https://hook.hooks.svc:443/v?timeout=2s": service "hook" not found'],
    ["no endpoints", "Fail", { service: { name: "empty", namespace: "default", port: 443 } }, 'failed to call webhook: Post "https://empty.default.svc:443?timeout=2s": dial tcp 10.96.0.20:443: connect: connection refused'],
    ["404", "Fail", url("/nope"), "failed to call webhook: the server could not find the requested resource"],
    ["timeout", "Ignore", url("/always-allow-delay-5s"), undefined],
  ])("%s with %s", (_name, failurePolicy, config, text) => {
    const empty = { apiVersion: "v1", kind: "Service", metadata: { name: "empty", namespace: "default" }, spec: { clusterIP: "10.96.0.20", ports: [{ port: 443 }] } } as KubeObject;
    const { answers } = run([empty, validating(hook("check.example.com", config, { failurePolicy }))], [[1, create("p")]]);
    if (text === undefined) {
      expect(answers[0]?.status).toBe(201);
      expect(answers[0]?.took).toBeGreaterThan(2 * T);
    } else expect(answers[0]).toMatchObject({ status: 500, body: { reason: "InternalError", message: `Internal error occurred: failed calling webhook "check.example.com": ${text}` } });
  });

  test("dry run, selectors, conditions, and deletions", () => {
    const side = [validating(hook("deny.example.com", url("/always-deny"), { sideEffects: "Some", namespaceSelector: { matchLabels: { team: "a" } }, matchConditions: [{ name: "x", expression: "object.metadata.name.startsWith('x')" }] }))];
    const { answers } = run(side, [[1, { ...create("x1"), query: { dryRun: "All" } }], [2, create("y")], [3, create("x2")]]);
    expect(answers.map((a) => a.status)).toEqual([400, 201, 400]);
    expect(message(answers[0])).toBe('admission webhook "deny.example.com" does not support dry run');
    const kept = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept", namespace: "default" }, data: { "webhook-e2e-test": "webhook-nondeletable" } } as KubeObject;
    const guard = validating(hook("cm.example.com", url("/configmaps"), { rules: [{ ...PODS_RULE, operations: ["*"], resources: ["configmaps"] }] }));
    const gone = run([kept, guard], [[1, { method: "DELETE", path: "/api/v1/namespaces/default/configmaps/kept" }]]);
    expect(gone.answers[0]).toMatchObject({ status: 400, body: { message: 'admission webhook "cm.example.com" denied the request: the configmap cannot be deleted because it contains unwanted key and value' } });
  });
});

describe("ResourceQuota", () => {
  const quota = { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "q", namespace: "default" }, spec: { hard: { pods: "2" } }, status: { hard: { pods: "2" }, used: { pods: "0" } } } as KubeObject;

  test("three creates at once: the compare-and-swap lets two through", () => {
    const { answers, sim } = run([quota], [[1, create("a")], [1.00001, create("b")], [1.00002, create("c")]]);
    expect(answers.map((a) => a.status).sort()).toEqual([201, 201, 403]);
    expect(message(answers.find((a) => a.status === 403))).toMatch(/^pods "[abc]" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2$/);
    const writes = sim.trace.revisions.filter((r) => r.key === "/registry/resourcequotas/default/q");
    expect(writes).toHaveLength(2);
  });

  test("a dry run charges nothing", () => {
    const { answers, sim } = run([quota], [[1, { ...create("a"), query: { dryRun: "All" } }]]);
    expect(answers[0]?.status).toBe(201);
    expect(sim.trace.revisions).toHaveLength(0);
  });
});
