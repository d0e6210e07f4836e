// Models kubernetes/pkg/kubelet/images/puller.go serialImagePuller: one pull at a time on a node
import { podRef, type Turn } from "./turn.ts";

/** The answer to the pull comes to the Pod's run, at once or when it is its turn. */
export function queuePull(turn: Turn, uid: string, image: string): void {
  const { pulls } = turn.state;
  if (!pulls.active) {
    turn.set({ pulls: { ...pulls, active: { uid, image } } });
    return beginPull(turn, uid, image);
  }
  turn.set({ pulls: { ...pulls, waiting: [...pulls.waiting, { uid, image }] } });
  turn.explain(`The pull of ${image} waits: another one is running (serializeImagePulls)`, turn.worker(uid)?.pod);
}

function beginPull(turn: Turn, uid: string, image: string): void {
  const worker = turn.worker(uid);
  const run = worker?.run;
  if (!worker || !(run?.start ?? run?.imageVolumes)) return nextPull(turn);
  turn.run(uid, { volumesSince: turn.now });
  turn.cri({ call: "PullImage", image }, { for: "run", uid, n: run?.n ?? 0 }, podRef(worker.pod), "basic");
}

/** A pull is over: the next may begin. */
export function nextPull(turn: Turn): void {
  const [next, ...waiting] = turn.state.pulls.waiting;
  turn.set({ pulls: next === undefined ? { waiting } : { active: next, waiting } });
  if (next) beginPull(turn, next.uid, next.image);
}

/** A record of a pull in progress means that the image no longer counts as preloaded (gate KubeletEnsureSecretPulledImages). */
export const isBeingPulled = ({ state: { pulls } }: Turn, image: string): boolean => pulls.active?.image === image || pulls.waiting.some((item) => item.image === image);
