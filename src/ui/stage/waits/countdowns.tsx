import type { JSX } from "react";
import type { Rect } from "../layout.ts";
import { usePlaceWaits } from "../stage-waits.ts";
import { headText } from "../../widgets/wait-words.ts";
import { Countdown, ProbeTick } from "./countdown.tsx";
import "./waits.css";

export { WaitsFeed } from "./waits-feed.tsx";

export interface CapsuleProps {
  readonly id: string;
  readonly rect: Rect;
  /** Where in the capsule there is room for a line. */
  readonly line: { readonly x: number; readonly y: number; readonly room: number; readonly end?: boolean };
}

/** What waits in a Pod: one countdown, and a tick for each probe. */
export function CapsuleWaits({ id, rect, line }: CapsuleProps): JSX.Element | null {
  const waits = usePlaceWaits(id);
  if (!waits) return null;
  const inset = 14;
  return (
    <>
      {waits.probes.map((probe) => (
        <ProbeTick key={probe.part} wait={probe} x={rect.x + inset} y={rect.y + rect.h} width={rect.w - 2 * inset} />
      ))}
      {waits.wait && <Countdown {...line} wait={waits.wait} />}
    </>
  );
}

export interface PlaceProps {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly room: number;
  readonly end?: boolean;
  /** The name of what waits comes first. */
  readonly named?: boolean;
}

/** The weightiest wait of a component or a node, as one line. */
export function PlaceWait({ id, named = false, ...line }: PlaceProps): JSX.Element | null {
  const wait = usePlaceWaits(id)?.wait;
  return wait ? <Countdown {...line} wait={wait} who={named && wait.about !== id ? `${wait.name.slice(wait.name.indexOf("/") + 1)}: ${headText(wait)}` : ""} /> : null;
}
