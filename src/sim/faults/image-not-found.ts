import { type Fault, inside } from "./fault.ts";

export const imageNotFound = {
  id: "image.not-found",
  title: "The image is not in the registry",
  group: "image",
  symptom: "STATUS is ErrImagePull, then ImagePullBackOff, on nodes that do not hold the image",
  command: "kubectl describe pod",
  fix: "Correct the image's name or tag, or push the image.",
  params: [{ name: "image", label: "Image", default: "nginx:1.27" }],
  ...inside("image.not-found", () => ["registry"]),
} satisfies Fault;
