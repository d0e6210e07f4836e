// Models kubernetes/staging/src/k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap/default.go
import { rfc3339 } from "../../api/time.ts";
import type { KubeObject } from "../../api/types.ts";
import type { FlowSchema, FlowSubject, PriorityLevelConfiguration, ResourceRule } from "./types.ts";

const API_VERSION = "flowcontrol.apiserver.k8s.io/v1";
export const AUTO_UPDATE_SPEC = "apf.kubernetes.io/autoupdate-spec";

const metadata = (name: string): KubeObject["metadata"] => ({ name, annotations: { [AUTO_UPDATE_SPEC]: "true" } });

function level(name: string, nominalConcurrencyShares: number, lendablePercent: number, queuing?: readonly [queues: number, handSize: number]): PriorityLevelConfiguration {
  const limitResponse = queuing === undefined ? ({ type: "Reject" } as const) : ({ type: "Queue", queuing: { queues: queuing[0], handSize: queuing[1], queueLengthLimit: 50 } } as const);
  return { apiVersion: API_VERSION, kind: "PriorityLevelConfiguration", metadata: metadata(name), spec: { type: "Limited", limited: { nominalConcurrencyShares, limitResponse, lendablePercent } }, status: {} };
}

const group = (name: string): FlowSubject => ({ kind: "Group", group: { name } });
const user = (name: string): FlowSubject => ({ kind: "User", user: { name } });
const SYSTEM_ACCOUNTS: FlowSubject = { kind: "ServiceAccount", serviceAccount: { namespace: "kube-system", name: "*" } };
const EVERYBODY = [group("system:unauthenticated"), group("system:authenticated")];
const ALL = ["*"];
const ALL_RESOURCES: ResourceRule = { verbs: ALL, apiGroups: ALL, resources: ALL, clusterScope: true, namespaces: ALL };
const ALL_PATHS = { verbs: ALL, nonResourceURLs: ALL };
const LEASES: ResourceRule = { verbs: ALL, apiGroups: ["coordination.k8s.io"], resources: ["leases"], namespaces: ALL };

interface Shape {
  readonly by?: "ByUser" | "ByNamespace";
  readonly subjects: readonly FlowSubject[];
  /** Default: everything. */
  readonly resourceRules?: readonly ResourceRule[];
  readonly nonResourceRules?: NonNullable<FlowSchema["spec"]["rules"]>[number]["nonResourceRules"];
}

function schema(name: string, to: string, matchingPrecedence: number, { by, subjects, resourceRules = [ALL_RESOURCES], nonResourceRules = [ALL_PATHS] }: Shape): FlowSchema {
  const rule = { subjects, ...(resourceRules.length === 0 ? {} : { resourceRules }), ...(nonResourceRules.length === 0 ? {} : { nonResourceRules }) };
  return { apiVersion: API_VERSION, kind: "FlowSchema", metadata: metadata(name), spec: { priorityLevelConfiguration: { name: to }, matchingPrecedence, ...(by === undefined ? {} : { distinguisherMethod: { type: by } }), rules: [rule] }, status: {} };
}

const EXEMPT_LEVEL: PriorityLevelConfiguration = { apiVersion: API_VERSION, kind: "PriorityLevelConfiguration", metadata: metadata("exempt"), spec: { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }, status: {} };

/** They are restored whatever is done to them. */
export const MANDATORY_LEVELS: readonly PriorityLevelConfiguration[] = [EXEMPT_LEVEL, level("catch-all", 5, 0)];
export const MANDATORY_SCHEMAS: readonly FlowSchema[] = [schema("exempt", "exempt", 1, { subjects: [group("system:masters")] }), schema("catch-all", "catch-all", 10_000, { by: "ByUser", subjects: EVERYBODY })];

/** They are restored while their annotation does not say otherwise. */
const SUGGESTED_LEVELS: readonly PriorityLevelConfiguration[] = [
  level("system", 30, 33, [64, 6]), level("node-high", 40, 25, [64, 6]), level("leader-election", 10, 0, [16, 4]), level("workload-high", 40, 50, [128, 6]), level("workload-low", 100, 90, [128, 6]), level("global-default", 20, 50, [128, 6]),
];
const SUGGESTED_SCHEMAS: readonly FlowSchema[] = [
  schema("system-nodes", "system", 500, { by: "ByUser", subjects: [group("system:nodes")] }),
  schema("system-node-high", "node-high", 400, { by: "ByUser", subjects: [group("system:nodes")], resourceRules: [{ verbs: ALL, apiGroups: [""], resources: ["nodes", "nodes/status"], clusterScope: true, namespaces: ALL }, LEASES], nonResourceRules: [] }),
  schema("probes", "exempt", 2, { subjects: EVERYBODY, resourceRules: [], nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/readyz", "/livez"] }] }),
  schema("system-leader-election", "leader-election", 100, { by: "ByUser", subjects: [user("system:kube-controller-manager"), user("system:kube-scheduler"), SYSTEM_ACCOUNTS], resourceRules: [{ ...LEASES, verbs: ["get", "create", "update"] }], nonResourceRules: [] }),
  schema("kube-controller-manager", "workload-high", 800, { by: "ByNamespace", subjects: [user("system:kube-controller-manager")] }),
  schema("kube-scheduler", "workload-high", 800, { by: "ByNamespace", subjects: [user("system:kube-scheduler")] }),
  schema("kube-system-service-accounts", "workload-high", 900, { by: "ByNamespace", subjects: [SYSTEM_ACCOUNTS] }),
  schema("service-accounts", "workload-low", 9_000, { by: "ByUser", subjects: [group("system:serviceaccounts")] }),
  schema("global-default", "global-default", 9_900, { by: "ByUser", subjects: EVERYBODY }),
];

export const BOOTSTRAP_LEVELS: readonly PriorityLevelConfiguration[] = [...MANDATORY_LEVELS, ...SUGGESTED_LEVELS];
export const BOOTSTRAP_SCHEMAS: readonly FlowSchema[] = [...MANDATORY_SCHEMAS, ...SUGGESTED_SCHEMAS];

/** The condition that the server keeps on each FlowSchema: whether its priority level exists. */
export function danglingStatus(flowSchema: FlowSchema, exists: boolean, at: number): FlowSchema["status"] {
  const { name } = flowSchema.spec.priorityLevelConfiguration;
  const object = `PriorityLevelConfiguration object named ${JSON.stringify(name)}`;
  return { conditions: [{ type: "Dangling", status: exists ? "False" : "True", lastTransitionTime: rfc3339(at), reason: exists ? "Found" : "NotFound", message: exists ? `This FlowSchema references the ${object} and it exists` : `This FlowSchema references the ${object} but there is no such object` }] };
}

/** The objects as they stand in a cluster that has run since `at`. */
export const settledFlowControl = (at: number): readonly KubeObject[] => [...BOOTSTRAP_LEVELS, ...BOOTSTRAP_SCHEMAS.map((object) => ({ ...object, status: danglingStatus(object, true, at) }))];
