import type { JSX } from "react";
import { useTimeline } from "../../timeline/store.ts";
import type { StageLayout } from "./layout.ts";
import { spoken } from "./spoken.ts";
import { StageButton } from "./stage-button.tsx";
import { fit } from "./text-fit.ts";

/** Names that have no room in a row, as people say them. */
const SAID: Readonly<Record<string, string>> = {
  "kube-controller-manager": "manager", "horizontal-pod-autoscaler": "autoscaler", "garbage-collector": "garbage coll.", "pod-garbage-collector": "Pod GC", "persistentvolume-binder": "volume binder",
  "persistentvolume-attach-detach": "attachdetach", "endpointslice-mirroring": "slice mirror", "ttl-after-finished": "ttl finished", "persistentvolume-expander": "expander",
};

/** A controller's name for a row; of a second replica, with the end of its machine's name. */
function shortController(id: string): string {
  const [kind = id, machine] = id.split("@");
  const name = kind.replace(/-controller$/, "");
  return `${SAID[name] ?? SAID[kind] ?? name}${machine === undefined ? "" : ` ${machine.replace(/^.*-(?=\d+$)/, "")}`}`;
}

/** The controllers that have a part, a row each, and how many more there are. */
export function ControllersBox({ layout, activeId, pinnedId, stopped }: { readonly layout: StageLayout; readonly activeId: string; readonly pinnedId: string | undefined; readonly stopped: ReadonlySet<string> }): JSX.Element {
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  const { rect, shown, folded } = layout.controllers;
  return (
    <g className="controllers">
      <rect className="frame" x={rect.x} y={rect.y} width={rect.w} height={rect.h} rx={10} />
      <text className={rect.w < 100 ? "name small" : "name"} x={rect.x + (rect.w < 100 ? 5 : 10)} y={rect.y + 14}>
        controllers
      </text>
      {shown.map((id) => {
        const place = layout.boxes.get(id);
        if (!place) return null;
        const live = stopped.has(id) ? "stopped" : (index?.statusAt(id, now) ?? "");
        const busy = live !== "" && live !== "idle";
        return (
          <StageButton key={id} id={id} name={`${id}, ${spoken(live)}`} className={`row${activeId === id ? " active" : ""}${pinnedId === id ? " pinned" : ""}`}>
            <rect x={place.x} y={place.y} width={place.w} height={place.h} rx={4} />
            <circle cx={place.x + 7} cy={place.y + 7.5} r={3} className={busy ? "busy" : ""} />
            <text x={place.x + 15} y={place.y + 11.5}>
              {fit(shortController(id), place.w - 16, 11)}
            </text>
          </StageButton>
        );
      })}
      {folded.length > 0 && (
        <text className="live" x={rect.x + (rect.w < 100 ? 5 : 21)} y={rect.y + 18 + shown.length * 15 + 11.5}>
          {shown.length === 0 ? `${folded.length} running` : `and ${folded.length} more`}
        </text>
      )}
    </g>
  );
}
