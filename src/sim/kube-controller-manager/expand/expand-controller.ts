// Models kubernetes/pkg/controller/volume/expand/expand_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { compareQuantity } from "../../api/quantity.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/storage.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, bodyOf, type ControllerConfig, type ControllerState, createController, type Handled, messageOf, type Plan, watchesOf } from "../controller.ts";
import { pathOf, subjectOf } from "../resources.ts";

const ID = "persistentvolume-expander-controller";
const RESOURCES = ["persistentvolumeclaims"] as const;
const PRE_RESIZE = "volume.alpha.kubernetes.io/pre-resize-capacity";

type Claim = PersistentVolumeClaim;
type P = Plan<"volume", undefined>;

const asked = (claim: Claim): string | number | undefined => claim.spec.resources?.requests?.["storage"];
const has = (claim: Claim): string | number | undefined => claim.status?.capacity?.["storage"];

function handle(change: Change, _resource: string, view: View<undefined>): Handled<undefined> {
  const claim = change.object as Claim;
  if (claim.status?.phase !== "Bound") return {};
  if (change.type === "update") {
    const old = change.old as Claim;
    return compareQuantity(asked(claim), asked(old)) > 0 || compareQuantity(has(claim), has(old)) > 0 ? { keys: [{ key: objectKey(claim) }] } : {};
  }
  // What was there before the story has been looked at.
  return view.now === 0 ? {} : { keys: [{ key: objectKey(claim) }] };
}

function sync(key: string, view: View<undefined>): P {
  const claim = view.get<Claim>("persistentvolumeclaims", key);
  if (!claim) return {};
  const name = claim.spec.volumeName ?? "";
  return { batches: [[{ method: "GET", path: pathOf("PersistentVolume", undefined, name), subject: `persistentvolume/${name}` }]], next: "volume" };
}

/** The volume as the server has it. */
function resume(key: string, _work: "volume", [answer]: readonly Answer[], view: View<undefined>): P {
  const claim = view.get<Claim>("persistentvolumeclaims", key);
  const volume = bodyOf(answer) as PersistentVolume | undefined;
  if (!claim) return {};
  if (volume === undefined) return { error: `failed to get PV "${claim.spec.volumeName ?? ""}": ${answer === undefined ? "" : messageOf(answer)}` };
  const ref = volume.spec.claimRef;
  if (ref?.namespace !== claim.metadata.namespace || ref?.uid !== claim.metadata.uid) return { error: `persistent Volume is not bound to PVC being updated : ${key}` };
  if (compareQuantity(asked(claim), has(claim)) <= 0 && volume.metadata.annotations?.[PRE_RESIZE] === undefined) return {};
  return {
    // Simplified: upstream names the driver when a volume of a plugin of old is grown.
    events: [{ object: claim, type: "Normal", reason: "ExternalExpanding", message: "waiting for an external controller to expand this PVC" }],
    notes: [{ text: `persistentvolume-expander-controller leaves claim ${claim.metadata.name ?? ""} to the volume's driver`.slice(0, 138), why: "No plugin of its own can grow this volume: the driver's resizer sees the claim too", level: "basic", subject: subjectOf(claim), status: "idle" }],
  };
}

/** Tells on a claim that has grown who must grow its volume. */
export const createExpandController = (config: ControllerConfig): Component<ControllerState<"volume", undefined>> =>
  createController<"volume", undefined>({ id: ID, account: "expand-controller", eventSource: "volume_expand", resources: RESOURCES, workers: 10, latency: "persistentvolume.sync", memory: undefined, handle, sync, resume }, config);

export const expandWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
