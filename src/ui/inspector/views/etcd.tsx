import type { JSX } from "react";
import { client } from "../../../timeline/client.ts";
import { captionTime, shortTime } from "../../../timeline/format.ts";
import type { EtcdMemberView } from "../../../worker/protocol.ts";
import styles from "../inspector.module.css";
import { Table } from "./parts.tsx";
import { MemberTable, RaftLogs } from "./raft-logs.tsx";
import { leaderOf } from "./raft-rows.ts";
import type { ComponentViewSpec, ViewProps } from "./view.ts";

function quorumText(members: readonly EtcdMemberView[]): string {
  const leader = leaderOf(members);
  const quorum = Math.floor(members.length / 2) + 1;
  return leader ? `${leader.id} leads term ${leader.term}; an entry is safe once ${quorum} of ${members.length} have it on disk.` : `There is no leader: an election needs ${quorum} of ${members.length} votes, and nothing is written until then.`;
}

function Etcd({ state, now, component }: ViewProps): JSX.Element {
  const members = state as readonly EtcdMemberView[];
  const member = members.find(({ id }) => id === component);
  if (!member) return <p className={styles.hint}>It has no state at this time.</p>;
  return (
    <>
      <p>{quorumText(members)}</p>
      {members.some(({ noSpace }) => noSpace) && <p className={styles.bad}>Alarm NOSPACE: the database has reached its quota. Writes are refused until it is compacted, defragmented and the alarm is cleared.</p>}
      <RaftLogs members={members} now={now} />
      <h4>Members</h4>
      <MemberTable members={members} chosen={component} now={now} />
      {member.role === "leader" && <Table title="Followers, as the leader knows them" columns={["member", "match", "next", "heard lately"]} none="Nobody follows." rows={member.progress.map(({ member: id, match, next, active }) => [id, match, next, active ? "yes" : "no"])} />}
      <Table title={`Clients that wait at ${component}`} columns={["client", "about", "for"]} none="Nobody waits." rows={member.pending.map(({ client: who, about, since }) => [who, about, shortTime(Math.max(0, now - since))])} />
      <Table title="Leases" columns={["lease", "seconds", "keys", "ends"]} none="None: leases are taken for Events." rows={member.leases.map(({ id, ttl, keys, endsAt }) => [id.toString(16), ttl, keys, endsAt === undefined ? "the leader counts" : captionTime(endsAt)])} />
    </>
  );
}

export const etcdView: ComponentViewSpec = { title: "Raft and store", matches: (component) => component.startsWith("etcd-"), View: Etcd, ask: (now) => client.etcd(now) };
