import { expect, it } from "vitest";
import { allocate, type Ipam, rangeText, release } from "./host-local.ts";

const empty: Ipam = { subnet: "10.244.1.0/24", lastReserved: "10.244.1.1", reserved: {} };

it("gives addresses round-robin after the last one and keeps the gateway back", () => {
  const first = allocate(empty, "a");
  expect(first?.ip).toBe("10.244.1.2");
  const second = allocate(release(first?.ipam ?? empty, "a"), "b");
  expect(second?.ip).toBe("10.244.1.3");
  expect(allocate({ ...empty, lastReserved: "10.244.1.254" }, "c")?.ip).toBe("10.244.1.2");
});

it("has nothing to give when all are taken", () => {
  const tiny: Ipam = { subnet: "10.0.0.0/30", lastReserved: "10.0.0.1", reserved: { "10.0.0.2": "a" } };
  expect(allocate(tiny, "b")).toBeUndefined();
  expect(rangeText(empty)).toBe("10.244.1.1-10.244.1.254");
});
