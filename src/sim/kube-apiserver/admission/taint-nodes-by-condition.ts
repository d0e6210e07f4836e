// Models kubernetes/plugin/pkg/admission/nodetaint/admission.go
import type { Node, Taint } from "../../api/types.ts";
import type { AdmissionPlugin } from "./attributes.ts";

const NOT_READY: Taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/** A new node takes no Pods until the node lifecycle controller has seen it ready. */
export const taintNodesByCondition = {
  name: "TaintNodesByCondition",
  handles: ({ group, resource, subresource, operation }) => group === "" && resource === "nodes" && subresource === "" && operation === "CREATE",

  admit(object) {
    const node = object as Node;
    const taints = node.spec?.taints ?? [];
    if (taints.some((t) => t.key === NOT_READY.key && t.effect === NOT_READY.effect)) return node;
    return { ...node, spec: { ...node.spec, taints: [...taints, NOT_READY] } };
  },
} satisfies AdmissionPlugin;
