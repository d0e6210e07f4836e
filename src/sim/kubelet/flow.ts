import type { Message } from "../kernel/types.ts";
import { completeSync } from "./pod-workers.ts";
import type { FlowName } from "./state.ts";
import { SYNC_POD } from "./sync-pod.ts";
import { SYNC_TERMINATED_POD, SYNC_TERMINATING_POD } from "./sync-terminating.ts";
import type { Step } from "./step.ts";
import type { Turn } from "./turn.ts";

/** The kubelet's three flows, each the order of upstream's function of that name. */
export const FLOWS: Readonly<Record<FlowName, readonly Step[]>> = { syncPod: SYNC_POD, syncTerminatingPod: SYNC_TERMINATING_POD, syncTerminatedPod: SYNC_TERMINATED_POD };

/** Runs a worker's flow from where it stands until it must wait or is over. */
export function advance(turn: Turn, uid: string, message?: Message): void {
  let input = message;
  for (;;) {
    const run = turn.worker(uid)?.run;
    if (!run) return;
    const step = FLOWS[run.flow][run.step];
    if (step === undefined) return completeSync(turn, uid, { error: "" });
    const result = input === undefined ? step.enter(turn, uid) : (step.resume?.(turn, uid, input) ?? "wait");
    input = undefined;
    if (result === "wait") return;
    if (result !== "next") return completeSync(turn, uid, result);
    const now = turn.worker(uid)?.run;
    if (now?.n !== run.n) return;
    turn.run(uid, { step: now.step + 1 });
  }
}

/** The context of a running sync is cancelled: only the wait for volumes heeds it. */
export function cancelRun(turn: Turn, uid: string): void {
  const run = turn.worker(uid)?.run;
  if (run?.flow !== "syncPod" || SYNC_POD[run.step]?.name !== "waitForVolumes") return;
  turn.ctx.cancel(run.timer);
  completeSync(turn, uid, { error: "", cancelled: true });
}
