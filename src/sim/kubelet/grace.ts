// Models kubernetes/pkg/kubelet/pod_workers.go calculateEffectiveGracePeriod, kuberuntime_container.go setTerminationGracePeriod
import type { Container, Pod } from "../api/types.ts";
import type { KillReason } from "./pod-actions.ts";

/** StopContainer is given at least this many seconds. */
export const MINIMUM_GRACE_SECONDS = 2;

/** Seconds the Pod worker grants: the smallest seen of the deletion's and the kubelet's own, else the spec's; never below 1. `known`: granted before. */
export function effectiveGracePeriod(pod: Pod, override: number | undefined, known = 0): number {
  let grace = known;
  for (const candidate of [override, pod.metadata.deletionGracePeriodSeconds]) if (candidate !== undefined && (candidate < grace || grace === 0)) grace = candidate;
  if (grace === 0 && override === undefined && pod.metadata.deletionGracePeriodSeconds === undefined) grace = pod.spec.terminationGracePeriodSeconds ?? 0;
  return Math.max(1, grace);
}

/** Seconds one container is given when nobody says more: the deletion's, a probe's own, the spec's. */
export function containerGracePeriod(pod: Pod, container: Container, reason: KillReason): number {
  if (pod.metadata.deletionGracePeriodSeconds !== undefined) return pod.metadata.deletionGracePeriodSeconds;
  const probe = reason === "LivenessProbe" ? container.livenessProbe : reason === "StartupProbe" ? container.startupProbe : undefined;
  return probe?.terminationGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? MINIMUM_GRACE_SECONDS;
}

/** What StopContainer gets after the preStop hook and the wait for its turn (both in whole seconds). */
export function stopTimeout(grace: number, preStopSeconds: number, waitSeconds: number): number {
  return Math.max(MINIMUM_GRACE_SECONDS, grace - Math.floor(preStopSeconds) - Math.floor(waitSeconds));
}

/** Whom a container waits for before its stop signal: sidecars for all regular containers and the sidecars after them. */
export function terminationPrerequisites(pod: Pod, name: string, running: readonly string[]): readonly string[] {
  const sidecars = (pod.spec.initContainers ?? []).filter((container) => container.restartPolicy === "Always").map((container) => container.name);
  const at = sidecars.indexOf(name);
  if (at < 0) return [];
  return [...pod.spec.containers.map((container) => container.name), ...sidecars.slice(at + 1)].filter((other) => running.includes(other));
}
