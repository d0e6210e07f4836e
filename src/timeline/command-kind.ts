const READ_ONLY = new Set(["get", "describe", "logs", "events", "explain", "version", "api-resources", "api-versions", "cluster-info", "config", "top", "auth", "diff", "wait", "options", "help", "completion", "kustomize", "port-forward", "proxy", "plugin"]);
/** Programs in a container that only look. */
const LOOKING = new Set(["ls", "cat", "env", "printenv", "ps", "id", "hostname", "whoami", "date", "df", "pwd", "uname", "nslookup", "getent", "head", "tail", "wc"]);

/** True for a kubectl command (without "kubectl") that changes nothing in the cluster. */
export function isReadOnly(argv: readonly string[]): boolean {
  if (argv.some((word) => word.startsWith("--dry-run") && word !== "--dry-run=none")) return true;
  const words = argv.filter((word) => !word.startsWith("-"));
  if (words[0] === "rollout") return words[1] === "status" || words[1] === "history";
  if (words[0] === "apply") return words[1] === "view-last-applied";
  if (words[0] === "auth") return words[1] !== "reconcile";
  if (words[0] === "exec") return LOOKING.has(argv[argv.indexOf("--") + 1] ?? "");
  return words[0] === undefined || READ_ONLY.has(words[0]);
}

const SHORT: Readonly<Record<string, string>> = { get: "-w", events: "-w", logs: "-f" };

/** True for a command that prints until it is interrupted: get -w, logs -f. */
export function follows(argv: readonly string[]): boolean {
  const short = SHORT[argv.find((word) => !word.startsWith("-")) ?? ""];
  return short !== undefined && argv.some((word) => word === short || /^--(watch|watch-only|follow)(=true)?$/.test(word));
}
