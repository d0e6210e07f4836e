// Models kubernetes/pkg/kubelet/runtime.go, kubelet.go (updateRuntimeUp, syncLoop) and staging/src/k8s.io/cri-client (the two gRPC connections and their back-off)
import type { CriResponse } from "../cri/messages.ts";
import type { Message, Micros } from "../kernel/types.ts";
import { nodeStatusSoon } from "./node-status.ts";
import { armRelist } from "./pleg.ts";
import type { ChannelName } from "./state.ts";
import { RUNTIME_THRESHOLD, type Turn } from "./turn.ts";

export interface RuntimeTimer extends Message {
  readonly type: "kubelet.dial" | "kubelet.runtimeUp" | "kubelet.syncLoop";
  readonly channel?: ChannelName;
}

const SECOND: Micros = 1_000_000;
/** updateRuntimeUp runs every 5 s. */
const RUNTIME_UP_PERIOD: Micros = 5 * SECOND;
/** baseBackoffDelay, and gRPC's multiplier of 1.6, up to maxBackoffDelay. */
const DIAL_BASE: Micros = 100_000;
const DIAL_MAX: Micros = 3 * SECOND;
/** The sync loop that finds the runtime down sleeps so long before it looks again, twice as long each time. */
const LOOP_BASE: Micros = 100_000;
const LOOP_MAX: Micros = 5 * SECOND;

function dialDelay(turn: Turn, channel: ChannelName, attempts: number): Micros {
  let delay = DIAL_BASE;
  for (let i = 0; i < attempts && delay < DIAL_MAX; i++) delay = Math.floor((delay * 8) / 5);
  delay = Math.min(DIAL_MAX, delay);
  // gRPC spreads it by 20 % either way.
  return delay - Math.floor(delay / 5) + Math.floor((delay * 2 * (turn.ctx.rand(`dial/${channel}`, attempts) % 1000)) / 5000);
}

/** The runtime's socket was closed, or refused a call: both connections are dialled again, each with its own back-off. */
export function onRuntimeDown(turn: Turn): void {
  const { channels } = turn.state;
  if (!channels.runtime.up && !channels.image.up) return;
  turn.explain("The kubelet has lost its connection to containerd: it dials again, with growing waits of up to 3 s", undefined, { level: "basic", why: "Containers go on under their shims; the node stays Ready until the runtime has not answered for 30 s", status: "runtime unavailable" });
  // The last status check that succeeded counts.
  const downSince = turn.state.runtimeDownSince ?? turn.lastTick("runtimeUp", RUNTIME_UP_PERIOD, turn.now);
  turn.set({ runtimeDownSince: downSince, channels: { runtime: { up: false, attempts: 0 }, image: { up: false, attempts: 0 } }, pleg: { ...turn.state.pleg, failingSince: turn.state.pleg.failingSince ?? turn.now, inFlight: -1 } });
  turn.failCriCalls();
  for (const channel of ["runtime", "image"] as const) dial(turn, channel);
  armRelist(turn);
  nodeStatusSoon(turn, downSince + RUNTIME_THRESHOLD);
}

function dial(turn: Turn, channel: ChannelName): void {
  const mail = turn.ctx.send(`containerd@${turn.config.node.name}`, { type: "cri.request", cri: { call: "Version" } } as Message, { protocol: "gRPC", latency: 200, verb: "dial", subject: `node/${turn.config.node.name}`, level: "source" });
  turn.expect(mail, { for: "dial", channel });
}

export function onDialled(turn: Turn, channel: ChannelName, answer: Message): void {
  const { attempts } = turn.state.channels[channel];
  if (answer.type === "net.error") {
    turn.set({ channels: { ...turn.state.channels, [channel]: { up: false, attempts: attempts + 1 } } });
    turn.ctx.after(dialDelay(turn, channel, attempts), { type: "kubelet.dial", channel } satisfies RuntimeTimer);
    return;
  }
  turn.set({ channels: { ...turn.state.channels, [channel]: { up: true, attempts: 0 } } });
  turn.explain(`The kubelet's ${channel} connection to containerd stands again`, undefined, { level: "operator", status: "idle" });
  if (channel === "runtime") checkRuntime(turn);
}

export function onRuntimeTimer(turn: Turn, message: RuntimeTimer): void {
  if (message.type === "kubelet.dial") return message.channel === undefined ? undefined : dial(turn, message.channel);
  if (message.type === "kubelet.syncLoop") return releaseSyncLoop(turn);
  turn.set({ runtimeCheckAt: 0 });
  turn.cri({ call: "Status" }, { for: "runtimeStatus" }, `node/${turn.config.node.name}`, "source");
}

/** The next round of updateRuntimeUp; rounds that would find nothing new are left out. */
export function checkRuntime(turn: Turn): void {
  const at = turn.nextTick("runtimeUp", RUNTIME_UP_PERIOD, turn.now + 1);
  if (turn.state.runtimeCheckAt === at) return;
  turn.set({ runtimeCheckAt: at });
  turn.ctx.after(at - turn.now, { type: "kubelet.runtimeUp" } satisfies RuntimeTimer);
}

/** The answer of Status: whether the runtime is there, and whether its network is. */
export function onRuntimeStatus(turn: Turn, message: Message): void {
  if (message.type === "net.error") return;
  const { networkError = "" } = message as CriResponse;
  const text = networkError === "" ? "" : `container runtime network not ready: ${networkError}`;
  const { runtimeDownSince, networkError: before } = turn.state;
  if (runtimeDownSince === undefined && text === before) return;
  if (text !== before) turn.explain(text === "" ? "The runtime's network is ready: Pods can be started" : "The runtime says that its network is not ready: Pods without hostNetwork are not started", undefined, { level: "basic", ...(text === "" ? {} : { why: text }) });
  turn.set({ runtimeDownSince: undefined, networkError: text });
  nodeStatusSoon(turn, turn.now);
  if (runtimeDownSince === undefined || turn.state.heldBySyncLoop.length === 0) return;
  const wakes = loopWakes(runtimeDownSince + RUNTIME_THRESHOLD, turn.now);
  turn.ctx.after(wakes - turn.now, { type: "kubelet.syncLoop" } satisfies RuntimeTimer);
}

/** When the sync loop that has slept and looked since `from` looks again at or after `now`. */
function loopWakes(from: Micros, now: Micros): Micros {
  let at = from;
  for (let sleep = LOOP_BASE; at < now; sleep = Math.min(LOOP_MAX, sleep * 2)) at += sleep;
  return at;
}

/** Whether the sync loop skips its rounds because the runtime is down: nothing that comes through it reaches a Pod worker. */
export const syncLoopSleeps = (turn: Turn): boolean => turn.state.runtimeDownSince !== undefined && turn.now - turn.state.runtimeDownSince >= RUNTIME_THRESHOLD;

/** Keeps what the sync loop would have taken up for the time when it runs again. */
export function holdForSyncLoop(turn: Turn, message: Message): void {
  turn.set({ heldBySyncLoop: [...turn.state.heldBySyncLoop, message] });
}

function releaseSyncLoop(turn: Turn): void {
  const held = turn.state.heldBySyncLoop;
  turn.set({ heldBySyncLoop: [] });
  for (const message of held) turn.ctx.after(0, message);
}
