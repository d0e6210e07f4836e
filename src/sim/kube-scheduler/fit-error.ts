// Models kubernetes/pkg/scheduler/framework/types.go FitError.Error
import type { NodeStatuses } from "./framework.ts";

export const NO_NODES = "no nodes available to schedule pods";

// pkg/scheduler/schedule_one.go truncateMessage; the condition keeps the whole text.
const NOTE_LENGTH_LIMIT = 1024;

/** What counts for the FailedScheduling text. */
export interface Diagnosis {
  readonly numAllNodes: number;
  /** Set if a PreFilter plugin rejected the Pod before any node was looked at. */
  readonly preFilterMessage: string;
  readonly postFilterMessage: string;
  readonly statuses: NodeStatuses;
}

/** How many nodes gave each reason, as sentences sorted as strings: "10 x" comes before "2 y". */
function reasonHistogram({ numAllNodes, statuses }: Diagnosis): string[] {
  const counts = new Map<string, number>();
  const count = (reason: string, n: number): void => void counts.set(reason, (counts.get(reason) ?? 0) + n);
  for (const status of statuses.byNode.values()) for (const reason of status.reasons) count(reason, 1);
  const absent = numAllNodes - statuses.byNode.size;
  if (absent > 0) for (const reason of statuses.absent.reasons) count(reason, absent);
  return [...counts].map(([reason, n]) => `${n} ${reason}`).sort();
}

/** The sentence that `kubectl describe pod` shows for a Pod that does not fit anywhere. */
export function fitErrorMessage(diagnosis: Diagnosis): string {
  let text = `0/${diagnosis.numAllNodes} nodes are available:`;
  if (diagnosis.preFilterMessage !== "") text += ` ${diagnosis.preFilterMessage}.`;
  else {
    const reasons = reasonHistogram(diagnosis);
    if (reasons.length > 0) text += ` ${reasons.join(", ")}.`;
  }
  return diagnosis.postFilterMessage === "" ? text : `${text} ${diagnosis.postFilterMessage}`;
}

/** Event notes are cut at 1024 characters. */
// Simplified: upstream counts bytes; node and plugin texts are ASCII.
export const truncateNote = (note: string): string => (note.length <= NOTE_LENGTH_LIMIT ? note : `${note.slice(0, NOTE_LENGTH_LIMIT - 4)} ...`);
