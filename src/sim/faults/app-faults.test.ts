import { describe, expect, it } from "vitest";
import { parseRfc3339 } from "../api/time.ts";
import type { EndpointSlice, Node, Pod } from "../api/types.ts";
import { create, fault, kubectl, pod, type Seen, see } from "../testdata/fault-run.ts";

const POD = "/registry/pods/default/p";
const HTTP = { httpGet: { path: "/", port: 80 } };
const c = { container: "c" };
const last = (seen: Seen): Pod => seen.last(POD) as Pod;
const status = (seen: Seen) => last(seen).status?.containerStatuses?.[0];
const unhealthy = (seen: Seen): readonly string[] => seen.events("p").filter((text) => text.startsWith("Unhealthy")).map((text) => text.replace(/10\.\d+\.\d+\.\d+/g, "IP"));
/** Seconds at which the container's exits are stored. */
const exits = (seen: Seen): readonly number[] => {
  const found: number[] = [];
  let before = "";
  for (const { at, object } of seen.all(POD)) {
    const own = (object as Pod | undefined)?.status?.containerStatuses?.[0];
    const finished = own?.state?.terminated?.finishedAt ?? own?.lastState?.terminated?.finishedAt ?? "";
    if (finished !== before && finished !== "") found.push(Math.round(at));
    before = finished ?? "";
  }
  return found;
};
const TIMEOUT = 'Get "http://IP:80/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)';

describe("app.crash", () => {
  /** Seconds between each end and the next start. */
  const gaps = (seen: Seen): readonly number[] => {
    const found = new Map<string, number>();
    for (const { object } of seen.all(POD)) {
      const { state, lastState } = (object as Pod | undefined)?.status?.containerStatuses?.[0] ?? {};
      const startedAt = state?.running?.startedAt ?? state?.terminated?.startedAt;
      const finishedAt = lastState?.terminated?.finishedAt;
      if (typeof startedAt === "string" && typeof finishedAt === "string") found.set(startedAt, (parseRfc3339(startedAt) - parseRfc3339(finishedAt)) / 1_000_000);
    }
    return [...found.values()];
  };

  it("is restarted at once, then after 10, 20, 40, 80 s, each up to half as long again; STATUS says Error for nearly all of it", () => {
    const seen = see(300, [create(1, pod("p")), fault(5, 280, "app.crash", { ...c, exitCode: 3 })], { look: [8, 12, 18, 25, 35, 50, 80, 295] });
    const measured = gaps(seen);
    expect(measured.length).toBeGreaterThanOrEqual(4);
    for (const [i, want] of [0, 10, 20, 40, 80].entries()) {
      const gap = measured[i] ?? want;
      expect(gap).toBeGreaterThanOrEqual(want);
      expect(gap).toBeLessThanOrEqual(want * 1.5 + 1);
    }
    expect(seen.rows("p").slice(0, 7).every((row) => /^0\/1 (Error|CrashLoopBackOff) \d/.test(row))).toBe(true);
    expect(seen.rows("p").filter((row) => row.includes("Error")).length).toBeGreaterThan(4);
    expect(status(seen)?.lastState?.terminated).toMatchObject({ exitCode: 3, reason: "Error" });
  });

  it("ten minutes of running are forgiven: the next restart is at once again", () => {
    const seen = see(1400, [create(1, pod("p")), fault(5, 60, "app.crash", c), fault(800, 801, "app.crash", { ...c, times: 1 })]);
    expect(gaps(seen).at(-1)).toBeLessThanOrEqual(2);
  });

  it("once is once", () => {
    expect(status(see(60, [create(1, pod("p")), fault(5, 50, "app.crash", { ...c, times: 1 })]))).toMatchObject({ restartCount: 1, ready: true });
  });
});

describe("app.not-ready", () => {
  it("is Running, but not ready, until the fault ends; nothing is restarted", () => {
    const seen = see(60, [create(1, pod("p", {}, { readinessProbe: { ...HTTP, periodSeconds: 2 }, livenessProbe: { ...HTTP, periodSeconds: 2 } })), fault(5, 40, "app.not-ready", c)], { look: [30, 50] });
    expect(seen.rows("p")).toEqual(["0/1 Running 0", "1/1 Running 0"]);
    expect(unhealthy(seen)).toEqual(["Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 503"]);
  });
});

describe("app.slow-start", () => {
  it("a liveness probe kills it before it is up, again and again; healed, it stays", () => {
    const seen = see(200, [fault(0, 100, "app.slow-start", c), create(1, pod("p", {}, { livenessProbe: { ...HTTP, periodSeconds: 5 } }))], { look: [90, 190] });
    expect(unhealthy(seen)).toEqual(["Unhealthy: Liveness probe failed: Get \"http://IP:80/\": dial tcp IP:80: connect: connection refused"]);
    expect(seen.events("p")).toContain("Killing: Container c failed liveness probe, will be restarted");
    expect(status(seen)?.restartCount).toBeGreaterThan(3);
    expect(seen.rows("p")[1]).toMatch(/^1\/1 Running/);
  });

  it("a startup probe holds the liveness probe back", () => {
    const seen = see(90, [fault(0, 900, "app.slow-start", c), create(1, pod("p", {}, { startupProbe: { ...HTTP, periodSeconds: 5, failureThreshold: 30 }, livenessProbe: { ...HTTP, periodSeconds: 5 } }))], { look: [50, 75] });
    expect(seen.rows("p")).toEqual(["0/1 Running 0", "1/1 Running 0"]);
    expect(unhealthy(seen)).toEqual(["Unhealthy: Startup probe failed: Get \"http://IP:80/\": dial tcp IP:80: connect: connection refused"]);
  });
});

describe("app.hang", () => {
  const liveness = { livenessProbe: { ...HTTP, periodSeconds: 5 } };

  it("deaf, it is killed by SIGKILL after the grace period, and restarted", () => {
    const seen = see(90, [create(1, pod("p", { terminationGracePeriodSeconds: 20 }, liveness)), fault(10, 900, "app.hang", c)]);
    expect(unhealthy(seen)).toEqual([`Unhealthy: Liveness probe failed: ${TIMEOUT}`]);
    expect(status(seen)).toMatchObject({ ready: true, restartCount: 1, lastState: { terminated: { exitCode: 137, reason: "Error" } } });
  });

  it("one that still hears SIGTERM ends at once", () => {
    const seen = see(60, [create(1, pod("p", {}, liveness)), fault(10, 900, "app.hang", { ...c, deaf: false })]);
    expect(status(seen)).toMatchObject({ ready: true, restartCount: 1, lastState: { terminated: { exitCode: 0 } } });
  });

  it.each([{ name: "without a liveness probe", probe: {} }, { name: "with one that only connects", probe: { livenessProbe: { tcpSocket: { port: 80 }, periodSeconds: 5 } } }])("$name it hangs for ever, not ready, until the fault ends", ({ probe }) => {
    const seen = see(300, [create(1, pod("p", {}, { ...probe, readinessProbe: { ...HTTP, periodSeconds: 5 } })), fault(10, 280, "app.hang", c)], { look: [270, 295] });
    expect(seen.rows("p")).toEqual(["0/1 Running 0", "1/1 Running 0"]);
    expect(unhealthy(seen)).toEqual([`Unhealthy: Readiness probe failed: ${TIMEOUT}`]);
  });
});

describe("memory", () => {
  it("app.oom: OOMKilled at the limit, no event for the kill, then back-off; healed, it runs", () => {
    const seen = see(120, [create(1, pod("p", {}, { resources: { limits: { memory: "128Mi" } } })), fault(5, 40, "app.oom", { ...c, afterSeconds: 0 })], { look: [12, 110] });
    expect(seen.rows("p")[0]).toMatch(/^0\/1 (OOMKilled|CrashLoopBackOff) /);
    expect(status(seen)).toMatchObject({ ready: true, lastState: { terminated: { exitCode: 137, reason: "OOMKilled" } } });
    expect(seen.reasons("p").filter((reason) => /OOM|Kill/.test(reason))).toEqual([]);
    expect(seen.reasons("p")).toContain("BackOff");
  });

  it("app.memory-leak: the time to the limit is the room over the rate", () => {
    const seen = see(60, [create(1, pod("p", {}, { resources: { limits: { memory: "210Mi" } } })), fault(5, 40, "app.memory-leak", { ...c, mibPerSecond: 10 })]);
    expect(exits(seen)[0]).toBeGreaterThanOrEqual(24);
    expect(exits(seen)[0]).toBeLessThanOrEqual(27);
    expect(status(seen)).toMatchObject({ ready: true, restartCount: 1, lastState: { terminated: { reason: "OOMKilled" } } });
  });

  it("without a limit the node is short: the leaking Pod is above its request and goes first", () => {
    const NODE = "worker-node-01";
    const seen = see(900, [create(1, pod("p", { nodeName: NODE }, { image: "busybox:1.36", command: ["sleep", "10000"] }), pod("other", { nodeName: NODE }, { resources: { requests: { memory: "64Mi" } } })), fault(5, 890, "app.memory-leak", { pod: "p", ...c, mibPerSecond: 9 })], { world: "three-nodes", look: [895] });
    expect(last(seen).status).toMatchObject({ phase: "Failed", reason: "Evicted" });
    expect(seen.rows("other")).toEqual(["1/1 Running 0"]);
    expect(seen.all(`/registry/minions/${NODE}`).some(({ object }) => (object as Node).status?.conditions?.some(({ type, status: is }) => type === "MemoryPressure" && is === "True"))).toBe(true);
  });
});

describe("app.ignores-sigterm", () => {
  it("is Terminating for its grace period, then killed", () => {
    const seen = see(40, [create(1, pod("p", { terminationGracePeriodSeconds: 12 })), fault(5, 900, "app.ignores-sigterm", c), kubectl(10, "delete", "pod", "p", "--wait=false")], { look: [21, 25] });
    expect(seen.rows("p")).toEqual(["1/1 Terminating 0", ""]);
    expect(seen.events("p")).toContain("Killing: Stopping container c");
    expect(seen.all(POD).flatMap(({ object }) => (object as Pod | undefined)?.status?.containerStatuses?.[0]?.state?.terminated?.exitCode ?? [])).toContain(137);
  });

  it("healed, it ends as before", () => {
    expect(see(20, [create(1, pod("p")), fault(3, 5, "app.ignores-sigterm", c), kubectl(10, "delete", "pod", "p", "--wait=false")], { look: [12] }).rows("p")).toEqual([""]);
  });
});

describe("readiness by turns, and late answers", () => {
  const ready = (seen: Seen): readonly (readonly [number, boolean])[] => {
    const found: (readonly [number, boolean])[] = [];
    for (const { at, object } of seen.all(seen.keys("/registry/endpointslices/default/web")[0] ?? "")) {
      const is = (object as EndpointSlice | undefined)?.endpoints?.[0]?.conditions?.ready;
      if (is !== undefined && is !== found.at(-1)?.[1]) found.push([Math.round(at), is]);
    }
    return found;
  };
  const web = { apiVersion: "v1", kind: "Service", metadata: { name: "web" }, spec: { selector: { app: "p" }, ports: [{ port: 80 }] } };

  it("app.flapping: its endpoint comes and goes with each half of the period", () => {
    const seen = see(100, [create(1, web, pod("p", {}, { readinessProbe: { ...HTTP, periodSeconds: 1 } })), fault(10, 75, "app.flapping", { ...c, periodSeconds: 20 })]);
    expect(ready(seen).slice(1).map(([, is]) => is)).toEqual([true, false, true, false, true, false, true, false, true].slice(0, ready(seen).length - 1));
    expect(ready(seen).filter(([at]) => at > 10).map(([at]) => at)).toEqual([13, 21, 33, 41, 53, 61, 73, 76]);
    expect(unhealthy(seen)).toEqual(["Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 503"]);
  });

  it("app.slow-answers: a probe that waits for a second fails, one that waits for two does not", () => {
    const probe = (timeoutSeconds: number): object => ({ readinessProbe: { ...HTTP, periodSeconds: 5, timeoutSeconds } });
    const seen = see(60, [create(1, pod("p", {}, probe(1)), pod("q", {}, probe(2))), fault(10, 45, "app.slow-answers", c)], { look: [8, 40, 55] });
    expect(seen.rows("p")).toEqual(["1/1 Running 0", "0/1 Running 0", "1/1 Running 0"]);
    expect(seen.rows("q")).toEqual(["1/1 Running 0", "1/1 Running 0", "1/1 Running 0"]);
    expect(unhealthy(seen)).toEqual([`Unhealthy: Readiness probe failed: ${TIMEOUT}`]);
  });

  it("of two faults in two containers each keeps its own", () => {
    const two = pod("p", { containers: [{ name: "a", image: "nginx:1.27" }, { name: "b", image: "redis:7.4" }] });
    const seen = see(60, [create(1, two), fault(10, 900, "app.crash", { container: "a", exitCode: 3, times: 1 }), fault(10, 900, "app.crash", { container: "b", exitCode: 4, times: 1 })]);
    expect(last(seen).status?.containerStatuses?.map(({ lastState }) => lastState?.terminated?.exitCode)).toEqual([3, 4]);
  });
});
