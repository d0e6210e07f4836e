// Models containerd internal/cri/server/images/image_pull.go
import { hexId } from "../api/ids.ts";
import type { MailId, Micros } from "../kernel/types.ts";
import type { RegistryProgress, RegistryRequest, RegistryResponse } from "../registry/messages.ts";
import type { CriCall } from "./messages.ts";
import { tellStored } from "./images.ts";
import { type ImageRecord, imageKey, type Operation, type PullLayer, repositoryOf } from "./state.ts";
import type { Turn } from "./turn.ts";

type Call<K extends CriCall["call"]> = Extract<CriCall, { call: K }>;
/** max_concurrent_downloads */
const CONCURRENT = 3;
const MIB = 1_048_576;
/** The dialer's timeout (internal/cri/server/images newTransport) and image_pull_progress_timeout. */
const DIAL_TIMEOUT: Micros = 30_000_000;
const PROGRESS_TIMEOUT: Micros = 300_000_000;

const describe = (image: ImageRecord): { image: string; imageRef: string; sizeBytes: number; user: string } => ({ image: image.name, imageRef: `${repositoryOf(image.name)}@${image.digest}`, sizeBytes: image.sizeBytes, user: image.user });

export function imageStatus(turn: Turn, cri: Call<"ImageStatus">): void {
  const image = turn.state.images.get(imageKey(cri.image));
  turn.reply(image ? { image: describe(image) } : {}, turn.ctx.latency("runtime.image-status", `${cri.image} ${turn.ctx.now}`));
}

const referenceOf = (key: string): { repository: string; reference: string } => {
  const at = key.includes("@") ? key.indexOf("@") : key.lastIndexOf(":");
  return { repository: key.slice(0, at), reference: key.slice(at + 1) };
};

function ask(turn: Turn, key: string, request: Pick<RegistryRequest, "kind" | "digest" | "size" | "auth">): MailId {
  return turn.ctx.send("registry", { type: "registry.request", ...referenceOf(key), ...request } satisfies RegistryRequest, { protocol: "HTTPS", latency: turn.ctx.latency("link.internet", `${key} ${request.digest ?? "manifest"} ${turn.ctx.now}`), verb: request.kind === "manifest" ? "HEAD manifest" : `GET ${request.kind}`, subject: `image/${key}` });
}

export function beginPull(turn: Turn, cri: Call<"PullImage">): void {
  const key = imageKey(cri.image);
  const { request } = turn.begin(cri, "resolve reference", key);
  turn.ctx.explain({ text: `containerd asks the registry for ${key}`, level: "basic", subject: `image/${key}`, status: `pulling ${key}` });
  turn.update(request, { waits: ask(turn, key, { kind: "manifest", ...(cri.auth === undefined ? {} : { auth: cri.auth }) }), watch: watchPull(turn, request, DIAL_TIMEOUT) });
}

const watchPull = (turn: Turn, request: MailId, delay: Micros): MailId => turn.ctx.after(delay, { type: "containerd.step", request, next: "pullSilent" });

/** Nothing was heard for as long as the dialer waits, or later for as long as a pull may stand still. */
export function pullSilent(turn: Turn, request: MailId): void {
  const operation = turn.operation(request);
  if (!operation) return;
  const failure = `failed to pull and unpack image "${operation.id}"`;
  if (operation.step === "resolve reference") {
    const { host, path, reference } = serverOf(operation.id);
    turn.ctx.explain({ text: `No connection to ${host} came about within ${DIAL_TIMEOUT / 1_000_000} s: containerd gives the pull up`, level: "basic", subject: `image/${operation.id}`, status: "idle" });
    return turn.finish(operation, { error: `rpc error: code = DeadlineExceeded desc = ${failure}: failed to resolve image: failed to do request: Head "https://${host}/v2/${path}/manifests/${reference}": dial tcp ${addressOf(host)}: i/o timeout` });
  }
  const silent = turn.ctx.now - (operation.heard ?? 0);
  const unpacking = operation.layers?.some((layer) => layer.state === "unpacking") ?? false;
  if (silent < PROGRESS_TIMEOUT || unpacking) return turn.update(request, { watch: watchPull(turn, request, unpacking ? PROGRESS_TIMEOUT : PROGRESS_TIMEOUT - silent) });
  turn.ctx.explain({ text: `Nothing of ${operation.id} has come for five minutes: containerd cancels the pull`, level: "basic", subject: `image/${operation.id}`, status: "idle" });
  turn.finish(operation, { error: `rpc error: code = Canceled desc = ${failure}: context canceled` });
}

function serverOf(key: string): { readonly host: string; readonly path: string; readonly reference: string } {
  const { repository, reference } = referenceOf(key);
  const host = repository.split("/")[0] ?? "";
  return { host: host === "docker.io" ? "registry-1.docker.io" : host, path: repository.slice(host.length + 1), reference };
}

/** Simplified: upstream's resolver gives a registry's true address; here one of the block kept for documentation. */
const addressOf = (host: string): string => (host.includes(":") ? host : `203.0.113.${(Number.parseInt(hexId(0, `registry/${host}`, 2), 16) % 254) + 1}:443`);

export function onProgress(turn: Turn, { request, received }: RegistryProgress): void {
  const pull = turn.state.operations.find((candidate) => candidate.layers?.some((layer) => layer.request === request));
  if (pull?.layers) turn.update(pull.request, { heard: turn.ctx.now, layers: pull.layers.map((layer): PullLayer => (layer.request === request ? { ...layer, received } : layer)) });
}

export function onRegistry(turn: Turn, response: RegistryResponse): void {
  const operation = turn.waiting(response.request);
  if (operation) {
    if (response.error !== undefined || response.status >= 400) return turn.finish(operation, { error: response.error ?? `unexpected status ${response.status}` });
    return operation.step === "resolve reference" ? onManifest(turn, operation, response) : fetchLayers(turn, operation.request);
  }
  const pull = turn.state.operations.find((candidate) => candidate.layers?.some((layer) => layer.request === response.request));
  if (!pull?.layers) return;
  turn.update(pull.request, { layers: pull.layers.map((layer): PullLayer => (layer.request === response.request ? { ...layer, state: "downloaded" } : layer)), heard: turn.ctx.now });
  fetchLayers(turn, pull.request);
  unpackNext(turn, pull.request);
}

function onManifest(turn: Turn, operation: Operation, response: RegistryResponse): void {
  const manifest = response.manifest;
  if (!manifest) return;
  const layers = manifest.layers.map((layer): PullLayer => ({ ...layer, request: -1, state: turn.state.layers.has(layer.digest) ? "extracted" : "waiting" }));
  const present = layers.filter((layer) => layer.state === "extracted").length;
  turn.ctx.explain({ text: `The image has ${layers.length} layers; ${present} are here already`, subject: `image/${operation.id}` });
  turn.update(operation.request, { step: "fetch config", layers, manifestDigest: manifest.digest, user: manifest.user, heard: turn.ctx.now, ...(manifest.architecture === undefined ? {} : { architecture: manifest.architecture }), waits: ask(turn, operation.id, { kind: "config", digest: manifest.configDigest, size: 8000 }) });
}

function fetchLayers(turn: Turn, request: MailId): void {
  const operation = turn.operation(request);
  if (!operation?.layers) return;
  let running = operation.layers.filter((layer) => layer.state === "downloading").length;
  const layers = operation.layers.map((layer): PullLayer => {
    if (layer.state !== "waiting" || running >= CONCURRENT) return layer;
    running++;
    return { ...layer, state: "downloading", request: ask(turn, operation.id, { kind: "layer", digest: layer.digest, size: layer.size }) };
  });
  turn.update(request, { step: "fetch layers", waits: -1, layers });
  if (layers.every((layer) => layer.state === "extracted")) complete(turn, request);
}

/** Layers are unpacked one at a time, in order, each on top of the one before. */
function unpackNext(turn: Turn, request: MailId): void {
  const layers = turn.operation(request)?.layers;
  if (!layers || layers.some((layer) => layer.state === "unpacking")) return;
  const next = layers.find((layer) => layer.state !== "extracted");
  if (next?.state !== "downloaded") return;
  turn.update(request, { step: "unpack layers", layers: layers.map((layer): PullLayer => (layer === next ? { ...layer, state: "unpacking" } : layer)) });
  const time = Math.floor((next.size * turn.ctx.latency("runtime.unpack-mib", next.digest)) / MIB);
  turn.after(time, "unpacked", request);
}

export function unpacked(turn: Turn, request: MailId): void {
  const layers = turn.operation(request)?.layers;
  if (!layers) return;
  for (const layer of layers) if (layer.state === "unpacking") turn.state = { ...turn.state, layers: turn.state.layers.set(layer.digest, layer.size) };
  const after = layers.map((layer): PullLayer => (layer.state === "unpacking" ? { ...layer, state: "extracted" } : layer));
  turn.update(request, { layers: after });
  if (after.every((layer) => layer.state === "extracted")) complete(turn, request);
  else unpackNext(turn, request);
}

function complete(turn: Turn, request: MailId): void {
  const operation = turn.operation(request);
  if (!operation?.layers) return;
  const sizeBytes = operation.layers.reduce((sum, layer) => sum + layer.size, 0);
  const image: ImageRecord = { name: operation.id, id: `sha256:${operation.manifestDigest?.slice(7) ?? ""}`, digest: operation.manifestDigest ?? "", sizeBytes, user: operation.user ?? "", layers: operation.layers.map(({ digest, size }) => ({ digest, size })), pinned: false, pulledAt: turn.state.images.get(operation.id)?.pulledAt ?? turn.ctx.now, ...(operation.architecture === undefined ? {} : { architecture: operation.architecture }) };
  const fresh = turn.state.images.get(operation.id)?.digest !== image.digest;
  turn.state = { ...turn.state, images: turn.state.images.set(operation.id, image) };
  turn.ctx.explain({ text: `containerd has unpacked ${operation.layers.length} layers: ${operation.id} is on the node`, level: "basic", subject: `image/${operation.id}`, status: "idle" });
  if (fresh) tellStored(turn);
  turn.finish(operation, { image: describe(image) });
}
