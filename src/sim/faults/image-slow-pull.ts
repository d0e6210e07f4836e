import { type Fault, inside } from "./fault.ts";

export const imageSlowPull = {
  id: "image.slow-pull",
  title: "The registry is slow",
  group: "image",
  symptom: "STATUS is ContainerCreating and the last event Pulling, for long; other Pods of the node wait for their turn (serializeImagePulls)",
  command: "kubectl describe pod",
  fix: "Wait, make the image smaller, pull it beforehand or from a registry nearby; parallel pulls (serializeImagePulls: false) keep others from waiting.",
  params: [
    { name: "registry", label: "Registry (empty: every one)", default: "" },
    { name: "factor", label: "Times as slow", default: 20 },
    { name: "uncached", label: "Image that no node has (empty: copies stay)", default: "nginx:1.27" },
  ],
  ...inside("image.slow-pull", (_params, view) => ["registry", ...view.components.filter((id) => id.startsWith("containerd@"))]),
} satisfies Fault;
