import type { JSX } from "react";
import { type Chapter, CHAPTERS, chapterText } from "../../content/chapters.ts";
import { componentText } from "../../content/components.ts";
import { chapterMark, chapterName } from "../../timeline/chapter.ts";
import { captionTime, shortTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import type { ChapterRange } from "../../trace/chapters.ts";
import { breakIt, ShowButton, Source } from "./links.tsx";
import { firstPod } from "./ms-timeline.ts";
import { Prose } from "./prose.tsx";
import styles from "./story.module.css";

/** All that happens after a start is reconciliation. */
const AROUND = 15;

interface ListProps {
  readonly ranges: readonly ChapterRange[];
  readonly current: number;
  readonly shown: number;
  readonly onChoose: (number: number) => void;
}

/** All fifteen, reached or not: where the reader is, and the way to any other. */
export function ChapterList({ ranges, current, shown, onChoose }: ListProps): JSX.Element {
  return (
    <ol className={styles.chapters}>
      {CHAPTERS.map((chapter) => {
        const range = ranges.find((one) => one.number === chapter.number);
        const reached = range?.from !== undefined;
        return (
          <li key={chapter.number}>
            <button type="button" data-shown={chapter.number === shown || undefined} data-reached={reached} aria-current={chapter.number === current ? "step" : undefined} title={reached ? chapter.title : `${chapter.title}: ${range?.missing ?? "not reached in this run"}`} onClick={() => onChoose(chapter.number)}>
              <span className={styles.number}>{chapter.number}</span>
              <span className={styles.chapterTitle}>{chapter.title}</span>
              {!reached && <span className={styles.dim}>not reached</span>}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** What happened after the first Pod's start, by letter. */
export function TurningPointList({ ranges, current, shown, onChoose }: ListProps): JSX.Element {
  return (
    <ol className={styles.chapters}>
      {ranges.map(({ number, from = 0, title = "" }) => (
        <li key={number}>
          <button type="button" data-shown={number === shown || undefined} data-reached aria-current={number === current ? "step" : undefined} title={title} onClick={() => onChoose(number)}>
            <span className={styles.number}>{chapterMark(number)}</span>
            <span className={styles.chapterTitle}>{title}</span>
            <span className={styles.dim}>{shortTime(from)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** A component to look at; for one that runs on every node, the one on the Pod's node. */
function useComponentOf(chapter: Chapter): string | undefined {
  return useTimeline((state) => {
    if (!chapter.component.endsWith("@")) return chapter.component;
    const key = state.index && firstPod(state.index);
    const pod = key && state.index?.versionsOf(key).findLast((version) => version.revision.object !== undefined)?.revision.object;
    const node = (pod as { spec?: { nodeName?: string } } | undefined)?.spec?.nodeName;
    return node === undefined ? undefined : `${chapter.component}${node}`;
  });
}

function Faults({ chapter }: { readonly chapter: Chapter }): JSX.Element | null {
  const catalogue = useTimeline((state) => state.catalogue);
  const faults = chapter.faults.flatMap((id) => catalogue?.faults.find((fault) => fault.id === id) ?? []);
  if (faults.length === 0) return null;
  return (
    <>
      <h4>What can fail here</h4>
      <ul className={styles.faults}>
        {faults.map((fault) => (
          <li key={fault.id}>
            <button type="button" className="button" title={fault.symptom} onClick={() => breakIt(fault.id)}>
              {fault.title}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

interface Props {
  readonly chapter: Chapter;
  readonly range: ChapterRange | undefined;
}

/** "Chapter 6 of 15, from 0.100 s for 1.2 ms"; "Turning point c, ...". */
export function Whereabouts({ number, of, range }: { readonly number: number; readonly of: number | undefined; readonly range: ChapterRange | undefined }): JSX.Element {
  const { from, to } = range ?? {};
  return (
    <p className={styles.where}>
      {chapterName(number)}
      {of !== undefined && ` of ${of}`}
      {from !== undefined && (
        <>
          , from {captionTime(from)}
          {to !== undefined && <> for {shortTime(to - from)}</>}
        </>
      )}
    </p>
  );
}

/** A turn of the story: what the trace says of it, and the chapter that it belongs to. */
export function TurningPointView({ range }: { readonly range: ChapterRange }): JSX.Element {
  const index = useTimeline((state) => state.index);
  const pin = useTimeline((state) => state.pin);
  const playRange = useTimeline((state) => state.playRange);
  const note = index && range.note !== undefined && range.note < index.trace.noteCount ? index.trace.note(range.note) : undefined;
  const { from = 0, to = from } = range;
  const around = chapterText(AROUND);
  const { component } = note ?? {};
  return (
    <article className={styles.chapter}>
      <h3>{range.title}</h3>
      {note && note.why !== "" && <p>{note.why[0]?.toUpperCase()}{note.why.slice(1)}.</p>}
      <div className={styles.actions}>
        <button type="button" className="button button-primary" onClick={() => playRange(from, to)}>
          Show me
        </button>
        {component !== undefined && component !== "world" && (
          <button type="button" className="button" title={componentText(component)?.what} onClick={() => pin({ kind: "component", id: component })}>
            Look inside {component}
          </button>
        )}
      </div>
      {around && (
        <details className={styles.details}>
          <summary>
            Chapter {AROUND}: {around.title}
          </summary>
          <Prose text={around.text} />
          <Prose text={around.more} />
        </details>
      )}
    </article>
  );
}

export function ChapterView({ chapter, range }: Props): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  const playRange = useTimeline((state) => state.playRange);
  const component = useComponentOf(chapter);
  const { from, to } = range ?? {};
  return (
    <article className={styles.chapter}>
      <h3>{chapter.title}</h3>
      {from === undefined && <p className={styles.missing}>This run does not get here: {range?.missing ?? "nothing of it has happened yet."}</p>}
      <Prose text={chapter.text} />
      <div className={styles.actions}>
        {from !== undefined && (
          <button type="button" className="button button-primary" onClick={() => playRange(from, to ?? from)}>
            Show me
          </button>
        )}
        {component !== undefined && (
          <button type="button" className="button" title={componentText(component)?.what} onClick={() => pin({ kind: "component", id: component })}>
            Look inside {component}
          </button>
        )}
        {chapter.show && <ShowButton label={chapter.show.label} evidence={[chapter.show.evidence]} />}
      </div>
      <details className={styles.details}>
        <summary>More, for those who know Kubernetes</summary>
        <Prose text={chapter.more} />
        <Source path={chapter.source} />
      </details>
      <h4>You may have read</h4>
      <dl className={styles.corrections}>
        {chapter.corrections.map((correction) => (
          <div key={correction.read}>
            <dt>“{correction.read}”</dt>
            <dd>
              {correction.truth} <Source path={correction.source} />
            </dd>
          </div>
        ))}
      </dl>
      <Faults chapter={chapter} />
    </article>
  );
}
