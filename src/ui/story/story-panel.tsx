import { type JSX, lazy, Suspense, useState } from "react";
import { CHAPTERS, chapterText } from "../../content/chapters.ts";
import { chapterAt } from "../../timeline/chapter.ts";
import { useTimeline } from "../../timeline/store.ts";
import { useChapter } from "../../timeline/use-chapter.ts";
import { FIRST_TURNING_POINT } from "../../trace/turning-points.ts";
import { ChapterList, ChapterView, TurningPointList, TurningPointView, Whereabouts } from "./chapter-view.tsx";
import { useStoryRequest } from "./request.ts";
import styles from "./story.module.css";

// The tables beside the chapters come when they are asked for.
const CompareView = lazy(() => import("./compare-view.tsx").then(({ CompareView: view }) => ({ default: view })));
const CriticalPathView = lazy(() => import("./critical-path-view.tsx").then(({ CriticalPathView: view }) => ({ default: view })));
const MisconceptionsView = lazy(() => import("./misconceptions-view.tsx").then(({ MisconceptionsView: view }) => ({ default: view })));
const TimelineTable = lazy(() => import("./timeline-table.tsx").then(({ TimelineTable: view }) => ({ default: view })));
const TroubleshootingView = lazy(() => import("./troubleshooting-view.tsx").then(({ TroubleshootingView: view }) => ({ default: view })));

const PAGES = [
  { id: "chapters", title: "Chapters", heading: "" },
  { id: "path", title: "Critical path", heading: "Critical path" },
  { id: "compare", title: "Compare", heading: "Two futures" },
  { id: "timeline", title: "Timings", heading: "Millisecond timeline" },
  { id: "misconceptions", title: "Misconceptions", heading: "Misconceptions" },
  { id: "troubleshooting", title: "Symptoms", heading: "Troubleshooting" },
] as const;
type Page = (typeof PAGES)[number]["id"];

/** The chapter that is shown: what the reader chose holds until the story enters another one. */
function useShown(): { readonly shown: number; readonly current: number; readonly choose: (number: number) => void } {
  const ranges = useTimeline((state) => state.chapters);
  const seekChapter = useTimeline((state) => state.seekChapter);
  const current = useChapter();
  const [chosen, setChosen] = useState<{ readonly number: number; readonly during: number }>();
  return {
    shown: chosen?.during === current ? chosen.number : current,
    current,
    choose(number) {
      const from = ranges.find((one) => one.number === number)?.from;
      setChosen({ number, during: from === undefined ? current : chapterAt(ranges, from) });
      if (from !== undefined) seekChapter(number);
    },
  };
}

/** What the manifest of a sample says of itself: what there is to watch. */
function Introduction(): JSX.Element | null {
  const text = useTimeline(({ manifest, catalogue, sample }) => (catalogue?.samples.some(({ id, text: own }) => id === sample && own === manifest.applied) ? manifest.applied : ""));
  const words = /^(?:#.*\n)+/.exec(text)?.[0].replaceAll(/^# ?/gm, "").trim() ?? "";
  return words === "" ? null : <p className={styles.intro}>{words}</p>;
}

/** Region "Story": the life of a Pod in fifteen chapters, told along the run at hand, and the tables that go with it. */
export function StoryPanel(): JSX.Element {
  const request = useStoryRequest();
  // What the reader chose holds until somebody asks for another page.
  const [chosen, setChosen] = useState<{ readonly page: Page; readonly during: number }>({ page: "chapters", during: 0 });
  const asked = PAGES.find(({ id }) => id === request.page)?.id;
  const page = chosen.during === request.count ? chosen.page : (asked ?? chosen.page);
  const setPage = (next: Page): void => setChosen({ page: next, during: request.count });
  const ranges = useTimeline((state) => state.chapters);
  const { shown, current, choose } = useShown();
  const heading = PAGES.find((one) => one.id === page)?.heading ?? "";
  const chapter = chapterText(shown);
  const range = ranges.find((one) => one.number === shown);
  const turns = ranges.filter(({ number }) => number >= FIRST_TURNING_POINT);
  return (
    <section aria-label="Story" className={styles.panel}>
      <div className={styles.head}>
        <h2 className="panel-title">Story</h2>
        {page === "chapters" && <Whereabouts number={shown} of={chapter ? CHAPTERS.length : undefined} range={range} />}
      </div>
      <div className={styles.pages}>
        {PAGES.map(({ id, title }) => (
          <button key={id} type="button" aria-pressed={page === id} onClick={() => setPage(id)}>
            {title}
          </button>
        ))}
      </div>
      <div className={styles.body}>
        {heading !== "" && <h3 className={styles.heading}>{heading}</h3>}
        {page === "chapters" && (
          <>
            <Introduction />
            {chapter ? <ChapterView key={chapter.number} chapter={chapter} range={range} /> : range && <TurningPointView key={range.number} range={range} />}
            {turns.length > 0 && (
              <>
                <h3 className={styles.listTitle}>Turning points after the first start</h3>
                <TurningPointList ranges={turns} current={current} shown={shown} onChoose={choose} />
              </>
            )}
            <h3 className={styles.listTitle}>All chapters</h3>
            <ChapterList ranges={ranges} current={current} shown={shown} onChoose={choose} />
          </>
        )}
        <Suspense fallback={<p>Loading…</p>}>
          {page === "path" && <CriticalPathView />}
          {page === "compare" && <CompareView />}
          {page === "timeline" && <TimelineTable />}
          {page === "misconceptions" && <MisconceptionsView />}
          {page === "troubleshooting" && <TroubleshootingView />}
        </Suspense>
      </div>
    </section>
  );
}
