import type { PodStatus } from "../api/types.ts";
import type { RuntimePod } from "../cri/messages.ts";
import { generateAPIPodStatus } from "./pod-status.ts";
import { probeView } from "./prober.ts";
import { NO_RESIZE, resizeConditions } from "./resize.ts";
import type { Turn } from "./turn.ts";

/** Gathers what generateAPIPodStatus needs from the kubelet's managers. */
export function generateStatus(turn: Turn, uid: string, runtime: RuntimePod | undefined, podIsTerminal: boolean): PodStatus {
  const worker = turn.worker(uid);
  const pod = worker?.pod;
  if (!worker || !pod) return {};
  return generateAPIPodStatus({
    pod,
    runtime,
    old: turn.state.statuses.get(uid)?.status ?? pod.status,
    podIsTerminal,
    failures: worker.failures,
    probes: probeView(turn, uid),
    hostIP: turn.config.node.address,
    resizeConditions: resizeConditions(worker.resize),
    actuated: worker.resize?.actuated ?? NO_RESIZE.actuated,
    // An address is kept when the sandbox that had it is gone.
    podIP: runtime?.sandboxes.find((sandbox) => sandbox.ip !== "")?.ip ?? ((runtime?.sandboxes.length ?? 0) > 0 ? worker.podIP : ""),
  });
}
