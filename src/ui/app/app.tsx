import { type JSX, lazy, type MouseEvent, Suspense } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { PanelDialog } from "../widgets/panel-dialog.tsx";
import { useMedia } from "../widgets/use-media.ts";
import { DesktopLayout } from "./desktop-layout.tsx";
import { Header } from "./header.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { PhoneLayout } from "./phone-layout.tsx";
import { Toast } from "./toast.tsx";
import { useKeyboard } from "./use-keyboard.ts";
import styles from "./app.module.css";

const PresentLayout = lazy(() => import("./present-layout.tsx").then((module) => ({ default: module.PresentLayout })));
const StopsDialog = lazy(() => import("../timeline/stops-dialog.tsx").then((module) => ({ default: module.StopsDialog })));
const BookmarksDialog = lazy(() => import("../timeline/bookmarks-dialog.tsx").then((module) => ({ default: module.BookmarksDialog })));
const DiagnoseDialog = lazy(() => import("../diagnose/diagnose-dialog.tsx").then((module) => ({ default: module.DiagnoseDialog })));
const ExportDialog = lazy(() => import("../export/export-dialog.tsx").then((module) => ({ default: module.ExportDialog })));
const CommandsDialog = lazy(() => import("./commands-dialog.tsx").then((module) => ({ default: module.CommandsDialog })));

/** To the main content: the stage's own Tab stop, or what stands in its place. The hash is the run's link, so it stays. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  (document.querySelector<HTMLElement>("[data-stage-item][tabindex='0'], #text-view") ?? document.getElementById("stage"))?.focus();
}

/** The page: header, panels, dialogs. */
export function App(): JSX.Element {
  const phone = useMedia("(max-width: 899px)");
  const textView = useTimeline((state) => state.textView);
  const presenting = useTimeline((state) => state.presenting);
  useKeyboard();
  if (presenting)
    return (
      <Suspense fallback={<p>Loading…</p>}>
        <PresentLayout />
      </Suspense>
    );
  return (
    <div className={styles["app"]}>
      <a className={styles["skip"]} href={textView ? "#text-view" : "#stage"} onClick={skip}>
        {textView ? "Skip to the run in words" : "Skip to stage"}
      </a>
      <Header phone={phone} />
      {phone ? <PhoneLayout textView={textView} /> : <DesktopLayout textView={textView} />}
      <HelpDialog />
      <PanelDialog panel="Stop when" title="Stop when…" body={StopsDialog} />
      <PanelDialog panel="Bookmarks" title="Bookmarks and loop" body={BookmarksDialog} />
      <PanelDialog panel="Diagnose" title="Diagnose" body={DiagnoseDialog} />
      <PanelDialog panel="Export" title="Export" body={ExportDialog} />
      <PanelDialog panel="Commands" title="All commands" body={CommandsDialog} />
      <Toast />
    </div>
  );
}
