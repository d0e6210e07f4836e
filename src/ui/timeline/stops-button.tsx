import type { JSX } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { Icon } from "../widgets/icons.tsx";
import { openPanel } from "../widgets/open-panel.ts";

/** Opens the breakpoints; says how many are on. The key B asks for it too. */
export function StopsButton(): JSX.Element {
  const on = useTimeline((state) => state.stops.filter((stop) => stop.on).length);
  return (
    <button type="button" className="button" aria-label={on === 0 ? "Stop when" : `Stop when: ${on} ${on === 1 ? "breakpoint" : "breakpoints"}`} title="Breakpoints: stop when a condition holds (B)" onClick={() => openPanel("Stop when")}>
      <Icon name="stop" />
      {on > 0 && <span className="tabular">{on}</span>}
    </button>
  );
}

/** Opens the bookmarks and the loop; says what there is of them. M sets a bookmark, L loops the chapter. */
export function BookmarksButton(): JSX.Element {
  const count = useTimeline((state) => state.bookmarks.length);
  const loop = useTimeline((state) => state.loop !== undefined);
  const holds = [...(count === 0 ? [] : [`${count} ${count === 1 ? "bookmark" : "bookmarks"}`]), ...(loop ? ["playing repeats"] : [])];
  return (
    <button type="button" className="button" aria-label={["Bookmarks", ...holds].join(": ")} title="Bookmarks and loop (Shift M; M sets one, L loops the chapter)" onClick={() => openPanel("Bookmarks")}>
      <Icon name={loop ? "loop" : "bookmark"} />
      {count > 0 && <span className="tabular">{count}</span>}
    </button>
  );
}
