import { CHAPTERS } from "../../content/chapters.ts";
import { chapterName } from "../../timeline/chapter.ts";
import { useTimeline } from "../../timeline/store.ts";
import { openPanel } from "../widgets/open-panel.ts";
import { ACTIONS } from "./actions.ts";

/** A line of the list of all commands. */
export interface Command {
  readonly group: string;
  readonly title: string;
  /** How it is done by key. */
  readonly keys: readonly string[];
  run(): void;
}

/** Everything that can be done or looked at now: actions, samples, clusters, faults, chapters, components, objects, runs. */
export function commandsNow(): readonly Command[] {
  const { catalogue, index, chapters, runs, run, now, chooseSample, chooseWorld, seekChapter, pin, switchRun } = useTimeline.getState();
  const plain = (group: string, title: string, act: () => void): Command => ({ group, title, keys: [], run: act });
  const see = (what: Parameters<typeof pin>[0]) => () => {
    pin(what);
    openPanel("Inspector");
  };
  return [
    ...ACTIONS.filter(({ does }) => does !== "All commands").map(({ does, keys, run: act }): Command => ({ group: "Do", title: does, keys, run: act })),
    ...(catalogue?.faults ?? []).map(({ id, title }) => plain("Break it", title, () => openPanel("Break it", id))),
    ...(catalogue?.samples ?? []).map(({ id, title }) => plain("Sample", title, () => chooseSample(id))),
    ...(catalogue?.worlds ?? []).map(({ id, title }) => plain("Cluster", title, () => chooseWorld(id))),
    ...chapters.flatMap(({ number, from, title }) => (from === undefined ? [] : [plain("Chapter", `${chapterName(number)}: ${title ?? CHAPTERS.find((one) => one.number === number)?.title ?? ""}`, () => seekChapter(number))])),
    ...(index?.trace.components ?? []).filter((id) => id !== "").map((id) => plain("Component", id, see({ kind: "component", id }))),
    ...(index?.objectsAt("/registry/", now) ?? []).filter(({ key }) => !key.startsWith("/registry/events/") && !key.startsWith("/registry/leases/")).map(({ key }) => plain("Object", key.slice("/registry/".length), see({ kind: "object", key }))),
    ...runs.filter(({ id }) => id !== run?.id).map(({ id, title }) => plain("Run", title, () => switchRun(id))),
  ];
}

/** Commands in which each typed word begins a word, or stands anywhere; whole beginnings first. */
export function findCommands(commands: readonly Command[], typed: string): readonly Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return commands.filter(({ group }) => group === "Do");
  const rank = ({ group, title }: Command): number => {
    const text = `${group} ${title}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return 0;
    if (title.toLowerCase().startsWith(words.join(" "))) return 3;
    return words.every((word) => new RegExp(`(^|[^a-z0-9])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`).test(text)) ? 2 : 1;
  };
  return commands
    .map((command, i) => ({ command, i, rank: rank(command) }))
    .filter((one) => one.rank > 0)
    .sort((a, b) => b.rank - a.rank || a.i - b.i)
    .map(({ command }) => command);
}
