import { LEVELS, type MailId, type Revision } from "./model.ts";
import type { HopView, NoteView } from "./trace.ts";
import type { TraceIndex } from "./trace-index.ts";

/** One of the fifteen chapters of the story as this run tells it: found by its hops and notes, never by fixed times. */
export interface ChapterRange {
  readonly number: number;
  /** Undefined if the run never gets there; `missing` then says why. */
  readonly from?: number;
  readonly to?: number;
  /** Step (note id) it opens on. */
  readonly note?: number;
  readonly missing?: string;
  /** Of a turning point, which has no text of its own: what happens. */
  readonly title?: string;
}

const POD_PREFIX = "/registry/pods/";

interface Story {
  readonly index: TraceIndex;
  /** "pod/default/nginx" */
  readonly subject: string;
  readonly podKey: string;
  /** All hops but background noise, by time of sending. */
  readonly hops: readonly HopView[];
}

type Found = { readonly from: number; readonly to: number } | string;

const SOURCE = LEVELS.indexOf("source");

function storyHops(index: TraceIndex): HopView[] {
  const { trace } = index;
  return index.hopsBetween(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY).flatMap((id) => (trace.mail.level.get(id) < SOURCE ? [trace.hop(id)] : []));
}

/** The first hop at or after `since` for which `test` holds. */
function hop({ hops }: Story, since: number, test: (hop: HopView) => boolean): HopView | undefined {
  let low = 0;
  let high = hops.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hops[middle]?.sentAt ?? 0) < since) low = middle + 1;
    else high = middle;
  }
  for (let i = low; i < hops.length; i++) {
    const view = hops[i];
    if (view && test(view)) return view;
  }
  return undefined;
}

function noteOf({ index }: Story, since: number, test: (note: NoteView) => boolean): NoteView | undefined {
  const { trace } = index;
  for (let id = firstNoteAt(index, since); id < trace.noteCount; id++) {
    const view = trace.note(id);
    if (test(view)) return view;
  }
  return undefined;
}

function firstNoteAt(index: TraceIndex, since: number): number {
  const at = index.trace.notes.at.view();
  let low = 0;
  let high = at.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((at[middle] ?? 0) < since) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The hop that answers `request`: sent back by its receiver, and somewhere down its chain of causes. */
function answerTo(story: Story, request: HopView): HopView | undefined {
  const descends = (id: MailId): boolean => {
    for (let cause = id; cause >= request.id; cause = story.index.trace.mail.cause.get(cause)) if (cause === request.id) return true;
    return false;
  };
  return hop(story, request.dueAt, (candidate) => candidate.from === request.to && candidate.to === request.from && descends(candidate.id));
}

const isRevision = (revision: Revision | undefined, key: string, verb: Revision["verb"]): boolean => revision?.key === key && revision.verb === verb;

/** When the store took the Pod on: undefined if it never did. */
function storedAt({ index, podKey }: Story): number | undefined {
  const { trace } = index;
  const i = trace.revisions.findIndex((revision) => isRevision(revision, podKey, "create"));
  return i < 0 ? undefined : trace.notes.at.get(trace.revisionNotes[i] ?? 0);
}

/** How a kubelet asks a container for itself: over HTTP, by a connection, by a command run in it. */
const PROBES = /^(GET |connect$|ExecSync$)/;
const NO_PROBES = "The manifest has no probes: a container counts as ready as soon as it runs.";

const PROBE_FIELDS = ["startupProbe", "readinessProbe", "livenessProbe"] as const;
type Probed = Readonly<Partial<Record<(typeof PROBE_FIELDS)[number], unknown>>>;

/** The kinds of probes that the Pod has. */
function probesOf({ index, podKey }: Story): readonly (typeof PROBE_FIELDS)[number][] {
  const pod = index.versionsOf(podKey)[0]?.revision.object as { readonly spec: { readonly containers: readonly Probed[]; readonly initContainers?: readonly Probed[] } } | undefined;
  const containers = [...(pod?.spec.containers ?? []), ...(pod?.spec.initContainers ?? [])];
  return PROBE_FIELDS.filter((field) => containers.some((container) => container[field] !== undefined));
}

const CONTAINER_CALLS = new Set(["CreateContainer", "StartContainer"]);

type Finder = (story: Story, known: ReadonlyMap<number, { from: number; to: number }>) => Found;

const upTo = (from: number | undefined, to: number | undefined, missing: string): Found => (from === undefined || to === undefined ? missing : { from, to: Math.max(from, to) });

const FINDERS: ReadonlyMap<number, Finder> = new Map<number, Finder>([
  [1, (story) => {
    const first = hop(story, 0, (view) => view.to === "kubectl" && view.from === "world");
    const sent = hop(story, first?.sentAt ?? 0, (view) => view.from === "kubectl" && (view.verb === "POST" || view.verb === "PATCH"));
    return upTo(first?.sentAt, sent?.sentAt, first ? "kubectl sent no write: it stopped at a mistake, or nothing had changed." : "No kubectl command was run.");
  }],
  [2, (story) => {
    const request = hop(story, 0, (view) => view.from === "kubectl" && (view.verb === "POST" || view.verb === "PATCH"));
    if (!request) return "No write reached the API server.";
    const txn = hop(story, request.dueAt, (view) => view.from === "kube-apiserver" && view.verb === "Txn");
    const answer = answerTo(story, request);
    const refused = answer !== undefined && answer.status >= 400;
    return { from: request.sentAt, to: refused ? answer.dueAt : (txn?.sentAt ?? request.dueAt) };
  }],
  [3, (story) => {
    const request = hop(story, 0, (view) => view.from === "kubectl" && (view.verb === "POST" || view.verb === "PATCH"));
    const txn = request && hop(story, request.dueAt, (view) => view.from === "kube-apiserver" && view.verb === "Txn");
    const answer = request && answerTo(story, request);
    return txn && answer && answer.status < 400 && answer.dueAt > txn.sentAt ? { from: txn.sentAt, to: answer.dueAt } : "The request was refused before storage: nothing was written.";
  }],
  [4, (story) => {
    const stored = storedAt(story);
    if (stored === undefined) return "No Pod was stored for the scheduler to see.";
    const watch = hop(story, stored, (view) => view.protocol === "watch" && view.to === "kube-scheduler" && view.subject === story.subject);
    // A scheduler that was away gets the Pod in a list instead.
    const seen = noteOf(story, stored, (note) => note.component === "kube-scheduler" && note.subject === story.subject);
    if (!watch && !seen) return "No scheduler saw the Pod: none was running, or the Pod names another.";
    const from = watch?.sentAt ?? seen?.at ?? stored;
    const taken = noteOf(story, watch?.dueAt ?? from, (note) => note.component === "kube-scheduler" && note.subject === story.subject && note.status.startsWith("scheduling"));
    return { from, to: taken?.at ?? watch?.dueAt ?? from };
  }],
  [5, (story, known) => {
    const filter = noteOf(story, known.get(4)?.from ?? 0, (note) => note.component === "kube-scheduler" && note.kind === "decision" && note.subject === story.subject);
    return filter && known.has(4) ? { from: known.get(4)?.to ?? filter.at, to: filter.at } : "The scheduler made no decision about this Pod.";
  }],
  [6, (story, known) => {
    const filtered = known.get(5);
    if (!filtered) return "Nothing was filtered, so nothing was scored.";
    const score = noteOf(story, filtered.to + 1, (note) => note.component === "kube-scheduler" && note.kind === "decision" && note.subject === story.subject);
    return score && score.text.includes(" scores ") ? { from: filtered.to + 1, to: score.at } : "Fewer than two nodes were left: scoring only compares.";
  }],
  [7, (story, known) => {
    const request = hop(story, known.get(5)?.to ?? 0, (view) => view.from === "kube-scheduler" && view.verb === "POST" && view.subject.startsWith("binding/") && story.subject.endsWith(view.subject.slice("binding".length)));
    if (!request) return "The scheduler found no node to bind the Pod to.";
    return { from: request.sentAt, to: answerTo(story, request)?.dueAt ?? request.dueAt };
  }],
  [8, (story, known) => {
    const watch = hop(story, known.get(7)?.from ?? 0, (view) => view.protocol === "watch" && view.to.startsWith("kubelet@") && view.subject === story.subject);
    if (!watch) return "No kubelet was given the Pod.";
    const volumes = noteOf(story, watch.dueAt, (note) => note.component === watch.to && note.subject === story.subject && /volume/i.test(note.text));
    return { from: watch.sentAt, to: volumes?.at ?? watch.dueAt };
  }],
  [9, (story, known) => {
    const run = sandbox(story, known);
    return run ? { from: run.sentAt, to: answerTo(story, run)?.dueAt ?? run.dueAt } : "The kubelet never asked for a Pod sandbox.";
  }],
  [10, (story, known) => {
    const run = sandbox(story, known);
    const add = run && hop(story, run.sentAt, (view) => view.protocol === "exec" && view.to.startsWith("cni@") && view.verb === "ADD");
    return add ? { from: add.sentAt, to: answerTo(story, add)?.dueAt ?? add.dueAt } : "No CNI plugin was called: the Pod has no sandbox, or it uses the host's network.";
  }],
  [11, (story, known) => {
    const from = known.get(8)?.to;
    const run = sandbox(story, known);
    return upTo(from, run?.sentAt ?? (from === undefined ? undefined : story.index.trace.end), "No kubelet prepared volumes.");
  }],
  [12, (story, known) => {
    const create = hop(story, known.get(9)?.from ?? Number.POSITIVE_INFINITY, (view) => view.protocol === "gRPC" && CONTAINER_CALLS.has(view.verb) && view.from.startsWith("kubelet@"));
    if (!create) return "No container was created.";
    const start = hop(story, create.sentAt, (view) => view.verb === "StartContainer" && view.from === create.from);
    const patched = start && hop(story, start.dueAt, (view) => view.from === create.from && view.verb === "PATCH" && view.subject === story.subject);
    return { from: create.sentAt, to: patched?.dueAt ?? start?.dueAt ?? create.dueAt };
  }],
  [13, (story, known) => {
    const started = known.get(12);
    if (!started) return "No container ran, so nothing was probed.";
    const probes = probesOf(story);
    if (probes.length === 0) return NO_PROBES;
    const kubelet = kubeletOf(story, known);
    const probe = hop(story, started.from, (view) => view.from === kubelet && view.subject === story.subject && PROBES.test(view.verb) && (view.to.startsWith("process@") || view.verb === "ExecSync"));
    if (!probe) return "No container ran long enough to be probed.";
    // A liveness probe alone has no say in whether the Pod is ready.
    if (!probes.some((one) => one !== "livenessProbe")) return { from: probe.sentAt, to: answerTo(story, probe)?.dueAt ?? probe.dueAt };
    const ready = hop(story, probe.dueAt, (view) => view.from === kubelet && view.verb === "PATCH" && view.subject === story.subject && view.sentAt > (started.to - 1));
    return { from: probe.sentAt, to: ready?.dueAt ?? probe.dueAt };
  }],
  [14, (story, known) => {
    // The slice lists the Pod as not ready before; the chapter is about the write that lets traffic in.
    const since = (known.get(13) ?? known.get(12))?.to ?? Number.POSITIVE_INFINITY;
    const slice = hop(story, since, (view) => view.from === "endpointslice-controller" && (view.verb === "PUT" || view.verb === "POST"));
    if (!slice) return known.has(12) ? "No Service selects this Pod, so no EndpointSlice lists it." : "The Pod never ran, so no traffic could reach it.";
    const served = hop(story, slice.sentAt, (view) => view.to === "users" && view.status >= 200 && view.status < 400);
    return { from: slice.sentAt, to: served?.dueAt ?? slice.dueAt };
  }],
  [15, (story, known) => {
    const since = (known.get(14) ?? known.get(13) ?? known.get(12) ?? known.get(10) ?? known.get(9) ?? known.get(11) ?? known.get(8) ?? known.get(5))?.to;
    if (since === undefined) return "Nothing came to run, so there is nothing to keep alive.";
    const change = noteOf(story, since + 1, (note) => note.level === "basic" && (note.component === "world" || note.subject === story.subject));
    return change ? { from: change.at, to: story.index.trace.end } : "Nothing has gone wrong yet: delete the Pod or break something, and see who notices.";
  }],
]);

const sandbox = (story: Story, known: ReadonlyMap<number, { from: number; to: number }>): HopView | undefined => {
  const kubelet = kubeletOf(story, known);
  return hop(story, known.get(8)?.from ?? Number.POSITIVE_INFINITY, (view) => view.from === kubelet && view.verb === "RunPodSandbox" && (view.subject === story.subject || view.subject === ""));
};

function kubeletOf(story: Story, known: ReadonlyMap<number, { from: number; to: number }>): string {
  const watch = hop(story, known.get(7)?.from ?? Number.POSITIVE_INFINITY, (view) => view.protocol === "watch" && view.to.startsWith("kubelet@") && view.subject === story.subject);
  return watch?.to ?? "";
}

/** In this order each finder has the chapters that it leans on. 11 happens before 9, and keeps its number. */
const ORDER = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const;

/** The etcd key of the first Pod that was created in a run; "" if none was. */
export const firstPodKey = (index: TraceIndex): string => index.trace.revisions.find((revision) => revision.verb === "create" && revision.key.startsWith(POD_PREFIX))?.key ?? "";

/** Finds the chapters of a run for one Pod (etcd key "/registry/pods/NS/NAME"), or for the first Pod that was created in it. */
export function chaptersOf(index: TraceIndex, podKey?: string): ChapterRange[] {
  const key = podKey ?? firstPodKey(index);
  const story: Story = { index, podKey: key, subject: key.replace("/registry/pods/", "pod/"), hops: storyHops(index) };
  const known = new Map<number, { from: number; to: number }>();
  return ORDER.map((number): ChapterRange => {
    const found = FINDERS.get(number)?.(story, known) ?? "This chapter is not told here.";
    if (typeof found === "string") return { number, missing: found };
    known.set(number, found);
    const note = firstNoteAt(index, found.from);
    return { number, ...found, ...(note < index.trace.noteCount ? { note } : {}) };
  });
}

/** That of what goes on for ever: a turning point says more. */
const ENDLESS = 15;

/** The chapter under way at `t`: of those whose range holds it the one that began last, at a tie the later one. Undefined between chapters. */
export function chapterUnderWay(chapters: readonly ChapterRange[], t: number): number | undefined {
  let best: ChapterRange | undefined;
  for (const chapter of chapters) {
    if (chapter.from === undefined || chapter.from > t || (chapter.to ?? chapter.from) < t) continue;
    if (!best || (best.number === ENDLESS && chapter.number > ENDLESS) || chapter.from >= (best.from ?? 0)) best = chapter;
  }
  return best?.number;
}
