import { type Fault, inside, onNodes } from "./fault.ts";

const MANIFEST = `apiVersion: v1
kind: Pod
metadata:
  name: static-web
spec:
  containers:
  - name: web
    image: nginx:1.27
`;

export const kubeletStaticPod = {
  id: "kubelet.static-pod",
  title: "Somebody has put a Pod's manifest on a node",
  group: "node",
  symptom: "A Pod NAME-NODE that nobody sent to the API server; deleting it brings it back at once",
  command: "kubectl get pods -o wide",
  fix: "Remove the file from /etc/kubernetes/manifests on the node: what the API shows is only a mirror.",
  params: [
    { name: "node", label: "Node (empty: every node)", default: "" },
    { name: "path", label: "File", default: "/etc/kubernetes/manifests/static-web.yaml" },
    { name: "manifest", label: "Its text", default: MANIFEST },
  ],
  ...inside("kubelet.static-pod", onNodes("kubelet")),
} satisfies Fault;
