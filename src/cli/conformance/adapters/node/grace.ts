import type { Pod } from "../../../../sim/api/types.ts";
import { podDeletionGrace } from "../../../../sim/kube-apiserver/registry/pods.ts";
import { containerGracePeriod, effectiveGracePeriod, stopTimeout, terminationPrerequisites } from "../../../../sim/kubelet/grace.ts";
import type { KillReason } from "../../../../sim/kubelet/pod-actions.ts";
import type { Adapter } from "../../adapter.ts";

interface GraceInput {
  readonly pod: Pod;
  readonly deleteOptions?: { readonly gracePeriodSeconds?: number };
  readonly killReason?: string;
  readonly kubeletOverrideSeconds?: number | null;
  readonly preStopSeconds?: number;
}

const REASONS: Readonly<Record<string, KillReason>> = { liveness: "LivenessProbe", startup: "StartupProbe" };

function runGrace(raw: unknown): unknown {
  const { pod, deleteOptions, killReason, kubeletOverrideSeconds, preStopSeconds } = raw as GraceInput;
  const container = pod.spec.containers[0];
  if (!container) throw new Error("the case has no container");
  const out: Record<string, unknown> = {};
  if (deleteOptions) {
    const apiGrace = podDeletionGrace(pod, deleteOptions.gracePeriodSeconds);
    Object.assign(out, { apiGraceSeconds: apiGrace, removedAtOnce: apiGrace === 0 });
  }
  const override = kubeletOverrideSeconds ?? undefined;
  const worker = effectiveGracePeriod(pod, override);
  const containerGrace = killReason === undefined && (pod.metadata.deletionTimestamp !== undefined || override !== undefined) ? worker : containerGracePeriod(pod, container, REASONS[killReason ?? ""] ?? "");
  const hook = container.lifecycle?.preStop;
  // A hook without an end runs until the grace is used up.
  const spent = hook ? Math.min(preStopSeconds ?? hook.sleep?.seconds ?? containerGrace, containerGrace) : (preStopSeconds ?? 0);
  const timeout = stopTimeout(containerGrace, spent, 0);
  return { ...out, podWorkerGraceSeconds: worker, containerGraceSeconds: containerGrace, stopContainerTimeoutSeconds: timeout, sigtermAtSeconds: spent, sigkillAtSeconds: spent + timeout, sigkillAtLatestSeconds: spent + timeout, exitCode: 137 };
}

interface OrderInput {
  readonly pod: Pod;
  readonly secondsToExitAfterStop?: number | Readonly<Record<string, number>>;
}

/** Stops all containers side by side; sidecars wait their turn, at most for the grace. */
function runOrdering(raw: unknown): unknown {
  const { pod, secondsToExitAfterStop = 0 } = raw as OrderInput;
  const grace = pod.spec.terminationGracePeriodSeconds ?? 30;
  const sidecars = (pod.spec.initContainers ?? []).filter((container) => container.restartPolicy === "Always").map((container) => container.name);
  const names = [...pod.spec.containers.map((container) => container.name), ...sidecars];
  const toExit = (name: string): number => (typeof secondsToExitAfterStop === "number" ? secondsToExitAfterStop : (secondsToExitAfterStop[name] ?? 0));
  const stopAt = new Map<string, number>();
  const endAt = new Map<string, number>();
  for (const name of [...pod.spec.containers.map((container) => container.name), ...[...sidecars].reverse()]) {
    const turn = Math.min(grace, Math.max(0, ...terminationPrerequisites(pod, name, names).map((other) => endAt.get(other) ?? 0)));
    stopAt.set(name, turn);
    endAt.set(name, turn + Math.min(toExit(name), stopTimeout(grace, 0, turn)));
  }
  const order = [...stopAt.entries()].sort((a, b) => a[1] - b[1]).map(([name]) => name);
  return {
    waitBeforeStopSeconds: Object.fromEntries([...stopAt.entries()].map(([name, at]) => [name, Math.floor(at)])),
    stopContainerTimeoutSeconds: Object.fromEntries([...stopAt.entries()].map(([name, at]) => [name, stopTimeout(grace, 0, at)])),
    stopOrder: order,
    startOrder: [...(pod.spec.initContainers ?? []).map((container) => container.name), ...pod.spec.containers.map((container) => container.name)],
  };
}

export const grace: Adapter = { kind: "grace", run: runGrace };
export const ordering: Adapter = { kind: "ordering", run: runOrdering };
