import type { JSX } from "react";
import { shortTime } from "../../../timeline/format.ts";
import { FactList, Table } from "./parts.tsx";
import { at, type ComponentViewSpec, fields, items, numberAt, text, type ViewProps } from "./view.ts";

const LOG_TAIL = 12;

function proposalText(proposal: unknown): string {
  const kind = text(at(proposal, "kind"));
  if (kind === "noop") return "empty entry of a new leader";
  if (kind === "compact") return `compact to ${text(at(proposal, "compact"))}`;
  return `${at(proposal, "txn.value") === undefined ? "delete" : "put"} ${text(at(proposal, "txn.key")).replace("/registry/", "")}`;
}

function Etcd({ state, now, component }: ViewProps): JSX.Element {
  const raft = fields(at(state, "raft"));
  const entries = [...items(at(raft, "log.entries"))].sort((a, b) => (numberAt(a, "index") ?? 0) - (numberAt(b, "index") ?? 0));
  const commit = numberAt(raft, "commit") ?? 0;
  const applied = numberAt(raft, "applied") ?? 0;
  const stable = numberAt(raft, "stable") ?? 0;
  const tail = entries.slice(-LOG_TAIL);
  const leads = raft["role"] === "leader";
  const heard = numberAt(raft, "lastHeard");
  return (
    <>
      <FactList
        facts={[
          ["Role", text(raft["role"])],
          ["Term", text(raft["term"])],
          ["Leader", text(raft["leader"]) || "unknown"],
          ["Committed", `index ${commit}`],
          ["Applied", `index ${applied}`],
          ["On disk", `index ${stable}${numberAt(raft, "syncing") ? `, fsync of ${text(raft["syncing"])} under way` : ""}`],
          ["Store revision", text(at(state, "store.revision"))],
          ["Keys", at(state, "store.keys") === undefined ? "" : String(items(at(state, "store.keys")).length)],
          ["Heard from the leader", leads || heard === undefined ? "" : `${shortTime(Math.max(0, now - heard))} ago; an election after ${shortTime(numberAt(raft, "electionTimeout") ?? 0)} of silence`],
        ]}
      />
      <Table
        title="End of the log"
        columns={["index", "term", "what", "state"]}
        none={`${component} has no entries of this run yet.`}
        rows={tail.map((entry) => {
          const index = numberAt(entry, "index") ?? 0;
          const stage = index <= applied ? "applied" : index <= commit ? "committed" : index <= stable ? "on disk" : "in memory";
          return [index, text(at(entry, "term")), proposalText(at(entry, "proposal")), stage];
        })}
      />
      {leads && (
        <Table
          title="Followers"
          columns={["member", "match", "next", "active"]}
          none="Nobody follows."
          rows={Object.entries(fields(raft["progress"])).map(([member, progress]) => [member, text(at(progress, "match")), text(at(progress, "next")), at(progress, "recentActive") === true ? "yes" : "no"])}
        />
      )}
      <Table title="Clients that wait" columns={["client", "request", "since"]} none="Nobody waits." rows={items(at(state, "pending")).map((one) => [text(at(one, "client")), text(at(one, "request.key")).replace("/registry/", ""), shortTime(now - (numberAt(one, "at") ?? now))])} />
    </>
  );
}

export const etcdView: ComponentViewSpec = { title: "Member", matches: (component) => component.startsWith("etcd-"), View: Etcd };
