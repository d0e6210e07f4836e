import { type JSX, type KeyboardEvent, memo, useEffect, useRef, useState } from "react";
import { captionTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import type { TerminalEntry } from "../../timeline/types.ts";
import { complete, HELP } from "./help.ts";
import styles from "./terminal.module.css";

/** Local answers, which belong to no run. They are drawn between the entries that came before and after them. */
interface Local {
  readonly after: number;
  readonly at: number;
  readonly line: string;
  readonly text: string;
}

const Entry = memo(function Entry({ entry }: { readonly entry: TerminalEntry }): JSX.Element {
  const title = useTimeline((state) => state.runs.find((run) => run.id === entry.run)?.title);
  return (
    <div className={styles.entry}>
      <div className={styles.command}>
        <span className={styles.time}>{captionTime(entry.at)}</span> $ {entry.line}
      </div>
      {entry.stdout !== "" && <pre>{entry.stdout.trimEnd()}</pre>}
      {entry.stderr !== "" && <pre className={styles.error}>{entry.stderr.trimEnd()}</pre>}
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
      {entry.exitCode === undefined ? (
        <div className={styles.note}>…</div>
      ) : (
        <>
          {entry.exitCode !== 0 && <div className={styles.note}>exit code {entry.exitCode}</div>}
          {entry.changes && title !== undefined && <div className={styles.note}>in the run “{title}”</div>}
        </>
      )}
    </div>
  );
});

/** What Tab can complete, looked up when it is pressed. */
function namesNow(): string[] {
  const { index, now, manifest } = useTimeline.getState();
  const nameOf = (object: unknown): string => (object as { metadata?: { name?: string } } | undefined)?.metadata?.name ?? "";
  const objects = index ? ["/registry/pods/", "/registry/minions/", "/registry/deployments/", "/registry/services/specs/"].flatMap((prefix) => index.objectsAt(prefix, now)) : [];
  return [...new Set([...objects.map((version) => nameOf(version.object)), "-f", manifest.file])].filter((name) => name !== "").sort();
}

/** Region "Terminal": kubectl at the playhead's time. What changes the cluster begins a new run there. */
export function TerminalPanel(): JSX.Element {
  const entries = useTimeline((state) => state.terminal);
  const now = useTimeline((state) => state.now);
  const runCommand = useTimeline((state) => state.runCommand);
  const [line, setLine] = useState("");
  const [history, setHistory] = useState<readonly string[]>([]);
  const [back, setBack] = useState(0);
  const [locals, setLocals] = useState<readonly Local[]>([]);
  const [cleared, setCleared] = useState(-1);
  const [leaving, setLeaving] = useState(false);
  const log = useRef<HTMLDivElement>(null);
  const last = entries.at(-1);

  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [last, locals.length]);

  const run = (): void => {
    const text = line.trim();
    if (text === "") return;
    setHistory((old) => [...old.filter((one) => one !== text), text].slice(-100));
    setBack(0);
    setLine("");
    if (text === "clear") {
      setCleared(last?.id ?? -1);
      setLocals([]);
    } else if (text === "help" || text === "kubectl help") setLocals((old) => [...old, { after: last?.id ?? -1, at: now, line: text, text: HELP }]);
    else void runCommand(text);
  };

  const recall = (to: number): void => {
    setBack(to);
    setLine(to === 0 ? "" : (history.at(-to) ?? ""));
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") {
      setLeaving(true);
      return;
    }
    if (event.key === "Enter") run();
    else if (event.key === "ArrowUp") recall(Math.min(history.length, back + 1));
    else if (event.key === "ArrowDown") recall(Math.max(0, back - 1));
    else if (event.key === "Tab" && !event.shiftKey && !leaving && line.trim() !== "") {
      const completed = complete(line, namesNow());
      if (completed === line) return;
      setLine(completed);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const localsAfter = (id: number): JSX.Element[] =>
    locals
      .filter((local) => local.after === id)
      .map((local, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- only ever appended to
        <div key={`${id}/${i}`} className={styles.entry}>
          <div className={styles.command}>
            <span className={styles.time}>{captionTime(local.at)}</span> $ {local.line}
          </div>
          <pre>{local.text}</pre>
        </div>
      ));

  return (
    <section aria-label="Terminal" className={styles.panel}>
      <div className={styles.head}>
        <h2 className="panel-title">Terminal</h2>
        <button type="button" className={`button button-quiet ${styles.read}`} onClick={() => log.current?.focus()}>
          Read output
        </button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      <div ref={log} role="log" aria-live="off" aria-label="Terminal output" tabIndex={0} className={styles.log}>
        {localsAfter(-1)}
        {entries
          .filter((entry) => entry.id > cleared)
          .map((entry) => (
            <div key={entry.id}>
              <Entry entry={entry} />
              {localsAfter(entry.id)}
            </div>
          ))}
        {entries.length === 0 && locals.length === 0 && <p className={styles.note}>Ask the cluster as it is at the playhead: kubectl get pods. Type help for more.</p>}
      </div>
      <form
        className={styles.prompt}
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <span className={styles.time} aria-hidden="true">
          {captionTime(now)} $
        </span>
        <input
          aria-label="kubectl command"
          value={line}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          placeholder="kubectl get pods"
          onChange={(event) => {
            setLine(event.target.value);
            setLeaving(false);
          }}
          onBlur={() => setLeaving(false)}
          onKeyDown={onKeyDown}
        />
      </form>
    </section>
  );
}
