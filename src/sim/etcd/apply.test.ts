import { expect, test } from "vitest";
import { fakeCtx } from "../testdata/fake-ctx.ts";
import { memberAt, pod, runEtcd } from "../testdata/etcd-cluster.ts";
import { applyCommitted } from "./apply.ts";
import { withMember } from "./member-state.ts";
import type { Entry, EtcdWatchResponse } from "./messages.ts";

test("of several entries at once each watch is told its events, and only the last answer to a client says that all revisions are known", () => {
  const watches = ["pods", "events", "leases"].map((id) => ({ id, prefix: `/registry/${id}/`, startRevision: 101, client: id === "leases" ? "other" : "client" }));
  const write = (key: string): Entry => ({ proposal: { kind: "txn", id: 1, origin: "nobody", txn: { type: "etcd.txn.request", key: `/registry/${key}`, modRevision: 0, value: pod(key), subject: key, level: "source" } } }) as unknown as Entry;
  const ctx = fakeCtx();
  const state = withMember(memberAt(runEtcd([], 1_000), "etcd-1"), { watches });
  const after = applyCommitted(ctx, state, [write("events/default/e"), write("pods/default/p"), write("pods/default/q"), write("leases/default/l")]);
  expect(after.store.revision).toBe(104);
  const told = ctx.sent.filter(({ message }) => message.type === "etcd.watch.response").map(({ to, message }) => ({ to, ...(message as EtcdWatchResponse) }));
  expect(told.map(({ to, watch, revision, events }) => [to, watch, revision, events.map(({ kv }) => kv.modRevision)])).toEqual([
    ["client", "pods", 100, [102, 103]],
    ["client", "events", 104, [101]],
    ["other", "leases", 104, [104]],
  ]);
});
