import type { KubeObject } from "../../api/types.ts";

const SYSTEM = { namespace: "kube-system", labels: { "k8s-app": "metrics-server" } };
const rule = (apiGroups: readonly string[], resources: readonly string[], verbs: readonly string[]) => ({ apiGroups, resources, verbs });
const account = { kind: "ServiceAccount", name: "metrics-server", namespace: "kube-system" };
const binding = (name: string, role: string): KubeObject => ({ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding", metadata: { name, labels: SYSTEM.labels }, roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role }, subjects: [account] }) as KubeObject;

/** What the installation of metrics-server leaves in a cluster: the metrics API is registered, and its server may read what it needs. */
export const METRICS_SERVER: readonly KubeObject[] = [
  { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "metrics-server", ...SYSTEM } },
  {
    apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "system:aggregated-metrics-reader", labels: { ...SYSTEM.labels, "rbac.authorization.k8s.io/aggregate-to-admin": "true", "rbac.authorization.k8s.io/aggregate-to-edit": "true", "rbac.authorization.k8s.io/aggregate-to-view": "true" } },
    rules: [rule(["metrics.k8s.io"], ["pods", "nodes"], ["get", "list", "watch"])],
  } as KubeObject,
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "system:metrics-server", labels: SYSTEM.labels }, rules: [rule([""], ["nodes/metrics"], ["get"]), rule([""], ["pods", "nodes"], ["get", "list", "watch"])] } as KubeObject,
  binding("metrics-server:system:auth-delegator", "system:auth-delegator"),
  binding("system:metrics-server", "system:metrics-server"),
  { apiVersion: "v1", kind: "Service", metadata: { name: "metrics-server", ...SYSTEM }, spec: { clusterIP: "10.96.0.44", clusterIPs: ["10.96.0.44"], type: "ClusterIP", selector: SYSTEM.labels, ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: "https" }] } },
  {
    apiVersion: "apiregistration.k8s.io/v1", kind: "APIService", metadata: { name: "v1beta1.metrics.k8s.io", labels: SYSTEM.labels },
    spec: { group: "metrics.k8s.io", version: "v1beta1", groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, service: { name: "metrics-server", namespace: "kube-system", port: 443 } },
    status: { conditions: [{ type: "Available", status: "True", reason: "Passed", message: "all checks passed" }] },
  },
];
