import { type ComponentType, type JSX, type LazyExoticComponent, Suspense, useEffect, useState } from "react";
import { Dialog } from "./dialog.tsx";

interface Props {
  /** By which name `openPanel` asks for it. */
  readonly panel: string;
  readonly title: string;
  readonly body: LazyExoticComponent<ComponentType<{ readonly onClose: () => void }>>;
}

/** A dialog that a panel or a key asks for by name, and whose content is loaded when it is opened for the first time. */
export function PanelDialog({ panel, title, body: Body }: Props): JSX.Element {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const show = (event: Event): void => {
      if ((event as CustomEvent<{ panel?: string } | null>).detail?.panel === panel) setOpen(true);
    };
    window.addEventListener("millipod:open", show);
    return () => window.removeEventListener("millipod:open", show);
  }, [panel]);
  const close = (): void => setOpen(false);
  return (
    <Dialog title={title} open={open} onClose={close}>
      <Suspense fallback={<p>Loading…</p>}>
        <Body onClose={close} />
      </Suspense>
    </Dialog>
  );
}
