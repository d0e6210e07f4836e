import type { EtcdWatchResponse } from "../../etcd/messages.ts";
import type { FaultMessage } from "../../faults/messages.ts";
import type { Ctx, Message, Micros } from "../../kernel/types.ts";
import { type ApiServerState, withState } from "../state.ts";

/** How far the watch caches are behind etcd. */
export interface Lag {
  readonly delay: Micros;
  /** When the last of what is late is taken in: nothing may overtake it. */
  readonly until: Micros;
}

export const NO_LAG: Lag = { delay: 0, until: 0 };

export interface LateWatch extends Message {
  readonly type: "apiserver.late-watch";
  readonly message: EtcdWatchResponse;
}

export const isLagging = ({ lag }: Pick<ApiServerState, "lag">, now: Micros): boolean => lag.delay > 0 || lag.until > now;

export const setLag = (state: ApiServerState, { on, params }: FaultMessage): ApiServerState => withState(state, { lag: { ...state.lag, delay: on ? Number(params["seconds"]) * 1_000_000 : 0 } });

/** What etcd tells waits, in order, before the caches take it in. */
export function holdBack(ctx: Ctx, state: ApiServerState, message: EtcdWatchResponse): ApiServerState {
  const until = Math.max(ctx.now + state.lag.delay, state.lag.until);
  ctx.after(until - ctx.now, { type: "apiserver.late-watch", message } satisfies LateWatch);
  return withState(state, { lag: { ...state.lag, until } });
}
