import { expect, test } from "vitest";
import { findLocation, hasTls, type Ingress, isOurs, locationsOf, matchesPath } from "./rules.ts";

/** The table of the documentation (concepts/services-networking/ingress, path types). */
test.each([
  ["Prefix", "/", "/foo", true], ["Exact", "/foo", "/foo", true], ["Exact", "/foo", "/bar", false], ["Exact", "/foo", "/foo/", false], ["Exact", "/foo/", "/foo", false],
  ["Prefix", "/foo", "/foo", true], ["Prefix", "/foo", "/foo/", true], ["Prefix", "/foo/", "/foo", true], ["Prefix", "/foo/", "/foo/", true], ["Prefix", "/aaa/bb", "/aaa/bbb", false],
  ["Prefix", "/aaa/bbb", "/aaa/bbb", true], ["Prefix", "/aaa/bbb/", "/aaa/bbb", true], ["Prefix", "/aaa/bbb", "/aaa/bbb/", true], ["Prefix", "/aaa/bbb", "/aaa/bbb/ccc", true], ["Prefix", "/aaa/bbb", "/aaa/bbbxyz", false],
  ["ImplementationSpecific", "/aaa", "/aaab", true],
])("%s %s for %s: %s", (pathType, path, asked, want) => {
  expect(matchesPath({ path, pathType }, asked)).toBe(want);
});

const ingress = (name: string, spec: Ingress["spec"], annotations = {}): Ingress => ({ apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata: { name, namespace: "default", creationTimestamp: `2026-01-01T00:00:0${name.length}Z`, annotations }, spec });
const backend = (name: string) => ({ service: { name, port: { number: 80 } } });

test("hosts: exact before wildcard before none; a wildcard is one label; Exact before the longest prefix", () => {
  const locations = locationsOf([
    ingress("a", { rules: [{ host: "foo.com", http: { paths: [{ path: "/", pathType: "Prefix", backend: backend("root") }, { path: "/aaa", pathType: "Prefix", backend: backend("aaa") }, { path: "/aaa/x", pathType: "Exact", backend: backend("exact") }] } }, { host: "*.foo.com", http: { paths: [{ path: "/", pathType: "Prefix", backend: backend("wild") }] } }] }),
    ingress("bb", { defaultBackend: backend("fallback") }),
    ingress("ccc", { rules: [{ host: "foo.com", http: { paths: [{ path: "/", pathType: "Prefix", backend: backend("late") }] } }] }),
  ]);
  const at = (host: string, path: string) => findLocation(locations, host, path)?.service;
  expect([at("foo.com", "/"), at("foo.com", "/aaa/y"), at("foo.com", "/aaa/x"), at("bar.foo.com", "/q"), at("a.b.foo.com", "/"), at("other.org", "/")]).toEqual(["default/root", "default/aaa", "default/exact", "default/wild", "default/fallback", "default/fallback"]);
  expect(findLocation(locationsOf([ingress("a", { rules: [{ host: "foo.com", http: { paths: [{ path: "/x", pathType: "Prefix", backend: backend("x") }] } }] })]), "foo.com", "/y")).toBeUndefined();
});

test("whose Ingress it is, and where TLS is", () => {
  const classes = [{ apiVersion: "networking.k8s.io/v1", kind: "IngressClass", metadata: { name: "public" }, spec: { controller: "k8s.io/ingress-nginx" } }, { apiVersion: "networking.k8s.io/v1", kind: "IngressClass", metadata: { name: "other" }, spec: { controller: "example.com/other" } }];
  expect([isOurs(ingress("a", { ingressClassName: "public" }), classes), isOurs(ingress("a", { ingressClassName: "other" }), classes), isOurs(ingress("a", {}), classes), isOurs(ingress("a", {}, { "kubernetes.io/ingress.class": "nginx" }), classes)]).toEqual([true, false, false, true]);
  const tls = [ingress("a", { tls: [{ hosts: ["*.foo.com"], secretName: "s" }] })];
  expect([hasTls(tls, "www.foo.com"), hasTls(tls, "foo.com")]).toEqual([true, false]);
});
