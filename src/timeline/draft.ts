import { useTimeline } from "./store.ts";

/** A manifest that was changed and not applied, kept in this browser. */
export interface Draft {
  readonly file: string;
  readonly text: string;
}

const KEY = "millipod.draft";
const DEBOUNCE_MS = 500;

function read(): Draft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<Draft> | null;
    return typeof draft?.file === "string" && typeof draft.text === "string" ? { file: draft.file, text: draft.text } : undefined;
  } catch {
    return undefined;
  }
}

function write(draft: Draft | undefined): void {
  try {
    if (draft) localStorage.setItem(KEY, JSON.stringify(draft));
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage a draft lasts as long as the page.
  }
}

/**
 * Keeps what is in the editor and not yet applied. A draft that an earlier page has left is offered, never taken by
 * itself: the address says what is shown.
 */
export function keepDraft(): void {
  const left = read();
  if (left) useTimeline.setState({ draft: left });
  let timer: ReturnType<typeof setTimeout> | undefined;
  useTimeline.subscribe(({ manifest, draft }, before) => {
    if (manifest === before.manifest || manifest.text === before.manifest.text && manifest.applied === before.manifest.applied) return;
    // What is offered stays in store until the reader decides, or writes something else.
    const changed = manifest.text !== manifest.applied;
    if (!changed && draft) return;
    clearTimeout(timer);
    timer = setTimeout(() => write(changed ? { file: manifest.file, text: manifest.text } : undefined), DEBOUNCE_MS);
  });
}

/** Puts the draft into the editor, unapplied. */
export function restoreDraft(): void {
  const { draft, manifest } = useTimeline.getState();
  if (draft) useTimeline.setState({ manifest: { ...manifest, file: draft.file, text: draft.text }, draft: undefined as never });
}

export function discardDraft(): void {
  write(undefined);
  useTimeline.setState({ draft: undefined as never });
}
