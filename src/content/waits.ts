import type { WaitKind, WaitView } from "../worker/protocol-waits.ts";

/** What a kind of wait is called, the rule behind it, and what ends it before its time. Figures come from the simulation. */
export interface WaitText {
  readonly title: string;
  /** On the stage, before the time: "back-off 20 s". */
  readonly short: string;
  readonly rule: string;
  readonly resets: string;
  /** Upstream path. */
  readonly source: string;
  /** A condition to stop at that comes of it. */
  readonly stop?: (wait: WaitView) => string;
}

const nameOnly = (name: string): string => name.slice(name.indexOf("/") + 1);
const eventOn = (reason: string) => ({ name }: WaitView): string => `event ${reason} on Pod/${nameOnly(name)}`;

export const WAIT_TEXTS: Readonly<Record<WaitKind, WaitText>> = {
  "crash-loop": {
    title: "Crash-loop back-off", short: "back-off",
    rule: "A container that ended is not started again before its back-off has passed since its exit; each further restart doubles the back-off, up to a maximum. The Pod worker sleeps between one and one and a half times as long as that, so the start comes later than the end of the back-off.",
    resets: "Running long enough before the next exit; a new Pod; a change of the container in the manifest.",
    source: "pkg/kubelet/kuberuntime/kuberuntime_manager.go", stop: eventOn("Started"),
  },
  "image-pull": {
    title: "Image pull back-off", short: "pull back-off",
    rule: "After a failed pull the kubelet does not ask the registry for this image of this Pod again before its back-off has passed; each further failure doubles it. The Pod worker looks more often, and says ImagePullBackOff meanwhile.",
    resets: "Twice the maximum without a failed pull; a new Pod; another image name.",
    source: "pkg/kubelet/images/image_manager.go", stop: eventOn("Pulling"),
  },
  "pod-worker": {
    title: "The Pod worker sleeps", short: "worker wakes",
    rule: "After each sync a Pod's worker puts itself off: for the resync interval, for less after an error. The time is stretched by up to a half, so that not all Pods wake together, and the sync loop looks at what is due once a second.",
    resets: "Any change of the Pod, its containers or its probes' results wakes it at once.",
    source: "pkg/kubelet/pod_workers.go",
  },
  grace: {
    title: "Grace period", short: "grace",
    rule: "A container has its grace period to end by itself: first its preStop hook, then the stop signal. When the time is over the runtime sends SIGKILL, which no program can ignore.",
    resets: "The end of the program; a deletion with a shorter grace period.",
    source: "pkg/kubelet/kuberuntime/kuberuntime_container.go", stop: () => "* -> * SIGKILL",
  },
  volume: {
    title: "Volume operation back-off", short: "volume back-off",
    rule: "An operation on a volume that failed is not begun again before its back-off has passed; each failure in a row doubles it, up to a maximum.",
    resets: "The first success of the operation.",
    source: "pkg/util/goroutinemap/exponentialbackoff/exponential_backoff.go", stop: eventOn("FailedMount"),
  },
  probe: {
    title: "Probe period", short: "probe",
    rule: "A probe's worker asks once a period. A verdict needs as many equal outcomes in a row as its threshold says; one other outcome starts the count anew.",
    resets: "A new container; asking for a readiness that is not there makes the worker ask at once and start its ticker over.",
    source: "pkg/kubelet/prober/worker.go", stop: eventOn("Unhealthy"),
  },
  "initial-delay": {
    title: "Initial delay of a probe", short: "first probe",
    rule: "During initialDelaySeconds after the container's start the worker ticks, but asks nothing.",
    resets: "A new start of the container.",
    source: "pkg/kubelet/prober/worker.go",
  },
  "scheduler-backoff": {
    title: "Scheduler back-off", short: "back-off",
    rule: "A Pod that no node took is not tried again before its back-off has passed, whatever happens; each rejection in a row doubles it, up to a maximum. It ends with the second in which it is over. It runs in unschedulablePods too: an event that wakes the Pod earlier moves it to a back-off queue.",
    resets: "A successful attempt. With nothing else to do the scheduler takes a rejected Pod from podBackoffQ earlier.",
    source: "pkg/scheduler/backend/queue/backoff_queue.go", stop: eventOn("FailedScheduling"),
  },
  unschedulable: {
    title: "Unschedulable", short: "tried again",
    rule: "The Pod waits for an event that one of the plugins that rejected it has registered for. If none comes, a periodic look takes along what has waited too long.",
    resets: "Such an event: more room, another label, a Pod that goes, a change of the Pod itself.",
    source: "pkg/scheduler/backend/queue/scheduling_queue.go", stop: eventOn("FailedScheduling"),
  },
  gate: {
    title: "Scheduling gate", short: "gated",
    rule: "A Pod that a PreEnqueue plugin holds back never enters activeQ.",
    resets: "The gate opens: its entry in spec.schedulingGates is removed, or what the plugin waits for is there.",
    source: "pkg/scheduler/backend/queue/scheduling_queue.go", stop: eventOn("Scheduled"),
  },
  toleration: {
    title: "Tolerated until", short: "evicted",
    rule: "The Pod tolerates the node's NoExecute taints for the shortest tolerationSeconds that fits; then the taint-eviction-controller deletes it.",
    resets: "The taint goes. A change of the tolerations does not move a time that is set.",
    source: "pkg/controller/tainteviction/taint_eviction.go", stop: eventOn("TaintManagerEviction"),
  },
  "node-grace": {
    title: "Monitor grace period", short: "Unknown",
    rule: "The node-lifecycle-controller takes a newer Lease or a changed heartbeat for a sign of life. A node without one for the whole grace period is declared Unknown at the next look, and tainted.",
    resets: "Each sign of life.",
    source: "pkg/controller/nodelifecycle/node_lifecycle_controller.go", stop: ({ name }) => `node/${name} Ready = Unknown`,
  },
  "node-taint": {
    title: "Queue for a NoExecute taint", short: "taint",
    rule: "Nodes that are not ready get their NoExecute taint one at a time in each zone, so that a fault of the network does not evict a whole zone at once.",
    resets: "The node becomes ready and leaves the queue.",
    source: "pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go",
  },
  "node-lease": {
    title: "Node Lease", short: "lease",
    rule: "The kubelet renews its node's Lease after a quarter of its duration, with a little jitter. It is a small sign of life; the Node's status is written far less often.",
    resets: "Each renewal starts the interval over.",
    source: "staging/src/k8s.io/component-helpers/apimachinery/lease/controller.go",
  },
  "leader-lease": {
    title: "Leader's Lease", short: "lease",
    rule: "The leader renews its Lease every retry period. If no renewal succeeds within the renew deadline the process exits, well before the Lease itself is over.",
    resets: "Each successful renewal.",
    source: "staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go",
  },
  "leader-candidate": {
    title: "Waits for the leader's Lease", short: "may lead",
    rule: "A candidate takes the Lease once its record has not changed for the Lease's duration, by its own clock, or once the holder gives it back.",
    resets: "Each renewal by the holder that the candidate sees.",
    source: "staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go",
  },
  restart: {
    title: "Restart of the process", short: "restart",
    rule: "A process of the control plane that exits is started again by its node's kubelet, ever later if it goes on exiting.",
    resets: "Running for ten minutes.",
    source: "pkg/kubelet/kuberuntime/kuberuntime_manager.go",
  },
  "job-backoff": {
    title: "Job back-off", short: "back-off",
    rule: "After a failed Pod the Job's next one is not made before the back-off has passed since that failure; each failure since the last success doubles it.",
    resets: "A Pod of the Job that succeeds.",
    source: "pkg/controller/job/backoff_utils.go", stop: ({ name }) => `event SuccessfulCreate on Job/${nameOnly(name)}`,
  },
  attach: {
    title: "Attach back-off", short: "attach",
    rule: "An attach or detach that failed is not tried again before its back-off has passed; each failure in a row of the same operation doubles it.",
    resets: "A success, or the other operation.",
    source: "pkg/util/goroutinemap/exponentialbackoff/exponential_backoff.go",
  },
  "work-queue": {
    title: "Work queue", short: "retry",
    rule: "A key whose sync failed comes back after a delay that doubles with each failure in a row; retries of all keys share a bucket of tokens besides. A sync that succeeds may ask to be done again later.",
    resets: "A successful sync; any change of the object adds its key at once.",
    source: "staging/src/k8s.io/client-go/util/workqueue/default_rate_limiters.go",
  },
};
