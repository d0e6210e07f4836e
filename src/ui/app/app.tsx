import type { JSX } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { useMedia } from "../widgets/use-media.ts";
import { DesktopLayout } from "./desktop-layout.tsx";
import { Header } from "./header.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { PhoneLayout } from "./phone-layout.tsx";
import { Toast } from "./toast.tsx";
import { useKeyboard } from "./use-keyboard.ts";
import styles from "./app.module.css";

/** The page: header, panels, dialogs. */
export function App(): JSX.Element {
  const phone = useMedia("(max-width: 899px)");
  const textView = useTimeline((state) => state.textView);
  useKeyboard();
  return (
    <div className={styles["app"]}>
      <a className={styles["skip"]} href="#stage" onClick={(event) => {
        event.preventDefault();
        (document.querySelector<HTMLElement>("[data-stage-item][tabindex='0']") ?? document.getElementById("stage"))?.focus();
      }}>
        Skip to stage
      </a>
      <Header phone={phone} />
      {phone ? <PhoneLayout textView={textView} /> : <DesktopLayout textView={textView} />}
      <HelpDialog />
      <Toast />
    </div>
  );
}
