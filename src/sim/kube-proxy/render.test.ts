import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Service } from "../api/types.ts";
import { renderRules } from "./render.ts";
import { rulesOf } from "./service-rules.ts";
import { base32, sha256 } from "../api/sha256.ts";

test("sha256 and base32 are the standard ones", () => {
  for (const text of ["", "abc", "default/nginx:httptcp", "x".repeat(200)]) expect(Buffer.from(sha256(text)).toString("hex")).toBe(createHash("sha256").update(text).digest("hex"));
  expect(base32([102, 111, 111, 98, 97])).toBe("MZXW6YTB");
});

const service = { apiVersion: "v1", kind: "Service", metadata: { namespace: "default", name: "web" }, spec: { clusterIP: "10.96.0.20", selector: { app: "web" }, ports: [{ name: "http", port: 80, protocol: "TCP" }] } } as Service;
const slice = (ready: boolean[]) => ({ apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata: {}, addressType: "IPv4", ports: [{ name: "http", port: 8080, protocol: "TCP" }], endpoints: ready.map((r, i) => ({ addresses: [`10.244.1.${i + 2}`], conditions: { ready: r, serving: r, terminating: false } })) });

test("iptables lines: probabilities 1/(n-i), REJECT without endpoints", () => {
  const lines = renderRules(rulesOf(service, [slice([true, true, true, false])], "n1", "z")!, "iptables");
  expect(lines.filter((line) => line.includes("statistic")).map((line) => line.replace(/.*--probability (\S+).*/, "$1"))).toEqual(["0.3333333333", "0.5000000000"]);
  expect(lines.filter((line) => line.includes("DNAT")).length).toBe(3);
  expect(renderRules(rulesOf(service, [slice([false])], "n1", "z")!, "iptables")).toEqual([expect.stringContaining('--comment "default/web:http has no endpoints" -m tcp --dport 80 -j REJECT')]);
  expect(renderRules(rulesOf(service, [slice([true, true])], "n1", "z")!, "nftables").join("\n")).toContain("numgen random mod 2 vmap");
});
