import { expect, test } from "vitest";
import type { KubeObject, Pod } from "../api/types.ts";
import { compilePolicies, type NetworkPolicy } from "./compile.ts";

const pod = (namespace: string, name: string, ip: string, labels: Record<string, string>, spec: object = {}): Pod => ({ metadata: { namespace, name, labels }, spec: { nodeName: "n1", containers: [{ name: "c", ports: [{ name: "web", containerPort: 8080 }] }], ...spec }, status: { podIP: ip, phase: "Running" } }) as unknown as Pod;
const policy = (spec: object, name = "p"): NetworkPolicy => ({ apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", metadata: { name, namespace: "shop" }, spec }) as unknown as NetworkPolicy;
const namespaces = [["shop", "prod"], ["other", "test"]].map(([name = "", env = ""]): KubeObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { env, "kubernetes.io/metadata.name": name } } }));
const pods = [pod("shop", "db", "10.0.0.1", { app: "db" }), pod("shop", "web", "10.0.0.2", { app: "web" }), pod("other", "web", "10.0.0.3", { app: "web" }), pod("shop", "host", "10.0.0.9", { app: "web" }, { hostNetwork: true }), pod("shop", "far", "10.0.1.1", { app: "db" }, { nodeName: "n2" })];
const compiled = (...policies: NetworkPolicy[]) => compilePolicies({ policies, pods, namespaces }, (one) => one.spec.nodeName === "n1");

test.each([
  { name: "no policy, nobody isolated", policies: [], want: {} },
  { name: "an empty selector isolates the whole namespace, and nothing is allowed in", policies: [policy({ podSelector: {} })], want: { "10.0.0.1": { pod: "shop/db", ingress: [] }, "10.0.0.2": { pod: "shop/web", ingress: [] } } },
  { name: "peers of the same namespace; a host Pod has no address of its own", policies: [policy({ podSelector: { matchLabels: { app: "db" } }, ingress: [{ from: [{ podSelector: { matchLabels: { app: "web" } } }], ports: [{ port: 5432 }] }] })], want: { "10.0.0.1": { pod: "shop/db", ingress: [{ policy: "shop/p", peers: [{ ips: ["10.0.0.2"] }], ports: [{ protocol: "TCP", from: 5432, to: 5432 }] }] } } },
  { name: "a namespace alone, both together, a block with holes", policies: [policy({ podSelector: { matchLabels: { app: "db" } }, ingress: [{ from: [{ namespaceSelector: { matchLabels: { env: "test" } } }, { namespaceSelector: {}, podSelector: { matchLabels: { app: "web" } } }, { ipBlock: { cidr: "10.1.0.0/16", except: ["10.1.2.0/24"] } }] }] })], want: { "10.0.0.1": { pod: "shop/db", ingress: [{ policy: "shop/p", peers: [{ ips: ["10.0.0.3"] }, { ips: ["10.0.0.2", "10.0.0.3"] }, { cidr: "10.1.0.0/16", except: ["10.1.2.0/24"] }] }] } } },
  { name: "egress rules isolate egress; an empty rule allows all", policies: [policy({ podSelector: { matchLabels: { app: "web" } }, policyTypes: ["Egress"], egress: [{}] })], want: { "10.0.0.2": { pod: "shop/web", egress: [{ policy: "shop/p" }] } } },
  { name: "named ports and ranges", policies: [policy({ podSelector: { matchLabels: { app: "web" } }, ingress: [{ ports: [{ port: "web" }, { port: 3000, endPort: 3010, protocol: "UDP" }] }] })], want: { "10.0.0.2": { pod: "shop/web", ingress: [{ policy: "shop/p", ports: [{ protocol: "TCP", byAddress: { "10.0.0.1": 8080, "10.0.0.2": 8080, "10.0.0.3": 8080, "10.0.1.1": 8080 } }, { protocol: "UDP", from: 3000, to: 3010 }] }] } } },
])("$name", ({ policies, want }) => expect(compiled(...policies)).toEqual(want));
