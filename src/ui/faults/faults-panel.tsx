import { type JSX, useEffect, useRef, useState } from "react";
import { openPanel } from "../widgets/open-panel.ts";
import { useTimeline } from "../../timeline/store.ts";
import { FaultCard } from "./fault-card.tsx";
import styles from "./faults.module.css";
import { useFaultRequest } from "./request.ts";
import { RunsList } from "./runs-list.tsx";
import { searchFaults } from "./search.ts";

/** Region "Break it": everything that can go wrong, by place. Injecting begins a new run; the old one stays. */
export function FaultsPanel(): JSX.Element {
  const faults = useTimeline((state) => state.catalogue?.faults);
  const request = useFaultRequest();
  const [query, setQuery] = useState("");
  // What the reader opened holds until somebody asks for another card.
  const [opened, setOpened] = useState<{ readonly fault: string | undefined; readonly during: number }>({ fault: undefined, during: 0 });
  const open = opened.during === request.count ? opened.fault : request.fault;
  const panel = useRef<HTMLElement>(null);
  const groups = searchFaults(faults ?? [], open !== undefined && opened.during !== request.count ? "" : query);

  useEffect(() => {
    if (request.fault === undefined) return;
    panel.current?.querySelector<HTMLElement>(`[data-fault="${CSS.escape(request.fault)}"]`)?.focus();
  }, [request]);

  return (
    <section aria-label="Break it" className={styles.panel} ref={panel}>
      <div className={styles.head}>
        <h2 className="panel-title">Break it</h2>
        <button type="button" className="button button-quiet" title="Something is broken, and you find out what (Shift X)" onClick={() => openPanel("Diagnose")}>
          Diagnose
        </button>
        <input type="search" className={`field ${styles.search}`} aria-label="Search faults" placeholder="403, CrashLoopBackOff, node ..." value={query} onChange={(event) => setQuery(event.target.value)} />
      </div>
      {faults !== undefined && groups.length === 0 && <p className={styles.none}>No fault has these words. A wrong manifest needs none: write it so, and Apply.</p>}
      {groups.map(({ group, faults: list }) => (
        <div key={group}>
          <h3 className={styles.group}>{group}</h3>
          <ul className={styles.cards}>
            {list.map((fault) => (
              <FaultCard key={fault.id} fault={fault} open={fault.id === open} onToggle={() => setOpened({ fault: fault.id === open ? undefined : fault.id, during: request.count })} />
            ))}
          </ul>
        </div>
      ))}
      <RunsList />
    </section>
  );
}
