/** What `help` prints: the commands this kubectl knows, by whether they change the cluster. */
export const HELP = `Commands are answered as they would be at the playhead's time.

Looking (nothing changes):
  kubectl get pods [-o wide|yaml|json|jsonpath=...] [-A] [-n NAMESPACE] [-l LABEL]
  kubectl get nodes, deployments, services, endpointslices, events, pvc, ...
  kubectl describe pod NAME      any kind
  kubectl logs POD [-c CONTAINER] [--previous]
  kubectl events, explain, diff, wait, rollout status|history, auth can-i,
          api-resources, cluster-info, version

Changing (a new run begins here, the old one stays):
  kubectl apply|create|replace|delete -f FILE    FILE is the editor's manifest
  kubectl create deployment NAME --image=IMAGE   and other generators
  kubectl run, expose, scale, set, label, annotate, taint, patch
  kubectl cordon, uncordon, drain NODE
  kubectl rollout restart|undo|pause|resume deployment NAME

  clear                          empties this screen
  Up, Down                       earlier commands
  Tab                            completes a word; Esc, then Tab leaves
`;

const VERBS = ["annotate", "api-resources", "apply", "auth", "cluster-info", "cordon", "create", "delete", "describe", "diff", "drain", "events", "explain", "expose", "get", "label", "logs", "patch", "replace", "rollout", "run", "scale", "set", "taint", "uncordon", "version", "wait"];
const RESOURCES = ["configmaps", "cronjobs", "daemonsets", "deployments", "endpointslices", "events", "jobs", "leases", "namespaces", "nodes", "persistentvolumeclaims", "persistentvolumes", "pods", "replicasets", "secrets", "services", "statefulsets", "storageclasses"];

/** Candidates for the last word of a line: verbs, then resources, then names. */
export function candidates(line: string, names: readonly string[]): string[] {
  const words = line.trimStart().split(/\s+/);
  const last = words.at(-1) ?? "";
  const at = words[0] === "kubectl" || words[0] === "k" ? words.length - 2 : words.length - 1;
  const pool = at < 0 ? ["kubectl"] : at === 0 ? (words.length === 1 ? ["kubectl", ...VERBS, "help", "clear"] : VERBS) : at === 1 && !["logs", "apply", "cordon", "uncordon", "drain"].includes(words.at(-2) ?? "") ? RESOURCES : names;
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
