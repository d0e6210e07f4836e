import { expect, test } from "vitest";
import { audited, differentRequest } from "./audit-log.ts";
import { differentObject } from "./same-object.ts";
import { atMoment, inRandomOrder, sameOutput, withoutListVersion, wordsOf } from "./same-output.ts";
import { shifter } from "./shifted-time.ts";

test.each([
  { name: "an age a second later", want: "web   1/1   2m59s", got: "web   1/1   3m", volatile: [], same: true },
  { name: "an age two seconds later", want: "web 40s", got: "web 42s", volatile: [], same: false },
  { name: "another word", want: "web Running 4s", got: "web Pending 4s", volatile: [], same: false },
  { name: "fewer ages", want: "web 4s", got: "web", volatile: [], same: false },
  { name: "a random suffix, named volatile", want: "pod/a-bcdf2 created", got: "pod/a-xxzz4 created", volatile: ["randomSuffix"], same: true },
  { name: "a random suffix, not named", want: "pod/a-bcdf2 created", got: "pod/a-xxzz4 created", volatile: [], same: false },
  { name: "lines in another order", want: "a\nb\n", got: "b\na\n", volatile: ["order"], same: true },
])("$name", ({ want, got, volatile, same }) => {
  expect(sameOutput(want, got, volatile)).toBe(same);
});

test("times move to the simulation's epoch, in both forms", () => {
  const { text, object } = shifter(Date.parse("2026-11-30T20:07:28Z") / 1_000);
  expect(text("Start Time: Mon, 30 Nov 2026 20:06:28 +0000, at 2026-11-30T20:07:29.5Z")).toBe("Start Time: Wed, 31 Dec 2025 23:59:00 +0000, at 2026-01-01T00:00:01.5Z");
  expect(object({ a: ["2026-11-30T20:07:28Z"], b: 1, c: null })).toEqual({ a: ["2026-01-01T00:00:00Z"], b: 1, c: null });
});

const get = (uri: string, code: number | null = 200, verb = "get"): { readonly verb: string; readonly uri: string; readonly code: number | null } => ({ verb, uri, code });

test.each([
  { name: "discovery and OpenAPI are left out", want: [get("/api?timeout=32s"), get("/openapi/v3?timeout=32s", 304), get("/a")], got: [get("/a")], same: true },
  { name: "but not what the user asked for", want: [get("/api")], got: [], same: false },
  { name: "parameters in another order", want: [get("/a?x=1&y=a%2Cb")], got: [get("/a?y=a,b&x=1")], same: true },
  { name: "terms of a field selector in another order", want: [get("/a?fieldSelector=b%3D1%2Ca%3D2")], got: [get("/a?fieldSelector=a=2,b=1")], same: true },
  { name: "another parameter", want: [get("/a?limit=500")], got: [get("/a")], same: false },
  { name: "another answer", want: [get("/a")], got: [get("/a", 404)], same: false },
  { name: "another order", want: [get("/a"), get("/b")], got: [get("/b"), get("/a")], same: false },
  { name: "lists in another order", want: [get("/a", 200, "list"), get("/b", 200, "list")], got: [get("/b", 200, "list"), get("/a", 200, "list")], same: true },
  { name: "a request more", want: [get("/a")], got: [get("/a"), get("/a")], same: false },
  { name: "watches by their path", want: [get("/a?watch=true&timeoutSeconds=300", 200, "watch")], got: [get("/a?watch=true", 200, "watch")], same: true },
  { name: "one that was cut off", want: [get("/a", null)], got: [], same: true },
])("requests: $name", ({ want, got, same }) => {
  expect(differentRequest(want, got) === undefined).toBe(same);
});

test("a request is told as the audit log does", () => {
  expect(audited({ type: "http.request", method: "GET", path: "/api/v1/pods", query: { command: "tar&command=/a" }, headers: {}, credential: { kind: "none", name: "" } }, 200)).toEqual({ verb: "list", uri: "/api/v1/pods?command=tar&command=%2Fa", code: 200 });
});

const [OLD, NEW, OTHER] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"];
const START = Date.parse("2026-01-01T00:00:05Z") / 1_000;

test.each([
  { name: "another revision", want: { metadata: { resourceVersion: "5" } }, got: { metadata: { resourceVersion: "6" } }, same: true },
  { name: "a new uid, everywhere the same", want: { metadata: { uid: NEW }, spec: { owner: NEW } }, got: { metadata: { uid: OTHER }, spec: { owner: OTHER } }, same: true },
  { name: "a new uid, elsewhere another", want: { metadata: { uid: NEW }, spec: { owner: NEW } }, got: { metadata: { uid: OTHER }, spec: { owner: NEW } }, same: false },
  { name: "the uid of an old object", want: { metadata: { uid: OLD } }, got: { metadata: { uid: OTHER } }, same: false },
  { name: "a second later", want: { metadata: { creationTimestamp: "2026-01-01T00:00:05Z" } }, got: { metadata: { creationTimestamp: "2026-01-01T00:00:06Z" } }, same: true },
  { name: "a second later, long ago", want: { metadata: { creationTimestamp: "2025-01-01T00:00:05Z" } }, got: { metadata: { creationTimestamp: "2025-01-01T00:00:06Z" } }, same: false },
  { name: "two seconds later", want: { metadata: { creationTimestamp: "2026-01-01T00:00:05Z" } }, got: { metadata: { creationTimestamp: "2026-01-01T00:00:07Z" } }, same: false },
  { name: "a field more", want: { metadata: {} }, got: { metadata: {}, status: {} }, same: false },
  { name: "managed fields that were not recorded", want: { metadata: {} }, got: { metadata: { managedFields: [] } }, same: true },
  { name: "another cluster IP", want: { metadata: {}, spec: { clusterIP: "10.96.0.9", clusterIPs: ["10.96.0.9"] } }, got: { metadata: {}, spec: { clusterIP: "10.96.1.1", clusterIPs: ["10.96.1.1"] } }, same: true },
  { name: "two cluster IPs that do not agree", want: { metadata: {}, spec: { clusterIP: "10.96.0.9", clusterIPs: ["10.96.0.9"] } }, got: { metadata: {}, spec: { clusterIP: "10.96.1.1", clusterIPs: ["10.96.1.2"] } }, same: false },
  { name: "nothing", want: { metadata: {} }, got: undefined, same: false },
])("objects: $name", ({ want, got, same }) => {
  expect(differentObject(want, got, false, [START, START + 1], (value) => value === OLD) === undefined).toBe(same);
});

test("what Go orders at random, what the dump does not tell, and the server's clock", () => {
  expect(["jsonpath={..image}", "jsonpath={.a.*}", "jsonpath={.items[*].a}", "go-template={{.a..b}}"].map((format) => inRandomOrder(["get", "pods", "-o", format]))).toEqual([true, true, false, false]);
  expect(wordsOf("b a\nc")).toBe(wordsOf("c b a"));
  const list = '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"resourceVersion":"8"}}]}';
  expect(withoutListVersion(list, ["get", "--raw", "/x"])).toBe(list.replace('"7"', '"<rv>"'));
  expect(withoutListVersion(list, ["get", "pods"])).toBe(list);
  expect(atMoment("at 2026-01-01T00:00:05Z", "at 2026-01-01T00:00:06Z", [START, START])).toBe("at 2026-01-01T00:00:05Z");
  expect(atMoment("at 2026-01-01T00:00:05Z", "at 2026-01-01T00:00:06Z", [START + 9, START + 9])).toBe("at 2026-01-01T00:00:06Z");
});
