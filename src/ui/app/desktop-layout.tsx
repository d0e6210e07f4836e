import { type JSX, type ReactNode, useState } from "react";
import { CaptionPanel } from "../caption/caption-panel.tsx";
import { StagePanel } from "../stage/stage-panel.tsx";
import { TimelinePanel } from "../timeline/timeline-panel.tsx";
import { ErrorBoundary } from "../widgets/error-boundary.tsx";
import { Splitter } from "../widgets/splitter.tsx";
import { useMedia } from "../widgets/use-media.ts";
import { ManifestPanel, EventsPanel, ExerciseSlot, FaultsPanel, ForkBanner, InspectorPanel, StoryPanel, TerminalPanel, TextView } from "./panels.tsx";
import { PanelTabs } from "./panel-tabs.tsx";
import { RightColumn } from "./right-column.tsx";
import { useOnOpen } from "./use-on-open.ts";
import { useOnPin } from "./use-on-pin.ts";
import { useSize } from "./use-size.ts";
import styles from "./desktop-layout.module.css";

/** Three columns over the timeline. In the DOM the stage comes first, whatever the eye sees first. */
export function DesktopLayout({ textView }: { readonly textView: boolean }): JSX.Element {
  const narrow = useMedia("(max-width: 1199px)");
  const left = useSize("left", narrow ? 280 : 352, 220, 640);
  const right = useSize("right", narrow ? 300 : 364, 220, 640);
  const bottom = useSize("bottom", narrow ? 296 : 258, 120, 620);
  const terminal = useSize("terminal", 220, 80, 600);
  const faults = useSize("faults", 190, 60, 600);
  const [wide, setWide] = useState(false);
  const columns = `${left.size}px auto minmax(0, 1fr) auto ${right.size}px`;
  return (
    <main className={styles["layout"]} style={{ gridTemplateColumns: columns, gridTemplateRows: `minmax(0, 1fr) auto ${textView ? 0 : bottom.size}px` }}>
      <div className={styles["center"]}>
        {textView ? (
          <Panel name="Text view">
            <TextView />
          </Panel>
        ) : (
          <>
            <Panel name="Stage">
              <StagePanel />
            </Panel>
            <ExerciseSlot />
            <ForkBanner />
            <CaptionPanel />
          </>
        )}
      </div>
      {!textView && (
        <>
          <div className={styles["bottom-splitter"]}>
            <Splitter label="Resize the timeline" orientation="horizontal" reverse {...bottom.splitter} />
          </div>
          <div className={styles["timeline"]}>
            <Panel name="Timeline">
              <TimelinePanel />
            </Panel>
          </div>
        </>
      )}
      <div className={styles["right-splitter"]}>
        <Splitter label="Resize the right column" orientation="vertical" reverse {...right.splitter} />
      </div>
      <div className={styles["right"]} data-wide={wide && !narrow ? "" : undefined}>
        {narrow ? <RightTabs /> : <RightColumn wide={wide} onWide={setWide} />}
      </div>
      <div className={styles["left"]}>
        <Panel name="Manifest">
          <ManifestPanel />
        </Panel>
        <Splitter label="Resize the faults" orientation="horizontal" reverse {...faults.splitter} />
        <div style={{ height: faults.size, flex: "none", minHeight: 0 }} className={styles["cell"]}>
          <Panel name="Break it">
            <FaultsPanel />
          </Panel>
        </div>
        <Splitter label="Resize the terminal" orientation="horizontal" reverse {...terminal.splitter} />
        <div style={{ height: terminal.size, flex: "none", minHeight: 0 }} className={styles["cell"]}>
          <Panel name="Terminal">
            <TerminalPanel />
          </Panel>
        </div>
      </div>
      <div className={styles["left-splitter"]}>
        <Splitter label="Resize the left column" orientation="vertical" {...left.splitter} />
      </div>
    </main>
  );
}

function Panel({ name, children }: { readonly name: string; readonly children: ReactNode }): JSX.Element {
  return (
    <div className={styles["panel"]} data-pane={name}>
      <ErrorBoundary name={name}>{children}</ErrorBoundary>
    </div>
  );
}

function RightTabs(): JSX.Element {
  const [tab, setTab] = useState("Story");
  useOnPin(() => setTab("Inspector"));
  useOnOpen((panel) => {
    if (panel === "Story" || panel === "Inspector" || panel === "Events") setTab(panel);
  });
  return (
    <PanelTabs
      label="Panels"
      selected={tab}
      onSelect={setTab}
      tabs={[
        { name: "Story", panel: <StoryPanel /> },
        { name: "Inspector", panel: <InspectorPanel /> },
        { name: "Events", panel: <EventsPanel /> },
      ]}
    />
  );
}
