import { beforeAll, describe, expect, test } from "vitest";
import { createCluster } from "../sim/cluster.ts";
import { Simulation } from "../sim/kernel/simulation.ts";
import type { RunInput } from "../sim/scenarios/recipe.ts";
import { SAMPLES } from "../sim/scenarios/samples.ts";
import { applySample, applyText } from "../sim/scenarios/scenario.ts";
import type { WaitKind, WaitView } from "./protocol-waits.ts";
import { waitsAt } from "./waits.ts";

const SECOND = 1_000_000;

function played(inputs: readonly RunInput[], seconds: number, world = "ten-nodes"): Simulation {
  const cluster = createCluster({ world, seed: 1, profile: "quiet", inputs });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(seconds * SECOND);
  return sim;
}

const sample = (id: string, seconds: number): Simulation => {
  const found = SAMPLES.find((one) => one.id === id);
  return played([applySample(id, 0), ...(found?.after ?? [])], seconds, found?.world);
};

const all = (sim: Simulation, seconds: number): readonly WaitView[] => waitsAt(seconds * SECOND, (id) => (sim.trace.components.includes(id) ? sim.stateAt(id, seconds * SECOND) : undefined), sim.trace);

const of = (sim: Simulation, seconds: number, kind: WaitKind, name = "default/"): WaitView[] => all(sim, seconds).filter((wait) => wait.kind === kind && (wait.name.startsWith(name) || wait.about.startsWith(name)));

const seconds = (micros: readonly number[]): number[] => micros.map((one) => one / SECOND);

/** Times at which notes begin with a text, in seconds. */
const said = (sim: Simulation, text: string): number[] => Array.from({ length: sim.trace.noteCount }, (_, i) => sim.trace.note(i)).filter((note) => note.text.startsWith(text)).map((note) => note.at / SECOND);

/** When a container was started, by the runtime's own book. */
const starts = (sim: Simulation, component: string): number[] => {
  const { trace } = sim;
  return Array.from({ length: trace.mailCount }, (_, i) => trace.hop(i)).filter((hop) => hop.kind === "hop" && hop.to === component && hop.verb === "StartContainer").map((hop) => hop.sentAt / SECOND);
};

describe("crash loop", () => {
  let sim: Simulation;
  beforeAll(() => {
    sim = sample("crash", 200);
  });

  test("the ladder is 10, 20, 40, 80, 160, 300 s, and each crash stands one rung higher", () => {
    const seen = new Map<number, WaitView>();
    for (let t = 1; t < 200; t++) for (const wait of of(sim, t, "crash-loop")) seen.set(wait.since ?? 0, wait);
    const waits = [...seen.values()];
    expect(waits.map(({ rung }) => rung)).toEqual([0, 1, 2, 3, 4]);
    expect(waits.map(({ since = 0, until = 0 }) => (until - since) / SECOND)).toEqual([10, 20, 40, 80, 160]);
    for (const wait of waits) expect(seconds(wait.ladder)).toEqual([10, 20, 40, 80, 160, 300]);
    // The first restart of all comes at once: nothing was counted yet. The last wait is not over.
    expect(waits.length).toBe(starts(sim, "containerd@worker-node-01").length - 1);
  });

  test("the container starts when the Pod worker wakes, which is after the end of the back-off", () => {
    const [wait] = of(sim, 25, "crash-loop");
    expect(wait?.part).toBe("container app");
    const { until = 0, effect } = wait ?? {};
    expect(effect?.at).toBeGreaterThan(until);
    const next = starts(sim, "containerd@worker-node-01").find((at) => at > 25) ?? 0;
    expect(next).toBeGreaterThanOrEqual((effect?.at ?? 0) / SECOND);
    expect(next).toBeLessThan((effect?.at ?? 0) / SECOND + 0.5);
  });

  test("a back-off of more than a minute is slept through in portions: the wake comes before the end, and says so", () => {
    const [wait] = of(sim, 100, "crash-loop");
    expect(wait?.rung).toBe(3);
    expect(wait?.effect?.at).toBeLessThan(wait?.until ?? 0);
    expect(wait?.effect?.what).toContain("sleeps again");
  });

  test("between the end of the back-off and the start the Pod waits for its worker", () => {
    const [wait] = of(sim, 25, "crash-loop");
    const after = Math.ceil((wait?.until ?? 0) / SECOND);
    expect(of(sim, after, "crash-loop")).toEqual([]);
    expect(of(sim, after, "pod-worker")[0]).toMatchObject({ until: wait?.effect?.at, weight: 55 });
  });

  test("nothing waits while the container runs, nor before it has ended twice", () => {
    const running = starts(sim, "containerd@worker-node-01").map((at) => at + 1);
    for (const at of running) expect(of(sim, at, "crash-loop")).toEqual([]);
  });
});

test("a container that is not to be restarted is in no back-off", () => {
  const manifest = `apiVersion: v1\nkind: Pod\nmetadata: {name: once}\nspec:\n  restartPolicy: Never\n  containers:\n  - {name: app, image: "busybox:1.36", command: [sh, -c, "exit 1"]}\n`;
  const sim = played([applyText("p.yaml", manifest, 0)], 20);
  for (let t = 1; t <= 20; t++) expect(of(sim, t, "crash-loop")).toEqual([]);
});

test("an image that is not there: the pull back-off has the rungs, keeps the error, and a pull comes only after it", () => {
  const sim = sample("typo", 70);
  const [first] = of(sim, 5, "image-pull");
  const [second] = of(sim, 20, "image-pull");
  expect([first?.rung, second?.rung]).toEqual([0, 1]);
  expect(second).toMatchObject({ part: "image ngnix:1.27", about: "/registry/pods/default/typo" });
  expect(second?.facts.find(([name]) => name === "Last error")?.[1]).toMatch(/^ErrImagePull: /);
  const pulls = Array.from({ length: sim.trace.mailCount }, (_, i) => sim.trace.hop(i)).filter((hop) => hop.verb === "PullImage").map((hop) => hop.sentAt);
  for (const wait of [first, second]) expect(pulls.filter((at) => at > (wait?.since ?? 0) && at < (wait?.until ?? 0))).toEqual([]);
  expect(pulls.some((at) => at >= (second?.until ?? Number.POSITIVE_INFINITY))).toBe(true);
});

test("a Pod that fits nowhere: a back-off of 1 s that lasts until its second is over, then only the look after five minutes", () => {
  const sim = sample("greedy", 3);
  const [backoff] = of(sim, 1, "scheduler-backoff");
  expect(backoff).toMatchObject({ component: "kube-scheduler", rung: 0, until: 2 * SECOND });
  expect(seconds(backoff?.ladder ?? [])).toEqual([1, 2, 4, 8, 10]);
  expect(of(sim, 2, "scheduler-backoff")).toEqual([]);
  // Parked at 0.1 s, for more than 300 s; looked at each 30 s.
  expect(of(sim, 2, "unschedulable")[0]?.until).toBe(330 * SECOND);
});

test("a Pod with a gate waits for no time at all", () => {
  const manifest = `apiVersion: v1\nkind: Pod\nmetadata: {name: held}\nspec:\n  schedulingGates: [{name: example.com/gate}]\n  containers:\n  - {name: app, image: "nginx:1.27"}\n`;
  const [gate] = of(played([applyText("p.yaml", manifest, 0)], 2), 2, "gate");
  expect(gate?.until).toBeUndefined();
  expect(gate?.openBecause).toContain("no timer");
});

describe("probes", () => {
  const manifest = `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: app\n    image: "nginx:1.27"\n    readinessProbe: {httpGet: {path: /, port: 80}, periodSeconds: 4, initialDelaySeconds: 6}\n    livenessProbe: {exec: {command: ["false"]}, periodSeconds: 5, failureThreshold: 3}\n`;
  let sim: Simulation;
  beforeAll(() => {
    sim = played([applyText("p.yaml", manifest, 0)], 20);
  });
  /** When a probe of the container asked. */
  const asked = (type: string): number[] => said(sim, `${type} probe of app`);
  const probe = (at: number, type: string): WaitView | undefined => all(sim, at).find((wait) => wait.about.endsWith("default/p") && wait.part === `${type} probe of app`);

  test("the initial delay is a wait of its own, and the first probe comes with the tick that it names", () => {
    const delay = probe(3, "readiness");
    expect(delay?.kind).toBe("initial-delay");
    const [first = 0] = asked("readiness");
    expect(first * SECOND).toBe(delay?.effect?.at);
    expect(first * SECOND).toBeGreaterThanOrEqual(delay?.until ?? 0);
  });

  test("then each probe comes when its period says", () => {
    const [first = 0, second = 0] = asked("readiness");
    const wait = probe(first + 1, "readiness");
    expect(wait).toMatchObject({ kind: "probe", until: Math.round(second * SECOND) });
    expect((wait?.until ?? 0) - (wait?.since ?? 0)).toBe(4 * SECOND);
  });

  test("failures in a row stand against their threshold", () => {
    const [first = 0, second = 0, third = 0] = asked("liveness");
    expect(probe(first + 0.5, "liveness")?.count).toEqual({ at: 1, of: 3, what: "failures in a row" });
    expect(probe(second + 0.5, "liveness")?.count).toEqual({ at: 2, of: 3, what: "failures in a row" });
    // The verdict is in: the probe rests, and the grace period of the container runs.
    expect(probe(third + 0.5, "liveness")).toBeUndefined();
  });
});

test("until the startup probe has succeeded the others tick and ask nothing, and say so", () => {
  const sim = sample("startup", 20);
  const probes = of(sim, 8, "probe");
  const [startup, readiness] = ["startup", "readiness"].map((type) => probes.find(({ part }) => part.startsWith(type)));
  expect(startup?.weight).toBe(2);
  expect(readiness).toMatchObject({ weight: 1, facts: expect.arrayContaining([["Asks nothing", expect.stringContaining("startup probe")]]) });
  expect(said(sim, "readiness probe of app")).toEqual([]);
});

test("a program that ignores SIGTERM has its grace period, to the microsecond at which SIGKILL is sent", () => {
  const manifest = `apiVersion: v1\nkind: Pod\nmetadata: {name: deaf}\nspec:\n  terminationGracePeriodSeconds: 12\n  containers:\n  - {name: app, image: "busybox:1.36", command: [sh, -c, "trap '' TERM; sleep 3600"]}\n`;
  const sim = played([applyText("p.yaml", manifest, 0), { at: 5 * SECOND, type: "command", argv: ["delete", "pod", "deaf", "--wait=false"], files: {} }], 25);
  expect(of(sim, 4, "grace")).toEqual([]);
  const [grace] = of(sim, 8, "grace");
  expect(grace).toMatchObject({ part: "container app", weight: 90 });
  expect((grace?.until ?? 0) - (grace?.since ?? 0)).toBe(12 * SECOND);
  const [killed] = Array.from({ length: sim.trace.mailCount }, (_, i) => sim.trace.hop(i)).filter((hop) => hop.verb === "SIGKILL");
  expect(killed?.sentAt).toBe(grace?.until);
  expect(of(sim, 20, "grace")).toEqual([]);
});

describe("a node loses power", () => {
  let sim: Simulation;
  beforeAll(() => {
    sim = sample("node-dies", 400);
  });
  const node = "/registry/minions/worker-node-03";

  test("its kubelet renews no more; 50 s after the last sign of life the next look finds it Unknown", () => {
    expect(of(sim, 4, "node-lease", node)).toHaveLength(1);
    expect(of(sim, 6, "node-lease", node)).toEqual([]);
    const [grace] = of(sim, 30, "node-grace", node);
    expect((grace?.until ?? 0) - (grace?.since ?? 0)).toBe(50 * SECOND);
    const [declared = 0] = said(sim, "node-lifecycle-controller declares worker-node-03 Unknown");
    expect(declared * SECOND).toBe(grace?.effect?.at);
    expect(of(sim, declared + 1, "node-grace", node)).toEqual([]);
  });

  test("only overdue silence is news for the stage", () => {
    const others = all(sim, 30).filter(({ kind }) => kind === "node-grace");
    expect(others.filter(({ weight }) => weight >= 4).map(({ name }) => name)).toEqual(["worker-node-03"]);
    expect(others.length).toBe(10);
  });

  test("its Pods' tolerationSeconds run for 300 s, and their deletion comes at the end", () => {
    const waits = of(sim, 100, "toleration");
    expect(waits).toHaveLength(2);
    for (const { since = 0, until = 0, part } of waits) {
      expect(part).toBe("node.kubernetes.io/unreachable");
      expect(until - since).toBe(300 * SECOND);
    }
    const deletions = said(sim, "taint-eviction-controller deletes Pod default/");
    expect(deletions.map((at) => at * SECOND)).toEqual(waits.map(({ until }) => until));
  });

  test("deleted Pods stay: nobody counts their grace period, and the wait says so", () => {
    const [orphan] = of(sim, 390, "grace");
    expect(orphan?.until).toBeUndefined();
    expect(orphan?.openBecause).toContain("kubelet of its node does not run");
  });
});

test("a Job whose Pods fail: 10 s, then 20 s from the last failure, and the next Pod at the end", () => {
  const sim = sample("job", 40);
  const [first] = of(sim, 8, "job-backoff");
  const [second] = of(sim, 20, "job-backoff");
  expect(seconds(first?.ladder ?? [])).toEqual([10, 20, 40, 80, 160, 320, 600]);
  expect([first, second].map((wait) => [wait?.rung, ((wait?.until ?? 0) - (wait?.since ?? 0)) / SECOND])).toEqual([[0, 10], [1, 20]]);
  expect(first?.about).toBe("/registry/jobs/default/sums");
});

test("leaders renew every 2 s, and each kubelet its Lease after 10 s and a little", () => {
  const sim = played([], 30);
  for (const leader of ["kube-scheduler", "kube-controller-manager"]) {
    const [renewal] = all(sim, 25).filter(({ kind, about }) => kind === "leader-lease" && about === leader);
    expect(((renewal?.until ?? 0) - (renewal?.since ?? 0)) / SECOND).toBe(2);
  }
  const leases = all(sim, 25).filter(({ kind }) => kind === "node-lease").map(({ since = 0, until = 0 }) => (until - since) / SECOND);
  expect(leases).toHaveLength(10);
  for (const lease of leases) {
    expect(lease).toBeGreaterThanOrEqual(10);
    expect(lease).toBeLessThanOrEqual(10.4);
  }
});

test("a key whose sync fails climbs its controller's own ladder", () => {
  // A quota that allows no Pod: the ReplicaSet's syncs fail, each after twice the delay of the one before.
  const manifest = `apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: none}\nspec: {hard: {pods: "0"}}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 1\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n      containers: [{name: web, image: "nginx:1.27"}]\n`;
  const sim = played([applyText("p.yaml", manifest, 0)], 12);
  const rungs = said(sim, "replicaset-controller will retry").map((at) => {
    const [wait] = all(sim, at).filter(({ kind, component, ladder }) => kind === "work-queue" && component === "replicaset-controller" && ladder.length > 0);
    expect((wait?.until ?? 0) - (wait?.since ?? 0)).toBe(wait?.ladder[wait.rung ?? -1]);
    expect((wait?.ladder[0] ?? 0) / 1000).toBe(5);
    return wait?.rung ?? -1;
  });
  expect(rungs.length).toBeGreaterThan(5);
  expect(rungs).toEqual([...rungs].sort((a, b) => a - b));
  expect(new Set(rungs).size).toBeGreaterThan(5);
});

test("what comes later is not looked at: the waits of a run that ends now are those of one that goes on", () => {
  const long = sample("crash", 60);
  const short = sample("crash", 25);
  expect(all(short, 25)).toEqual(all(long, 25));
});

const fault = (id: string, from: number, params: Readonly<Record<string, string | number>> = {}, until?: number): RunInput => ({ at: from * SECOND, type: "fault", id, params, ...(until === undefined ? {} : { until: until * SECOND }) });

test("a standby scheduler waits for the dead leader's Lease, and takes it at a look after its end", () => {
  const sim = played([fault("scheduler.down", 2)], 26, "highly-available");
  const candidate = (at: number): WaitView | undefined => all(sim, at).find(({ kind, component }) => kind === "leader-candidate" && component === "kube-scheduler@control-plane-02");
  const early = candidate(1);
  const late = candidate(10);
  expect((early?.until ?? 0) - (early?.since ?? 0)).toBe(15 * SECOND);
  // The dead leader renews no more: the clock of the Lease is no longer set back.
  expect(late?.until).toBeGreaterThan(early?.until ?? 0);
  expect(candidate(14)?.until).toBe(late?.until);
  const [led = 0] = said(sim, "kube-scheduler@control-plane-02 became leader");
  expect(led * SECOND).toBeGreaterThanOrEqual(late?.until ?? Number.POSITIVE_INFINITY);
  expect(led * SECOND - (late?.until ?? 0)).toBeLessThan(4.5 * SECOND);
});

test("a manager that cannot renew exits at its deadline, and comes again on the ladder of restarts", () => {
  const sim = played([fault("apiserver.down", 5, {}, 60)], 40);
  const [exit = 0] = said(sim, "kube-controller-manager could not renew its lease");
  const [deadline] = all(sim, exit - 1).filter(({ kind, about }) => kind === "leader-lease" && about === "kube-controller-manager");
  expect(deadline?.until).toBe(Math.round(exit * SECOND));
  const [restart] = all(sim, exit).filter(({ kind, about }) => kind === "restart" && about === "kube-controller-manager");
  expect(restart?.rung).toBe(0);
  expect(said(sim, "kube-controller-manager starts")).toContain((restart?.until ?? 0) / SECOND);
});

test("a volume whose ConfigMap is not there: 0.5 s, doubled with each failure", () => {
  const manifest = `apiVersion: v1\nkind: Pod\nmetadata: {name: reader}\nspec:\n  volumes: [{name: settings, configMap: {name: absent}}]\n  containers:\n  - {name: app, image: "nginx:1.27", volumeMounts: [{name: settings, mountPath: /etc/settings}]}\n`;
  const sim = played([applyText("p.yaml", manifest, 0)], 20);
  const seen = new Map<number, WaitView>();
  for (let t = 1; t < 200; t++) for (const wait of of(sim, t / 10, "volume")) seen.set(wait.until ?? 0, wait);
  const waits = [...seen.values()];
  expect(waits.map(({ rung }) => rung)).toEqual(waits.map((_, i) => i));
  expect(waits.length).toBeGreaterThan(3);
  expect(seconds(waits[0]?.ladder ?? []).slice(0, 4)).toEqual([0.5, 1, 2, 4]);
  expect(waits[0]?.part).toBe("volume settings");
});

test("a restarted kubelet has forgotten its back-offs: nothing of them is in force while it is away", () => {
  const sim = played([applySample("crash", 0), fault("kubelet.stopped", 26, { node: "worker-node-01" }, 32)], 36);
  expect(of(sim, 25, "crash-loop")).toHaveLength(1);
  expect(of(sim, 30, "crash-loop")).toEqual([]);
  expect(of(sim, 25, "pod-worker", "default/crasher")).toHaveLength(1);
  expect(of(sim, 30, "pod-worker", "default/crasher")).toEqual([]);
});
