/** What `help` prints: the commands this kubectl knows, by whether they change the cluster. */
export const HELP = `Commands are answered as they would be at the playhead's time.

Looking (nothing changes):
  kubectl get pods [-o wide|yaml|json] [-A] [-n NAMESPACE] [-l LABEL]
  kubectl get nodes, deployments, replicasets, services, endpointslices, events
  kubectl describe pod NAME
  kubectl logs POD [-c CONTAINER] [--previous]

Changing (a new run begins here, the old one stays):
  kubectl apply -f FILE          FILE is the editor's manifest
  kubectl delete pod NAME | -f FILE
  kubectl scale deployment NAME --replicas=3
  kubectl cordon NODE | uncordon NODE

  clear                          empties this screen
  Up, Down                       earlier commands
  Tab                            completes a word; Esc, then Tab leaves
`;

const VERBS = ["apply", "cordon", "delete", "describe", "get", "logs", "scale", "uncordon"];
const RESOURCES = ["configmaps", "deployments", "endpointslices", "events", "leases", "namespaces", "nodes", "pods", "replicasets", "secrets", "services"];

/** Candidates for the last word of a line: verbs, then resources, then names. */
export function candidates(line: string, names: readonly string[]): string[] {
  const words = line.trimStart().split(/\s+/);
  const last = words.at(-1) ?? "";
  const at = words[0] === "kubectl" || words[0] === "k" ? words.length - 2 : words.length - 1;
  const pool = at < 0 ? ["kubectl"] : at === 0 ? (words.length === 1 ? ["kubectl", ...VERBS, "help", "clear"] : VERBS) : at === 1 && !["logs", "apply", "cordon", "uncordon"].includes(words.at(-2) ?? "") ? RESOURCES : names;
  return pool.filter((word) => word.startsWith(last) && word !== last);
}

/** The line with its last word completed as far as all candidates agree; a blank follows a single one. */
export function complete(line: string, names: readonly string[]): string {
  const found = candidates(line, names);
  const [first] = found;
  if (first === undefined) return line;
  let common = first;
  for (const word of found) while (!word.startsWith(common)) common = common.slice(0, -1);
  const last = line.trimStart().split(/\s+/).at(-1) ?? "";
  return `${line.slice(0, line.length - last.length)}${common}${found.length === 1 ? " " : ""}`;
}
