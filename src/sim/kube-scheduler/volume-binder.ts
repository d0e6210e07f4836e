// Models kubernetes/pkg/scheduler/framework/plugins/volumebinding/binder.go (BindPodVolumes)
import type { Pod } from "../api/types.ts";
import { apiRequest } from "../client-go/api-client.ts";
import type { Ctx } from "../kernel/types.ts";
import { defaultProfile, profileFor } from "./config/load.ts";
import { type Cycle, CycleState } from "./framework.ts";
import { getFrom } from "./listers.ts";
import { namespaceOf, podInfoOf } from "./node-info.ts";
import { podVolumesOn, volumeBinding } from "./plugins/volume-binding.ts";
import { pointsOf } from "./plugins/registry.ts";
import { client, nameOf, type SchedulerState, subjectOf } from "./scheduler-state.ts";
import { getNode } from "./snapshot.ts";
import { isFullyBound, podClaims, SELECTED_NODE } from "./volumes.ts";

/**
 * Asks for the volumes that the Pod needs on its node: claims a free PersistentVolume, or tells the provisioner by an
 * annotation where the volume must be. True if there is something to wait for.
 */
export function bindVolumes(state: SchedulerState, pod: Pod, nodeName: string, ctx: Ctx): boolean {
  const node = getNode(state.snapshot, nodeName);
  const profile = profileFor(state.queue.config, pod) ?? defaultProfile;
  if (podClaims(pod).length === 0 || !node || !profile.plugins.preBind.includes(volumeBinding.name)) return false;
  const cycle: Cycle = { pod, podInfo: podInfoOf(pod), snapshot: state.snapshot, args: profile.args, state: new CycleState(), points: pointsOf(profile), weights: profile.weights };
  if (volumeBinding.preFilter(cycle).status.code !== "Success") return false;
  const { staticBindings, provisions } = podVolumesOn(cycle, node);
  for (const { claim, volume } of staticBindings) {
    const claimRef = { kind: "PersistentVolumeClaim", apiVersion: "v1", namespace: namespaceOf(pod), name: claim.metadata.name, uid: claim.metadata.uid, resourceVersion: claim.metadata.resourceVersion };
    const name = volume.metadata.name ?? "";
    apiRequest(ctx, client, { method: "PUT", path: `/api/v1/persistentvolumes/${name}`, body: { ...volume, spec: { ...volume.spec, claimRef } }, subject: `persistentvolume/${name}` });
  }
  for (const claim of provisions) {
    const annotations = { ...claim.metadata.annotations, [SELECTED_NODE]: nodeName };
    const name = claim.metadata.name ?? "";
    apiRequest(ctx, client, { method: "PUT", path: `/api/v1/namespaces/${namespaceOf(pod)}/persistentvolumeclaims/${name}`, body: { ...claim, metadata: { ...claim.metadata, annotations } }, subject: `persistentvolumeclaim/${namespaceOf(pod)}/${name}` });
  }
  if (staticBindings.length + provisions.length === 0) return false;
  ctx.explain({
    text: `kube-scheduler asks for the volumes of ${nameOf(pod)} on ${nodeName} and waits until they are bound`,
    why: "the claims' StorageClass binds on first use (WaitForFirstConsumer): only now is it known where the Pod goes",
    subject: subjectOf(pod),
    level: "basic",
  });
  return true;
}

export const volumesBound = (state: SchedulerState, pod: Pod): boolean =>
  podClaims(pod).every(({ name }) => {
    const claim = getFrom(state.snapshot.listers.persistentVolumeClaims, namespaceOf(pod), name);
    return claim !== undefined && isFullyBound(claim);
  });
