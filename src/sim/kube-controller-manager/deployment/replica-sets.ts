// Models kubernetes/pkg/controller/deployment/util/deployment_util.go: which ReplicaSet is new, and what it is annotated with
import { canonicalJson, computeHash } from "../../api/go-hash.ts";
import type { Deployment, PodTemplateSpec, ReplicaSet } from "../../api/types.ts";
import { ownerReferenceTo } from "../pods.ts";
import { byCreation, DESIRED_REPLICAS, MAX_REPLICAS, maxSurge, newRSNewReplicas, replicasOf, sumReplicas } from "./rolling.ts";

export const REVISION = "deployment.kubernetes.io/revision";
export const REVISION_HISTORY = "deployment.kubernetes.io/revision-history";
/** What the first API versions had as spec.rollbackTo; whoever sets it is still obeyed. */
export const ROLLBACK_TO = "deprecated.deployment.rollback.to";
export const POD_TEMPLATE_HASH = "pod-template-hash";
const NOT_COPIED: ReadonlySet<string> = new Set(["kubectl.kubernetes.io/last-applied-configuration", REVISION, REVISION_HISTORY, DESIRED_REPLICAS, MAX_REPLICAS, ROLLBACK_TO]);
const MAX_HISTORY_CHARACTERS = 2000;

type Annotations = Readonly<Record<string, string>>;

const templateTexts = new WeakMap<PodTemplateSpec, string>();

/** The template without its hash label, as text: equal texts mean the same Pods. Kept per object, since objects never change. */
function templateText(template: PodTemplateSpec): string {
  let text = templateTexts.get(template);
  if (text === undefined) {
    const { [POD_TEMPLATE_HASH]: _, ...labels } = template.metadata?.labels ?? {};
    const { creationTimestamp: _created, ...metadata } = template.metadata ?? {};
    text = canonicalJson({ metadata: { ...metadata, labels }, spec: template.spec });
    templateTexts.set(template, text);
  }
  return text;
}

export const findNewReplicaSet = (d: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined =>
  [...sets].sort(byCreation).find((rs) => sameTemplate(d, rs));

export const revisionOf = (object: { readonly metadata: { readonly annotations?: Annotations } }): number => parsed(object.metadata.annotations?.[REVISION] ?? "") ?? 0;

/** LastRevision: the second highest. */
export const lastRevision = (sets: readonly ReplicaSet[]): number => sets.map(revisionOf).sort((a, b) => b - a)[1] ?? 0;

export const sameTemplate = (d: Deployment, rs: ReplicaSet): boolean => rs.spec.template !== undefined && templateText(rs.spec.template) === templateText(d.spec.template);

export const maxRevision = (sets: readonly ReplicaSet[]): number => sets.reduce((max, rs) => Math.max(max, revisionOf(rs)), 0);

const copied = (d: Deployment): Annotations => Object.fromEntries(Object.entries(d.metadata.annotations ?? {}).filter(([key]) => !NOT_COPIED.has(key)));

export const sizeAnnotations = (d: Deployment): Annotations => ({ [DESIRED_REPLICAS]: String(replicasOf(d)), [MAX_REPLICAS]: String(replicasOf(d) + maxSurge(d)) });

/** A revision in an annotation; undefined when it is no number. */
const parsed = (text: string): number | undefined => (/^[+-]?\d+$/.test(text) ? Number(text) : undefined);

/** The old revisions and one more; the oldest fall off beyond 2000 characters. */
function history(old: string, revision: string): string {
  if (old === "") return revision;
  let kept = old.split(",");
  while (kept.length > 0 && kept.join(",").length + 1 + revision.length > MAX_HISTORY_CHARACTERS) kept = kept.slice(1);
  return [...kept, revision].join(",");
}

/** SetNewReplicaSetAnnotations of an existing one: re-used it gets a new revision and remembers its old ones. The same reference when nothing changes. */
export function newReplicaSetAnnotations(d: Deployment, rs: ReplicaSet, old: readonly ReplicaSet[]): Annotations {
  const had = rs.metadata.annotations ?? {};
  const before = had[REVISION];
  const current = parsed(before ?? "") ?? (before === undefined || before === "" ? 0 : undefined);
  // What is no number is left alone, and all else with it.
  if (current === undefined) return had;
  const revision = maxRevision(old) + 1;
  const annotations = { ...had, ...copied(d) };
  if (current >= revision) return sameAnnotations(had, annotations) ? had : annotations;
  return { ...annotations, [REVISION]: String(revision), ...(before === undefined ? {} : { [REVISION_HISTORY]: history(had[REVISION_HISTORY] ?? "", before) }) };
}

/** SetDeploymentAnnotationsTo: going back, a Deployment takes the annotations of the set it goes back to. */
export const annotationsOf = (d: Deployment, rs: ReplicaSet): Annotations => ({
  ...Object.fromEntries(Object.entries(d.metadata.annotations ?? {}).filter(([key]) => NOT_COPIED.has(key))),
  ...Object.fromEntries(Object.entries(rs.metadata.annotations ?? {}).filter(([key]) => !NOT_COPIED.has(key))),
});

export const sameAnnotations = (a: Annotations | undefined, b: Annotations): boolean => {
  const keys = Object.keys(b);
  return Object.keys(a ?? {}).length === keys.length && keys.every((key) => a?.[key] === b[key]);
};

/** The ReplicaSet for the Deployment's present template. Its size obeys the surge. */
export function makeReplicaSet(d: Deployment, old: readonly ReplicaSet[]): ReplicaSet {
  const hash = computeHash(d.spec.template, d.status?.collisionCount);
  const labels = { ...d.spec.template.metadata?.labels, [POD_TEMPLATE_HASH]: hash };
  // Room for the dash and the hash in a name of 253 characters.
  const prefix = (d.metadata.name ?? "").slice(0, 252 - hash.length);
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${prefix}-${hash}`,
      namespace: d.metadata.namespace ?? "",
      labels,
      annotations: { ...copied(d), ...sizeAnnotations(d), [REVISION]: String(maxRevision(old) + 1) },
      ownerReferences: [ownerReferenceTo(d)],
    },
    spec: {
      replicas: newRSNewReplicas(d, sumReplicas(old), 0),
      ...(d.spec.minReadySeconds ? { minReadySeconds: d.spec.minReadySeconds } : {}),
      selector: { ...d.spec.selector, matchLabels: { ...d.spec.selector.matchLabels, [POD_TEMPLATE_HASH]: hash } },
      template: { ...d.spec.template, metadata: { ...d.spec.template.metadata, labels } },
    },
  };
}
