// Models kubernetes/pkg/kubelet/images/image_gc_manager.go
import type { ListedImage } from "../cri/messages.ts";
import type { Message, Micros } from "../kernel/types.ts";
import type { SummaryRequest, SummaryResponse } from "../process/messages.ts";
import type { Turn } from "./turn.ts";

export interface ImageGCTimer extends Message {
  readonly type: "kubelet.imageGC";
}

/** Why images are removed: to free so many bytes, or all that can go because the eviction manager asks. */
interface Freeing {
  readonly why: "space" | "eviction";
  readonly left: readonly { readonly name: string; readonly sizeBytes: number }[];
  readonly wanted: number;
  readonly freed: number;
  readonly usagePercent: number;
  readonly capacity: number;
}

export interface ImageGCState {
  /** The armed round; 0 for none. */
  readonly at: Micros;
  readonly images: readonly ListedImage[];
  readonly freeing?: Freeing;
  /** The round before this one has failed: an Event tells only of the second in a row. */
  readonly failed: boolean;
}

export const NO_IMAGE_GC: ImageGCState = { at: 0, images: [], failed: false };

/** ImageGCPeriod; detectImages looks as often, on a phase of its own. */
const PERIOD: Micros = 300_000_000;
const NEVER = Number.NEGATIVE_INFINITY;

const set = (turn: Turn, change: Partial<ImageGCState>): void => turn.set({ imageGC: { ...turn.state.imageGC, ...change } });
const subject = (turn: Turn): string => `node/${turn.config.node.name}`;

/** The next round is done. Simplified: upstream's is every 5 min; here at those very instants, but only while the disk is short. */
export function armImageGC(turn: Turn): void {
  if (turn.state.imageGC.at > turn.now) return;
  const at = turn.nextTick("imageGC", PERIOD, turn.now + 1);
  set(turn, { at });
  turn.ctx.after(at - turn.now, { type: "kubelet.imageGC" } satisfies ImageGCTimer);
}

export function onImageGCTimer(turn: Turn): void {
  if (turn.state.imageGC.freeing === undefined) turn.cri({ call: "ListImages" }, { for: "images", why: "space" }, subject(turn), "source");
  if (turn.state.eviction.short.includes("disk") || turn.kubelet.imageMaximumGCAge > 0) armImageGC(turn);
}

/** The eviction manager wants all unused images gone. Returns how many answers it will have to wait for. */
export function deleteUnusedImages(turn: Turn): number {
  if (turn.state.imageGC.freeing !== undefined) return 0;
  turn.cri({ call: "ListImages" }, { for: "images", why: "eviction" }, subject(turn), "operator");
  return 1;
}

/** detectImages of the same round has just found it, or one of those before. */
const firstDetected = (turn: Turn, { pulledAt }: ListedImage): Micros => Math.min(turn.now, turn.nextTick("detectImages", PERIOD, pulledAt));

/** The last look that found a container of it; NEVER if none did. */
function lastUsed(turn: Turn, image: ListedImage): Micros {
  if (image.usedUntil === undefined) return NEVER;
  const look = turn.lastTick("detectImages", PERIOD, image.usedUntil);
  return look >= image.pulledAt ? look : NEVER;
}

/** imagesInEvictionOrder, without those too young: least recently used first, then the longest there. */
function unused(turn: Turn, images: readonly ListedImage[]): readonly ListedImage[] {
  const free = images.filter((image) => !image.inUse && !image.pinned && turn.now - firstDetected(turn, image) >= turn.kubelet.imageMinimumGCAge);
  return [...free].sort((a, b) => {
    const [x, y] = [lastUsed(turn, a), lastUsed(turn, b)];
    return x === y ? firstDetected(turn, a) - firstDetected(turn, b) : x < y ? -1 : 1;
  });
}

/** ListImages has been answered. */
export function onImages(turn: Turn, images: readonly ListedImage[] | undefined, why: Freeing["why"]): number {
  if (images === undefined) {
    if (why === "space") failed(turn, "rpc error: code = Unavailable");
    return 0;
  }
  if (why === "eviction") return free(turn, { why, left: unused(turn, images), wanted: Number.POSITIVE_INFINITY, freed: 0, usagePercent: 0, capacity: 0 });
  set(turn, { images });
  const mail = turn.ctx.send(`process@${turn.config.node.name}`, { type: "process.summary.request" } satisfies SummaryRequest, { protocol: "disk", latency: 300, verb: "statfs", level: "source" });
  turn.expect(mail, { for: "summary", why: "imageGC" });
  return 0;
}

/** GarbageCollect, with the disk's usage known. */
export function onDiskUsage(turn: Turn, { disk: { capacity, available } }: SummaryResponse): void {
  const { images } = turn.state.imageGC;
  const { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low, imageMaximumGCAge: maxAge } = turn.kubelet;
  const candidates = unused(turn, images);
  const old = maxAge > 0 && turn.now - turn.state.startedAt > maxAge ? candidates.filter((image) => turn.now - lastUsed(turn, image) > maxAge) : [];
  const usagePercent = 100 - Math.floor((available * 100) / capacity);
  const wanted = usagePercent >= high ? Math.floor((capacity * (100 - low)) / 100) - available : 0;
  if (wanted <= 0 && old.length === 0) return set(turn, { failed: false });
  turn.explain(`The disk of ${turn.config.node.name} is ${usagePercent} % full: images that no container uses are removed`, undefined, { level: "basic", status: "image GC", why: `From ${high} % on down to ${low} %, the least recently used first; none that came within the last ${Math.round(turn.kubelet.imageMinimumGCAge / 60_000_000)} min` });
  free(turn, { why: "space", left: wanted > 0 ? [...old, ...candidates.filter((image) => !old.includes(image))] : old, wanted: wanted > 0 ? wanted : Number.POSITIVE_INFINITY, freed: 0, usagePercent, capacity });
}

/** Removes the next image, or is done. Returns the number of answers that are awaited. */
function free(turn: Turn, freeing: Freeing): number {
  const [next] = freeing.left;
  if (next !== undefined && freeing.freed < freeing.wanted) {
    set(turn, { freeing });
    turn.cri({ call: "RemoveImage", image: next.name }, { for: "imageRemoved" }, `image/${next.name}`, "basic");
    return 1;
  }
  const { freeing: _, ...rest } = turn.state.imageGC;
  turn.set({ imageGC: rest });
  if (freeing.why === "space") finished(turn, freeing);
  return 0;
}

/** One image is gone: its whole size counts as freed, whoever else holds its layers. Returns as `free` does; undefined for a round of its own. */
export function onImageRemoved(turn: Turn, error: string | undefined): number | undefined {
  const { freeing } = turn.state.imageGC;
  const [gone] = freeing?.left ?? [];
  if (freeing === undefined || gone === undefined) return undefined;
  const more = free(turn, { ...freeing, left: freeing.left.slice(1), freed: freeing.freed + (error === undefined ? gone.sizeBytes : 0) });
  return freeing.why === "eviction" ? more : undefined;
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** "95.0 GiB" */
export function formatSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  for (; size >= 1024 && unit < UNITS.length - 1; unit++) size /= 1024;
  return unit === 0 ? `${Math.trunc(size)} B` : `${size.toFixed(1)} ${UNITS[unit] ?? ""}`;
}

function finished(turn: Turn, { freed, wanted, usagePercent, capacity }: Freeing): void {
  if (!Number.isFinite(wanted) || freed >= wanted) return set(turn, { failed: false });
  const message = `Insufficient free disk space on the node's image filesystem (${usagePercent}% of ${formatSize(capacity)} used). Failed to free sufficient space by deleting unused images (freed ${freed} bytes). Investigate disk usage, as it could be used by active images, logs, volumes, or other data.`;
  nodeEvent(turn, "FreeDiskSpaceFailed", message);
  failed(turn, message);
}

function failed(turn: Turn, message: string): void {
  if (turn.state.imageGC.failed) nodeEvent(turn, "ImageGCFailed", message);
  set(turn, { failed: true });
}

function nodeEvent(turn: Turn, reason: string, message: string): void {
  const node = turn.state.node.store.get(turn.config.node.name);
  if (node) turn.event(node, "Warning", reason, message);
}
