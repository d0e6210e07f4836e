import type { KubeObject } from "../../api/types.ts";

const META = { name: "calico-node", labels: { "k8s-app": "calico-node" } };
const read = (apiGroup: string, resources: readonly string[]) => ({ apiGroups: [apiGroup], resources, verbs: ["get", "list", "watch"] });

/** What the installation of Calico's policy engine leaves in a cluster: its agents may read what policies speak of. */
export const CALICO: readonly KubeObject[] = [
  { apiVersion: "v1", kind: "ServiceAccount", metadata: { ...META, namespace: "kube-system" } },
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: META, rules: [read("", ["pods", "namespaces", "serviceaccounts", "nodes"]), read("networking.k8s.io", ["networkpolicies"])] } as KubeObject,
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding", metadata: META, roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "calico-node" }, subjects: [{ kind: "ServiceAccount", name: "calico-node", namespace: "kube-system" }] } as KubeObject,
];
