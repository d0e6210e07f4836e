import { type JSX, lazy, Suspense, useEffect, useState } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { Dialog } from "../widgets/dialog.tsx";
import { Icon } from "../widgets/icons.tsx";

const StopsDialog = lazy(() => import("./stops-dialog.tsx").then((module) => ({ default: module.StopsDialog })));

/** Opens the breakpoints; says how many are on. The key B asks for it too. */
export function StopsButton(): JSX.Element {
  const on = useTimeline((state) => state.stops.filter((stop) => stop.on).length);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const show = (event: Event): void => {
      if ((event as CustomEvent<{ panel?: string }>).detail?.panel === "Stop when") setOpen(true);
    };
    window.addEventListener("millipod:open", show);
    return () => window.removeEventListener("millipod:open", show);
  }, []);
  return (
    <>
      <button type="button" className="button" aria-label={on === 0 ? "Stop when" : `Stop when: ${on} ${on === 1 ? "breakpoint" : "breakpoints"}`} title="Breakpoints: stop when a condition holds (B)" onClick={() => setOpen(true)}>
        <Icon name="stop" />
        {on > 0 && <span className="tabular">{on}</span>}
      </button>
      <Dialog title="Stop when…" open={open} onClose={() => setOpen(false)}>
        <Suspense fallback={<p>Loading…</p>}>
          <StopsDialog onClose={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}
