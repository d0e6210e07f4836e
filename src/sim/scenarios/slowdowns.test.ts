import { expect, test } from "vitest";
import { LATENCIES } from "../latencies/registry.ts";
import { parseSlowdowns, SLOWDOWNS, withSlowdowns } from "./slowdowns.ts";

test.each([
  { text: "etcd=5", want: { etcd: 500 } },
  { text: "etcd=5,registry=0.5", want: { etcd: 500, registry: 50 } },
  { text: "disk=2", want: 'there is nothing called "disk" to slow down: one of registry, etcd, api, wire, runtime' },
  { text: "etcd=0", want: 'etcd cannot take "0" times as long: a number from 0.01 to 1000' },
  { text: "etcd", want: 'etcd cannot take "" times as long: a number from 0.01 to 1000' },
  { text: "etcd=fast", want: 'etcd cannot take "fast" times as long: a number from 0.01 to 1000' },
])("$text", ({ text, want }) => expect(parseSlowdowns(text)).toEqual(want));

test("each of them scales some durations, in whole microseconds, and leaves the others alone", () => {
  expect(withSlowdowns(LATENCIES, { etcd: 100 })).toBe(LATENCIES);
  for (const { id, tables } of SLOWDOWNS) {
    const slow = withSlowdowns(LATENCIES, { [id]: 33 });
    expect(Object.keys(LATENCIES).some((name) => tables.test(name)), id).toBe(true);
    for (const [name, table] of Object.entries(LATENCIES)) {
      if (tables.test(name)) expect(slow[name]?.median).toBe(Math.round(table.median * 0.33));
      else expect(slow[name]).toBe(table);
    }
  }
});
