import { type Fault, inside } from "./fault.ts";

export const csiAttachFails = {
  id: "csi.attach-fails",
  title: "The storage system refuses to attach disks to a node",
  group: "storage",
  symptom: "STATUS stays ContainerCreating with the event FailedAttachVolume; Pods whose disks are attached already go on",
  command: "kubectl describe pod",
  fix: "Mend what the driver's error names (limits, permissions, a disk that is gone), or let the Pod run on another node.",
  params: [{ name: "node", label: "Node (empty: every node)", default: "" }],
  ...inside("csi.attach-fails", () => ["csi-controller"]),
} satisfies Fault;
