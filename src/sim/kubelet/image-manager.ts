// Models kubernetes/pkg/kubelet/images/image_manager.go
import { parseImageName } from "../api/image-name.ts";
import { goDuration } from "../api/duration.ts";
import type { Micros } from "../api/time.ts";
import { type Backoff, isInBackoffSinceUpdate, nextBackoff } from "./backoff.ts";

export interface ImageEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** The end of an attempt to have an image: `reason` is the container's waiting reason. */
export interface ImageFailure {
  readonly reason: string;
  readonly message: string;
  readonly events: readonly ImageEvent[];
}

const failed = (reason: string, message: string, events: readonly ImageEvent[]): ImageFailure => ({ reason, message, events: [...events, { type: "Warning", reason: "Failed", message: `Error: ${reason}` }] });

/** The policy a container has when none is written: tag latest (or none) pulls always. */
export function pullPolicy(image: string, policy: string | undefined): string {
  if (policy !== undefined && policy !== "") return policy;
  return parseImageName(image)?.tag === "latest" ? "Always" : "IfNotPresent";
}

/** A name that no registry could have; undefined for a good one. */
export function invalidImageName(image: string): ImageFailure | undefined {
  if (parseImageName(image)) return undefined;
  const why = image === "" ? "invalid reference format" : image !== image.toLowerCase() && parseImageName(image.toLowerCase()) ? `invalid reference format: repository name (${image.includes("/") ? (image.split(":")[0] ?? image) : `library/${image.split(":")[0] ?? image}`}) must be lowercase` : "invalid reference format";
  const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": ${why}`;
  return failed("InvalidImageName", message, [{ type: "Warning", reason: "InspectFailed", message }]);
}

export function presentEvent(image: string): ImageEvent {
  return { type: "Normal", reason: "Pulled", message: `Container image "${image}" already present on machine and can be accessed by the pod` };
}

export function neverPull(image: string): ImageFailure {
  const message = `Container image "${image}" is not present with pull policy of Never`;
  return failed("ErrImageNeverPull", message, [{ type: "Warning", reason: "ErrImageNeverPull", message }]);
}

export const pullingEvent = (image: string): ImageEvent => ({ type: "Normal", reason: "Pulling", message: `Pulling image "${image}"` });

/** `pull`: in the registry's hands; `total`: including the wait for other pulls. Both cut to milliseconds. */
export function pulledEvent(image: string, pull: Micros, total: Micros, sizeBytes: number): ImageEvent {
  const text = (d: Micros): string => goDuration(d - (d % 1000));
  return { type: "Normal", reason: "Pulled", message: `Successfully pulled image "${image}" in ${text(pull)} (${text(total)} including waiting). Image size: ${sizeBytes} bytes.` };
}

/** Pull back-off: what the kubelet remembers of failed pulls, by `<podUID>_<image>`. */
export interface PullMemory {
  readonly backoff: Backoff;
  readonly errors: Readonly<Record<string, string>>;
}

export const pullKey = (uid: string, image: string): string => `${uid}_${image}`;

/** Whether the image of this Pod is still in back-off; the failure to show if so. */
export function pullBackoff(memory: PullMemory, uid: string, image: string, now: Micros): ImageFailure | undefined {
  const key = pullKey(uid, image);
  if (!isInBackoffSinceUpdate(memory.backoff, key, now)) return undefined;
  const text = `Back-off pulling image "${image}"`;
  const before = memory.errors[key];
  return failed("ImagePullBackOff", before === undefined ? text : `${text}: ${before}`, [{ type: "Normal", reason: "BackOff", message: text }]);
}

/** A pull that failed: back-off doubles; the error is kept for the back-off's message. */
export function pullFailed(memory: PullMemory, uid: string, image: string, error: string, now: Micros): { memory: PullMemory; failure: ImageFailure } {
  const key = pullKey(uid, image);
  const failure = failed("ErrImagePull", error, [{ type: "Warning", reason: "Failed", message: `Failed to pull image "${image}": ${error}` }]);
  return { failure, memory: { backoff: nextBackoff(memory.backoff, key, now, now), errors: { ...memory.errors, [key]: `ErrImagePull: ${error}` } } };
}
