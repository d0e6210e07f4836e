import type { JSX } from "react";
import type { Family } from "../theme/components.ts";

const PATHS = {
  play: "M6 4.5v11l9-5.5z",
  pause: "M6 4.5v11M14 4.5v11",
  next: "M7 4.5 12.5 10 7 15.5",
  previous: "M13 4.5 7.5 10l5.5 5.5",
  "next-chapter": "M5 4.5 10.5 10 5 15.5M11 4.5l5.5 5.5L11 15.5",
  "previous-chapter": "M15 4.5 9.5 10l5.5 5.5M9 4.5 3.5 10 9 15.5",
  last: "M5.5 4.5 11 10l-5.5 5.5M14.5 4.5v11",
  first: "M14.5 4.5 9 10l5.5 5.5M5.5 4.5v11",
  fork: "M6 3.5v6a4 4 0 0 0 4 4h4M6 9.5v7M11.5 10.5l3 3-3 3",
  share: "M8 11a3 3 0 0 0 4.2 0l3-3A3 3 0 0 0 11 3.8l-1 1M12 9a3 3 0 0 0-4.2 0l-3 3A3 3 0 0 0 9 16.2l1-1",
  keyboard: "M2.5 5.5h15v9h-15zM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6.5 11.5h7",
  text: "M4 5.5h12M4 10h12M4 14.5h7",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1",
  moon: "M15.5 12.2A6.2 6.2 0 0 1 7.8 4.5a6.2 6.2 0 1 0 7.7 7.7z",
  close: "M5 5l10 10M15 5 5 15",
  plus: "M10 4.5v11M4.5 10h11",
  minus: "M4.5 10h11",
  fit: "M4 7.5V4h3.5M12.5 4H16v3.5M16 12.5V16h-3.5M7.5 16H4v-3.5",
  bolt: "M11 2.5 5 11h4l-1 6.5 6.5-9H10z",
  warning: "M10 3.5 17 16H3zM10 8v4M10 14h.01",
  stop: "M7 3h6l4 4v6l-4 4H7l-4-4V7zM10 6.5v4M10 13.2h.01",
  bookmark: "M6 3.5h8v13l-4-3.5-4 3.5z",
  loop: "M5 8.500a4 4 0 0 1 4-4h5.500M12 2l2.500 2.500L12 7M15 11.500a4 4 0 0 1-4 4H5.500M8 18l-2.500-2.500L8 13",
  export: "M10 3v9M6 8.500 10 12.500l4-4M4 13.500V17h12v-3.500",
  story: "M3.5 4.5h5a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 0-1.5-1.5h-5zM16.5 4.5h-5A1.5 1.5 0 0 0 10 6v10a1.5 1.5 0 0 1 1.5-1.5h5z",
  events: "M7 5.5h9.5M7 10h9.5M7 14.5h9.5M3.5 5.5h.01M3.5 10h.01M3.5 14.5h.01",
  inspect: "M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zM12.7 12.7 16.5 16.5",
  yaml: "M6.5 3.5 3 10l3.5 6.5M13.5 3.5 17 10l-3.5 6.5",
  up: "M4.5 12.5 10 7l5.5 5.5",
  down: "M4.5 7.5 10 13l5.5-5.5",
  grow: "M6 8.5 10 4.5l4 4M6 11.5l4 4 4-4",
  shrink: "M6 4.5l4 4 4-4M6 15.500l4-4 4 4",
  widen: "M8.5 6 4.5 10l4 4M11.5 6l4 4-4 4",
} as const;

export type IconName = keyof typeof PATHS;

/** A 20 px line icon in the text's colour; decorative, so its button needs a name. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg aria-hidden="true" focusable="false" width={size} height={size} viewBox="0 0 20 20" fill={name === "play" || name === "bolt" ? "currentColor" : "none"} stroke="currentColor" strokeWidth={1.75} strokeLinecap="round" strokeLinejoin="round">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The component families' marks, drawn in a 16 px box for use inside SVG. */
export const FAMILY_PATHS: Readonly<Record<Family, string>> = {
  kubectl: "M2.5 4l4 4-4 4M8.5 12h5",
  apiserver: "M2.5 14V5.5L8 2l5.5 3.5V14M5.5 14V8.5h5V14",
  etcd: "M3 4c0-1.2 2.2-2 5-2s5 .8 5 2v8c0 1.2-2.2 2-5 2s-5-.8-5-2zM3 4c0 1.200 2.200 2 5 2s5-.8 5-2M3 8c0 1.200 2.200 2 5 2s5-.8 5-2",
  scheduler: "M8 2v12M4 14h8M2.500 4.500h11M2.500 4.500 1 9h3zM13.500 4.500 12 9h3z",
  controllers: "M13 8a5 5 0 1 1-1.500-3.500M13 2v3h-3",
  kubelet: "M10.500 2.500a3.500 3.500 0 0 0-3.300 4.600L2.500 11.800l1.700 1.700 4.700-4.700a3.500 3.500 0 0 0 4.500-4.300l-2 2-1.900-1.900z",
  runtime: "M8 1.500 13.500 4.500v7L8 14.500 2.500 11.500v-7zM2.500 4.500 8 7.500l5.500-3M8 7.500v7",
  network: "M8 5.500v3M4 11l4-2.500L12 11M6.500 2.500h3v3h-3zM2 11h3v3H2zM11 11h3v3h-3z",
  app: "M2.500 3h11v10h-11zM2.500 6h11M4.500 4.500h.01M6.500 4.500h.01",
};

/** A component family's mark in its hue, for chips and lists. */
export function FamilyIcon({ family, size = 14 }: { readonly family: Family; readonly size?: number }): JSX.Element {
  return (
    <svg aria-hidden="true" focusable="false" width={size} height={size} viewBox="0 0 16 16" fill="none" stroke={`var(--hue-${family})`} strokeWidth={1.5} strokeLinecap="round" strokeLinejoin="round">
      <path d={FAMILY_PATHS[family]} />
    </svg>
  );
}
