import { expect, test } from "vitest";
import { base64Decode } from "../../api/base64.ts";
import type { KubeObject } from "../../api/types.ts";
import { controllerCluster } from "../../testdata/controller-cluster.ts";
import { at, write } from "../../testdata/mini-cluster.ts";
import { createTTLController, countNodes, secondsOf, ttlWatches, type TTLMemory } from "../ttl/ttl-controller.ts";
import { createTokensController, tokensWatches } from "./tokens-controller.ts";

const SECRETS = "/api/v1/namespaces/default/secrets";
const ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
const account: KubeObject = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "bot", namespace: "default" }, secrets: [{ name: "key" }, { name: "other" }] } as KubeObject;
const secret = (name: string, type = "kubernetes.io/service-account-token"): KubeObject => ({ apiVersion: "v1", kind: "Secret", metadata: { name: "key", namespace: "default", annotations: { "kubernetes.io/service-account.name": name } }, type }) as KubeObject;
const cluster = (...inputs: Parameters<typeof controllerCluster>[1]) => controllerCluster([{ watches: tokensWatches, create: createTokensController as never }, { watches: ttlWatches, create: createTTLController as never }], inputs);
type Secret = KubeObject & { readonly data?: Readonly<Record<string, string>> };

test("a token Secret is filled, loses its reference when deleted, and goes with its account", () => {
  const m = cluster(at(0, write("POST", ACCOUNTS, account)), at(1, write("POST", SECRETS, secret("bot"))), at(2, write("DELETE", `${SECRETS}/key`)), at(3, write("POST", SECRETS, secret("bot"))), at(4, write("DELETE", `${ACCOUNTS}/bot`)));
  m.sim.run(1_900_000);
  const [filled] = m.list<Secret>("Secret");
  expect(Object.keys(filled?.data ?? {}).sort()).toEqual(["ca.crt", "namespace", "token"]);
  expect(base64Decode(filled?.data?.["namespace"] ?? "")).toBe("default");
  const [, claims = ""] = base64Decode(filled?.data?.["token"] ?? "").split(".");
  expect(JSON.parse(base64Decode(claims))).toMatchObject({ iss: "kubernetes/serviceaccount", sub: "system:serviceaccount:default:bot", "kubernetes.io/serviceaccount/secret.name": "key" });
  expect(filled?.metadata.annotations?.["kubernetes.io/service-account.uid"]).toBe(m.list("ServiceAccount")[0]?.metadata.uid);
  m.sim.run(2_900_000);
  expect((m.list("ServiceAccount")[0] as unknown as { secrets: unknown }).secrets).toEqual([{ name: "other" }]);
  m.sim.run(5_000_000);
  expect(m.list("Secret")).toEqual([]);
});

test("a token Secret of no account is deleted, other Secrets are left alone", () => {
  const m = cluster(at(0, write("POST", SECRETS, secret("nobody"))), at(1, write("POST", SECRETS, { ...secret("nobody", "Opaque"), metadata: { name: "plain", namespace: "default" } })));
  m.sim.run(2_000_000);
  expect(m.list("Secret").map((object) => object.metadata.name)).toEqual(["plain"]);
});

test("nodes are told for how long to cache", () => {
  const m = cluster();
  m.sim.run(1_000_000);
  expect(m.list("Node")[0]?.metadata.annotations).toEqual({ "node.alpha.kubernetes.io/ttl": "0" });
  const after = (start: TTLMemory, count: number, by: 1 | -1): number => secondsOf(Array.from({ length: count }).reduce<TTLMemory>((memory) => countNodes(memory, by), start));
  expect([after({ nodes: 0, step: 0 }, 100, 1), after({ nodes: 0, step: 0 }, 101, 1), after({ nodes: 101, step: 1 }, 11, -1), after({ nodes: 101, step: 1 }, 12, -1), after({ nodes: 0, step: 0 }, 501, 1)]).toEqual([0, 15, 15, 0, 30]);
});
