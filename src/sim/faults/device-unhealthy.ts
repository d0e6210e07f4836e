import { type Fault, inside } from "./fault.ts";
import { healedNodes, struckNode } from "./node-of.ts";

export const deviceUnhealthy = {
  id: "device.unhealthy",
  title: "A device plugin finds its devices broken",
  group: "node",
  symptom: "A Pod that was bound in the same 10 s gets STATUS UnexpectedAdmissionError and fails; later ones stay Pending with Insufficient. Running ones go on",
  command: "kubectl describe node",
  fix: "Mend the device or its plugin; a Pod that was refused stays Failed: its controller, or you, must make another.",
  params: [
    { name: "node", label: "Node (empty: the newest Pod's)", default: "" },
    { name: "resource", label: "Resource (empty: the node's first)", default: "" },
    { name: "healthy", label: "Devices that stay healthy", default: 0 },
  ],
  ...inside("device.unhealthy", struckNode("kubelet"), healedNodes("kubelet")),
} satisfies Fault;
