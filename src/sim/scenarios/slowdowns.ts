import type { LatencyTable } from "../kernel/types.ts";

/** What a user may make slower or faster, and which durations that means. */
export const SLOWDOWNS = [
  { id: "registry", title: "Image registry", tables: /^registry\./ },
  { id: "etcd", title: "etcd's disk (fsync)", tables: /^etcd\.wal-fsync$/ },
  { id: "api", title: "API server", tables: /^apiserver\./ },
  { id: "wire", title: "Wires between components", tables: /^link\./ },
  { id: "runtime", title: "Container runtime", tables: /^(?:runtime|cni)\./ },
] as const;
export type SlowdownId = (typeof SLOWDOWNS)[number]["id"];

/** Percent of the usual duration, as a whole number: 500 is five times slower, 20 five times faster. Absent: 100. */
export type Slowdowns = Readonly<Partial<Record<SlowdownId, number>>>;

export const MIN_PERCENT = 1;
export const MAX_PERCENT = 100_000;

const scaled = ({ min, median, p90, max, source }: LatencyTable, percent: number): LatencyTable => {
  const times = (value: number): number => Math.round((value * percent) / 100);
  return { min: times(min), median: times(median), p90: times(p90), max: times(max), source };
};

/** The durations of a cluster in which some things are slower or faster than usual. The same table back where nothing is. */
export function withSlowdowns(tables: Readonly<Record<string, LatencyTable>>, slowdowns: Slowdowns): Readonly<Record<string, LatencyTable>> {
  const changed = SLOWDOWNS.filter(({ id }) => (slowdowns[id] ?? 100) !== 100);
  if (changed.length === 0) return tables;
  return Object.fromEntries(Object.entries(tables).map(([name, table]) => {
    const by = changed.find(({ tables: which }) => which.test(name));
    return [name, by === undefined ? table : scaled(table, slowdowns[by.id] ?? 100)];
  }));
}

/** "etcd=5,registry=0.5": how many times as long. A sentence if that cannot be. */
export function parseSlowdowns(text: string): Slowdowns | string {
  const slowdowns: Partial<Record<SlowdownId, number>> = {};
  for (const part of text.split(",")) {
    const [name = "", value = ""] = part.split("=");
    const known = SLOWDOWNS.find(({ id }) => id === name);
    const percent = Math.round(Number(value) * 100);
    if (known === undefined) return `there is nothing called "${name}" to slow down: one of ${SLOWDOWNS.map(({ id }) => id).join(", ")}`;
    if (value === "" || !(percent >= MIN_PERCENT && percent <= MAX_PERCENT)) return `${name} cannot take "${value}" times as long: a number from ${MIN_PERCENT / 100} to ${MAX_PERCENT / 100}`;
    slowdowns[known.id] = percent;
  }
  return slowdowns;
}
