import { type Fault, inside } from "./fault.ts";

export const imageWrongArchitecture = {
  id: "image.wrong-architecture",
  title: "The image is built for another processor",
  group: "image",
  symptom: "The pull succeeds, the program does not start: exec format error, then CrashLoopBackOff; an index without this platform fails the pull instead: no match for platform in manifest",
  command: "kubectl logs",
  fix: "Build and push the image for the nodes' platform too (docker buildx --platform), or keep the Pod on matching nodes (nodeSelector kubernetes.io/arch). Nodes keep the bad copy until it is pulled anew or removed.",
  params: [
    { name: "image", label: "Image", default: "nginx:1.27" },
    { name: "architecture", label: "It is built for", default: "arm64", options: ["arm64", "s390x", "ppc64le"] },
    { name: "pushedAs", label: "It was pushed as", default: "manifest", options: ["manifest", "index"] },
  ],
  // Copies of before go from the disks, and the bad ones when the right image is pushed (crictl rmi).
  ...inside("image.wrong-architecture", (_params, view) => ["registry", ...view.components.filter((id) => id.startsWith("containerd@"))]),
} satisfies Fault;
