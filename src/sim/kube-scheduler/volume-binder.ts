// Models kubernetes/pkg/scheduler/framework/plugins/volumebinding/binder.go (AssumePodVolumes, BindPodVolumes, checkBindings)
import type { KubeObject, Pod } from "../api/types.ts";
import { objectKey } from "../api/http.ts";
import { apiRequest } from "../client-go/api-client.ts";
import type { Ctx, MailId } from "../kernel/types.ts";
import { defaultProfile, profileFor } from "./config/load.ts";
import { type Cycle, CycleState } from "./framework.ts";
import { type Listers, type PersistentVolume, type PersistentVolumeClaim, withObject } from "./listers.ts";
import { namespaceOf, podInfoOf } from "./node-info.ts";
import { podVolumesOn, volumeBinding } from "./plugins/volume-binding.ts";
import { pointsOf } from "./plugins/registry.ts";
import { client, currentPod, nameOf, type SchedulerState, subjectOf, type VolumeWork } from "./scheduler-state.ts";
import { getNode } from "./snapshot.ts";
import { isFullyBound, isPreboundTo, podClaims, SELECTED_NODE, volumeReaches } from "./volumes.ts";

const BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

/** GetBindVolumeToClaim: the volume with the claim it is for. */
function boundTo(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { namespace, name, uid, resourceVersion } = claim.metadata;
  const annotations = isPreboundTo(volume, claim) ? volume.metadata.annotations : { ...volume.metadata.annotations, [BOUND_BY_CONTROLLER]: "yes" };
  const claimRef = { kind: "PersistentVolumeClaim", apiVersion: "v1", namespace: namespace ?? "", name: name ?? "", ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  return { ...volume, metadata: { ...volume.metadata, ...(annotations ? { annotations } : {}) }, spec: { ...volume.spec, claimRef } };
}

const objectsOf = ({ bindings, provisions }: VolumeWork): readonly (PersistentVolume | PersistentVolumeClaim)[] => [...bindings.map((b) => b.volume), ...provisions];

const withListers = (state: SchedulerState, listers: Listers): SchedulerState => ({ ...state, snapshot: { ...state.snapshot, listers } });

/** The object as the API server last told it, whatever is assumed about it. */
const stored = <T extends KubeObject>(state: SchedulerState, kind: T["kind"], key: string): T | undefined => {
  const resource = kind === "PersistentVolume" ? "persistentvolumes" : "persistentvolumeclaims";
  return state.informers.find((i) => i.watch.resource === resource)?.store.get(key) as T | undefined;
};

/** RevertAssumedPodVolumes: volumes and claims are again as the API server told them. */
export function revertVolumes(state: SchedulerState, work: VolumeWork | null): SchedulerState {
  if (!work) return state;
  const listers = objectsOf(work).reduce((all, object) => {
    const now = stored(state, object.kind, objectKey(object));
    return now ? withObject(all, now) : withObject(all, object, true);
  }, state.snapshot.listers);
  return withListers(state, listers);
}

/**
 * What has to be written before the Pod can be bound to the node, null if nothing: a free PersistentVolume gets the claim's
 * name, a claim the node's. The next Pod sees both as done.
 */
export function assumeVolumes(state: SchedulerState, pod: Pod, nodeName: string, ctx: Ctx): { readonly state: SchedulerState; readonly work: VolumeWork | null } {
  const node = getNode(state.snapshot, nodeName);
  const profile = profileFor(state.queue.config, pod) ?? defaultProfile;
  const nothing = { state, work: null };
  if (podClaims(pod).length === 0 || !node || !profile.plugins.preBind.includes(volumeBinding.name)) return nothing;
  const cycle: Cycle = { pod, podInfo: podInfoOf(pod), snapshot: state.snapshot, args: profile.args, state: new CycleState(), points: pointsOf(profile), weights: profile.weights, draw: 0 };
  if (volumeBinding.preFilter(cycle).status.code !== "Success") return nothing;
  const { staticBindings, provisions } = podVolumesOn(cycle, node);
  if (staticBindings.length + provisions.length === 0) return nothing;
  const work: VolumeWork = {
    bindings: staticBindings.map(({ claim, volume }) => ({ volume: boundTo(volume, claim), claim })),
    provisions: provisions.map((claim) => ({ ...claim, metadata: { ...claim.metadata, annotations: { ...claim.metadata.annotations, [SELECTED_NODE]: nodeName } } })),
    written: 0,
  };
  ctx.explain({
    text: `kube-scheduler asks for the volumes of ${nameOf(pod)} on ${nodeName} and waits until they are bound`,
    why: "the claims' StorageClass binds on first use (WaitForFirstConsumer): only now is it known where the Pod goes",
    subject: subjectOf(pod),
    level: "basic",
  });
  return { state: withListers(state, objectsOf(work).reduce((listers, object) => withObject(listers, object), state.snapshot.listers)), work };
}

/** Writes the next volume or claim; undefined when all are written. */
export function writeNext(work: VolumeWork, ctx: Ctx): MailId | undefined {
  const object = objectsOf(work)[work.written];
  if (!object) return undefined;
  const { namespace = "", name = "" } = object.metadata;
  const [path, subject] = object.kind === "PersistentVolume" ? [`/api/v1/persistentvolumes/${name}`, `persistentvolume/${name}`] : [`/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`, `persistentvolumeclaim/${namespace}/${name}`];
  return apiRequest(ctx, client, { method: "PUT", path, body: object, subject });
}

/** The answer to such a write: what the API server stored is what is waited for. */
export function written(work: VolumeWork, object: KubeObject | undefined): VolumeWork {
  const at = work.written;
  // A server that answers without the object leaves what was sent.
  const isWhole = object?.metadata !== undefined && object.kind !== "Status";
  const { bindings, provisions } = work;
  const binding = bindings[at];
  if (binding) return { ...work, bindings: isWhole ? bindings.with(at, { ...binding, volume: object as PersistentVolume }) : bindings, written: at + 1 };
  return { ...work, provisions: isWhole ? provisions.with(at - bindings.length, object as PersistentVolumeClaim) : provisions, written: at + 1 };
}

const isOlder = (a: KubeObject, than: KubeObject): boolean => Number(a.metadata.resourceVersion ?? 0) < Number(than.metadata.resourceVersion ?? 0);

/** checkBindings: true when all claims are bound, false to look again, or why it will not come to that. */
export function volumesBound(state: SchedulerState, pod: Pod, nodeName: string, work: VolumeWork): boolean | string {
  const node = getNode(state.snapshot, nodeName)?.node;
  if (!node) return `failed to get node "${nodeName}": node "${nodeName}" not found`;
  if (!currentPod(state, pod)) return `pod does not exist any more: pod "${pod.metadata.name ?? ""}" not found`;
  const mismatch = (volume: PersistentVolume): string => `pv "${volume.metadata.name ?? ""}" node affinity doesn't match node "${nodeName}": no matching NodeSelectorTerms`;
  for (const { volume: wanted, claim: of } of work.bindings) {
    const volume = stored<PersistentVolume>(state, "PersistentVolume", objectKey(wanted));
    if (!volume) return `failed to check binding: persistentvolumes "${wanted.metadata.name ?? ""}" not found`;
    const claim = stored<PersistentVolumeClaim>(state, "PersistentVolumeClaim", objectKey(of));
    if (!claim) return `failed to check binding: persistentvolumeclaims "${namespaceOf(pod)}/${of.metadata.name ?? ""}" not found`;
    if (isOlder(volume, wanted)) return false;
    if (!volumeReaches(volume, node)) return mismatch(volume);
    if (!volume.spec.claimRef?.uid) return `ClaimRef got reset for pv "${volume.metadata.name ?? ""}"`;
    if (!isFullyBound(claim)) return false;
  }
  for (const wanted of work.provisions) {
    const name = wanted.metadata.name ?? "";
    const claim = stored<PersistentVolumeClaim>(state, "PersistentVolumeClaim", objectKey(wanted));
    if (!claim) return `failed to check provisioning pvc: persistentvolumeclaims "${namespaceOf(pod)}/${name}" not found`;
    if (isOlder(claim, wanted)) return false;
    if (!claim.metadata.annotations) return `selectedNode annotation reset for PVC "${name}"`;
    if (claim.metadata.annotations[SELECTED_NODE] !== nodeName) return `provisioning failed for PVC "${name}"`;
    if (claim.spec.volumeName) {
      const volume = stored<PersistentVolume>(state, "PersistentVolume", claim.spec.volumeName);
      if (!volume) return false;
      if (!volumeReaches(volume, node)) return mismatch(volume);
    }
    if (!isFullyBound(claim)) return false;
  }
  return true;
}
