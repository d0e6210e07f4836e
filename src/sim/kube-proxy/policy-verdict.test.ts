import { expect, test } from "vitest";
import type { PodPolicy } from "../network-policy/messages.ts";
import { inCIDR } from "./cidr.ts";
import { policyDrop } from "./policy-verdict.ts";

const policies: Record<string, PodPolicy> = {
  "10.0.0.1": { pod: "shop/db", ingress: [{ policy: "p", peers: [{ ips: ["10.0.0.2"] }, { cidr: "10.1.0.0/16", except: ["10.1.2.0/24"] }], ports: [{ protocol: "TCP", from: 5432, to: 5440 }] }] },
  "10.0.0.5": { pod: "shop/web", egress: [{ policy: "q", ports: [{ protocol: "UDP", from: 53, to: 53 }] }, { policy: "q", peers: [{ ips: ["10.0.0.7"] }], ports: [{ protocol: "TCP", byAddress: { "10.0.0.7": 8080 } }] }] },
};
const drop = (fromIP: string, toIP: string, toPort: number, protocol: "TCP" | "UDP" = "TCP") => policyDrop(policies, { fromIP, toIP, toPort, protocol }, "192.168.0.1")?.direction;

test.each([
  ["an allowed peer and port", drop("10.0.0.2", "10.0.0.1", 5432), undefined],
  ["the end of the range", drop("10.0.0.2", "10.0.0.1", 5440), undefined],
  ["another port", drop("10.0.0.2", "10.0.0.1", 80), "ingress"],
  ["another protocol", drop("10.0.0.2", "10.0.0.1", 5432, "UDP"), "ingress"],
  ["a stranger", drop("10.0.0.3", "10.0.0.1", 5432), "ingress"],
  ["inside the block", drop("10.1.9.9", "10.0.0.1", 5432), undefined],
  ["in the block's hole", drop("10.1.2.9", "10.0.0.1", 5432), "ingress"],
  ["the node itself", drop("192.168.0.1", "10.0.0.1", 80), undefined],
  ["a Pod that nothing selects", drop("10.0.0.3", "10.0.0.4", 80), undefined],
  ["egress that is allowed for names", drop("10.0.0.5", "10.96.0.10", 53, "UDP"), undefined],
  ["egress by a named port", drop("10.0.0.5", "10.0.0.7", 8080), undefined],
  ["egress to anything else", drop("10.0.0.5", "10.0.0.9", 443), "egress"],
])("%s", (_, got, want) => expect(got).toBe(want));

test("addresses in blocks", () => expect([inCIDR("10.1.255.255", "10.1.0.0/16"), inCIDR("10.2.0.0", "10.1.0.0/16"), inCIDR("1.2.3.4", "0.0.0.0/0")]).toEqual([true, false, true]));
