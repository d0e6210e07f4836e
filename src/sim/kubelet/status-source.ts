import { parseRfc3339 } from "../api/time.ts";
import type { Pod, PodStatus } from "../api/types.ts";
import type { RuntimePod } from "../cri/messages.ts";
import { generateAPIPodStatus } from "./pod-status.ts";
import { probeView } from "./prober.ts";
import { NO_RESIZE, resizeConditions } from "./resize.ts";
import { secondsToMicros, type Turn } from "./turn.ts";

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
    wall: (at) => turn.wall(at),
    resizeConditions: resizeConditions(worker.resize),
    actuated: worker.resize?.actuated ?? NO_RESIZE.actuated,
    // An address is kept when the sandbox that had it is gone.
    podIP: runtime?.sandboxes.find((sandbox) => sandbox.ip !== "")?.ip ?? ((runtime?.sandboxes.length ?? 0) > 0 ? worker.podIP : ""),
    ...(pastActiveDeadline(turn, uid, pod) ? { evicted: deadlineExceeded(turn, pod) } : {}),
  });
}

function pastActiveDeadline(turn: Turn, uid: string, pod: Pod): boolean {
  const deadline = pod.spec.activeDeadlineSeconds;
  const startTime = (turn.state.statuses.get(uid)?.status ?? pod.status)?.startTime;
  return deadline !== undefined && startTime !== undefined && turn.wall() - parseRfc3339(startTime) >= secondsToMicros(deadline);
}

/** Models active_deadline.go ShouldEvict: asked, and told as an event, each time that a status is made. */
function deadlineExceeded(turn: Turn, pod: Pod): { readonly reason: string; readonly message: string } {
  const message = "Pod was active on the node longer than the specified deadline";
  turn.event(pod, "Normal", "DeadlineExceeded", message);
  return { reason: "DeadlineExceeded", message };
}
