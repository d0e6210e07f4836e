import type { Action } from "../kernel/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import { type Fault, inside, text } from "./fault.ts";

const RULE = "kubectl.no-route";
/** client-go/rest: the dialler of http.DefaultTransport waits so long for an answer. */
const DIAL_TIMEOUT = 30_000_000;

const notice = inside(RULE, () => ["kubectl"]);

/** What stands between the workstation and the server: something that answers that nobody listens, or nothing that answers. */
function broken(params: FaultParams): Action {
  const how = text(params, "how") === "timeout" ? { drop: true, giveUp: DIAL_TIMEOUT } : { refuse: true };
  return { type: "link", rule: { id: RULE, from: "kubectl", to: "kube-apiserver", ...how } };
}

export const kubectlNoRoute = {
  id: RULE,
  title: "The workstation does not reach the API server",
  group: "API",
  symptom: "kubectl prints that the connection was refused, or after 30 s: i/o timeout; nothing is stored, and the cluster itself is well",
  command: "kubectl config view",
  fix: "Mend the way: the server's address and port in ~/.kube/config, VPN, firewall or proxy.",
  params: [{ name: "how", label: "What comes back", default: "refused", options: ["refused", "timeout"] }],
  begin: (params, view): readonly Action[] => [broken(params), ...notice.begin(params, view)],
  end: (params, view): readonly Action[] => [{ type: "unlink", id: RULE }, ...notice.end(params, view)],
} satisfies Fault;
