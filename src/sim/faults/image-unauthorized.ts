import { type Fault, inside } from "./fault.ts";

export const imageUnauthorized = {
  id: "image.unauthorized",
  title: "The image is private",
  group: "image",
  symptom: "STATUS is ErrImagePull, then ImagePullBackOff: pull access denied, repository does not exist or may require authorization",
  command: "kubectl describe pod",
  fix: "Make a Secret with the credentials (kubectl create secret docker-registry) and name it in the Pod's or its ServiceAccount's imagePullSecrets.",
  params: [
    { name: "image", label: "Image", default: "nginx:1.27" },
    { name: "username", label: "User who may pull it", default: "ada" },
    { name: "password", label: "Password", default: "lovelace" },
  ],
  // A cached copy would hide it: it goes from the nodes' disks.
  ...inside("image.unauthorized", (_params, view) => ["registry", ...view.components.filter((id) => id.startsWith("containerd@"))]),
} satisfies Fault;
