import type { Evidence } from "./evidence.ts";

/** Something widely believed, what is true, and where this run shows it. */
export interface Misconception {
  readonly id: string;
  readonly claim: string;
  readonly truth: string;
  readonly source: string;
  readonly label: string;
  /** Tried in order: the first that the run holds is shown. */
  readonly show: readonly Evidence[];
  /** Said when the run holds none of them. */
  readonly otherwise: string;
}

export const MISCONCEPTIONS: readonly Misconception[] = [
  {
    id: "apply-starts",
    claim: "kubectl, or the API server, starts the containers.",
    truth: "Both only deal with records. When kubectl prints \"created\", the Pod is a few hundred bytes in etcd. The kubelet of the chosen node starts containers, and it is not even told: it watches.",
    source: "staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go",
    label: "Show the 201, with nothing running",
    show: [{ hop: { from: "kube-apiserver", to: "kubectl", status: 201 } }, { hop: { from: "kube-apiserver", to: "kubectl" } }],
    otherwise: "Apply a manifest to see it.",
  },
  {
    id: "scheduler-starts",
    claim: "The scheduler starts the Pod, or talks to the node.",
    truth: "The scheduler writes one field, nodeName, through the API server. It has no connection to any node. If every scheduler stopped now, all Pods would run on.",
    source: "pkg/scheduler/framework/plugins/defaultbinder/default_binder.go",
    label: "Show the binding, its only write",
    show: [{ hop: { from: "kube-scheduler", to: "kube-apiserver", verb: "POST", subject: "binding/" } }, { hop: { from: "kube-scheduler", to: "kube-apiserver", verb: "POST" } }],
    otherwise: "In this run the scheduler bound nothing.",
  },
  {
    id: "running-ready",
    claim: "Running means ready for traffic.",
    truth: "Running says that the containers exist and at least one runs. Ready says that the readiness probes pass, and only then does a Service send traffic. READY 0/1 with STATUS Running is a normal stretch of every Pod's life.",
    source: "website: content/en/docs/concepts/workloads/pods/pod-lifecycle.md",
    label: "Show where it is Running and not ready",
    show: [{ note: { text: "Running, not ready" } }, { note: { text: "Running" } }],
    otherwise: "This run has no Pod that got as far as Running.",
  },
  {
    id: "pod-moves",
    claim: "A Pod moves to another node when its node dies.",
    truth: "A Pod is bound to one node for life. When the node has been silent for 50 s it is NotReady; 300 s later its Pods are marked for deletion, and a controller, if there is one, creates other Pods elsewhere, with new names, UIDs and addresses.",
    source: "pkg/controller/tainteviction/taint_eviction.go",
    label: "Show the node being marked",
    show: [{ note: { component: "taint-eviction-controller" } }, { note: { component: "node-lifecycle-controller", text: "NotReady" } }],
    otherwise: "Break it with node.crash, and look again some six minutes later.",
  },
  {
    id: "readiness-restarts",
    claim: "A failing readiness probe restarts the container.",
    truth: "Only liveness and startup probes kill. Readiness goes on being asked for the Pod's whole life and only decides about traffic; a ReplicaSet counts a Pod that is not ready as existing.",
    source: "pkg/kubelet/prober/worker.go",
    label: "Show a readiness probe",
    show: [{ note: { component: "kubelet@", text: "readiness probe of" } }, { note: { component: "kubelet@", text: "readiness" } }],
    otherwise: "No readiness probe has been asked in this run.",
  },
  {
    id: "crashloop-phase",
    claim: "CrashLoopBackOff is the Pod's phase.",
    truth: "There are five phases, and the Pod's is Running. CrashLoopBackOff is the reason for which a container waits; kubectl prints it in the STATUS column, where it prints many things. For most of the wait it even says Error.",
    source: "pkg/printers/internalversion/printers.go",
    label: "Show the back-off",
    show: [{ note: { component: "kubelet@", text: "back-off" } }, { note: { text: "CrashLoopBackOff" } }],
    otherwise: "Nothing crashes in this run. Break it with app.crash.",
  },
  {
    id: "etcd-notifies",
    claim: "etcd tells the scheduler and the kubelets what changed.",
    truth: "Only the API server speaks to etcd. It holds one watch per resource type, and fans events out from its own memory to everyone else.",
    source: "staging/src/k8s.io/apiserver/pkg/storage/cacher/cacher.go",
    label: "Show who gets the event, and from whom",
    show: [{ hop: { from: "kube-apiserver", protocol: "watch", subject: "pod/" } }],
    otherwise: "No Pod has been created in this run.",
  },
  {
    id: "volumes-after-network",
    claim: "The network is set up, then the volumes are mounted.",
    truth: "The kubelet waits for every volume before it calls the runtime. CNI runs later, inside RunPodSandbox. Most of a warm start is spent on that wait.",
    source: "pkg/kubelet/kubelet.go",
    label: "Show the wait for volumes",
    show: [{ note: { component: "kubelet@", text: "until the volumes" } }, { note: { component: "kubelet@", text: "volume" } }],
    otherwise: "No kubelet has got as far as volumes in this run.",
  },
  {
    id: "cached-image-wins",
    claim: "The scheduler prefers the node that has the image.",
    truth: "ImageLocality gives points by size and by how many nodes have it, from 23 MiB on, with weight 1 of 15. For nginx in the sample's world it gives every node 0: the Pod says nginx:1.27, the nodes report docker.io/library/nginx:1.27, and names are compared letter by letter.",
    source: "pkg/scheduler/framework/plugins/imagelocality/image_locality.go",
    label: "Show the scores",
    show: [{ note: { component: "kube-scheduler", kind: "decision", text: "scores" } }],
    otherwise: "The scheduler has decided nothing in this run.",
  },
  {
    id: "slice-ready-only",
    claim: "A Pod is added to the Service's endpoints when it gets ready.",
    truth: "It is in the EndpointSlice as soon as it has an address, marked ready: false. The slice is written a second time when it is ready, and each node follows in its own time.",
    source: "staging/src/k8s.io/endpointslice/utils.go",
    label: "Show the first write of the slice",
    show: [{ note: { component: "endpointslice-controller", text: "not ready" } }],
    otherwise: "No Service selects a Pod of this run yet.",
  },
  {
    id: "apply-checks-image",
    claim: "If apply succeeded, the image, Secret and ConfigMap exist.",
    truth: "The API server checks the object, not what it refers to. Names are resolved later: images by the runtime, Secrets and ConfigMaps by the kubelet, claims by scheduler and controllers.",
    source: "pkg/apis/core/validation/validation.go",
    label: "Show who looks for the image",
    show: [{ hop: { from: "kubelet@", to: "containerd@", verb: "ImageStatus" } }, { hop: { to: "registry" } }],
    otherwise: "No image has been looked for in this run.",
  },
  {
    id: "sigkill-oom",
    claim: "Exit code 137 means out of memory.",
    truth: "137 is 128 + 9: killed by SIGKILL. It is memory only if the reason says OOMKilled; otherwise the grace period ran out because process 1 ignored SIGTERM.",
    source: "website: content/en/docs/tasks/debug/debug-application/determine-reason-pod-failure.md",
    label: "Show the kill",
    show: [{ hop: { to: "process@", verb: "SIGKILL" } }, { note: { component: "kubelet@", text: "137" } }, { note: { component: "process@", text: "137" } }],
    otherwise: "Nothing was killed in this run. Break it with app.oom, or with app.ignores-sigterm and Delete.",
  },
];
