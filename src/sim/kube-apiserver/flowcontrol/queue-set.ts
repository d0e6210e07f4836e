// Models kubernetes/staging/src/k8s.io/apiserver/pkg/util/{flowcontrol/fairqueuing/queueset/queueset.go,shufflesharding}
import { numbered, randomKey } from "../../kernel/random.ts";
import type { Micros } from "../../kernel/types.ts";

interface Waiting {
  readonly key: string;
  readonly seats: number;
  readonly since: Micros;
  /** The progress meter when it came. */
  readonly arrivalR: number;
}

interface Queue {
  readonly waiting: readonly Waiting[];
  readonly executing: number;
  readonly seatsInUse: number;
  /** Where the queue's next request starts on the progress meter. */
  readonly nextDispatchR: number;
}

// Simplified: upstream passes every request through a queue; here those that find a free seat take it, and only who has to wait counts in a queue's virtual time.
/** The queues of one priority level. They exist while somebody waits; R, the progress meter, counts seat-microseconds. */
export interface QueueSet {
  readonly queues: Readonly<Record<number, Queue>>;
  readonly currentR: number;
  readonly at: Micros;
  readonly enqueues: number;
  readonly robin: number;
}

export const NO_QUEUES: QueueSet = { queues: {}, currentR: 0, at: 0, enqueues: 0, robin: -1 };
const EMPTY: Queue = { waiting: [], executing: 0, seatsInUse: 0, nextDispatchR: 0 };
/** What a request is taken to need before it is known. */
const ESTIMATED_SERVICE: Micros = 3_000;

const sum = (list: readonly number[]): number => list.reduce((total, value) => total + value, 0);
const queueList = (set: QueueSet): readonly Queue[] => Object.values(set.queues);
export const isIdle = (set: QueueSet): boolean => queueList(set).every(({ waiting, executing }) => waiting.length === 0 && executing === 0);
export const waitingIn = (set: QueueSet): number => sum(queueList(set).map(({ waiting }) => waiting.length));

/** The virtual time goes on as fast as the seats that are asked for are shared by the queues that ask. */
function syncTime(set: QueueSet, limit: number, now: Micros): QueueSet {
  const active = queueList(set).filter(({ waiting, executing }) => waiting.length > 0 || executing > 0);
  const asked = sum(active.map(({ seatsInUse, waiting }) => seatsInUse + sum(waiting.map(({ seats }) => seats))));
  const rate = active.length === 0 ? 0 : Math.min(asked, limit) / active.length;
  return { ...set, currentR: set.currentR + rate * (now - set.at), at: now };
}

/** The hand of queues that a flow may use: the same flow always has the same, and two flows rarely share all of one. */
export function dealHand(flow: string, queues: number, handSize: number): readonly number[] {
  // Simplified: upstream hashes with SHA-256; here with the generator of the simulation.
  const hash = randomKey(0, "flow", flow);
  let rest = (BigInt(numbered(hash, 0) >>> 0) << 32n) | BigInt(numbered(hash, 1) >>> 0);
  const hand: number[] = [];
  for (let i = 0; i < handSize; i++) {
    const left = BigInt(queues - i);
    let card = Number(rest % left);
    rest /= left;
    // The card is counted among those that are left in the deck.
    for (const taken of hand.toSorted((a, b) => a - b)) if (card >= taken) card++;
    hand.push(card);
  }
  return hand;
}

const withQueue = (set: QueueSet, index: number, queue: Queue): QueueSet => ({ ...set, queues: { ...set.queues, [index]: queue } });

/** Anti-windup: nothing starts, in virtual time, before it came. */
function bounded(queue: Queue): Queue {
  const [oldest] = queue.waiting;
  return oldest === undefined || queue.nextDispatchR >= oldest.arrivalR ? queue : { ...queue, nextDispatchR: oldest.arrivalR };
}

export interface QueueShape {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** Puts a request into the least loaded queue of its flow's hand. Undefined when that queue is full. */
export function enqueue(before: QueueSet, shape: QueueShape, limit: number, flow: string, request: { readonly key: string; readonly seats: number }, now: Micros): { readonly set: QueueSet; readonly index: number } | undefined {
  const set = syncTime(before, limit, now);
  const hand = dealHand(flow, shape.queues, shape.handSize);
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < hand.length; i++) {
    const index = hand[(set.enqueues + i) % hand.length] ?? 0;
    const work = sum((set.queues[index]?.waiting ?? []).map(({ seats }) => seats));
    if (work < least) [best, least] = [index, work];
  }
  const queue = set.queues[best] ?? EMPTY;
  if (queue.waiting.length >= shape.queueLengthLimit) return undefined;
  const fresh = queue.waiting.length === 0 && queue.executing === 0;
  const waiting = [...queue.waiting, { ...request, since: now, arrivalR: set.currentR }];
  return { index: best, set: { ...withQueue(set, best, bounded({ ...queue, waiting, nextDispatchR: fresh ? set.currentR : queue.nextDispatchR })), enqueues: set.enqueues + 1 } };
}

/** Takes the request whose virtual finish is earliest, if the free seats suffice for it. */
export function dispatch(before: QueueSet, shape: QueueShape, limit: number, used: number, now: Micros): { readonly set: QueueSet; readonly key: string; readonly seats: number; readonly index: number } | undefined {
  const set = syncTime(before, limit, now);
  let best = -1;
  let earliest = Number.POSITIVE_INFINITY;
  for (let i = 1; i <= shape.queues; i++) {
    const index = (set.robin + i) % shape.queues;
    const queue = set.queues[index];
    const [oldest] = queue?.waiting ?? [];
    if (queue === undefined || oldest === undefined) continue;
    const finish = queue.nextDispatchR + oldest.seats * ESTIMATED_SERVICE;
    if (finish < earliest) [best, earliest] = [index, finish];
  }
  const queue = set.queues[best];
  const [oldest, ...waiting] = queue?.waiting ?? [];
  if (queue === undefined || oldest === undefined) return undefined;
  const { key, seats } = oldest;
  if (used + seats > limit && used > 0) return undefined;
  const next = bounded({ waiting, executing: queue.executing + 1, seatsInUse: queue.seatsInUse + seats, nextDispatchR: queue.nextDispatchR + seats * ESTIMATED_SERVICE });
  return { set: { ...withQueue(set, best, next), robin: best }, key, seats, index: best };
}

/** A request that had waited is done: its queue pays for what it really used. */
export function finish(before: QueueSet, limit: number, index: number, seats: number, served: Micros, now: Micros): QueueSet {
  const set = syncTime(before, limit, now);
  const queue = set.queues[index];
  if (queue === undefined) return set;
  return withQueue(set, index, bounded({ ...queue, executing: queue.executing - 1, seatsInUse: queue.seatsInUse - seats, nextDispatchR: queue.nextDispatchR - seats * (ESTIMATED_SERVICE - served) }));
}

/** A request that waited too long leaves. Undefined when it does not wait any more. */
export function leave(before: QueueSet, limit: number, key: string, now: Micros): QueueSet | undefined {
  for (const [index, queue] of Object.entries(before.queues)) {
    if (!queue.waiting.some((request) => request.key === key)) continue;
    return withQueue(syncTime(before, limit, now), Number(index), bounded({ ...queue, waiting: queue.waiting.filter((request) => request.key !== key) }));
  }
  return undefined;
}
