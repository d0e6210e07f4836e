import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../api/types.ts";
import { answers, body, http, PODS, podBody, run, state, T } from "../../testdata/control-plane.ts";
import { addEvent, type CacheEvent, eventsAfter, newCache, objectsAt, oldestRevision, type ResourceCache } from "./cache.ts";
import { resourceForPath } from "../../api/schema/resources.ts";

const pods = resourceForPath("v1", "pods");
if (pods === undefined) throw new Error("no pods");

const object = (name: string, revision: number): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", resourceVersion: `${revision}` } });
const event = (name: string, revision: number, at: number, previous?: number, deleted = false): CacheEvent => ({ revision, at, object: object(name, revision), previous: previous === undefined ? undefined : object(name, previous), deleted });
/** `n` updates of one object, `every` microseconds apart, from revision 101 on. */
function updates(n: number, every: number): ResourceCache {
  let cache = newCache(pods as NonNullable<typeof pods>, [object("a", 100)], 100);
  for (let i = 1; i <= n; i++) cache = addEvent(cache, event("a", 100 + i, i * every, 99 + i));
  return cache;
}

describe("history", () => {
  test.each([
    ["100 changes fit", updates(100, 1_000_000), 100, 100],
    ["slow changes: the oldest goes", updates(150, 1_000_000), 150, 100],
    ["fast changes: the history doubles until it covers 75 s", updates(150, 1_000), 100, 200],
    ["1,000 fast ones", updates(1_000, 1_000), 100, 1_600],
  ])("%s", (_, cache, oldest, capacity) => {
    expect(oldestRevision(cache)).toBe(oldest);
    expect(cache.capacity).toBe(capacity);
    expect(eventsAfter(cache, oldest)?.length).toBe(cache.end - cache.start);
    expect(eventsAfter(cache, oldest - 1)).toBeUndefined();
  });

  test("it shrinks when three quarters of it are stale", () => {
    let cache = updates(250, 1_000);
    expect(cache.capacity).toBe(400);
    for (let i = 251; i <= 520; i++) cache = addEvent(cache, event("a", 100 + i, 200_000_000 + i * 2_000_000, 99 + i));
    expect(cache.capacity).toBe(100);
  });

  test("the past can be read back", () => {
    let cache = newCache(pods, [object("a", 90), object("b", 95)], 100);
    cache = addEvent(cache, event("a", 101, 1, 90));
    cache = addEvent(cache, event("c", 102, 2));
    cache = addEvent(cache, event("b", 103, 3, 95, true));
    const at = (revision: number): string[] | undefined => objectsAt(cache, revision)?.sortedValues().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
    expect(at(103)).toEqual(["a@101", "c@102"]);
    expect(at(102)).toEqual(["a@101", "b@95", "c@102"]);
    expect(at(101)).toEqual(["a@101", "b@95"]);
    expect(at(100)).toEqual(["a@90", "b@95"]);
    expect(at(99)).toBeUndefined();
  });
});

const create = (at: number, name: string) => http(at, { method: "POST", path: PODS, body: podBody(name) });
const get = (at: number, query: Readonly<Record<string, string>>, path = PODS) => http(at, { path, query });
const FIVE = ["a", "b", "c", "d", "e"].map((name, i) => create(T + i * 10_000, name));
const listed = (i: number, sim: ReturnType<typeof run>): unknown => {
  const { items, metadata } = body(answers(sim)[i]) as unknown as { items: KubeObject[]; metadata: object };
  return { names: items.map((item) => item.metadata.name), ...metadata };
};

describe("lists", () => {
  test("are cut into pages that show one moment, whatever is written meanwhile", () => {
    const first = run([...FIVE, get(2 * T, { limit: "2" })], 3 * T);
    expect(listed(5, first)).toEqual({ names: ["a", "b"], resourceVersion: "105", continue: expect.any(String) as string, remainingItemCount: 3 });
    const { continue: token } = listed(5, first) as { continue: string };
    expect(atob(token)).toBe('{"v":"meta.k8s.io/v1","rv":105,"start":"b\\u0000"}');
    const second = run([...FIVE, get(2 * T, { limit: "2" }), http(2.1 * T, { method: "DELETE", path: `${PODS}/c` }), create(2.2 * T, "bb"), get(2.3 * T, { limit: "2", continue: token }), get(2.4 * T, {})], 3 * T);
    expect(listed(8, second)).toEqual({ names: ["c", "d"], resourceVersion: "105", continue: expect.any(String) as string, remainingItemCount: 1 });
    expect(listed(9, second)).toEqual({ names: ["a", "b", "bb", "d", "e"], resourceVersion: "107" });
  });

  test.each<readonly [string, Readonly<Record<string, string>>, number, string]>([
    ["an exact revision", { resourceVersion: "102", resourceVersionMatch: "Exact" }, 200, "a,b"],
    ["limit alone has always meant exactly", { resourceVersion: "102", limit: "9" }, 200, "a,b"],
    ["not older is the newest there is", { resourceVersion: "102", resourceVersionMatch: "NotOlderThan", limit: "9" }, 200, "a,b,c,d,e"],
    ["what is forgotten", { resourceVersion: "3", resourceVersionMatch: "Exact" }, 410, "The resourceVersion for the provided list is too old."],
    ["the future, after 3 s", { resourceVersion: "9999" }, 504, "Timeout: Too large resource version: 9999, current: 105"],
    ["a match without a version", { resourceVersionMatch: "Exact" }, 422, 'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided'],
    ["exactly anything", { resourceVersion: "0", resourceVersionMatch: "Exact" }, 422, 'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"'],
    ["a word for a match", { resourceVersion: "1", resourceVersionMatch: "Newest" }, 422, 'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Newest": supported values: "Exact", "NotOlderThan", ""'],
    ["a word for a version", { resourceVersion: "new" }, 500, 'resourceVersion: Invalid value: "new": strconv.ParseUint: parsing "new": invalid syntax'],
    ["a token that is none", { continue: "!" }, 400, "invalid continue token: continue key is not valid: illegal base64 data at input byte 0"],
    ["initial events without a watch", { sendInitialEvents: "true" }, 422, 'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
  ])("%s", (_, query, code, text) => {
    const sim = run([...FIVE, get(2 * T, query)], 6 * T);
    const response = answers(sim)[5];
    expect(response?.status).toBe(code);
    expect(code === 200 ? (body(response).items ?? []).map(({ metadata }) => metadata.name).join() : body(response).message).toBe(text);
  });

  test("a page whose list is forgotten is refused with a token to go on with", () => {
    const token = btoa('{"v":"meta.k8s.io/v1","rv":7,"start":"default/b\\u0000"}').replaceAll("=", "");
    const sim = run([...FIVE, get(2 * T, { limit: "2", continue: token }, "/api/v1/pods")], 3 * T);
    const { status, body: answer } = answers(sim)[5] ?? {};
    expect(status).toBe(410);
    const next = (answer as { metadata: { continue: string } }).metadata.continue;
    const on = run([...FIVE, get(2 * T, { limit: "2", continue: next }, "/api/v1/pods")], 3 * T);
    expect(listed(5, on)).toMatchObject({ names: ["c", "d"], resourceVersion: "105" });
  });
});

describe("watches", () => {
  const watch = (at: number, stream: string, query: Readonly<Record<string, string>>) => http(at, { path: PODS, stream, query: { watch: "true", ...query } });
  const seen = (sim: ReturnType<typeof run>, stream: string): string[] => state(sim).events.filter(({ message }) => message.stream === stream).map(({ at, message: { event: { type, object: told } } }) => `${Math.floor(at / T)} ${type} ${told.metadata?.name ?? ""}@${told.metadata?.resourceVersion ?? (told as unknown as { message: string }).message}`);

  test("bookmarks come once a minute and just before the end, to those who asked", () => {
    const sim = run([...FIVE, watch(2 * T, "with", { allowWatchBookmarks: "true", resourceVersion: "105", timeoutSeconds: "100" }), watch(2 * T, "without", { resourceVersion: "105", timeoutSeconds: "100" }), create(80 * T, "f")], 110 * T);
    expect(seen(sim, "with")).toEqual(["63 BOOKMARK @105", "80 ADDED f@106", "101 BOOKMARK @106"]);
    expect(seen(sim, "without")).toEqual(["80 ADDED f@106"]);
  });

  test("one that starts too far back gets 200 and then the error 410", () => {
    const sim = run([...FIVE, watch(2 * T, "old", { resourceVersion: "5" })], 3 * T);
    expect(answers(sim)[5]?.status).toBe(200);
    expect(seen(sim, "old")).toEqual(["2 ERROR @too old resource version: 5 (100)"]);
  });

  test("initial events end with an annotated bookmark", () => {
    const sim = run([...FIVE, watch(2 * T, "list", { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: "true" })], 3 * T);
    expect(seen(sim, "list")).toEqual(["2 ADDED a@101", "2 ADDED b@102", "2 ADDED c@103", "2 ADDED d@104", "2 ADDED e@105", "2 BOOKMARK @105"]);
    expect(state(sim).events.at(-1)?.message.event.object.metadata.annotations).toEqual({ "k8s.io/initial-events-end": "true" });
  });
});
