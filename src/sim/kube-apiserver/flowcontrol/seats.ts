// Models kubernetes/staging/src/k8s.io/apiserver/pkg/util/flowcontrol/apf_filter.go: seats that are taken and given back
import type { Ctx, Micros } from "../../kernel/types.ts";
import { type ApiServerState, withState } from "../state.ts";
import { flowConfig, type Level } from "./config.ts";
import { dispatch, finish, isIdle } from "./queue-set.ts";

/** The place a request has: its flow, its level, and once it is served its seats. */
export interface Flow {
  readonly schema: string;
  readonly level: string;
  readonly seats: number;
  /** The queue it waited in; undefined when it did not. */
  readonly queue: number | undefined;
  /** -1 while it waits. */
  readonly servedAt: Micros;
}

/** Seats of a level that are in use. */
export const used = (state: Pick<ApiServerState, "seats">, level: string): number => state.seats[level] ?? 0;

/** Calls those who wait, in fair order, while there are seats. */
function callWaiting(ctx: Ctx, state: ApiServerState, level: Level): ApiServerState {
  let next = state;
  while (level.queuing !== undefined && level.seats !== undefined) {
    const queues = next.queues.get(level.name);
    const called = queues === undefined ? undefined : dispatch(queues, level.queuing, level.seats, used(next, level.name), ctx.now);
    if (called === undefined) break;
    const request = next.requests.get(called.key);
    const seats = { ...next.seats, [level.name]: used(next, level.name) + called.seats };
    next = withState(next, { queues: next.queues.set(level.name, called.set), seats });
    if (request?.seat === undefined) continue;
    next = withState(next, { requests: next.requests.set(called.key, { ...request, seat: { ...request.seat, queue: called.index, servedAt: ctx.now } }) });
    ctx.after(0, { type: "apiserver.step", key: called.key });
  }
  return next;
}

/** A request is answered: its seats are free, and who waits for one is called. */
export function releaseSeats(ctx: Ctx, state: ApiServerState, flow: Flow): ApiServerState {
  if (flow.servedAt < 0) return state;
  let next = withState(state, { seats: { ...state.seats, [flow.level]: Math.max(0, used(state, flow.level) - flow.seats) } });
  const queues = next.queues.get(flow.level);
  if (queues === undefined) return next;
  const level = flowConfig(next).levels.get(flow.level);
  const limit = level?.seats ?? 0;
  if (flow.queue !== undefined) next = withState(next, { queues: next.queues.set(flow.level, finish(queues, limit, flow.queue, flow.seats, ctx.now - flow.servedAt, ctx.now)) });
  if (level !== undefined) next = callWaiting(ctx, next, level);
  const left = next.queues.get(flow.level);
  return left !== undefined && isIdle(left) ? withState(next, { queues: next.queues.delete(flow.level) }) : next;
}
