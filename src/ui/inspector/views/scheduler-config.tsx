import { type JSX, useEffect, useId, useState } from "react";
import { client } from "../../../timeline/client.ts";
import { useTimeline } from "../../../timeline/store.ts";
import styles from "../inspector.module.css";

/** After typing stops, as with the manifest. */
const CHECK_DELAY = 250;

/** What kube-scheduler says of the text; undefined while that is not known yet. */
function useProblem(text: string): string | undefined {
  const [known, setKnown] = useState<{ readonly text: string; readonly problem: string }>();
  useEffect(() => {
    const timer = setTimeout(() => {
      void client.checkScheduler(text).then((problem) => setKnown({ text, problem }), () => undefined);
    }, CHECK_DELAY);
    return () => clearTimeout(timer);
  }, [text]);
  return known?.text === text ? known.problem : undefined;
}

/** The KubeSchedulerConfiguration of this run, to be changed: Apply begins a run with it. */
export function SchedulerConfig(): JSX.Element {
  const standard = useTimeline((state) => state.catalogue?.schedulerConfig ?? "");
  const applied = useTimeline((state) => state.run?.recipe.schedulerConfig);
  const apply = useTimeline((state) => state.applySchedulerConfig);
  const [text, setText] = useState(applied ?? standard);
  const problem = useProblem(text);
  const area = useId();
  const changed = text !== (applied ?? standard);
  const ok = problem === "" && changed;
  const run = (): void => {
    if (ok) void apply(text === standard ? undefined : text);
  };
  return (
    <div className={styles.config}>
      <label htmlFor={area} className={styles.hint}>
        {applied === undefined ? "kube-scheduler runs with its defaults, written out here." : "This run's configuration."} Apply starts a new run from the beginning.
      </label>
      <div className={styles.configHead}>
      <output htmlFor={area} id={`${area}-problem`} className={problem ? styles.bad : styles.hint}>
        {problem === undefined ? "Checking…" : problem !== "" ? problem : changed ? "kube-scheduler takes this." : "Unchanged."}
      </output>
      <div className={styles.choices}>
        <button type="button" className="button" disabled={!ok} onClick={run}>
          Apply
        </button>
        <button type="button" className={styles.small} disabled={!changed} onClick={() => setText(applied ?? standard)}>
          Undo changes
        </button>
        <button type="button" className={styles.small} disabled={text === standard} onClick={() => setText(standard)}>
          Defaults
        </button>
      </div>
      </div>
      <textarea
        id={area}
        className={styles.configText}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        value={text}
        aria-invalid={problem !== undefined && problem !== ""}
        aria-describedby={`${area}-problem`}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
        }}
      />
    </div>
  );
}
