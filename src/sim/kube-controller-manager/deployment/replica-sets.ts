// Models kubernetes/pkg/controller/deployment/util/deployment_util.go: which ReplicaSet is new, and what it is annotated with
import { canonicalJson, computeHash } from "../../api/go-hash.ts";
import type { Deployment, PodTemplateSpec, ReplicaSet } from "../../api/types.ts";
import { ownerReferenceTo } from "../pods.ts";
import { byCreation, DESIRED_REPLICAS, MAX_REPLICAS, maxSurge, newRSNewReplicas, replicasOf, sumReplicas } from "./rolling.ts";

export const REVISION = "deployment.kubernetes.io/revision";
export const REVISION_HISTORY = "deployment.kubernetes.io/revision-history";
export const POD_TEMPLATE_HASH = "pod-template-hash";
const NOT_COPIED = new Set(["kubectl.kubernetes.io/last-applied-configuration", REVISION, REVISION_HISTORY, DESIRED_REPLICAS, MAX_REPLICAS, "deprecated.deployment.rollback.to"]);
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
  [...sets].sort(byCreation).find((rs) => rs.spec.template !== undefined && templateText(rs.spec.template) === templateText(d.spec.template));

export const revisionOf = (object: { readonly metadata: { readonly annotations?: Annotations } }): number => Number(object.metadata.annotations?.[REVISION] ?? 0) || 0;

export const maxRevision = (sets: readonly ReplicaSet[]): number => sets.reduce((max, rs) => Math.max(max, revisionOf(rs)), 0);

const copied = (d: Deployment): Annotations => Object.fromEntries(Object.entries(d.metadata.annotations ?? {}).filter(([key]) => !NOT_COPIED.has(key)));

export const sizeAnnotations = (d: Deployment): Annotations => ({ [DESIRED_REPLICAS]: String(replicasOf(d)), [MAX_REPLICAS]: String(replicasOf(d) + maxSurge(d)) });

/** The annotations the existing new ReplicaSet should carry: a re-used one gets a new revision and remembers its old ones. */
export function newReplicaSetAnnotations(d: Deployment, rs: ReplicaSet, old: readonly ReplicaSet[]): Annotations {
  const revision = maxRevision(old) + 1;
  const current = revisionOf(rs);
  const annotations = { ...rs.metadata.annotations, ...copied(d) };
  if (current >= revision) return annotations;
  const history = [rs.metadata.annotations?.[REVISION_HISTORY], rs.metadata.annotations?.[REVISION]].filter((entry) => entry !== undefined && entry !== "").join(",");
  return { ...annotations, [REVISION]: String(revision), ...(history === "" || current === 0 ? {} : { [REVISION_HISTORY]: history.slice(-MAX_HISTORY_CHARACTERS) }) };
}

export const sameAnnotations = (a: Annotations | undefined, b: Annotations): boolean => {
  const keys = Object.keys(b);
  return Object.keys(a ?? {}).length === keys.length && keys.every((key) => a?.[key] === b[key]);
};

/** The ReplicaSet for the Deployment's present template. Its size obeys the surge. */
export function makeReplicaSet(d: Deployment, old: readonly ReplicaSet[]): ReplicaSet {
  const hash = computeHash(d.spec.template, d.status?.collisionCount);
  const labels = { ...d.spec.template.metadata?.labels, [POD_TEMPLATE_HASH]: hash };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${d.metadata.name ?? ""}-${hash}`,
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
