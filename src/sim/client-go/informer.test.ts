import { describe, expect, test } from "vitest";
import type { HttpRequest, WatchEvent, WatchSpec } from "../api/http.ts";
import { failure } from "../api/status-errors.ts";
import type { KubeObject } from "../api/types.ts";
import type { Message } from "../kernel/types.ts";
import { type FakeCtx, fakeCtx } from "../testdata/fake-ctx.ts";
import { type Change, emptyInformer, type Informer, startInformer, stepInformer, syncedInformer } from "./informer.ts";
import { backoffDelay, goType } from "./reflector-errors.ts";

const watch: WatchSpec = { component: "kube-scheduler", resource: "pods", path: "/api/v1/pods" };
const client = { userAgent: "kube-scheduler/v1.36.2", credential: { kind: "client-certificate", name: "system:kube-scheduler" } } as const;
const pod = (name: string, resourceVersion: string): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", resourceVersion } });
const END: KubeObject = { apiVersion: "v1", kind: "Pod", metadata: { resourceVersion: "120", annotations: { "k8s.io/initial-events-end": "true" } } };

class Rig {
  readonly ctx: FakeCtx = fakeCtx();
  informer: Informer;
  changes: Change[] = [];
  constructor(informer: Informer) {
    this.informer = informer;
  }
  step(message: object): this {
    const stepped = stepInformer(this.ctx, client, this.informer, message as Message);
    if (stepped === undefined) return this;
    this.informer = stepped.informer;
    this.changes.push(...stepped.changes);
    return this;
  }
  answer(status: number, body?: unknown, headers?: Readonly<Record<string, string>>): this {
    return this.step({ type: "http.response", request: this.informer.pending, status, body, headers });
  }
  event(type: WatchEvent["type"], object: object): this {
    return this.step({ type: "watch.event", stream: this.informer.stream, event: { type, object } });
  }
  /** Lets the retry timer fire; how long it waited. */
  fire(): number {
    const timer = this.ctx.timers.pop();
    if (timer === undefined) throw new Error("nothing is waited for");
    const waited = timer.at - this.ctx.now;
    this.ctx.now = timer.at;
    this.step(timer.message);
    return waited;
  }
  /** The last request's query without what is drawn; the word "list" or "watch" in front. */
  get asked(): string {
    const { query = {} } = (this.ctx.sent.at(-1)?.message ?? {}) as Partial<HttpRequest>;
    return [query["watch"] === "true" ? "watch" : "list", ...Object.entries(query).filter(([key]) => !["watch", "timeoutSeconds", "allowWatchBookmarks"].includes(key)).map(([key, value]) => `${key}=${value}`)].join(" ");
  }
  get logs(): readonly string[] {
    return this.ctx.notes.flatMap(({ log }) => (log === undefined ? [] : [log.line.slice(log.line.indexOf("]") + 2)]));
  }
}

function started(): Rig {
  const rig = new Rig(emptyInformer(watch));
  rig.informer = startInformer(rig.ctx, client, rig.informer);
  return rig;
}
const open = (): Rig => new Rig(syncedInformer(watch, [pod("a", "90")], "100"));
const STREAM = "watch resourceVersionMatch=NotOlderThan sendInitialEvents=true";
const FROM_100 = "watch resourceVersion=100 resourceVersionMatch=NotOlderThan sendInitialEvents=true";

describe("start", () => {
  test("one watch brings everything, and its bookmark says when that was all", () => {
    const rig = started();
    expect(rig.asked).toBe(STREAM);
    rig.answer(200).event("ADDED", pod("b", "12")).event("ADDED", pod("a", "7")).event("MODIFIED", pod("a", "110"));
    expect([rig.changes, rig.informer.phase]).toEqual([[], "streaming"]);
    rig.event("BOOKMARK", END);
    expect(rig.changes.map(({ type, object }) => `${type} ${object.metadata.name}@${object.metadata.resourceVersion}`)).toEqual(["add a@110", "add b@12"]);
    rig.event("DELETED", pod("a", "121"));
    expect([rig.changes.length, rig.informer.phase, rig.informer.resourceVersion]).toEqual([3, "synced", "121"]);
  });

  test("a server that cannot do that is asked for a list", () => {
    const rig = started().answer(422, failure(422, "Invalid", "sendInitialEvents is forbidden"));
    expect(rig.asked).toBe("list limit=500 resourceVersion=0");
    rig.answer(200, { metadata: { resourceVersion: "100" }, items: [pod("a", "90")] });
    expect([rig.changes.length, rig.asked]).toEqual([1, "watch resourceVersion=100"]);
    expect(rig.logs).toEqual([]);
  });

  test("what is forbidden is logged, and tried again ever more slowly", () => {
    const rig = started();
    const forbidden = failure(403, "Forbidden", 'pods is forbidden: User "x" cannot list resource "pods" in API group "" at the cluster scope');
    const waits = Array.from({ length: 8 }, () => rig.answer(403, forbidden).answer(403, forbidden).fire());
    expect(rig.logs[0]).toBe('"Failed to watch" err="failed to list *v1.Pod: pods is forbidden: User \\"x\\" cannot list resource \\"pods\\" in API group \\"\\" at the cluster scope" reflector="k8s.io/client-go/informers/factory.go:177" type="*v1.Pod"');
    expect(waits.map((wait, i) => wait >= Math.min(800_000 * 2 ** i, 30_000_000) && wait < Math.min(1_600_000 * 2 ** i, 60_000_000))).toEqual(waits.map(() => true));
    expect(rig.asked).toBe(STREAM);
  });

  test("two minutes without a wait begin a new row of waits", () => {
    const rig = started();
    for (let i = 0; i < 5; i++) rig.answer(429, "").fire();
    rig.ctx.now += 121_000_000;
    expect(rig.answer(429, "").fire()).toBeLessThan(1_600_000);
  });
});

describe("trouble with an open watch", () => {
  test.each<readonly [string, (rig: Rig) => unknown, string]>([
    ["the connection breaks: opened again at once, where it was", (rig) => rig.step({ type: "net.closed", peer: "kube-apiserver" }), "watch resourceVersion=100"],
    ["the door is shut: again after a wait, still where it was", (rig) => [rig.step({ type: "net.closed", peer: "kube-apiserver" }).step({ type: "net.error", hop: rig.informer.pending }), rig.fire()], "watch resourceVersion=100"],
    ["its time is over: opened again", (rig) => rig.step({ type: "watch.closed", stream: rig.informer.stream }), "watch resourceVersion=100"],
    ["410: everything anew, not older than what is known", (rig) => [rig.event("ERROR", failure(410, "Expired", "too old resource version: 100 (200)")), rig.fire()], FROM_100],
    ["429: the watch again after a wait", (rig) => [rig.event("ERROR", failure(429, "TooManyRequests", "")), rig.fire()], "watch resourceVersion=100"],
    ["401: everything anew", (rig) => [rig.step({ type: "watch.closed", stream: rig.informer.stream }).answer(401, failure(401, "Unauthorized", "Unauthorized")), rig.fire()], FROM_100],
    ["too large a resourceVersion: the newest", (rig) => [rig.event("ERROR", failure(410, "Expired", "")), rig.fire(), rig.answer(504, failure(504, "Timeout", "", { causes: [{ reason: "ResourceVersionTooLarge", message: "" }] }))], STREAM],
  ])("%s", (_, happen, asked) => {
    const rig = open();
    happen(rig);
    expect(rig.asked).toBe(asked);
  });

  test("Retry-After is waited for inside the request, and nobody hears of it", () => {
    const rig = open().step({ type: "watch.closed", stream: "kube-scheduler/pods" }).answer(503, "", { "Retry-After": "3" });
    expect([rig.fire(), rig.asked, rig.logs]).toEqual([3_000_000, "watch resourceVersion=100", []]);
  });

  test("401 is logged", () => {
    const rig = open().step({ type: "watch.closed", stream: "kube-scheduler/pods" }).answer(401, failure(401, "Unauthorized", "Unauthorized"));
    expect(rig.logs).toEqual(['"Failed to watch" err="Unauthorized" reflector="k8s.io/client-go/informers/factory.go:177" type="*v1.Pod"']);
  });
});

test.each([[0, 0, 800_000], [1, 0, 1_600_000], [5, 0, 25_600_000], [6, 0, 30_000_000], [40, 0, 30_000_000], [0, 799_999, 1_599_999], [0, 800_000, 800_000]])("back-off %i with draw %i is %i us", (attempts, draw, delay) => {
  expect(backoffDelay(attempts, draw)).toBe(delay);
});

test.each([["/apis/apps/v1/replicasets", "replicasets", "*v1.ReplicaSet"], ["/apis/example.com/v1/things", "things", "*unstructured.Unstructured"]])("the type behind %s", (path, resource, type) => {
  expect(goType({ component: "c", resource, path })).toBe(type);
});
