import { type RefObject, useEffect, useState } from "react";

/** Shares of the column's height, 0 to 1; the inspector has the rest. */
export interface Shares {
  readonly story: number;
  readonly events: number;
}

const KEY = "millipod.shares";
const STANDARD: Shares = { story: 0.4, events: 0.25 };
const LEAST = 0.08;

/** How the right column is split, remembered between visits. */
export function useShares(): { readonly shares: Shares; readonly setShares: (shares: Shares) => void } {
  const [shares, set] = useState(read);
  return {
    shares,
    setShares(next) {
      const story = within(next.story);
      const kept = { story, events: Math.min(within(next.events), 1 - story - LEAST) };
      set(kept);
      try {
        localStorage.setItem(KEY, JSON.stringify(kept));
      } catch {
        // Without storage the split lasts as long as the page.
      }
    },
  };
}

const within = (share: number): number => Math.min(1 - 2 * LEAST, Math.max(LEAST, share));

function read(): Shares {
  try {
    const { story, events } = JSON.parse(localStorage.getItem(KEY) ?? "") as Partial<Shares>;
    if (typeof story === "number" && typeof events === "number" && story > 0 && events > 0 && story + events < 1) return { story, events };
  } catch {
    // Nothing kept, or not ours.
  }
  return STANDARD;
}

export function useColumnHeight(column: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(580);
  useEffect(() => {
    const element = column.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setHeight(Math.round(entry?.contentRect.height ?? 580)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [column]);
  return height;
}
