import { type ChapterRange, firstPodKey } from "./chapters.ts";
import type { NoteView } from "./trace.ts";
import type { TraceIndex } from "./trace-index.ts";

/** Turning points are numbered on from the fifteen chapters. */
export const FIRST_TURNING_POINT = 16;
/** With the probes the first Pod's start is told; traffic and what else happens comes side by side. */
const LAST_OF_START = 13;
/** As many as there are letters to call them by. */
const MOST = 26;

/** Components that tell the story of a workload: each new thing they do after something was done to the cluster is a turn of it. */
const LEADING = /^(deployment|statefulset|daemonset|job|cronjob|horizontal-pod-autoscaler|node-lifecycle|taint-eviction|pod-garbage)[a-z-]*(@|$)/;
/** What others do is a turn the first time in the whole run. */
const FOLLOWING = /^(replicaset|garbage|attachdetach|external|persistentvolume|disruption)[a-z-]*(@|$)/;
const SCHEDULER = /preempts|finds no node|became leader/;
const KUBELET = /back-off|cannot be had|probe failed|registers .* as a new Node/;
const READY = /phase Running, ready$/;
const CONTAINERS = /SIGKILL/;
const ANSWERS = /^kubectl prints: (error|Error)|drained$/;

type Weight = "lead" | "follow" | undefined;

function weightOf({ component, text, level }: NoteView): Weight {
  if (level !== "basic") return undefined;
  if (component === "world" || LEADING.test(component)) return "lead";
  if (component.startsWith("kubectl")) return ANSWERS.test(text) ? "lead" : undefined;
  if (component.startsWith("kube-scheduler")) return SCHEDULER.test(text) ? "lead" : undefined;
  if (component.startsWith("kube-controller-manager")) return "lead";
  if (component.startsWith("kubelet@")) return KUBELET.test(text) ? "follow" : undefined;
  if (component.startsWith("containerd@")) return CONTAINERS.test(text) ? "follow" : undefined;
  return FOLLOWING.test(component) ? "follow" : undefined;
}

/** The sentence without names and numbers: what kind of thing was done. Growing and shrinking are not the same kind, and each step of an autoscaler is one. */
function shapeOf({ component, text }: NoteView): string {
  if (component.startsWith("horizontal")) return text;
  const words = text.replace(/from (\d+) to (\d+)/, (_, from: string, to: string) => (Number(to) > Number(from) ? "up" : "down"));
  return `${component.replace(/@.*/, "")} ${words.replaceAll(/(Pod|Job|ReplicaSet|status of) \S+|\S*\d\S*/g, "#").replace(/ of [\w./-]+$/, "")}`;
}

/** A Pod other than the first has come up, and is not on its way out again. */
function isReady(index: TraceIndex, { component, text, subject, at, level }: NoteView, first: string): boolean {
  if (level !== "basic" || !component.startsWith("kubelet@") || !READY.test(text)) return false;
  const key = subject.replace(/^pod/, "/registry/pods");
  const pod = index.objectAt(key, at)?.object as { readonly metadata: { readonly deletionTimestamp?: string } } | undefined;
  return key !== first && pod?.metadata.deletionTimestamp === undefined;
}

/** A command's first note: the hop that brought it came from outside. */
function isCommand(index: TraceIndex, { id, component }: NoteView): boolean {
  if (!component.startsWith("kubectl")) return false;
  const { trace } = index;
  const event = trace.notes.event.get(id);
  return event >= 0 && trace.events.firstNote.get(event) === id && trace.components[trace.mail.from.get(trace.events.mail.get(event))] === "world";
}

/**
 * What happens after the first Pod's story has been told: commands and faults, and each new kind of thing that the controllers do
 * because of them. Found by the notes of the trace; each lasts until the next.
 */
export function turningPointsOf(index: TraceIndex, chapters: readonly ChapterRange[]): ChapterRange[] {
  const told = Math.max(0, ...chapters.filter((chapter) => chapter.number <= LAST_OF_START).map((chapter) => chapter.to ?? 0));
  const first = firstPodKey(index);
  const found: NoteView[] = [];
  const everSeen = new Set<string>();
  let seen = new Set<string>();
  let commands = 0;
  let acts = 0;
  for (const id of index.steps("basic")) {
    const note = index.trace.note(id);
    const command = isCommand(index, note);
    if (command) commands++;
    const weight = command || (acts > 0 && isReady(index, note, first)) ? "lead" : weightOf(note);
    if (weight === undefined) continue;
    const begins = (command && commands > 1) || note.component === "world";
    const shape = shapeOf(note);
    const known = weight === "lead" ? seen : everSeen;
    const news = begins || !known.has(shape);
    // A second command or a fault begins another act: there the leading parts are news again.
    if (begins) {
      seen = new Set();
      acts++;
    }
    if (note.at > told || weight === "follow" || begins) known.add(shape);
    if (news && (begins || (note.at > told && !command)) && found.length < MOST) found.push(note);
  }
  return found.map(({ id, at, text }, i) => ({ number: FIRST_TURNING_POINT + i, from: at, to: at > told ? Math.max(at, (found[i + 1]?.at ?? index.trace.end + 1) - 1) : at, note: id, title: text.trim() }));
}
