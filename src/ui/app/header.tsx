import { type JSX, useState } from "react";
import { LEVELS, type Level } from "../../trace/model.ts";
import { useTimeline } from "../../timeline/store.ts";
import type { SampleInfo } from "../../worker/protocol.ts";
import { Icon } from "../widgets/icons.tsx";
import { RadioGroup } from "../widgets/radio-group.tsx";
import { BookmarksButton, StopsButton } from "../timeline/stops-button.tsx";
import { useOnOpen } from "./use-on-open.ts";
import { copyLink } from "../widgets/copy-link.ts";
import { openPanel } from "../widgets/open-panel.ts";
import { ClusterDialog } from "./cluster-dialog.tsx";
import { Runs } from "./runs.tsx";
import styles from "./header.module.css";

const OWN = "own";
const DETAIL_LABELS: Readonly<Record<Level, string>> = { basic: "Basic", operator: "Operator", source: "Source" };
const DETAIL_HINTS: Readonly<Record<Level, string>> = { basic: "The story in some thirty steps", operator: "What an operator would look at", source: "Everything, heartbeats too" };

/** What is shown: sample, cluster, run, detail; and what can be done with it. */
export function Header({ phone }: { readonly phone: boolean }): JSX.Element {
  const catalogue = useTimeline((state) => state.catalogue);
  const sample = useTimeline((state) => state.sample);
  const world = useTimeline((state) => state.world);
  const detail = useTimeline((state) => state.detail);
  const { chooseSample, chooseWorld, setDetail } = useTimeline.getState();
  const [pasting, setPasting] = useState(false);
  const [menu, setMenu] = useState(false);
  // What was chosen from the menu lies under it.
  useOnOpen(() => setMenu(false));
  const known = catalogue?.worlds.some((one) => one.id === world) ?? true;
  const sampleChoice = (
    <select className={`field ${styles["sample"]}`} aria-label="Sample" value={sample ?? OWN} onChange={(event) => chooseSample(event.target.value)}>
      {sample === undefined && <option value={OWN}>Your manifest</option>}
      {groupsOf(catalogue?.samples ?? []).map(([group, samples]) => (
        <optgroup key={group} label={group}>
          {samples.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
  const clusterChoice = (
    <select className={`field ${styles["cluster"]}`} aria-label="Cluster" value={known ? world : OWN} onChange={(event) => (event.target.value === OWN ? setPasting(true) : chooseWorld(event.target.value))}>
      {catalogue?.worlds.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
      <option value={OWN}>Your own cluster…</option>
    </select>
  );
  const detailChoice = <RadioGroup label="Detail" value={detail} onChange={setDetail} options={LEVELS.map((value) => ({ value, label: DETAIL_LABELS[value], hint: DETAIL_HINTS[value] }))} />;
  return (
    <header className={styles["header"]}>
      <h1 className={styles["name"]}>
        <svg aria-hidden="true" width="28" height="14" viewBox="0 0 28 14">
          <rect width="28" height="14" rx="7" className={styles["pod"]} />
          <circle cx="7" cy="7" r="3" className={styles["dot"]} />
          <rect x="12" y="6" width="11" height="2" rx="1" className={styles["dot"]} />
        </svg>
        <span>Millipod</span>
      </h1>
      {sampleChoice}
      {phone ? (
        <>
          <ShareButton phone />
          <button type="button" className="button" aria-label="Menu" aria-expanded={menu} onClick={() => setMenu(!menu)}>
            <Icon name={menu ? "close" : "events"} />
          </button>
          {menu && (
            <div className={styles["menu"]}>
              {clusterChoice}
              {detailChoice}
              <Runs />
              <div className={styles["actions"]}>
                <StopsButton />
                <BookmarksButton />
              </div>
              <ViewButtons />
            </div>
          )}
        </>
      ) : (
        <>
          {clusterChoice}
          <Runs />
          <span className={styles["space"]} />
          {detailChoice}
          <div className={styles["actions"]}>
            <ShareButton phone={false} />
            <ViewButtons />
          </div>
        </>
      )}
      <ClusterDialog open={pasting} onClose={() => setPasting(false)} />
    </header>
  );
}

/** Samples under their headings, in the order of the list. */
function groupsOf(samples: readonly SampleInfo[]): readonly (readonly [string, readonly SampleInfo[]])[] {
  const groups = new Map<string, SampleInfo[]>();
  for (const sample of samples) groups.set(sample.group ?? "", [...(groups.get(sample.group ?? "") ?? []), sample]);
  return [...groups];
}

function ShareButton({ phone }: { readonly phone: boolean }): JSX.Element {
  return (
    <button type="button" className="button" onClick={() => void copyLink()} aria-label="Share" title="Copy a link to this run and moment">
      <Icon name="share" />
      {!phone && <span className={styles["wide"]}>Share</span>}
    </button>
  );
}

function ViewButtons(): JSX.Element {
  const theme = useTimeline((state) => state.theme);
  const textView = useTimeline((state) => state.textView);
  const { setTheme, setTextView, setHelpOpen } = useTimeline.getState();
  const dark = theme === "dark" || (theme === "system" && window.matchMedia("(prefers-color-scheme: dark)").matches);
  return (
    <div className={styles["actions"]}>
      <button type="button" className="button" aria-label="Export" title="Export: take this run away as a file" onClick={() => openPanel("Export")}>
        <Icon name="export" />
      </button>
      <button type="button" className="button" aria-label="All commands" title="All commands: find anything to do, see or break (Ctrl K)" onClick={() => openPanel("Commands")}>
        <Icon name="inspect" />
      </button>
      <button type="button" className="button" aria-label="Text view" title="Text view: everything in words" aria-pressed={textView} onClick={() => setTextView(!textView)}>
        <Icon name="text" />
      </button>
      <button type="button" className="button" aria-label={dark ? "Light theme" : "Dark theme"} title={dark ? "Light theme" : "Dark theme"} onClick={() => setTheme(dark ? "light" : "dark")}>
        <Icon name={dark ? "sun" : "moon"} />
      </button>
      <button type="button" className="button" aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)" onClick={() => setHelpOpen(true)}>
        <Icon name="keyboard" />
      </button>
    </div>
  );
}
