import type { CSSProperties, JSX } from "react";
import { sourceUrl } from "../../content/components.ts";
import { WAIT_TEXTS } from "../../content/waits.ts";
import { client } from "../../timeline/client.ts";
import { captionTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import type { Selection } from "../../timeline/types.ts";
import type { WaitView } from "../../worker/protocol.ts";
import { StopButton } from "./stop-button.tsx";
import { useAsked } from "./use-asked.ts";
import { leftText, rungText } from "./wait-words.ts";
import styles from "./waits.module.css";

/** Longer ladders are cut to what lies around the rung in force. */
const MOST_RUNGS = 9;

const subjectOf = ({ part, name }: WaitView): string => (part === "" ? name : `${name}, ${part}`);

/** The rungs as stairs; the one in force is marked by a word, a heavier line and its fill. */
function Ladder({ wait }: { readonly wait: WaitView }): JSX.Element | null {
  const { ladder, rung } = wait;
  if (ladder.length === 0) return null;
  const all = ladder.map((value, i) => ({ value, i }));
  const from = Math.max(0, Math.min(ladder.length - MOST_RUNGS, (rung ?? 0) - 3));
  const shown = all.slice(from, from + MOST_RUNGS);
  return (
    <>
      <ol className={styles.ladder} aria-label={`Ladder of ${ladder.length} rungs`} style={{ "--rungs": shown.length } as CSSProperties}>
        {shown.map(({ value, i }, place) => (
          <li key={value} aria-current={i === rung ? "step" : undefined} data-passed={rung !== undefined && i < rung ? "" : undefined} style={{ "--height": (place + 1) / shown.length } as CSSProperties}>
            <span className={styles.stair} aria-hidden="true" />
            <span className={styles.rung}>
              <span aria-hidden="true">{i === rung ? "▸ " : ""}</span>
              {rungText(value)}
              {i === rung && <span className={styles.srOnly}>, in force</span>}
              {rung !== undefined && i < rung && <span className={styles.srOnly}>, passed</span>}
            </span>
          </li>
        ))}
      </ol>
      <p className={styles.dim}>
        {rung === undefined ? `${ladder.length} rungs; this wait is between them.` : `Rung ${rung + 1} of ${ladder.length}.`}
        {rung !== undefined && rung + 1 < ladder.length && ` Next time ${rungText(ladder[rung + 1] ?? 0)}.`}
        {rung === ladder.length - 1 && " It grows no further."}
      </p>
    </>
  );
}

/** Since, until and left: a bar, and the same in words. */
function Span({ wait, now }: { readonly wait: WaitView; readonly now: number }): JSX.Element {
  const { since, until, openBecause } = wait;
  if (until === undefined) {
    return (
      <p>
        {since === undefined ? "" : `Since ${captionTime(since)}. `}
        <strong>No end is set</strong>: {openBecause}.
      </p>
    );
  }
  const left = Math.max(0, until - now);
  const begun = since ?? now;
  const share = until > begun ? Math.min(1, Math.max(0, (now - begun) / (until - begun))) : 1;
  return (
    <>
      {since !== undefined && (
        <progress className={styles.bar} aria-label={`${WAIT_TEXTS[wait.kind].title}: time passed`} value={share} aria-valuetext={`${leftText(left)} left of ${rungText(until - since)}`} />
      )}
      <p className={styles.times}>
        <strong>{leftText(left)} left</strong>
        <span>
          {since === undefined ? "" : `${captionTime(since)} to `}
          {since === undefined ? `until ${captionTime(until)}` : captionTime(until)}
        </span>
      </p>
    </>
  );
}

function Count({ count }: { readonly count: NonNullable<WaitView["count"]> }): JSX.Element {
  const { at, of, what } = count;
  return (
    <p className={styles.count}>
      <span aria-hidden="true">{of <= 12 && Array.from({ length: of }, (_, i) => <i key={i} data-on={i < at ? "" : undefined} />)}</span>
      {at < of ? `${at} of ${of} ${what}` : `${at} ${what}; ${of} ${of === 1 ? "is" : "are"} enough`}
    </p>
  );
}

function Actions({ wait }: { readonly wait: WaitView }): JSX.Element {
  const seek = useTimeline((state) => state.seek);
  const { until, effect, kind } = wait;
  const { stop } = WAIT_TEXTS[kind];
  return (
    <p className={styles.actions}>
      {until !== undefined && (
        <button type="button" className={styles.small} onClick={() => seek(until)}>
          Go to the end of the wait
        </button>
      )}
      {effect && effect.at !== until && (
        <button type="button" className={styles.small} title={effect.what} onClick={() => seek(effect.at)}>
          Go to {captionTime(effect.at)}
        </button>
      )}
      {stop && <StopButton className={styles.small} label={`Stop when ${stop(wait)}`} condition={stop(wait)} />}
    </p>
  );
}

/** "at 47.465 s, 4.9 s after the end, ..." */
function effectText({ until, effect }: WaitView): string {
  if (!effect) return "";
  const apart = until === undefined ? 0 : effect.at - until;
  return `At ${captionTime(effect.at)}${apart === 0 || until === undefined ? "" : `, ${leftText(Math.abs(apart))} ${apart > 0 ? "after" : "before"} its end,`} ${effect.what}.`;
}

function Wait({ wait, now, open }: { readonly wait: WaitView; readonly now: number; readonly open: boolean }): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  const { title, rule, resets, source } = WAIT_TEXTS[wait.kind];
  const target: Selection = wait.about.startsWith("/") ? { kind: "object", key: wait.about } : { kind: "component", id: wait.about };
  return (
    <details className={styles.wait} open={open}>
      <summary>
        <strong>{title}</strong> <span className={styles.subject}>{subjectOf(wait)}</span> <span className={styles.left}>{wait.until === undefined ? "no end set" : `${leftText(wait.until - now)} left`}</span>
      </summary>
      <Span wait={wait} now={now} />
      <Ladder wait={wait} />
      {wait.count && <Count count={wait.count} />}
      {wait.effect && <p>{effectText(wait)}</p>}
      <Actions wait={wait} />
      <dl className={styles.facts}>
        <dt>Of</dt>
        <dd>
          <button type="button" className={styles.link} onClick={() => pin(target)}>
            {wait.name}
          </button>
        </dd>
        <dt>Kept by</dt>
        <dd>
          <button type="button" className={styles.link} onClick={() => pin({ kind: "component", id: wait.component })}>
            {wait.component}
          </button>
        </dd>
        {wait.facts
          .filter(([, value]) => value !== "")
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        <dt>Ended early by</dt>
        <dd>{resets}</dd>
      </dl>
      <p className={styles.rule}>
        {rule}{" "}
        <a href={sourceUrl(source)} target="_blank" rel="noreferrer">
          Source
        </a>
      </p>
    </details>
  );
}

interface Props {
  readonly now: number;
  /** Whose waits: an object's key or a component's id. Absent: all. */
  readonly of?: string;
}

const concerns = (wait: WaitView, of: string): boolean => wait.about === of || wait.component === of;

/** From here on a wait is opened by itself. */
const WEIGHTY = 10;

/** What waits at a time, until when, and on which ladder: of one thing, or everything. */
export function WaitsView({ now, of }: Props): JSX.Element {
  const run = useTimeline((state) => state.run?.id ?? "");
  const known = useTimeline((state) => state.run !== undefined && state.run.until >= now);
  const asked = useAsked(`${run}/${now}/${known}`, () => client.waits(now));
  if (asked.problem !== undefined) return <p className={styles.bad}>{asked.problem}</p>;
  if (asked.waiting || !known) return <p className={styles.dim}>Looking…</p>;
  const waits = (asked.value ?? []).filter((wait) => of === undefined || concerns(wait, of));
  if (waits.length === 0) return <p className={styles.dim}>Nothing of it waits for a time at this moment.</p>;
  return (
    <ul className={styles.list} aria-label="Waits">
      {waits.map((wait, i) => (
        <li key={`${wait.kind}/${wait.component}/${wait.about}/${wait.part}`}>
          <Wait wait={wait} now={now} open={i === 0 && (of !== undefined || wait.weight >= WEIGHTY)} />
        </li>
      ))}
    </ul>
  );
}
