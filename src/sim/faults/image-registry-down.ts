import { type Fault, inside } from "./fault.ts";

export const imageRegistryDown = {
  id: "image.registry-down",
  title: "The registry cannot be reached",
  group: "image",
  symptom: "Pulls fail after 30 s each: dial tcp ... i/o timeout, then ImagePullBackOff; images on the node still start unless their pull policy is Always",
  command: "kubectl describe pod",
  fix: "Mend the way to the registry (firewall, proxy, its servers), or use imagePullPolicy: IfNotPresent and a mirror; the back-off tries again by itself.",
  params: [
    { name: "registry", label: "Registry (empty: every one)", default: "docker.io" },
    { name: "uncached", label: "Image that no node has (empty: copies stay)", default: "" },
  ],
  ...inside("image.registry-down", (_params, view) => ["registry", ...view.components.filter((id) => id.startsWith("containerd@"))]),
} satisfies Fault;
