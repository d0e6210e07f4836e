import { useEffect, useMemo, useState } from "react";
import { client } from "../../timeline/client.ts";
import { useTimeline } from "../../timeline/store.ts";
import { type Badge, badgesOf, decisionAt, decisionNotes, isDecision } from "./badges.ts";
import { layoutStage, MAX_LENSES, type StageLayout } from "./layout.ts";
import { type Cast, castOf, type PodView, podsAt } from "./model.ts";

const EMPTY: Cast = { components: [], nodes: [], controllers: [], watchers: [] };

/** What the stage draws now: the cast of the run, where everything is, and its Pods. */
export function useStage(compact: boolean): { layout: StageLayout; cast: Cast; pods: readonly PodView[] } {
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  const openNodes = useTimeline((state) => state.openNodes);
  const cast = useMemo(() => (index ? castOf(index) : EMPTY), [index]);
  const pods = useMemo(() => (index ? podsAt(index, now) : []), [index, now]);
  const wanted = [...new Set([...openNodes, ...pods.flatMap((pod) => pod.node ?? [])])].filter((node) => cast.nodes.includes(node)).slice(0, MAX_LENSES);
  // In the order of the world, so that a lens keeps its place when another opens.
  const open = cast.nodes.filter((node) => wanted.includes(node)).join(" ");
  const layout = useMemo(
    () => layoutStage({ components: cast.components, nodes: cast.nodes, controllers: cast.controllers, compact, open: open === "" ? [] : open.split(" ") }),
    [cast, compact, open],
  );
  return { layout, cast, pods };
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
  const run = useTimeline((state) => state.run?.id);
  const now = useTimeline((state) => state.now);
  const decisions = useMemo(() => (index ? decisionNotes(index) : { ids: [], times: [] }), [index]);
  const note = index ? decisionAt(index, decisions, now) : undefined;
  const [verdicts, setVerdicts] = useState(NO_VERDICTS);
  useEffect(() => {
    let current = true;
    if (note === undefined || !index || run === undefined) {
      setVerdicts(NO_VERDICTS);
      return;
    }
    const scored = /scores|takes|wins/.test(index.trace.note(note).text);
    client
      .noteData(note)
      .then((data) => {
        if (current) setVerdicts(isDecision(data) ? { badges: badgesOf(data, scored), pod: data.pod?.name ?? "" } : NO_VERDICTS);
      })
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [note, index, run]);
  return verdicts;
}

/** Components that are stopped at `now`: the kernel's own record of it. */
export function useStopped(): ReadonlySet<string> {
  const index = useTimeline((state) => state.index);
  const run = useTimeline((state) => state.run);
  const now = useTimeline((state) => state.now);
  const [stopped, setStopped] = useState<ReadonlySet<string>>(new Set());
  const broken = run?.recipe.inputs.some((input) => input.type === "fault" && input.at <= now) === true;
  useEffect(() => {
    let current = true;
    if (!broken || !index) {
      setStopped(new Set());
      return;
    }
    client
      .state("world", now)
      .then((state) => {
        const names = Object.keys((state as { stopped?: Record<string, string> } | undefined)?.stopped ?? {});
        if (current) setStopped((before) => (before.size === names.length && names.every((name) => before.has(name)) ? before : new Set(names)));
      })
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [broken, index, now]);
  return stopped;
}
