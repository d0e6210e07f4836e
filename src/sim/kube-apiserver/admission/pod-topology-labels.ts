// Models kubernetes/plugin/pkg/admission/podtopologylabels/admission.go
import type { Binding } from "../../api/types.ts";
import type { AdmissionPlugin } from "./attributes.ts";

const LABELS = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

/** The zone and region of the node, copied onto the Pod when it is bound, so that the downward API can show them. */
export const podTopologyLabels = {
  name: "PodTopologyLabels",
  handles: ({ resource, subresource, operation }) => operation === "CREATE" && ((resource === "pods" && subresource === "binding") || resource === "bindings"),

  admit(object, attrs) {
    const binding = object as Binding;
    if (binding.target?.kind !== undefined && binding.target.kind !== "Node") return binding;
    const node = attrs.lookup("nodes", "", binding.target?.name ?? "");
    const found = LABELS.flatMap((key) => {
      const value = node?.metadata.labels?.[key];
      return value === undefined ? [] : [[key, value] as const];
    });
    return found.length === 0 ? binding : { ...binding, metadata: { ...binding.metadata, labels: { ...binding.metadata.labels, ...Object.fromEntries(found) } } };
  },
} satisfies AdmissionPlugin;
