// Models go.etcd.io/raft/log.go
import { PMap } from "../../kernel/pmap.ts";
import type { Entry } from "../messages.ts";

/** Entries kept for slow followers (upstream: 5,000 after a snapshot each 10,000). */
export const CATCH_UP_ENTRIES = 5_000;

/** The log from `first` on; what is before it is only in a snapshot. */
export interface RaftLog {
  readonly entries: PMap<Entry>;
  readonly first: number;
  readonly last: number;
  /** Term of entry first-1, the end of the snapshot. */
  readonly snapshotTerm: number;
}

export const emptyLog = (index: number, term: number): RaftLog => ({ entries: PMap.empty(), first: index + 1, last: index, snapshotTerm: term });

export const entryAt = (log: RaftLog, index: number): Entry | undefined => log.entries.get(`i${index}`);

/** The term of an entry; undefined if it is not there any more or not yet. */
export function termOf(log: RaftLog, index: number): number | undefined {
  if (index === log.first - 1) return log.snapshotTerm;
  return entryAt(log, index)?.term;
}

export const lastTerm = (log: RaftLog): number => termOf(log, log.last) ?? log.snapshotTerm;

/** Appends entries, cutting off what conflicts with them. */
export function append(log: RaftLog, entries: readonly Entry[]): RaftLog {
  let { entries: map, last } = log;
  for (const entry of entries) {
    if (entry.index <= last) {
      if (map.get(`i${entry.index}`)?.term === entry.term || entry.index < log.first) continue;
      for (let i = entry.index; i <= last; i++) map = map.delete(`i${i}`);
    }
    map = map.setShared(`i${entry.index}`, entry);
    last = entry.index;
  }
  return { entries: map, first: log.first, last, snapshotTerm: log.snapshotTerm };
}

export function slice(log: RaftLog, from: number, limit: number): Entry[] {
  const out: Entry[] = [];
  for (let i = from; i <= log.last && out.length < limit; i++) {
    const entry = entryAt(log, i);
    if (entry) out.push(entry);
  }
  return out;
}

/** Forgets applied entries that no follower should still need. */
export function truncate(log: RaftLog, applied: number): RaftLog {
  const keepFrom = applied - CATCH_UP_ENTRIES;
  if (keepFrom <= log.first) return log;
  let { entries } = log;
  const snapshotTerm = termOf(log, keepFrom - 1) ?? log.snapshotTerm;
  for (let i = log.first; i < keepFrom; i++) entries = entries.delete(`i${i}`);
  return { ...log, entries, first: keepFrom, snapshotTerm };
}

/** What is left of a log whose tail never reached the disk. */
export function cutAfter(log: RaftLog, stable: number): RaftLog {
  let { entries } = log;
  for (let i = stable + 1; i <= log.last; i++) entries = entries.delete(`i${i}`);
  return { ...log, entries, last: Math.min(log.last, stable) };
}

/** Whether a candidate's log is at least as new as this one. */
export const isUpToDate = (log: RaftLog, index: number, term: number): boolean => term > lastTerm(log) || (term === lastTerm(log) && index >= log.last);
