import { type JSX, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { AXES, type AxisKind } from "../../timeline/axis.ts";
import { clockTime, parseTime } from "../../timeline/format.ts";
import { addPainter } from "../../timeline/frames.ts";
import { playhead } from "../../timeline/playhead.ts";
import { useTimeline } from "../../timeline/store.ts";
import { Icon, type IconName } from "../widgets/icons.tsx";
import { RadioGroup } from "../widgets/radio-group.tsx";
import { BookmarksButton, StopsButton } from "./stops-button.tsx";
import styles from "./transport.module.css";

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const AXIS_LABELS: Readonly<Record<AxisKind, string>> = { story: "Story", true: "True", steps: "Steps" };
const AXIS_HINTS: Readonly<Record<AxisKind, string>> = { story: "Short gaps wide, long gaps narrow: every step can be seen", true: "Real proportions of time", steps: "Every step as wide as the next" };

/** Play, step, speed, axis, and the fields to go to a time or a step without dragging. */
export function Transport({ phone = false }: { readonly phone?: boolean }): JSX.Element {
  const playing = useTimeline((state) => state.playing);
  const actions = useTimeline.getState();
  const speed = useTimeline((state) => state.speed);
  const axis = useTimeline((state) => state.axis);
  const steps = useTimeline((state) => state.steps.length);
  return (
    <div className={styles["transport"]} data-phone={phone ? "" : undefined}>
      <div className={styles["buttons"]}>
        <TransportButton icon="first" name="First step" onClick={actions.first} />
        <TransportButton icon="previous-chapter" name="Previous chapter" onClick={actions.previousChapter} />
        <TransportButton icon="previous" name="Previous step" onClick={actions.previous} />
        <button type="button" className={`button button-primary ${styles["play"]}`} onClick={actions.toggle}>
          <Icon name={playing ? "pause" : "play"} />
          {playing ? "Pause" : "Play"}
        </button>
        <TransportButton icon="next" name="Next step" onClick={actions.next} />
        <TransportButton icon="next-chapter" name="Next chapter" onClick={actions.nextChapter} />
        <TransportButton icon="last" name="Last step" onClick={actions.last} />
      </div>
      <div className={styles["options"]}>
        {!phone && (
          <div className={styles["buttons"]}>
            <StopsButton />
            <BookmarksButton />
          </div>
        )}
        <select className={`field ${styles["speed"]}`} aria-label="Speed" title="Speed" value={speed} onChange={(event) => actions.setSpeed(Number(event.target.value))}>
          {SPEEDS.map((value) => (
            <option key={value} value={value}>
              {value}×
            </option>
          ))}
        </select>
        <RadioGroup label="Axis" value={axis} onChange={actions.setAxis} options={AXES.map((value) => ({ value, label: AXIS_LABELS[value], hint: AXIS_HINTS[value] }))} />
        <div className={styles["fields"]}>
          <TimeField />
          <StepField />
          <span className={`tabular ${styles["of"]}`}>/ {steps}</span>
        </div>
        {!phone && <Gear />}
      </div>
    </div>
  );
}

function TransportButton({ icon, name, onClick }: { readonly icon: IconName; readonly name: string; readonly onClick: () => void }): JSX.Element {
  return (
    <button type="button" className="button" aria-label={name} title={name} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

/** The clock, to the microsecond; typing in it goes there ("2.114388 s", "50ms", "+1s"). */
function TimeField(): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const editing = useRef(false);
  const [bad, setBad] = useState(false);
  const seek = useTimeline((state) => state.seek);
  useEffect(
    () =>
      addPainter((t) => {
        if (field.current && !editing.current) field.current.value = clockTime(t);
      }),
    [],
  );
  const commit = (): void => {
    const t = parseTime(field.current?.value ?? "", playhead.get());
    setBad(t === undefined);
    if (t !== undefined) seek(t);
  };
  return (
    <input
      ref={field}
      type="text"
      aria-label="Time"
      aria-invalid={bad}
      className={`field tabular ${styles["time"]}`}
      defaultValue={clockTime(0)}
      spellCheck={false}
      onFocus={(event) => {
        event.currentTarget.select();
      }}
      onChange={() => {
        editing.current = true;
      }}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === "Enter") {
          editing.current = false;
          commit();
          event.currentTarget.value = clockTime(playhead.get());
        } else if (event.key === "Escape") {
          editing.current = false;
          setBad(false);
          event.currentTarget.value = clockTime(playhead.get());
        }
      }}
      onBlur={(event) => {
        if (editing.current) commit();
        editing.current = false;
        event.currentTarget.value = clockTime(playhead.get());
      }}
    />
  );
}

function StepField(): JSX.Element {
  const stepIndex = useTimeline((state) => state.stepIndex);
  const count = useTimeline((state) => state.steps.length);
  const seekStep = useTimeline((state) => state.seekStep);
  const [text, setText] = useState<string>();
  const commit = (): void => {
    const step = Number(text);
    if (text !== undefined && Number.isInteger(step) && step >= 1) seekStep(Math.min(count, step) - 1);
    setText(undefined);
  };
  return (
    <input
      type="text"
      inputMode="numeric"
      aria-label="Step"
      className={`field tabular ${styles["step"]}`}
      value={text ?? String(stepIndex + 1)}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
        else if (event.key === "Escape") setText(undefined);
      }}
      onBlur={commit}
    />
  );
}

/** How fast simulated time goes by here: the axis warps it, and says so. */
function Gear(): JSX.Element {
  const output = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      addPainter((t) => {
        const { scale, speed } = useTimeline.getState();
        if (!output.current) return;
        const x = scale.toX(t);
        const perSecond = scale.kind === "true" ? 1 : scale.kind === "story" ? 1 / 0.3 : 1 / 0.6;
        const ahead = Math.max(0, scale.toT(Math.min(scale.length, x + perSecond * speed)) - t);
        output.current.textContent = `1 s here ≈ ${gear(ahead)}`;
      }),
    [],
  );
  return <span ref={output} className={`tabular ${styles["gear"]}`} title="What one second of playing covers from here" />;
}

function gear(micros: number): string {
  if (micros < 1000) return `${Math.round(micros)} µs`;
  return micros < 1e6 ? `${(micros / 1000).toFixed(1)} ms` : `${(micros / 1e6).toFixed(1)} s`;
}
