import { type JSX, useState } from "react";
import { chapterText } from "../../content/chapters.ts";
import { useTimeline } from "../../timeline/store.ts";
import { chapterAt, ChapterList, ChapterView } from "./chapter-view.tsx";
import { MisconceptionsView } from "./misconceptions-view.tsx";
import styles from "./story.module.css";
import { TimelineTable } from "./timeline-table.tsx";
import { TroubleshootingView } from "./troubleshooting-view.tsx";

const PAGES = [
  { id: "chapters", title: "Chapters", heading: "" },
  { id: "timeline", title: "Timings", heading: "Millisecond timeline" },
  { id: "misconceptions", title: "Misconceptions", heading: "Misconceptions" },
  { id: "troubleshooting", title: "Diagnose", heading: "Troubleshooting" },
] as const;
type Page = (typeof PAGES)[number]["id"];

function Chapters(): JSX.Element {
  const ranges = useTimeline((state) => state.chapters);
  const now = useTimeline((state) => state.now);
  const seekChapter = useTimeline((state) => state.seekChapter);
  const current = chapterAt(ranges, now);
  // What the reader chose holds until the playhead enters another chapter.
  const [chosen, setChosen] = useState<{ readonly number: number; readonly during: number }>();
  const shown = chosen?.during === current ? chosen.number : current;
  const chapter = chapterText(shown);
  const choose = (number: number): void => {
    const range = ranges.find((one) => one.number === number);
    setChosen({ number, during: range?.from === undefined ? current : chapterAt(ranges, range.from) });
    if (range?.from !== undefined) seekChapter(number);
  };
  return (
    <>
      {chapter && <ChapterView key={chapter.number} chapter={chapter} range={ranges.find((one) => one.number === shown)} />}
      <h3 className={styles.listTitle}>All chapters</h3>
      <ChapterList ranges={ranges} current={current} shown={shown} onChoose={choose} />
    </>
  );
}

/** Region "Story": the life of a Pod in fifteen chapters, told along the run at hand, and the tables that go with it. */
export function StoryPanel(): JSX.Element {
  const [page, setPage] = useState<Page>("chapters");
  const heading = PAGES.find((one) => one.id === page)?.heading ?? "";
  return (
    <section aria-label="Story" className={styles.panel}>
      <h2 className="panel-title">Story</h2>
      <div className={styles.pages}>
        {PAGES.map(({ id, title }) => (
          <button key={id} type="button" aria-pressed={page === id} onClick={() => setPage(id)}>
            {title}
          </button>
        ))}
      </div>
      {heading !== "" && <h3 className={styles.heading}>{heading}</h3>}
      {page === "chapters" && <Chapters />}
      {page === "timeline" && <TimelineTable />}
      {page === "misconceptions" && <MisconceptionsView />}
      {page === "troubleshooting" && <TroubleshootingView />}
    </section>
  );
}
