import type { Evidence } from "./evidence.ts";

/** "You may have read ...": a common telling, what happens instead, and where that can be checked. */
export interface Correction {
  readonly read: string;
  readonly truth: string;
  readonly source: string;
}

/** One chapter of the story: the same for every manifest. Where it lies in a run is found by `trace/chapters.ts`. */
export interface Chapter {
  readonly number: number;
  readonly title: string;
  /** For a beginner: two to four sentences; "[word]" marks a glossary term. */
  readonly text: string;
  /** For an expert. */
  readonly more: string;
  readonly source: string;
  readonly corrections: readonly Correction[];
  /** Component to look into; "@" without a node means the node that the Pod is on. */
  readonly component: string;
  readonly faults: readonly string[];
  /** Something to point at inside the chapter. */
  readonly show?: { readonly label: string; readonly evidence: Evidence };
}

export const CHAPTERS: readonly Chapter[] = [
  {
    number: 1,
    title: "kubectl builds and sends the request",
    text: "You press Apply. kubectl reads your kubeconfig for the server's address and your certificate or token, turns your YAML into JSON, and asks the API server whether the [Pod] exists already. It does not (404), so it sends a POST with the whole object.",
    more: "apply always reads first: GET the object, then POST if it got 404, or PATCH with the three-way difference of last-applied, live and new. Before both it asks /openapi/v3 whether the server can check field names; the check itself is the server's (fieldValidation=Strict). The POST carries the annotation kubectl.kubernetes.io/last-applied-configuration, a copy of your file.",
    source: "staging/src/k8s.io/kubectl/pkg/cmd/apply/apply.go",
    corrections: [
      { read: "kubectl apply is one POST.", truth: "It is a read and then a write, so a user who may create but not get cannot apply, and a 404 in the log is the normal case.", source: "staging/src/k8s.io/kubectl/pkg/cmd/apply/apply.go" },
      { read: "kubectl validates your manifest.", truth: "It checks that the file is YAML with an apiVersion and kind that the server knows. Wrong field names come back from the server as 400, wrong values as 422.", source: "staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go" },
    ],
    component: "kubectl",
    faults: ["kubectl.no-route", "authn.credentials-expired", "apiserver.down"],
    show: { label: "Show the GET that gets 404", evidence: { hop: { from: "kube-apiserver", to: "kubectl", status: 404 } } },
  },
  {
    number: 2,
    title: "The API server checks the request",
    text: "The request passes one gate after another: who are you, are you within your share, may you do this. Then the object is decoded and given its defaults, [admission] plugins add to it, its fields are validated, and a last round of admission may refuse it. Whichever gate says no sends its 4xx straight back to your terminal.",
    more: "The order of a create: authentication, audit, priority and fairness, authorization ([RBAC]), decode and default and convert, mutating admission, validation of the object, validating admission with ResourceQuota last. So a mutating webhook sees defaulted objects, and an object that fails validation never reaches quota. ServiceAccount adds the token volume, DefaultTolerationSeconds the two 300 s tolerations.",
    source: "staging/src/k8s.io/apiserver/pkg/server/config.go",
    corrections: [
      { read: "Defaults are filled in by mutating admission webhooks.", truth: "Defaulting happens while the body is decoded, before any admission plugin. Istio's sidecar, on the other hand, does come from a mutating webhook.", source: "staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go" },
      { read: "A badly formed image name is stopped here with a 4xx.", truth: "The API server only asks that the image is not empty. A malformed name gives InvalidImageName on the node, after the Pod was stored and scheduled.", source: "pkg/kubelet/images/image_manager.go" },
      { read: "Schema validation sits between mutating and validating webhooks.", truth: "Field names and types are checked when the body is decoded, before admission; the rules for values (validation of the object) sit between the two.", source: "staging/src/k8s.io/apiserver/pkg/registry/rest/create.go" },
    ],
    component: "kube-apiserver",
    faults: ["authz.denied", "admission.webhook-denies", "admission.webhook-timeout", "admission.webhook-injects-sidecar", "apiserver.overloaded"],
    show: { label: "Show the first gate", evidence: { note: { component: "kube-apiserver", kind: "gate" } } },
  },
  {
    number: 3,
    title: "Desired state is stored in etcd",
    text: "The API server hands the object to the etcd leader. The leader writes it to its log, copies it to the followers, and counts it as committed once a [quorum] has it on disk. Only then does your terminal read \"created\". Nothing runs yet: it is only written down.",
    more: "The write is a transaction: put this key if its mod revision is still 0. The leader appends to its own log and sends MsgApp at the same time; its own fsync runs in parallel with the followers'. The entry is committed at quorum, applied, and gets a [revision], which becomes the object's resourceVersion. One revision counter serves the whole store.",
    source: "staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go",
    corrections: [
      { read: "kubectl apply starts your containers.", truth: "The 201 means that the wish is on a majority of disks. No kubelet has heard of the Pod yet.", source: "staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go" },
      { read: "etcd stores YAML (or JSON).", truth: "Built-in kinds are stored as protobuf. JSON is what your client and the server speak.", source: "staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go" },
    ],
    component: "etcd-0",
    faults: ["etcd.leader-crash", "etcd.quorum-lost", "etcd.slow-disk", "etcd.no-space", "etcd.partition"],
    show: { label: "Show the log going to a follower", evidence: { hop: { protocol: "raft", verb: "MsgApp" } } },
  },
  {
    number: 4,
    title: "The scheduler notices the new Pod",
    text: "Nobody calls the scheduler. Since it started it has held a [watch] on Pods, and the API server now sends it one more line: a Pod was added, and its nodeName is empty. The scheduler's [informer] takes it in and puts it into the queue.",
    more: "etcd tells the API server's watch cache, and the cache fans the event out in memory to every watcher: there is one etcd watch per resource type, however many clients there are. A client lists once and then watches from the resourceVersion of that list, so no event is lost between the two. If the connection breaks it resumes from the last one it saw.",
    source: "staging/src/k8s.io/apiserver/pkg/storage/cacher/cacher.go",
    corrections: [
      { read: "etcd notifies the scheduler.", truth: "Only the API server talks to etcd. Everybody else watches the API server.", source: "staging/src/k8s.io/apiserver/pkg/storage/cacher/cacher.go" },
      { read: "Controllers poll for changes.", truth: "They keep one connection open and are told. It is you, with kubectl get, who polls.", source: "staging/src/k8s.io/client-go/tools/cache/reflector.go" },
    ],
    component: "kube-scheduler",
    faults: ["scheduler.down", "apiserver.watch-cache-lag", "apiserver.down"],
    show: { label: "Show the watch event", evidence: { hop: { to: "kube-scheduler", protocol: "watch", subject: "pod/" } } },
  },
  {
    number: 5,
    title: "Filtering: which nodes could run it",
    text: "The scheduler asks every node a row of yes-or-no questions: does the label fit, is it cordoned, is there room for the CPU and memory asked for, does the Pod tolerate its [taints]? The first no rules the node out. In the sample's world seven of ten nodes fall, each for a reason of its own, and three stay.",
    more: "A plugin's Filter runs per node in the profile's order and stops at the first refusal, whose text ends up in FailedScheduling. What counts is the sum of requests against allocatable, never what is used now. With 100 nodes or more only a part is looked at. UnschedulableAndUnresolvable means that evicting other Pods could not help either.",
    source: "pkg/scheduler/framework/runtime/framework.go",
    corrections: [
      { read: "The scheduler runs predicates.", truth: "That is the name before the scheduling framework. Today they are [filter] plugins: NodeResourcesFit, TaintToleration, NodeAffinity, NodeUnschedulable and others.", source: "pkg/scheduler/apis/config/v1/default_plugins.go" },
      { read: "A node with idle CPU has room.", truth: "The scheduler adds up what Pods requested. A node may idle and still be full.", source: "pkg/scheduler/framework/plugins/noderesources/fit.go" },
    ],
    component: "kube-scheduler",
    faults: ["node.cordon", "node.memory-pressure", "scheduler.down"],
    show: { label: "Show the decision", evidence: { note: { component: "kube-scheduler", kind: "decision" } } },
  },
  {
    number: 6,
    title: "Scoring: which of them is best",
    text: "The nodes that are left get points from 0 to 100 from each [score] plugin; the points are multiplied by the plugin's weight and added up. The highest total wins. Open the decision to see every raw number, how it was scaled, and the sum.",
    more: "Default weights: TaintToleration 3; NodeAffinity, PodTopologySpread, InterPodAffinity and DynamicResources 2; NodeResourcesFit, NodeResourcesBalancedAllocation, ImageLocality and VolumeBinding 1. ImageLocality scales an image's size by the share of nodes that hold it and gives 0 below 23 MiB. It compares names letter by letter: the nodes report docker.io/library/nginx:1.27, the Pod says nginx:1.27, so in the ten-node world it gives every node 0. (Were the names equal, 72,080,558 bytes on 5 of 10 nodes would count as 36 MB, just above the floor: 1 point.) In the sample the Pod is applied some 7 ms before its Service, so the scheduler knows no Service that selects it: the default constraints of PodTopologySpread do not apply, the plugin is skipped, and the winner has 459 points. Apply the Service first and it scores 659. With one node left nothing is scored at all.",
    source: "pkg/scheduler/schedule_one.go",
    corrections: [
      { read: "LeastRequestedPriority and ImageLocalityPriority decide.", truth: "Those are old names. The first is the LeastAllocated strategy of NodeResourcesFit, the second the plugin ImageLocality.", source: "pkg/scheduler/framework/plugins/noderesources/least_allocated.go" },
      { read: "A node that has the image wins.", truth: "ImageLocality gives 0 points in the sample: it looks for the name as the Pod writes it, nginx:1.27, and the nodes report docker.io/library/nginx:1.27. Even with equal names it would be 1 point of some hundreds.", source: "pkg/scheduler/framework/plugins/imagelocality/image_locality.go" },
    ],
    component: "kube-scheduler",
    faults: ["node.cordon", "scheduler.down"],
    show: { label: "Show the score table", evidence: { note: { component: "kube-scheduler", kind: "decision", text: "scores" } } },
  },
  {
    number: 7,
    title: "Binding the Pod to its node",
    text: "The scheduler does not log in anywhere. It POSTs a [binding] to the API server, which writes the node's name into the Pod. With that its work on this Pod is done.",
    more: "Before the answer comes back the scheduler already counts the Pod as being on that node (assume), so that the next Pod sees the room taken; binding runs beside the next cycle. The server sets spec.nodeName and the condition PodScheduled=True in one write. nodeName can never be changed again.",
    source: "pkg/registry/core/pod/storage/storage.go",
    corrections: [
      { read: "The scheduler updates etcd with the node.", truth: "It sends a request to the API server like any other client, and may be refused.", source: "pkg/scheduler/framework/plugins/defaultbinder/default_binder.go" },
      { read: "The scheduler tells the node to start the Pod.", truth: "The two never speak. The kubelet learns of it by its own watch.", source: "pkg/kubelet/config/apiserver.go" },
    ],
    component: "kube-scheduler",
    faults: ["etcd.leader-crash", "apiserver.down"],
    show: { label: "Show the binding", evidence: { hop: { from: "kube-scheduler", to: "kube-apiserver", verb: "POST", subject: "binding/" } } },
  },
  {
    number: 8,
    title: "The kubelet takes over",
    text: "Every node runs a kubelet that watches only for Pods with its own node's name. The chosen one now sees this Pod for the first time, checks that it can take it, and starts a worker that will bring it up step by step.",
    more: "Its watch has the field selector spec.nodeName=<node>. Admission on the node (resources, ports, OS) happens in the sync loop before the worker exists; a refusal fails the Pod for good. Then syncPod: status, network ready?, secrets and config maps, Pod cgroup, directories, wait for volumes, pull secrets, probes, runtime.",
    source: "pkg/kubelet/kubelet.go",
    corrections: [
      { read: "If the kubelet refuses a Pod, the scheduler tries another node.", truth: "A refused Pod is Failed (OutOfcpu and the like) and stays so. Only a controller can make another one.", source: "pkg/kubelet/lifecycle/predicate.go" },
    ],
    component: "kubelet@",
    faults: ["kubelet.stopped", "node.crash", "node.partition"],
    show: { label: "Show the event reaching the kubelet", evidence: { hop: { to: "kubelet@", protocol: "watch", subject: "pod/" } } },
  },
  {
    number: 9,
    title: "The runtime prepares the environment",
    text: "The kubelet calls the container runtime over gRPC ([CRI]). The runtime makes the Pod's [sandbox]: its kernel [namespaces], its [cgroup], and a pause process that holds them. Then it makes sure that the image is on the node, pulling layers if it is not.",
    more: "RunPodSandbox, then for each container ImageStatus (PullImage if absent), CreateContainer, StartContainer. net, ipc and uts belong to the sandbox and are shared; mnt is each container's own, pid too unless shareProcessNamespace. requests become cpu.weight, limits become cpu.max and memory.max; a memory request alone sets nothing in the kernel.",
    source: "pkg/kubelet/kuberuntime/kuberuntime_manager.go",
    corrections: [
      { read: "Images are pulled first, then the sandbox is made.", truth: "The sandbox, with its network, comes first; images are looked at container by container after it.", source: "pkg/kubelet/kuberuntime/kuberuntime_manager.go" },
      { read: "The pause container starts and CNI plugs a network into it.", truth: "The runtime makes the network namespace, runs CNI in it, and only then starts pause inside.", source: "containerd: internal/cri/server/sandbox_run.go" },
    ],
    component: "containerd@",
    faults: ["cri.down", "image.not-found", "image.unauthorized", "image.rate-limited", "image.registry-down", "image.slow-pull", "image.wrong-architecture"],
    show: { label: "Show RunPodSandbox", evidence: { hop: { from: "kubelet@", to: "containerd@", verb: "RunPodSandbox" } } },
  },
  {
    number: 10,
    title: "CNI gives the Pod its address",
    text: "While it makes the sandbox, the runtime runs the [CNI] plugin. The plugin takes a free address from the node's range, lays a virtual cable from the Pod into the node, sets routes, and prints the result as JSON. From here on the Pod has an IP.",
    more: "ADD is a process: CNI_COMMAND, CNI_CONTAINERID, CNI_NETNS and CNI_IFNAME in its environment, the network configuration on standard input, the result on standard output. Address management (host-local) is a second program that the first one runs. The kubelet never calls CNI; it reads the address from PodSandboxStatus.",
    source: "containerd: internal/cri/server/sandbox_run.go",
    corrections: [
      { read: "The CNI plugin writes the Pod's /etc/resolv.conf.", truth: "The kubelet works out the DNS settings and the runtime writes the file. The kubelet itself writes /etc/hosts.", source: "pkg/kubelet/network/dns/dns.go" },
      { read: "CNI runs after the sandbox is ready.", truth: "It runs inside RunPodSandbox. If it fails, the sandbox fails: ContainerCreating, with FailedCreatePodSandBox in the events.", source: "containerd: internal/cri/server/sandbox_run.go" },
    ],
    component: "cni@",
    faults: ["cni.not-ready", "cni.ip-exhausted", "cni.slow"],
    show: { label: "Show the ADD", evidence: { hop: { to: "cni@", verb: "ADD" } } },
  },
  {
    number: 11,
    title: "Volumes are mounted",
    text: "Before the sandbox, although most articles tell it after, the kubelet mounts what the Pod needs: its service-account token at least, and any ConfigMap, Secret, emptyDir or claim. For a warm Pod this is the longest part of all, and nearly all of it is waiting for timers.",
    more: "The volume manager finds new Pods every 100 ms (populator), reconciles every 100 ms, and the Pod worker asks every 300 ms whether all is mounted. That is why some 300 of 515 ms go by for one token. A claim adds provision, attach, NodeStageVolume and NodePublishVolume ([CSI]). The page shows the chapter where it happens and keeps its number.",
    source: "pkg/kubelet/volumemanager/volume_manager.go",
    corrections: [
      { read: "Network first, then volumes.", truth: "syncPod waits for all volumes before it calls the runtime at all. A volume that cannot be mounted means that no sandbox exists either.", source: "pkg/kubelet/kubelet.go" },
      { read: "The token is a Secret.", truth: "Since v1.24 it is a projected token, asked for an hour and renewed by the kubelet. No Secret exists.", source: "plugin/pkg/admission/serviceaccount/admission.go" },
    ],
    component: "kubelet@",
    faults: ["csi.provision-fails", "csi.attach-slow", "csi.attach-fails", "csi.multi-attach"],
    show: { label: "Show the mount", evidence: { note: { component: "kubelet@", text: "MountVolume" } } },
  },
  {
    number: 12,
    title: "The application's process starts",
    text: "With storage, network and image in place the runtime starts your program as process 1 of its container. Init containers run before it, one by one, each to its end. When the kubelet sees the process it reports the [phase] Running. That says nothing about traffic yet.",
    more: "StartContainer returns once the process was started; the kubelet learns the rest from its relist ([PLEG]), since v1.36 asked for at once after a good sync. A sidecar is an init container with restartPolicy Always: it must have started, not finished. postStart runs beside the entrypoint and holds Running back. The Events read Container created and Container started.",
    source: "pkg/kubelet/kuberuntime/kuberuntime_container.go",
    corrections: [
      { read: "Running means that it works.", truth: "Running means that all containers were created and at least one runs or restarts. A crash-looping Pod is Running as well.", source: "pkg/kubelet/kubelet_pods.go" },
      { read: "postStart runs before the application.", truth: "It runs at the same time, in no order to the entrypoint.", source: "pkg/kubelet/kuberuntime/kuberuntime_container.go" },
    ],
    component: "process@",
    faults: ["app.crash", "app.oom", "app.hang", "app.slow-start", "image.wrong-architecture"],
    show: { label: "Show StartContainer", evidence: { hop: { from: "kubelet@", to: "containerd@", verb: "StartContainer" } } },
  },
  {
    number: 13,
    title: "Probes decide whether it is ready",
    text: "The kubelet now asks the container itself. A startup [probe] holds the other two back until the program is up; a readiness probe says whether to send traffic; a liveness probe says whether to kill it. When readiness passes, the Pod's Ready [condition] becomes True.",
    more: "The first readiness probe runs as soon as the container does (plus initialDelaySeconds), not after a period. Liveness and readiness do not wait for each other. failureThreshold failures in a row flip a result, successThreshold passes flip it back. Failed liveness kills the container, and the restart policy does the rest; failed readiness restarts nothing, ever.",
    source: "pkg/kubelet/prober/worker.go",
    corrections: [
      { read: "Three failed readiness probes restart the Pod.", truth: "They only take it out of the Service. Liveness and startup probes are the ones that kill.", source: "pkg/kubelet/prober/worker.go" },
      { read: "A Pod is restarted.", truth: "Containers are, inside the same Pod: same name, UID, address and node. A Pod is replaced by another one or not at all.", source: "website: content/en/docs/concepts/workloads/pods/pod-lifecycle.md" },
    ],
    component: "kubelet@",
    faults: ["app.not-ready", "app.hang", "app.slow-start", "app.flapping", "network.latency"],
    show: { label: "Show the first probe", evidence: { note: { component: "kubelet@", text: "probe of" } } },
  },
  {
    number: 14,
    title: "Traffic is routed to it",
    text: "The EndpointSlice [controller] sees the Pod and lists its address under the Service, first as not ready, then as ready. Every node's kube-proxy reads that and rewrites its own node's rules. From then on a client's connection to the Service can land on this Pod.",
    more: "The slice is written twice because the address is known before readiness. Each node programs its rules on its own, so for some milliseconds (up to kube-proxy's sync period) nodes disagree. Packets go through the kernel's rules, never through kube-proxy. On deletion the address stays in the slice with ready=false, serving and terminating.",
    source: "staging/src/k8s.io/endpointslice/reconciler.go",
    corrections: [
      { read: "A Pod is added to the EndpointSlice when it is ready.", truth: "It is there as soon as it has an address, with ready: false. What changes later is that one word.", source: "staging/src/k8s.io/endpointslice/utils.go" },
      { read: "Traffic flows through kube-proxy.", truth: "kube-proxy only writes rules. Stop it and traffic goes on, by rules that get older.", source: "pkg/proxy/nftables/proxier.go" },
    ],
    component: "endpointslice-controller",
    faults: ["proxy.down", "dns.down", "app.not-ready", "controller-manager.down"],
    show: { label: "Show it listed, not ready", evidence: { note: { component: "endpointslice-controller", text: "not ready" } } },
  },
  {
    number: 15,
    title: "Reconciliation never ends",
    text: "Loops keep comparing what is wanted with what is. A process that dies is restarted by its kubelet; a Pod that disappears is replaced by its ReplicaSet; a node that falls silent is marked after 50 s and its Pods are given 300 s more. Break something here and watch who notices.",
    more: "A container's exit is seen within a second (relist). The first restart comes at once, the following after 10, 20, 40, 80, 160, 300 s. A dead node: lease 40 s plus checks make 50 s to NotReady, taints, tolerationSeconds 300, then deletion, which stays Terminating as no kubelet confirms it. A bare Pod is not recreated by anyone.",
    source: "pkg/controller/nodelifecycle/node_lifecycle_controller.go",
    corrections: [
      { read: "When a node dies its Pods are rescheduled.", truth: "A Pod is bound once. After about six minutes a controller creates other Pods, with other names; without a controller nothing comes back.", source: "pkg/controller/tainteviction/taint_eviction.go" },
      { read: "A node is NotReady after 40 s.", truth: "The default grace period is 50 s: a lease of 40 s and some slack.", source: "pkg/controller/nodelifecycle/config/v1alpha1/defaults.go" },
    ],
    component: "node-lifecycle-controller",
    faults: ["app.crash", "node.crash", "node.partition", "node.reboot", "controller-manager.down", "kubelet.stopped"],
  },
];

/** The chapter with that number. */
export function chapterText(number: number): Chapter | undefined {
  return CHAPTERS.find((chapter) => chapter.number === number);
}
