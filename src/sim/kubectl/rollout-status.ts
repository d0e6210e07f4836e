// Models kubernetes/staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go
import type { KubeObject } from "../api/types.ts";

export interface RolloutStatus {
  readonly text: string;
  readonly done?: boolean;
  readonly error?: string;
}
interface Status {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly availableReplicas?: number;
  readonly readyReplicas?: number;
  readonly updatedNumberScheduled?: number;
  readonly desiredNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly currentReplicas?: number;
  readonly conditions?: readonly { readonly type: string; readonly reason?: string }[];
}
interface Spec {
  readonly replicas?: number;
  readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
}

function deployment({ metadata, spec, status }: KubeObject, revision: number): RolloutStatus {
  const name = JSON.stringify(metadata.name ?? "");
  const s = (status ?? {}) as Status;
  const running = Number(metadata.annotations?.["deployment.kubernetes.io/revision"] ?? "0");
  if (revision > 0 && running !== revision) return { text: "", error: `desired revision (${revision}) is different from the running revision (${running})` };
  if ((metadata.generation ?? 0) > (s.observedGeneration ?? 0)) return { text: "Waiting for deployment spec update to be observed..." };
  if (s.conditions?.some(({ type, reason }) => type === "Progressing" && reason === "ProgressDeadlineExceeded") === true) return { text: "", error: `deployment ${name} exceeded its progress deadline` };
  const wanted = (spec as Spec).replicas ?? 1;
  const [updated, all, available] = [s.updatedReplicas ?? 0, s.replicas ?? 0, s.availableReplicas ?? 0];
  const waiting = `Waiting for deployment ${name} rollout to finish:`;
  if (updated < wanted) return { text: `${waiting} ${updated} out of ${wanted} new replicas have been updated...` };
  if (all > updated) return { text: `${waiting} ${all - updated} old replicas are pending termination...` };
  if (available < updated) return { text: `${waiting} ${available} of ${updated} updated replicas are available...` };
  return { text: `deployment ${name} successfully rolled out`, done: true };
}

function daemonSet({ metadata, spec, status }: KubeObject): RolloutStatus {
  const name = JSON.stringify(metadata.name ?? "");
  const s = (status ?? {}) as Status;
  if ((spec as Spec).updateStrategy?.type !== "RollingUpdate") return { text: "", error: "rollout status is only available for RollingUpdate strategy type", done: true };
  if ((metadata.generation ?? 0) > (s.observedGeneration ?? 0)) return { text: "Waiting for daemon set spec update to be observed..." };
  const [updated, wanted, available] = [s.updatedNumberScheduled ?? 0, s.desiredNumberScheduled ?? 0, s.numberAvailable ?? 0];
  const waiting = `Waiting for daemon set ${name} rollout to finish:`;
  if (updated < wanted) return { text: `${waiting} ${updated} out of ${wanted} new pods have been updated...` };
  if (available < wanted) return { text: `${waiting} ${available} of ${wanted} updated pods are available...` };
  return { text: `daemon set ${name} successfully rolled out`, done: true };
}

function statefulSet({ metadata, spec, status }: KubeObject): RolloutStatus {
  const s = (status ?? {}) as Status;
  const { replicas = 1, updateStrategy } = spec as Spec;
  if (updateStrategy?.type !== "RollingUpdate") return { text: "", error: "rollout status is only available for RollingUpdate strategy type", done: true };
  if ((s.observedGeneration ?? 0) === 0 || (metadata.generation ?? 0) > (s.observedGeneration ?? 0)) return { text: "Waiting for statefulset spec update to be observed..." };
  if ((s.readyReplicas ?? 0) < replicas) return { text: `Waiting for ${replicas - (s.readyReplicas ?? 0)} pods to be ready...` };
  const updated = s.updatedReplicas ?? 0;
  const partition = updateStrategy.rollingUpdate?.partition;
  if (partition !== undefined && partition > 0) {
    if (updated < replicas - partition) return { text: `Waiting for partitioned roll out to finish: ${updated} out of ${replicas - partition} new pods have been updated...` };
    return { text: `partitioned roll out complete: ${updated} new pods have been updated...`, done: true };
  }
  if (s.updateRevision !== s.currentRevision) return { text: `waiting for statefulset rolling update to complete ${updated} pods at revision ${s.updateRevision ?? ""}...` };
  return { text: `statefulset rolling update complete ${s.currentReplicas ?? 0} pods at revision ${s.currentRevision ?? ""}...`, done: true };
}

/** What `kubectl rollout status` says about a Deployment, DaemonSet or StatefulSet. `revision` 0: any. */
export const statusOf = (object: KubeObject, revision: number): RolloutStatus => (object.kind === "Deployment" ? deployment(object, revision) : object.kind === "DaemonSet" ? daemonSet(object) : statefulSet(object));
