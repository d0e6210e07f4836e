import { type JSX, useMemo } from "react";
import { useTimeline } from "../../timeline/store.ts";
import type { Rect } from "./layout.ts";
import { StageButton } from "./stage-button.tsx";
import { type ObjectLine, objectLines } from "./stored-objects.ts";
import { fit, widthOf } from "./text-fit.ts";

const MAX_LINES = 5;
/** The room of a line's text, of which its detail takes what it needs. */
const LINE_WIDTH = 130;

const shortDetail = ({ detail }: ObjectLine): string => fit(detail.replace(" ready", ""), 74, 11);

/** Kind and name; of a Job the end, which tells it from the others of its CronJob. */
function lineText(line: ObjectLine): string {
  const width = LINE_WIDTH - widthOf(shortDetail(line), 11, false) - 8;
  const [kind = "", name = ""] = line.text.split("/");
  if (kind !== "job" && kind !== "pod") return fit(line.text, width, 11);
  return `${kind}/${fit(name, width - widthOf(`${kind}/`, 11, false), 11, false, true)}`;
}

/** What the run has written down: workloads, what steers them, and how far they are. */
export function ObjectsBox({ rect, pinnedKey }: { readonly rect: Rect; readonly pinnedKey: string | undefined }): JSX.Element {
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  const lines = useMemo(() => (index ? objectLines(index, now) : []), [index, now]);
  return (
    <g className="objects">
      <rect className="frame" x={rect.x} y={rect.y} width={rect.w} height={rect.h} rx={10} />
      <text className="name small" x={rect.x + 10} y={rect.y + 15}>
        new objects
      </text>
      {lines.length === 0 && (
        <text className="live" x={rect.x + 10} y={rect.y + 34}>
          none yet
        </text>
      )}
      {lines.slice(0, MAX_LINES).map((line, i) => (
        <StageButton key={line.key} id={line.key} name={`${line.text}, ${line.detail}`} className={`object ${line.look}${pinnedKey === line.key ? " pinned" : ""}`}>
          <rect x={rect.x + 6} y={rect.y + 21 + i * 19} width={rect.w - 12} height={17} rx={5} />
          <text className="label" x={rect.x + 12} y={rect.y + 33.5 + i * 19}>
            {lineText(line)}
          </text>
          <text className="live" x={rect.x + rect.w - 12} y={rect.y + 33.5 + i * 19} textAnchor="end">
            {shortDetail(line)}
          </text>
        </StageButton>
      ))}
      {lines.length > MAX_LINES && (
        <text className="live" x={rect.x + rect.w - 12} y={rect.y + 15} textAnchor="end">
          +{lines.length - MAX_LINES}
        </text>
      )}
    </g>
  );
}
