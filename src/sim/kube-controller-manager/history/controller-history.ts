// Models kubernetes/pkg/controller/history/controller_history.go: the template of a set, kept as ControllerRevisions
import { canonicalJson, fnv32a } from "../../api/go-hash.ts";
import { safeEncodeString } from "../../api/random-suffix.ts";
import type { KubeObject, LabelSelector, PodTemplateSpec } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import { ownerReferenceTo } from "../pods.ts";
import { collectionPath, objectPath, subjectOf } from "../resources.ts";

/** On Pods of both kinds of sets, and on a DaemonSet's revisions. */
export const REVISION_LABEL = "controller-revision-hash";
/** On a StatefulSet's revisions. */
export const HISTORY_LABEL = "controller.kubernetes.io/hash";
/** Longer names of owners are cut, so that the hash has room. */
const MAX_PREFIX = 223;

export interface ControllerRevision extends KubeObject {
  readonly data?: unknown;
  readonly revision?: number;
}

export interface Owner extends KubeObject {
  readonly spec: { readonly selector: LabelSelector; readonly template: PodTemplateSpec; readonly revisionHistoryLimit?: number };
}

interface TemplatePatch {
  readonly spec: { readonly template: PodTemplateSpec & { readonly $patch: "replace" } };
}

const patches = new WeakMap<PodTemplateSpec, TemplatePatch>();
const texts = new WeakMap<object, string>();

/** getPatch: what brings a set back to its present template. */
export function patchOf({ spec: { template } }: Owner): TemplatePatch {
  const known = patches.get(template);
  if (known !== undefined) return known;
  const made: TemplatePatch = { spec: { template: { ...template, $patch: "replace" } } };
  patches.set(template, made);
  return made;
}

/** The data as text: equal texts mean the same template. Kept per object, since objects never change. */
export function dataText(data: unknown): string {
  if (typeof data !== "object" || data === null) return "";
  let text = texts.get(data);
  if (text === undefined) {
    // Servers of old wrote times that are not set as null.
    text = canonicalJson(data).replaceAll('"creationTimestamp":null,', "").replaceAll('"creationTimestamp":null', "");
    texts.set(data, text);
  }
  return text;
}

export const isOfTemplate = (owner: Owner, revision: ControllerRevision): boolean => dataText(revision.data) === dataText(patchOf(owner));

/** HashControllerRevision: of the data and how often names have collided. */
export const hashOfData = (data: unknown, collisions: number): string => safeEncodeString(String(fnv32a(`${dataText(data)}${collisions}`)));

const createdAt = (revision: ControllerRevision): string => revision.metadata.creationTimestamp ?? "";
const nameOf = (object: KubeObject): string => object.metadata.name ?? "";

function byRevision(a: ControllerRevision, b: ControllerRevision): number {
  const [ra, rb] = [a.revision ?? 0, b.revision ?? 0];
  if (ra !== rb) return ra - rb;
  if (createdAt(a) !== createdAt(b)) return createdAt(a) < createdAt(b) ? -1 : 1;
  return nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0;
}

/** Oldest first. */
export const sortRevisions = (revisions: readonly ControllerRevision[]): readonly ControllerRevision[] => (revisions.length < 2 ? revisions : [...revisions].sort(byRevision));

/** A revision of the owner's present template, as it must be created. */
export function newRevision(owner: Owner, label: string, hash: string, revision: number): ControllerRevision {
  const { name = "", namespace = "", annotations } = owner.metadata;
  return {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: { name: `${name.slice(0, MAX_PREFIX)}-${hash}`, namespace, labels: { ...owner.spec.template.metadata?.labels, [label]: hash }, ...(annotations === undefined ? {} : { annotations }), ownerReferences: [ownerReferenceTo(owner)] },
    data: patchOf(owner),
    revision,
  };
}

export const createRevisionCall = (revision: ControllerRevision): ApiCall => ({ method: "POST", path: collectionPath("ControllerRevision", revision.metadata.namespace), body: revision, subject: subjectOf(revision) });

export const getRevisionCall = (revision: ControllerRevision): ApiCall => ({ method: "GET", path: objectPath(revision), subject: subjectOf(revision) });

export const updateRevisionCall = (revision: ControllerRevision): ApiCall => ({ method: "PUT", path: objectPath(revision), body: revision, subject: subjectOf(revision) });

export const deleteRevisionCall = (revision: ControllerRevision): ApiCall => ({ method: "DELETE", path: objectPath(revision), subject: subjectOf(revision) });
