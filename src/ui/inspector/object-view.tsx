import { type JSX, lazy, Suspense, useState } from "react";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { captionTime, clockTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { DataText } from "./data-text.tsx";
import { fieldDiff } from "./diff.ts";
import { DiffView } from "./diff-view.tsx";
import { FieldsView } from "./fields-view.tsx";
import { LazyWaitsView } from "../widgets/lazy-waits-view.tsx";
import { StopButton } from "../widgets/stop-button.tsx";
import styles from "./inspector.module.css";
import { referenceOf } from "./object-key.ts";
import { ownedFields } from "./owners.ts";
import { Tabs } from "./tabs.tsx";

const PodInsideView = lazy(() => import("./pod-inside-view.tsx").then((module) => ({ default: module.PodInsideView })));

const OwnersView = lazy(() => import("./owners-view.tsx").then((module) => ({ default: module.OwnersView })));

/** Kinds of objects that something can wait for, in the memory of a component. */
const WAITING_KINDS: ReadonlySet<string> = new Set(["Pod", "Node", "Job"]);

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

interface WithStatus {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly uid?: string; readonly deletionTimestamp?: string };
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] };
}

function Conditions({ object }: { readonly object: WithStatus }): JSX.Element | null {
  const conditions = object.status?.conditions ?? [];
  if (conditions.length === 0) return null;
  return (
    <ul className={styles.conditions} aria-label="Conditions">
      {conditions.map((condition) => (
        <li key={condition.type} data-status={condition.status} title={[condition.reason, condition.message].filter(Boolean).join(": ")}>
          <span>{condition.type}</span> <strong>{condition.status}</strong>
          {condition.reason && <span className={styles.dim}> {condition.reason}</span>}
          <StopButton className={styles.stop} condition={`${referenceOf(object)} ${condition.type} != ${condition.status}`} />
        </li>
      ))}
    </ul>
  );
}

function Revisions({ index, objectKey, now }: { readonly index: TraceIndex; readonly objectKey: string; readonly now: number }): JSX.Element {
  const seek = useTimeline((state) => state.seek);
  const versions = index.versionsOf(objectKey);
  return (
    <ol className={styles.revisions}>
      {versions.map((version, i) => {
        const changes = i === 0 || version.revision.verb === "delete" ? [] : fieldDiff(versions[i - 1]?.revision.object, version.revision.object).filter((change) => change.path !== "metadata.resourceVersion");
        const next = versions[i + 1];
        const current = version.at <= now && (!next || next.at > now);
        return (
          <li key={version.revision.revision} aria-current={current || undefined}>
            <button type="button" className={styles.linkButton} disabled={version.at < 0} onClick={() => seek(version.at)}>
              <span className={styles.time}>{version.at < 0 ? "before" : captionTime(version.at)}</span> {version.revision.verb}, revision {version.revision.revision}
            </button>
            {changes.length > 0 && (
              <span className={styles.dim}>
                {" "}
                {changes
                  .slice(0, 4)
                  .map((change) => change.path)
                  .join(", ")}
                {changes.length > 4 ? `, ${changes.length - 4} more` : ""}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** One API object as the store holds it at the playhead, with its conditions and all its revisions. */
export function ObjectView({ index, objectKey, now }: { readonly index: TraceIndex; readonly objectKey: string; readonly now: number }): JSX.Element {
  const [tab, setTab] = useState("yaml");
  const version = index.objectAt(objectKey, now);
  const versions = index.versionsOf(objectKey);
  const object = (version?.object ?? {}) as WithStatus;
  const last = versions.findLast((one) => one.at <= now);
  const at = last ? versions.indexOf(last) : -1;
  return (
    <>
      <h3 className={styles.title}>{version ? referenceOf(object) : objectKey.replace("/registry/", "")}</h3>
      {version ? (
        <p className={styles.sentence}>
          {object.status?.phase && <>phase {object.status.phase}, </>}
          {object.metadata?.deletionTimestamp && <>being deleted, </>}revision {version.revision}, {version.at < 0 ? "as the run began" : `since ${clockTime(version.at)}`}
        </p>
      ) : (
        <p className={styles.sentence}>{last?.revision.verb === "delete" ? `Deleted at ${clockTime(last.at)}.` : "The store does not hold it yet at this time."}</p>
      )}
      <Conditions object={object} />
      <Tabs
        label="About this object"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: "yaml", title: "YAML", content: () => (version ? <DataText label={`kubectl get ${referenceOf(object)}`} value={version.object} /> : <p className={styles.hint}>Nothing to show at this time.</p>) },
          ...(version && last ? [{ id: "fields", title: "Why each field", content: () => <FieldsView index={index} objectKey={objectKey} at={at} reference={referenceOf(object)} /> }] : []),
          ...(object.kind === "Pod" && object.spec?.nodeName !== undefined ? [{ id: "inside", title: "Inside", content: () => <Suspense fallback={<p className={styles.hint}>Looking inside…</p>}><PodInsideView uid={object.metadata?.uid ?? ""} node={object.spec?.nodeName ?? ""} now={now} /></Suspense> }] : []),
          ...(version && WAITING_KINDS.has(object.kind ?? "") ? [{ id: "waits", title: "Waits", content: () => <LazyWaitsView now={now} of={objectKey} /> }] : []),
          { id: "diff", title: "Diff", content: () => (last && last.revision.verb !== "delete" ? <DiffView before={versions[at - 1]?.revision.object} after={last.revision.object} /> : <p className={styles.hint}>Nothing to compare.</p>) },
          ...(version && ownedFields(version.object).length > 0 ? [{ id: "owners", title: "Who owns what", content: () => <Suspense><OwnersView object={version.object} /></Suspense> }] : []),
          { id: "revisions", title: `Revisions (${versions.length})`, content: () => <Revisions index={index} objectKey={objectKey} now={now} /> },
        ]}
      />
    </>
  );
}
