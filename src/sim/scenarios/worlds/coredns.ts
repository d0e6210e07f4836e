import type { KubeObject, PodSpec } from "../../api/types.ts";
import { settledDeployment } from "./settled-deployment.ts";

const SERVER = { name: "kube-dns", namespace: "kube-system" };
const LABELS = { "k8s-app": "kube-dns" };

/** kubeadm's manifest of CoreDNS, as far as anything here reads it. */
const SPEC = {
  priorityClassName: "system-cluster-critical",
  serviceAccountName: "coredns",
  dnsPolicy: "Default",
  nodeSelector: { "kubernetes.io/os": "linux" },
  affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: { labelSelector: { matchExpressions: [{ key: "k8s-app", operator: "In", values: ["kube-dns"] }] }, topologyKey: "kubernetes.io/hostname" } }] } },
  tolerations: [{ key: "CriticalAddonsOnly", operator: "Exists" }, { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }],
  containers: [{
    name: "coredns", image: "registry.k8s.io/coredns/coredns:v1.14.2", imagePullPolicy: "IfNotPresent", args: ["-conf", "/etc/coredns/Corefile"],
    resources: { limits: { memory: "170Mi" }, requests: { cpu: "100m", memory: "70Mi" } },
    volumeMounts: [{ name: "config-volume", mountPath: "/etc/coredns", readOnly: true }],
    securityContext: { allowPrivilegeEscalation: false, capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] }, readOnlyRootFilesystem: true },
    ports: [{ name: "dns", containerPort: 53, protocol: "UDP" }, { name: "dns-tcp", containerPort: 53, protocol: "TCP" }, { name: "metrics", containerPort: 9153, protocol: "TCP" }, { name: "liveness-probe", containerPort: 8080, protocol: "TCP" }, { name: "readiness-probe", containerPort: 8181, protocol: "TCP" }],
    livenessProbe: { httpGet: { path: "/health", port: "liveness-probe", scheme: "HTTP" }, initialDelaySeconds: 60, timeoutSeconds: 5, successThreshold: 1, failureThreshold: 5 },
    readinessProbe: { httpGet: { path: "/ready", port: "readiness-probe", scheme: "HTTP" } },
  }],
  volumes: [{ name: "config-volume", configMap: { name: "coredns", items: [{ key: "Corefile", path: "Corefile" }] } }],
} as unknown as PodSpec;

const COREFILE = `.:53 {
    errors
    health {
       lameduck 5s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf {
       max_concurrent 1000
    }
    cache 30 {
       disable success cluster.local
       disable denial cluster.local
    }
    loop
    reload
    loadbalance
}
`;

/** The Service that every resolv.conf names; with Pods of the label it selects them, without it has the address it is given. */
export function kubeDnsService(selects: boolean): KubeObject {
  return {
    apiVersion: "v1", kind: "Service", metadata: { ...SERVER, labels: { ...LABELS, "kubernetes.io/cluster-service": "true", "kubernetes.io/name": "CoreDNS" }, annotations: { "prometheus.io/port": "9153", "prometheus.io/scrape": "true" } },
    spec: {
      clusterIP: "10.96.0.10", clusterIPs: ["10.96.0.10"], type: "ClusterIP", ...(selects ? { selector: LABELS } : {}),
      ports: [{ name: "dns", port: 53, protocol: "UDP", targetPort: 53 }, { name: "dns-tcp", port: 53, protocol: "TCP", targetPort: 53 }, { name: "metrics", port: 9153, protocol: "TCP", targetPort: 9153 }],
    },
  } as KubeObject;
}

/** What `kubeadm init` leaves of CoreDNS: two Pods beside the control plane, behind kube-dns. */
export const coreDns = (node: string): readonly KubeObject[] => [
  { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "coredns", namespace: "kube-system" } },
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "coredns", namespace: "kube-system" }, data: { Corefile: COREFILE } } as KubeObject,
  kubeDnsService(true),
  ...settledDeployment({ name: "coredns", namespace: "kube-system", labels: LABELS, hash: "7d764666f9", pods: [["5xkqz", node], ["r8mlt", node]], spec: SPEC, strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } } }),
];

/** Endpoints by hand, for a cluster whose CoreDNS is no Pod that the world knows. */
export const kubeDnsSlice = (address: string): KubeObject => ({
  apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata: { ...SERVER, labels: { "kubernetes.io/service-name": SERVER.name } }, addressType: "IPv4",
  endpoints: [{ addresses: [address], conditions: { ready: true } }],
  ports: [{ name: "dns", port: 53, protocol: "UDP" }, { name: "dns-tcp", port: 53, protocol: "TCP" }],
}) as KubeObject;

/** What answers names in a cluster that brings no kube-dns: the CoreDNS Pods it has, or a server on its first node. */
export function missingDns(objects: readonly KubeObject[], address: string | undefined): readonly KubeObject[] {
  if (address === undefined || objects.some(({ kind, metadata }) => kind === "Service" && metadata.namespace === SERVER.namespace && metadata.name === SERVER.name)) return [];
  const pods = objects.some(({ kind, metadata }) => kind === "Pod" && metadata.namespace === SERVER.namespace && metadata.labels?.["k8s-app"] === "kube-dns");
  return pods ? [kubeDnsService(true)] : [kubeDnsService(false), kubeDnsSlice(address)];
}
