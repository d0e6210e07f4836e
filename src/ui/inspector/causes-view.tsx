import type { JSX } from "react";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { clockTime, shortTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { type CauseLink, cameOf, causeChain } from "./causes.ts";
import styles from "./inspector.module.css";

const FORWARD_LIMIT = 40;

function LinkRow({ link, current }: { readonly link: CauseLink; readonly current: boolean }): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  const seek = useTimeline((state) => state.seek);
  const took = link.arrived - link.at;
  return (
    <li className={styles.cause} data-kind={link.kind} aria-current={current || undefined}>
      <button
        type="button"
        className={styles.linkButton}
        onClick={() => {
          pin({ kind: "hop", id: link.mail });
          seek(link.arrived);
        }}
      >
        <span className={styles.time}>{clockTime(link.at)}</span> {link.sentence}
        {took > 0 && <span className={styles.dim}> ({link.kind === "wait" ? "waited " : ""}{shortTime(took)})</span>}
      </button>
      {link.effect && <p className={styles.effect}>{link.effect}</p>}
      {link.folded > 0 && <p className={styles.dim}>{link.folded === 1 ? "one step" : `${link.folded} steps`} inside {link.component} left out</p>}
    </li>
  );
}

/** "Why?" back to the click, and "what came of it" forwards. */
export function CausesView({ index, mail }: { readonly index: TraceIndex; readonly mail: number }): JSX.Element {
  const detail = useTimeline((state) => state.detail);
  const chain = causeChain(index, mail);
  const { links, more } = cameOf(index, mail, detail, FORWARD_LIMIT);
  return (
    <>
      <h4>Why? From here back to the beginning</h4>
      <ol className={styles.causes}>
        {chain.map((link, i) => (
          <LinkRow key={link.mail} link={link} current={i === 0} />
        ))}
      </ol>
      <h4>What came of it</h4>
      {links.length === 0 ? (
        <p className={styles.hint}>Nothing more was sent because of it{detail === "source" ? "" : " at this detail level"}.</p>
      ) : (
        <ol className={styles.causes}>
          {links.map((link) => (
            <LinkRow key={link.mail} link={link} current={false} />
          ))}
        </ol>
      )}
      {more && <p className={styles.hint}>The first {FORWARD_LIMIT} are listed. Pin one of them to go on from there.</p>}
    </>
  );
}
