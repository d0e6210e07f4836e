// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller.go: what a sync of the binder goes on with after an answer
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/storage.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { View } from "../caches.ts";
import type { Plan } from "../controller.ts";

export type Work =
  /** The writes that tie a volume and a claim together; `stage` is the one that is out. */
  | { readonly step: "bind"; readonly stage: number; readonly volume: PersistentVolume; readonly claim: PersistentVolumeClaim }
  /** One write; the events follow when it is through, or tell that it failed. */
  | { readonly step: "write"; readonly events: readonly EventToRecord[]; readonly failed?: { readonly object: PersistentVolumeClaim; readonly words: string } }
  /** The server is asked whether a claim that the cache does not know is really gone. */
  | { readonly step: "claim"; readonly volume: PersistentVolume }
  | { readonly step: "released" }
  | { readonly step: "unbound" }
  | { readonly step: "recycle" | "delete" | "finalizer"; readonly volume: PersistentVolume };

export type V = View<undefined>;
export type P = Plan<Work, undefined>;
