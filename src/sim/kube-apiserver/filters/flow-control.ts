// Models kubernetes/staging/src/k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap/default.go
import type { RequestInfo } from "../request-info.ts";
import type { User } from "./authentication.ts";

export interface PriorityLevel {
  readonly name: string;
  readonly shares: number;
}
export interface Flow {
  readonly schema: string;
  readonly level: string;
}

const LEVELS: readonly PriorityLevel[] = [
  { name: "exempt", shares: 0 }, { name: "leader-election", shares: 10 }, { name: "node-high", shares: 40 }, { name: "system", shares: 30 },
  { name: "workload-high", shares: 40 }, { name: "workload-low", shares: 100 }, { name: "global-default", shares: 20 }, { name: "catch-all", shares: 5 },
];
/** --max-requests-inflight 400 and --max-mutating-requests-inflight 200. */
const TOTAL_SEATS = 600;
const TOTAL_SHARES = LEVELS.reduce((sum, level) => sum + level.shares, 0);

/** Seats of a level: its part of the server's total, rounded up. */
export const nominalSeats = (level: string): number => Math.ceil((TOTAL_SEATS * (LEVELS.find((l) => l.name === level)?.shares ?? 0)) / TOTAL_SHARES);

const LEADER_ELECTION_USERS = new Set(["system:kube-controller-manager", "system:kube-scheduler"]);

/** The first matching flow schema in order of precedence. */
export function flowOf(user: User, info: RequestInfo): Flow {
  const inGroup = (group: string): boolean => user.groups.includes(group);
  if (inGroup("system:masters")) return { schema: "exempt", level: "exempt" };
  if (info.resource === "" && (info.path === "/healthz" || info.path === "/readyz" || info.path === "/livez")) return { schema: "probes", level: "exempt" };
  if (info.resource === "leases" && info.namespace === "kube-system" && LEADER_ELECTION_USERS.has(user.name)) return { schema: "system-leader-election", level: "leader-election" };
  if (inGroup("system:nodes")) return info.resource === "nodes" || info.resource === "leases" ? { schema: "system-node-high", level: "node-high" } : { schema: "system-nodes", level: "system" };
  if (user.name === "system:kube-controller-manager") return { schema: "kube-controller-manager", level: "workload-high" };
  if (user.name === "system:kube-scheduler") return { schema: "kube-scheduler", level: "workload-high" };
  if (inGroup("system:serviceaccounts:kube-system")) return { schema: "kube-system-service-accounts", level: "workload-high" };
  if (inGroup("system:serviceaccounts")) return { schema: "service-accounts", level: "workload-low" };
  if (inGroup("system:authenticated")) return { schema: "global-default", level: "global-default" };
  return { schema: "catch-all", level: "catch-all" };
}
