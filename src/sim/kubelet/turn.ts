import type { HttpResponse } from "../api/http.ts";
import type { Container, KubeObject, Pod } from "../api/types.ts";
import { type ApiCall, type ApiClient, apiRequest } from "../client-go/api-client.ts";
import { recordEvent } from "../client-go/event-recorder.ts";
import type { CriCall, CriResponse } from "../cri/messages.ts";
import type { Draft } from "../kernel/copies.ts";
import type { Ctx, Level, MailId, Message, Micros } from "../kernel/types.ts";
import type { KubeletConfiguration } from "./kubelet-configuration.ts";
import { wallClock } from "./clock.ts";
import type { Engine } from "./step.ts";
import { copyKubelet, kubeletClient, type KubeletConfig, type KubeletState, type Pending, type SyncRun, withRun, withWorker, type Worker } from "./state.ts";

/** A step of a Pod worker's flow is due. */
export interface StepTimer extends Message {
  readonly type: "kubelet.step";
  readonly uid: string;
  readonly n: number;
}
export type Answer = HttpResponse | CriResponse | Message;

const SECOND: Micros = 1_000_000;
/** Without a good answer for so long the runtime counts as down. */
export const RUNTIME_THRESHOLD: Micros = 30 * SECOND;
/** A call on a connection that is down fails at once. */
export const UNAVAILABLE = "kubelet.unavailable";
const IMAGE_CALLS = new Set(["ImageStatus", "PullImage"]);
export const RUNTIME_DOWN = (): string => 'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: no such file or directory"';

const clients = new WeakMap<KubeletConfig, ApiClient>();

/** Made once a kubelet: its credential is recognised by identity at the API server. */
function clientOf(config: KubeletConfig): ApiClient {
  let client = clients.get(config);
  if (client === undefined) {
    client = kubeletClient(config.node.name);
    clients.set(config, client);
  }
  return client;
}

/** One handling of one message: the state on its way from before to after. */
export class Turn {
  private current: KubeletState;
  /** This turn's own copy, once something has changed: a message changes a dozen things, one after another. */
  private draft: Draft<KubeletState> | undefined;
  readonly ctx: Ctx;
  readonly config: KubeletConfig;
  readonly client: ApiClient;
  readonly engine: Engine;

  constructor(state: KubeletState, ctx: Ctx, config: KubeletConfig, engine: Engine) {
    this.engine = engine;
    this.current = state;
    this.ctx = ctx;
    this.config = config;
    this.client = clientOf(config);
  }

  get now(): Micros {
    return this.ctx.now;
  }

  /** What this node's clock shows at an instant; default now. */
  wall(at = this.now): Micros {
    return wallClock(this.current.clock, at);
  }

  get state(): KubeletState {
    return this.current;
  }

  set(change: Partial<KubeletState>): void {
    if (this.draft === undefined) {
      this.draft = copyKubelet(this.current);
      this.current = this.draft;
    }
    Object.assign(this.draft, change);
  }

  /** The node's settings. */
  get kubelet(): KubeletConfiguration {
    const { reconfigured } = this.state;
    return reconfigured === undefined ? this.config.kubelet : { ...this.config.kubelet, ...reconfigured };
  }

  worker(uid: string): Worker | undefined {
    return this.state.workers.get(uid);
  }

  update(uid: string, change: Partial<Worker>): void {
    const worker = this.state.workers.get(uid);
    if (worker) this.set({ workers: this.state.workers.set(uid, withWorker(worker, change)) });
  }

  run(uid: string, change: Partial<SyncRun>): void {
    const run = this.worker(uid)?.run;
    if (run) this.update(uid, { run: withRun(run, change) });
  }

  expect(mail: MailId, pending: Pending): void {
    this.set({ pending: this.state.pending.set(`m${mail}`, pending) });
  }

  take(mail: MailId): Pending | undefined {
    for (const key of [`c${mail}`, `m${mail}`]) {
      const pending = this.state.pending.get(key);
      if (!pending) continue;
      this.set({ pending: this.state.pending.delete(key) });
      return pending;
    }
    return undefined;
  }

  cri(cri: CriCall, pending: Pending, subject: string, level: Level = "operator"): MailId {
    if (!this.state.channels[IMAGE_CALLS.has(cri.call) ? "image" : "runtime"].up) {
      const timer = this.ctx.after(50, { type: UNAVAILABLE });
      this.expect(timer, pending);
      return timer;
    }
    const mail = this.ctx.send(`containerd@${this.config.node.name}`, { type: "cri.request", cri } as Message, { protocol: "gRPC", latency: this.ctx.latency("link.unix", `${cri.call} ${subject} ${this.now}`), verb: cri.call, subject, level });
    this.set({ pending: this.state.pending.set(`c${mail}`, pending) });
    return mail;
  }

  /** The connection is gone: every call under way has failed. */
  failCriCalls(): void {
    for (const [key, pending] of this.state.pending.sorted()) {
      if (!key.startsWith("c")) continue;
      const timer = this.ctx.after(50, { type: UNAVAILABLE });
      this.set({ pending: this.state.pending.delete(key).set(`m${timer}`, pending) });
    }
  }

  api(call: ApiCall, pending: Pending): MailId {
    const mail = apiRequest(this.ctx, this.client, call);
    this.expect(mail, pending);
    return mail;
  }

  /** Comes back to the run of this Pod's worker after a drawn time. */
  later(uid: string, segment: string, key: string): void {
    this.sleep(uid, this.ctx.latency(segment, key));
  }

  sleep(uid: string, delay: Micros): void {
    const run = this.worker(uid)?.run;
    if (!run) return;
    const timer = this.ctx.after(delay, { type: "kubelet.step", uid, n: run.n } satisfies StepTimer);
    this.run(uid, { timer });
  }

  event(object: KubeObject, type: "Normal" | "Warning", reason: string, message: string, container?: Container): void {
    const pod = object as Pod;
    const list = (["initContainers", "ephemeralContainers"] as const).find((name) => (pod.spec?.[name] ?? []).some((other) => other.name === container?.name)) ?? "containers";
    const fieldPath = container === undefined ? undefined : `spec.${list}{${container.name}}`;
    const { recorder } = recordEvent(this.ctx, this.client, this.state.recorder, { object, type, reason, message, ...(fieldPath === undefined ? {} : { fieldPath }) }, this.wall());
    this.set({ recorder });
  }

  explain(text: string, pod: Pod | undefined, options: { readonly why?: string; readonly status?: string; readonly level?: Level; readonly data?: unknown } = {}): void {
    this.ctx.explain({ text, ...options, ...(pod === undefined ? {} : { subject: podRef(pod) }) });
  }

  /** The next instant at or after `at` of a loop of period `period` with this node's phase for it. */
  nextTick(loop: string, period: Micros, at: Micros): Micros {
    const phase = this.phase(loop, period);
    const k = Math.ceil((at - phase) / period);
    return phase + k * period;
  }

  lastTick(loop: string, period: Micros, at: Micros): Micros {
    const phase = this.phase(loop, period);
    return phase + Math.floor((at - phase) / period) * period;
  }

  /** Loops start with the kubelet, which started at an arbitrary moment long ago. */
  phase(loop: string, period: Micros): Micros {
    const jitter = this.ctx.rand(`phase/${loop}`, 0);
    // A Pod that kubectl sends on a tenth of a second meets these two loops as the median of the measured runs did.
    if (loop === "populator") return 50_000 + (jitter % 2000);
    if (loop === "reconciler") return 61_600 + (jitter % 2000);
    return jitter % period;
  }
}

export const podRef = (pod: Pod): string => `pod/${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`;
/** Marks the API's read-only image of a static Pod; its value is the static Pod's uid. */
export const MIRROR_ANNOTATION = "kubernetes.io/config.mirror";
export const isMirrorPod = (pod: Pod): boolean => pod.metadata.annotations?.[MIRROR_ANNOTATION] !== undefined;
/** From a file on the node, not from the API server. */
export const isStaticPod = (pod: Pod): boolean => pod.metadata.annotations?.["kubernetes.io/config.source"] === "file" && !isMirrorPod(pod);

/** What the API server holds for a static Pod, as far as the watch has shown it. */
export function mirrorOf(turn: Turn, pod: Pod): Pod | undefined {
  const found = turn.state.pods.store.get(`${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`) as Pod | undefined;
  return found && isMirrorPod(found) ? found : undefined;
}

export const podPath = (pod: Pod): string => `/api/v1/namespaces/${pod.metadata.namespace ?? "default"}/pods/${pod.metadata.name ?? ""}`;
/** "web_default(uid)", as log lines and back-off messages name a Pod. */
export const formatPod = (pod: Pod): string => `${pod.metadata.name ?? ""}_${pod.metadata.namespace ?? ""}(${pod.metadata.uid ?? ""})`;
export const secondsToMicros = (seconds: number): Micros => Math.round(seconds * SECOND);
export const RELIST_PERIOD: Micros = SECOND;

export function containerNamed(pod: Pod, name: string): Container | undefined {
  return pod.spec.containers.find((container) => container.name === name) ?? pod.spec.initContainers?.find((container) => container.name === name) ?? pod.spec.ephemeralContainers?.find((container) => container.name === name);
}
