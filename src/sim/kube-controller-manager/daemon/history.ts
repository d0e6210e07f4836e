// Models kubernetes/pkg/controller/daemon/update.go (constructHistory, cleanupHistory)
import { computeHash } from "../../api/go-hash.ts";
import type { Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import { type ControllerRevision, deleteRevisionCall, isOfTemplate, newRevision, REVISION_LABEL, sortRevisions, updateRevisionCall } from "../history/controller-history.ts";
import { objectPath, subjectOf } from "../resources.ts";
import type { DaemonSet } from "./placement.ts";

export interface History {
  /** Of the present template; undefined when it must be made. */
  readonly current: ControllerRevision | undefined;
  readonly old: readonly ControllerRevision[];
  /** What must be written first, one after the other. */
  readonly calls: readonly ApiCall[];
}

export const hashOf = (revision: ControllerRevision): string => revision.metadata.labels?.[REVISION_LABEL] ?? "";

const newest = (revisions: readonly ControllerRevision[]): number => revisions.reduce((max, { revision = 0 }) => Math.max(max, revision), 0);

/** Tells the present revision from old ones. One without its label gets it; of several of the present template the newest is kept, and Pods are relabelled to it. */
export function readHistory(ds: DaemonSet, revisions: readonly ControllerRevision[], pods: readonly Pod[]): History {
  const calls: ApiCall[] = [];
  const labelled = revisions.map((revision): ControllerRevision => {
    if (revision.metadata.labels?.[REVISION_LABEL] !== undefined) return revision;
    const next = { ...revision, metadata: { ...revision.metadata, labels: { ...revision.metadata.labels, [REVISION_LABEL]: revision.metadata.name ?? "" } } };
    calls.push(updateRevisionCall(next));
    return next;
  });
  const same = labelled.filter((revision) => isOfTemplate(ds, revision));
  const old = labelled.filter((revision) => !isOfTemplate(ds, revision));
  const current = same.reduce<ControllerRevision | undefined>((kept, revision) => (kept === undefined || (revision.revision ?? 0) >= (kept.revision ?? 0) ? revision : kept), undefined);
  if (current === undefined) return { current, old, calls };
  if (same.length > 1) {
    const hash = hashOf(current);
    for (const pod of pods) if (pod.metadata.labels?.[REVISION_LABEL] !== hash) calls.push({ method: "PATCH", path: objectPath(pod), contentType: "application/merge-patch+json", body: { metadata: { labels: { [REVISION_LABEL]: hash } } }, subject: subjectOf(pod) });
    for (const revision of same) if (revision !== current) calls.push(deleteRevisionCall(revision));
  }
  const number = newest(old) + 1;
  if ((current.revision ?? 0) < number) calls.push(updateRevisionCall({ ...current, revision: number }));
  return { current, old, calls };
}

/** snapshot: the revision of the present template, as it must be made. */
export const snapshot = (ds: DaemonSet, old: readonly ControllerRevision[]): ControllerRevision => newRevision(ds, REVISION_LABEL, computeHash(ds.spec.template, ds.status?.collisionCount), newest(old) + 1);

/** Old revisions beyond the limit that no Pod uses, oldest first; those in use count too. */
export function surplusRevisions(ds: DaemonSet, old: readonly ControllerRevision[], pods: readonly Pod[]): readonly ControllerRevision[] {
  const surplus = old.length - (ds.spec.revisionHistoryLimit ?? 10);
  if (surplus <= 0) return [];
  const live = new Set(pods.map((pod) => pod.metadata.labels?.[REVISION_LABEL] ?? ""));
  return sortRevisions(old).filter((revision) => hashOf(revision) === "" || !live.has(hashOf(revision))).slice(0, surplus);
}
