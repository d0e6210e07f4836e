import { useTimeline } from "../../timeline/store.ts";

/** Copies the link; if the browser does not let it, the link is shown in the address anyway. */
export async function copyLink(): Promise<void> {
  const { shareLink, showToast } = useTimeline.getState();
  const link = await shareLink();
  const long = link.length > 2000 ? ` It is long (${link.length} characters): some chats cut it.` : "";
  window.history.replaceState(null, "", new URL(link).hash);
  try {
    await navigator.clipboard.writeText(link);
    showToast(`Link copied.${long}`);
  } catch {
    showToast(`The link is in the address bar.${long}`);
  }
}
