import { type FormEvent, type JSX, useState } from "react";
import type { Bookmark } from "../../timeline/bookmarks.ts";
import { captionTime, clockTime, parseTime } from "../../timeline/format.ts";
import { playhead } from "../../timeline/playhead.ts";
import { useTimeline } from "../../timeline/store.ts";
import { Icon } from "../widgets/icons.tsx";
import styles from "./stops.module.css";

function BookmarkRow({ bookmark: { at, name }, number, onGo }: { readonly bookmark: Bookmark; readonly number: number; readonly onGo: () => void }): JSX.Element {
  const { nameBookmark, toggleBookmark, seek } = useTimeline.getState();
  return (
    <li>
      <button
        type="button"
        className="button button-quiet tabular"
        aria-label={`Go to bookmark ${number}, ${clockTime(at)}`}
        onClick={() => {
          seek(at);
          onGo();
        }}
      >
        {captionTime(at)}
      </button>
      <input type="text" className="field" aria-label={`Name of bookmark ${number}`} value={name} maxLength={60} onChange={(event) => nameBookmark(at, event.target.value)} />
      <button type="button" className="button button-quiet" aria-label={`Remove bookmark ${number}`} onClick={() => toggleBookmark(at)}>
        <Icon name="close" />
      </button>
    </li>
  );
}

/** The loop as two times that can be typed: what a drag over the lanes with Shift does. */
function LoopForm(): JSX.Element {
  const loop = useTimeline((state) => state.loop);
  const { setLoop, loopHere } = useTimeline.getState();
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const [from, to] = ["from", "to"].map((name) => parseTime(String(data.get(name) ?? ""), playhead.get()));
    const bad = from === undefined || to === undefined ? "A time is written like 2.114 s or 50ms" : to <= from ? "The end must come after the beginning" : undefined;
    setProblem(bad);
    if (from !== undefined && to !== undefined && bad === undefined) setLoop({ from, to });
  };
  return (
    <form key={loop ? `${loop.from}-${loop.to}` : ""} onSubmit={submit}>
      <input type="text" name="from" className="field tabular" aria-label="Loop from" aria-invalid={problem !== undefined} defaultValue={clockTime(loop?.from ?? playhead.get())} />
      <input type="text" name="to" className="field tabular" aria-label="Loop until" aria-invalid={problem !== undefined} placeholder="until" defaultValue={loop ? clockTime(loop.to) : ""} />
      <button type="submit" className="button">
        Loop
      </button>
      <button type="button" className="button button-quiet" onClick={loopHere}>
        {loop ? "No loop" : "Loop this chapter"}
      </button>
      <output className={problem === undefined ? styles["hint"] : styles["problem"]}>{problem ?? (loop ? "Playing begins again at the end of the loop." : "")}</output>
    </form>
  );
}

/** The reader's own marks on the time: to find moments again, and to see a stretch over and over. They are part of a link. */
export function BookmarksDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const bookmarks = useTimeline((state) => state.bookmarks);
  const { toggleBookmark } = useTimeline.getState();
  return (
    <div className={styles["dialog"]}>
      <button type="button" className="button" onClick={() => toggleBookmark()}>
        {bookmarks.some(({ at }) => at === playhead.get()) ? "Remove the bookmark here" : "Bookmark this moment"}
      </button>
      {bookmarks.length === 0 ? (
        <p className={styles["hint"]}>None yet.</p>
      ) : (
        <ol className={styles["stops"]} aria-label="Bookmarks">
          {bookmarks.map((bookmark, i) => (
            <BookmarkRow key={bookmark.at} bookmark={bookmark} number={i + 1} onGo={onClose} />
          ))}
        </ol>
      )}
      <h3>Loop</h3>
      <LoopForm />
    </div>
  );
}
