import { captionTime, shortTime } from "../../timeline/format.ts";
import { type Comparison, mainPod, type PodOutcome } from "../../trace/compare.ts";

/** "Ready at 2.430 s, 1.430 s later"; what the change did to the Pod, in a few words. */
export function readyText({ readyA, readyB, lostB, endB }: PodOutcome): string {
  if (lostB !== undefined) return `Ready until ${captionTime(lostB)}`;
  if (readyB === undefined) return `${endB === undefined ? "not there" : "not Ready"}${readyA === undefined ? " in either run" : ` (was at ${captionTime(readyA)})`}`;
  if (readyA === readyB) return `Ready at ${captionTime(readyB)} in both`;
  return `Ready at ${captionTime(readyB)}${readyA === undefined ? " (was never)" : `, ${shortTime(Math.abs(readyB - readyA))} ${readyB > readyA ? "later" : "sooner"}`}`;
}

/** What became of the Pod instead, as a clause. */
function fate({ name, readyA, readyB, lostB, endA, endB }: PodOutcome): string {
  if (endB === undefined && endA === undefined) return `Pod ${name} is gone in the end, in both runs`;
  if (endB === undefined) return `Pod ${name} is not there in the end`;
  if (lostB !== undefined) return `Pod ${name} was Ready until ${captionTime(lostB)} and ends as ${endB}`;
  if (readyB === undefined && readyA !== undefined) return `Pod ${name} never becomes Ready and ends as ${endB}`;
  if (readyB !== undefined && readyA === undefined) return endA === undefined ? `Pod ${name} is new, and Ready at ${captionTime(readyB)}` : `Pod ${name} becomes Ready at ${captionTime(readyB)}, which it never did before`;
  if (readyA !== undefined && readyB !== undefined && readyA !== readyB) return `Pod ${name} is Ready ${shortTime(Math.abs(readyB - readyA))} ${readyB > readyA ? "later" : "sooner"}`;
  return endA === endB ? `Pod ${name} fares the same` : `Pod ${name} ends as ${endB} instead of ${endA ?? "not being there"}`;
}

/** One sentence that answers "what did it change?". */
export function whatChanged(comparison: Comparison, title: string): string {
  const { parting, pods, events, states } = comparison;
  if (!parting) return `${title}: nothing. Every step is the same.`;
  const pod = mainPod(comparison);
  const others = pods.filter((one) => one !== pod && (one.endA !== one.endB || one.readyA !== one.readyB)).length;
  const more = events.filter(({ a, b }) => b > a);
  const clauses = [
    ...(pod ? [fate(pod)] : states[0] ? [`${states[0].name} ends as ${states[0].b ?? "gone"} instead of ${states[0].a ?? "not being there"}`] : ["the steps differ, the outcome does not"]),
    ...(others > 0 ? [`${others} other Pod${others === 1 ? " fares" : "s fare"} differently`] : []),
    ...(more[0] ? [`Events say ${[...new Set(more.map(({ reason }) => reason))].slice(0, 3).join(", ")}${more.length > 3 ? " and more" : ""}`] : []),
  ];
  return `${title}: ${clauses.join("; ")}.`;
}
