// Models kubernetes/staging/src/k8s.io/apiserver/pkg/server/filters/priority-and-fairness.go and util/flowcontrol/request
import type { Micros } from "../../kernel/types.ts";
import { distinguisherOf, flowConfig, type Level, schemaOf } from "../flowcontrol/config.ts";
import { enqueue, isIdle, leave, NO_QUEUES, waitingIn } from "../flowcontrol/queue-set.ts";
import { type Flow, used } from "../flowcontrol/seats.ts";
import { answer, attributesOf, type Run } from "../state.ts";
import { type Gate, tell, tellRefusal } from "./gates.ts";

/** A request waits in its queue for at most a quarter of the request timeout. */
const MAX_WAIT: Micros = 15_000_000;
const TOO_MANY_TEXT = "Too many requests, please try again later.";
const BYTES_PER_SEAT = 100_000;
const STREAMED_AT_ONCE = 1_000_000;
// Simplified: upstream keeps the average size of each resource's objects, and charges writes for the watchers that they wake; here every object counts as a small Pod does and a write takes one seat.
const OBJECT_BYTES = 2_000;

/** Lists and watches that send everything first cost by the objects that are in memory at once; all else takes one seat. */
function seatsOf(run: Run, level: Level): number {
  const { info, request } = run.request;
  if (info.api === undefined || (info.verb !== "list" && info.verb !== "watch") || attributesOf(run.request).name !== "") return 1;
  const { resourceVersion = "", sendInitialEvents, limit } = request.query ?? {};
  if (info.verb === "watch" && sendInitialEvents !== "true" && resourceVersion !== "" && resourceVersion !== "0") return 1;
  const stored = run.state.caches.get(info.api.etcdPrefix)?.objects.size ?? 0;
  const loaded = limit === undefined || Number(limit) <= 0 ? stored : Math.min(stored, Number(limit));
  return Math.max(1, Math.min(level.maxSeats, Math.ceil(Math.min(loaded * OBJECT_BYTES, STREAMED_AT_ONCE) / BYTES_PER_SEAT)));
}

function seated(run: Run, flow: Flow, limit: number | undefined): void {
  const count = used(run.state, flow.level) + flow.seats;
  run.state.seats = { ...run.state.seats, [flow.level]: count };
  run.request.seat = flow;
  tell(run, "PriorityAndFairness", `takes ${flow.seats === 1 ? "a seat" : `${flow.seats} seats`} in priority level ${flow.level}`, `flow schema ${flow.schema}; ${limit === undefined ? "exempt from limits" : `${count} of ${limit} seats in use`}`, "operator");
}

function reject(run: Run, flow: Pick<Flow, "level" | "schema">, why: string): void {
  tellRefusal(run, "PriorityAndFairness", `has no seat in priority level ${flow.level}: ${why}`, run.request.level);
  run.request.retryAfter = 1;
  answer(run, 429, TOO_MANY_TEXT);
}

export const flowControlGate: Gate = {
  name: "PriorityAndFairness",
  share: 0,
  latency: "apiserver.filter.priority-and-fairness",
  run(run) {
    const { user, seat } = run.request;
    // It waited in its queue, and was called.
    if (user === undefined || (seat !== undefined && seat.servedAt >= 0)) return;
    const config = flowConfig(run.state);
    const asked = attributesOf(run.request);
    const schema = schemaOf(config, user, asked);
    const level = config.levels.get(schema?.spec.priorityLevelConfiguration.name ?? "catch-all");
    if (level === undefined) return;
    const name = schema?.metadata.name ?? "catch-all";
    const { now } = run.ctx;
    if (level.seats === undefined) return seated(run, { schema: name, level: level.name, seats: 1, queue: undefined, servedAt: now }, undefined);
    const seats = seatsOf(run, level);
    const flow: Flow = { schema: name, level: level.name, seats, queue: undefined, servedAt: now };
    const queues = run.state.queues.get(level.name);
    const inUse = used(run.state, level.name);
    if ((queues === undefined || waitingIn(queues) === 0) && (inUse + seats <= level.seats || inUse === 0)) return seated(run, flow, level.seats);
    if (level.queuing === undefined) return reject(run, flow, "concurrency-limit");
    const distinguisher = schema === undefined ? "" : distinguisherOf(schema, user, asked);
    const placed = enqueue(queues ?? { ...NO_QUEUES, at: now }, level.queuing, level.seats, `${name}\0${distinguisher}`, { key: run.request.key, seats }, now);
    if (placed === undefined) return reject(run, flow, "queue-full");
    run.state.queues = run.state.queues.set(level.name, placed.set);
    run.request.seat = { ...flow, queue: placed.index, servedAt: -1 };
    run.ctx.after(MAX_WAIT, { type: "apiserver.queue-timeout", key: run.request.key });
    tell(run, "PriorityAndFairness", `waits in queue ${placed.index} of priority level ${level.name}`, `flow schema ${name}, flow ${JSON.stringify(distinguisher)}: all ${level.seats} seats are in use; queues are served in turn`, "basic");
    run.result = "wait";
  },
};

/** The 15 s in the queue are over. */
export function onQueueTimeout(run: Run): void {
  const { seat, key } = run.request;
  const queues = seat === undefined ? undefined : run.state.queues.get(seat.level);
  const limit = flowConfig(run.state).levels.get(seat?.level ?? "")?.seats ?? 0;
  const left = queues === undefined ? undefined : leave(queues, limit, key, run.ctx.now);
  if (seat === undefined || left === undefined) return;
  run.state.queues = isIdle(left) ? run.state.queues.delete(seat.level) : run.state.queues.set(seat.level, left);
  reject(run, seat, "time-out");
}
