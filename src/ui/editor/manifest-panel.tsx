import { type JSX, lazy, Suspense, useRef, useState, useSyncExternalStore } from "react";
import { useTimeline } from "../../timeline/store.ts";
import type { ManifestReport } from "../../worker/protocol.ts";
import type { Caret, Place } from "./editor-props.ts";
import { DraftBanner } from "./draft-banner.tsx";
import { EditBanner } from "./edit-banner.tsx";
import { Fallback } from "./fallback.tsx";
import styles from "./editor.module.css";
import { CaretHelp } from "./caret-help.tsx";
import { changedLines, placeOf } from "./lines.ts";
import { PlainEditor } from "./plain-editor.tsx";
import { useCheck } from "./use-check.ts";

const MonacoEditor = lazy(() => import("./monaco-editor.tsx").then((module) => ({ default: module.MonacoEditor })));

const DESKTOP = "(min-width: 900px) and (pointer: fine)";

function useDesktop(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(DESKTOP);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => window.matchMedia(DESKTOP).matches,
  );
}

function Problems({ report, onGo }: { readonly report: ManifestReport; readonly onGo: (place: Place) => void }): JSX.Element | null {
  const { problems, notSimulated } = report;
  if (problems.length === 0 && notSimulated.length === 0) return null;
  return (
    <div className={styles.report}>
      {problems.length > 0 && (
        <>
          <h3>Problems</h3>
          <ul>
            {problems.map((problem) => (
              <li key={`${problem.line}/${problem.column}/${problem.message}`} className={styles.problem}>
                <button type="button" onClick={() => onGo({ line: Math.max(1, problem.line), column: Math.max(1, problem.column) })}>
                  {problem.line > 0 && <>line {problem.line}: </>}
                  {problem.message}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {notSimulated.length > 0 && (
        <details open={notSimulated.length < 4}>
          <summary>
            Accepted, but not simulated: {notSimulated.length} {notSimulated.length === 1 ? "field" : "fields"}
          </summary>
          <ul>
            {notSimulated.map((field) => (
              <li key={`${field.document}/${field.path}`}>
                <button type="button" onClick={() => onGo({ line: Math.max(1, field.line), column: 1 })}>
                  <code>{field.path}</code> {field.text}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** What kubectl said about the last Apply or Delete, if it failed. */
function Failure(): JSX.Element | null {
  const entry = useTimeline((state) => state.terminal.findLast((one) => one.changes && (one.argv[0] === "apply" || one.argv[0] === "delete")));
  const [dismissed, setDismissed] = useState(-1);
  if (!entry || entry.exitCode === undefined || entry.exitCode === 0 || entry.id === dismissed) return null;
  const text = entry.stderr.trim();
  return (
    <div role="alert" className={styles.alert}>
      <pre>{text === "" ? `kubectl ended with exit code ${entry.exitCode}` : text}</pre>
      <button type="button" className="button" onClick={() => setDismissed(entry.id)}>
        Dismiss
      </button>
    </div>
  );
}

function Hint({ rich }: { readonly rich: boolean }): JSX.Element {
  const mac = navigator.userAgent.includes("Mac");
  return (
    <p className={styles.hint}>
      <kbd>{mac ? "⌘" : "Ctrl"}+Enter</kbd> applies
      {rich && (
        <>
          , <kbd>Ctrl+Space</kbd> completes, <kbd>{mac ? "⌘" : "Ctrl+"}K</kbd> <kbd>{mac ? "⌘" : "Ctrl+"}I</kbd> explains, <kbd>Ctrl+{mac ? "Shift+" : ""}M</kbd> or <kbd>Esc</kbd> frees <kbd>Tab</kbd>
        </>
      )}
    </p>
  );
}

/** Region "Manifest": what the user wants. Editing changes no run; Apply makes a new one. */
export function ManifestPanel(): JSX.Element {
  const manifest = useTimeline((state) => state.manifest);
  const editing = useTimeline((state) => state.editing);
  const setEditText = useTimeline((state) => state.setEditText);
  const closeEdit = useTimeline((state) => state.closeEdit);
  const setManifestText = useTimeline((state) => state.setManifestText);
  const apply = useTimeline((state) => state.apply);
  const deleteManifest = useTimeline((state) => state.deleteManifest);
  const loading = useTimeline((state) => state.catalogue === undefined);
  const desktop = useDesktop();
  const [opened, setOpened] = useState(false);
  const [go, setGo] = useState<Place>();
  const [failed, setFailed] = useState(false);
  const [ready, setReady] = useState(false);
  const caret = useRef<Caret>({ offset: 0, focus: false });
  const [helpAt, setHelpAt] = useState<number>();
  const { file } = editing ?? manifest;
  const { text } = editing ?? manifest;
  const applied = editing ? editing.original : manifest.applied;
  const setText = editing ? setEditText : setManifestText;
  const report = useCheck(text);
  const changes = changedLines(applied, text);
  const rich = desktop && opened && !failed;
  const onCaret = (change: Partial<Caret>): void => {
    caret.current = { ...caret.current, ...change };
    if (!rich && opened) setHelpAt(caret.current.offset);
  };

  const shown = rich && ready;
  const props = { text, report, go, onChange: setText, onApply: () => void (editing ? closeEdit(true) : apply()) };

  return (
    <section aria-label="Manifest" className={styles.panel}>
      <div className={styles.head}>
        <h2 className="panel-title">Manifest</h2>
        <span className={styles.file}>{file}</span>
        {changes > 0 && (
          <>
            <span className={styles.changes}>
              {changes} changed<span className="visually-hidden"> {changes === 1 ? "line" : "lines"}</span>
            </span>
            <button type="button" className="button button-quiet" onClick={() => setText(applied)}>
              Undo all
            </button>
          </>
        )}
      </div>
      <EditBanner />
      <DraftBanner />
      <div className={styles.editor}>
        {!shown && <PlainEditor {...props} onOpen={() => setOpened(true)} onCaret={onCaret} />}
        {rich && (
          <Fallback onFail={() => setFailed(true)}>
            <Suspense fallback={null}>
              <div className={styles.rich} data-shown={shown}>
                <MonacoEditor {...props} caret={caret} shown={shown} onReady={() => setReady(true)} />
              </div>
            </Suspense>
          </Fallback>
        )}
      </div>
      {!rich && helpAt !== undefined && (
        <CaretHelp
          text={text}
          offset={helpAt}
          onTake={(taken, offset) => {
            setText(taken);
            setGo(placeOf(taken, offset));
            setHelpAt(offset);
          }}
        />
      )}
      <Failure />
      <Problems report={report} onGo={setGo} />
      <div className={styles.foot}>
        {!editing && (
          <>
            <button type="button" className="button button-primary" disabled={loading} onClick={() => void apply()}>
              Apply
            </button>
            <button type="button" className="button" disabled={loading} onClick={() => void deleteManifest()}>
              Delete
            </button>
          </>
        )}
        {desktop && <Hint rich={shown} />}
      </div>
    </section>
  );
}
