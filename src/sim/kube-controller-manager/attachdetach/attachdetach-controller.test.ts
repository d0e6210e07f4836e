// Models kubernetes/pkg/controller/volume/attachdetach/reconciler/reconciler_test.go: its situations, seen through the API alone
import { describe, expect, test } from "vitest";
import { attachmentName, type VolumeAttachment } from "../../api/storage.ts";
import type { KubeObject, Node } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../../testdata/mini-cluster.ts";
import { attachDetachWatches, createAttachDetachController } from "./attachdetach-controller.ts";

const DRIVER = "d.example";
const NAME = `kubernetes.io/csi/${DRIVER}^h1`;
const va = (node: string): string => attachmentName("h1", DRIVER, node);
const VAS = "/apis/storage.k8s.io/v1/volumeattachments";
const PODS = "/api/v1/namespaces/default/pods";
const volume = (modes: string[]): KubeObject => ({ apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "pv", uid: "pv" }, spec: { accessModes: modes, csi: { driver: DRIVER, volumeHandle: "h1" }, claimRef: { namespace: "default", name: "data", uid: "c" } }, status: { phase: "Bound" } });
const claim: KubeObject = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data", namespace: "default", uid: "c" }, spec: { volumeName: "pv" }, status: { phase: "Bound" } };
const driver = (attachRequired = true): KubeObject => ({ apiVersion: "storage.k8s.io/v1", kind: "CSIDriver", metadata: { name: DRIVER }, spec: { attachRequired } });
const pod = (name: string, nodeName: string, phase = "Running"): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", uid: `uid-${name}` }, spec: { nodeName, containers: [{ name: "c" }], volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }] }, status: { phase } });
const attached = (seconds: number, node: string): MiniInput => at(seconds, write("PATCH", `${VAS}/${va(node)}/status`, { status: { attached: true } }));
const refused = (seconds: number, node: string, message: string): MiniInput => at(seconds, write("PATCH", `${VAS}/${va(node)}/status`, { status: { attached: false, attachError: { time: "2026-01-01T00:00:01Z", message } } }));
const mounted = (seconds: number, node: string, ...names: string[]): MiniInput => at(seconds, write("PATCH", `/api/v1/nodes/${node}/status`, { status: { volumesInUse: names } }));
const create = (seconds: number, object: KubeObject): MiniInput => at(seconds, write("POST", PODS, object));
const remove = (seconds: number, name: string): MiniInput => at(seconds, write("DELETE", `${PODS}/${name}`, { gracePeriodSeconds: 0 }));
const nodeStatus = (seconds: number, node: string, ready: string): MiniInput => at(seconds, write("PATCH", `/api/v1/nodes/${node}/status`, { status: { conditions: [{ type: "Ready", status: ready }] } }));
/** The driver's attacher holds every attachment with a finalizer of its own. */
const hold = (seconds: number, node: string): MiniInput => at(seconds, write("PATCH", `${VAS}/${va(node)}`, { metadata: { finalizers: ["external-attacher/d"] } }));
const letGo = (seconds: number, node: string): MiniInput => at(seconds, write("PATCH", `${VAS}/${va(node)}`, { metadata: { finalizers: null } }));

function run(inputs: readonly MiniInput[], until: number, options: { readonly modes?: string[]; readonly attachRequired?: boolean; readonly objects?: readonly KubeObject[] } = {}) {
  const objects = [nodeObject("n1"), nodeObject("n2"), volume(options.modes ?? ["ReadWriteOnce"]), claim, driver(options.attachRequired), ...(options.objects ?? [])];
  const m = miniCluster((world) => [createAttachDetachController({ world }) as Component], attachDetachWatches(), objects, [...inputs].sort((a, b) => a.at - b.at));
  m.sim.run(until * 1_000_000);
  return {
    ...m,
    vas: m.list<VolumeAttachment>("VolumeAttachment").map((entry) => entry.spec.nodeName),
    reported: (name: string) => (m.list<Node>("Node").find((node) => node.metadata.name === name)?.status as { volumesAttached?: { name: string }[] } | undefined)?.volumesAttached?.map((entry) => entry.name) ?? [],
    said: m.events(),
    counts: m.list("Event").map((event) => (event as unknown as { count: number }).count),
    asked: m.requests(/volumeattachments|nodes/).filter((request) => !request.startsWith("PATCH /apis/storage")),
  };
}

describe("attaching", () => {
  test("one VolumeAttachment; the event, and the node's status in the next round, when it says attached", () => {
    const before = run([create(1, pod("web", "n1"))], 1.4);
    expect(before.list<VolumeAttachment>("VolumeAttachment")).toMatchObject([{ metadata: { name: va("n1") }, spec: { attacher: DRIVER, nodeName: "n1", source: { persistentVolumeName: "pv" } } }]);
    // The first look is half a second after the request, the second one later by as much and a little more.
    const seen = run([create(1, pod("web", "n1")), attached(1.7, "n1")], 2);
    expect(seen.said).toEqual([]);
    const m = run([create(1, pod("web", "n1")), attached(1.7, "n1")], 2.5);
    expect(m.said).toEqual(['SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume "pv" ']);
    expect(m.reported("n1")).toEqual([NAME]);
    expect(m.asked).toEqual([`POST ${VAS}`, "PATCH /api/v1/nodes/n1/status"]);
  });

  test.each([
    { name: "a driver that needs no attaching", options: { attachRequired: false }, phase: "Running" },
    { name: "a Pod that has ended", options: {}, phase: "Failed" },
  ])("none for $name", ({ options, phase }) => expect(run([create(1, pod("web", "n1", phase))], 5, options).vas).toEqual([]));

  test("a claim that is bound later is attached then", () => {
    const m = run([create(1, pod("web", "n1")), at(3, write("PATCH", "/api/v1/namespaces/default/persistentvolumeclaims/data", { spec: { volumeName: "pv" } }))], 4, { objects: [{ ...claim, spec: {} }] });
    expect(m.vas).toEqual(["n1"]);
  });

  test("the driver's error is told again and again, 0.5, 1, 2, 4 s later, until it works", () => {
    const steps = [create(1, pod("web", "n1")), refused(1.2, "n1", "no room")];
    // Each try looks at the VolumeAttachment only after another half second.
    expect([1.5, 2, 3, 5, 8].map((until) => run(steps, until).counts)).toEqual([[], [1], [2], [3], [4]]);
    const m = run(steps, 12);
    expect(m.said).toEqual(['FailedAttachVolume: AttachVolume.Attach failed for volume "pv" : no room']);
    expect(m.vas).toEqual(["n1"]);
    expect(run([...steps, at(12, write("PATCH", `${VAS}/${va("n1")}/status`, { status: { attached: true, attachError: null } }))], 30).said.at(-1)).toBe('SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume "pv" ');
  });

  test("an attacher that says nothing is waited for two minutes", () => {
    const m = run([create(1, pod("web", "n1"))], 121);
    expect(m.said).toEqual([]);
    expect(run([create(1, pod("web", "n1"))], 122).said).toEqual([`FailedAttachVolume: AttachVolume.Attach failed for volume "pv" : timed out waiting for external-attacher of ${DRIVER} CSI driver to attach volume h1`]);
  });

  test("a request that is refused is told", () => {
    const objects = [nodeObject("n1"), volume(["ReadWriteOnce"]), claim, driver()];
    const m = miniCluster((world) => [createAttachDetachController({ world }) as Component], attachDetachWatches(), objects, [create(1, pod("web", "n1"))], { refuse: (request) => (request.path === VAS ? { status: 403, reason: "Forbidden", message: "no" } : undefined) });
    m.sim.run(1_500_000);
    expect(m.events()).toEqual(['FailedAttachVolume: AttachVolume.Attach failed for volume "pv" : kubernetes.io/csi: attacher.Attach failed: no']);
  });
});

const held = (node = "n1"): MiniInput[] => [create(1, pod("web", node)), hold(1.3, node), attached(1.4, node), mounted(1.5, node, NAME)];

describe("detaching", () => {
  test("waits till the node has unmounted: then the node's status, a look at the node, and the VolumeAttachment", () => {
    const waiting = run([...held(), remove(10, "web")], 30);
    expect([waiting.vas, waiting.reported("n1")]).toEqual([["n1"], [NAME]]);
    const m = run([...held(), remove(10, "web"), mounted(20, "n1")], 21);
    expect(m.reported("n1")).toEqual([]);
    expect(m.asked.slice(-3)).toEqual(["PATCH /api/v1/nodes/n1/status", "GET /api/v1/nodes/n1", `DELETE ${VAS}/${va("n1")}`]);
    expect(m.list("VolumeAttachment")[0]?.metadata.deletionTimestamp).toBe("2026-01-01T00:00:20Z");
    expect(run([...held(), remove(10, "web"), mounted(20, "n1"), letGo(21, "n1")], 25).said).toHaveLength(1);
  });

  test.each([
    { name: "a node that is not Ready: after six minutes by force", steps: [nodeStatus(5, "n1", "Unknown")], until: 369, vas: ["n1"], deleted: false },
    { name: "a node that is not Ready: not a moment later", steps: [nodeStatus(5, "n1", "Unknown")], until: 371, vas: ["n1"], deleted: true },
    { name: "a Ready node is never forced", steps: [], until: 900, vas: ["n1"], deleted: false },
    { name: "a Ready node that fails after the six minutes is forced at once", steps: [nodeStatus(500, "n1", "False")], until: 501, vas: ["n1"], deleted: true },
    { name: "a node that is out of service: at once", steps: [nodeStatus(5, "n1", "Unknown"), at(20, write("PATCH", "/api/v1/nodes/n1", { spec: { taints: [{ key: "node.kubernetes.io/out-of-service", effect: "NoExecute", value: "nodeshutdown" }] } }))], until: 21, vas: ["n1"], deleted: true },
    { name: "a node that is deleted: what it had mounted counts on, for six minutes", steps: [at(11, write("DELETE", "/api/v1/nodes/n1"))], until: 369, vas: ["n1"], deleted: false },
    { name: "a node that is deleted: then by force", steps: [at(11, write("DELETE", "/api/v1/nodes/n1"))], until: 371, vas: ["n1"], deleted: true },
    { name: "a new Pod that needs it there stops the clock", steps: [nodeStatus(5, "n1", "Unknown"), create(100, pod("again", "n1"))], until: 600, vas: ["n1"], deleted: false },
  ])("$name", ({ steps, until, vas, deleted }) => {
    const m = run([...held(), remove(10, "web"), ...steps], until);
    expect([m.vas, m.list("VolumeAttachment")[0]?.metadata.deletionTimestamp !== undefined]).toEqual([vas, deleted]);
  });

  test("by force nobody asks the node", () => {
    const m = run([...held(), remove(10, "web"), nodeStatus(5, "n1", "Unknown")], 371);
    expect(m.asked.slice(-2)).toEqual(["PATCH /api/v1/nodes/n1/status", `DELETE ${VAS}/${va("n1")}`]);
  });

  test("an attachment that somebody deleted is missed within a minute, and made again", () => {
    const gone = [...held(), at(10, write("DELETE", `${VAS}/${va("n1")}`)), letGo(11, "n1")];
    expect(run(gone, 59).vas).toEqual([]);
    expect(run(gone, 61).vas).toEqual(["n1"]);
  });
});

describe("one node at a time", () => {
  const exclusive = (names: string): string => `FailedAttachVolume: Multi-Attach error for volume "pv" ${names}`;

  test("who has it is told, once", () => {
    const m = run([...held(), create(10, pod("other", "n2"))], 60);
    expect(m.said.slice(1)).toEqual([exclusive("Volume is already used by pod(s) web")]);
    expect([m.vas, m.counts]).toEqual([["n1"], [1, 1]]);
  });

  test("nobody uses it any more, but it is still there", () => {
    const m = run([...held(), remove(9, "web"), create(10, pod("other", "n2"))], 60);
    expect(m.said.slice(1)).toEqual([exclusive("Volume is already exclusively attached to one node and can't be attached to another")]);
  });

  test("it moves when the other node has let it go", () => {
    const m = run([...held(), remove(9, "web"), create(10, pod("other", "n2")), mounted(20, "n1"), letGo(22, "n1")], 25);
    expect(m.vas).toEqual(["n2"]);
    expect(run([...held(), remove(9, "web"), create(10, pod("other", "n2")), mounted(20, "n1"), letGo(22, "n1")], 21.9).vas).toEqual(["n1"]);
  });

  test("not before the controller itself has seen that it is gone there", () => {
    const m = run([...held(), remove(9, "web"), create(10, pod("other", "n2")), mounted(20, "n1"), letGo(20.3, "n1")], 23);
    const at_ = (pattern: RegExp): number => Number(m.notes(pattern)[0]?.split(" ")[0]);
    expect(at_(/wants volume pv attached to n2/)).toBeGreaterThan(at_(/is detached from n1/));
  });

  test("a volume for many nodes goes to both", () => expect(run([...held(), create(10, pod("other", "n2"))], 20, { modes: ["ReadWriteMany"] }).vas.sort()).toEqual(["n1", "n2"]));
});

describe("a controller that begins anew", () => {
  const node = (volumesAttached: object[]): KubeObject => ({ ...nodeObject("n1"), status: { ...(nodeObject("n1").status as object), volumesAttached, volumesInUse: [NAME] } });
  const attachment: KubeObject = { apiVersion: "storage.k8s.io/v1", kind: "VolumeAttachment", metadata: { name: va("n1") }, spec: { attacher: DRIVER, nodeName: "n1", source: { persistentVolumeName: "pv" } }, status: { attached: true } };

  test.each([
    { name: "believes the node's status", objects: [node([{ name: NAME, devicePath: "" }]), attachment, pod("web", "n1")], said: [] },
    { name: "is uncertain of an attachment that no status names, and looks", objects: [node([]), attachment, pod("web", "n1")], said: ['SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume "pv" '] },
  ])("$name", ({ objects, said }) => {
    const m = run([], 5, { objects });
    expect([m.said, m.requests(/POST.*volumeattachments/)]).toEqual([said, []]);
  });

  test("detaches what nobody needs", () => {
    const idle = { ...node([{ name: NAME, devicePath: "" }]), status: { ...(nodeObject("n1").status as object), volumesAttached: [{ name: NAME, devicePath: "" }] } };
    expect(run([], 5, { objects: [idle, attachment] }).vas).toEqual([]);
  });
});
