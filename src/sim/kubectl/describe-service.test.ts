import { expect, test } from "vitest";
import { create, kubectl, pod, see } from "../testdata/fault-run.ts";

const service = (selector: string): object => ({ apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { selector: { app: selector }, ports: [{ port: 80 }] } });

test.each([
  ["p", /^Endpoints: +10\.\d+\.\d+\.\d+:80$/m],
  // Its EndpointSlice has null for endpoints and ports.
  ["nobody", /^Endpoints: *$/m],
])("describe service whose selector is %s", (selector, want) => {
  const seen = see(20, [create(1, pod("p"), service(selector)), kubectl(15, "describe", "service", "s"), kubectl(16, "describe", "endpointslices")]);
  expect(seen.printed("describe", "service", "s")).toMatch(want);
  expect(seen.printed("describe", "endpointslices")).toContain("AddressType:");
});
