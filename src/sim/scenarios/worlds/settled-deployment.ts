import { uuid } from "../../api/ids.ts";
import type { KubeObject, PodSpec } from "../../api/types.ts";

export interface SettledDeployment {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** pod-template-hash of its one ReplicaSet. */
  readonly hash: string;
  /** Suffix and node of each Pod. */
  readonly pods: readonly (readonly [string, string])[];
  readonly spec: PodSpec;
  readonly strategy?: object;
}

const uidOf = (apiVersion: string, kind: string, namespace: string, name: string): string => uuid(1, `${apiVersion}/${kind}/${namespace}/${name}`);
const SINCE = "2025-12-25T00:00:00Z";

/** A Deployment that has been rolled out: with its ReplicaSet and Pods as their controllers leave them. */
export function settledDeployment({ name, namespace, labels, hash, pods, spec, strategy }: SettledDeployment): readonly KubeObject[] {
  const set = `${name}-${hash}`;
  const replicas = pods.length;
  const owner = (kind: string, of: string) => [{ apiVersion: "apps/v1", kind, name: of, uid: uidOf("apps/v1", kind, namespace, of), controller: true, blockOwnerDeletion: true }];
  const template = { metadata: { labels }, spec };
  const withHash = { ...labels, "pod-template-hash": hash };
  const counts = { replicas, readyReplicas: replicas, availableReplicas: replicas, terminatingReplicas: 0, observedGeneration: 1 };
  const condition = (type: string, reason: string, message: string) => ({ type, status: "True", reason, message, lastUpdateTime: SINCE, lastTransitionTime: SINCE });
  return [
    {
      apiVersion: "apps/v1", kind: "Deployment", metadata: { name, namespace, labels, annotations: { "deployment.kubernetes.io/revision": "1" } },
      spec: { replicas, selector: { matchLabels: labels }, template, ...(strategy === undefined ? {} : { strategy }) },
      status: { ...counts, updatedReplicas: replicas, conditions: [condition("Available", "MinimumReplicasAvailable", "Deployment has minimum availability."), condition("Progressing", "NewReplicaSetAvailable", `ReplicaSet "${set}" has successfully progressed.`)] },
    } as KubeObject,
    {
      apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name: set, namespace, labels: withHash, annotations: { "deployment.kubernetes.io/desired-replicas": String(replicas), "deployment.kubernetes.io/max-replicas": String(replicas + 1), "deployment.kubernetes.io/revision": "1" }, ownerReferences: owner("Deployment", name) },
      spec: { replicas, selector: { matchLabels: withHash }, template: { metadata: { labels: withHash }, spec } },
      status: { ...counts, fullyLabeledReplicas: replicas },
    } as KubeObject,
    ...pods.map(([suffix, nodeName]) => ({ apiVersion: "v1", kind: "Pod", metadata: { generateName: `${set}-`, name: `${set}-${suffix}`, namespace, labels: withHash, ownerReferences: owner("ReplicaSet", set) }, spec: { ...spec, nodeName } }) as KubeObject),
  ];
}
