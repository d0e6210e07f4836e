// Models kubernetes/pkg/kubelet/volumemanager/cache: what is known of a Pod's volumes on this node
import type { Micros } from "../kernel/types.ts";
import type { VolumeState } from "./state.ts";
import type { StepTimer, Turn } from "./turn.ts";

/** The populator's and the reconciler's period. */
export const LOOP_PERIOD: Micros = 100_000;
export const VOLUME_POLL: Micros = 300_000;
export const VOLUME_TIMEOUT: Micros = 123_000_000;
const FIRST_BACKOFF: Micros = 500_000;
const MAX_BACKOFF: Micros = 122_000_000;

/** How long an operation that failed is left alone: 500 ms x 2^n, at most 2m2s. */
export function operationBackoff(failures: number): Micros {
  let delay = FIRST_BACKOFF;
  for (let i = 0; i < failures && delay < MAX_BACKOFF; i++) delay *= 2;
  return Math.min(delay, MAX_BACKOFF);
}

export function putVolume(turn: Turn, uid: string, name: string, change: Partial<VolumeState>): void {
  const volumes = turn.worker(uid)?.volumes ?? {};
  const old = volumes[name];
  if (old) turn.update(uid, { volumes: { ...volumes, [name]: { ...old, ...change } } });
}

export function allMounted(turn: Turn, uid: string): boolean {
  const worker = turn.worker(uid);
  if (!worker || (worker.pod.spec.volumes?.length ?? 0) === 0) return true;
  return worker.volumesPopulated && Object.values(worker.volumes).every((volume) => volume.state === "mounted");
}

export function volumeMounted(turn: Turn, uid: string, name: string): void {
  const worker = turn.worker(uid);
  if (!worker?.volumes[name]) return;
  putVolume(turn, uid, name, { state: "mounted", mountedAt: turn.now });
  turn.explain(`MountVolume.SetUp succeeded for ${name}`, worker.pod);
  if (allMounted(turn, uid)) wakeAtPoll(turn, uid);
}

/** The waiting sync looks only every 300 ms. */
export function wakeAtPoll(turn: Turn, uid: string): void {
  const run = turn.worker(uid)?.run;
  if (!run || run.volumesSince === 0) return;
  const polls = Math.ceil((turn.now - run.volumesSince) / VOLUME_POLL);
  turn.ctx.after(run.volumesSince + polls * VOLUME_POLL - turn.now, { type: "kubelet.step", uid, n: run.n } satisfies StepTimer);
}
