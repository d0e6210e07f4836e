import type { KubeObject, PodSpec } from "../../api/types.ts";
import { settledDeployment } from "./settled-deployment.ts";

const NAMESPACE = "ingress-nginx";
const NAME = "ingress-nginx-controller";
const LABELS = { "app.kubernetes.io/component": "controller", "app.kubernetes.io/instance": "ingress-nginx", "app.kubernetes.io/name": "ingress-nginx" };
const rule = (apiGroups: readonly string[], resources: readonly string[], verbs: readonly string[]) => ({ apiGroups, resources, verbs });
const LOOK = ["get", "list", "watch"];

const SPEC = {
  dnsPolicy: "ClusterFirst", nodeSelector: { "kubernetes.io/os": "linux" }, serviceAccountName: "ingress-nginx", terminationGracePeriodSeconds: 300,
  containers: [{
    name: "controller", image: "registry.k8s.io/ingress-nginx/controller:v1.14.0", imagePullPolicy: "IfNotPresent", args: ["/nginx-ingress-controller", `--publish-service=$(POD_NAMESPACE)/${NAME}`, "--election-id=ingress-nginx-leader", "--controller-class=k8s.io/ingress-nginx", "--ingress-class=nginx"],
    lifecycle: { preStop: { exec: { command: ["/wait-shutdown"] } } },
    resources: { requests: { cpu: "100m", memory: "90Mi" } },
    ports: [{ name: "http", containerPort: 80, protocol: "TCP" }, { name: "https", containerPort: 443, protocol: "TCP" }],
    livenessProbe: { httpGet: { path: "/healthz", port: 10_254, scheme: "HTTP" }, initialDelaySeconds: 10, periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 5 },
    readinessProbe: { httpGet: { path: "/healthz", port: 10_254, scheme: "HTTP" }, initialDelaySeconds: 10, periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3 },
  }],
} as unknown as PodSpec;

/** What ingress-nginx's manifest for clouds leaves in a cluster: the controller on one node, behind a load balancer of its own, and the class nginx as the default. */
export const ingressNginx = (node: string): readonly KubeObject[] => [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE, labels: { "kubernetes.io/metadata.name": NAMESPACE } }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } },
  { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "ingress-nginx", namespace: NAMESPACE, labels: LABELS } },
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "ingress-nginx", labels: LABELS }, rules: [rule([""], ["services", "secrets", "configmaps", "namespaces", "nodes", "pods"], LOOK), rule(["discovery.k8s.io"], ["endpointslices"], LOOK), rule(["networking.k8s.io"], ["ingresses", "ingressclasses"], LOOK), rule(["networking.k8s.io"], ["ingresses/status"], ["update", "patch"]), rule(["", "events.k8s.io"], ["events"], ["create", "patch"])] } as KubeObject,
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding", metadata: { name: "ingress-nginx", labels: LABELS }, roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "ingress-nginx" }, subjects: [{ kind: "ServiceAccount", name: "ingress-nginx", namespace: NAMESPACE }] } as KubeObject,
  { apiVersion: "networking.k8s.io/v1", kind: "IngressClass", metadata: { name: "nginx", labels: LABELS, annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } }, spec: { controller: "k8s.io/ingress-nginx" } },
  {
    apiVersion: "v1", kind: "Service", metadata: { name: NAME, namespace: NAMESPACE, labels: LABELS, finalizers: ["service.kubernetes.io/load-balancer-cleanup"] },
    spec: {
      type: "LoadBalancer", clusterIP: "10.96.0.80", clusterIPs: ["10.96.0.80"], externalTrafficPolicy: "Local", healthCheckNodePort: 32_254, selector: LABELS,
      ports: [{ name: "http", port: 80, protocol: "TCP", appProtocol: "http", targetPort: "http", nodePort: 30_080 }, { name: "https", port: 443, protocol: "TCP", appProtocol: "https", targetPort: "https", nodePort: 30_443 }],
    },
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.10", ipMode: "VIP" }] } },
  } as KubeObject,
  ...settledDeployment({ name: NAME, namespace: NAMESPACE, labels: LABELS, hash: "6f7c9d8b55", pods: [["k2wzq", node]], spec: SPEC }),
];
