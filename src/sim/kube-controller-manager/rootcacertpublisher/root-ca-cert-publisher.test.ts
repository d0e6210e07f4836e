import { describe, expect, test } from "vitest";
import type { ConfigMap, KubeObject } from "../../api/types.ts";
import { http, type Op, requestsOf, runWith, stored, T } from "../../testdata/control-plane.ts";
import { createServiceAccountController, serviceAccountWatches } from "../serviceaccount/serviceaccount-controller.ts";
import { createRootCACertPublisher, ROOT_CA_DESCRIPTION, rootCACertWatches } from "./root-ca-cert-publisher.ts";

const CONTROLLERS = [{ watches: rootCACertWatches, create: createRootCACertPublisher as never }, { watches: serviceAccountWatches, create: createServiceAccountController as never }];
const MAP = "/api/v1/namespaces/new/configmaps/kube-root-ca.crt";
const ACCOUNT = "/api/v1/namespaces/new/serviceaccounts/default";
const made: Op = http(1 * T, { method: "POST", path: "/api/v1/namespaces", body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "new" } } });
const calls = (sim: ReturnType<typeof runWith>): readonly string[] => ["root-ca-cert-publisher", "serviceaccount-controller"].flatMap((id) => requestsOf(sim, id).filter(({ call }) => call.includes("/new/")).map(({ at, call, status }) => `${Math.floor(at / T)} ${call.replace("/api/v1/namespaces/new/", "")} ${status}`));

interface Situation {
  readonly name: string;
  readonly ops: readonly Op[];
  readonly want: readonly string[];
}

describe("what a namespace is given", () => {
  test.each<Situation>([
    { name: "the CA and the account default", ops: [made], want: ["1 POST configmaps 201", "1 POST serviceaccounts 201"] },
    { name: "both come back when they are deleted", ops: [made, http(2 * T, { method: "DELETE", path: MAP }), http(3 * T, { method: "DELETE", path: ACCOUNT })], want: ["1 POST configmaps 201", "2 POST configmaps 201", "1 POST serviceaccounts 201", "3 POST serviceaccounts 201"] },
    { name: "another account does not", ops: [made, http(2 * T, { method: "POST", path: "/api/v1/namespaces/new/serviceaccounts", body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "x" } } }), http(3 * T, { method: "DELETE", path: "/api/v1/namespaces/new/serviceaccounts/x" })], want: ["1 POST configmaps 201", "1 POST serviceaccounts 201"] },
    { name: "what somebody writes into the map is taken back", ops: [made, http(2 * T, { method: "PATCH", path: MAP, body: { data: { more: "x" } } })], want: ["1 POST configmaps 201", "2 PUT configmaps/kube-root-ca.crt 200", "1 POST serviceaccounts 201"] },
    { name: "and a description that was removed comes back", ops: [made, http(2 * T, { method: "PATCH", path: MAP, body: { metadata: { annotations: { "kubernetes.io/description": null } } } })], want: ["1 POST configmaps 201", "2 PUT configmaps/kube-root-ca.crt 200", "1 POST serviceaccounts 201"] },
    { name: "nothing while it ends", ops: [made, http(2 * T, { method: "DELETE", path: "/api/v1/namespaces/new" }), http(3 * T, { method: "DELETE", path: ACCOUNT })], want: ["1 POST configmaps 201", "1 POST serviceaccounts 201"] },
  ])("$name", ({ ops, want }) => {
    const sim = runWith(CONTROLLERS, ops, 5 * T);
    expect(calls(sim)).toEqual(want);
    const map = stored(sim, "ConfigMap").find(({ metadata }) => metadata.namespace === "new") as (KubeObject & ConfigMap) | undefined;
    expect([Object.keys(map?.data ?? {}), map?.metadata.annotations]).toEqual([["ca.crt"], ROOT_CA_DESCRIPTION]);
  });
});
