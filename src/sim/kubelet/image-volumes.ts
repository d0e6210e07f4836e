// Models kubernetes/pkg/kubelet/kuberuntime/kuberuntime_manager.go getImageVolumes
import type { CriResponse } from "../cri/messages.ts";
import type { Message } from "../kernel/types.ts";
import { type ImageEvent, type ImageFailure, invalidImageName, neverPull, presentEvent, pullBackoff, pulledEvent, pullFailed, pullingEvent, pullPolicy } from "./image-manager.ts";
import { isBeingPulled, nextPull, queuePull } from "./pull-queue.ts";
import type { StepResult } from "./step.ts";
import { podRef, RUNTIME_DOWN, type Turn } from "./turn.ts";

/** How far a sync is with the images that the Pod mounts. */
export interface ImageVolumesRun {
  /** Index among the image volumes. */
  readonly at: number;
  /** When the pull was asked for; 0 while the image is looked for. */
  readonly pullStarted: number;
  /** Volumes whose image cannot be had: containers that mount them are not started. */
  readonly failures: Readonly<Record<string, { readonly reason: string; readonly message: string }>>;
}

const STOP: StepResult = { error: "", cancelled: true };
const imagesOf = (turn: Turn, uid: string) => (turn.worker(uid)?.run?.pod.spec.volumes ?? []).flatMap(({ name, image }) => (image ? [{ name, reference: image.reference ?? "", policy: image.pullPolicy }] : []));

/** Before any container starts the images that the Pod mounts as volumes are brought to the node, one after another. */
export function pullImageVolumes(turn: Turn, uid: string): StepResult {
  if (imagesOf(turn, uid).length === 0) return "next";
  turn.run(uid, { imageVolumes: { at: 0, pullStarted: 0, failures: {} } });
  return look(turn, uid);
}

function look(turn: Turn, uid: string): StepResult {
  const run = turn.worker(uid)?.run;
  const volume = imagesOf(turn, uid)[run?.imageVolumes?.at ?? 0];
  if (!run) return STOP;
  if (volume === undefined) return "next";
  const invalid = invalidImageName(volume.reference);
  if (invalid) return failed(turn, uid, volume.name, invalid);
  turn.cri({ call: "ImageStatus", image: volume.reference }, { for: "run", uid, n: run.n }, podRef(run.pod));
  return "wait";
}

function onward(turn: Turn, uid: string): StepResult {
  const before = turn.worker(uid)?.run?.imageVolumes;
  if (!before) return STOP;
  turn.run(uid, { imageVolumes: { ...before, at: before.at + 1, pullStarted: 0 } });
  return look(turn, uid);
}

function say(turn: Turn, uid: string, events: readonly ImageEvent[]): void {
  const pod = turn.worker(uid)?.pod;
  for (const event of events) if (pod) turn.event(pod, event.type, event.reason, event.message);
}

function failed(turn: Turn, uid: string, volume: string, failure: ImageFailure): StepResult {
  const before = turn.worker(uid)?.run?.imageVolumes;
  if (!before) return STOP;
  say(turn, uid, failure.events);
  turn.explain(`The image of volume ${volume} cannot be had: ${failure.reason}`, turn.worker(uid)?.pod, { level: "basic", why: failure.message.slice(0, 200) });
  turn.run(uid, { imageVolumes: { ...before, failures: { ...before.failures, [volume]: { reason: failure.reason, message: failure.message } } } });
  return onward(turn, uid);
}

/** The runtime has looked for an image, or pulled it. */
export function imageVolumeAnswered(turn: Turn, uid: string, message: Message): StepResult {
  const run = turn.worker(uid)?.run;
  const state = run?.imageVolumes;
  const volume = imagesOf(turn, uid)[state?.at ?? 0];
  if (!run || !state || !volume) return STOP;
  const { reference: image, name } = volume;
  const error = message.type === "net.error" ? RUNTIME_DOWN() : (message as CriResponse).error;
  if (state.pullStarted > 0) {
    nextPull(turn, { uid, image });
    if (error !== undefined) {
      const { memory, failure } = pullFailed(turn.state.pullMemory, uid, image, error, turn.now);
      turn.set({ pullMemory: memory });
      return failed(turn, uid, name, failure);
    }
    say(turn, uid, [pulledEvent(image, turn.now - run.volumesSince, turn.now - state.pullStarted, (message as CriResponse).image?.sizeBytes ?? 0)]);
    return onward(turn, uid);
  }
  if (error !== undefined) return failed(turn, uid, name, { reason: "ImageInspectError", message: error, events: [{ type: "Warning", reason: "InspectFailed", message: `Failed to inspect image "": ${error}` }] });
  const policy = pullPolicy(image, volume.policy);
  if ((message as CriResponse).image && policy !== "Always" && !isBeingPulled(turn, image)) {
    say(turn, uid, [presentEvent(image)]);
    return onward(turn, uid);
  }
  if (policy === "Never") return failed(turn, uid, name, neverPull(image));
  const backoff = pullBackoff(turn.state.pullMemory, uid, image, turn.now);
  if (backoff) return failed(turn, uid, name, backoff);
  say(turn, uid, [pullingEvent(image)]);
  turn.explain(`The image ${image} is pulled for volume ${name}`, run.pod, { level: "basic", why: "Its files will be mounted read-only; nothing of it is run" });
  turn.run(uid, { imageVolumes: { ...state, pullStarted: turn.now } });
  queuePull(turn, uid, image);
  return "wait";
}
