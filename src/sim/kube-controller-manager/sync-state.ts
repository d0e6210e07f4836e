// Models kubernetes/pkg/controller/util/consistency/consistency.go and the bookkeeping of a sync
import type { ApiCall } from "../client-go/api-client.ts";
import type { Ctx, MailId, Micros } from "../kernel/types.ts";
import { type Answer, type ControllerState, type Sync, withController } from "./controller-types.ts";
import { resourceOfKind } from "./resources.ts";

export interface AddMessage {
  readonly type: "controller.add";
  readonly key: string;
}

/** As upstream's delaying queue: of several times to add a key the earliest counts. */
export function addAfter<D, M>(state: ControllerState<D, M>, key: string, after: Micros, ctx: Ctx): ControllerState<D, M> {
  const due = ctx.now + after;
  if ((state.delayed[key] ?? Number.POSITIVE_INFINITY) <= due) return state;
  ctx.after(after, { type: "controller.add", key } satisfies AddMessage);
  return withController(state, { delayed: { ...state.delayed, [key]: due } });
}

export const notSent = (count: number): Answer[] => Array.from({ length: Math.max(0, count) }, (): Answer => ({ status: 0, sent: false }));

export const batchOffset = (sync: Sync<unknown>): number => (sync.plan.batches ?? []).slice(0, sync.batch).reduce((sum, batch) => sum + batch.length, 0);

/** The call that a request of the present batch made. */
export const callOf = (sync: Sync<unknown>, request: MailId): ApiCall | undefined => sync.plan.batches?.[sync.batch]?.[sync.sent.indexOf(request)];

export function replaceSync<D, M>(state: ControllerState<D, M>, sync: Sync<D>): ControllerState<D, M> {
  return withController(state, { syncs: state.syncs.map((entry) => (entry.key === sync.key ? sync : entry)) });
}

/** Remembers a write for the key, if it is the newest of its resource. */
export function withWrite<D, M>(state: ControllerState<D, M>, key: string, at: number, version: number): ControllerState<D, M> {
  const known = state.written[key] ?? state.informers.map(() => 0);
  return version <= (known[at] ?? 0) ? state : withController(state, { written: { ...state.written, [key]: known.with(at, version) } });
}

/** EnsureReady: why the key's sync must wait, or undefined when the cache has all that was written for it. */
export function unseenWrite(state: Pick<ControllerState, "written" | "informers">, key: string, kinds: readonly string[]): string | undefined {
  const known = state.written[key];
  if (known === undefined) return undefined;
  for (const [at, version] of known.entries()) {
    const read = state.informers[at]?.resourceVersion ?? "0";
    if (version > Number(read)) return `read version: ${read} is not as new as written version: ${version} for group resource ${groupResource(kinds[at] ?? "")}`;
  }
  return undefined;
}

/** What was waited for is there. */
export function forgetWrites<D, M>(state: ControllerState<D, M>, key: string): ControllerState<D, M> {
  if (state.written[key] === undefined) return state;
  const { [key]: _seen, ...written } = state.written;
  return withController(state, { written });
}

function groupResource(kind: string): string {
  const info = resourceOfKind(kind);
  const group = info?.apiVersion.includes("/") ? `.${info.apiVersion.split("/")[0]}` : "";
  return `${info?.resource ?? kind}${group}`;
}
