import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { loadFirstRun, loadPreferences } from "./timeline/store.ts";
import { followHash } from "./timeline/follow-hash.ts";
import { followRoot } from "./timeline/follow-root.ts";
import { App } from "./ui/app/app.tsx";
import "./ui/theme/tokens.css";
import "./ui/theme/base.css";

loadPreferences();
followRoot();
void loadFirstRun().then(followHash);

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
