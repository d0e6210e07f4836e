// Models kubernetes/pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer and kuberuntime_manager.go doBackOff
import { goDuration } from "../api/duration.ts";
import type { HttpResponse } from "../api/http.ts";
import { value } from "../api/quantity.ts";
import type { Container, Node, Pod, Service } from "../api/types.ts";
import type { ContainerConfig, CriResponse } from "../cri/messages.ts";
import type { Message } from "../kernel/types.ts";
import type { VolumeReadRequest, VolumeReadResponse } from "../process/messages.ts";
import { backoffValue, isInBackoffSince, nextBackoff } from "./backoff.ts";
import { containerResources } from "./cm.ts";
import { makeMounts, volumeKey, volumesToRead } from "./container-mounts.ts";
import { etcHosts } from "./etc-hosts.ts";
import { environmentObjects, expandVariables, makeEnvironment } from "./env.ts";
import { type ImageFailure, invalidImageName, neverPull, presentEvent, pullBackoff, pulledEvent, pullFailed, pullingEvent, pullPolicy } from "./image-manager.ts";
import { beginKills, killsRunning } from "./kill.ts";
import { hookFailed, hookFailure, runHandler } from "./lifecycle.ts";
import { getObject, isFresh, knownObject, rememberObject } from "./objects.ts";
import { containerHash } from "./pod-actions.ts";
import { startsWithAllocated } from "./resize.ts";
import { findContainer } from "./restart-rules.ts";
import { isBeingPulled, nextPull, queuePull } from "./pull-queue.ts";
import { hostnameOf, kernelHostname } from "./sandbox-config.ts";
import { credentialsOf } from "./security-context.ts";
import type { StartRun, SyncResult, SyncRun } from "./state.ts";
import type { StepResult } from "./step.ts";
import { containerNamed, formatPod, podRef, RUNTIME_DOWN, secondsToMicros, type Turn } from "./turn.ts";
import { kindOf, volumeDirectory } from "./volume-kinds.ts";

/** "wait", the following step, or the container's result. */
type ContainerResult = "wait" | "next" | SyncResult;
interface ContainerStep {
  readonly name: string;
  readonly enter: (c: Starting) => ContainerResult;
  readonly resume?: (c: Starting, message: Message) => ContainerResult;
}

/** One container in one handling of one message. */
interface Starting {
  readonly turn: Turn;
  readonly uid: string;
  readonly pod: Pod;
  readonly container: Container;
  readonly run: SyncRun;
  readonly start: StartRun;
}

const OK = (name: string): SyncResult => ({ action: "StartContainer", target: name });
const fail = (c: Starting, error: string, message: string): SyncResult => ({ action: "StartContainer", target: c.container.name, error, message });
/** A failure of one of the steps from the configuration on: event Failed, waiting reason. */
function failWithEvent(c: Starting, error: string, message: string): SyncResult {
  c.turn.event(c.pod, "Warning", "Failed", `Error: ${message}`, c.container);
  return fail(c, error, message);
}
const set = (c: Starting, change: Partial<StartRun>): void => {
  const start = c.turn.worker(c.uid)?.run?.start;
  if (start) c.turn.run(c.uid, { start: { ...start, ...change } });
};
const runPending = (c: Starting) => ({ for: "run", uid: c.uid, n: c.run.n }) as const;

/** What a container's crash-loop back-off is remembered by: a changed container begins anew (pkg/kubelet/kuberuntime GetBackoffKey). */
export const backoffKey = (pod: Pod, container: Container): string => `${pod.metadata.uid ?? ""}/${container.name}/${containerHash(container)}/${JSON.stringify(container.resources ?? {})}`;

function doBackOff(c: Starting): ContainerResult {
  const exited = c.run.runtime?.containers.find((candidate) => candidate.name === c.container.name && candidate.state === "exited");
  if (!exited) return "next";
  const key = backoffKey(c.pod, c.container);
  const { turn } = c;
  const { crashLoop } = turn.state;
  if (!isInBackoffSince(crashLoop, key, turn.wall(exited.finishedAt), turn.wall())) {
    turn.set({ crashLoop: nextBackoff(crashLoop, key, turn.wall(exited.finishedAt), turn.wall()) });
    return "next";
  }
  const wait = backoffValue(crashLoop, key);
  turn.event(c.pod, "Warning", "BackOff", `Back-off restarting failed container ${c.container.name} in pod ${formatPod(c.pod)}`, c.container);
  const message = `back-off ${goDuration(wait)} restarting failed container=${c.container.name} pod=${formatPod(c.pod)}`;
  turn.explain(`${c.container.name} is in back-off for ${goDuration(wait)} after its exit`, c.pod, { level: "basic", why: "10 s, doubled at each restart up to 5 min; the worker sleeps until then, up to 1.5 times as long" });
  return { ...fail(c, "CrashLoopBackOff", message), backoffUntil: exited.finishedAt + wait };
}

function imageFailed(c: Starting, failure: ImageFailure): SyncResult {
  for (const event of failure.events) c.turn.event(c.pod, event.type, event.reason, event.message, c.container);
  c.turn.explain(`The image of ${c.container.name} cannot be had: ${failure.reason}`, c.pod, { level: "basic", why: failure.message.slice(0, 200) });
  return fail(c, failure.reason, failure.message);
}

function imageStatus(c: Starting): ContainerResult {
  const image = c.container.image ?? "";
  const invalid = invalidImageName(image);
  if (invalid) return imageFailed(c, invalid);
  c.turn.cri({ call: "ImageStatus", image }, runPending(c), podRef(c.pod), "operator");
  return "wait";
}

function imageInspected(c: Starting, message: Message): ContainerResult {
  const { turn } = c;
  const image = c.container.image ?? "";
  if (message.type === "net.error") {
    turn.event(c.pod, "Warning", "InspectFailed", `Failed to inspect image "": ${RUNTIME_DOWN()}`, c.container);
    return failWithEvent(c, "ImageInspectError", "ImageInspectError");
  }
  const policy = pullPolicy(image, c.container.imagePullPolicy);
  const present = (message as CriResponse).image;
  if (present && policy !== "Always" && !isBeingPulled(turn, image)) {
    const event = presentEvent(image);
    turn.event(c.pod, event.type, event.reason, event.message, c.container);
    turn.explain(`The image ${image} is on the node already`, c.pod, { level: "basic" });
    set(c, { imageRef: present.imageRef, image: present.image, user: present.user, pullStarted: -1 });
    return "next";
  }
  if (policy === "Never") return imageFailed(c, neverPull(image));
  const backoff = pullBackoff(turn.state.pullMemory, c.uid, image, turn.now);
  if (backoff) return imageFailed(c, backoff);
  const event = pullingEvent(image);
  turn.event(c.pod, event.type, event.reason, event.message, c.container);
  set(c, { pullStarted: turn.now });
  return "next";
}

function pullImage(c: Starting): ContainerResult {
  if (c.start.pullStarted === -1) return "next";
  queuePull(c.turn, c.uid, c.container.image ?? "");
  return "wait";
}

function imagePulled(c: Starting, message: Message): ContainerResult {
  const { turn } = c;
  const image = c.container.image ?? "";
  const began = c.run.volumesSince;
  nextPull(turn, { uid: c.uid, image });
  const error = message.type === "net.error" ? RUNTIME_DOWN() : (message as CriResponse).error;
  if (error !== undefined) {
    const { memory, failure } = pullFailed(turn.state.pullMemory, c.uid, image, error, turn.now);
    turn.set({ pullMemory: memory });
    return imageFailed(c, failure);
  }
  const pulled = (message as CriResponse).image;
  const event = pulledEvent(image, turn.now - began, turn.now - c.start.pullStarted, pulled?.sizeBytes ?? 0);
  turn.event(c.pod, event.type, event.reason, event.message, c.container);
  set(c, { imageRef: pulled?.imageRef ?? "", image: pulled?.image ?? image, user: pulled?.user ?? "" });
  return "next";
}

/** A container that mounts an image which cannot be had is not started. */
function imageVolumes(c: Starting): ContainerResult {
  const failures = c.run.imageVolumes?.failures ?? {};
  const broken = (c.container.volumeMounts ?? []).flatMap(({ name }) => failures[name] ?? []);
  for (const { reason } of broken) c.turn.event(c.pod, "Warning", "Failed", `Error: ${reason}`, c.container);
  const last = broken.at(-1);
  return last === undefined ? "next" : fail(c, last.reason, last.message);
}

/** ConfigMaps, Secrets and volumes are read that the environment and the mounts need. */
function readObjects(c: Starting): ContainerResult {
  const { turn, uid, pod, container } = c;
  const missing = environmentObjects(pod, container).filter((key) => !isFresh(turn, key));
  for (const object of missing) getObject(turn, object, { for: "object", uid, n: c.run.n, object });
  const volumes = volumesToRead(turn, uid, pod, container);
  if (volumes.length > 0) turn.expect(turn.ctx.send(`process@${turn.config.node.name}`, { type: "volume.read.request", volumes } satisfies VolumeReadRequest, { protocol: "disk", latency: 100, verb: "read", subject: podRef(pod), level: "source" }), { for: "object", uid, n: c.run.n, object: "" });
  const left = missing.length + (volumes.length > 0 ? 1 : 0);
  set(c, { containerId: String(left) });
  return left === 0 ? "next" : "wait";
}

function objectRead(c: Starting, message: Message): ContainerResult {
  const { object, answer } = message as unknown as { object: string; answer: Message };
  if (answer.type === "http.response") rememberObject(c.turn, object, answer as HttpResponse);
  const left = Number(c.start.containerId) - 1;
  set(c, { containerId: String(left), ...(answer.type === "volume.read.response" ? { files: (answer as VolumeReadResponse).volumes } : {}) });
  return left <= 0 ? "next" : "wait";
}

function generateConfig(c: Starting): ContainerResult {
  const security = { ...c.pod.spec.securityContext, ...c.container.securityContext } as { runAsNonRoot?: boolean; runAsUser?: number };
  if (security.runAsNonRoot === true) {
    const who = `(pod: "${formatPod(c.pod)}", container: ${c.container.name})`;
    if (security.runAsUser === 0) return failWithEvent(c, "CreateContainerConfigError", `container's runAsUser breaks non-root policy ${who}`);
    if (security.runAsUser === undefined && /^(|0|root)$/.test(c.start.user)) return failWithEvent(c, "CreateContainerConfigError", `container has runAsNonRoot and image will run as root ${who}`);
    if (security.runAsUser === undefined && !/^\d+$/.test(c.start.user)) return failWithEvent(c, "CreateContainerConfigError", `container has runAsNonRoot and image has non-numeric user (${c.start.user}), cannot verify user is non-root ${who}`);
  }
  const env = environment(c);
  if ("error" in env) return failWithEvent(c, "CreateContainerConfigError", env.error);
  const mounts = makeMounts(c.turn, c.uid, c.pod, c.container, new Map(env.env), c.start.files ?? {});
  if ("error" in mounts) return failWithEvent(c, "CreateContainerConfigError", mounts.error);
  set(c, { mounts: mounts.mounts });
  c.turn.later(c.uid, "kubelet.generate-config", `${c.uid}/${c.container.name}`);
  return "wait";
}

/** The files of a volume and its directory, for variables that are read from one. */
function fileOf({ turn, uid, pod, start }: Starting, name: string): { readonly directory: string; readonly files: Readonly<Record<string, string>> } | undefined {
  const volume = pod.spec.volumes?.find((candidate) => candidate.name === name);
  const files = start.files?.[volumeKey(turn, uid, pod, name)];
  return volume && files && { directory: volumeDirectory(uid, name, kindOf(volume), turn.worker(uid)?.volumes[name]?.claim), files };
}

function environment(c: Starting): ReturnType<typeof makeEnvironment> {
  const { turn } = c;
  const node = turn.state.node.store.get(turn.config.node.name) as Node | undefined;
  const services = turn.state.services.store.sorted().map(([, service]) => service as Service);
  return makeEnvironment({ pod: c.pod, podIP: c.run.podIP, hostIP: turn.config.node.address, allocatable: node?.status?.allocatable ?? {}, services, object: (key) => knownObject(turn, key), volume: (name) => fileOf(c, name) }, c.container);
}

function profileOf(pod: Pod, container: Container): Pick<ContainerConfig, "apparmorProfile"> {
  const { appArmorProfile: profile } = { ...pod.spec.securityContext, ...container.securityContext } as { readonly appArmorProfile?: { readonly type?: string; readonly localhostProfile?: string } };
  return profile?.type === "Localhost" && profile.localhostProfile !== undefined ? { apparmorProfile: profile.localhostProfile } : {};
}

/** An ephemeral container may ask to see another's processes. */
function namespaceTarget({ pod, container, run }: Starting): { readonly namespaceTarget?: string } {
  const name = pod.spec.ephemeralContainers?.find((other) => other.name === container.name)?.targetContainerName;
  const target = name === undefined ? undefined : findContainer(run.runtime, name);
  return target === undefined ? {} : { namespaceTarget: target.id };
}

function createContainer(c: Starting): ContainerResult {
  const { turn, pod, container } = c;
  const env = environment(c);
  if ("error" in env) return failWithEvent(c, "CreateContainerConfigError", env.error);
  const known = new Map(env.env);
  const before = findContainer(c.run.runtime, container.name);
  const attempt = before === undefined ? 0 : before.attempt + 1;
  const node = turn.state.node.store.get(turn.config.node.name) as Node | undefined;
  const meta = { uid: c.uid, namespace: pod.metadata.namespace ?? "default", name: pod.metadata.name ?? "" };
  const hostname = hostnameOf(pod, turn.config.node.name);
  const kernel = kernelHostname(pod, turn.config);
  const config: ContainerConfig = {
    pod: meta, name: container.name, attempt, image: c.start.image, imageRef: c.start.imageRef,
    command: (container.command ?? []).map((text) => expandVariables(text, known)), args: (container.args ?? []).map((text) => expandVariables(text, known)), env: [["HOSTNAME", "name" in kernel ? kernel.name : hostname], ...env.env],
    workingDir: container.workingDir ?? "", credentials: credentialsOf(pod, container, c.start.user), ...profileOf(pod, container), etcHosts: etcHosts(pod, c.run.podIP, hostname, turn.config.world.clusterDomain), mounts: c.start.mounts ?? [], ports: (container.ports ?? []).map((port) => port.containerPort),
    resources: containerResources(pod, container, value(node?.status?.capacity?.["memory"]) || 8_000_000_000),
    logPath: `/var/log/pods/${meta.namespace}_${meta.name}_${meta.uid}/${container.name}/${attempt}.log`,
    terminationMessagePath: container.terminationMessagePath ?? "/dev/termination-log", terminationMessagePolicy: container.terminationMessagePolicy ?? "File", hash: containerHash(container), ...namespaceTarget(c),
  };
  startsWithAllocated(turn, c.uid, container.name);
  turn.cri({ call: "CreateContainer", sandboxId: c.run.sandboxId, config }, runPending(c), podRef(pod), "basic");
  return "wait";
}

function created(c: Starting, message: Message): ContainerResult {
  if (message.type === "kubelet.step") return "next";
  const error = message.type === "net.error" ? RUNTIME_DOWN() : (message as CriResponse).error;
  if (error !== undefined) return failWithEvent(c, "CreateContainerError", error);
  set(c, { containerId: (message as CriResponse).id ?? "" });
  c.turn.event(c.pod, "Normal", "Created", "Container created", c.container);
  c.turn.later(c.uid, "kubelet.container-created", `${c.uid}/${c.container.name}`);
  return "wait";
}

function startContainer(c: Starting): ContainerResult {
  c.turn.cri({ call: "StartContainer", containerId: c.start.containerId }, runPending(c), podRef(c.pod), "basic");
  return "wait";
}

function started(c: Starting, message: Message): ContainerResult {
  const error = message.type === "net.error" ? RUNTIME_DOWN() : (message as CriResponse).error;
  if (error !== undefined) return failWithEvent(c, "RunContainerError", error);
  c.turn.event(c.pod, "Normal", "Started", "Container started", c.container);
  return "next";
}

function postStart(c: Starting): ContainerResult {
  const hook = c.container.lifecycle?.postStart;
  if (!hook) return OK(c.container.name);
  c.turn.explain(`The postStart hook of ${c.container.name} runs; the container counts as started when it is done`, c.pod, { level: "basic" });
  if (hook.sleep) c.turn.sleep(c.uid, secondsToMicros(hook.sleep.seconds));
  else if (!runHandler(c.turn, c.pod, c.container.name, c.start.containerId, hook, runPending(c), 0)) return OK(c.container.name);
  return "wait";
}

function postStarted(c: Starting, message: Message): ContainerResult {
  const hook = c.container.lifecycle?.postStart;
  if (message.type === "kubelet.killed") return fail(c, "PostStartHookError", c.start.hookError ?? "");
  if (message.type === "kubelet.step" || !hook || !hookFailed(message)) return OK(c.container.name);
  const hookError = hookFailure(c.turn, c.pod, c.container, hook, message);
  set(c, { hookError });
  c.turn.event(c.pod, "Warning", "FailedPostStartHook", "PostStartHook failed", c.container);
  beginKills(c.turn, c.uid, [{ id: c.start.containerId, name: c.container.name, message: "FailedPostStartHook", reason: "FailedPostStartHook" }], undefined, false);
  return killsRunning(c.turn, c.uid) ? "wait" : fail(c, "PostStartHookError", hookError);
}

/** startContainer from its top to its end. */
export const START_CONTAINER: readonly ContainerStep[] = [
  { name: "doBackOff", enter: doBackOff },
  { name: "imageVolumes", enter: imageVolumes },
  { name: "imageStatus", enter: imageStatus, resume: imageInspected },
  { name: "pullImage", enter: pullImage, resume: imagePulled },
  { name: "readObjects", enter: readObjects, resume: objectRead },
  { name: "generateContainerConfig", enter: generateConfig, resume: () => "next" },
  { name: "createContainer", enter: createContainer, resume: created },
  { name: "startContainer", enter: startContainer, resume: started },
  { name: "postStart", enter: postStart, resume: postStarted },
];

function current(turn: Turn, uid: string): Starting | undefined {
  const run = turn.worker(uid)?.run;
  const container = run?.start && containerNamed(run.pod, run.start.container);
  return run?.start && container ? { turn, uid, pod: run.pod, container, run, start: run.start } : undefined;
}

/** Starts the containers of the list one after another: start calls are never parallel. */
export function nextContainer(turn: Turn, uid: string): StepResult {
  const run = turn.worker(uid)?.run;
  const [next, ...rest] = run?.toStart ?? [];
  if (!run) return { error: "", cancelled: true };
  if (next === undefined) return "next";
  turn.run(uid, { toStart: rest, start: { container: next.container, isInit: next.isInit, step: 0, imageRef: "", image: "", user: "", containerId: "", pullStarted: -1 } });
  return proceed(turn, uid, undefined);
}

export const resumeContainer = (turn: Turn, uid: string, message: Message): StepResult => proceed(turn, uid, message);

function proceed(turn: Turn, uid: string, message: Message | undefined): StepResult {
  let input = message;
  for (;;) {
    const c = current(turn, uid);
    if (!c) return nextContainer(turn, uid);
    const step = START_CONTAINER[c.start.step];
    if (!step) return nextContainer(turn, uid);
    const result = input === undefined ? step.enter(c) : (step.resume?.(c, input) ?? "wait");
    input = undefined;
    if (result === "wait") return "wait";
    if (result === "next") {
      set(c, { step: c.start.step + 1 });
      continue;
    }
    const run = turn.worker(uid)?.run;
    if (!run) return { error: "", cancelled: true };
    // A failed init container ends the sync: nothing after it may start. A sidecar's failure does not.
    const stop = result.error !== undefined && c.start.isInit && c.container.restartPolicy !== "Always";
    turn.run(uid, { start: undefined, results: [...run.results, result], ...(stop ? { toStart: [] } : {}) });
    return nextContainer(turn, uid);
  }
}
