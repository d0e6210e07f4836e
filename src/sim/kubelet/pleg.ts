// Models kubernetes/pkg/kubelet/pleg/generic.go and container/cache.go
import type { CriResponse, RuntimePod } from "../cri/messages.ts";
import type { Message, Micros } from "../kernel/types.ts";
import { armContainerGC } from "./container-gc.ts";
import { killOrphans } from "./orphans.ts";
import type { Pending } from "./state.ts";
import { RELIST_PERIOD, type Turn } from "./turn.ts";

export interface RelistTimer extends Message {
  readonly type: "kubelet.relist";
}

const subjectOf = (turn: Turn): string => `node/${turn.config.node.name}`;

/** Makes sure that the next 1 s relist really happens. Simplified: upstream relists each second whether or not anything can have changed. */
export function armRelist(turn: Turn): void {
  const { pleg } = turn.state;
  if (pleg.timer !== -1) return;
  const at = turn.nextTick("pleg", RELIST_PERIOD, turn.now + 1);
  turn.set({ pleg: { ...pleg, timer: turn.ctx.after(at - turn.now, { type: "kubelet.relist" } satisfies RelistTimer) } });
}

export function relist(turn: Turn): void {
  turn.set({ pleg: { ...turn.state.pleg, timer: -1 } });
  if (turn.state.pleg.inFlight !== -1) return armRelist(turn);
  const inFlight = turn.cri({ call: "ListPodSandbox" }, { for: "relist", uid: "", at: turn.now }, subjectOf(turn), "source");
  turn.set({ pleg: { ...turn.state.pleg, inFlight, inFlightAt: turn.now } });
}

/** A sync that did something asks for a look at its Pod at once (gate PLEGOnDemandRelist). */
export function requestRelist(turn: Turn, uid: string): void {
  turn.cri({ call: "ListPodSandbox", podUid: uid }, { for: "relist", uid, at: turn.now + 1 }, subjectOf(turn), "source");
}

type Change = "ContainerStarted" | "ContainerDied" | "ContainerRemoved";

function changes(before: RuntimePod | undefined, after: RuntimePod | undefined): { readonly type: Change; readonly name: string }[] {
  const events: { type: Change; name: string }[] = [];
  const plain = (pod: RuntimePod | undefined): readonly { id: string; name: string; state: string }[] =>
    pod === undefined ? [] : [...pod.containers.map(({ id, name, state }) => ({ id, name, state: state as string })), ...pod.sandboxes.map(({ id, state }) => ({ id, name: "", state: state === "READY" ? "running" : "exited" }))];
  const old = plain(before);
  const now = plain(after);
  for (const item of now) {
    const was = old.find((candidate) => candidate.id === item.id)?.state;
    if (was === item.state) continue;
    if (item.state === "running") events.push({ type: "ContainerStarted", name: item.name });
    else if (item.state === "exited") events.push({ type: "ContainerDied", name: item.name });
  }
  for (const item of old) {
    if (now.some((candidate) => candidate.id === item.id)) continue;
    if (item.state !== "exited") events.push({ type: "ContainerDied", name: item.name });
    events.push({ type: "ContainerRemoved", name: item.name });
  }
  return events;
}

function reconcile(turn: Turn, uid: string, after: RuntimePod | undefined, at: Micros): void {
  const before = turn.state.pleg.records.get(uid);
  const entry = turn.state.cache.get(uid);
  const events = before === after ? [] : changes(before, after);
  const records = after === undefined ? turn.state.pleg.records.delete(uid) : turn.state.pleg.records.set(uid, after);
  turn.set({ pleg: { ...turn.state.pleg, records } });
  // A runtime Pod that differs in nothing that makes an event is still fresher than the cached one.
  if (before !== after && !(turn.worker(uid)?.settled && events.length === 0)) {
    turn.set({ cache: after === undefined ? turn.state.cache.delete(uid) : turn.state.cache.set(uid, { pod: after, at }) });
    const ip = after?.sandboxes[0]?.ip ?? "";
    turn.update(uid, { ...(events.length > 0 ? { settled: false } : {}), ...(ip === "" ? {} : { podIP: ip }) });
  } else if (entry) turn.set({ cache: turn.state.cache.set(uid, { ...entry, at }) });
  const worker = turn.worker(uid);
  if (events.some((event) => event.type === "ContainerDied" && event.name === "")) armContainerGC(turn);
  if (!worker || events.length === 0) return;
  for (const event of events) if (event.name !== "") turn.explain(`PLEG sees ${event.type} for ${event.name}`, worker.pod, { level: event.type === "ContainerRemoved" ? "source" : "operator" });
  if (events.some((event) => event.type !== "ContainerRemoved") && worker.inConfig) turn.engine.updatePod(turn, uid);
  if (events.some((event) => event.type === "ContainerDied")) removeOldContainers(turn, uid, after);
}

/** One dead container a name is kept for its logs; older ones go. */
function removeOldContainers(turn: Turn, uid: string, pod: RuntimePod | undefined): void {
  const worker = turn.worker(uid);
  if (!worker || !pod) return;
  const seen: string[] = [];
  for (const container of pod.containers) {
    if (container.state !== "exited") continue;
    if (seen.includes(container.name)) turn.cri({ call: "RemoveContainer", containerId: container.id }, { for: "remove" }, `pod/${pod.namespace}/${pod.name}`, "source");
    seen.push(container.name);
  }
}

export function onRelist(turn: Turn, response: CriResponse, pending: Extract<Pending, { for: "relist" }>): void {
  const { at, uid } = pending;
  if (uid !== "") {
    // The 1 s relist came in between: it has seen the same.
    reconcile(turn, uid, response.pods?.[0], at);
    if (turn.worker(uid)?.resize?.inProgress) turn.engine.updatePod(turn, uid);
    turn.engine.wakeCacheWaiters(turn);
    return;
  }
  turn.set({ pleg: { ...turn.state.pleg, inFlight: -1, synced: true, failingSince: undefined } });
  const seen = response.pods ?? [];
  const known = turn.state.pleg.records;
  for (const pod of [...seen].sort((a, b) => (a.uid < b.uid ? -1 : 1))) if (known.get(pod.uid) !== pod) reconcile(turn, pod.uid, pod, at);
  for (const [knownUid] of known.sorted()) if (!seen.some((pod) => pod.uid === knownUid)) reconcile(turn, knownUid, undefined, at);
  killOrphans(turn);
  turn.engine.wakeCacheWaiters(turn);
}

/** The runtime did not answer: it is down until a list succeeds. */
export function relistFailed(turn: Turn): void {
  turn.set({ pleg: { ...turn.state.pleg, inFlight: -1, failingSince: turn.state.pleg.failingSince ?? turn.now } });
  armRelist(turn);
}

/** Models cache.GetNewerThan: whether what is known of the Pod is newer than `than`. */
export function newerThan(turn: Turn, uid: string, than: Micros): boolean {
  const { pleg } = turn.state;
  if (!pleg.synced) return false;
  if ((turn.state.cache.get(uid)?.at ?? Number.NEGATIVE_INFINITY) > than) return true;
  const good = pleg.failingSince ?? turn.now;
  const last = turn.lastTick("pleg", RELIST_PERIOD, pleg.inFlight === -1 ? good : Math.min(good, pleg.inFlightAt - 1));
  return last > than;
}
