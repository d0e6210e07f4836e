import type { JSX } from "react";

/** The mark of a fault: where it acts, at (x, y). */
export function Bolt({ x, y, title }: { readonly x: number; readonly y: number; readonly title: string }): JSX.Element {
  return (
    <g className="fault-mark" transform={`translate(${x} ${y})`}>
      <title>{title}</title>
      <circle r={9} />
      <path d="M1-6.500-4 1.200H-.500L-1 6.500 4.500-1.800H.800z" />
    </g>
  );
}
