import { type Fault, inside } from "./fault.ts";

export const csiProvisionFails = {
  id: "csi.provision-fails",
  title: "The storage system makes no new volumes",
  group: "storage",
  symptom: "The claim stays Pending with the event ProvisioningFailed, and so does the Pod; volumes that exist go on working, but cannot grow",
  command: "kubectl describe pvc",
  fix: "Make room in the storage system, or name a StorageClass of another one; the provisioner tries again by itself.",
  params: [{ name: "storageClass", label: "StorageClass (empty: every one)", default: "standard" }],
  ...inside("csi.provision-fails", () => ["csi-controller"]),
} satisfies Fault;
