import { type Fault, inside } from "./fault.ts";

export const imageRateLimited = {
  id: "image.rate-limited",
  title: "The registry gives out no more images for now",
  group: "image",
  symptom: "STATUS is ErrImagePull, then ImagePullBackOff: 429 Too Many Requests, toomanyrequests; cached images still start",
  command: "kubectl describe pod",
  fix: "Log in (imagePullSecrets raise the limit), use a mirror or wait for the window: the next try of the back-off, at most 5 minutes later, succeeds.",
  params: [
    { name: "registry", label: "Registry (empty: every one)", default: "docker.io" },
    { name: "uncached", label: "Image that no node has (empty: copies stay)", default: "nginx:1.27" },
  ],
  ...inside("image.rate-limited", (_params, view) => ["registry", ...view.components.filter((id) => id.startsWith("containerd@"))]),
} satisfies Fault;
