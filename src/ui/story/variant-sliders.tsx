import { type JSX, useEffect, useRef, useState } from "react";
import { session, useTimeline } from "../../timeline/store.ts";
import { timesText } from "../../timeline/variants.ts";
import type { SlowdownId } from "../../worker/protocol.ts";
import styles from "./critical-path.module.css";

const PERCENTS = [5, 10, 20, 50, 100, 200, 500, 1000, 2000] as const;
const USUAL = PERCENTS.indexOf(100);
const PERIODS = [1, 2, 5, 10, 20, 30] as const;

interface SliderProps {
  readonly label: string;
  readonly values: readonly number[];
  readonly value: number;
  readonly say: (value: number) => string;
  readonly onCommit: (value: number) => void;
}

/** Milliseconds without a move after which a slider is taken to have been let go: keys come one by one. */
const LET_GO = 350;

/** A slider of a few values: it says what it means, and acts when it is let go. */
function Slider({ label, values, value, say, onCommit }: SliderProps): JSX.Element {
  const [moved, move] = useState<{ readonly to: number; readonly from: number }>();
  // Where it was put holds until the run says so too.
  const at = moved !== undefined && moved.from === value ? moved.to : nearest(values, value);
  const commit = useRef(onCommit);
  useEffect(() => {
    commit.current = onCommit;
  });
  useEffect(() => {
    if (moved === undefined || values[moved.to] === value || moved.from !== value) return;
    const timer = setTimeout(() => commit.current(values[moved.to] ?? value), LET_GO);
    return () => clearTimeout(timer);
  }, [moved, value, values]);
  const text = say(values[at] ?? value);
  return (
    <label className={styles.slider}>
      <span>{label}</span>
      <input type="range" min={0} max={values.length - 1} step={1} value={at} aria-valuetext={text} onChange={(event) => move({ to: Number(event.target.value), from: value })} />
      <span className={styles.says}>{text}</span>
    </label>
  );
}

const nearest = (values: readonly number[], value: number): number => values.reduce((best, one, i) => (Math.abs(one - value) < Math.abs((values[best] ?? 0) - value) ? i : best), 0);

/** How often the manifest of the run has its Pods probed, as the worker reads it. */
function useProbePeriod(): number | undefined {
  const text = useTimeline(({ run }) => Object.values(run?.recipe.inputs.find((input) => input.type === "command")?.files ?? {})[0] ?? "");
  const [known, know] = useState<{ readonly text: string; readonly seconds: number | undefined }>();
  useEffect(() => {
    let live = true;
    void session.call({ type: "probe-period", text }).then(
      ({ seconds }) => live && know({ text, seconds }),
      () => undefined,
    );
    return () => {
      live = false;
    };
  }, [text]);
  return known?.text === text ? known.seconds : undefined;
}

/** What can be made slower or faster: each change plays the same story again, beside the one at hand. */
export function VariantSliders(): JSX.Element {
  const slowdowns = useTimeline((state) => state.catalogue?.slowdowns ?? []);
  const run = useTimeline((state) => state.run);
  const tryVariant = useTimeline((state) => state.tryVariant);
  const period = useProbePeriod();
  const isVariant = run?.parent !== undefined && run.forkAt === undefined;
  const set: Partial<Record<SlowdownId, number>> = run?.recipe.slowdowns ?? {};
  const change = (what: Partial<Record<SlowdownId, number>>, probePeriod = isVariant ? period : undefined): void => void tryVariant({ slowdowns: { ...set, ...what }, ...(probePeriod === undefined ? {} : { probePeriod }) });
  return (
    <fieldset className={styles.sliders}>
      <legend>What if it were slower, or faster?</legend>
      {slowdowns.map(({ id, title }) => (
        <Slider key={id} label={title} values={PERCENTS} value={set[id] ?? PERCENTS[USUAL] ?? 100} say={(value) => timesText(value) || "as usual"} onCommit={(value) => change({ [id]: value })} />
      ))}
      {period !== undefined && <Slider label="Readiness and startup probes" values={PERIODS} value={period} say={(value) => `every ${value} s`} onCommit={(value) => change({}, value)} />}
      {isVariant && (
        <button type="button" className="button" onClick={() => void tryVariant({ slowdowns: {} })}>
          As it was
        </button>
      )}
    </fieldset>
  );
}
