import { createCluster } from "../sim/cluster.ts";
import type { Micros } from "../sim/api/time.ts";
import { Simulation } from "../sim/kernel/simulation.ts";
import { applySample, applyText } from "../sim/scenarios/scenario.ts";
import type { RunInput } from "../sim/scenarios/recipe.ts";

const FIFTY = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: fifty
spec:
  replicas: 50
  selector:
    matchLabels:
      app: fifty
  template:
    metadata:
      labels:
        app: fifty
    spec:
      containers:
        - name: web
          image: nginx:1.27
          resources:
            requests:
              cpu: 10m
`;

export interface Clock {
  /** CPU time of this thread or process so far, in milliseconds. */
  cpu(): number;
  /** Wall time in milliseconds. */
  wall(): number;
}

interface Measured {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function run(inputs: readonly RunInput[], until: Micros): Simulation {
  const { config, inputs: expanded } = createCluster({ world: "ten-nodes", seed: 1, profile: "quiet", inputs });
  const sim = Simulation.create(config, expanded);
  sim.run(until);
  return sim;
}

/** Runs of the Deployment before anything is measured: until then much of the CPU is the engine's compiler. */
const WARM_UP = 12;

/** Median CPU of a run's events alone, the cluster being built already; the first half of the rounds is not counted. */
function cpuOf(inputs: readonly RunInput[], until: Micros, rounds: number, clock: Clock): { median: number; sim: Simulation } {
  const samples: number[] = [];
  let sim = run(inputs, until);
  for (let round = 0; round < rounds * 2; round++) {
    const { config, inputs: expanded } = createCluster({ world: "ten-nodes", seed: 1, profile: "quiet", inputs });
    sim = Simulation.create(config, expanded);
    const from = clock.cpu();
    sim.run(until);
    if (round >= rounds) samples.push(clock.cpu() - from);
  }
  return { median: percentile(samples, 0.5), sim };
}

/** When the last of the run's own Pods became Ready, in simulated microseconds; NaN if one never did. */
function readyAt(sim: Simulation, pods: number): Micros {
  const ready = new Map<string, Micros>();
  sim.trace.revisions.forEach((revision, i) => {
    const pod = revision.object as { status?: { conditions?: { type: string; status: string }[] } } | undefined;
    const isReady = pod?.status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True");
    if (revision.key.startsWith("/registry/pods/") && isReady && !ready.has(revision.key)) ready.set(revision.key, sim.trace.notes.at.get(sim.trace.revisionNotes[i] ?? 0));
  });
  return ready.size >= pods ? Math.max(...ready.values()) : Number.NaN;
}

/** The simulation's figures, for `npm run bench`. Random times are spread by a fixed stride, so that runs compare. */
export function measure(clock: Clock): readonly Measured[] {
  const sample = [applySample("nginx", 0)];
  for (let i = 0; i < WARM_UP; i++) run([applyText("fifty.yaml", FIFTY, 0)], 4_000_000);
  const ready = readyAt(run(sample, 10_000_000), 1);
  const one = cpuOf(sample, ready, 40, clock);
  const fifty = [applyText("fifty.yaml", FIFTY, 0)];
  const fiftyReady = readyAt(run(fifty, 60_000_000), 50);
  const many = cpuOf(fifty, fiftyReady, 10, clock);

  const seeks: number[] = [];
  const ids = many.sim.config.components.map((component) => component.id);
  for (let i = 0; i < 5_000; i++) {
    const from = clock.wall();
    many.sim.stateAt(ids[(i * 7_919) % ids.length] ?? "", (i * 104_729) % fiftyReady);
    seeks.push(clock.wall() - from);
  }
  const forks = Array.from({ length: 9 }, () => {
    const from = clock.wall();
    many.sim.fork(Math.floor(fiftyReady / 2), []);
    return clock.wall() - from;
  });
  return [
    { name: "one Pod, Apply to Ready: CPU", value: one.median, unit: "ms" },
    { name: "one Pod, Apply to Ready: events", value: one.sim.trace.eventCount, unit: "" },
    { name: "one Pod, Apply to Ready: simulated", value: ready / 1_000, unit: "ms" },
    { name: "Deployment of 50, Apply to Ready: CPU", value: many.median, unit: "ms" },
    { name: "Deployment of 50, Apply to Ready: events", value: many.sim.trace.eventCount, unit: "" },
    { name: "Deployment of 50, Apply to Ready: simulated", value: fiftyReady / 1_000, unit: "ms" },
    { name: "state of a component at a random time: p99", value: percentile(seeks, 0.99), unit: "ms" },
    { name: "fork in the middle of the 50: median", value: percentile(forks, 0.5), unit: "ms" },
  ];
}
