/** A question on the way to the cause, or the cause itself. */
export type Node =
  | {
      readonly id: string;
      readonly ask: string;
      /** kubectl arguments that answer it; POD, NODE, SERVICE stand for names of this run. */
      readonly command?: string;
      readonly answers: readonly { readonly label: string; readonly to: string }[];
    }
  | { readonly id: string; readonly cause: string; readonly fix: string; readonly command?: string; readonly fault?: string };

/** What a user sees, and the path from there. The first node is where it begins. */
export interface DecisionPath {
  readonly id: string;
  readonly symptom: string;
  readonly nodes: readonly Node[];
}

const pending: DecisionPath = {
  id: "pending",
  symptom: "Pending, and no node",
  nodes: [
    { id: "events", ask: "What do the Pod's events say?", command: "describe pod POD", answers: [{ label: "FailedScheduling, 0/n nodes are available", to: "reasons" }, { label: "No events at all", to: "silent" }, { label: "Scheduled, but still Pending", to: "scheduled" }] },
    { id: "reasons", ask: "Which reason stands next to the largest number?", answers: [{ label: "Insufficient cpu or memory", to: "resources" }, { label: "untolerated taint(s)", to: "taint" }, { label: "didn't match node affinity/selector", to: "selector" }, { label: "were unschedulable", to: "cordon" }, { label: "unbound immediate PersistentVolumeClaims", to: "claim" }] },
    { id: "resources", cause: "The requests of the Pods that are there leave no room. Usage does not matter.", fix: "Ask for less, delete or scale something down, or add a node.", command: "describe nodes" },
    { id: "taint", cause: "The nodes carry a taint that the Pod does not tolerate.", fix: "Add a toleration if it may run there; otherwise find out who set the taint: a pressure, NotReady, or a person.", command: "get nodes -o custom-columns=NAME:.metadata.name,TAINTS:.spec.taints[*].key" },
    { id: "selector", cause: "No node with room has the labels that nodeSelector or affinity asks for.", fix: "Correct the label on either side.", command: "get nodes --show-labels" },
    { id: "cordon", cause: "Somebody cordoned the nodes.", fix: "kubectl uncordon NODE.", command: "get nodes", fault: "node.cordon" },
    { id: "claim", cause: "The claim has no volume yet, and its class does not wait for the Pod.", fix: "Look at the claim's events: the class may be missing or its provisioner may fail.", command: "describe pvc" },
    { id: "silent", ask: "Does a scheduler run, and is it this Pod's?", command: "get pods -n kube-system", answers: [{ label: "It is down", to: "scheduler-down" }, { label: "It runs", to: "gated" }] },
    { id: "scheduler-down", cause: "No scheduler, no decision and no event.", fix: "Bring it back: it takes up what waits.", command: "get leases -n kube-system", fault: "scheduler.down" },
    { id: "gated", cause: "The Pod names another schedulerName, or has schedulingGates, or nodeName was given by hand.", fix: "Compare spec.schedulerName and spec.schedulingGates.", command: "get pod POD -o yaml" },
    { id: "scheduled", ask: "It has a node: the rest is that node's.", command: "get pod POD -o wide", answers: [{ label: "Follow ContainerCreating", to: "node-side" }] },
    { id: "node-side", cause: "Phase Pending lasts until all containers exist: see \"ContainerCreating for ever\".", fix: "Look at the node's part.", command: "describe pod POD" },
  ],
};

const creating: DecisionPath = {
  id: "creating",
  symptom: "ContainerCreating for ever",
  nodes: [
    { id: "events", ask: "Which warning repeats in the events?", command: "describe pod POD", answers: [{ label: "FailedMount or FailedAttachVolume", to: "volume" }, { label: "FailedCreatePodSandBox", to: "sandbox" }, { label: "NetworkNotReady", to: "network" }, { label: "Pulling, and nothing after it", to: "pull" }, { label: "None, and no event newer than Scheduled", to: "kubelet" }] },
    { id: "volume", cause: "A volume is missing: a Secret or ConfigMap that does not exist, or a disk that cannot be attached.", fix: "Create what the text names. A disk held by a dead node is released after some six minutes.", command: "get events --sort-by=.lastTimestamp", fault: "csi.attach-fails" },
    { id: "sandbox", cause: "The CNI plugin failed inside RunPodSandbox, often for want of a free address.", fix: "Read the text's end: no IP addresses available means that the node's range is used up.", command: "get pods -A -o wide", fault: "cni.ip-exhausted" },
    { id: "network", cause: "The node has no working CNI configuration.", fix: "See that the network plugin's Pods run on that node.", command: "describe node NODE", fault: "cni.not-ready" },
    { id: "pull", cause: "The image is large or the link slow.", fix: "Wait, use a smaller image, or pull it beforehand.", command: "get pod POD -o wide", fault: "image.slow-pull" },
    { id: "kubelet", cause: "The kubelet of that node does not act: it is stopped, or its node is dead or cut off.", fix: "Look at the node's Ready condition and its lease.", command: "get nodes", fault: "kubelet.stopped" },
  ],
};

const noTraffic: DecisionPath = {
  id: "no-traffic",
  symptom: "Running, and no traffic",
  nodes: [
    { id: "ready", ask: "Is it ready: does READY say 1/1?", command: "get pods", answers: [{ label: "0/1", to: "probe" }, { label: "1/1", to: "slice" }] },
    { id: "probe", cause: "The readiness probe fails: wrong path or port, or the program is not up yet.", fix: "The event names the answer it got. Correct the probe or the program.", command: "describe pod POD", fault: "app.not-ready" },
    { id: "slice", ask: "Is its address in the Service's slice?", command: "get endpointslices", answers: [{ label: "No address, or <unset>", to: "selector" }, { label: "The address is there", to: "port" }] },
    { id: "selector", cause: "The Service's selector does not match the Pod's labels; or the controllers are down and the slice is stale.", fix: "Compare the two.", command: "get service -o wide", fault: "controller-manager.down" },
    { id: "port", ask: "Does targetPort equal the port on which the process listens? (containerPort opens nothing.)", command: "describe service SERVICE", answers: [{ label: "No", to: "wrong-port" }, { label: "Yes", to: "rules" }] },
    { id: "wrong-port", cause: "Connections are refused: nobody listens on that port.", fix: "Correct targetPort.", command: "get service SERVICE -o yaml" },
    { id: "rules", cause: "A node's rules are old (kube-proxy is down there), or the name does not resolve.", fix: "Try the address instead of the name, and from another node.", command: "get pods -n kube-system -o wide", fault: "proxy.down" },
  ],
};

const pull: DecisionPath = {
  id: "image",
  symptom: "ErrImagePull or ImagePullBackOff",
  nodes: [
    { id: "text", ask: "What did the registry answer?", command: "describe pod POD", answers: [{ label: "not found", to: "missing" }, { label: "pull access denied, 401 or 403", to: "denied" }, { label: "429 toomanyrequests", to: "limited" }, { label: "i/o timeout or no such host", to: "down" }, { label: "couldn't parse image name", to: "name" }] },
    { id: "missing", cause: "No such tag or repository.", fix: "Correct the name; a changed Pod is tried again at once.", command: "get pod POD -o yaml", fault: "image.not-found" },
    { id: "denied", cause: "No, or wrong, credentials. A missing imagePullSecret is only a warning; the pull goes on without it.", fix: "Create the Secret and name it in imagePullSecrets.", command: "get secrets", fault: "image.unauthorized" },
    { id: "limited", cause: "The registry limits pulls from this address.", fix: "Wait, log in, or use a mirror.", command: "get events", fault: "image.rate-limited" },
    { id: "down", cause: "The registry cannot be reached from that node. Images that are on the node still start, unless the pull policy is Always.", fix: "Check the node's network; use IfNotPresent.", command: "get events", fault: "image.registry-down" },
    { id: "name", cause: "InvalidImageName: not an image reference at all (an upper-case letter, for instance). The API server does not check this.", fix: "Correct the name.", command: "get pod POD -o yaml" },
  ],
};

const crash: DecisionPath = {
  id: "crash",
  symptom: "Error, CrashLoopBackOff, RESTARTS grows",
  nodes: [
    { id: "code", ask: "How did the last one end?", command: "describe pod POD", answers: [{ label: "Exit code 1 or another small one", to: "app" }, { label: "137, OOMKilled", to: "oom" }, { label: "137, Error", to: "killed" }, { label: "0, Completed", to: "done" }, { label: "128, StartError or exec format error", to: "start" }, { label: "Liveness or startup probe failed", to: "liveness" }] },
    { id: "app", cause: "The program itself gave up.", fix: "Read what it last said.", command: "logs POD --previous", fault: "app.crash" },
    { id: "oom", cause: "It used more memory than its limit.", fix: "Raise the limit, or find the leak.", command: "get pod POD -o yaml", fault: "app.oom" },
    { id: "killed", cause: "It did not end within the grace period after SIGTERM.", fix: "Handle SIGTERM in process 1, or allow more time.", command: "get events", fault: "app.ignores-sigterm" },
    { id: "done", cause: "It finished, and restartPolicy Always starts it again: the same back-off as for a crash.", fix: "Use a Job, or let the program go on.", command: "get pod POD -o yaml" },
    { id: "start", cause: "The command does not exist in the image, or the image is for another kind of CPU.", fix: "Correct command or image.", command: "describe pod POD", fault: "image.wrong-architecture" },
    { id: "liveness", cause: "The kubelet kills it before it can answer.", fix: "A startupProbe holds liveness back; or allow more failures or time.", command: "describe pod POD", fault: "app.slow-start" },
  ],
};

const terminating: DecisionPath = {
  id: "terminating",
  symptom: "Terminating for ever",
  nodes: [
    { id: "node", ask: "Is its node Ready?", command: "get nodes", answers: [{ label: "NotReady", to: "dead" }, { label: "Ready", to: "finalizer" }] },
    { id: "dead", cause: "Nobody is left to confirm that the containers have ended.", fix: "Bring the node back, delete its Node object, or taint it out-of-service. --force removes only the record.", command: "describe node NODE", fault: "node.crash" },
    { id: "finalizer", ask: "Does it hold finalizers?", command: "get pod POD -o yaml", answers: [{ label: "Yes", to: "held" }, { label: "No", to: "slow" }] },
    { id: "held", cause: "Somebody asked to be waited for.", fix: "Find that controller. Taking the finalizer off by hand skips its work.", command: "get pod POD -o yaml" },
    { id: "slow", cause: "The grace period runs, or a volume is being torn down.", fix: "Wait: 30 s by default, then SIGKILL.", command: "get events", fault: "app.ignores-sigterm" },
  ],
};

const nodeNotReady: DecisionPath = {
  id: "node",
  symptom: "A node is NotReady",
  nodes: [
    { id: "message", ask: "What does its Ready condition say?", command: "describe node NODE", answers: [{ label: "Unknown: Kubelet stopped posting node status.", to: "silent" }, { label: "False, with a text about the network plugin", to: "cni" }, { label: "False, with a text about the container runtime", to: "cri" }] },
    { id: "silent", cause: "Its kubelet has not renewed the lease: the machine is off, cut off, or the kubelet stopped. Its containers may run on.", fix: "Go to the machine. After 300 s its Pods are deleted and replaced.", command: "get leases -n kube-node-lease", fault: "node.crash" },
    { id: "cni", cause: "No CNI configuration is loaded.", fix: "Start the network plugin there.", command: "get pods -n kube-system -o wide", fault: "cni.not-ready" },
    { id: "cri", cause: "The runtime does not answer the kubelet.", fix: "Restart it. Running containers survive that.", command: "describe node NODE", fault: "cri.down" },
  ],
};

const refused: DecisionPath = {
  id: "refused",
  symptom: "kubectl itself prints an error",
  nodes: [
    { id: "text", ask: "Which words are in it?", command: "get pods", answers: [{ label: "was refused, or i/o timeout", to: "down" }, { label: "You must be logged in / Unauthorized", to: "authn" }, { label: "Forbidden: User cannot", to: "authz" }, { label: "admission webhook ... denied", to: "webhook" }, { label: "etcdserver: request timed out", to: "etcd" }] },
    { id: "down", cause: "No API server answers at that address. Pods run on without it.", fix: "Bring it back, or correct the kubeconfig.", command: "get pods", fault: "apiserver.down" },
    { id: "authn", cause: "The server does not know who you are (401): the certificate or token is not valid any more.", fix: "Log in again.", command: "auth whoami", fault: "authn.credentials-expired" },
    { id: "authz", cause: "It knows you, and no rule allows this verb (403).", fix: "A Role and RoleBinding for it.", command: "auth can-i create pods", fault: "authz.denied" },
    { id: "webhook", cause: "A validating webhook refuses the object. Nothing was stored.", fix: "Read its message: it is the webhook's own.", command: "get validatingwebhookconfigurations", fault: "admission.webhook-denies" },
    { id: "etcd", cause: "The store has lost its leader or its quorum. The write may or may not have been stored.", fix: "Look before you repeat it.", command: "get pods", fault: "etcd.leader-crash" },
  ],
};

const noPods: DecisionPath = {
  id: "no-pods",
  symptom: "A Deployment has no Pods",
  nodes: [
    { id: "rs", ask: "Is there a ReplicaSet, and what do its events say?", command: "describe replicasets", answers: [{ label: "No ReplicaSet", to: "controllers" }, { label: "FailedCreate: forbidden or exceeded quota", to: "admission" }] },
    { id: "controllers", cause: "The controllers do not run: the Deployment is a record that nobody reads.", fix: "Bring kube-controller-manager back.", command: "get leases -n kube-system", fault: "controller-manager.down" },
    { id: "admission", cause: "Admission refuses the Pods. The error is not on the Deployment but on the ReplicaSet.", fix: "Raise the quota or correct the template.", command: "get resourcequotas", fault: "admission.webhook-denies" },
  ],
};

export const DECISION_PATHS: readonly DecisionPath[] = [pending, creating, noTraffic, pull, crash, terminating, nodeNotReady, noPods, refused];
