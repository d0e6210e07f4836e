import { describe, expect, test } from "vitest";
import { TraceIndex } from "../../trace/trace-index.ts";
import { Trace } from "../../trace/trace.ts";
import { LEVELS, MAIL_KINDS, PROTOCOLS, type Level, type MailKind, type Protocol } from "../../trace/model.ts";
import { cameOf, causeChain } from "./causes.ts";
import { versionOfMail } from "./object-key.ts";

interface Row {
  kind: MailKind;
  from: string;
  to: string;
  sentAt: number;
  dueAt: number;
  cause: number;
  verb: string;
  subject?: string;
  status?: number;
  protocol?: Protocol;
  level?: Level;
  say?: string;
  write?: unknown;
}

/** A trace in which every mail is handled in the order given. */
function traceOf(rows: Row[]): Trace {
  const trace = new Trace();
  const component = (id: string): number => {
    if (!trace.components.includes(id)) trace.components.push(id);
    return trace.components.indexOf(id);
  };
  rows.forEach((row, id) => {
    const m = trace.mail;
    m.sentAt.push(row.sentAt);
    m.dueAt.push(row.dueAt);
    m.cancelledAt.push(-1);
    m.event.push(id);
    m.cause.push(row.cause);
    m.from.push(component(row.from));
    m.to.push(component(row.to));
    m.kind.push(MAIL_KINDS.indexOf(row.kind));
    m.protocol.push(PROTOCOLS.indexOf(row.protocol ?? "HTTPS"));
    m.level.push(LEVELS.indexOf(row.level ?? "basic"));
    m.outcome.push(1);
    m.verb.push(trace.strings.id(row.verb));
    m.subject.push(trace.strings.id(row.subject ?? ""));
    m.status.push(row.status ?? 0);
    m.fault.push(0);
    trace.events.at.push(row.dueAt);
    trace.events.mail.push(id);
    trace.events.firstMail.push(id);
    trace.events.firstNote.push(trace.noteCount);
    trace.events.hash.push(0);
    const note = (kind: number, text: string): void => {
      const n = trace.notes;
      n.event.push(id);
      n.at.push(row.dueAt);
      n.component.push(component(row.to));
      n.kind.push(kind);
      n.level.push(0);
      n.text.push(trace.strings.id(text));
      n.why.push(0);
      n.status.push(0);
      n.subject.push(0);
    };
    if (row.say) note(0, row.say);
    if (row.write) {
      note(2, "");
      trace.revisions.push({ revision: 100 + id, key: "/registry/pods/default/web", verb: "create", object: row.write });
      trace.revisionNotes.push(trace.noteCount - 1);
    }
  });
  return trace;
}

const pod = { kind: "Pod", metadata: { namespace: "default", name: "web" } };
const rows: Row[] = [
  { kind: "input", from: "kubectl", to: "kubectl", sentAt: 0, dueAt: 0, cause: -1, verb: "kubectl apply", say: "kubectl reads the file" },
  { kind: "timer", from: "kubectl", to: "kubectl", sentAt: 0, dueAt: 10, cause: 0, verb: "" },
  { kind: "hop", from: "kubectl", to: "kube-apiserver", sentAt: 10, dueAt: 20, cause: 1, verb: "POST", subject: "pod/default/web" },
  { kind: "hop", from: "kube-apiserver", to: "etcd-0", sentAt: 20, dueAt: 30, cause: 2, verb: "Txn", subject: "pod/default/web", protocol: "gRPC", write: pod, say: "etcd stores it" },
  { kind: "hop", from: "etcd-0", to: "kube-apiserver", sentAt: 30, dueAt: 40, cause: 3, verb: "Txn", protocol: "gRPC", level: "source" },
  { kind: "hop", from: "kube-apiserver", to: "kubectl", sentAt: 40, dueAt: 50, cause: 4, verb: "POST", subject: "pod/default/web", status: 201 },
  { kind: "timer", from: "kubelet@n", to: "kubelet@n", sentAt: 40, dueAt: 300_040, cause: 4, verb: "poll" },
];
const index = new TraceIndex(traceOf(rows), []);

describe("causeChain", () => {
  test("leads back to the click, folding what a component does by itself", () => {
    expect(causeChain(index, 5).map((link) => [link.mail, link.kind, link.folded])).toEqual([[5, "hop", 0], [4, "hop", 0], [3, "hop", 0], [2, "hop", 0], [0, "click", 1]]);
  });
  test("tells what the receiver did", () => {
    expect(causeChain(index, 3)[0]?.effect).toBe("etcd stores it");
    expect(causeChain(index, 5).at(-1)).toMatchObject({ sentence: "You: kubectl apply", at: 0 });
  });
  test("keeps a long wait", () => {
    expect(causeChain(index, 6)[0]).toMatchObject({ kind: "wait", at: 40, arrived: 300_040 });
  });
});

describe("cameOf", () => {
  test.each([
    { name: "basic leaves the background out", detail: "basic", limit: 10, want: [2, 3, 5], more: false },
    { name: "source has it all", detail: "source", limit: 10, want: [2, 3, 4, 5], more: false },
    { name: "a limit is told", detail: "source", limit: 2, want: [2, 3], more: true },
  ] as const)("$name", ({ detail, limit, want, more }) => {
    const got = cameOf(index, 0, detail, limit);
    expect(got.links.map((link) => link.mail)).toEqual(want);
    expect(got.more).toBe(more);
  });
});

describe("versionOfMail", () => {
  test.each([
    { name: "the request that wrote", mail: 2, want: { revision: 103, caused: true, before: undefined } },
    { name: "the answer carries it", mail: 5, want: { revision: 103, caused: false } },
  ])("$name", ({ mail, want }) => expect(versionOfMail(index, mail)).toMatchObject(want));
  test("a mail about nothing has no version", () => expect(versionOfMail(index, 0)).toBeUndefined());
});
