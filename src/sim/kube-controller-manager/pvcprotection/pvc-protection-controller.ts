// Models kubernetes/pkg/controller/volume/pvcprotection/pvc_protection_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { claimKeysOf, type PersistentVolumeClaim } from "../../api/storage.ts";
import type { Pod } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { World } from "../../api/world.ts";
import type { Component } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, isSuccess, messageOf, type Plan, lazyWatchesOf } from "../controller.ts";
import { finalizersCall } from "../persistentvolume/writes.ts";
import { controllerOf, isPodTerminated } from "../pods.ts";
import { collectionPath, subjectOf } from "../resources.ts";

const ID = "pvc-protection-controller";
const RESOURCES = ["persistentvolumeclaims", "pods"] as const;
const FINALIZER = "kubernetes.io/pvc-protection";

type Step = "listed" | "written";

const hasFinalizer = (claim: PersistentVolumeClaim): boolean => claim.metadata.finalizers?.includes(FINALIZER) ?? false;
const isCandidate = (claim: PersistentVolumeClaim): boolean => claim.metadata.deletionTimestamp !== undefined && hasFinalizer(claim);
const needsFinalizer = (claim: PersistentVolumeClaim): boolean => claim.metadata.deletionTimestamp === undefined && !hasFinalizer(claim);

/** Claims that a Pod names or that were made for its ephemeral volumes. */
function claimsToLookAt(pod: Pod, view: View): readonly Enqueue[] {
  return claimKeysOf(pod).flatMap((key) => (view.get<PersistentVolumeClaim>("persistentvolumeclaims", key) === undefined ? [] : [{ key }]));
}

function handle(change: Change, resource: string, view: View): Handled<unknown> {
  if (resource === "persistentvolumeclaims") {
    const claim = change.object as PersistentVolumeClaim;
    return change.type !== "delete" && (isCandidate(claim) || needsFinalizer(claim)) ? { keys: [{ key: objectKey(claim) }] } : {};
  }
  const pod = change.object as Pod;
  // One that was replaced under its name frees the claims of the old one.
  const replaced = change.type === "update" && change.old.metadata.uid !== pod.metadata.uid ? claimsToLookAt(change.old as Pod, view) : [];
  const freed = change.type === "delete" || isPodTerminated(pod) || !pod.spec.nodeName ? claimsToLookAt(pod, view) : [];
  return replaced.length + freed.length === 0 ? {} : { keys: [...freed, ...replaced] };
}

/** podUsesPVCForDeletion: a Pod on a node holds what it names until it is deleted, its ephemeral claims until it has ended. */
function uses(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if (!pod.spec.nodeName) return false;
  return (pod.spec.volumes ?? []).some((volume) => {
    if (volume.persistentVolumeClaim) return volume.persistentVolumeClaim.claimName === claim.metadata.name;
    return volume.ephemeral !== undefined && !isShutDown(pod) && `${pod.metadata.name ?? ""}-${volume.name}` === claim.metadata.name && controllerOf(claim)?.uid === pod.metadata.uid;
  });
}

/** podIsShutDown: the kubelet is done with it, or nothing but its object is left. */
const isShutDown = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined && pod.metadata.deletionGracePeriodSeconds === 0;

function sync(key: string, view: View): Plan<Step> {
  const claim = view.get<PersistentVolumeClaim>("persistentvolumeclaims", key);
  if (!claim) return {};
  if (needsFinalizer(claim)) return { batches: [[finalizersCall(claim, [...(claim.metadata.finalizers ?? []), FINALIZER])]], next: "written" };
  if (!isCandidate(claim)) return {};
  const user = view.byIndex<Pod>("podsByClaim", key).find((pod) => uses(pod, claim));
  if (user) return kept(claim, user);
  // The cache may not know the newest Pod yet: the server is asked before the claim may go.
  return { batches: [[{ method: "GET", path: collectionPath("Pod", claim.metadata.namespace), subject: `pods of ${claim.metadata.namespace ?? ""}` }]], next: "listed" };
}

const kept = (claim: PersistentVolumeClaim, user: Pod): Plan<Step> => ({
  notes: [{ text: `Claim ${claim.metadata.name ?? ""} stays Terminating: Pod ${user.metadata.name ?? ""} uses it`.slice(0, 138), why: `Its finalizer ${FINALIZER} keeps it`, level: "basic", subject: subjectOf(claim), status: "idle" }],
});

function resume(key: string, step: Step, [answer]: readonly Answer[], view: View): Plan<Step> {
  if (answer === undefined || !isSuccess(answer)) return answer === undefined || answer.status === 404 ? {} : { error: messageOf(answer) };
  const claim = view.get<PersistentVolumeClaim>("persistentvolumeclaims", key);
  if (step === "written" || !claim || !isCandidate(claim)) return {};
  const user = (answer.body as { readonly items: readonly Pod[] }).items.find((pod) => uses(pod, claim));
  if (user) return kept(claim, user);
  return { batches: [[finalizersCall(claim, (claim.metadata.finalizers ?? []).filter((entry) => entry !== FINALIZER))]], next: "written" };
}

/** Keeps a deleted claim until no Pod uses it. */
export const createPVCProtectionController = (config: ControllerConfig): Component<ControllerState<Step>> =>
  createController<Step, unknown>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      lazy: true,
      indexers: { podsByClaim: { resource: "pods", values: (object) => claimKeysOf(object as Pod) } },
      workers: 30,
      latency: "persistentvolume.sync",
      memory: undefined,
      handle,
      sync,
      resume,
    },
    config,
  );

export const pvcProtectionWatches = (world?: World): WatchSpec[] => lazyWatchesOf(ID, RESOURCES, world);
