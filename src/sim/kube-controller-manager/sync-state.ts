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
  if ((state.delayed.get(key) ?? Number.POSITIVE_INFINITY) <= due) return state;
  ctx.after(after, { type: "controller.add", key } satisfies AddMessage);
  return withController(state, { delayed: state.delayed.set(key, due) });
}

export const notSent = (count: number): Answer[] => Array.from({ length: Math.max(0, count) }, (): Answer => ({ status: 0, sent: false }));

export const batchOffset = (sync: Sync<unknown>): number => (sync.plan.batches ?? []).slice(0, sync.batch).reduce((sum, batch) => sum + batch.length, 0);

/** The call that a request of the present batch made. */
export const callOf = (sync: Sync<unknown>, request: MailId): ApiCall | undefined => sync.plan.batches?.[sync.batch]?.[sync.sent.indexOf(request)];

export function replaceSync<D, M>(state: ControllerState<D, M>, sync: Sync<D>): ControllerState<D, M> {
  return withController(state, { syncs: state.syncs.map((entry) => (entry.key === sync.key ? sync : entry)) });
}

/** The newest versions written for a key, by position in the controller's resources, and when the last answer came. */
export interface Written {
  readonly versions: readonly number[];
  readonly at: Micros;
}

/** Remembers a write for the key, if it is the newest of its resource. */
export function withWrite<D, M>(state: ControllerState<D, M>, key: string, at: number, version: number, now: Micros): ControllerState<D, M> {
  const known = state.written.get(key)?.versions ?? state.informers.map(() => 0);
  return version <= (known[at] ?? 0) ? state : withController(state, { written: state.written.set(key, { versions: known.with(at, version), at: now }) });
}

/** Where the cache lacks what was written for the key: a position, or -1. `counts` says which resources matter. */
export function unseenWrite({ written, informers }: Pick<ControllerState, "written" | "informers">, key: string, counts: (at: number) => boolean = () => true): number {
  return written.get(key)?.versions.findIndex((version, at) => version > Number(informers[at]?.resourceVersion ?? 0) && counts(at)) ?? -1;
}

/** An answer and the watch's event of the same write race, and mostly the event is first (18 of 20 measured): so long it may be behind. */
const RACE: Micros = 1_000;

/** How long to wait before a key's next sync for the events of its last writes; 0 when all are there, or must be late. */
export function raceLeft(state: Pick<ControllerState, "written" | "informers">, key: string, now: Micros): Micros {
  const last = state.written.get(key);
  return last === undefined || unseenWrite(state, key) < 0 ? 0 : Math.max(0, last.at + RACE - now);
}

/** EnsureReady's words. */
export function staleText({ written, informers }: Pick<ControllerState, "written" | "informers">, key: string, at: number, kind: string): string {
  return `read version: ${informers[at]?.resourceVersion ?? ""} is not as new as written version: ${written.get(key)?.versions[at] ?? 0} for group resource ${groupResource(kind)}`;
}

/** What was waited for is there, or is not waited for any longer; nor need the key come again for that. */
export function forgetWrites<D, M>(state: ControllerState<D, M>, key: string, now: Micros): ControllerState<D, M> {
  if (!state.written.has(key)) return state;
  const written = state.written.delete(key);
  const due = state.delayed.get(key);
  if (due === undefined || due > now + RACE) return withController(state, { written });
  return withController(state, { written, delayed: state.delayed.delete(key) });
}

function groupResource(kind: string): string {
  const info = resourceOfKind(kind);
  const group = info?.apiVersion.includes("/") ? `.${info.apiVersion.split("/")[0]}` : "";
  return `${info?.resource ?? kind}${group}`;
}
