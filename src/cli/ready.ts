import type { Micros } from "../sim/api/time.ts";
import type { Revision } from "../trace/model.ts";
import { finishCommands, type ClusterRun } from "./cluster-run.ts";

/** As long as a progress deadline: what is not ready by then will not be. */
export const READY_LIMIT: Micros = 600_000_000;
const STEP: Micros = 10_000;

interface Workload {
  readonly metadata?: { readonly generation?: number };
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly replicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly numberReady?: number;
  };
}

const has = (object: Workload, condition: string): boolean => object.status?.conditions?.some((c) => c.type === condition && c.status === "True") ?? false;

/** True once a workload's status says that it runs as its spec wants. */
function isReady(kind: string, object: Workload): boolean {
  const { spec, status } = object;
  switch (kind) {
    case "pods":
      return status?.phase === "Succeeded" || has(object, "Ready");
    case "jobs":
      return has(object, "Complete");
    case "daemonsets":
      return status?.desiredNumberScheduled !== undefined && status.numberReady === status.desiredNumberScheduled;
    default: {
      const wanted = spec?.replicas ?? 1;
      return (status?.observedGeneration ?? 0) >= (object.metadata?.generation ?? 1) && (status?.readyReplicas ?? 0) === wanted && (status?.replicas ?? 0) === wanted;
    }
  }
}

const WORKLOADS = new Set(["pods", "deployments", "replicasets", "statefulsets", "daemonsets", "jobs", "replicationcontrollers"]);

/** Follows the store: which workloads made in this run are not ready yet. */
class Waiting {
  private readonly open = new Map<string, boolean>();
  private read = 0;
  private readonly old: ReadonlySet<string>;

  constructor(base: readonly Revision[]) {
    this.old = new Set(base.map((revision) => revision.key));
  }

  update(revisions: readonly Revision[]): readonly string[] {
    for (; this.read < revisions.length; this.read++) {
      const revision = revisions[this.read] as Revision;
      const kind = revision.key.split("/")[2] ?? "";
      if (!WORKLOADS.has(kind) || this.old.has(revision.key)) continue;
      if (revision.verb === "delete") this.open.delete(revision.key);
      else this.open.set(revision.key, isReady(kind, revision.object as Workload));
    }
    return [...this.open].filter(([, ready]) => !ready).map(([key]) => key);
  }
}

/** Runs until everything that was applied is ready. Returns the keys of what is not, once `READY_LIMIT` has passed. */
export function runUntilReady(run: ClusterRun): readonly string[] {
  const lastInput = run.inputs.at(-1)?.at ?? 0;
  const commands = finishCommands(run, lastInput, READY_LIMIT);
  if (commands.every((command) => command.exitCode !== 0)) return [];
  const waiting = new Waiting(run.base);
  for (;;) {
    const open = waiting.update(run.sim.trace.revisions);
    if (open.length === 0 || run.sim.now >= READY_LIMIT) return open;
    run.sim.run(run.sim.now + STEP);
  }
}
