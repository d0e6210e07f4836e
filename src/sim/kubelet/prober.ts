// Models kubernetes/pkg/kubelet/prober/{prober_manager,worker,prober}.go
import { parseRfc3339 } from "../api/time.ts";
import type { TrafficResponse } from "../api/traffic.ts";
import type { Container, ContainerStatus, Pod, Probe } from "../api/types.ts";
import type { CriResponse } from "../cri/messages.ts";
import type { MailId, Message } from "../kernel/types.ts";
import { podIPOf, portNumber, runHandler } from "./lifecycle.ts";
import type { ProbeResult, ProbeResults } from "./pod-actions.ts";
import { isTerminalPhase, type ProbeView } from "./pod-status.ts";
import { countProbe, erroredText, initialProbeResult, NEW_COUNTER, periodOf, PROBE_TYPES, probeOf, type ProbeType, shouldProbe, timeoutOf, unhealthyText } from "./probe-worker.ts";
import { containerShouldRestart } from "./restart-rules.ts";
import type { ProbeWorker } from "./state.ts";
import { setContainerReadiness, setContainerStartup } from "./status-manager.ts";
import { containerNamed, RUNTIME_DOWN, secondsToMicros, type Turn } from "./turn.ts";

export interface ProbeTimer extends Message {
  readonly type: "kubelet.probe";
  readonly key: string;
  readonly kick: boolean;
}

const keyOf = (uid: string, container: string, type: ProbeType): string => `${uid}/${container}/${type}`;
const probed = (pod: Pod): readonly Container[] => [...pod.spec.containers, ...(pod.spec.initContainers ?? []).filter((container) => container.restartPolicy === "Always")];

function put(turn: Turn, worker: ProbeWorker): void {
  turn.set({ probes: turn.state.probes.set(worker.key, worker) });
}

/** One worker a probe; they idle until their container runs. */
export function addProbes(turn: Turn, uid: string): void {
  const pod = turn.worker(uid)?.pod;
  if (!pod) return;
  for (const container of probed(pod)) {
    for (const type of PROBE_TYPES) {
      const probe = probeOf(container, type);
      const key = keyOf(uid, container.name, type);
      if (!probe || turn.state.probes.has(key)) continue;
      put(turn, { key, uid, container: container.name, type, containerId: "", counter: NEW_COUNTER, base: turn.now + startDelay(turn, key, probe), timer: -1, inFlight: -1 });
      turn.explain(`A ${type} probe worker for ${container.name} starts; it waits for the container`, pod, { level: "source" });
    }
  }
}

/** Right after the kubelet's start the workers wait for a random part of their period: not all probes at once. */
function startDelay(turn: Turn, key: string, probe: Probe): number {
  const period = secondsToMicros(periodOf(probe));
  return period > turn.now - turn.state.startedAt ? Math.floor((period * (turn.ctx.rand(`probe/${key}`, 0) % 1000)) / 1000) : 0;
}

/** Sets the timer for the worker's next tick, unless it has one. */
function arm(turn: Turn, key: string): void {
  const worker = turn.state.probes.get(key);
  const probe = worker && specOf(turn, worker)?.probe;
  if (!worker || !probe || worker.timer !== -1) return;
  const period = secondsToMicros(periodOf(probe));
  const at = worker.base + (Math.floor((turn.now - worker.base) / period) + 1) * period;
  put(turn, { ...worker, timer: turn.ctx.after(at - turn.now, { type: "kubelet.probe", key, kick: false } satisfies ProbeTimer) });
}

function specOf(turn: Turn, worker: ProbeWorker): { pod: Pod; container: Container; probe: Probe } | undefined {
  const pod = turn.worker(worker.uid)?.pod;
  const container = pod && containerNamed(pod, worker.container);
  const probe = container && probeOf(container, worker.type);
  return pod && container && probe ? { pod, container, probe } : undefined;
}

function stop(turn: Turn, key: string): void {
  const worker = turn.state.probes.get(key);
  if (!worker) return;
  turn.ctx.cancel(worker.timer);
  turn.set({ probes: turn.state.probes.delete(key) });
}

export function stopLivenessAndStartup(turn: Turn, uid: string): void {
  for (const container of turn.worker(uid)?.pod.spec.containers ?? []) for (const type of ["liveness", "startup"] as const) stop(turn, keyOf(uid, container.name, type));
}

export function removeProbes(turn: Turn, uid: string): void {
  const pod = turn.worker(uid)?.pod;
  if (pod) for (const container of probed(pod)) for (const type of PROBE_TYPES) stop(turn, keyOf(uid, container.name, type));
}

/** Results by container id, as computePodActions asks for them. */
export function probeResults(turn: Turn, uid: string): ProbeResults {
  return (containerId, type) => {
    for (const container of probed(turn.worker(uid)?.pod ?? EMPTY)) {
      const worker = turn.state.probes.get(keyOf(uid, container.name, type));
      if (worker?.containerId === containerId) return worker.result;
    }
    return undefined;
  };
}

const EMPTY = { apiVersion: "v1", kind: "Pod", metadata: {}, spec: { containers: [] } } satisfies Pod;
const idOf = (status: ContainerStatus): string => (status.containerID ?? "").replace("containerd://", "");

/** What generateAPIPodStatus is told; asking for the readiness of a container that is not ready makes its worker probe now. */
export function probeView(turn: Turn, uid: string): ProbeView {
  const resultOf = (status: ContainerStatus, type: ProbeType): ProbeResult | undefined => {
    const worker = turn.state.probes.get(keyOf(uid, status.name, type));
    return worker?.containerId === idOf(status) ? worker.result : undefined;
  };
  return {
    started(status) {
      const result = resultOf(status, "startup");
      if (result !== undefined) return result === "Success";
      if (status.started) return true;
      return !turn.state.probes.has(keyOf(uid, status.name, "startup"));
    },
    ready(status) {
      const result = resultOf(status, "readiness");
      if (result === "Success") return true;
      const key = keyOf(uid, status.name, "readiness");
      const probed = turn.state.probes.has(key);
      if (probed) kick(turn, key);
      if (!survivor(turn, status)) return !probed;
      // It stays as ready as its Pod was while the kubelet was away.
      const pod = turn.worker(uid)?.pod;
      const readinessProbe = pod && containerNamed(pod, status.name)?.readinessProbe;
      return (!probed || result === undefined) && (!readinessProbe || pod.status?.conditions?.some((entry) => entry.type === "Ready" && entry.status === "True") === true);
    },
  };
}

/** kubeletRestartGracePeriod: whether a container was running for 10 s when the kubelet started. */
function survivor(turn: Turn, { state }: ContainerStatus): boolean {
  const startedAt = state?.running?.startedAt;
  return startedAt !== undefined && startedAt !== null && parseRfc3339(startedAt) < turn.state.startedAt - 10_000_000;
}

function kick(turn: Turn, key: string): void {
  const worker = turn.state.probes.get(key);
  if (!worker || turn.now < worker.base) return;
  // The channel of manual runs holds one while the worker is probing.
  if (worker.inFlight !== -1) return put(turn, { ...worker, queued: "kick" });
  turn.ctx.after(turn.ctx.latency("kubelet.probe", `${key} ${turn.now}`), { type: "kubelet.probe", key, kick: true } satisfies ProbeTimer);
}

/** After a status was set: workers whose container runs get their ticks. */
export function armProbes(turn: Turn, uid: string): void {
  const pod = turn.worker(uid)?.pod;
  if (!pod) return;
  for (const container of probed(pod)) for (const type of PROBE_TYPES) arm(turn, keyOf(uid, container.name, type));
}

function statusOf(turn: Turn, worker: ProbeWorker): ContainerStatus | undefined {
  const status = turn.state.statuses.get(worker.uid)?.status ?? turn.worker(worker.uid)?.pod.status;
  return [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find((candidate) => candidate.name === worker.container && candidate.containerID !== undefined);
}

/** One round of a worker: doProbe. */
export function onProbeTimer(turn: Turn, message: ProbeTimer): void {
  const { key } = message;
  let worker = turn.state.probes.get(key);
  const spec = worker && specOf(turn, worker);
  if (!worker || !spec) return;
  if (worker.inFlight !== -1) return put(turn, { ...worker, timer: message.kick ? worker.timer : -1, queued: worker.queued ?? (message.kick ? "kick" : "tick") });
  if (message.kick) {
    // A manual run starts the ticker over.
    turn.ctx.cancel(worker.timer);
    worker = { ...worker, base: turn.now, timer: -1 };
  } else worker = { ...worker, timer: -1 };
  put(turn, worker);
  const phase = turn.state.statuses.get(worker.uid)?.status.phase;
  if (isTerminalPhase(phase)) return stop(turn, key);
  const status = statusOf(turn, worker);
  if (!status) return;
  if (worker.containerId !== idOf(status)) worker = newContainer(turn, worker, status);
  if (worker.counter.onHold) return;
  const { pod, container, probe } = spec;
  if (!status.state?.running) {
    if (worker.result !== "Failure") setResult(turn, worker, "Failure", pod);
    if (status.state?.terminated && !containerShouldRestart(container, pod.spec, status.state.terminated.exitCode)) stop(turn, key);
    return;
  }
  if (pod.metadata.deletionTimestamp !== undefined && worker.type !== "readiness") return stop(turn, key);
  arm(turn, key);
  const since = Math.floor((turn.wall() - parseRfc3339(status.state.running.startedAt ?? "")) / 1_000_000);
  if (!shouldProbe(worker.type, status.started ?? false, since, probe)) return;
  runProbe(turn, key, pod, container, probe);
}

function newContainer(turn: Turn, before: ProbeWorker, status: ContainerStatus): ProbeWorker {
  const containerId = idOf(status);
  const { result: _, ...idle } = before;
  // One that was running before the kubelet started has no result: its Pod must not lose its readiness.
  const result = !survivor(turn, status) ? initialProbeResult(before.type) : before.type === "startup" && status.started ? "Success" : undefined;
  const worker: ProbeWorker = { ...idle, containerId, counter: NEW_COUNTER, ...(result === undefined ? {} : { result }) };
  put(turn, worker);
  const pod = turn.worker(worker.uid)?.pod;
  if (result === undefined || worker.type === "liveness" || !pod) return worker;
  // The first result of a container is a change of the results, and the sync loop hears of it.
  if (worker.type === "readiness") setContainerReadiness(turn, pod, containerId, false);
  turn.engine.updatePod(turn, worker.uid);
  return worker;
}

function runProbe(turn: Turn, key: string, pod: Pod, container: Container, probe: Probe): void {
  const worker = turn.state.probes.get(key);
  if (!worker || worker.inFlight !== -1) return;
  const level = worker.counter.lastResult === undefined ? "operator" : "source";
  turn.explain(`${worker.type} probe of ${container.name}: ${probeText(container, probe)}`, pod, { level });
  if (runHandler(turn, pod, container.name, worker.containerId, probe, { for: "probe", key }, timeoutOf(probe), worker.type)) put(turn, { ...worker, inFlight: turn.ctx.mail });
}

function probeText(container: Container, probe: Probe): string {
  if (probe.httpGet) return `GET ${probe.httpGet.path ?? "/"} on port ${portNumber(container, probe.httpGet.port)}`;
  if (probe.tcpSocket) return `connect to port ${portNumber(container, probe.tcpSocket.port)}`;
  if (probe.grpc) return `gRPC health check on port ${probe.grpc.port}`;
  return `exec ${(probe.exec?.command ?? []).join(" ").slice(0, 60)}`;
}

/** A probe's time is up. */
export interface ProbeTimeout extends Message {
  readonly type: "kubelet.probeTimeout";
  readonly mail: MailId;
  readonly error: "i/o timeout";
}

/** The probe that sent this request is not answered yet: from now on its clock is watched. */
export function armProbeTimeout(turn: Turn, mail: MailId): void {
  const pending = turn.state.pending.get(`m${mail}`);
  const worker = pending?.for === "probe" ? turn.state.probes.get(pending.key) : undefined;
  const spec = worker && specOf(turn, worker);
  if (spec) turn.ctx.after(secondsToMicros(timeoutOf(spec.probe)), { type: "kubelet.probeTimeout", mail, error: "i/o timeout" } satisfies ProbeTimeout);
}

interface Verdict {
  readonly outcome?: ProbeResult;
  readonly output: string;
  readonly error?: string;
}

function judge(turn: Turn, pod: Pod, container: Container, probe: Probe, message: Message): Verdict {
  if (probe.exec) {
    const { error, exitCode, output } = message as CriResponse;
    if (message.type === "net.error") return { output: "", error: RUNTIME_DOWN() };
    if (error === "timeout") return { outcome: "Failure", output: `command timed out: "${(probe.exec.command ?? []).join(" ")}" timed out after ${timeoutOf(probe)}s` };
    if (error !== undefined) return exitCode === 127 ? { outcome: "Failure", output: error } : { output: "", error };
    return exitCode === 0 ? { outcome: "Success", output: "" } : { outcome: "Failure", output: output ?? "" };
  }
  const response = message.type === "net.error" ? { status: 0, error: "connection refused" } : (message as TrafficResponse);
  const ip = podIPOf(turn, pod);
  if (probe.httpGet) {
    const port = portNumber(container, probe.httpGet.port);
    const address = `${probe.httpGet.host ?? ip}:${port}`;
    if (response.error !== undefined) {
      const url = `Get "${(probe.httpGet.scheme ?? "HTTP").toLowerCase()}://${address}${probe.httpGet.path ?? "/"}": `;
      return { outcome: "Failure", output: response.error === "i/o timeout" ? `${url}context deadline exceeded (Client.Timeout exceeded while awaiting headers)` : `${url}dial tcp ${address}: connect: ${response.error}` };
    }
    return response.status >= 200 && response.status < 400 ? { outcome: "Success", output: "" } : { outcome: "Failure", output: `HTTP probe failed with statuscode: ${response.status}` };
  }
  if (probe.tcpSocket) {
    const address = `${probe.tcpSocket.host ?? ip}:${portNumber(container, probe.tcpSocket.port)}`;
    return response.error === undefined ? { outcome: "Success", output: "" } : { outcome: "Failure", output: `dial tcp ${address}: ${response.error === "i/o timeout" ? "" : "connect: "}${response.error}` };
  }
  if (response.error === "i/o timeout") return { outcome: "Failure", output: `timeout: health rpc did not complete within ${timeoutOf(probe)}s` };
  if (response.error !== undefined) return { outcome: "Failure", output: `timeout: failed to connect service "${ip}:${probe.grpc?.port ?? 0}" within ${timeoutOf(probe)}s: context deadline exceeded` };
  return response.status === 0 ? { outcome: "Success", output: "" } : { outcome: "Failure", output: 'service unhealthy (responded with "NOT_SERVING")' };
}

export function onProbeAnswer(turn: Turn, key: string, message: Message): void {
  const worker = turn.state.probes.get(key);
  const spec = worker && specOf(turn, worker);
  if (!worker || !spec) return;
  const { queued, ...rest } = worker;
  put(turn, { ...rest, inFlight: -1 });
  if (queued !== undefined) turn.ctx.after(0, { type: "kubelet.probe", key, kick: queued === "kick" } satisfies ProbeTimer);
  const { pod, container, probe } = spec;
  const verdict = judge(turn, pod, container, probe, message);
  if (verdict.outcome === undefined) {
    turn.event(pod, "Warning", "Unhealthy", erroredText(worker.type, verdict.error ?? ""), container);
    return;
  }
  if (verdict.outcome === "Failure") {
    turn.event(pod, "Warning", "Unhealthy", unhealthyText(worker.type, verdict.output), container);
    turn.explain(unhealthyText(worker.type, verdict.output).slice(0, 138), pod, { level: "basic" });
  }
  const { counter, result } = countProbe(worker.counter, worker.type, probe, verdict.outcome);
  const counted = { ...rest, inFlight: -1, counter };
  put(turn, counted);
  if (result !== undefined) setResult(turn, counted, result, pod);
}

/** Stores a result; a new one goes to the sync loop. */
function setResult(turn: Turn, worker: ProbeWorker, result: ProbeResult, pod: Pod): void {
  const before = worker.result;
  put(turn, { ...worker, result });
  if (before === result) return;
  // That a container from before the kubelet's start is still well is no news.
  turn.explain(`${worker.type} of ${worker.container} is now ${result}`, pod, { level: before === undefined && result === "Success" ? "operator" : "basic" });
  if (worker.type === "readiness") setContainerReadiness(turn, pod, worker.containerId, result === "Success");
  if (worker.type === "startup") {
    setContainerStartup(turn, pod, worker.containerId, result === "Success");
    armProbes(turn, worker.uid);
  }
  if (worker.type !== "liveness" || result === "Failure") turn.engine.updatePod(turn, worker.uid);
}

