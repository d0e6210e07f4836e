// Models kubernetes/cmd/kube-controller-manager/app/controllermanager.go (Run)
import type { World } from "../api/world.ts";
import { API_SERVER, type ApiClient } from "../client-go/api-client.ts";
import { type EventRecorder, newRecorder, recordEvent } from "../client-go/event-recorder.ts";
import { type Election, identityOf, leaseOf, newElection, startElection, stepElection } from "../client-go/leader-election.ts";
import type { Component, ComponentId, Ctx, Message, Micros, StartMessage } from "../kernel/types.ts";
import type { ManagerMessage } from "./messages.ts";

const LOCK = "kube-controller-manager";
const CLIENT: ApiClient = { userAgent: "kube-controller-manager/v1.36.2 (linux/amd64) kubernetes/$Format/leader-election", credential: { kind: "client-certificate", name: "system:kube-controller-manager" } };
const FIRST_RENEWAL: Micros = 1_100_000;
/** The kubelet starts an ended process at once, again and again ever later. Simplified: its static Pod is not shown; a pause of its length stands for it. */
const RESTART: Micros = 1_000_000;
const BACKOFF: Micros = 10_000_000;
const MAX_BACKOFF: Micros = 300_000_000;
const FORGIVEN: Micros = 600_000_000;

export interface ManagerConfig {
  readonly world: World;
  readonly id: ComponentId;
  readonly machine: string;
  /** The controllers that this process runs. */
  readonly controllers: readonly ComponentId[];
}

export interface ManagerState {
  readonly election: Election;
  readonly recorder: EventRecorder;
  readonly controllers: readonly ComponentId[];
  readonly starts: number;
  /** Exits in a row, and when the last start was; for the kubelet's back-off. */
  readonly exits: number;
  readonly startedAt: Micros;
  readonly running: boolean;
}

interface RestartTimer extends Message {
  readonly type: "manager.restart";
}

const tell = (state: ManagerState, ctx: Ctx, type: ManagerMessage["type"]): void => {
  for (const id of state.controllers) ctx.send(id, { type } satisfies ManagerMessage, { protocol: "local", latency: 0, verb: type === "manager.lead" ? "run" : "exit", level: "source" });
};

function begin(config: ManagerConfig, state: ManagerState, ctx: Ctx): ManagerState {
  const starts = state.starts + 1;
  const election = newElection(LOCK, identityOf(config.machine, LOCK, starts));
  ctx.explain({ text: `${config.id} starts and asks for the lease ${LOCK}`, why: "only the holder's controllers run: two at once would do everything twice", status: "waiting for the lease", level: "operator" });
  startElection(ctx, election, 0);
  return { ...state, starts, election, recorder: newRecorder(LOCK), startedAt: ctx.now, running: true };
}

function led(config: ManagerConfig, state: ManagerState, ctx: Ctx): ManagerState {
  const { election } = state;
  ctx.explain({ text: `${config.id} became leader: its controllers start`, why: `nobody renewed the lease ${LOCK} for 15 s, as this process saw it`, status: "leading", level: "basic" });
  tell(state, ctx, "manager.lead");
  if (election.lease === undefined) return state;
  return { ...state, recorder: recordEvent(ctx, CLIENT, state.recorder, { object: election.lease, type: "Normal", reason: "LeaderElection", message: `${election.identity} became leader` }).recorder };
}

/** --leader-elect=false: there is no other that could lead. */
function unrivalled(config: ManagerConfig, state: ManagerState, ctx: Ctx): ManagerState {
  ctx.explain({ text: `${config.id} starts, and its controllers with it`, why: "--leader-elect=false: it is the only one, so there is no lease to wait for", status: "running", level: "basic" });
  tell(state, ctx, "manager.lead");
  return { ...state, starts: state.starts + 1, startedAt: ctx.now, running: true };
}

/** How long after its n-th exit in a row the process is started again. */
export const restartPause = (exits: number): Micros => RESTART + (exits <= 1 ? 0 : Math.min(MAX_BACKOFF, BACKOFF * 2 ** (exits - 2)));

/** A manager that cannot renew ends at once: somebody else may lead already. */
function lost(config: ManagerConfig, state: ManagerState, ctx: Ctx): ManagerState {
  const exits = ctx.now - state.startedAt > FORGIVEN ? 1 : state.exits + 1;
  ctx.explain({ text: `${config.id} could not renew its lease within 10 s and exits`, why: "another may take the lease; the kubelet starts this one again", status: "exited", level: "basic" });
  tell(state, ctx, "manager.exit");
  ctx.after(restartPause(exits), { type: "manager.restart" } satisfies RestartTimer);
  const lease = state.election.lease;
  const recorder = lease === undefined ? state.recorder : recordEvent(ctx, CLIENT, state.recorder, { object: lease, type: "Normal", reason: "LeaderElection", message: `${state.election.identity} stopped leading` }).recorder;
  return { ...state, exits, recorder, running: false };
}

function step(config: ManagerConfig, state: ManagerState, message: Message, ctx: Ctx): ManagerState {
  if (message.type === "start") {
    if (config.world.leaderElection === false) return (message as StartMessage).cold ? unrivalled(config, state, ctx) : state;
    if ((message as StartMessage).cold || !state.election.leads) return begin(config, state, ctx);
    startElection(ctx, state.election, FIRST_RENEWAL);
    return state;
  }
  if (message.type === "manager.restart") return begin(config, state, ctx);
  if (!state.running) return state;
  const stepped = stepElection(ctx, CLIENT, state.election, message);
  if (stepped === undefined) return state;
  const next = { ...state, election: stepped.election };
  return stepped.turned === "led" ? led(config, next, ctx) : stepped.turned === "lost" ? lost(config, next, ctx) : next;
}

/** Whether the replica on this machine holds the lease when the story begins. */
export const leadsAtStart = (world: World, machine: string): boolean => world.leaderElection === false || leaseOf(world.objects, LOCK)?.spec?.holderIdentity === identityOf(machine, LOCK, 0);

/** The process around the controllers: it elects a leader, and runs them while it leads. */
export const createControllerManager = (config: ManagerConfig): Component<ManagerState> => ({
  id: config.id,
  machine: config.machine,
  connections: [API_SERVER],
  init: (disk) => ({
    election: { ...newElection(LOCK, identityOf(config.machine, LOCK, 0), leadsAtStart(config.world, config.machine) ? leaseOf(config.world.objects, LOCK) : undefined), leads: leadsAtStart(config.world, config.machine) },
    recorder: newRecorder(LOCK), controllers: config.controllers, starts: disk?.starts ?? 0, exits: 0, startedAt: 0, running: true,
  }),
  step: (state, message, ctx) => step(config, state, message, ctx),
});
