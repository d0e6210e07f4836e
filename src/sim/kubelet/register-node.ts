// Models kubernetes/pkg/kubelet/kubelet_node_status.go (registerWithAPIServer, initialNode)
import type { Node } from "../api/types.ts";
import { nodeNamed } from "../api/world.ts";
import type { Turn } from "./turn.ts";

const MACHINE = new Set(["capacity", "allocatable", "addresses", "nodeInfo", "images", "daemonEndpoints", "declaredFeatures"]);

/** What the machine is: its size, addresses, images and labels as they were at time 0. */
function initialNode(turn: Turn): Node | undefined {
  const { world, node } = turn.config;
  const known = nodeNamed(world, node.name);
  if (!known) return undefined;
  const machine = Object.entries(known.status ?? {}).filter(([field]) => MACHINE.has(field));
  // Simplified: the node keeps its address range; upstream's controller manager hands out a free one.
  const spec = { podCIDR: node.podCIDR, podCIDRs: [node.podCIDR] };
  return { apiVersion: "v1", kind: "Node", metadata: { name: node.name, labels: known.metadata.labels ?? {} }, spec, status: { ...Object.fromEntries(machine), conditions: [] } } as Node;
}

/** A kubelet that starts and finds no Node of its name makes one. */
// Simplified: upstream posts first, and takes "already exists" for an answer.
export function registerNode(turn: Turn): void {
  const body = initialNode(turn);
  if (!body) return;
  turn.explain(`The kubelet registers ${turn.config.node.name} as a new Node: from now on Pods can be placed there`, undefined, { level: "basic" });
  turn.api({ method: "POST", path: "/api/v1/nodes", body, subject: `node/${turn.config.node.name}`, level: "basic" }, { for: "node" });
}
