import { everyNodes, type Fault, inside } from "./fault.ts";

export const csiManyFiles = {
  id: "csi.many-files",
  title: "A disk holds millions of files",
  group: "storage",
  symptom: "A Pod with fsGroup stays ContainerCreating for minutes; after 30 s VolumePermissionChangeInProgress says that setting volume ownership takes longer than expected",
  command: "kubectl describe pod",
  fix: "fsGroupChangePolicy: OnRootMismatch. A restart of the Pod before the end begins the walk anew.",
  params: [
    { name: "volume", label: "PersistentVolume (empty: each)", default: "" },
    { name: "files", label: "Files", default: 2_000_000 },
  ],
  ...inside("csi.many-files", everyNodes("kubelet")),
} satisfies Fault;
