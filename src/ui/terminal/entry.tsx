import { type JSX, memo, useState } from "react";
import { captionTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import type { TerminalEntry } from "../../timeline/types.ts";
import styles from "./terminal.module.css";

function Copy({ line, text }: { readonly line: string; readonly text: string }): JSX.Element | null {
  const [done, setDone] = useState(false);
  if (text === "") return null;
  return (
    <button
      type="button"
      className={styles.copy}
      aria-label={`${done ? "Copied" : "Copy"} output of ${line.split("\n")[0] ?? ""}`}
      onClick={() => void navigator.clipboard?.writeText(text).then(() => setDone(true))}
      onBlur={() => setDone(false)}
    >
      {done ? "Copied" : "Copy"}
    </button>
  );
}

function Outputs({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): JSX.Element {
  return (
    <>
      {stdout !== "" && <pre>{stdout.trimEnd()}</pre>}
      {stderr !== "" && <pre className={styles.error}>{stderr.trimEnd()}</pre>}
    </>
  );
}

/** Output of a command that goes on: as much of it as was printed by the playhead's time. */
function Stream({ entry }: { readonly entry: TerminalEntry }): JSX.Element {
  const { printed = [], endAt = Number.POSITIVE_INFINITY } = entry;
  const now = useTimeline((state) => state.now);
  const interrupt = useTimeline((state) => state.interrupt);
  const until = Math.min(now, endAt);
  const of = (source: "stdout" | "stderr"): string => printed.filter((line) => line.source === source && line.at <= until).map(({ text }) => text).join("");
  const ahead = printed.find((line) => line.at > until && line.at <= endAt);
  return (
    <>
      <Outputs stdout={of("stdout")} stderr={of("stderr")} />
      {now < endAt ? (
        <div className={styles.note}>
          {now < entry.at ? "begins later than the playhead" : ahead ? `more at ${captionTime(ahead.at)}` : "waits for more"}{" "}
          <button type="button" className={styles.copy} onClick={() => interrupt()}>
            Stop, Ctrl+C
          </button>
        </div>
      ) : (
        entry.exitCode === 130 && <div className={styles.note}>^C at {captionTime(endAt)}</div>
      )}
    </>
  );
}

/** A command that takes longer than this has a story of its own (microseconds). */
const LONG = 1_000_000;

/** One command, and what kubectl printed. */
export const Entry = memo(function Entry({ entry }: { readonly entry: TerminalEntry }): JSX.Element {
  const title = useTimeline((state) => state.runs.find((run) => run.id === entry.run)?.title);
  const editing = useTimeline((state) => state.editing?.entry === entry.id);
  // A sample's later commands are known from the start; the playhead has not come to them yet.
  const later = useTimeline((state) => state.now < entry.at && state.run?.id === entry.run);
  // Its output is shown as a whole; of one that takes long it is said that this is ahead of the playhead.
  const ahead = useTimeline((state) => state.run?.id === entry.run && state.now >= entry.at && entry.doneAt !== undefined && entry.doneAt - entry.at > LONG && state.now < entry.doneAt);
  const text = entry.printed === undefined ? `${entry.stdout}${entry.stderr}` : entry.printed.map((line) => line.text).join("");
  return (
    <div className={styles.entry} data-later={later}>
      <div className={styles.command}>
        <span>
          <span className={styles.time}>{later ? `later, at ${captionTime(entry.at)}` : captionTime(entry.at)}</span> $ {entry.line}
        </span>
        <Copy line={entry.line} text={text} />
      </div>
      {entry.printed === undefined ? <Outputs stdout={entry.stdout} stderr={entry.stderr} /> : <Stream entry={entry} />}
      {ahead && entry.doneAt !== undefined && <div className={styles.note}>printed up to {captionTime(entry.doneAt)}, later than the playhead</div>}
      {entry.remarks && entry.exitCode !== undefined && (
        <div className={styles.remark}>
          <strong>Millipod</strong> {entry.remarks.length === 1 ? "One field is" : `${entry.remarks.length} fields are`} accepted, but not simulated:
          <ul>
            {entry.remarks.map((remark) => (
              <li key={remark}>{remark}</li>
            ))}
          </ul>
        </div>
      )}
      {entry.exitCode === undefined
        ? entry.printed === undefined && <div className={styles.note}>{editing ? "waits for the editor: save and close it, or cancel" : "…"}</div>
        : entry.exitCode !== 0 && entry.exitCode !== 130 && <div className={styles.note}>exit code {entry.exitCode}</div>}
      {entry.changes && title !== undefined && entry.exitCode !== undefined && <div className={styles.note}>in the run “{title}”</div>}
    </div>
  );
});
