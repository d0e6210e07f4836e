import { cloud } from "./cloud.ts";
import { coreDns } from "./coredns.ts";
import { calicoWorld, gpuNodes, highlyAvailable, metricsWorld, oneNode, smallServer, threeNodes } from "./small.ts";
import { tenNodes } from "./ten-nodes.ts";
import type { WorldFile } from "./world-file.ts";

/** As kubeadm leaves a cluster: CoreDNS runs where the control plane does. */
function withCoreDns(world: WorldFile): WorldFile {
  const node = world.objects.find(({ kind, metadata }) => kind === "Node" && metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined);
  return node?.metadata.name === undefined ? world : { ...world, objects: [...world.objects, ...coreDns(node.metadata.name)] };
}

/** The clusters a run can start in; the first is the default. */
export const WORLDS: readonly WorldFile[] = [tenNodes, oneNode, smallServer, threeNodes, metricsWorld, calicoWorld, gpuNodes, highlyAvailable, cloud].map(withCoreDns);
