import type { TraceIndex } from "../../trace/trace-index.ts";
import type { MailId } from "../../trace/model.ts";
import { mailOfNote } from "../widgets/trace-text.ts";

interface Named {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

/** "pod/default/nginx" for an object: how hops and notes refer to it. */
export function referenceOf(object: unknown): string {
  const { kind, metadata } = (object ?? {}) as Named;
  if (!kind || !metadata?.name) return "";
  return `${kind.toLowerCase()}/${metadata.namespace ? `${metadata.namespace}/` : ""}${metadata.name}`;
}

const CACHE = new WeakMap<TraceIndex, Map<string, string>>();

function keysOf(index: TraceIndex): Map<string, string> {
  let keys = CACHE.get(index);
  if (!keys) {
    keys = new Map();
    // What the world began with stands at any time before 0.
    for (const version of index.objectsAt("/registry/", -1)) keys.set(referenceOf(version.object), version.key);
    for (const revision of index.trace.revisions) if (revision.object !== undefined) keys.set(referenceOf(revision.object), revision.key);
    CACHE.set(index, keys);
  }
  return keys;
}

/** The etcd key behind a reference such as "pod/default/nginx" (with any subresource after it); undefined if the store never held it. */
export function keyOfSubject(index: TraceIndex, subject: string): string | undefined {
  const keys = keysOf(index);
  const parts = subject.split("/");
  for (let length = parts.length; length >= 2; length--) {
    const key = keys.get(parts.slice(0, length).join("/"));
    if (key !== undefined) return key;
  }
  return undefined;
}

/** The object a mail is about; an answer that does not say so is about what was asked. */
export function keyOfMail(index: TraceIndex, mail: MailId): string | undefined {
  for (const id of index.causesOf(mail).slice(0, ANSWER_DISTANCE)) {
    const key = keyOfSubject(index, index.trace.hop(id).subject);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** How far back an answer's request is looked for: through the store and its followers. */
const ANSWER_DISTANCE = 10;

/** A version of an object with the one before it. */
export interface VersionPair {
  readonly key: string;
  readonly at: number;
  readonly revision: number;
  readonly verb: "create" | "update" | "delete";
  readonly before: unknown;
  readonly after: unknown;
  /** True if the mail made this version; false if it merely carries it. */
  readonly caused: boolean;
}

/** What a mail changed, or which change it carries: the version of its object that it caused, else the latest one when it was sent. */
export function versionOfMail(index: TraceIndex, mail: MailId): VersionPair | undefined {
  const hop = index.trace.hop(mail);
  const key = keyOfMail(index, mail);
  if (key === undefined) return undefined;
  const versions = index.versionsOf(key);
  let found = -1;
  let caused = false;
  for (let i = 0; i < versions.length; i++) {
    const version = versions[i];
    if (!version) continue;
    if (version.at <= hop.sentAt) found = i;
    else if (version.note >= 0 && isCause(index, mail, mailOfNote(index.trace, version.note))) {
      found = i;
      caused = true;
      break;
    }
  }
  const version = versions[found];
  if (!version) return undefined;
  return { key, at: version.at, revision: version.revision.revision, verb: version.revision.verb, before: versions[found - 1]?.revision.object, after: version.revision.object, caused };
}

/** True if `mail` is on the way back from `effect` while no other request for an object lies between them. */
function isCause(index: TraceIndex, mail: MailId, effect: MailId): boolean {
  const subject = index.trace.mail.subject.get(mail);
  for (const id of index.causesOf(effect)) {
    if (id === mail) return true;
    // The write belongs to the nearest request: a watch event that set off another client's request did not write.
    if (id !== effect && index.trace.mail.protocol.get(id) === WATCH && index.trace.mail.subject.get(id) === subject) return false;
  }
  return false;
}

const WATCH = 2;
