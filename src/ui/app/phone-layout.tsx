import { type JSX, useState } from "react";
import { CaptionPanel } from "../caption/caption-panel.tsx";
import { StagePanel } from "../stage/stage-panel.tsx";
import { TimelinePanel } from "../timeline/timeline-panel.tsx";
import { ErrorBoundary } from "../widgets/error-boundary.tsx";
import { useMedia } from "../widgets/use-media.ts";
import { Icon, type IconName } from "../widgets/icons.tsx";
import { ManifestPanel, EventsPanel, ExerciseSlot, FaultsPanel, ForkBanner, InspectorPanel, StoryPanel, TerminalPanel, TextView } from "./panels.tsx";
import styles from "./phone-layout.module.css";
import { useOnOpen } from "./use-on-open.ts";
import { useOnPin } from "./use-on-pin.ts";

type Stop = "peek" | "half" | "full";
type Tab = "Story" | "YAML" | "Terminal" | "Events" | "Inspect" | "Break";
const TABS: readonly { readonly name: Tab; readonly icon: IconName; readonly panel: () => JSX.Element }[] = [
  { name: "Story", icon: "story", panel: () => <StoryPanel /> },
  { name: "YAML", icon: "yaml", panel: () => <ManifestPanel /> },
  { name: "Terminal", icon: "keyboard", panel: () => <TerminalPanel /> },
  { name: "Events", icon: "events", panel: () => <EventsPanel /> },
  { name: "Inspect", icon: "inspect", panel: () => <InspectorPanel /> },
  { name: "Break", icon: "bolt", panel: () => <FaultsPanel /> },
];

/** The tab of a panel that another one asks for. */
const PANEL_TABS: Readonly<Record<string, Tab>> = { Story: "Story", Manifest: "YAML", Terminal: "Terminal", Events: "Events", Inspector: "Inspect", "Break it": "Break" };

/** One column: stage, caption, transport, and a sheet with three stops that buttons move too. */
export function PhoneLayout({ textView }: { readonly textView: boolean }): JSX.Element {
  // A tablet held upright has room for the whole stage.
  const small = useMedia("(max-width: 639px)");
  const [stop, setStop] = useState<Stop>("half");
  const [tab, setTab] = useState<Tab>("Story");
  useOnPin(() => {
    setTab("Inspect");
    if (stop === "peek") setStop("half");
  });
  useOnOpen((panel) => {
    const wanted = PANEL_TABS[panel];
    if (wanted === undefined) return;
    setTab(wanted);
    if (panel === "Break it") setStop("full");
    else if (stop === "peek") setStop("half");
  });
  const current = TABS.find((one) => one.name === tab);
  return (
    <div className={styles["phone"]} data-stop={stop}>
      <main className={styles["main"]}>
        {textView ? (
          <ErrorBoundary name="Text view">
            <TextView />
          </ErrorBoundary>
        ) : (
          <>
            <div className={styles["stage"]}>
              <ErrorBoundary name="Stage">
                <StagePanel compact={small} />
              </ErrorBoundary>
            </div>
            <ExerciseSlot />
            <ForkBanner />
            <CaptionPanel />
            <TimelinePanel phone />
          </>
        )}
      </main>
      <div className={styles["sheet"]}>
        <div className={styles["grip"]}>
          <span className={styles["handle"]} />
          <button type="button" className="button button-quiet" onClick={() => setStop(stop === "full" ? "half" : stop === "half" ? "full" : "half")}>
            <Icon name={stop === "full" ? "down" : "up"} size={16} />
            {stop === "full" ? "Shrink" : "Expand"}
          </button>
          <button type="button" className="button button-quiet" disabled={stop === "peek"} onClick={() => setStop("peek")}>
            <Icon name="close" size={16} />
            Close
          </button>
        </div>
        <div className={styles["content"]}>
          <ErrorBoundary key={tab} name={tab}>
            {current?.panel()}
          </ErrorBoundary>
        </div>
      </div>
      <nav className={styles["nav"]} aria-label="Panels">
        {TABS.map(({ name, icon }) => (
          <button
            key={name}
            type="button"
            aria-current={name === tab ? "page" : undefined}
            onClick={() => {
              setTab(name);
              if (stop === "peek") setStop("half");
            }}
          >
            <Icon name={icon} />
            {name}
          </button>
        ))}
      </nav>
    </div>
  );
}
