import { type JSX, useEffect, useRef, useState } from "react";
import { captionTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { openPanel } from "../widgets/open-panel.ts";
import { Entry } from "./entry.tsx";
import { HELP } from "./help.ts";
import { Prompt } from "./prompt.tsx";
import styles from "./terminal.module.css";

const HISTORY = 200;

/** Local answers, which belong to no run. They are drawn between the entries that came before and after them. */
interface Local {
  readonly after: number;
  readonly at: number;
  readonly line: string;
  readonly text: string;
}

function LocalEntry({ local }: { readonly local: Local }): JSX.Element {
  return (
    <div className={styles.entry}>
      <div className={styles.command}>
        <span>
          <span className={styles.time}>{captionTime(local.at)}</span> $ {local.line}
        </span>
      </div>
      {local.text !== "" && <pre>{local.text}</pre>}
    </div>
  );
}

/** Region "Terminal": kubectl at the playhead's time. What changes the cluster begins a new run there. */
export function TerminalPanel(): JSX.Element {
  const entries = useTimeline((state) => state.terminal);
  const runCommand = useTimeline((state) => state.runCommand);
  const interrupt = useTimeline((state) => state.interrupt);
  const [history, setHistory] = useState<readonly string[]>([]);
  const [locals, setLocals] = useState<readonly Local[]>([]);
  const [cleared, setCleared] = useState(-1);
  const log = useRef<HTMLDivElement>(null);
  const last = entries.at(-1);
  const editor = useTimeline((state) => state.editing && `${state.editing.session}/${state.editing.at}`);

  useEffect(() => {
    if (editor !== undefined) openPanel("Manifest");
  }, [editor]);

  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [last, locals.length]);

  const answer = (line: string, text: string): void => {
    const { terminal, now } = useTimeline.getState();
    setLocals((old) => [...old, { after: terminal.at(-1)?.id ?? -1, at: now, line, text }]);
  };

  const clear = (): void => {
    setCleared(useTimeline.getState().terminal.at(-1)?.id ?? -1);
    setLocals([]);
  };

  const run = async (commands: readonly string[]): Promise<void> => {
    for (const command of commands) {
      setHistory((old) => [...old.filter((one) => one !== command), command].slice(-HISTORY));
      if (command === "clear") clear();
      else if (command === "help") answer(command, HELP);
      else await runCommand(command);
    }
  };

  const localsAfter = (id: number): JSX.Element[] =>
    locals
      .filter((local) => local.after === id)
      // oxlint-disable-next-line react/no-array-index-key -- only ever appended to
      .map((local, i) => <LocalEntry key={`${id}/${i}`} local={local} />);

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
        {cleared >= 0 && localsAfter(cleared)}
        {entries.length === 0 && locals.length === 0 && <p className={styles.note}>Ask the cluster as it is at the playhead: kubectl get pods. Type help for more.</p>}
      </div>
      <Prompt
        history={history}
        onRun={(commands) => void run(commands)}
        onClear={clear}
        onInterrupt={(line) => {
          if (!interrupt() || line !== "") answer(`${line}^C`, "");
        }}
      />
    </section>
  );
}
