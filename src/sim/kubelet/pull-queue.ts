// Models kubernetes/pkg/kubelet/images/puller.go: one pull at a time on a node, or as many as maxParallelImagePulls allows
import { pullCredentials } from "./pull-secrets.ts";
import type { PullQueueItem } from "./state.ts";
import { podRef, type Turn } from "./turn.ts";

/** The answer to the pull comes to the Pod's run, at once or when it is its turn. */
export function queuePull(turn: Turn, uid: string, image: string): void {
  const { pulls } = turn.state;
  const { maxParallelImagePulls } = turn.kubelet;
  const item: PullQueueItem = { uid, image };
  if (maxParallelImagePulls > 0 && pulls.active.length >= maxParallelImagePulls) {
    turn.set({ pulls: { ...pulls, waiting: [...pulls.waiting, item] } });
    turn.explain(`The pull of ${image} waits: ${maxParallelImagePulls === 1 ? "another one is running (serializeImagePulls)" : `${maxParallelImagePulls} others are running (maxParallelImagePulls)`}`, turn.worker(uid)?.pod);
    return;
  }
  turn.set({ pulls: { ...pulls, active: [...pulls.active, item] } });
  beginPull(turn, item);
}

function beginPull(turn: Turn, item: PullQueueItem): void {
  const worker = turn.worker(item.uid);
  const run = worker?.run;
  if (!worker || !(run?.start ?? run?.imageVolumes)) return nextPull(turn, item);
  turn.run(item.uid, { volumesSince: turn.now });
  const auth = worker.pod.spec.imagePullSecrets && pullCredentials(turn, worker.pod, item.image);
  turn.cri({ call: "PullImage", image: item.image, ...(auth === undefined ? {} : { auth }) }, { for: "run", uid: item.uid, n: run?.n ?? 0 }, podRef(worker.pod), "basic");
}

/** A pull is over: the next may begin. */
export function nextPull(turn: Turn, done: PullQueueItem): void {
  const [next, ...waiting] = turn.state.pulls.waiting;
  const at = turn.state.pulls.active.findIndex(({ uid, image }) => uid === done.uid && image === done.image);
  const active = turn.state.pulls.active.filter((_, i) => i !== at);
  turn.set({ pulls: { active: next === undefined ? active : [...active, next], waiting } });
  if (next) beginPull(turn, next);
}

/** A record of a pull in progress means that the image no longer counts as preloaded (gate KubeletEnsureSecretPulledImages). */
export const isBeingPulled = ({ state: { pulls } }: Turn, image: string): boolean => [...pulls.active, ...pulls.waiting].some((item) => item.image === image);
