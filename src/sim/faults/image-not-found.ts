import { type Fault, inside } from "./fault.ts";

export const imageNotFound = {
  id: "image.not-found",
  title: "The image is gone from the registry",
  group: "image",
  symptom: "STATUS is ErrImagePull, then ImagePullBackOff; containers that run already go on",
  command: "kubectl describe pod",
  fix: "Correct the image's name or tag, or push the image.",
  params: [{ name: "image", label: "Image", default: "nginx:1.27" }],
  // Deleted where it was kept, and from every node's disk: a cached copy would hide that it is gone.
  ...inside("image.not-found", (_params, view) => ["registry", ...view.components.filter((id) => id.startsWith("containerd@"))]),
} satisfies Fault;
