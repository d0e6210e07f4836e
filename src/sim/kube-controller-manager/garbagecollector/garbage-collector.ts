// Models kubernetes/pkg/controller/garbagecollector/garbagecollector.go
import type { WatchSpec } from "../../api/http.ts";
import type { World } from "../../api/world.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Component, Ctx, Message, Micros } from "../../kernel/types.ts";
import { messageOf } from "../answers.ts";
import { INFORMERS, managerClient } from "../clients.ts";
import type { Answer, Handled } from "../controller-types.ts";
import { type ControllerConfig, type ControllerState, createController } from "../controller.ts";
import { areFilled, discover, type MonitorChange, monitorWatches, type MonitorSpec, NO_MONITORS, resync, settledMonitors, stepMonitors } from "../monitors.ts";
import { attemptToDelete, onConflict, onDeleted, onDroppedOwners, onItem, onOwner, onUnblocked } from "./attempt-to-delete.ts";
import { attemptToOrphan, onOrphaned } from "./attempt-to-orphan.ts";
import type { GraphEvent } from "./graph-builder.ts";
import { identityOfKey } from "./identity.ts";
import { onFinalized, onFinalizerPatched } from "./remove-finalizer.ts";
import { type GCMemory, type GCPlan, type GCView, graphPlan, metadataOf, settled, type Step } from "./steps.ts";

const ID = "garbage-collector";
const ACCOUNT = "generic-garbage-collector";
const SYNC_PERIOD: Micros = 30_000_000;

const monitorSpec = (component: string): MonitorSpec => ({ component, client: managerClient(ACCOUNT), informers: INFORMERS, wants: ({ resource, group }) => resource !== "events" || (group !== "" && group !== "events.k8s.io") });

const EMPTY: GCMemory = { graph: PMap.empty(), absent: [], monitors: NO_MONITORS };

function graphEvent({ api, change }: MonitorChange): GraphEvent {
  const { metadata } = change.object;
  const identity = { apiVersion: api.apiVersion, kind: api.kind, namespace: metadata.namespace ?? "", name: metadata.name ?? "", uid: metadata.uid ?? "" };
  return { type: change.type, identity, metadata, old: change.old?.metadata };
}

const handledOf = ({ memory, enqueue, events }: Pick<GCPlan, "memory" | "enqueue" | "events">): Handled<GCMemory> => ({ ...(memory === undefined ? {} : { memory }), ...(enqueue === undefined ? {} : { keys: enqueue }), ...(events === undefined ? {} : { events }) });

/** The monitors of every resource, and the graph that their changes make. */
class Informers {
  private readonly spec: MonitorSpec;

  constructor(component: string) {
    this.spec = monitorSpec(component);
  }

  ofWorld(world: World): { readonly memory: GCMemory; readonly handled: Handled<GCMemory> } {
    const { monitors, objects } = settledMonitors(this.spec, world);
    const handled = handledOf(graphPlan({ ...EMPTY, monitors }, objects.map(({ api, object }) => graphEvent({ api, change: { type: "add", object } }))));
    return { memory: handled.memory ?? EMPTY, handled };
  }

  launch(ctx: Ctx): GCMemory {
    return { ...EMPTY, monitors: discover(ctx, this.spec, NO_MONITORS) };
  }

  receive(message: Message, { memory }: GCView, ctx: Ctx): Handled<GCMemory> | undefined {
    const stepped = stepMonitors(ctx, this.spec, memory.monitors, message);
    if (stepped === undefined) return undefined;
    const { monitors, changes } = stepped;
    const next = { ...memory, monitors };
    return changes.length === 0 ? { memory: next } : handledOf(graphPlan(next, changes.map(graphEvent)));
  }

  tick(_name: string, { memory }: GCView, ctx: Ctx): Handled<GCMemory> {
    const monitors = resync(ctx, this.spec, memory.monitors);
    return monitors === memory.monitors ? {} : { memory: { ...memory, monitors } };
  }
}

const sync = (key: string, view: GCView): GCPlan => (key.startsWith("orphan ") ? attemptToOrphan(identityOfKey(key), view) : attemptToDelete(identityOfKey(key), view));

function resume(key: string, step: Step, answers: readonly Answer[], view: GCView): GCPlan {
  const item = identityOfKey(key);
  const [answer] = answers;
  switch (step.step) {
    case "item":
      return onItem(item, answer, view);
    case "owner":
      return onOwner(item, step, answer, view);
    case "drop owners":
      return onDroppedOwners(item, step, answer, view);
    case "unblock":
      return onUnblocked(item, step, answer, view);
    case "delete":
      return onDeleted(item, step, answer, view);
    case "conflict":
      return onConflict(item, step, answer, view);
    case "finalizer":
      return onFinalized(item, step, answer, view);
    case "finalizer patch":
      return onFinalizerPatched(item, step, answer, view);
    case "orphan":
      return onOrphaned(item, step, answers, view);
    case "done":
      return metadataOf(answer) === undefined && answer !== undefined ? { error: messageOf(answer) } : settled(item, view);
  }
}

/** Deletes what nobody owns any more, and holds or releases owners by the way they were deleted. */
export function createGarbageCollector(config: ControllerConfig): Component<ControllerState<Step, GCMemory>> {
  const informers = new Informers(`${ID}${config.replica?.suffix ?? ""}`);
  const { memory, handled } = informers.ofWorld(config.world);
  return createController<Step, GCMemory>(
    {
      id: ID,
      account: ACCOUNT,
      eventSource: "garbage-collector-controller",
      resources: [],
      // Simplified: upstream has twenty workers for each of its two queues; here both are one.
      workers: 20,
      latency: "garbagecollector.sync",
      memory,
      own: { stopped: EMPTY, settled: () => handled, launch: (ctx) => informers.launch(ctx), isReady: (now) => areFilled(now.monitors), receive: (message, view, ctx) => informers.receive(message, view, ctx), tick: (name, view, ctx) => informers.tick(name, view, ctx) },
      tickers: [{ name: "sync", period: SYNC_PERIOD, first: 13_000_000 }],
      handle: () => ({}),
      sync,
      resume,
    },
    config,
  );
}

export const garbageCollectorWatches = (world?: World): WatchSpec[] => monitorWatches(monitorSpec(ID), world);
