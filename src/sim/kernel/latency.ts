import type { LatencyTable, Micros } from "./types.ts";

/** A duration of a table for a uniform draw (a uint32): piecewise linear through min, median, p90 and max, in integers. */
export function drawLatency(table: LatencyTable, random: number): Micros {
  const draw = random % 1000;
  if (draw < 500) return table.min + Math.floor(((table.median - table.min) * draw) / 500);
  if (draw < 900) return table.median + Math.floor(((table.p90 - table.median) * (draw - 500)) / 400);
  return table.p90 + Math.floor(((table.max - table.p90) * (draw - 900)) / 100);
}
