// Models printPersistentVolume, printPersistentVolumeClaim and printStorageClass of kubernetes/pkg/printers/internalversion/printers.go
import { canonicalQuantity } from "../../api/quantity.ts";
import type { Quantity } from "../../api/types.ts";
import { ageOf, columns, json, list, nameOf, type Printer, text } from "./printer.ts";

const MODES: readonly (readonly [string, string])[] = [["ReadWriteOnce", "RWO"], ["ReadOnlyMany", "ROX"], ["ReadWriteMany", "RWX"], ["ReadWriteOncePod", "RWOP"]];
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const DEFAULT_ANNOTATIONS = ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"];

/** Always in this order, whatever the order in the spec. */
const accessModes = (modes: unknown): string => MODES.filter(([mode]) => list(modes).includes(mode)).map(([, short]) => short).join(",");
const unset = (value: unknown): string => (value === undefined ? "<unset>" : text(value));

export const persistentVolumeClaimPrinter = {
  kinds: ["v1/PersistentVolumeClaim"],
  columns: columns("Name Status Volume Capacity Access_Modes StorageClass VolumeAttributesClass Age [VolumeMode]"),
  row(object, now) {
    const spec = json(object.spec);
    const status = json(object.status);
    const volume = text(spec["volumeName"]);
    const phase = object.metadata.deletionTimestamp === undefined ? text(status["phase"]) : "Terminating";
    const capacity = canonicalQuantity((json(status["capacity"])["storage"] ?? 0) as Quantity);
    return [
      nameOf(object), phase, volume, volume === "" ? "" : capacity, volume === "" ? "" : accessModes(status["accessModes"]),
      object.metadata.annotations?.[CLASS_ANNOTATION] ?? text(spec["storageClassName"]), unset(spec["volumeAttributesClassName"]), ageOf(object, now), unset(spec["volumeMode"]),
    ];
  },
} satisfies Printer;

export const persistentVolumePrinter = {
  kinds: ["v1/PersistentVolume"],
  columns: columns("Name Capacity Access_Modes Reclaim_Policy Status Claim StorageClass VolumeAttributesClass Reason Age [VolumeMode]"),
  row(object, now) {
    const spec = json(object.spec);
    const status = json(object.status);
    const claim = json(spec["claimRef"]);
    return [
      nameOf(object), canonicalQuantity((json(spec["capacity"])["storage"] ?? 0) as Quantity), accessModes(spec["accessModes"]), text(spec["persistentVolumeReclaimPolicy"]),
      object.metadata.deletionTimestamp === undefined ? text(status["phase"]) : "Terminating", spec["claimRef"] === undefined ? "" : `${text(claim["namespace"])}/${text(claim["name"])}`,
      object.metadata.annotations?.[CLASS_ANNOTATION] ?? text(spec["storageClassName"]), unset(spec["volumeAttributesClassName"]), text(status["reason"]), ageOf(object, now), unset(spec["volumeMode"]),
    ];
  },
} satisfies Printer;

export const storageClassPrinter = {
  kinds: ["storage.k8s.io/v1/StorageClass"],
  columns: columns("Name Provisioner ReclaimPolicy VolumeBindingMode AllowVolumeExpansion Age"),
  row(object, now) {
    const { provisioner, reclaimPolicy, volumeBindingMode, allowVolumeExpansion } = object as unknown as Readonly<Record<string, unknown>>;
    const isDefault = DEFAULT_ANNOTATIONS.some((key) => object.metadata.annotations?.[key] === "true");
    return [
      isDefault ? `${nameOf(object)} (default)` : nameOf(object), text(provisioner), text(reclaimPolicy ?? "Delete"), text(volumeBindingMode ?? "Immediate"), String(allowVolumeExpansion === true), ageOf(object, now),
    ];
  },
} satisfies Printer;

export const volumeAttachmentPrinter = {
  kinds: ["storage.k8s.io/v1/VolumeAttachment"],
  columns: columns("Name Attacher PV Node Attached Age"),
  row(object, now) {
    const spec = json(object.spec);
    return [nameOf(object), text(spec["attacher"]), text(json(spec["source"])["persistentVolumeName"]), text(spec["nodeName"]), String(json(object.status)["attached"] === true), ageOf(object, now)];
  },
} satisfies Printer;

export const csiNodePrinter = {
  kinds: ["storage.k8s.io/v1/CSINode"],
  columns: columns("Name Drivers Age"),
  row: (object, now) => [nameOf(object), String(list(json(object.spec)["drivers"]).length), ageOf(object, now)],
} satisfies Printer;

export const csiDriverPrinter = {
  kinds: ["storage.k8s.io/v1/CSIDriver"],
  columns: columns("Name AttachRequired PodInfoOnMount StorageCapacity TokenRequests RequiresRepublish Modes Age"),
  row(object, now) {
    const spec = json(object.spec);
    const tokens = spec["tokenRequests"] === undefined ? "<unset>" : list(spec["tokenRequests"]).map((t) => text(json(t)["audience"])).join(",");
    const modes = list(spec["volumeLifecycleModes"]).map(text).join(",") || "<none>";
    return [nameOf(object), String(spec["attachRequired"] !== false), String(spec["podInfoOnMount"] === true), String(spec["storageCapacity"] === true), tokens, String(spec["requiresRepublish"] === true), modes, ageOf(object, now)];
  },
} satisfies Printer;
