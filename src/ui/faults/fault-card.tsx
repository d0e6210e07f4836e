import { type JSX, lazy, Suspense } from "react";
import type { FaultInfo } from "../../worker/protocol.ts";
import styles from "./faults.module.css";

/** With it come the conditions of breakpoints: only who opens a card needs them. */
const InjectForm = lazy(async () => ({ default: (await import("./inject-form.tsx")).InjectForm }));

/** One fault: what a user would see, and behind its title where and when it strikes. */
export function FaultCard({ fault, open, onToggle }: { readonly fault: FaultInfo; readonly open: boolean; readonly onToggle: () => void }): JSX.Element {
  return (
    <li className={styles.card} data-open={open || undefined}>
      <button type="button" className={styles.title} aria-expanded={open} onClick={onToggle} data-fault={fault.id}>
        <span className={styles.name}>{fault.title}</span>
        <span className={styles.symptom}>{fault.symptom}</span>
      </button>
      {open && (
        <div className={styles.body}>
          <Suspense fallback={<p className={styles.id}>Opening…</p>}>
            <InjectForm fault={fault} />
          </Suspense>
          <dl className={styles.lesson}>
            <dt>Reveals it</dt>
            <dd>
              <code>{fault.command}</code>
            </dd>
            <dt>Fix</dt>
            <dd>{fault.fix}</dd>
          </dl>
          <p className={styles.id}>{fault.id}</p>
        </div>
      )}
    </li>
  );
}
