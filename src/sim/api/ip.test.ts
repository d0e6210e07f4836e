import { expect, test } from "vitest";
import { cidrWarnings, endpointIPErrors, ipFamily, ipWarnings, isCanonicalCIDR, isCanonicalIP, isStrictSubset, isValidCIDR, isValidIP, parseCIDR } from "./ip.ts";

test.each([
  ["10.0.0.1", []], ["2001:db8::1", []], ["010.0.0.1", ["must not have leading 0s"]], ["::ffff:1.2.3.4", ["must not be an IPv4-mapped IPv6 address"]],
  ["10.0.0", ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]], ["1::2::3", ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]], ["256.1.1.1", ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]],
])("isValidIP(%s)", (text, want) => expect(isValidIP(text)).toEqual(want));

test.each([
  ["10.0.0.0/8", []], ["10.0.0.1/8", ["must not have bits set beyond the prefix length"]], ["10.0.0.0/08", ["must not have leading 0s in IP or prefix length"]],
  ["10.0.0.0/33", ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"]], ["10.0.0.0", ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"]], ["::ffff:10.0.0.0/104", ["must not have an IPv4-mapped IPv6 address"]],
])("isValidCIDR(%s)", (text, want) => expect(isValidCIDR(text)).toEqual(want));

test("canonical forms", () => {
  expect(isCanonicalIP("2001:0db8::0:1")).toEqual(['must be in canonical form ("2001:db8::1")']);
  expect(isCanonicalCIDR("2001:DB8::/64")).toEqual(['must be in canonical form ("2001:db8::/64")']);
  expect([ipFamily("1.2.3.4"), ipFamily("::1"), ipFamily("::ffff:1.2.3.4"), ipFamily("x")]).toEqual([4, 6, 4, 0]);
});

test.each([["127.0.0.1", "loopback"], ["169.254.1.1", "link-local range"], ["0.0.0.0", "unspecified"], ["::1", "loopback"], ["fe80::1", "link-local range"], ["224.0.0.5", "multicast"]])("an endpoint may not be %s", (text, part) => {
  expect(endpointIPErrors(text)).toEqual([expect.stringContaining(part)]);
});

test("warnings and subsets", () => {
  expect(ipWarnings("p", "2001:db8:0:0::1")).toEqual(['p: IPv6 address "2001:db8:0:0::1" should be in RFC 5952 canonical format ("2001:db8::1")']);
  expect(cidrWarnings("p", "10.0.0.5/8")).toEqual(['p: CIDR value "10.0.0.5/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.5/32"?)']);
  const net = (text: string) => parseCIDR(text) as NonNullable<ReturnType<typeof parseCIDR>>;
  expect([isStrictSubset(net("10.1.0.0/16"), net("10.0.0.0/8")), isStrictSubset(net("10.0.0.0/8"), net("10.0.0.0/8")), isStrictSubset(net("11.0.0.0/16"), net("10.0.0.0/8"))]).toEqual([true, false, false]);
});
