import { LEVELS, type Level, type MailId, type Revision } from "./model.ts";
import { type Trace, upperBound } from "./trace.ts";

const HOP = 0;
const OUTCOME_LOST = 4;

interface Versions {
  readonly at: number[];
  readonly revision: Revision[];
  /** Note that recorded it; -1 for what the world began with. */
  readonly note: number[];
}

/** What the store holds under a key at some time, and the note that put it there. */
export interface ObjectVersion {
  readonly key: string;
  readonly object: unknown;
  readonly revision: number;
  readonly at: number;
  readonly note: number;
}

/**
 * Answers "what is so at t" from a trace, by binary search. Built once per batch in one pass; what it gives out are
 * ids and shared objects, never copies.
 */
export class TraceIndex {
  readonly trace: Trace;
  /** Ids of hops (not timers), by time of sending. */
  private readonly hops: number[] = [];
  private readonly hopSentAt: number[] = [];
  private longestHop = 0;
  private readonly statusNotes = new Map<number, number[]>();
  private readonly notesByComponent = new Map<number, number[]>();
  private readonly objects = new Map<string, Versions>();
  private readonly stepCache = new Map<Level, Int32Array>();
  private readonly children = new Map<MailId, MailId[]>();

  constructor(trace: Trace, base: readonly Revision[]) {
    this.trace = trace;
    for (const revision of base) this.addVersion(revision, Number.NEGATIVE_INFINITY, -1);
    trace.revisions.forEach((revision, i) => {
      const note = trace.revisionNotes[i] ?? -1;
      this.addVersion(revision, trace.notes.at.get(note), note);
    });
    const { mail, notes } = trace;
    for (let id = 0; id < trace.mailCount; id++) {
      const cause = mail.cause.get(id);
      if (cause >= 0) {
        const list = this.children.get(cause);
        if (list) list.push(id);
        else this.children.set(cause, [id]);
      }
      if (mail.kind.get(id) !== HOP || mail.from.get(id) === mail.to.get(id)) continue;
      this.hops.push(id);
      this.hopSentAt.push(mail.sentAt.get(id));
      this.longestHop = Math.max(this.longestHop, mail.dueAt.get(id) - mail.sentAt.get(id));
    }
    for (let id = 0; id < trace.noteCount; id++) {
      const component = notes.component.get(id);
      push(this.notesByComponent, component, id);
      if (notes.status.get(id) !== 0) push(this.statusNotes, component, id);
    }
  }

  private addVersion(revision: Revision, at: number, note: number): void {
    let versions = this.objects.get(revision.key);
    if (!versions) {
      versions = { at: [], revision: [], note: [] };
      this.objects.set(revision.key, versions);
    }
    versions.at.push(at);
    versions.revision.push(revision);
    versions.note.push(note);
  }

  /** Hops under way at `t` (sent at or before, arriving after), oldest first; those of a higher level than `level` are left out. */
  inFlight(t: number, level: Level): MailId[] {
    const { mail } = this.trace;
    const limit = LEVELS.indexOf(level);
    const found: MailId[] = [];
    for (let i = upperBound(this.hopSentAt, t) - 1; i >= 0; i--) {
      const id = this.hops[i] as number;
      const sentAt = this.hopSentAt[i] as number;
      if (sentAt < t - this.longestHop) break;
      if (mail.dueAt.get(id) > t && mail.level.get(id) <= limit) found.push(id);
    }
    return found.reverse();
  }

  /** Hops sent in (from, to], for the after-glow of edges and for lanes. */
  hopsBetween(from: number, to: number): MailId[] {
    return this.hops.slice(upperBound(this.hopSentAt, from), upperBound(this.hopSentAt, to));
  }

  /**
   * The hop of at most this level that was sent after (`by` 1) or before (-1) another one; without one, after or before
   * time `t`. Hops sent at the same time follow in the order of their ids.
   */
  neighbour(t: number, from: MailId | undefined, by: 1 | -1, level: Level): MailId | undefined {
    const limit = LEVELS.indexOf(level);
    const { mail } = this.trace;
    const at = from === undefined ? -1 : this.hops.indexOf(from);
    const start = at >= 0 ? at + by : by > 0 ? upperBound(this.hopSentAt, t) : upperBound(this.hopSentAt, t - 1) - 1;
    for (let i = start; i >= 0 && i < this.hops.length; i += by) if (mail.level.get(this.hops[i] as number) <= limit) return this.hops[i];
    return undefined;
  }

  /** The component's live line at `t`; "" before it said anything. */
  statusAt(component: string, t: number): string {
    const list = this.statusNotes.get(this.trace.components.indexOf(component));
    const id = list?.[this.lastAt(list, t)];
    return id === undefined ? "" : this.trace.strings.text(this.trace.notes.status.get(id));
  }

  /** Ids of a component's notes up to `t`, ascending. */
  notesUntil(component: string, t: number): number[] {
    const list = this.notesByComponent.get(this.trace.components.indexOf(component)) ?? [];
    return list.slice(0, this.lastAt(list, t) + 1);
  }

  private lastAt(list: readonly number[], t: number): number {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.trace.notes.at.get(list[middle] as number) <= t) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The object under an etcd key at `t`; undefined if there is none then. */
  objectAt(key: string, t: number): ObjectVersion | undefined {
    const versions = this.objects.get(key);
    if (!versions) return undefined;
    const i = upperBound(versions.at, t) - 1;
    const revision = versions.revision[i];
    if (revision === undefined || revision.verb === "delete") return undefined;
    return { key, object: revision.object, revision: revision.revision, at: versions.at[i] as number, note: versions.note[i] as number };
  }

  /** All objects under a key prefix ("/registry/pods/") at `t`, by key. */
  objectsAt(prefix: string, t: number): ObjectVersion[] {
    const found: ObjectVersion[] = [];
    for (const key of this.objects.keys()) {
      if (!key.startsWith(prefix)) continue;
      const version = this.objectAt(key, t);
      if (version) found.push(version);
    }
    return found.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Every version of a key, deletions too, oldest first. */
  versionsOf(key: string): readonly { at: number; revision: Revision; note: number }[] {
    const versions = this.objects.get(key);
    return versions ? versions.at.map((at, i) => ({ at, revision: versions.revision[i] as Revision, note: versions.note[i] as number })) : [];
  }

  /** Ids of the notes that are steps at a detail level: sentences, gates and decisions; no logs. Ascending in time. */
  steps(level: Level): Int32Array {
    let steps = this.stepCache.get(level);
    if (!steps) {
      const { notes } = this.trace;
      const limit = LEVELS.indexOf(level);
      const ids: number[] = [];
      for (let id = 0; id < this.trace.noteCount; id++) if (notes.level.get(id) <= limit && notes.kind.get(id) !== LOG && notes.text.get(id) !== 0) ids.push(id);
      steps = Int32Array.from(ids);
      this.stepCache.set(level, steps);
    }
    return steps;
  }

  /** The mails on the way from `mail` back to the input that began it all: itself first. */
  causesOf(mail: MailId): MailId[] {
    const chain: MailId[] = [];
    for (let id = mail; id >= 0; id = this.trace.mail.cause.get(id)) chain.push(id);
    return chain;
  }

  /** The mails that the handling of `mail` sent. */
  consequencesOf(mail: MailId): readonly MailId[] {
    return this.children.get(mail) ?? [];
  }

  /** True for a hop that never arrived. */
  lost(mail: MailId): boolean {
    return this.trace.mail.outcome.get(mail) === OUTCOME_LOST;
  }
}

const LOG = 3;

function push(map: Map<number, number[]>, key: number, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
