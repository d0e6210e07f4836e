import { type Fault, inside } from "./fault.ts";

export const csiAttachSlow = {
  id: "csi.attach-slow",
  title: "Attaching a disk takes very long",
  group: "storage",
  symptom: "STATUS stays ContainerCreating; FailedAttachVolume says DeadlineExceeded until the disk is there after all",
  command: "kubectl get volumeattachments",
  fix: "Wait: the attacher asks again, and the driver goes on where it was. Then ask the storage system why.",
  params: [
    { name: "node", label: "Node (empty: every node)", default: "" },
    { name: "seconds", label: "Seconds", default: 60 },
  ],
  ...inside("csi.attach-slow", () => ["csi-controller"]),
} satisfies Fault;
