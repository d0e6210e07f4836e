import { type JSX, useMemo, useState } from "react";
import { captionTime, shortTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { firstPod, msTimeline, type SortKey, sorted, type TimelineRow, toCsv } from "./ms-timeline.ts";
import styles from "./story.module.css";

const COLUMNS: readonly { readonly key?: SortKey; readonly title: string }[] = [{ title: "What" }, { key: "component", title: "Who" }, { key: "start", title: "At" }, { key: "duration", title: "Took" }, { title: "Since POST" }, { title: "On real machines" }];

function download(csv: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
  link.download = "pod-timeline.csv";
  link.click();
  URL.revokeObjectURL(link.href);
}

function Measured({ row }: { readonly row: TimelineRow }): JSX.Element {
  const { measured, source, kind } = row.milestone;
  if (!measured) return <span title={source}>{kind}</span>;
  const cumulative = row.cumulative / 1000;
  const inside = cumulative >= measured.min - 0.5 && cumulative <= measured.max + 0.5;
  return (
    <span title={source}>
      {measured.median} ms <span className={styles.dim}>({measured.min} to {measured.max})</span>
      {!inside && <span className={styles.dim}> this run differs</span>}
    </span>
  );
}

/** The millisecond timeline that the articles announce, made from the run at hand. */
export function TimelineTable(): JSX.Element {
  const index = useTimeline((state) => state.index);
  const pinned = useTimeline((state) => state.pinned);
  const pin = useTimeline((state) => state.pin);
  const seek = useTimeline((state) => state.seek);
  const [order, setOrder] = useState<SortKey>("start");
  const pod = pinned?.kind === "object" && pinned.key.startsWith("/registry/pods/") ? pinned.key : index && firstPod(index);
  const rows = useMemo(() => (index && pod !== undefined ? msTimeline(index, pod) : []), [index, pod]);
  if (rows.length === 0) return <p className={styles.prose}>No Pod has been created in this run. Press Apply.</p>;
  const longest = Math.max(...rows.map((row) => row.duration), 1);
  return (
    <>
      <p className={styles.prose}>
        Pod {pod?.replace("/registry/pods/", "")}: {shortTime((rows.at(-1)?.at ?? 0) - (rows[0]?.at ?? 0))} in all. The last column is what 20 real Pods took since the POST (v1.36.2, image cached, one machine, a readiness probe and no startup probe): median, least and most.
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      <div className={styles.scroll} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              {COLUMNS.map(({ key, title }) => (
                <th key={title} scope="col" {...(key === order ? { "aria-sort": key === "duration" ? "descending" : "ascending" } : {})}>
                  {key ? (
                    <button type="button" onClick={() => setOrder(key)}>
                      {title}
                      <span aria-hidden="true">{key === order ? (key === "duration" ? " ▾" : " ▴") : ""}</span>
                    </button>
                  ) : (
                    title
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted(rows, order).map((row) => (
              <tr key={row.milestone.id}>
                <th scope="row">
                  <button
                    type="button"
                    className={styles.rowButton}
                    onClick={() => {
                      seek(row.at);
                      if (row.mail >= 0) pin({ kind: "hop", id: row.mail });
                      else if (row.note >= 0) pin({ kind: "note", id: row.note });
                    }}
                  >
                    {row.milestone.what}
                  </button>
                </th>
                <td>{row.component}</td>
                <td>{captionTime(row.at)}</td>
                <td>
                  {shortTime(row.duration)}
                  <span className={styles.bar} style={{ width: `${Math.max(1, (40 * row.duration) / longest)}px` }} aria-hidden="true" />
                </td>
                <td>{shortTime(row.cumulative)}</td>
                <td>
                  <Measured row={row} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <button type="button" className={`button ${styles.save}`} onClick={() => download(toCsv(rows))}>
        Save as CSV
      </button>
    </>
  );
}
