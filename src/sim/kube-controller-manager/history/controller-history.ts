// Models kubernetes/pkg/controller/history/controller_history.go: the template of a set, kept as ControllerRevisions
import { computeHash } from "../../api/go-hash.ts";
import type { KubeObject, PodTemplateSpec } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import { ownerReferenceTo } from "../pods.ts";
import { collectionPath, objectPath, subjectOf } from "../resources.ts";

/** On Pods of both kinds of sets, and on a DaemonSet's revisions. */
export const REVISION_LABEL = "controller-revision-hash";
/** On a StatefulSet's revisions. */
export const HISTORY_LABEL = "controller.kubernetes.io/hash";

export interface ControllerRevision extends KubeObject {
  readonly data?: unknown;
  readonly revision?: number;
}

export interface Owner extends KubeObject {
  readonly spec: { readonly template: PodTemplateSpec; readonly revisionHistoryLimit?: number };
}

export const hashOfRevision = (revision: ControllerRevision): string => revision.metadata.labels?.[REVISION_LABEL] ?? revision.metadata.labels?.[HISTORY_LABEL] ?? "";

/** The revision of the owner's present template: found by its hash, or as it must be created. */
export function updateRevision(owner: Owner, existing: readonly ControllerRevision[], label: string, annotations?: Readonly<Record<string, string>>): { readonly hash: string; readonly found?: ControllerRevision; readonly make: ControllerRevision } {
  const hash = computeHash(owner.spec.template);
  const found = existing.find((revision) => hashOfRevision(revision) === hash);
  const revision = existing.reduce((max, entry) => Math.max(max, entry.revision ?? 0), 0) + 1;
  const make: ControllerRevision = {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: { name: `${owner.metadata.name ?? ""}-${hash}`, namespace: owner.metadata.namespace ?? "", labels: { ...owner.spec.template.metadata?.labels, [label]: hash }, ...(annotations === undefined ? {} : { annotations }), ownerReferences: [ownerReferenceTo(owner)] },
    data: { spec: { template: { ...owner.spec.template, $patch: "replace" } } },
    revision,
  };
  return { hash, ...(found ? { found } : {}), make };
}

export const createRevisionCall = (revision: ControllerRevision): ApiCall => ({ method: "POST", path: collectionPath("ControllerRevision", revision.metadata.namespace), body: revision, subject: subjectOf(revision) });

/** An old template that is used again becomes the newest revision. */
export function renumberCall(found: ControllerRevision, existing: readonly ControllerRevision[]): ApiCall | undefined {
  const max = existing.reduce((most, entry) => Math.max(most, entry.revision ?? 0), 0);
  if ((found.revision ?? 0) >= max) return undefined;
  return { method: "PUT", path: objectPath(found), body: { ...found, revision: max + 1 }, subject: subjectOf(found) };
}

/** Revisions beyond the limit that no Pod uses, oldest first. */
export function surplusRevisions(existing: readonly ControllerRevision[], live: ReadonlySet<string>, limit: number): readonly ApiCall[] {
  const unused = existing.filter((revision) => !live.has(hashOfRevision(revision))).sort((a, b) => (a.revision ?? 0) - (b.revision ?? 0));
  return unused.slice(0, Math.max(0, unused.length - limit)).map((revision) => ({ method: "DELETE", path: objectPath(revision), subject: subjectOf(revision) }));
}
