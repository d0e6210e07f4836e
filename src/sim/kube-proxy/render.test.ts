import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { base32, sha256 } from "../api/sha256.ts";
import type { EndpointSlice, Service } from "../api/types.ts";
import { inCIDR } from "./cidr.ts";
import { byChain, savedRule, sortedRules } from "./iptables-save.ts";
import { type IptablesTable, iptablesTables, type ProxyOptions } from "./iptables.ts";
import { nftCommands } from "./nft-list.ts";
import { chainBase, endpointBase, nftTable } from "./nftables.ts";
import { renderRules } from "./render.ts";
import { rulesOf } from "./service-rules.ts";

const options: ProxyOptions = { clusterCIDR: "10.0.0.0/8", nodeIP: "192.168.0.2", serviceCIDR: "172.30.0.0/16", localhostNodePorts: true, randomFully: false };
const contains = (cidr: string): boolean => inCIDR(options.nodeIP, cidr);
const facts = (name: string): string[] => readFileSync(new URL(`testdata/${name}.txt`, import.meta.url), "utf8").trim().split("\n");

const service = (n: number, spec: object, port: object = {}, ip?: string): Service => ({ apiVersion: "v1", kind: "Service", metadata: { namespace: `ns${n}`, name: `svc${n}` }, spec: { clusterIP: `172.30.0.4${n}`, ports: [{ name: "p80", port: 80, protocol: "TCP", ...port }], ...spec }, ...(ip === undefined ? {} : { status: { loadBalancer: { ingress: [{ ip }] } } }) }) as Service;
const slice = (...endpoints: [string, string?][]): EndpointSlice => ({ apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata: {}, addressType: "IPv4", ports: [{ name: "p80", port: 80, protocol: "TCP" }], endpoints: endpoints.map(([ip, nodeName]) => ({ addresses: [ip], ...(nodeName === undefined ? {} : { nodeName }) })) }) as EndpointSlice;

/** The Services of TestOverallIPTablesRules and TestOverallNFTablesRules; in the former no endpoint but one says where it is. */
function overall(located: boolean) {
  const here = located ? "test-node" : undefined;
  const other = located ? "other-node" : undefined;
  const cases: [Service, EndpointSlice[]][] = [
    [service(1, {}), [slice(["10.180.0.1", here])]],
    [service(2, { type: "LoadBalancer", externalTrafficPolicy: "Local", externalIPs: ["192.168.99.22"], healthCheckNodePort: 30_000 }, { nodePort: 3001 }, "1.2.3.4"), [slice(["10.180.0.2", other])]],
    [service(3, { type: "NodePort" }, { nodePort: 3003 }), [slice(["10.180.0.3", here])]],
    [service(4, { type: "NodePort", externalIPs: ["192.168.99.33"] }), [slice(["10.180.0.4", other], ["10.180.0.5", "test-node"])]],
    [service(5, { type: "LoadBalancer", externalTrafficPolicy: "Cluster", healthCheckNodePort: 30_000, loadBalancerSourceRanges: [" 203.0.113.0/25"], sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } }, { nodePort: 3002 }, "5.6.7.8"), [slice(["10.180.0.3", here])]],
    [service(6, { type: "ClusterIP" }), []],
  ];
  return cases.flatMap(([object, slices]) => rulesOf(object, slices, "test-node", "")?.ports ?? []);
}

test("sha256 and base32 are the standard ones", () => {
  for (const text of ["", "abc", "default/nginx:httptcp", "x".repeat(200)]) expect(Buffer.from(sha256(text)).toString("hex")).toBe(createHash("sha256").update(text).digest("hex"));
  expect(base32([102, 111, 111, 98, 97])).toBe("MZXW6YTB");
});

test("iptables: all rules of upstream's TestOverallIPTablesRules, chain by chain in its order", () => {
  const { filter, nat } = iptablesTables(overall(false), options, contains);
  const written = (name: string, { chains, rules }: IptablesTable): string[] => [`*${name}`, ...[...new Set(chains)].sort(byChain).map((chain) => `:${chain} - [0:0]`), ...sortedRules(rules), "COMMIT"];
  expect([...written("filter", filter), ...written("nat", nat)]).toEqual(facts("overall-iptables"));
});

test("nftables: all objects of upstream's TestOverallNFTablesRules", () => {
  expect([...nftCommands(nftTable(overall(true), options, contains))].sort()).toEqual(facts("overall-nftables").sort());
});

test("chain names of nftables are cut as upstream cuts them", () => {
  const long = ["very-long-namespace-name-abcdefghijklmnopqrstuvwxyz0123456789xx/very-long-service-name-why-would-you-even-do-this-i-mean-really", "sctp", "port-443-providing-the-hypertext-transmission-protocol-with-tls"] as const;
  const endpoint = (ip: string, port: number) => ({ ip, port, local: false });
  expect(chainBase("testing/service", "tcp", "http")).toBe("P4ZYZVCF-testing/service/tcp/http");
  expect(chainBase("testing/service", "tcp", "https")).toBe("LZBRENCP-testing/service/tcp/https");
  expect(chainBase(...long)).toBe(`KR6NACJP-${long.join("/")}`);
  expect(endpointBase("testing/service", "tcp", "http", endpoint("10.180.0.2", 80))).toBe("5S6H3H22-testing/service/tcp/http__10.180.0.2/80");
  expect(endpointBase("testing/service", "tcp", "http", endpoint("fd80:abcd:12::a1b2:c3d4:e5f6:9999", 80))).toBe("U7E2ET36-testing/service/tcp/http__fd80.abcd.12..a1b2.c3d4.e5f6.9999/80");
  expect(endpointBase(...long, endpoint("1234:5678:9abc:def0::abcd:1234:5678", 443))).toBe(`CI6C53Q3-${long.join("/")}__1234.5678.9abc.def0..abcd.1234...`);
});

test("iptables-save prints what the kernel keeps", () => {
  const cases = [
    ["-A KUBE-SVC-A -m comment --comment \"default/web -> 10.244.1.5:80\" -m statistic --mode random --probability 0.3333333333 -j KUBE-SEP-B", '-A KUBE-SVC-A -m comment --comment "default/web -> 10.244.1.5:80" -m statistic --mode random --probability 0.33333333349 -j KUBE-SEP-B'],
    ["-A KUBE-SVC-A -m comment --comment \"default/web cluster IP\" -m tcp -p tcp -d 10.96.0.20 --dport 80 ! -s 10.244.0.0/16 -j KUBE-MARK-MASQ", '-A KUBE-SVC-A ! -s 10.244.0.0/16 -d 10.96.0.20/32 -p tcp -m comment --comment "default/web cluster IP" -m tcp --dport 80 -j KUBE-MARK-MASQ'],
    ["-A KUBE-SEP-A -m comment --comment default/web -s 10.244.1.5 -j KUBE-MARK-MASQ", '-A KUBE-SEP-A -s 10.244.1.5/32 -m comment --comment "default/web" -j KUBE-MARK-MASQ'],
    ["-A KUBE-SEP-A -m comment --comment default/web -m recent --name KUBE-SEP-A --set -m tcp -p tcp -j DNAT --to-destination 10.244.1.5:80", '-A KUBE-SEP-A -p tcp -m comment --comment "default/web" -m recent --set --name KUBE-SEP-A --mask 255.255.255.255 --rsource -m tcp -j DNAT --to-destination 10.244.1.5:80'],
    ["-A KUBE-MARK-MASQ -j MARK --or-mark 0x4000", "-A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000"],
    ["-A KUBE-POSTROUTING -j MARK --xor-mark 0x4000", "-A KUBE-POSTROUTING -j MARK --set-xmark 0x4000/0x0"],
    ["-A KUBE-SERVICES -m comment --comment \"default/web has no endpoints\" -m tcp -p tcp -d 10.96.0.20 --dport 80 -j REJECT", '-A KUBE-SERVICES -d 10.96.0.20/32 -p tcp -m comment --comment "default/web has no endpoints" -m tcp --dport 80 -j REJECT --reject-with icmp-port-unreachable'],
  ] as const;
  for (const [written, saved] of cases) expect(savedRule(written)).toBe(saved);
});

test("both tools print a whole node", () => {
  const ports = overall(true);
  const saved = renderRules(ports, "iptables", { ...options, randomFully: true });
  expect(saved.slice(0, 5)).toEqual(["*filter", ":INPUT ACCEPT [0:0]", ":FORWARD ACCEPT [0:0]", ":OUTPUT ACCEPT [0:0]", ":KUBE-NODEPORTS - [0:0]"]);
  expect(saved).toContain('-A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE --random-fully');
  const listed = renderRules(ports, "nftables", options);
  expect(listed).toContain("\t\tmeta l4proto tcp dnat ip to numgen random mod 2 map { 0 : 10.180.0.4 . 80, 1 : 10.180.0.5 . 80 }");
  expect(listed).toContain("\t\ttimeout 3h");
  expect(listed).toContain('\t\tmeta mark set meta mark | 0x00004000 comment "masquerade"');
});
