import { type JSX, type MouseEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { ErrorBoundary } from "../widgets/error-boundary.tsx";
import { Icon } from "../widgets/icons.tsx";
import { Splitter } from "../widgets/splitter.tsx";
import { EventsPanel, InspectorPanel, StoryPanel } from "./panels.tsx";
import { useColumnHeight, useShares } from "./use-shares.ts";
import { useOnOpen } from "./use-on-open.ts";
import styles from "./right-column.module.css";

type PaneName = "Story" | "Inspector" | "Events";

/** What is left of a pane while another one is grown: its header and a line (px). */
const FOLDED: Readonly<Record<PaneName, number>> = { Story: 62, Inspector: 66, Events: 92 };
const LEAST = 60;
const SPLITTERS = 2 * 7;

interface Props {
  readonly wide: boolean;
  readonly onWide: (wide: boolean) => void;
}

/**
 * Story, Inspector and Events over each other. One of them can be grown, the others then keep a header and a line;
 * what gets pinned grows the inspector, what is unpinned brings the old split back.
 */
export function RightColumn({ wide, onWide }: Props): JSX.Element {
  const column = useRef<HTMLDivElement>(null);
  const height = useColumnHeight(column) - SPLITTERS;
  const { shares, setShares } = useShares();
  const [grown, setGrown] = useState<PaneName>();
  const split = (): void => {
    setGrown(undefined);
    onWide(false);
  };
  useOnOpen((panel) => {
    if (panel === "Story" || panel === "Inspector" || panel === "Events") setGrown(panel);
  });
  useOnPinning(
    () => setGrown("Inspector"),
    () => {
      if (grown === "Inspector") split();
    },
  );

  const folded = (name: PaneName): boolean => grown !== undefined && grown !== name;
  const story = folded("Story") ? FOLDED.Story : grown === "Story" ? height - FOLDED.Inspector - FOLDED.Events : Math.round(shares.story * height);
  const events = folded("Events") ? FOLDED.Events : grown === "Events" ? height - FOLDED.Inspector - FOLDED.Story : Math.round(shares.events * height);
  const resize = (next: { story?: number; events?: number }): void => {
    setGrown(undefined);
    setShares({ story: (next.story ?? story) / height, events: (next.events ?? events) / height });
  };
  const toggle = (name: PaneName) => () => (grown === name ? split() : setGrown(name));
  const pane = (name: PaneName, size: number | undefined, content: ReactNode): JSX.Element => (
    <Pane name={name} size={size} folded={folded(name)} grown={grown === name} onToggle={toggle(name)} onRestore={split}>
      {content}
    </Pane>
  );
  return (
    <div ref={column} className={styles["column"]}>
      {pane("Story", story, <StoryPanel />)}
      <Splitter label="Resize the story" orientation="horizontal" size={story} min={LEAST} max={Math.max(LEAST, height - events - LEAST)} onResize={(size) => resize({ story: size })} onToggle={toggle("Story")} />
      {pane("Inspector", undefined, <InspectorPanel wide={wide} onWide={onWide} />)}
      <Splitter label="Resize the events" orientation="horizontal" reverse size={events} min={LEAST} max={Math.max(LEAST, height - story - LEAST)} onResize={(size) => resize({ events: size })} onToggle={toggle("Events")} />
      {pane("Events", events, <EventsPanel />)}
    </div>
  );
}

interface PaneProps {
  readonly name: PaneName;
  /** Undefined: what the others leave. */
  readonly size: number | undefined;
  readonly folded: boolean;
  readonly grown: boolean;
  readonly onToggle: () => void;
  readonly onRestore: () => void;
  readonly children: ReactNode;
}

function Pane({ name, size, folded, grown, onToggle, onRestore, children }: PaneProps): JSX.Element {
  const label = grown || folded ? "Back to the split" : `Enlarge ${name}`;
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    if (folded && !(event.target instanceof Element && event.target.closest(`.${styles["toggle"] ?? ""}`))) onRestore();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the button below does the same for the keyboard
    <div className={styles["pane"]} data-pane={name} data-folded={folded ? "" : undefined} style={size === undefined ? { flex: 1 } : { height: size }} onClickCapture={onClick}>
      <ErrorBoundary name={name}>{children}</ErrorBoundary>
      <button type="button" className={`button button-quiet ${styles["toggle"] ?? ""}`} aria-label={`${label}${folded ? `, from ${name}` : ""}`} title={label} aria-expanded={!folded} onClick={folded ? onRestore : onToggle}>
        <Icon name={folded ? "down" : grown ? "shrink" : "grow"} size={16} />
      </button>
    </div>
  );
}

/** Tells when the page goes from nothing pinned to something, and back. While something stays pinned, the reader's own choice of sizes holds. */
function useOnPinning(onPin: () => void, onUnpin: () => void): void {
  const pinned = useEffectEvent(onPin);
  const unpinned = useEffectEvent(onUnpin);
  useEffect(
    () =>
      useTimeline.subscribe((state, before) => {
        if (state.pinned && !before.pinned) pinned();
        else if (!state.pinned && before.pinned) unpinned();
      }),
    [],
  );
}
