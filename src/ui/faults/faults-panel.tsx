import { type JSX, useEffect, useRef, useState } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { FaultCard } from "./fault-card.tsx";
import styles from "./faults.module.css";
import { RunsList } from "./runs-list.tsx";
import { searchFaults } from "./search.ts";

/** Region "Break it": everything that can go wrong, by place. Injecting begins a new run; the old one stays. */
export function FaultsPanel(): JSX.Element {
  const faults = useTimeline((state) => state.catalogue?.faults);
  const [query, setQuery] = useState("");
  const [open, setOpen] = useState<string>();
  const panel = useRef<HTMLElement>(null);
  const groups = searchFaults(faults ?? [], query);

  useEffect(() => {
    // Another panel asks for a fault's card: "What can fail here".
    const listen = (event: Event): void => {
      const { panel: wanted, id } = (event as CustomEvent<{ panel?: string; id?: string }>).detail ?? {};
      if (wanted !== "Break it" || id === undefined) return;
      setQuery("");
      setOpen(id);
      requestAnimationFrame(() => panel.current?.querySelector<HTMLElement>(`[data-fault="${CSS.escape(id)}"]`)?.focus());
    };
    window.addEventListener("millipod:open", listen);
    return () => window.removeEventListener("millipod:open", listen);
  }, []);

  return (
    <section aria-label="Break it" className={styles.panel} ref={panel}>
      <div className={styles.head}>
        <h2 className="panel-title">Break it</h2>
        <input type="search" className={`field ${styles.search}`} aria-label="Search faults" placeholder="403, CrashLoopBackOff, node ..." value={query} onChange={(event) => setQuery(event.target.value)} />
      </div>
      {faults !== undefined && groups.length === 0 && <p className={styles.none}>No fault has these words. A wrong manifest needs none: write it so, and Apply.</p>}
      {groups.map(({ group, faults: list }) => (
        <div key={group}>
          <h3 className={styles.group}>{group}</h3>
          <ul className={styles.cards}>
            {list.map((fault) => (
              <FaultCard key={fault.id} fault={fault} open={fault.id === open} onToggle={() => setOpen(fault.id === open ? undefined : fault.id)} />
            ))}
          </ul>
        </div>
      ))}
      <RunsList />
    </section>
  );
}
