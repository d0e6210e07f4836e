import type { JSX } from "react";
import { captionTime, shortTime } from "../../../timeline/format.ts";
import type { EtcdMemberView } from "../../../worker/protocol.ts";
import styles from "../inspector.module.css";
import { lacking, leaderOf, raftRows, type RaftRow, type Stage } from "./raft-rows.ts";

const ROWS = 16;

/** Shape and word for each stage: the shape fills as the entry becomes safer. */
const MARKS: readonly (readonly [Stage, string])[] = [
  ["applied", "●"],
  ["committed", "◐"],
  ["on disk", "○"],
  ["in memory", "◌"],
  ["other entry", "≠"],
  ["in snapshot", "▤"],
  ["lacks it", "–"],
];
const markOf = (stage: Stage): string => MARKS.find(([one]) => one === stage)?.[1] ?? "";

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(bytes < 1_048_576 ? 2 : 1)} MiB`;

interface Props {
  readonly members: readonly EtcdMemberView[];
  /** The member that the reader has chosen. */
  readonly chosen: string;
  readonly now: number;
}

function heard(member: EtcdMemberView, now: number): string {
  return member.role === "leader" ? "it leads" : `${shortTime(Math.max(0, now - member.lastHeard))} ago`;
}

const FACTS: readonly (readonly [string, (member: EtcdMemberView, now: number) => string | number])[] = [
  ["Role", ({ role }) => (role === "leader" ? "★ leader" : role)],
  ["Term", ({ term }) => term],
  ["Last entry", ({ last }) => last],
  ["On disk", ({ stable, syncing }) => (syncing > 0 ? `${stable}, fsync of ${syncing}` : stable)],
  ["Committed", ({ commit }) => commit],
  ["Applied", ({ applied }) => applied],
  ["Leader heard", heard],
  ["Revision", ({ revision }) => revision],
  ["Compacted to", ({ compacted }) => compacted],
  ["Keys", ({ keys }) => keys],
  ["Database", ({ size }) => megabytes(size)],
  ["Alarm", ({ noSpace }) => (noSpace ? "⚠ NOSPACE" : "none")],
  ["Leases", ({ leases }) => leases.length],
  ["Watches", ({ watches }) => watches],
  ["Clients wait", ({ pending }) => pending.length],
];

/** What each member knows, side by side: where members agree on a fact there is nothing to see. */
export function MemberTable({ members, chosen, now }: Props): JSX.Element {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className={styles.scroll} tabIndex={0}>
      <table className={`${styles.table} ${styles.members}`}>
        <caption className={styles.srOnly}>Members of etcd at {captionTime(now)}</caption>
        <thead>
          <tr>
            <th scope="col">Member</th>
            {members.map(({ id }) => (
              <th key={id} scope="col" data-chosen={id === chosen || undefined}>
                {id}
                {id === chosen && <span className={styles.srOnly}> (chosen)</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {FACTS.map(([name, of]) => {
            const values = members.map((member) => of(member, now));
            const differs = new Set(values).size > 1;
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                {values.map((value, i) => (
                  <td key={members[i]?.id} data-chosen={members[i]?.id === chosen || undefined} className={differs ? styles.differs : undefined}>
                    {value}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, members }: { readonly row: RaftRow; readonly members: readonly EtcdMemberView[] }): JSX.Element {
  return (
    <tr>
      <th scope="row">{row.index}</th>
      <td>{row.term}</td>
      {row.stages.map((stage, i) => (
        <td key={members[i]?.id} className={styles.stage} data-stage={stage} title={`${members[i]?.id ?? ""}: ${stage}`}>
          <span aria-hidden="true">{markOf(stage)}</span>
          <span className={styles.srOnly}>{stage}</span>
        </td>
      ))}
      <td className={styles.writes} title={row.writes}>
        {row.writes}
      </td>
    </tr>
  );
}

/** The ends of all raft logs side by side, newest first, with the line up to which nothing can be lost any more. */
export function RaftLogs({ members, now }: Omit<Props, "chosen">): JSX.Element {
  const rows = raftRows(members, ROWS);
  const leader = leaderOf(members);
  const commit = Math.max(0, ...members.map((member) => member.commit));
  const open = rows.filter((row) => !row.committed);
  const safe = rows.filter((row) => row.committed);
  const used = new Set(rows.flatMap((row) => row.stages));
  const behind = lacking(members);
  return (
    <div className={styles.part}>
      <h4>Raft logs, newest first</h4>
      {rows.length === 0 ? (
        <p className={styles.hint}>No member has an entry of this run yet.</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
        <div className={styles.scroll} tabIndex={0}>
          <table className={`${styles.table} ${styles.raft}`}>
            <caption className={styles.srOnly}>
              Log entries by index at {captionTime(now)}; {leader ? `${leader.id} leads` : "there is no leader"}
            </caption>
            <thead>
              <tr>
                <th scope="col">Index</th>
                <th scope="col">Term</th>
                {members.map(({ id, role }) => (
                  <th key={id} scope="col">
                    <span className={styles.prefix}>{id.replace(/\d+$/, "")}</span>
                    {/\d*$/.exec(id)?.[0]}
                    {role === "leader" && (
                      <>
                        {" "}
                        <span aria-hidden="true">★</span>
                        <span className={styles.srOnly}>leader</span>
                      </>
                    )}
                  </th>
                ))}
                <th scope="col">Writes</th>
              </tr>
            </thead>
            <tbody>
              {open.map((row) => (
                <Row key={row.index} row={row} members={members} />
              ))}
              <tr className={styles.commitLine}>
                <td colSpan={members.length + 3}>{open.length === 0 ? "All is committed" : "Not yet committed above"}: a majority has up to {commit} on disk</td>
              </tr>
              {safe.map((row) => (
                <Row key={row.index} row={row} members={members} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows.length > 0 && (
        <p className={styles.legend}>
          {MARKS.filter(([stage]) => used.has(stage)).map(([stage, mark]) => (
            <span key={stage}>
              <span aria-hidden="true">{mark}</span> {stage}
            </span>
          ))}
        </p>
      )}
      {behind.length > 0 && <p>{behind.join("; ")}.</p>}
    </div>
  );
}
