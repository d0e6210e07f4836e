import { useState } from "react";

interface Size {
  readonly size: number;
  readonly splitter: { readonly size: number; readonly min: number; readonly max: number; readonly onResize: (size: number) => void; readonly onToggle: () => void };
}

/** A pane's size, remembered between visits; Enter on its splitter collapses it and brings it back. */
export function useSize(name: string, standard: number, min: number, max: number): Size {
  const key = `millipod.size.${name}`;
  const [size, setSize] = useState(() => read(key) ?? standard);
  const [before, setBefore] = useState(standard);
  const put = (next: number): void => {
    setSize(next);
    try {
      localStorage.setItem(key, String(next));
    } catch {
      // Without storage the size lasts as long as the page.
    }
  };
  const onToggle = (): void => {
    if (size > 0) {
      setBefore(size);
      put(0);
    } else put(Math.max(min, before));
  };
  return { size, splitter: { size, min, max, onResize: put, onToggle } };
}

function read(key: string): number | undefined {
  try {
    const value = Number(localStorage.getItem(key) ?? Number.NaN);
    return Number.isFinite(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
