import { useEffect, useState } from "react";
import { client } from "../../timeline/client.ts";
import { useTimeline } from "../../timeline/store.ts";
import type { ManifestReport } from "../../worker/protocol.ts";

const DEBOUNCE_MS = 250;

const EMPTY: ManifestReport = { problems: [], notSimulated: [] };

/** What is wrong with a manifest, and which of its fields are not simulated: asked once the typing rests. */
export function useCheck(text: string): ManifestReport {
  const [report, setReport] = useState(EMPTY);
  const ready = useTimeline((state) => state.catalogue !== undefined);
  useEffect(() => {
    if (!ready) return;
    let current = true;
    const timer = setTimeout(() => {
      client.check(text).then(
        (next) => {
          if (current) setReport(next);
        },
        // A dead worker is told by the shell; the manifest itself is not to blame.
        () => undefined,
      );
    }, DEBOUNCE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text, ready]);
  return report;
}
