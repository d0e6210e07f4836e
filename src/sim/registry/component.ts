// Models a container registry (github.com/opencontainers/distribution-spec)
import { parseImageName } from "../api/image-name.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { Component, Ctx, Message, Micros } from "../kernel/types.ts";
import { lookupImage, singleLayer } from "./images.ts";
import type { RegistryRequest, RegistryResponse } from "./messages.ts";

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

/** `image` of a fault names a repository, with or without its tag. */
function removed(state: RegistryState, request: RegistryRequest): boolean {
  return state.faults.some((fault) => {
    if (fault.id !== "image.not-found") return false;
    const text = String(fault.params["image"] ?? "");
    const parsed = parseImageName(text);
    return parsed !== undefined && parsed.repository === request.repository && (!/[:@][^/]*$/.test(text) || parsed.tag === request.reference);
  });
}

function answer(state: RegistryState, request: RegistryRequest, ctx: Ctx, stock: Stock): RegistryState {
  const stocked = stock[`${request.repository}:${request.reference}`];
  const subject = `image/${request.repository}:${request.reference}`;
  const key = `${request.repository} ${request.reference} ${request.digest ?? ""}`;
  if (request.kind === "manifest") {
    const reference = `${request.repository}:${request.reference}`;
    const found = removed(state, request)
      ? { status: 404, error: `rpc error: code = NotFound desc = failed to pull and unpack image "${reference}": failed to resolve image: ${reference}: not found` }
      : stocked
        ? singleLayer(request.repository, request.reference, stocked.sizeBytes)
        : lookupImage(request.repository, request.reference);
    ctx.explain({ text: found.status === 200 ? `The registry has ${reference} and sends its manifest.` : `The registry answers ${found.status || "nothing"}: it has no ${reference}`, level: found.status === 200 ? "operator" : "basic", subject });
    ctx.send(ctx.from, { type: "registry.response", request: ctx.mail, ...found } satisfies RegistryResponse, { protocol: "HTTPS", latency: ctx.latency("registry.answer", key), verb: "manifest", status: found.status, subject });
    return { ...state, served: state.served + 1 };
  }
  const size = request.size ?? 0;
  const transfer = Math.floor((size * ctx.latency("registry.mib", key)) / MIB);
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
      const fault = message as FaultMessage;
      const others = state.faults.filter((other) => other.id !== fault.id || other.params["image"] !== fault.params["image"]);
      return { ...state, faults: fault.on ? [...others, fault] : others };
    },
  };
}
