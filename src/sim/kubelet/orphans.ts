// Models kubernetes/pkg/kubelet/kubelet_pods.go (HandlePodCleanups): Pods of the runtime that nobody wants
import type { Turn } from "./turn.ts";

/** PodTerminationGracePeriodSecondsOverride of a Pod of which nothing is known but that it runs. */
const GRACE_SECONDS = 1;

/**
 * Kills what runs of Pods that are no objects any more and were so before this kubelet started: their containers get a second, then
 * the sandbox goes; garbage collection takes the rest. Only when the API server has told which Pods there are.
 * Simplified: upstream looks every 2 s; here after each list of the runtime.
 */
export function killOrphans(turn: Turn): void {
  const { pods, pleg, staticPods } = turn.state;
  if (pods.phase !== "synced" || pods.resourceVersion === "") return;
  const wanted = new Set([...pods.store.values(), ...staticPods.values()].map(({ metadata }) => metadata.uid));
  for (const [uid, pod] of pleg.records.sorted()) {
    if (turn.worker(uid) !== undefined || wanted.has(uid)) continue;
    const subject = `pod/${pod.namespace}/${pod.name}`;
    const running = pod.containers.filter(({ state }) => state === "running");
    if (running.length > 0) turn.explain(`The kubelet finds ${pod.name} running, which is no Pod any more, and kills it`, undefined, { level: "basic" });
    for (const { id } of running) turn.cri({ call: "StopContainer", containerId: id, timeoutSeconds: GRACE_SECONDS }, { for: "remove" }, subject);
    if (running.length === 0) for (const { id, state } of pod.sandboxes) if (state === "READY") turn.cri({ call: "StopPodSandbox", sandboxId: id }, { for: "remove" }, subject);
  }
}
