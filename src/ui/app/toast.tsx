import { AnimatePresence, LazyMotion, m } from "framer-motion";
import type { JSX } from "react";
import { useTimeline } from "../../timeline/store.ts";
import styles from "./app.module.css";

const loadFeatures = () => import("./motion-features.ts").then((module) => module.domAnimation);

/** A short message that comes and goes by itself; a screen reader hears it politely. */
export function Toast(): JSX.Element {
  const toast = useTimeline((state) => state.toast);
  const reducedMotion = useTimeline((state) => state.reducedMotion);
  const shift = reducedMotion ? 0 : 12;
  return (
    <LazyMotion features={loadFeatures}>
      <div aria-live="polite" className={styles["toasts"]}>
        <AnimatePresence>
          {toast && (
            <m.div key={toast.id} className={styles["toast"]} initial={{ opacity: 0, y: shift }} animate={{ opacity: 1, y: 0 }} exit={{ opacity: 0, y: shift }} transition={{ duration: 0.18, ease: "easeOut" }}>
              {toast.text}
            </m.div>
          )}
        </AnimatePresence>
      </div>
    </LazyMotion>
  );
}
