import { type JSX, useId, useState } from "react";
import { BREAKPOINT_EXAMPLES } from "../../trace/breakpoint.ts";
import { clockTime } from "../../timeline/format.ts";
import { playhead } from "../../timeline/playhead.ts";
import { nextHit, type Stop } from "../../timeline/stops.ts";
import { useTimeline } from "../../timeline/store.ts";
import { Icon } from "../widgets/icons.tsx";
import styles from "./stops.module.css";

const KINDS: readonly (readonly [example: string, meaning: string])[] = [
  ["event FailedScheduling", "an Event with this reason; “on Pod/web” narrows it"],
  ["pod restarts = 3", "containers of any Pod have been restarted three times"],
  ["pod/nginx Ready = False", "a condition of one object comes to a value"],
  ["deployment/web spec.replicas >= 3", "any field, by its path; = != >= <="],
  ["revision 1100", "etcd gives out this revision"],
  ["http 429", "an answer with this status arrives"],
  ["kubelet -> kube-apiserver PATCH", "a message is sent; * is anybody"],
  ["kube-scheduler says preempts", "a component's step has these words"],
];

function StopRow({ stop, hits, next, index }: { readonly stop: Stop; readonly hits: number; readonly next: number | undefined; readonly index: number }): JSX.Element {
  const { toggleStop, removeStop, seek } = useTimeline.getState();
  return (
    <li>
      <label>
        <input type="checkbox" checked={stop.on} onChange={() => void toggleStop(stop.text)} />
        <code>{stop.text}</code>
      </label>
      <span className={styles["found"]}>
        {!stop.on ? "off" : hits === 0 ? "not in this run so far" : next === undefined ? `${hits}×, none after the playhead` : `${hits}×, next at ${clockTime(next)}`}
      </span>
      <button type="button" className="button button-quiet" disabled={next === undefined} onClick={() => seek(next ?? 0)} aria-label={`Go to the next ${stop.text}`}>
        Go
      </button>
      <button type="button" className="button button-quiet" onClick={() => void removeStop(stop.text)} aria-label={`Remove breakpoint ${index + 1}: ${stop.text}`}>
        <Icon name="close" />
      </button>
    </li>
  );
}

/** The breakpoints of the page: typed here, or set in the inspector; each with where it holds next. */
export function StopsDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const stops = useTimeline((state) => state.stops);
  const hits = useTimeline((state) => state.stopHits);
  const { addStop, runToStop } = useTimeline.getState();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const [looking, setLooking] = useState(false);
  const list = useId();
  const hint = useId();
  const add = async (typed: string): Promise<void> => {
    const refused = await addStop(typed);
    setProblem(refused);
    if (refused === undefined) setText("");
  };
  const run = async (): Promise<void> => {
    setLooking(true);
    await runToStop();
    setLooking(false);
    if (useTimeline.getState().stopped) onClose();
  };
  return (
    <div className={styles["dialog"]}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add(text);
        }}
      >
        <input type="text" className="field" aria-label="Condition" aria-describedby={hint} aria-invalid={problem !== undefined} list={list} placeholder={BREAKPOINT_EXAMPLES[0]} value={text} spellCheck={false} autoCapitalize="off" onChange={(event) => setText(event.target.value)} />
        <datalist id={list}>
          {BREAKPOINT_EXAMPLES.map((example) => (
            <option key={example} value={example}>
              {example}
            </option>
          ))}
        </datalist>
        <button type="submit" className="button" disabled={text.trim() === ""}>
          Set
        </button>
      </form>
      <output id={hint} className={problem === undefined ? styles["hint"] : styles["problem"]}>
        {problem ?? "Playing stops at the moment when a condition begins to hold."}
      </output>
      {stops.length > 0 && (
        <>
          <ol className={styles["stops"]} aria-label="Breakpoints">
            {stops.map((stop, index) => {
              const own = hits.filter((hit) => hit.text === stop.text);
              return <StopRow key={stop.text} index={index} stop={stop} hits={own.length} next={nextHit(own, playhead.get())?.at} />;
            })}
          </ol>
          <button type="button" className="button button-primary" disabled={looking || !stops.some(({ on }) => on)} onClick={() => void run()}>
            {looking ? "Simulating on…" : "Run to the next"}
          </button>
        </>
      )}
      <h3>What can be a condition</h3>
      <dl className={styles["kinds"]}>
        {KINDS.map(([example, meaning]) => (
          <div key={example}>
            <dt>
              <button type="button" className="button button-quiet" onClick={() => setText(example)}>
                <code>{example}</code>
              </button>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
