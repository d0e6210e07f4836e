// Models kubernetes/cmd/kube-scheduler/app/server.go (Run): the scheduler behind its leader election
import type { World } from "../api/world.ts";
import { closeConnection } from "../client-go/api-client.ts";
import { type EventRecorder, newRecorder, recordEvent } from "../client-go/event-recorder.ts";
import { type Election, identityOf, leaseOf, newElection, startElection, stepElection } from "../client-go/leader-election.ts";
import type { Component, Ctx, Message, Micros, StartMessage } from "../kernel/types.ts";
import { createScheduler, lead, restart, schedulerWatches } from "./scheduler.ts";
import { SCHEDULER_NAME } from "./config/load.ts";
import type { SchedulerConfig } from "./config/types.ts";
import { client, type SchedulerState } from "./scheduler-state.ts";

const LOCK = "kube-scheduler";
const FIRST_RENEWAL: Micros = 1_700_000;
/** Simplified: the kubelet and its back-off are not shown; a pause of the length of a container's start stands for them. */
const RESTART: Micros = 1_000_000;

export interface ElectedState extends SchedulerState {
  readonly election: Election;
  readonly recorder: EventRecorder;
  readonly starts: number;
  /** False between its exit and its next start. */
  readonly running: boolean;
}

export interface ElectedConfig {
  readonly world: World;
  readonly id: string;
  readonly machine: string;
  readonly config?: SchedulerConfig;
}

interface RestartTimer extends Message {
  readonly type: "scheduler.restart";
}

function elect(config: ElectedConfig, state: ElectedState, ctx: Ctx): ElectedState {
  const starts = state.starts + 1;
  const election = newElection(LOCK, identityOf(config.machine, LOCK, starts), undefined, true);
  startElection(ctx, election, 0);
  return { ...state, starts, election, standby: true, running: true };
}

function turned(config: ElectedConfig, state: ElectedState, what: "led" | "lost", ctx: Ctx): ElectedState {
  const { lease, identity } = state.election;
  const words = what === "led" ? "became leader" : "stopped leading";
  const recorder = lease === undefined ? state.recorder : recordEvent(ctx, client, state.recorder, { object: lease, type: "Normal", reason: "LeaderElection", message: `${identity} ${words}` }).recorder;
  if (what === "led") {
    ctx.explain({ text: `${config.id} became leader and begins to schedule`, why: `nobody renewed the lease ${LOCK} for 15 s, as this process saw it; its cache was warm`, status: "leading", level: "basic" });
    return { ...state, ...lead(state, ctx), recorder };
  }
  ctx.explain({ text: `${config.id} could not renew its lease within 10 s and exits`, why: "another may take the lease; the kubelet starts this one again", status: "exited", level: "basic" });
  closeConnection(ctx, config.id);
  ctx.after(RESTART, { type: "scheduler.restart" } satisfies RestartTimer);
  return { ...state, recorder, standby: true, running: false };
}

/** kube-scheduler as kubeadm runs it: only the holder of its lease schedules. */
export function createElectedScheduler(config: ElectedConfig): Component<ElectedState> {
  const scheduler = createScheduler(config);
  const lease = leaseOf(config.world.objects, LOCK);
  const alone = config.world.leaderElection === false;
  const leads = alone || lease?.spec?.holderIdentity === identityOf(config.machine, LOCK, 0);
  const under = (state: ElectedState, message: Message, ctx: Ctx): ElectedState => {
    const next = scheduler.step(state, message, ctx);
    return next === state ? state : { ...state, ...next };
  };
  return {
    id: config.id,
    machine: config.machine,
    ...(scheduler.connections === undefined ? {} : { connections: scheduler.connections }),
    init: (disk) => ({ ...scheduler.init(), standby: !leads, election: { ...newElection(LOCK, identityOf(config.machine, LOCK, 0), leads ? lease : undefined, true), leads }, recorder: newRecorder(SCHEDULER_NAME), starts: disk?.starts ?? 0, running: true }),
    step(state, message, ctx) {
      if (message.type === "start") {
        const { cold } = message as StartMessage;
        // --leader-elect=false: there is no other that could lead.
        if (alone) return under(cold ? { ...state, starts: state.starts + 1 } : state, message, ctx);
        if (cold || !leads) return under(elect(config, state, ctx), message, ctx);
        startElection(ctx, state.election, FIRST_RENEWAL);
        return under(state, message, ctx);
      }
      if (message.type === "scheduler.restart") {
        const begun = elect(config, state, ctx);
        return { ...begun, ...restart(begun, ctx, config.id) };
      }
      // On its way out it still gives its lease back.
      if (!state.running) {
        const left = stepElection(ctx, client, state.election, message);
        return left === undefined ? state : { ...state, election: left.election };
      }
      const stepped = stepElection(ctx, client, state.election, message);
      if (stepped === undefined) return under(state, message, ctx);
      const next = { ...state, election: stepped.election };
      return stepped.turned === undefined ? next : turned(config, next, stepped.turned, ctx);
    },
  };
}

/** Its caches are kept whether it leads or not. */
export const electedSchedulerWatches = schedulerWatches;
