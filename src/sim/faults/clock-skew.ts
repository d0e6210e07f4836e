import { type Fault, inside, text } from "./fault.ts";
import { nodeOf } from "./node-of.ts";

export const clockSkew = {
  id: "clock.skew",
  title: "The clock of a node is wrong",
  group: "node",
  symptom: "Times that the node writes are off (LAST SEEN <invalid>, STARTED in the future); set back, its Lease seems not to be renewed: NotReady for some seconds after 50 s",
  command: "kubectl get events",
  fix: "Set it right and keep it so (chronyd, systemd-timesyncd): also that is a jump, which the node's Lease and probes feel.",
  oneNode: true,
  params: [
    { name: "node", label: "Node (empty: the newest Pod's)", default: "" },
    { name: "direction", label: "The clock is", default: "behind", options: ["behind", "ahead"] },
    { name: "seconds", label: "By so many seconds", default: 600 },
  ],
  // Without a name the fault struck the node of a Pod that may have moved since: then every clock is set right.
  begin: inside("clock.skew", (params, view) => view.components.filter((id) => id === `kubelet@${nodeOf(params, view)}`)).begin,
  end: inside("clock.skew", (params, view) => view.components.filter((id) => (text(params, "node") === "" ? id.startsWith("kubelet@") : id === `kubelet@${text(params, "node")}`))).end,
} satisfies Fault;
