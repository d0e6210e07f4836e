// Models a container registry (github.com/opencontainers/distribution-spec)
import { activeFaults } from "../api/active-faults.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { Component, Ctx, Message, Micros } from "../kernel/types.ts";
import { lookupImage, singleLayer } from "./images.ts";
import type { RegistryProgress, RegistryRequest, RegistryResponse } from "./messages.ts";
import { isSilent, pushedManifest, refusal, serverOf, slowness } from "./trouble.ts";

export interface RegistryState {
  readonly faults: readonly FaultMessage[];
  readonly served: number;
  readonly bytes: number;
}

/** An image of one layer that a registry holds besides the catalogue's. */
export interface StockedImage {
  readonly sizeBytes: number;
  /** The registry keeps its layer back for so long. */
  readonly layerDelay?: Micros;
}
type Stock = Readonly<Record<string, StockedImage>>;

const MIB = 1_048_576;
/** Simplified: upstream sees every byte; here a long transfer shows itself so often. */
const TELL_EVERY: Micros = 15_000_000;
/** What a status says of an image that is not given out. */
const WHY: Readonly<Record<number, string>> = { 401: "who asks may not have", 429: "too many were pulled lately to hand out" };

function answer(state: RegistryState, request: RegistryRequest, ctx: Ctx, stock: Stock): RegistryState {
  const stocked = stock[`${request.repository}:${request.reference}`];
  const subject = `image/${request.repository}:${request.reference}`;
  const key = `${request.repository} ${request.reference} ${request.digest ?? ""}`;
  if (isSilent(state.faults, request)) {
    ctx.explain({ text: `Nothing answers at ${serverOf(request.repository)}:443`, why: "Packets get lost on the way: the client hears nothing, not even a refusal", level: "basic", subject });
    return state;
  }
  if (request.kind === "manifest") {
    const reference = `${request.repository}:${request.reference}`;
    const published = stocked ? singleLayer(request.repository, request.reference, stocked.sizeBytes) : lookupImage(request.repository, request.reference);
    const found = refusal(state.faults, request) ?? (published.manifest ? { ...published, manifest: pushedManifest(state.faults, request, published.manifest) } : published);
    ctx.explain({ text: found.status === 200 ? `The registry has ${reference} and sends its manifest.` : `The registry answers ${found.status || "nothing"}: ${WHY[found.status] ?? "it has no"} ${reference}`, level: found.status === 200 ? "operator" : "basic", subject });
    ctx.send(ctx.from, { type: "registry.response", request: ctx.mail, ...found } satisfies RegistryResponse, { protocol: "HTTPS", latency: ctx.latency("registry.answer", key), verb: "manifest", status: found.status, subject });
    return { ...state, served: state.served + 1 };
  }
  const size = request.size ?? 0;
  const transfer = Math.floor((size * ctx.latency("registry.mib", key)) / MIB) * slowness(state.faults, request);
  for (let passed = TELL_EVERY; passed < transfer; passed += TELL_EVERY) {
    const received = Math.floor((size * passed) / transfer);
    ctx.send(ctx.from, { type: "registry.progress", request: ctx.mail, received } satisfies RegistryProgress, { protocol: "HTTPS", latency: ctx.latency("registry.answer", key) + passed, verb: `layer ${(received / 1_000_000).toFixed(1)} of ${(size / 1_000_000).toFixed(1)} MB`, subject, level: "source" });
  }
  ctx.send(ctx.from, { type: "registry.response", request: ctx.mail, status: 200 } satisfies RegistryResponse, { protocol: "HTTPS", latency: ctx.latency("registry.answer", key) + transfer + (request.kind === "layer" ? (stocked?.layerDelay ?? 0) : 0), verb: request.kind === "layer" ? `layer ${(size / 1_000_000).toFixed(1)} MB` : "config", status: 200, subject });
  return { ...state, served: state.served + 1, bytes: state.bytes + size };
}

/** Component "registry": every registry there is, seen from the nodes; `stock` by "docker.io/library/name:tag". */
export function createRegistry(stock: Stock = {}): Component<RegistryState> {
  return {
    id: "registry",
    machine: "internet",
    init: () => ({ faults: [], served: 0, bytes: 0 }),
    step(state, message: Message, ctx) {
      if (message.type === "registry.request") return answer(state, message as RegistryRequest, ctx, stock);
      if (message.type !== "fault") return state;
      return { ...state, faults: activeFaults(state.faults, message as FaultMessage) };
    },
  };
}
