import { subjectText } from "../../content/words.ts";
import type { HopView } from "../../trace/trace.ts";

/** A message in one line: verb and object, and the status if it is an answer. */
export function hopSentence(hop: HopView): string {
  const what = [hop.verb, hop.subject === "" ? "" : subjectText(hop.subject)].filter((part) => part !== "").join(" ");
  const outcome = hop.outcome === "lost" || hop.outcome === "refused" || hop.outcome === "cancelled" ? `, ${hop.outcome}` : "";
  return `${hop.from === "world" ? "you" : hop.from} → ${hop.to}: ${what === "" ? hop.protocol : what}${hop.status > 0 && hop.verb !== String(hop.status) ? ` ${hop.status}` : ""}${outcome}`;
}
