import { describe, expect, test } from "vitest";
import { TraceIndex } from "../../trace/trace-index.ts";
import { SECOND } from "../api/time.ts";
import type { KubeObject, Node, Pod } from "../api/types.ts";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { Sample } from "./sample.ts";
import { applyText } from "./scenario.ts";
import { SAMPLES } from "./samples.ts";

/** The store while a sample is played to its end. */
class Played {
  readonly sample: Sample;
  private readonly sim: Simulation;
  private readonly index: TraceIndex;

  constructor(id: string) {
    this.sample = SAMPLES.find((s) => s.id === id) as Sample;
    const cluster = createCluster({ world: this.sample.world ?? "ten-nodes", seed: 1, profile: "quiet", inputs: [applyText(this.sample.file, this.sample.text, 0), ...(this.sample.after ?? [])] });
    this.sim = Simulation.create(cluster.config, cluster.inputs);
    this.sim.run(this.end);
    this.index = new TraceIndex(this.sim.trace, cluster.base);
  }

  get end(): number {
    return this.sample.until ?? 30 * SECOND;
  }

  list<T extends KubeObject>(resource: string, at = this.end): T[] {
    return this.index.objectsAt(`/registry/${resource}/`, at).map((entry) => entry.object as T);
  }

  get<T extends KubeObject>(resource: string, name: string, at = this.end): T | undefined {
    return this.list<T>(resource, at).find((o) => o.metadata.name === name && (o.metadata.namespace ?? "default") === "default");
  }

  /** Keys of all that were ever made. */
  createdIn(resource: string): string[] {
    return this.sim.trace.revisions.flatMap(({ key, verb }) => (verb === "create" && key.startsWith(`/registry/${resource}/`) ? [key] : []));
  }

  /** Pods of this sample, by name. */
  pods(at = this.end): Pod[] {
    return this.list<Pod>("pods", at).filter((p) => (p.metadata.ownerReferences ?? []).length > 0 && p.metadata.namespace === "default");
  }
}

const isReady = (pod: Pod): boolean => (pod.status?.conditions ?? []).some((c) => c.type === "Ready" && c.status === "True");
const status = (object: KubeObject | undefined): Readonly<Record<string, unknown>> => (object?.status ?? {}) as Readonly<Record<string, unknown>>;
const image = (pod: Pod): string => pod.spec.containers[0]?.image ?? "";
const events = (played: Played, reason: string, at?: number): string[] => played.list<KubeObject & { readonly reason?: string; readonly note?: string; readonly message?: string }>("events", at).filter((e) => e.reason === reason).map((e) => e.note ?? e.message ?? "");

describe("samples end as they say", () => {
  test("rolling: all new, never fewer than four ready", () => {
    const played = new Played("rolling");
    expect(played.pods().map(image)).toEqual(Array.from({ length: 4 }, () => "nginx:1.28"));
    for (let at = 8; at < 30; at += 0.5) {
      const pods = played.pods(at * SECOND).filter((p) => !p.metadata.deletionTimestamp);
      expect(pods.filter(isReady).length, `at ${at} s`).toBeGreaterThanOrEqual(4);
      expect(pods.length, `at ${at} s`).toBeLessThanOrEqual(5);
    }
  });

  test("night: of nine runs one is held back, one missed, one fails; three and one are kept", () => {
    const played = new Played("night");
    const jobs = played.list("jobs").map((job) => [job.metadata.annotations?.["batch.kubernetes.io/cronjob-scheduled-timestamp"]?.slice(11, 16), status(job)["succeeded"] ?? 0]);
    expect(jobs).toEqual([["00:30", 1], ["02:30", 1], ["04:30", 0], ["05:30", 1]]);
    expect(played.createdIn("jobs")).toHaveLength(7);
    expect(played.get("cronjobs", "report", 6 * 3600 * SECOND)?.status).toMatchObject({ lastScheduleTime: "2026-01-01T05:30:00Z" });
    expect(events(played, "JobAlreadyActive", 4.6 * 3600 * SECOND)).toEqual(["Not starting job because prior execution is running and concurrency policy is Forbid"]);
  });

  test("autoscaler: one Pod, more under load, one again", () => {
    const played = new Played("autoscaler");
    const replicas = (at: number): Pod[] => played.pods(at * SECOND).filter((p) => !p.metadata.deletionTimestamp);
    expect(replicas(20)).toHaveLength(1);
    expect(replicas(200).length).toBeGreaterThanOrEqual(3);
    expect(replicas(200).every(isReady)).toBe(true);
    expect(replicas(600)).toHaveLength(1);
    expect(played.list<Pod>("pods").filter((p) => p.metadata.name === "load")).toEqual([]);
    expect(events(played, "SuccessfulRescale")).toContain("New size: 1; reason: All metrics below target");
  });

  test("rollback: back to the first template, as revision 3", () => {
    const played = new Played("rollback");
    expect(played.pods(14 * SECOND).map(image)).toContain("nginx:1.72");
    expect(played.pods().filter(isReady).map(image)).toEqual(["nginx:1.27", "nginx:1.27", "nginx:1.27"]);
    expect(played.get("deployments", "web")?.metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("3");
  });

  test("spread: two Pods in each zone", () => {
    const played = new Played("spread");
    const zones = new Map(played.list<Node>("minions").map((n) => [n.metadata.name, n.metadata.labels?.["topology.kubernetes.io/zone"]]));
    expect(played.pods().map((p) => zones.get(p.spec.nodeName ?? "")).sort()).toEqual(["eu-west-1a", "eu-west-1a", "eu-west-1b", "eu-west-1b", "eu-west-1c", "eu-west-1c"]);
  });

  test("preemption: the urgent Pod runs, one of the others waits", () => {
    const played = new Played("preemption");
    const urgent = played.get<Pod>("pods", "urgent");
    expect([urgent?.spec.nodeName, urgent?.status?.phase, urgent?.status?.nominatedNodeName]).toEqual(["worker-node-08", "Running", undefined]);
    expect(played.pods().map((p) => p.status?.phase).sort()).toEqual(["Pending", "Running"]);
    expect(events(played, "Preempted")[0]).toMatch(/^Preempted by pod \S+ on node worker-node-08$/);
  });

  test("statefulset: three Pods, three disks, the same disk again", () => {
    const played = new Played("statefulset");
    const volume = (at: number) => (played.get("persistentvolumeclaims", "data-db-2", at)?.spec as { volumeName?: string } | undefined)?.volumeName;
    expect(played.pods().map((p) => [p.metadata.name, isReady(p)])).toEqual([["db-0", true], ["db-1", true], ["db-2", true]]);
    expect(played.pods(29 * SECOND).map((p) => p.metadata.name)).toEqual(["db-0", "db-1"]);
    expect(volume(played.end)).toBe(volume(18 * SECOND));
    expect(played.list("persistentvolumes")).toHaveLength(3);
  });

  test("daemonset: the new node gets its Pod", () => {
    const played = new Played("daemonset");
    const on = (at?: number) => played.pods(at).flatMap((p) => (p.status?.phase === "Running" ? [p.spec.nodeName] : [])).sort();
    expect(on(60 * SECOND)).toEqual(["worker-node-01", "worker-node-04", "worker-node-07"]);
    expect(on()).toEqual(["worker-node-01", "worker-node-04", "worker-node-07", "worker-node-08"]);
  });

  test("job: two failures, then done", () => {
    const played = new Played("job");
    expect(status(played.get("jobs", "sums"))).toMatchObject({ failed: 2, succeeded: 1 });
    expect(events(played, "Completed")).toEqual(["Job completed"]);
  });

  test("cronjob: the last three Jobs are kept", () => {
    const played = new Played("cronjob");
    expect(played.list("jobs").map((job) => status(job)["succeeded"])).toEqual([1, 1, 1]);
    expect(events(played, "SuccessfulDelete").length).toBeGreaterThan(0);
  });

  test("drain: the budget is kept, the node is empty at the end", () => {
    const played = new Played("drain");
    expect(played.pods(7 * SECOND).map((p) => p.spec.nodeName)).toEqual(["worker-node-05", "worker-node-05"]);
    for (let at = 8; at < 30; at += 0.5) expect(played.pods(at * SECOND).filter((p) => isReady(p) && !p.metadata.deletionTimestamp).length, `at ${at} s`).toBeGreaterThanOrEqual(1);
    expect(played.pods().map((p) => [p.spec.nodeName === "worker-node-05", isReady(p)])).toEqual([[false, true], [false, true]]);
    expect(played.get<Node>("minions", "worker-node-05")?.spec?.unschedulable).toBe(true);
  });

  test("node-dies: three ready Pods elsewhere, one that cannot end", () => {
    const played = new Played("node-dies");
    expect(played.pods().filter((p) => isReady(p) && !p.metadata.deletionTimestamp && p.spec.nodeName !== "worker-node-03")).toHaveLength(3);
    expect(played.pods().filter((p) => p.metadata.deletionTimestamp && p.spec.nodeName === "worker-node-03")).toHaveLength(1);
  });
});
