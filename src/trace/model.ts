/** Identifies a row of the mail table: one hop, timer or input. Also what "cause" refers to. */
export type MailId = number;
/** Identifies a delivery: the n-th message that any component handled. */
export type EventNumber = number;
export type ComponentId = string;

export const PROTOCOLS = ["local", "HTTPS", "watch", "gRPC", "raft", "exec", "syscall", "netlink", "HTTP", "DNS", "TCP", "disk"] as const;
/** How a hop travels; decides the shape of its mark on the stage. */
export type Protocol = (typeof PROTOCOLS)[number];

export const LEVELS = ["basic", "operator", "source"] as const;
/** From which detail level on a reader sees it: basic tells the story, source shows heartbeats too. */
export type Level = (typeof LEVELS)[number];

export const NOTE_KINDS = ["step", "gate", "revision", "log", "decision", "output"] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

export const MAIL_KINDS = ["hop", "timer", "input"] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export const OUTCOMES = ["in flight", "delivered", "cancelled", "refused", "lost"] as const;
/** What became of a mail: refused by the peer's network stack, or lost on a broken link or dead machine. */
export type Outcome = (typeof OUTCOMES)[number];

/** One etcd revision: what the store holds from `at` on. */
export interface Revision {
  readonly revision: number;
  readonly key: string;
  readonly verb: "create" | "update" | "delete";
  /** The object as stored; undefined after a delete. */
  readonly object?: unknown;
}

/** A line that a component or a container wrote. */
export interface LogLine {
  readonly source: string;
  readonly line: string;
}
