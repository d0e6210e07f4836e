/** What a component is, for a reader who meets it for the first time, and where upstream keeps it. */
export interface ComponentText {
  /** Id, or the part before "@" for one that runs on every node. */
  readonly id: string;
  readonly title: string;
  /** One sentence. */
  readonly what: string;
  /** Path in kubernetes/kubernetes unless it starts with another project's name and a colon. */
  readonly source: string;
}

export const COMPONENTS: readonly ComponentText[] = [
  { id: "kubectl", title: "kubectl", what: "The command on your machine: it reads your file and kubeconfig, and sends HTTP requests. It creates nothing itself.", source: "staging/src/k8s.io/kubectl/pkg/cmd/apply/apply.go" },
  { id: "users", title: "users", what: "The people and programs that call the application, from outside the cluster and from inside.", source: "pkg/proxy" },
  { id: "kube-apiserver", title: "kube-apiserver", what: "The only door to the cluster's data: it checks every request, writes to etcd, and streams each change to whoever watches.", source: "staging/src/k8s.io/apiserver/pkg/server/config.go" },
  { id: "webhook", title: "admission webhook", what: "A server of yours that the API server asks before it stores an object; it may change the object or refuse it.", source: "staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook" },
  { id: "etcd-0", title: "etcd member", what: "A replica of the store: a write counts only once a majority of the members has it on disk.", source: "etcd: server/etcdserver/server.go" },
  { id: "kube-scheduler", title: "kube-scheduler", what: "Chooses a node for each Pod that has none, and writes that choice to the API server. It starts nothing.", source: "pkg/scheduler/schedule_one.go" },
  { id: "deployment-controller", title: "Deployment controller", what: "Keeps one ReplicaSet per version of a Deployment and shifts replicas from the old one to the new one.", source: "pkg/controller/deployment/deployment_controller.go" },
  { id: "replicaset-controller", title: "ReplicaSet controller", what: "Counts the Pods that match its selector, and creates or deletes some until the number is right.", source: "pkg/controller/replicaset/replica_set.go" },
  { id: "endpointslice-controller", title: "EndpointSlice controller", what: "Lists the Pods behind each Service with their addresses and says which of them are ready.", source: "pkg/controller/endpointslice/endpointslice_controller.go" },
  { id: "endpoint-controller", title: "Endpoints controller", what: "Keeps the older Endpoints objects, which hold the same facts as the slices, for clients that still read them.", source: "pkg/controller/endpoint/endpoints_controller.go" },
  { id: "node-lifecycle-controller", title: "node lifecycle controller", what: "Watches each node's lease; after 50 s without one it marks the node NotReady and taints it.", source: "pkg/controller/nodelifecycle/node_lifecycle_controller.go" },
  { id: "taint-eviction-controller", title: "taint eviction controller", what: "Deletes the Pods of a tainted node once they have tolerated the taint for as long as they may, 300 s by default.", source: "pkg/controller/tainteviction/taint_eviction.go" },
  { id: "namespace-controller", title: "namespace controller", what: "Empties a namespace that is being deleted, and then lets it go.", source: "pkg/controller/namespace/namespace_controller.go" },
  { id: "serviceaccount-controller", title: "ServiceAccount controller", what: "Sees to it that every namespace has a ServiceAccount called default.", source: "pkg/controller/serviceaccount/serviceaccounts_controller.go" },
  { id: "root-ca-cert-publisher", title: "root CA publisher", what: "Puts the cluster's CA certificate into every namespace, so that Pods can trust the API server.", source: "pkg/controller/certificates/rootcacertpublisher/publisher.go" },
  { id: "garbage-collector", title: "garbage collector", what: "Deletes objects whose owners are gone: the Pods of a deleted ReplicaSet, for example.", source: "pkg/controller/garbagecollector/garbagecollector.go" },
  { id: "certificatesigningrequest-signing-controller", title: "certificate signing", what: "Signs approved certificate requests with the cluster's CA, for the signers that it stands for.", source: "pkg/controller/certificates/signer/signer.go" },
  { id: "certificatesigningrequest-approving-controller", title: "certificate approving", what: "Approves kubelets' requests for client certificates, if RBAC lets who asked have them.", source: "pkg/controller/certificates/approver/sarapprove.go" },
  { id: "certificatesigningrequest-cleaner-controller", title: "certificate cleaner", what: "Once an hour removes certificate requests that are over: issued, denied, failed or forgotten.", source: "pkg/controller/certificates/cleaner/cleaner.go" },
  { id: "validatingadmissionpolicy-status-controller", title: "admission policy status", what: "Writes into a ValidatingAdmissionPolicy's status that its expressions were looked at.", source: "pkg/controller/validatingadmissionpolicystatus/controller.go" },
  { id: "pod-garbage-collector", title: "Pod garbage collector", what: "Removes Pods that nobody will finish: those of nodes that no longer exist, and old finished ones.", source: "pkg/controller/podgc/gc_controller.go" },
  { id: "statefulset-controller", title: "StatefulSet controller", what: "Makes Pods with fixed names one after another, each with its own claims, and replaces a Pod under the same name.", source: "pkg/controller/statefulset/stateful_set.go" },
  { id: "daemonset-controller", title: "DaemonSet controller", what: "Keeps one Pod on every node that fits, also on nodes that join later.", source: "pkg/controller/daemon/daemon_controller.go" },
  { id: "job-controller", title: "Job controller", what: "Runs Pods until enough of them have succeeded, or too many have failed.", source: "pkg/controller/job/job_controller.go" },
  { id: "cronjob-controller", title: "CronJob controller", what: "Makes a Job each time its schedule says so.", source: "pkg/controller/cronjob/cronjob_controllerv2.go" },
  { id: "clusterrole-aggregation-controller", title: "ClusterRole aggregation", what: "Fills the roles admin, edit and view, and others like them, with the rules of all roles that carry their label.", source: "pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go" },
  { id: "horizontal-pod-autoscaler-controller", title: "autoscaler", what: "Compares a workload's use with its target every 15 s and changes the number of replicas.", source: "pkg/controller/podautoscaler/horizontal.go" },
  { id: "disruption-controller", title: "disruption controller", what: "Counts how many Pods a PodDisruptionBudget can spare; evictions ask that number.", source: "pkg/controller/disruption/disruption.go" },
  { id: "ttl-after-finished-controller", title: "TTL controller", what: "Deletes finished Jobs when their time to live is over.", source: "pkg/controller/ttlafterfinished/ttlafterfinished_controller.go" },
  { id: "persistentvolume-binder", title: "volume binder", what: "Finds a PersistentVolume for each claim, or lets one be made, and ties the two together.", source: "pkg/controller/volume/persistentvolume/pv_controller.go" },
  { id: "attachdetach-controller", title: "attach/detach controller", what: "Asks for a volume to be attached to the node that its Pod was bound to, and detached when it has gone.", source: "pkg/controller/volume/attachdetach/attach_detach_controller.go" },
  { id: "kube-controller-manager", title: "controller manager", what: "The process around the controllers: it holds a lease, and they run only while it does.", source: "cmd/kube-controller-manager/app/controllermanager.go" },
  { id: "replication-controller", title: "ReplicationController", what: "Keeps the number of Pods of each ReplicationController, the older form of a ReplicaSet.", source: "pkg/controller/replication/replication_controller.go" },
  { id: "resourcequota-controller", title: "quota controller", what: "Counts again what each namespace uses of its quotas, whenever something is deleted or ends.", source: "pkg/controller/resourcequota/resource_quota_controller.go" },
  { id: "endpointslice-mirroring-controller", title: "mirroring controller", what: "Copies Endpoints that somebody keeps by hand into EndpointSlices, which proxies read.", source: "pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go" },
  { id: "pvc-protection-controller", title: "claim protection", what: "Keeps a deleted claim until no Pod uses it any more.", source: "pkg/controller/volume/pvcprotection/pvc_protection_controller.go" },
  { id: "pv-protection-controller", title: "volume protection", what: "Keeps a deleted PersistentVolume until no claim is bound to it any more.", source: "pkg/controller/volume/pvprotection/pv_protection_controller.go" },
  { id: "volumeattributesclass-protection-controller", title: "attributes class protection", what: "Keeps a deleted VolumeAttributesClass until no volume and no claim names it.", source: "pkg/controller/volume/vacprotection/vac_protection_controller.go" },
  { id: "resourceclaim-controller", title: "resource claims", what: "Makes ResourceClaims from the templates that Pods name, and frees the devices of claims that no Pod uses any more.", source: "pkg/controller/resourceclaim/controller.go" },
  { id: "ephemeral-volume-controller", title: "ephemeral volumes", what: "Makes the claims of Pods that bring their own; they go with the Pod.", source: "pkg/controller/volume/ephemeral/controller.go" },
  { id: "serviceaccount-token-controller", title: "token controller", what: "Writes tokens into Secrets made for a ServiceAccount, and deletes them with it.", source: "pkg/controller/serviceaccount/tokens_controller.go" },
  { id: "ttl-controller", title: "node TTL controller", what: "Tells kubelets by an annotation for how long they may keep Secrets, by the size of the cluster.", source: "pkg/controller/ttl/ttl_controller.go" },
  { id: "metrics-server", title: "metrics-server", what: "Asks every kubelet each 15 s what its containers use, and serves it to autoscalers and kubectl top.", source: "metrics-server: pkg/server/server.go" },
  { id: "external-resizer", title: "CSI resizer", what: "Runs beside the storage driver: it sees claims that ask for more and calls ControllerExpandVolume.", source: "external-resizer: pkg/controller/controller.go" },
  { id: "persistentvolume-expander-controller", title: "volume expansion", what: "Tells on a claim that has grown that the volume's driver must grow the disk.", source: "pkg/controller/volume/expand/expand_controller.go" },
  { id: "external-provisioner", title: "CSI provisioner", what: "Runs beside the storage driver: it sees claims that need a volume and calls CreateVolume.", source: "external-provisioner: pkg/controller/controller.go" },
  { id: "external-attacher", title: "CSI attacher", what: "Runs beside the storage driver: it sees VolumeAttachments and calls ControllerPublishVolume.", source: "external-attacher: pkg/controller/csi_handler.go" },
  { id: "csi-controller", title: "CSI driver", what: "The storage system's own program: it makes disks and attaches them to machines.", source: "csi: spec.md" },
  { id: "csi", title: "CSI node plugin", what: "The storage driver's part on this node: it stages a disk once and publishes it into each Pod's directory.", source: "csi: spec.md" },
  { id: "kubelet", title: "kubelet", what: "The agent of its node: it watches for Pods bound to that node and makes them real, step by step.", source: "pkg/kubelet/kubelet.go" },
  { id: "containerd", title: "containerd", what: "The container runtime: makes sandboxes and containers when the kubelet asks over gRPC.", source: "containerd: internal/cri/server" },
  { id: "cni", title: "CNI plugin", what: "A program that the runtime runs to give a Pod its network interface and address.", source: "containernetworking: plugins/main/bridge/bridge.go" },
  { id: "process", title: "processes", what: "The programs in this node's containers: what your image and command really run.", source: "runc: libcontainer/process_linux.go" },
  { id: "kube-proxy", title: "kube-proxy", what: "Turns Services and EndpointSlices into the packet rules of its node. No traffic passes through it.", source: "pkg/proxy/nftables/proxier.go" },
  { id: "netfilter", title: "node kernel", what: "The packet rules now in force on this node: they pick the Pod that answers each new connection.", source: "pkg/proxy/nftables/proxier.go" },
  { id: "coredns", title: "CoreDNS", what: "Answers the names of Services with their addresses. It knows nothing of whether a Pod is ready behind them.", source: "coredns: plugin/kubernetes/kubernetes.go" },
  { id: "registry", title: "image registry", what: "Holds the image layers that runtimes pull.", source: "distribution: registry/handlers/app.go" },
  { id: "ingress-nginx", title: "ingress-nginx", what: "A proxy before the Services: it reads Ingresses, and sends each request by host and path to a Pod itself.", source: "ingress-nginx: internal/ingress/controller/controller.go" },
  { id: "load-balancer", title: "load balancer", what: "The cloud's: it has an address outside, and carries packets to nodes that are well.", source: "staging/src/k8s.io/cloud-provider/cloud.go" },
  { id: "service-controller", title: "service controller", what: "Asks the cloud for a load balancer for each Service of that type, and writes its address into the status.", source: "staging/src/k8s.io/cloud-provider/controllers/service/controller.go" },
  { id: "calico-node", title: "calico-node", what: "Turns NetworkPolicies into the packet rules of its node's Pods. A Pod that no policy selects stays open.", source: "calico: felix/calc/policy_resolver.go" },
  { id: "internet", title: "servers outside", what: "Answers what Pods ask of names outside the cluster. CoreDNS forwards such names; the node sends with its own address.", source: "coredns: plugin/forward/forward.go" },
];

/** The text for a component id such as "kubelet@worker-node-03" or "etcd-2"; undefined if nobody has written one. */
export function componentText(id: string): ComponentText | undefined {
  const name = id.split("@")[0] ?? id;
  return COMPONENTS.find((component) => component.id === name) ?? (name.startsWith("etcd-") ? COMPONENTS.find((component) => component.id === "etcd-0") : undefined);
}

/** Where a source path can be read, in the version the simulation models. */
export function sourceUrl(path: string): string {
  const other = /^([\w-]+): (.*)$/.exec(path);
  if (!other) return `https://github.com/kubernetes/kubernetes/tree/release-1.36/${path}`;
  const repo = REPOSITORIES[other[1] ?? ""];
  return repo ? `https://github.com/${repo}/tree/main/${other[2]}` : "https://github.com/kubernetes/kubernetes";
}

const REPOSITORIES: Readonly<Record<string, string>> = {
  etcd: "etcd-io/etcd",
  containerd: "containerd/containerd",
  containernetworking: "containernetworking/plugins",
  runc: "opencontainers/runc",
  coredns: "coredns/coredns",
  calico: "projectcalico/calico",
  "metrics-server": "kubernetes-sigs/metrics-server",
  distribution: "distribution/distribution",
  website: "kubernetes/website",
  autoscaler: "kubernetes/autoscaler",
  "external-provisioner": "kubernetes-csi/external-provisioner",
  "external-resizer": "kubernetes-csi/external-resizer",
  "external-attacher": "kubernetes-csi/external-attacher",
  csi: "container-storage-interface/spec",
  "ingress-nginx": "kubernetes/ingress-nginx",
};
