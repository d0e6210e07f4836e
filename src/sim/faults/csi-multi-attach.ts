import type { KubeObject } from "../api/types.ts";
import type { WorldView } from "../kernel/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import { etcdMembers } from "./etcd-members.ts";
import { type Fault, text } from "./fault.ts";
import { healedMachines, nodeOf, onMachine } from "./node-of.ts";

interface Attachment extends KubeObject {
  readonly spec: { readonly nodeName?: string; readonly source?: { readonly persistentVolumeName?: string } };
}

/** Where the volume is attached, or the one that was attached last; without any, the newest Pod's node. */
function holder(params: FaultParams, view: WorldView): string {
  const volume = text(params, "volume");
  const [member] = etcdMembers(view);
  let newest = -1;
  let node = "";
  for (const [key, { createRevision, value }] of member?.store.keys.entries() ?? []) {
    const { nodeName, source } = (value as Attachment).spec ?? {};
    if (!key.startsWith("/registry/volumeattachments/") || nodeName === undefined || createRevision < newest || (volume !== "" && source?.persistentVolumeName !== volume)) continue;
    newest = createRevision;
    node = nodeName;
  }
  return node === "" && volume === "" ? nodeOf({}, view) : node;
}

export const csiMultiAttach = {
  id: "csi.multi-attach",
  title: "The node that a disk is attached to dies",
  group: "storage",
  symptom: "After the eviction the replacement stays ContainerCreating with the event FailedAttachVolume: Multi-Attach error, as long as the old Pod is Terminating on the dead node, and 6 minutes more",
  command: "kubectl get volumeattachments",
  fix: "Start the node again. If it is surely off: kubectl delete pod OLD --force lets the disk go after 6 minutes; kubectl taint nodes NODE node.kubernetes.io/out-of-service=nodeshutdown:NoExecute at once.",
  params: [{ name: "volume", label: "PersistentVolume (empty: the one attached last)", default: "" }],
  begin: (params, view) => onMachine({ node: holder(params, view) }, view).map((component) => ({ type: "stop", component, how: "machine" })),
  end: (_, view) => healedMachines({}, view).map((component) => ({ type: "start", component })),
} satisfies Fault;
