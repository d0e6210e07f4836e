// The claim's whole way, in whole clusters.
import { describe, expect, test } from "vitest";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { RunInput } from "../scenarios/recipe.ts";
import { SAMPLES } from "../scenarios/samples.ts";
import { applyText } from "../scenarios/scenario.ts";

const DISK = SAMPLES.find((sample) => sample.id === "disk")?.text ?? "";
const at = (seconds: number, ...argv: string[]): RunInput => ({ at: Math.round(seconds * 1_000_000), type: "command", argv, files: {} });
const apply = (seconds: number, text: string): RunInput => applyText("a.yaml", text, Math.round(seconds * 1_000_000));
const fault = (from: number, until: number, id: string, params: Readonly<Record<string, string | number>> = {}): RunInput => ({ at: from * 1_000_000, until: until * 1_000_000, type: "fault", id, params });

interface Stored {
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly finalizers?: readonly string[] };
  readonly reason?: string;
  readonly message?: string;
  readonly note?: string;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

function run(until: number, ...inputs: RunInput[]) {
  const cluster = createCluster({ world: "ten-nodes", seed: 1, profile: "quiet", inputs });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(until * 1_000_000);
  const stored = new Map<string, Stored>();
  const events: string[] = [];
  for (const { key, object } of sim.trace.revisions) {
    if (object === undefined) stored.delete(key);
    else stored.set(key, object as Stored);
    const event = object as Stored | undefined;
    if (event && key.startsWith("/registry/events/")) events.push(`${event.reason ?? ""}: ${event.message ?? event.note ?? ""}`);
  }
  const hops: string[] = [];
  for (let id = 0; id < sim.trace.mailCount; id++) {
    const mail = sim.trace.hop(id);
    if (mail.kind === "hop" && mail.protocol === "gRPC" && mail.verb.endsWith("Volume")) hops.push(mail.verb);
  }
  return {
    sim,
    events: [...new Set(events)],
    hops,
    keys: (prefix: string) => [...stored.keys()].filter((key) => key.startsWith(`/registry/${prefix}`)),
    object: (key: string) => stored.get(`/registry/${key}`),
    stdout: sim.trace.logs.filter((log) => log.source === "stdout").map((log) => log.line).join(""),
  };
}

const UID = /pvc-[0-9a-f-]{36}/g;
const short = (texts: readonly string[]): string[] => texts.map((text) => text.replaceAll(UID, "PV"));

describe("a Pod with a disk", () => {
  const first = run(20, apply(0, DISK));

  test("takes the CSI calls in order, one of each", () => {
    expect(first.hops).toEqual(["CreateVolume", "ControllerPublishVolume", "NodeStageVolume", "NodePublishVolume"]);
    expect(first.object("pods/default/writer")?.status?.["phase"]).toBe("Running");
    expect(first.object("persistentvolumeclaims/default/diary")?.status).toMatchObject({ phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } });
  });

  test("says so in events", () => {
    expect(short(first.events).filter((text) => !/^(Pull|Created|Started)/.test(text))).toEqual([
      "WaitForFirstConsumer: waiting for first consumer to be created before binding",
      "ExternalProvisioning: Waiting for a volume to be created either by the external provisioner 'csi.millipod.example' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.",
      'Provisioning: External provisioner is provisioning volume for claim "default/diary"',
      "ProvisioningSucceeded: Successfully provisioned volume PV",
      "Scheduled: Successfully assigned default/writer to worker-node-01",
      'SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume "PV" ',
    ]);
  });

  test("the volume, its attachment and the node know of each other", () => {
    const [volume] = first.keys("persistentvolumes/");
    const pv = first.object(volume?.slice("/registry/".length) ?? "");
    expect(pv?.status?.["phase"]).toBe("Bound");
    expect([...(pv?.metadata.finalizers ?? [])].sort()).toEqual(["external-attacher/csi-millipod-example", "external-provisioner.volume.kubernetes.io/finalizer", "kubernetes.io/pv-protection"]);
    const handle = (pv?.spec?.["csi"] as { volumeHandle: string } | undefined)?.volumeHandle ?? "";
    const name = `kubernetes.io/csi/csi.millipod.example^${handle}`;
    expect(first.object("minions/worker-node-01")?.status).toMatchObject({ volumesInUse: [name], volumesAttached: [{ name, devicePath: "" }] });
    const [attachment] = first.keys("volumeattachments/");
    expect(first.object(attachment?.slice("/registry/".length) ?? "")?.status).toEqual({ attached: true });
  });

  test("a file outlives its Pod, and the disk its node", () => {
    const again = run(150, apply(0, DISK), at(30, "delete", "pod", "writer"), at(60, "cordon", "worker-node-01"), apply(61, DISK), at(90, "logs", "writer"));
    expect(again.stdout).toContain("a new Pod wrote this\na new Pod wrote this\n");
    expect(again.hops.slice(4)).toEqual(["NodeUnpublishVolume", "NodeUnstageVolume", "ControllerUnpublishVolume", "ControllerPublishVolume", "NodeStageVolume", "NodePublishVolume"]);
  });

  test("deleting the claim waits for the Pod and takes the disk along", () => {
    const before = run(25, apply(0, DISK), at(20, "delete", "pvc", "diary", "--wait=false"));
    expect(before.object("persistentvolumeclaims/default/diary")?.metadata.finalizers).toEqual(["kubernetes.io/pvc-protection"]);
    const after = run(120, apply(0, DISK), at(20, "delete", "pvc", "diary", "--wait=false"), at(25, "delete", "pod", "writer"));
    expect([after.keys("persistentvolumeclaims/"), after.keys("persistentvolumes/"), after.keys("volumeattachments/")]).toEqual([[], [], []]);
    expect(after.hops.at(-1)).toBe("DeleteVolume");
    expect(short(after.events)).toContain("VolumeFailedDelete: persistentvolume PV is still attached to node worker-node-01");
    expect(after.object("minions/worker-node-01")?.status).not.toHaveProperty("volumesAttached");
  });

  test("nothing goes on once the Pod runs", () => {
    const quiet = run(200, apply(0, DISK));
    const ids = /^(csi|external-|attachdetach|persistentvolume-binder)/;
    let late = 0;
    for (let id = 0; id < quiet.sim.trace.mailCount; id++) {
      const mail = quiet.sim.trace.hop(id);
      if (mail.kind === "hop" && mail.sentAt > 60_000_000 && ids.test(mail.from)) late++;
    }
    expect(late).toBe(0);
  });
});

describe("faults", () => {
  test("no volume is made until the storage system can", () => {
    const broken = run(20, fault(0, 30, "csi.provision-fails"), apply(1, DISK));
    expect(broken.events).toContain('ProvisioningFailed: failed to provision volume with StorageClass "standard": rpc error: code = Internal desc = the storage system has no room for another volume');
    expect(broken.object("pods/default/writer")?.status?.["phase"]).toBe("Pending");
    expect(run(70, fault(0, 30, "csi.provision-fails"), apply(1, DISK)).object("pods/default/writer")?.status?.["phase"]).toBe("Running");
  });

  test.each([
    { id: "csi.attach-fails", message: /^FailedAttachVolume: AttachVolume\.Attach failed for volume "PV" : rpc error: code = Internal desc = the storage system cannot attach vol-\w+ to worker-node-01$/ },
    { id: "csi.attach-slow", message: /^FailedAttachVolume: AttachVolume\.Attach failed for volume "PV" : rpc error: code = DeadlineExceeded desc = context deadline exceeded$/ },
  ])("$id is told on the Pod and heals", ({ id, message }) => {
    const cured = run(150, fault(0, 40, id, id === "csi.attach-slow" ? { seconds: 40 } : {}), apply(1, DISK));
    expect(short(cured.events).filter((text) => message.test(text))).not.toEqual([]);
    expect(cured.object("pods/default/writer")?.status?.["phase"]).toBe("Running");
  });
});

const STATEFUL_SET = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 1
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers:
      - name: app
        image: busybox:1.36
        command: ["sh", "-c", "hostname >> /data/log; cat /data/log; sleep 3600"]
        volumeMounts: [{name: data, mountPath: /data}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`;

test("a StatefulSet's Pods get a claim each", () => {
  const set = run(40, apply(0, STATEFUL_SET.replace("replicas: 1", "replicas: 2")));
  expect(set.keys("persistentvolumeclaims/default/").map((key) => [key, set.object(key.slice("/registry/".length))?.status?.["phase"]])).toEqual([["/registry/persistentvolumeclaims/default/data-db-0", "Bound"], ["/registry/persistentvolumeclaims/default/data-db-1", "Bound"]]);
  expect(set.keys("pods/default/db").map((key) => set.object(key.slice("/registry/".length))?.status?.["phase"])).toEqual(["Running", "Running"]);
});

test("a disk of a dead node is taken away by force after six minutes, with what was written", () => {
  const dead = run(600, apply(0, STATEFUL_SET), fault(30, 900, "node.crash", { node: "worker-node-01" }), at(100, "delete", "pod", "db-0", "--force", "--grace-period=0"), at(590, "logs", "db-0"));
  expect(short(dead.events)).toContain(`FailedAttachVolume: Multi-Attach error for volume "PV" Volume is already exclusively attached to one node and can't be attached to another`);
  expect(dead.stdout).toContain("db-0\ndb-0\n");
  const detached = dead.sim.trace.revisions.find((revision) => revision.key.startsWith("/registry/volumeattachments/") && (revision.object as { metadata?: { deletionTimestamp?: string } } | undefined)?.metadata?.deletionTimestamp !== undefined);
  expect(detached?.object).toMatchObject({ metadata: { deletionTimestamp: "2026-01-01T00:07:40Z" } });
});

test("a dead node that is declared out of service gives its disk back with the next round of the Pod collector", () => {
  const dead = run(150, apply(0, STATEFUL_SET), fault(30, 900, "node.crash", { node: "worker-node-01" }), at(100, "taint", "nodes", "worker-node-01", "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"), at(140, "logs", "db-0"));
  expect(dead.stdout).toContain("db-0\ndb-0\n");
  expect(dead.object("pods/default/db-0")?.spec?.["nodeName"]).not.toBe("worker-node-01");
  expect(dead.events.filter((text) => text.startsWith("TaintManagerEviction"))).toContain("TaintManagerEviction: Marking for deletion Pod default/db-0");
});

const onNode = (name: string, claim: string, node: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  nodeName: ${node}
  containers: [{name: app, image: "busybox:1.36", command: [sleep, "3600"], volumeMounts: [{name: data, mountPath: /data}]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: ${claim}}}]
---
`;

test.each([
  { name: "a claim that does not exist", claim: "missing", text: 'error processing PVC default/missing: failed to fetch PVC from API server: persistentvolumeclaims "missing" not found' },
  { name: "a claim that nothing has bound", claim: "diary", text: "error processing PVC default/diary: PVC is not bound" },
])("past the scheduler, the kubelet refuses $name", ({ claim, text }) => {
  const refused = run(5, apply(0, (DISK.split("---")[0] ?? "") + "---\n" + onNode("p", claim, "worker-node-02")));
  expect(refused.events).toContain(`FailedMount: Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: ${text}`);
  expect(refused.hops).toEqual([]);
});

test("two Pods on two nodes want one disk: the second waits, and is told whose it is", () => {
  const both = run(40, apply(0, DISK), apply(20, onNode("second", "diary", "worker-node-02")));
  expect(short(both.events)).toContain('FailedAttachVolume: Multi-Attach error for volume "PV" Volume is already used by pod(s) writer');
  expect(both.object("pods/default/second")?.status?.["phase"]).toBe("Pending");
});

const STATIC = `apiVersion: v1
kind: PersistentVolume
metadata: {name: task-pv}
spec:
  storageClassName: manual
  capacity: {storage: 10Gi}
  accessModes: [ReadWriteOnce]
  hostPath: {path: /mnt/data}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: task}
spec:
  storageClassName: manual
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 3Gi}}
---
`;

test("a volume made by hand is bound without any provisioner, mounted without attaching, and kept", () => {
  const made = run(10, apply(0, STATIC + onNode("p", "task", "worker-node-02")));
  expect(made.object("persistentvolumes/task-pv")?.status?.["phase"]).toBe("Bound");
  expect(made.object("pods/default/p")?.status?.["phase"]).toBe("Running");
  expect([made.hops, made.keys("volumeattachments/")]).toEqual([[], []]);
  const kept = run(30, apply(0, STATIC), at(10, "delete", "pvc", "task"));
  expect(kept.object("persistentvolumes/task-pv")?.status?.["phase"]).toBe("Released");
});
