import { type Fault, inside, onNodes } from "./fault.ts";

export const cniAddFails = {
  id: "cni.add-fails",
  title: "The network plugin fails",
  group: "network",
  symptom: "STATUS stays ContainerCreating; FailedCreatePodSandBox names the plugin and its error, SandboxChanged follows at each try; Pods that are deleted stay Terminating with FailedKillPod",
  command: "kubectl describe pod",
  fix: "Mend what the error names, mostly the add-on's agent on that node (kubectl -n kube-system get pods -o wide); the kubelet tries again by itself.",
  params: [
    { name: "node", label: "Node (empty: every node)", default: "" },
    { name: "plugin", label: "Plugin", default: "cilium-cni" },
    { name: "error", label: "Its error", default: "unable to connect to Cilium agent: failed to create cilium agent client after 30.000000 seconds timeout: Get \"http://localhost/v1/config\": dial unix /var/run/cilium/cilium.sock: connect: no such file or directory\nIs the agent running?" },
    { name: "seconds", label: "Seconds until it gives up", default: 30 },
    { name: "deleteToo", label: "Taking down fails too", default: true },
  ],
  ...inside("cni.add-fails", onNodes("cni")),
} satisfies Fault;
