// The failures that people reported, each under the condition that its report names, with what kubectl showed them.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { createCluster } from "../sim/cluster.ts";
import type { KubeEvent } from "../sim/api/types.ts";
import { Simulation } from "../sim/kernel/simulation.ts";
import type { FaultParams, RunInput } from "../sim/scenarios/recipe.ts";
import { worldNode } from "../sim/scenarios/worlds/world-file.ts";
import { commandsOf } from "./commands-run.ts";

interface Failure {
  readonly id: string;
  readonly minimal_manifest: string;
  readonly expected: { readonly status: string; readonly events: readonly { readonly message?: string; readonly source?: string }[] };
}

interface Typed {
  readonly argv: readonly string[];
  readonly file?: string;
}

interface Condition {
  /** Typed at 0 s, before the manifest is applied at 1 s. */
  readonly before?: readonly Typed[];
  /** The documents of the manifest that were there before the others. */
  readonly first?: number;
  /** Typed at a second. */
  readonly after?: readonly (readonly [second: number, ...argv: string[]])[];
  readonly faults?: readonly (readonly [second: number, id: string, params: FaultParams])[];
  /** Seconds. */
  readonly until?: number;
  readonly change?: (manifest: string) => string;
  /** Instead of the report's own texts: alternatives, or where a recording of the real thing says otherwise. */
  readonly want?: readonly string[];
  readonly status?: readonly string[];
}

const run = (...argv: string[]): Typed => ({ argv });
const stored = (file: string): Typed => ({ argv: ["apply", "-f", "b.yaml"], file });
const RUNC = "Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ";
const CLAIM = (name: string): string => `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: ${name}}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}`;

/** What a report says of the cluster beyond its manifest. */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  "adm-podsecurity-restricted": { before: [run("label", "namespace", "default", "pod-security.kubernetes.io/enforce=restricted")] },
  "adm-webhook-no-endpoints": {
    after: [[3, "create", "deployment", "d", "--image=nginx"], [5, "run", "p", "--image=nginx"]],
    want: ['failed calling webhook "validator.lab.example": failed to call webhook: Post "https://validator.lab.svc:443/validate?timeout=10s": service "validator" not found', 'Error creating: Internal error occurred: failed calling webhook "validator.lab.example"'],
  },
  "api-selector-immutable": { before: [stored("{apiVersion: apps/v1, kind: Deployment, metadata: {name: version-checker}, spec: {selector: {matchLabels: {app: version-checker, version: v0.3.1}}, template: {metadata: {labels: {app: version-checker, version: v0.3.1}}, spec: {containers: [{name: c, image: nginx}]}}}}")] },
  "cni-ip-exhausted": { faults: [[0, "cni.ip-exhausted", {}]], want: ["Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox"] },
  "cni-add-fails": { faults: [[0, "cni.add-fails", {}]] },
  "image-exec-format": { faults: [[0, "image.wrong-architecture", { image: "gcr.io/kuar-demo/kuard-amd64:blue" }]] },
  "image-rate-limit": { faults: [[0, "image.rate-limited", {}]] },
  "probe-readiness-flapping": { faults: [[10, "app.slow-answers", { container: "" }]], change: (text) => text.replace("registry.example.com", "ghcr.io/example").replace("readinessProbe", "ports: [{containerPort: 8000}]\n    readinessProbe") },
  "probe-startup-too-tight": { faults: [[0, "app.slow-start", { container: "", seconds: 8 }]], change: (text) => text.replace("registry.example.com", "ghcr.io/example") },
  "etcd-no-space": { faults: [[0, "etcd.no-space", {}]], want: ['Error from server: error when creating "a.yaml": etcdserver: mvcc: database space exceeded'] },
  "hpa-unknown": { want: ["failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)", "invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: …"] },
  "pdb-blocks-drain": { after: [[10, "drain", "node-1", "node-2", "node-3", "--ignore-daemonsets", "--timeout=20s"]] },
  "pvc-no-default-class": { before: [run("annotate", "storageclass", "standard", "storageclass.kubernetes.io/is-default-class-")] },
  "sched-preemption": { first: 2, want: ["Preempted Preempted by pod <uid> on node node-", "FailedScheduling 0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 Insufficient cpu. no new claims to deallocate, preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod."] },
  "term-traffic-after-sigterm": { change: (text) => text.replace("registry.example.com", "ghcr.io/example"), after: [[20, "rollout", "restart", "deployment/my-backend"]], status: [] },
  "auth-unauthorized": { after: [[3, "get", "pods", "--token=expired"]], want: ["error: You must be logged in to the server (Unauthorized)"] },
  // A tag "latest" is looked up at every start.
  "app-missing-env-crash": { want: ['Pulled Successfully pulled image "bash"', "BackOff Back-off restarting failed container pw in pod payment-worker-<hash>_<ns>(<uid>)"] },
  // Reported from a lab without kubelets. With one the containers end, the phase is terminal, and kubectl says so in spite of the deletion.
  "term-finalizer": { after: [[10, "delete", "pod", "stuck", "--wait=false"]], status: ["Completed"] },
  "term-ignores-sigterm": { after: [[10, "delete", "pod", "slow-stop", "--wait=false"]] },
  "term-pvc-protection": { after: [[10, "delete", "pvc", "prot", "--wait=false"]] },
  "term-node-lost": {
    faults: [[5, "node.crash", {}]], until: 400, status: ["Running", "Terminating"],
    want: ["NodeNotReady Node <node> status is now: NodeNotReady", "NodeNotReady Node is not ready", "TaintManagerEviction Marking for deletion Pod <ns>/web-<hash>"],
  },
  "volume-multi-attach": {
    before: [stored(CLAIM("grafana-data"))], after: [[30, "cordon", "node-1", "node-2"], [31, "rollout", "restart", "deployment/grafana"]],
    want: [],
  },
  // The recordings of the real runtime have no "error during container init".
  "run-args-without-command": { change: (text) => text.replace(/image: .*/, "image: busybox"), want: [`${RUNC}exec: "-c": executable file not found in $PATH`] },
  "run-command-typo": { want: [`${RUNC}exec: "wge": executable file not found in $PATH`] },
  "probe-liveness-wrong-port": { want: ['Liveness probe failed: Get "http://<podIP>:8080/healthz": dial tcp <podIP>:8080: connect: connection refused', "Container web-app failed liveness probe, will be restarted"], until: 600 },
  "adm-webhook-timeout": {
    faults: [[0, "admission.webhook-timeout", { name: "validate.kyverno.svc-fail" }]],
    want: ['Error from server (InternalError): error when creating "a.yaml": Internal error occurred: failed calling webhook "validate.kyverno.svc-fail": failed to call webhook: Post "<address>?timeout=10s": context deadline exceeded'],
  },
  "node-device-unexpected-admission": { before: [run("run", "other", "--image=nvidia/cuda:12.4.1-base-ubuntu22.04", '--overrides={"spec":{"containers":[{"name":"other","image":"nvidia/cuda:12.4.1-base-ubuntu22.04","command":["sleep","1000"],"resources":{"limits":{"nvidia.com/gpu":"1"}}}]}}')], faults: [[0.99, "device.unhealthy", { node: "node-1", healthy: 1 }]] },
  "volume-fsgroup-slow": { before: [stored(CLAIM("storage"))], faults: [[0, "csi.many-files", {}]], change: (text) => text.replace("zammad/zammad:6", "nginx:1.27") },
  "probe-readiness-never": { want: ["Readiness probe failed: "] },
};

const FILE = fileURLToPath(new URL("../../../shared/corpus/failures-open.jsonl", import.meta.url));
const failures: readonly Failure[] = existsSync(FILE) ? readFileSync(FILE, "utf8").trim().split("\n").map((line) => JSON.parse(line) as Failure) : [];

/** The lab's nodes are in zones, but in no region. */
const labNode = (...args: Parameters<typeof worldNode>): ReturnType<typeof worldNode> => {
  const node = worldNode(...args);
  return { ...node, metadata: { ...node.metadata, labels: Object.fromEntries(Object.entries(node.metadata.labels ?? {}).filter(([key]) => key !== "topology.kubernetes.io/region")) } };
};

const WORLD = stringify({
  kind: "List",
  items: [
    labNode({ name: "cp-1", zone: "a", cpu: "2", memory: "4Gi", labels: { "node-role.kubernetes.io/control-plane": "" }, taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }] }),
    ...["a", "b", "c"].map((zone, i) => labNode({ name: `node-${i + 1}`, zone, cpu: "2", memory: "4Gi", ...(i === 0 ? { devices: { "nvidia.com/gpu": "2" } } : {}) })),
  ],
});

const LOOKS = [2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233];

/** All that a user would have read: what commands printed, and the Events with their reasons. */
function read(failure: Failure, condition: Condition): string {
  const { before = [], first = 0, after = [], faults = [], until = 240, change = (text: string) => text } = condition;
  const documents = failure.minimal_manifest.split("---\n");
  const command = (second: number, argv: readonly string[], files: Readonly<Record<string, string>> = {}): RunInput => ({ at: second * 1_000_000, type: "command", argv, files });
  const inputs: RunInput[] = [
    ...[...before, ...(first === 0 ? [] : [stored(documents.slice(0, first).join("---\n"))])].map(({ argv, file }: Typed, i) => command(i / 10, argv, file === undefined ? {} : { "b.yaml": file })),
    command(1, ["apply", "-f", "a.yaml"], { "a.yaml": change(failure.minimal_manifest) }),
    ...after.map(([second, ...argv]) => command(second, argv)),
    ...faults.map(([second, id, params]): RunInput => ({ at: second * 1_000_000, type: "fault", id, params })),
    ...[...LOOKS, until - 2].filter((second) => second < until).map((second) => command(second, ["get", "pods,pvc,jobs", "-A"])),
  ];
  const cluster = createCluster({ world: WORLD, seed: 1, profile: "quiet", inputs });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(until * 1_000_000);
  const events = sim.trace.revisions.filter(({ key, object }) => key.startsWith("/registry/events/") && object !== undefined).map(({ object }) => object as KubeEvent & { readonly note?: string });
  return [...commandsOf(sim.trace).map(({ stdout, stderr }) => stdout + stderr), ...events.map(({ reason, message, note }) => `${reason} ${message ?? note}\n`)].join("");
}

/** "<hash>" and "…" stand for anything. */
function matches(text: string, message: string): boolean {
  return new RegExp(message.split(/<[^<>]*>|…/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[^]*?")).test(text);
}

const STATUS = /\b(?:ContainerCreating|CrashLoopBackOff|ErrImagePull|ImagePullBackOff|ErrImageNeverPull|InvalidImageName|OOMKilled|Error|CreateContainerConfigError|RunContainerError|Pending|Running|Terminating|UnexpectedAdmissionError|SysctlForbidden|OutOfcpu|SchedulingGated|NotReady(?= \d))\b/g;

test.skipIf(failures.length === 0).each(failures)("reported: $id", (failure) => {
  const condition = CONDITIONS[failure.id] ?? {};
  const text = read(failure, condition);
  const want = condition.want ?? failure.expected.events.map(({ message = "" }) => message.replace(/<file>/g, "a.yaml"));
  for (const message of want) expect(matches(text, message), `${message}\n--- not in ---\n${text.slice(0, 6000)}`).toBe(true);
  for (const word of condition.status ?? failure.expected.status.replace(/\(.*?\)/g, "").match(STATUS) ?? []) expect(text).toContain(word);
});

test.runIf(failures.length === 0)("no corpus beside the project: the reported failures are not tried", () => {
  expect(existsSync(FILE)).toBe(false);
});
