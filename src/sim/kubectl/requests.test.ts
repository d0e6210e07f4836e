import { expect, test } from "vitest";
import type { HttpRequest, HttpResponse } from "../api/http.ts";
import type { KubeObject } from "../api/types.ts";
import type { World } from "../api/world.ts";
import { createEtcdMember } from "../etcd/member.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { Component, Input } from "../kernel/types.ts";
import { settledPolicy } from "../kube-apiserver/rbac/bootstrap-policy.ts";
import { createApiServer } from "../kube-apiserver/server.ts";
import { LATENCIES } from "../latencies/registry.ts";
import { createWebhook } from "../webhook/webhook.ts";
import { createKubectl } from "./kubectl.ts";

const namespace = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name, uid: name, resourceVersion: "100", creationTimestamp: "2025-12-01T00:00:00Z" }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } });
const objects: readonly KubeObject[] = [
  ...settledPolicy().map((object) => ({ ...object, metadata: { uid: `uid-${object.kind}-${object.metadata.name ?? ""}`, resourceVersion: "100", ...object.metadata } })),
  namespace("default"), namespace("shop"),
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "here", namespace: "shop", uid: "c", resourceVersion: "100" }, data: { a: "b" } } as KubeObject,
];
const world: World = { name: "t", seed: 1, resourceVersion: "100", nodes: [], watches: [], clusterDomain: "cluster.local", serviceCIDR: "10.96.0.0/12", podCIDR: "10.244.0.0/16", dnsServiceIP: "10.96.0.10", objects };

type Run = Input & { readonly argv: readonly string[]; readonly files: Readonly<Record<string, string>> };

/** "GET /path?query 200" of one command's requests, without what is asked about OpenAPI and discovery. */
function requestsOf(line: string, file = ""): readonly string[] {
  const members = ["etcd-0", "etcd-1", "etcd-2"];
  const components = [createKubectl({ world }), createApiServer({ world, machine: "m" }), ...members.map((id) => createEtcdMember({ world, id, peers: members.filter((peer) => peer !== id) })), createWebhook()] as Component[];
  const input = { at: 1_000_000, type: "command", argv: line.split(" "), files: { f: file } };
  const { trace } = ((sim) => {
    sim.run(20_000_000);
    return sim;
  })(Simulation.create({ seed: 1, profile: "quiet", components, latencies: LATENCIES, resolve: (run) => [{ type: "deliver", to: "kubectl", message: { type: "kubectl.run", argv: (run as Run).argv, files: (run as Run).files, session: 1 }, verb: "exec" }] }, [input]));
  const status = new Map(trace.payloads.flatMap((payload) => ((payload as HttpResponse).type === "http.response" ? [[(payload as HttpResponse).request, (payload as HttpResponse).status] as const] : [])));
  const kubectl = trace.components.indexOf("kubectl");
  return trace.payloads.flatMap((payload, id) => {
    const { type, method, path, query } = payload as HttpRequest;
    if (type !== "http.request" || trace.mail.from.get(id) !== kubectl || /^\/openapi|^\/apis?$/.test(path)) return [];
    const { fieldValidation, timeout, ...others } = query ?? {};
    const told = { ...(fieldValidation === undefined ? {} : { fieldValidation }), ...(timeout === undefined ? {} : { timeout }) };
    return [`${method} ${path.replace(/^\/apis?\//, "")}${Object.keys(told).length > 0 ? ` ${JSON.stringify(told)}` : ""}${others["limit"] === undefined ? "" : " limit"} ${status.get(id) ?? ""}`];
  });
}

const MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new, namespace: shop}\n";

test.each([
  { name: "a missing name makes get look at the namespace", line: "get cm nosuch -n shop", want: ["GET v1/namespaces/shop/configmaps/nosuch 404", "GET v1/namespaces/shop 200"] },
  { name: "but not at the default one", line: "get cm nosuch", want: ["GET v1/namespaces/default/configmaps/nosuch 404"] },
  { name: "nor for a list", line: "get cm -n gone", want: ["GET v1/namespaces/gone/configmaps limit 200"] },
  { name: "a wrong format is noticed after the list", line: "get cm -n shop -o nope", want: ["GET v1/namespaces/shop/configmaps limit 200"] },
  { name: "--request-timeout is told to the server", line: "get cm here -n shop --request-timeout=90s", want: ['GET v1/namespaces/shop/configmaps/here {"timeout":"1m30s"} 200'] },
  { name: "delete waits for what it did not find to be gone", line: "delete cm nosuch -n shop --ignore-not-found", want: ["DELETE v1/namespaces/shop/configmaps/nosuch 404", "GET v1/namespaces/shop/configmaps/nosuch 404"] },
  { name: "delete waits for nothing after an error", line: "delete cm here nosuch -n shop", want: ["DELETE v1/namespaces/shop/configmaps/here 200", "DELETE v1/namespaces/shop/configmaps/nosuch 404"] },
  { name: "describe reads twice", line: "describe cm here -n shop", want: ["GET v1/namespaces/shop/configmaps/here 200", "GET v1/namespaces/shop/configmaps/here 200", "GET v1/namespaces/shop/events limit 200"] },
  { name: "describe looks for names that begin alike", line: "describe cm he -n shop", want: ["GET v1/namespaces/shop/configmaps/he 404", "GET v1/namespaces/shop 200", "GET v1/namespaces/shop/configmaps limit 200", "GET v1/namespaces/shop/configmaps/here 200"] },
  { name: "but not of TYPE/NAME", line: "describe cm/he -n shop", want: ["GET v1/namespaces/shop/configmaps/he 404", "GET v1/namespaces/shop 200"] },
  { name: "apply", line: "apply -f f", file: MAP, want: ["GET v1/namespaces/shop/configmaps/new 404", "GET v1/namespaces/shop 200", 'POST v1/namespaces/shop/configmaps {"fieldValidation":"Strict"} 201'] },
  { name: "create --validate=false", line: "create -f f --validate=false", file: MAP, want: ['POST v1/namespaces/shop/configmaps {"fieldValidation":"Ignore"} 201'] },
  { name: "create --validate=warn", line: "create -f f --validate=warn", file: MAP, want: ['POST v1/namespaces/shop/configmaps {"fieldValidation":"Warn"} 201'] },
  { name: "a kind that is not served is looked for among the CRDs", line: "create -f f", file: "apiVersion: v1\nkind: Podd\nmetadata: {name: x}\n", want: ["GET apiextensions.k8s.io/v1/customresourcedefinitions 200"] },
])("$name", ({ line, file, want }) => {
  expect(requestsOf(line, file)).toEqual(want);
});
