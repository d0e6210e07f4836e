import { expect, test } from "vitest";
import { ln } from "./ln.ts";

test("ln agrees with the engine's logarithm to the last bits", () => {
  for (let x = 1; x <= 5_000; x += 1) expect(Math.abs(ln(x) - Math.log(x))).toBeLessThanOrEqual(2e-15 * Math.max(1, Math.log(x)));
  for (const x of [0.001, 0.5, 0.75, 1e9]) expect(ln(x)).toBeCloseTo(Math.log(x), 12);
  expect(ln(1)).toBe(0);
});
