// Models kubernetes/pkg/scheduler/framework/plugins/nodename/node_name.go
import { type Plugin, success, unresolvable } from "../framework.ts";

/** A Pod that names its node fits that node only. */
export const nodeName = {
  name: "NodeName",

  filter(cycle, node) {
    const wanted = cycle.pod.spec.nodeName;
    return !wanted || wanted === node.name ? success : unresolvable("node(s) didn't match the requested node name");
  },
} satisfies Plugin;
