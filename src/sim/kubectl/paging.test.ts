import { expect, test } from "vitest";
import { http, kubectl, printed, run, state, T } from "../testdata/control-plane.ts";
import type { HttpRequest } from "../api/http.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const made = Array.from({ length: 7 }, (_, i) => http((i + 1) * T / 10, { method: "POST", path: MAPS, body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `m${i}`, labels: { odd: String(i % 2) } } } }));

/** What a command prints, and the query of every list it sends. */
function typed(command: string): { readonly out: string; readonly queries: readonly string[] } {
  const sim = run([...made, kubectl(2 * T, command)], 8 * T);
  const lists: string[] = [];
  for (let id = 0; id < sim.trace.mailCount; id++) {
    const request = sim.trace.payloads[id] as HttpRequest;
    if (request.type === "http.request" && request.method === "GET" && request.path === MAPS && request.headers["User-Agent"]?.startsWith("kubectl") === true) lists.push(`${request.query?.["limit"] ?? "-"}${request.query?.["continue"] === undefined ? "" : "+"}`);
  }
  expect(state(sim).answers.every(({ response }) => response.status === 201)).toBe(true);
  const { out, err } = printed(sim, 2 * T);
  return { out: out + err, queries: lists };
}

const names = (text: string): readonly string[] => text.match(/\bm\d\b/g) ?? [];
const ALL = ["m0", "m1", "m2", "m3", "m4", "m5", "m6"];

test.each([
  ["get cm --chunk-size=3", ["3", "3+", "3+"], ALL],
  ["get cm --chunk-size=0", ["-"], ALL],
  ["get cm", ["500"], ALL],
  ["get cm -o name --chunk-size=4", ["4", "4+"], ALL],
  ["get cm -l odd=1 --chunk-size=2 --no-headers", ["2", "2+"], ["m1", "m3", "m5"]],
])("%s asks for pages of %j", (command, queries, shown) => {
  const result = typed(command);
  expect([result.queries, names(result.out)]).toEqual([queries, shown]);
  expect(result.out.match(/NAME/g)?.length ?? 0).toBe(command.includes("-o name") || command.includes("no-headers") ? 0 : 1);
});

test("describe follows the pages too; delete asks for everything at once", () => {
  expect(typed("describe cm --chunk-size=3").queries).toEqual(["3", "3+", "3+"]);
  const { queries, out } = typed("delete cm --all --wait=false");
  expect([queries, names(out)]).toEqual([["-"], ALL]);
});
