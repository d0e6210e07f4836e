// Models kubernetes/pkg/controller: the loop that every controller of kube-controller-manager runs
import { PMap } from "../kernel/pmap.ts";
import { type HttpResponse, streamOf, type WatchEventMessage, type WatchSpec } from "../api/http.ts";
import type { KubeObject } from "../api/types.ts";
import type { World } from "../api/world.ts";
import { API_SERVER, type ApiCall, type ApiClient, apiRequest, closeConnection } from "../client-go/api-client.ts";
import { newRecorder, recordEvent } from "../client-go/event-recorder.ts";
import { type Change, emptyInformer, type Informer, startInformer, stepInformer, syncedInformer } from "../client-go/informer.ts";
import { addKey, doneKey, EMPTY_QUEUE, forgetKey, getKey, rateLimit, RETRY_LIMITS } from "../client-go/workqueue.ts";
import type { Component, Ctx, MailId, Message, NetClosedMessage, NetErrorMessage, Note, StartMessage } from "../kernel/types.ts";
import { applyChange, buildIndex, type Indexer, type View, viewOf } from "./caches.ts";
import { isSuccess, reasonOf } from "./answers.ts";
import { INFORMERS, managerClient, ROOT } from "./clients.ts";
import { type Answer, type ControllerSpec, type ControllerState, type Enqueue, type Handled, type Plan, type Sync, withController } from "./controller-types.ts";
import { type AddMessage, addAfter, batchOffset, callOf, forgetWrites, notSent, raceLeft, replaceSync, staleText, unseenWrite, withWrite } from "./sync-state.ts";
import { infoOfResource } from "./resources.ts";
import { isUsed, watchesOf } from "./watches.ts";

export { managerClient } from "./clients.ts";
export { isUsed, lazyWatchesOf, watchesOf } from "./watches.ts";
export { bodyOf, isSuccess, messageOf, reasonOf } from "./answers.ts";
export type { Answer, ControllerSpec, ControllerState, Enqueue, Handled, Plan, Ticker } from "./controller-types.ts";

/** Which of several processes of kube-controller-manager a controller belongs to. */
export interface Replica {
  /** "" for the first process, "@MACHINE" for others: ends the ids of its components. */
  readonly suffix: string;
  readonly machine: string;
  /** Holds the lease when the story begins. */
  readonly leads: boolean;
}

export interface ControllerConfig {
  readonly world: World;
  /** Without one the controller runs on its own: nobody elects it. */
  readonly replica?: Replica;
}

/** The machine of the control plane: the node with its role label, or the first. */
export function controlPlaneOf(world: World): string {
  const labelled = world.objects.find((object) => object.kind === "Node" && object.metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined);
  return labelled?.metadata.name ?? world.nodes[0]?.name ?? "control-plane";
}

interface SendMessage {
  readonly type: "controller.send";
  readonly key: string;
}
export interface TickMessage {
  readonly type: "controller.tick";
  readonly name: string;
  readonly run: number;
}

/** Not started: nothing to list for yet. */
const isIdle = (informer: Informer): boolean => informer.phase === "synced" && informer.resourceVersion === "";

/** Wraps a controller as a component: informers, work queue, workers, retries, events. */
export function createController<D, M>(spec: ControllerSpec<D, M>, config: ControllerConfig): Component<ControllerState<D, M>> {
  const id = `${spec.id}${config.replica?.suffix ?? ""}`;
  const watches = watchesOf(id, spec.resources);
  const runtime = new Runtime(spec, watches, config.replica);
  return {
    id,
    machine: config.replica?.machine ?? controlPlaneOf(config.world),
    connections: [API_SERVER],
    init: () => runtime.init(config.world),
    step: (state, message, ctx) => runtime.step(state, message, ctx),
  };
}

/** The functions of one controller's loop; it holds no state but the spec. */
class Runtime<D, M> {
  private readonly spec: ControllerSpec<D, M>;
  private readonly client: ApiClient;
  private readonly watches: readonly WatchSpec[];
  private readonly streams: readonly string[];
  private readonly kinds: readonly string[];
  private readonly indexers: readonly (readonly [string, Indexer])[];
  private readonly replica: Replica | undefined;

  constructor(spec: ControllerSpec<D, M>, watches: readonly WatchSpec[], replica: Replica | undefined) {
    this.spec = spec;
    this.replica = replica;
    this.client = spec.rootClient ? ROOT : managerClient(spec.account);
    this.watches = watches;
    this.streams = watches.map(streamOf);
    this.kinds = watches.map((watch) => infoOfResource(watch.resource)?.kind ?? "");
    this.indexers = Object.entries(spec.indexers ?? {});
  }

  init(world: World): ControllerState<D, M> {
    const waits = this.spec.lazy === true && !isUsed(this.spec.resources, world);
    const informers = this.watches.map((watch, at) => {
      if (this.replica?.leads === false || (waits && at > 0)) return emptyInformer(watch);
      const kind = infoOfResource(watch.resource)?.kind;
      return syncedInformer(watch, world.objects.filter((object) => object.kind === kind), world.resourceVersion);
    });
    return this.withInformers({ informers, indexes: {}, queue: EMPTY_QUEUE, delayed: PMap.empty(), syncs: [], recorder: newRecorder(this.spec.eventSource ?? this.spec.id), memory: this.spec.memory, ready: true, written: PMap.empty(), run: 0, workers: this.spec.workers, retry: { base: this.spec.retryBase ?? RETRY_LIMITS.base, max: this.spec.retryMax ?? RETRY_LIMITS.max } });
  }

  private withInformers(state: ControllerState<D, M>): ControllerState<D, M> {
    const indexes = Object.fromEntries(this.indexers.map(([name, indexer]) => {
      const informer = state.informers[this.spec.resources.indexOf(indexer.resource)];
      return [name, buildIndex(indexer, informer?.store.values() ?? [])];
    }));
    return withController(state, { indexes });
  }

  private view(state: ControllerState<D, M>, ctx: Ctx): View<M> {
    return viewOf(this.spec.resources, state, ctx);
  }

  step(state: ControllerState<D, M>, message: Message, ctx: Ctx): ControllerState<D, M> {
    const own = this.spec.own?.receive(message, this.view(state, ctx), ctx);
    if (own === undefined) return this.stepLoop(state, message, ctx);
    const next = this.work(this.becomeReady(this.handled(state, own, ctx)), ctx);
    return message.type === "net.closed" ? this.stepLoop(next, message, ctx) : next;
  }

  private stepLoop(state: ControllerState<D, M>, message: Message, ctx: Ctx): ControllerState<D, M> {
    switch (message.type) {
      case "start":
        return this.start(state, (message as StartMessage).cold, ctx);
      case "watch.event": {
        const at = this.streams.indexOf((message as WatchEventMessage).stream);
        return at < 0 ? state : this.stepInformerAt(state, at, message, ctx);
      }
      case "http.response": {
        const response = message as HttpResponse;
        const sync = state.syncs.find((entry) => entry.waiting.includes(response.request));
        if (sync) return this.answered(state, sync, response.request, { status: response.status, body: response.body, sent: true }, ctx);
        return this.informersOnly(state, message, ctx);
      }
      case "net.error": {
        const { hop } = message as NetErrorMessage;
        const sync = state.syncs.find((entry) => entry.waiting.includes(hop));
        if (sync) return this.answered(state, sync, hop, { status: 0, sent: true }, ctx);
        return this.informersOnly(state, message, ctx);
      }
      case "net.closed":
        return (message as NetClosedMessage).peer === API_SERVER ? this.connectionLost(state, message, ctx) : state;
      case "controller.send":
        return this.sendBatch(state, (message as SendMessage).key, ctx);
      case "controller.add":
        return this.addDue(state, (message as AddMessage).key, ctx);
      case "controller.tick":
        return (message as TickMessage).run === state.run ? this.tick(state, (message as TickMessage).name, ctx) : state;
      case "manager.lead":
        return this.list(this.reset(state), ctx);
      case "manager.exit":
        closeConnection(ctx, this.watches[0]?.component ?? this.spec.id);
        return this.reset(state);
      default:
        return this.informersOnly(state, message, ctx);
    }
  }

  private start(state: ControllerState<D, M>, cold: boolean, ctx: Ctx): ControllerState<D, M> {
    // A process that does not lead runs nothing.
    if (this.replica !== undefined && (cold || !this.replica.leads)) return this.reset(state);
    if (cold) return this.list(state, ctx);
    this.startTickers(state, false, ctx);
    let next = this.spec.own === undefined ? state : this.handled(state, this.spec.own.settled(state.memory), ctx);
    for (let at = 0; at < this.spec.resources.length; at++) {
      const adds = (state.informers[at]?.store.sorted() ?? []).map(([, object]): Change => ({ type: "add", object }));
      next = this.handleChanges(next, at, adds, ctx);
    }
    return this.work(next, ctx);
  }

  private startTickers(state: ControllerState<D, M>, cold: boolean, ctx: Ctx): void {
    for (const ticker of this.spec.tickers ?? []) ctx.after(cold ? (ticker.cold ?? ticker.first) : ticker.first, { type: "controller.tick", name: ticker.name, run: state.run } satisfies TickMessage);
  }

  /** As a new process: nothing is known, nothing runs. */
  private reset(state: ControllerState<D, M>): ControllerState<D, M> {
    return this.withInformers({ ...state, informers: this.watches.map(emptyInformer), queue: EMPTY_QUEUE, delayed: PMap.empty(), syncs: [], memory: this.spec.own?.stopped ?? this.spec.memory, ready: false, written: PMap.empty(), run: state.run + 1 });
  }

  /** Lists and watches what the controller needs; workers wait until all is there. */
  private list(state: ControllerState<D, M>, ctx: Ctx): ControllerState<D, M> {
    this.startTickers(state, true, ctx);
    const informers = this.watches.map((watch, at) => (this.spec.lazy === true && at > 0 ? emptyInformer(watch) : startInformer(ctx, INFORMERS, emptyInformer(watch))));
    return this.withInformers({ ...state, informers, queue: EMPTY_QUEUE, delayed: PMap.empty(), syncs: [], memory: this.spec.own?.launch(ctx) ?? this.spec.memory, ready: false, written: PMap.empty() });
  }

  private informersOnly(state: ControllerState<D, M>, message: Message, ctx: Ctx): ControllerState<D, M> {
    let next = state;
    for (let at = 0; at < this.watches.length; at++) next = this.stepInformerAt(next, at, message, ctx);
    return next;
  }

  private stepInformerAt(state: ControllerState<D, M>, at: number, message: Message, ctx: Ctx): ControllerState<D, M> {
    const informer = state.informers[at];
    if (informer && isIdle(informer)) return state;
    const stepped = informer && stepInformer(ctx, INFORMERS, informer, message);
    if (!stepped) return state;
    let next = withController(state, { informers: state.informers.with(at, stepped.informer) });
    if (this.spec.lazy === true && at === 0 && stepped.changes.length > 0) next = this.startIdle(next, ctx);
    const before = next;
    next = this.becomeReady(next);
    const filled = next !== before;
    if (stepped.changes.length > 0) next = this.handleChanges(this.reindex(next, at, stepped.changes), at, stepped.changes, ctx);
    if (filled && this.spec.synced) next = this.handled(next, this.spec.synced(this.view(next, ctx)), ctx);
    return this.work(next, ctx);
  }

  /** Workers run as soon as all caches are filled. */
  private becomeReady(state: ControllerState<D, M>): ControllerState<D, M> {
    const filled = !state.ready && state.informers.every((entry) => entry.resourceVersion !== "" || isIdle(entry)) && (this.spec.own?.isReady(state.memory) ?? true);
    return filled ? withController(state, { ready: true }) : state;
  }

  /** The first object of the first resource is there: now the others are listed, and workers wait for them. */
  private startIdle(state: ControllerState<D, M>, ctx: Ctx): ControllerState<D, M> {
    if (!state.informers.some(isIdle) || state.informers[0]?.store.size === 0) return state;
    const memory = this.spec.own?.wake?.(state.memory, ctx) ?? state.memory;
    return withController(state, { memory, ready: false, informers: state.informers.map((informer) => (isIdle(informer) ? startInformer(ctx, INFORMERS, informer) : informer)) });
  }

  private reindex(state: ControllerState<D, M>, at: number, changes: readonly Change[]): ControllerState<D, M> {
    if (this.indexers.length === 0) return state;
    let indexes = state.indexes;
    for (const [name, indexer] of this.indexers) {
      const index = indexes[name];
      if (indexer.resource !== this.spec.resources[at] || index === undefined) continue;
      indexes = { ...indexes, [name]: changes.reduce((value, change) => applyChange(indexer, value, change), index) };
    }
    return indexes === state.indexes ? state : withController(state, { indexes });
  }

  private handleChanges(state: ControllerState<D, M>, at: number, changes: readonly Change[], ctx: Ctx): ControllerState<D, M> {
    const resource = this.spec.resources[at] ?? "";
    let next = state;
    for (const change of changes) next = this.handled(next, this.spec.handle(change, resource, this.view(next, ctx)), ctx);
    return next;
  }

  private handled(state: ControllerState<D, M>, result: Handled<M>, ctx: Ctx): ControllerState<D, M> {
    let next = result.memory === undefined || result.memory === state.memory ? state : withController(state, { memory: result.memory });
    for (const event of result.events ?? []) next = withController(next, { recorder: recordEvent(ctx, this.client, next.recorder, event).recorder });
    return result.keys === undefined ? next : this.enqueue(next, result.keys, ctx);
  }

  private enqueue(state: ControllerState<D, M>, keys: readonly Enqueue[], ctx: Ctx): ControllerState<D, M> {
    let { queue } = state;
    let next = state;
    for (const { key, after } of keys) {
      if (after !== undefined && after > 0) next = addAfter(next, key, after, ctx);
      else queue = addKey(queue, key);
    }
    return queue === state.queue ? next : withController(next, { queue });
  }

  private addDue(state: ControllerState<D, M>, key: string, ctx: Ctx): ControllerState<D, M> {
    // Another time was set since: that timer adds the key.
    if ((state.delayed.get(key) ?? Number.POSITIVE_INFINITY) > ctx.now) return state;
    return this.work(withController(state, { delayed: state.delayed.delete(key), queue: addKey(state.queue, key) }), ctx);
  }

  private tick(state: ControllerState<D, M>, name: string, ctx: Ctx): ControllerState<D, M> {
    const ticker = this.spec.tickers?.find((entry) => entry.name === name);
    if (!ticker) return state;
    ctx.after(state.ready ? ticker.period : (ticker.cold ?? ticker.period), { type: "controller.tick", name, run: state.run } satisfies TickMessage);
    if (this.spec.own) return this.work(this.handled(state, this.spec.own.tick(name, this.view(state, ctx), ctx), ctx), ctx);
    if (!state.ready || !this.spec.tick) return state;
    return this.work(this.handled(state, this.spec.tick(name, this.view(state, ctx)), ctx), ctx);
  }

  /** Workers take keys until none is free or none is left. */
  private work(state: ControllerState<D, M>, ctx: Ctx): ControllerState<D, M> {
    let next = state;
    while (next.ready && next.syncs.length < this.spec.workers && this.seesAllWrites(next)) {
      const taken = getKey(next.queue);
      if (!taken) return next;
      next = withController(next, { queue: taken.queue });
      const late = this.spec.consistent === undefined ? undefined : this.afterOwnWrites(next, taken.key, ctx);
      if (late !== undefined) {
        next = late;
        continue;
      }
      next = forgetWrites(next, taken.key, ctx.now);
      const plan = this.spec.sync(taken.key, this.view(next, ctx));
      next = this.begin(next, taken.key, plan, plan.latency ?? this.spec.latency, ctx);
    }
    return next;
  }

  /** The key put off because the cache lacks its last writes; undefined when it has them, or the controller does not mind. */
  private afterOwnWrites(state: ControllerState<D, M>, key: string, ctx: Ctx): ControllerState<D, M> | undefined {
    const race = raceLeft(state, key, ctx.now);
    if (race > 0) return addAfter(withController(state, { queue: doneKey(state.queue, key) }), key, race, ctx);
    const at = unseenWrite(state, key, (position) => this.spec.consistent?.includes(this.spec.resources[position] ?? "") ?? false);
    return at < 0 ? undefined : this.finish(state, key, staleText(state, key, at, this.kinds[at] ?? ""), ctx, "source");
  }

  private seesAllWrites(state: ControllerState<D, M>): boolean {
    return this.spec.consistent !== undefined || unseenWrite(state, "") < 0;
  }

  private noteWrite(state: ControllerState<D, M>, key: string, call: ApiCall | undefined, answer: Answer, ctx: Ctx): ControllerState<D, M> {
    const { consistent } = this.spec;
    const body = isSuccess(answer) ? (answer.body as KubeObject | undefined) : undefined;
    const at = body?.metadata?.resourceVersion === undefined ? -1 : this.kinds.indexOf(body.kind);
    if (at < 0 || (consistent !== undefined && (call?.method === "DELETE" || call?.method === "GET"))) return state;
    return withWrite(state, consistent === undefined ? "" : key, at, Number(body?.metadata.resourceVersion ?? 0), ctx.now);
  }

  /** Carries out the immediate part of a plan and, if it has calls, puts it in flight. */
  private begin(state: ControllerState<D, M>, key: string, plan: Plan<D, M>, latency: string | undefined, ctx: Ctx): ControllerState<D, M> {
    let next = plan.memory === undefined && plan.enqueue === undefined ? state : this.handled(state, { ...(plan.memory === undefined ? {} : { memory: plan.memory }), ...(plan.enqueue === undefined ? {} : { keys: plan.enqueue }) }, ctx);
    for (const note of plan.notes ?? []) ctx.explain({ status: `syncing ${key}`, ...note });
    for (const event of plan.events ?? []) next = withController(next, { recorder: recordEvent(ctx, this.client, next.recorder, event).recorder });
    const batches = plan.batches?.filter((batch) => batch.length > 0) ?? [];
    if (batches.length === 0) {
      // Nothing to ask the server: a continuation is run at once, with no answers.
      if (plan.next !== undefined && this.spec.resume) return this.begin(next, key, this.spec.resume(key, plan.next, [], this.view(next, ctx)), undefined, ctx);
      return this.finish(next, key, plan.error, ctx);
    }
    const sync: Sync<D> = { key, plan: { ...plan, batches }, batch: 0, waiting: [], sent: [], answers: [] };
    next = withController(next, { syncs: [...next.syncs, sync] });
    if (latency === undefined && plan.wait === undefined) return this.sendBatch(next, key, ctx);
    ctx.after((plan.wait ?? 0) + (latency === undefined ? 0 : ctx.latency(latency, `${key} ${ctx.now}`)), { type: "controller.send", key } satisfies SendMessage);
    return next;
  }

  private sendBatch(state: ControllerState<D, M>, key: string, ctx: Ctx): ControllerState<D, M> {
    const sync = state.syncs.find((entry) => entry.key === key);
    if (!sync || sync.waiting.length > 0) return state;
    const sent = (sync.plan.batches?.[sync.batch] ?? []).map((call) => apiRequest(ctx, this.client, call));
    return replaceSync(state, { ...sync, waiting: sent, sent });
  }

  private answered(state: ControllerState<D, M>, sync: Sync<D>, request: MailId, answer: Answer, ctx: Ctx): ControllerState<D, M> {
    // Answers are kept in the order of sending, whatever order they come in.
    const offset = batchOffset(sync);
    const missing = offset + sync.sent.length - sync.answers.length;
    const answers = [...sync.answers, ...notSent(missing)];
    answers[offset + sync.sent.indexOf(request)] = answer;
    const waiting = sync.waiting.filter((id) => id !== request);
    const next = this.noteWrite(replaceSync(state, { ...sync, waiting, answers }), sync.key, callOf(sync, request), answer, ctx);
    return waiting.length > 0 ? next : this.batchDone(next, { ...sync, waiting, answers }, ctx);
  }

  private batchDone(state: ControllerState<D, M>, sync: Sync<D>, ctx: Ctx): ControllerState<D, M> {
    const batches = sync.plan.batches ?? [];
    const failed = sync.answers.some((answer) => answer.sent && !isSuccess(answer));
    if (!failed && sync.batch + 1 < batches.length) {
      const next = replaceSync(state, { ...sync, batch: sync.batch + 1, waiting: [], sent: [] });
      if (sync.plan.batchLatency === undefined) return this.sendBatch(next, sync.key, ctx);
      ctx.after(ctx.latency(sync.plan.batchLatency, `${sync.key} ${ctx.now}`), { type: "controller.send", key: sync.key } satisfies SendMessage);
      return next;
    }
    const next = withController(state, { syncs: state.syncs.filter((entry) => entry.key !== sync.key) });
    if (sync.plan.next !== undefined && this.spec.resume) {
      const total = batches.reduce((sum, batch) => sum + batch.length, 0);
      const answers = [...sync.answers, ...notSent(total - sync.answers.length)];
      const plan = this.spec.resume(sync.key, sync.plan.next, answers, this.view(next, ctx));
      return this.work(this.begin(next, sync.key, plan, plan.latency, ctx), ctx);
    }
    return this.work(this.finish(next, sync.key, failed ? reasonOf(sync.answers) : sync.plan.error, ctx), ctx);
  }

  private finish(state: ControllerState<D, M>, key: string, error: string | undefined, ctx: Ctx, level?: Note["level"]): ControllerState<D, M> {
    const queue = doneKey(state.queue, key);
    if (error === undefined) return withController(state, { queue: forgetKey(queue, key) });
    const failures = queue.failures.get(key) ?? 0;
    if (failures >= (this.spec.maxRetries ?? Number.POSITIVE_INFINITY)) {
      ctx.explain({ text: `${this.spec.id} gives up on ${key} after ${failures} retries`, why: error, status: "idle" });
      return withController(state, { queue: forgetKey(queue, key) });
    }
    const limited = rateLimit(queue, key, ctx.now, state.retry.base, state.retry.max);
    ctx.explain({ text: `${this.spec.id} will retry ${key} in ${limited.delay / 1000} ms`, why: error, status: "backing off", ...(level === undefined ? {} : { level }) });
    return addAfter(withController(state, { queue: limited.queue }), key, limited.delay, ctx);
  }

  /** The API server's process ended: whatever was asked will not be answered, though it may have been done. */
  private connectionLost(state: ControllerState<D, M>, message: Message, ctx: Ctx): ControllerState<D, M> {
    let next = this.informersOnly(state, message, ctx);
    for (const sync of state.syncs) {
      for (const request of sync.waiting) {
        const current = next.syncs.find((entry) => entry.key === sync.key);
        if (current?.waiting.includes(request)) next = this.answered(next, current, request, { status: 0, sent: true }, ctx);
      }
    }
    return next;
  }
}
