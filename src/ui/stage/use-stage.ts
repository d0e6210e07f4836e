import { useCallback, useEffect, useMemo, useState } from "react";
import { client } from "../../timeline/client.ts";
import { useTimeline } from "../../timeline/store.ts";
import { type Badge, badgesOf, decisionAt, decisionNotes, isDecision } from "./badges.ts";
import { activeFaults, isHit } from "./fault-marks.ts";
import { layoutStage, MAX_LENSES, type StageLayout } from "./layout.ts";
import { type Cast, castOf, type PodView, podsAt } from "./model.ts";

const EMPTY: Cast = { components: [], nodes: [], controllers: [], zones: new Map(), watchers: [] };

/** What the stage draws now: the cast of the run, where everything is, and its Pods. */
export function useStage(compact: boolean): { layout: StageLayout; cast: Cast; pods: readonly PodView[] } {
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  const openNodes = useTimeline((state) => state.openNodes);
  const cast = useMemo(() => (index ? castOf(index) : EMPTY), [index]);
  const podsNow = useMemo(() => (index ? podsAt(index, now) : []), [index, now]);
  const pods = useSame(podsNow);
  const wanted = [...new Set([...openNodes, ...pods.flatMap((pod) => pod.node ?? [])])].filter((node) => cast.nodes.includes(node)).slice(0, MAX_LENSES);
  // In the order of the world, so that a lens keeps its place when another opens.
  const open = cast.nodes.filter((node) => wanted.includes(node)).join(" ");
  const layout = useMemo(
    () => layoutStage({ components: cast.components, nodes: cast.nodes, controllers: cast.controllers, compact, zoneOf: (node) => cast.zones.get(node) ?? "", open: open === "" ? [] : open.split(" ") }),
    [cast, compact, open],
  );
  return { layout, cast, pods };
}

/** The same array as before while its elements are the same. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const [kept, setKept] = useState(list);
  const same = kept.length === list.length && kept.every((item, i) => item === list[i]);
  if (!same) setKept(list);
  return same ? kept : list;
}

export interface Verdicts {
  readonly badges: ReadonlyMap<string, Badge>;
  /** What the decision was about; empty if there is none to show. */
  readonly pod: string;
}

const NO_VERDICTS: Verdicts = { badges: new Map(), pod: "" };

/** The scheduler's verdict on each node, while its decision is the news. */
export function useVerdicts(): Verdicts {
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  const decisions = useMemo(() => (index ? decisionNotes(index) : { ids: [], times: [] }), [index]);
  const note = index ? decisionAt(index, decisions, now) : undefined;
  const data = useAsked(note, client.noteData);
  return useMemo(() => {
    if (note === undefined || !index || !isDecision(data)) return NO_VERDICTS;
    const scored = /scores|takes|wins/.test(index.trace.note(note).text);
    return { badges: badgesOf(data, scored), pod: data.pod?.name ?? "" };
  }, [note, index, data]);
}

const NONE: ReadonlySet<string> = new Set();

/** Components that are stopped now: the kernel's own record of it. */
export function useStopped(): ReadonlySet<string> {
  const run = useTimeline((state) => state.run);
  const now = useTimeline((state) => state.now);
  const broken = run?.recipe.inputs.some((input) => input.type === "fault" && input.at <= now) === true;
  const state = useAsked(broken ? now : undefined, askNetwork, true);
  return useMemo(() => {
    const stopped = (state as { stopped?: Record<string, string> } | undefined)?.stopped;
    return broken && stopped ? new Set(Object.keys(stopped)) : NONE;
  }, [state, broken]);
}

/** What the first etcd member says of the cluster's beginning, by world and seed: it is the same in all their runs. */
const beginnings = new Map<string, Promise<unknown>>();

/** The part that a component plays from the start, before it has said anything: leader or follower; of a second scheduler, where it is. */
export function useRole(): (id: string) => string {
  const world = useTimeline((state) => state.run && `${state.run.recipe.world}/${state.run.recipe.seed}`);
  const first = useTimeline((state) => state.index?.trace.components.find((id) => id.startsWith("etcd-")));
  const [answer, setAnswer] = useState<{ readonly world: string; readonly raft: Raft }>();
  useEffect(() => {
    if (world === undefined || first === undefined) return;
    let current = true;
    const asked = beginnings.get(world) ?? client.state(first, 0);
    beginnings.set(world, asked);
    asked
      .then((state) => current && setAnswer({ world, raft: (state as { raft?: Raft } | undefined)?.raft ?? {} }))
      .catch(() => beginnings.delete(world));
    return () => {
      current = false;
    };
  }, [world, first]);
  const raft = answer?.world === world ? answer?.raft : undefined;
  return useCallback((id) => (id.startsWith("kube-scheduler@") ? id.replace("kube-scheduler@", "on ") : !id.startsWith("etcd-") || raft?.leader === undefined ? "" : raft.leader === id ? `leader, term ${raft.term ?? ""}` : "follower"), [raft]);
}

interface Raft {
  readonly leader?: string;
  readonly term?: number;
}

const NOWHERE = (): undefined => undefined;

/** The title of the fault in force at something of the stage. */
export function useFaultAt(pods: readonly PodView[], stopped: ReadonlySet<string>): (id: string) => string | undefined {
  const index = useTimeline((state) => state.index);
  const broken = useTimeline((state) => (state.run?.recipe.inputs.some((input) => input.type === "fault" && input.at <= state.now) ? state.now : undefined));
  const faults = useMemo(() => (index && broken !== undefined ? activeFaults(index, broken) : []), [index, broken]);
  return faults.length === 0 ? NOWHERE : (id) => faults.find((fault) => isHit(fault, id, pods, stopped))?.title;
}

const askNetwork = (t: number): Promise<unknown> => client.state("world", t);

/** The worker's answer to a question about a number; undefined while there is none. `stale`: the last answer stays until the next. */
function useAsked(about: number | undefined, ask: (about: number) => Promise<unknown>, stale = false): unknown {
  const run = useTimeline((state) => state.run?.id);
  const [answer, setAnswer] = useState<{ about: number; run: string | undefined; value: unknown }>();
  useEffect(() => {
    let current = true;
    if (about === undefined || run === undefined) return;
    ask(about)
      .then((value) => current && setAnswer({ about, run, value }))
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [about, ask, run]);
  return answer && answer.run === run && (stale || answer.about === about) ? answer.value : undefined;
}
