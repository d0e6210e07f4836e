import { type JSX, useEffect, useRef } from "react";
import styles from "./present.module.css";

/** A ring around the mouse that can be seen from the last row. */
export function Pointer(): JSX.Element {
  const ring = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const move = (event: PointerEvent): void => {
      if (!ring.current) return;
      ring.current.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
      ring.current.style.visibility = "visible";
    };
    window.addEventListener("pointermove", move);
    return () => window.removeEventListener("pointermove", move);
  }, []);
  return <div ref={ring} className={styles["pointer"]} aria-hidden="true" />;
}
