// Models containerd internal/cri/server/images/{image_list,image_remove,imagefs_info}.go and the snapshots that images share
import type { MailId } from "../kernel/types.ts";
import type { ImagesStored } from "../process/messages.ts";
import type { CriCall, ListedImage } from "./messages.ts";
import { type ImageRecord, imageKey } from "./state.ts";
import type { Turn } from "./turn.ts";

type Call<K extends CriCall["call"]> = Extract<CriCall, { call: K }>;

/** Names of the images that containers, also ended ones, were made of. */
function imagesInUse(turn: Turn): ReadonlySet<string> {
  return new Set(turn.state.containers.values().map(({ status }) => imageKey(status.image)));
}

export function listImages(turn: Turn): void {
  const used = imagesInUse(turn);
  const images = turn.state.images.sorted().map(([name, image]): ListedImage => ({ name, sizeBytes: image.sizeBytes, pinned: image.pinned, pulledAt: image.pulledAt, inUse: used.has(name), ...(image.usedUntil === undefined ? {} : { usedUntil: image.usedUntil }) }));
  turn.reply({ images }, turn.ctx.latency("runtime.list", `images ${turn.ctx.now}`), "source");
}

/** A container was made of the image: it is in use until the last such container is removed. */
export function imageUsed(turn: Turn, name: string): void {
  const key = imageKey(name);
  const image = turn.state.images.get(key);
  if (image?.usedUntil === undefined) return;
  const { usedUntil: _, ...used } = image;
  turn.state = { ...turn.state, images: turn.state.images.set(key, used) };
}

export function imageReleased(turn: Turn, name: string): void {
  const key = imageKey(name);
  const image = turn.state.images.get(key);
  if (image === undefined || imagesInUse(turn).has(key)) return;
  turn.state = { ...turn.state, images: turn.state.images.set(key, { ...image, usedUntil: turn.ctx.now }) };
}

/** Bytes on disk of all layers. Simplified: a layer takes its compressed size; containerd keeps the blob and the unpacked snapshot. */
export function storedBytes({ images, layers }: Turn["state"]): number {
  const held = new Map<string, number>();
  for (const image of images.values()) for (const { digest, size } of image.layers) held.set(digest, size);
  for (const [digest, size] of layers.entries()) held.set(digest, size);
  let sum = 0;
  for (const size of held.values()) sum += size;
  return sum;
}

/** The disk holds more layers, or fewer. */
export function tellStored(turn: Turn): void {
  turn.ctx.send(`process@${turn.node.name}`, { type: "images.stored", bytes: storedBytes(turn.state) } satisfies ImagesStored, { protocol: "disk", latency: 0, verb: "snapshots", level: "source" });
}

export function beginRemoveImage(turn: Turn, cri: Call<"RemoveImage">): void {
  turn.begin(cri, "remove image", imageKey(cri.image));
  turn.later("runtime.remove", `image ${cri.image}`, "imageRemoved");
}

export function imageRemoved(turn: Turn, request: MailId): void {
  const operation = turn.operation(request);
  if (!operation) return;
  dropImage(turn, operation.id);
  turn.finish(operation, {});
}

/** The name goes at once; of its layers those that no other image is made of. */
export function dropImage(turn: Turn, key: string): void {
  const image: ImageRecord | undefined = turn.state.images.get(key);
  if (image === undefined) return;
  const images = turn.state.images.delete(key);
  const kept = new Set(images.values().flatMap(({ layers }) => layers.map(({ digest }) => digest)));
  let { layers } = turn.state;
  const freed = image.layers.filter(({ digest }) => !kept.has(digest));
  for (const { digest } of freed) layers = layers.delete(digest);
  turn.state = { ...turn.state, images, layers };
  const shared = image.layers.length - freed.length;
  turn.ctx.explain({ text: `containerd removes ${key} from the node`, why: `${freed.length} of its ${image.layers.length} layers ${freed.length === 1 ? "goes" : "go"} with it${shared === 0 ? "" : `; ${shared} ${shared === 1 ? "is" : "are"} held by other images`}`, level: "basic", subject: `image/${key}`, status: "idle" });
  tellStored(turn);
}
