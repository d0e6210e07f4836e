import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { keepDraft } from "./timeline/draft.ts";
import { isAudience } from "./timeline/presenting.ts";
import { loadFirstRun, loadPreferences, useTimeline } from "./timeline/store.ts";
import { followHash } from "./timeline/follow-hash.ts";
import { followRoot } from "./timeline/follow-root.ts";
import { App } from "./ui/app/app.tsx";
import "./ui/theme/tokens.css";
import "./ui/theme/base.css";

loadPreferences();
followRoot();
keepDraft();
useTimeline.setState({ presenting: isAudience() });
void loadFirstRun().then(() => {
  // A window that follows another has no address of its own.
  if (!isAudience()) followHash();
});

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
