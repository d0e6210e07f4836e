import { describe, expect, test } from "vitest";
import type { KubeObject, Node, Pod } from "../../api/types.ts";
import { defaultProfile } from "../config/load.ts";
import { schedulePod } from "../schedule-pod.ts";
import { listersOf } from "../listers.ts";
import { snapshotOf } from "../snapshot.ts";

const node: Node = { apiVersion: "v1", kind: "Node", metadata: { name: "n" }, status: { allocatable: { cpu: "9", pods: "10" } } };
const object = (kind: string, name: string, more: object, namespace?: string): KubeObject => ({ apiVersion: "v1", kind, metadata: { name, ...(namespace ? { namespace } : {}) }, ...more }) as KubeObject;
const bound = (name: string, volumeName: string): KubeObject => ({ ...object("PersistentVolumeClaim", name, { spec: { volumeName }, status: { phase: "Bound" } }, "default"), metadata: { name, namespace: "default", annotations: { "pv.kubernetes.io/bind-completed": "yes" } } }) as KubeObject;
const csi = (name: string, driver = "ebs.csi.aws.com"): KubeObject => object("PersistentVolume", name, { spec: { csi: { driver, volumeHandle: name } } });
const attachment = (pv: string, nodeName = "n", attacher = "ebs.csi.aws.com"): KubeObject => object("VolumeAttachment", `va-${pv}`, { spec: { attacher, nodeName, source: { persistentVolumeName: pv } } });
const limit = (count: number, driver = "ebs.csi.aws.com"): KubeObject => object("CSINode", "n", { spec: { drivers: [{ name: driver, allocatable: { count } }] } });
const late = object("StorageClass", "late", { provisioner: "ebs.csi.aws.com", volumeBindingMode: "WaitForFirstConsumer" });
const inTreeClass = object("StorageClass", "in-tree", { provisioner: "kubernetes.io/aws-ebs", volumeBindingMode: "WaitForFirstConsumer" });

const pod = (name: string, volumes: readonly object[], nodeName?: string): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", uid: name }, spec: { containers: [{ name: "c" }], ...(nodeName ? { nodeName } : {}), volumes: volumes.map((v, i) => ({ name: `v${i}`, ...v })) } });
const of = (claimName: string): object => ({ persistentVolumeClaim: { claimName } });
const unbound = (name: string, storageClassName: string): KubeObject => object("PersistentVolumeClaim", name, { spec: { storageClassName, accessModes: [], resources: { requests: { storage: "1" } } } }, "default");

describe("one volume fits on the node", () => {
  test.each<[string, { wants: readonly object[]; uses?: readonly object[]; objects: readonly KubeObject[]; count?: number; fits: boolean }]>([
    ["none is there", { wants: [of("a")], objects: [bound("a", "a"), csi("a")], fits: true }],
    ["another Pod's is there", { wants: [of("a")], uses: [of("b")], objects: [bound("a", "a"), csi("a"), bound("b", "b"), csi("b")], fits: false }],
    ["another Pod has the same", { wants: [of("a")], uses: [of("a")], objects: [bound("a", "a"), csi("a")], fits: true }],
    ["another driver's is there", { wants: [of("a")], uses: [of("b")], objects: [bound("a", "a"), csi("a"), bound("b", "b"), csi("b", "other")], fits: true }],
    ["one is attached without a Pod", { wants: [of("a")], objects: [bound("a", "a"), csi("a"), csi("b"), attachment("b")], fits: false }],
    ["one is attached elsewhere", { wants: [of("a")], objects: [bound("a", "a"), csi("a"), csi("b"), attachment("b", "m")], fits: true }],
    ["the attached one is that of the Pod there", { wants: [of("a")], uses: [of("b")], count: 2, objects: [bound("a", "a"), csi("a"), bound("b", "b"), csi("b"), attachment("b")], fits: true }],
    ["an attachment's volume is unknown", { wants: [of("a")], objects: [bound("a", "a"), csi("a"), attachment("b")], fits: true }],
    ["the claim has no volume yet: its class tells the driver", { wants: [of("a")], uses: [of("b")], objects: [unbound("a", "late"), late, bound("b", "b"), csi("b")], fits: false }],
    ["a class of a plugin that became a driver", { wants: [of("a")], uses: [of("b")], objects: [unbound("a", "in-tree"), inTreeClass, bound("b", "b"), csi("b")], fits: false }],
    ["a volume of such a plugin", { wants: [of("a")], uses: [of("b")], objects: [bound("a", "a"), csi("a"), bound("b", "b"), object("PersistentVolume", "b", { spec: { awsElasticBlockStore: { volumeID: "aws://z/vol-1" } } })], fits: false }],
    ["the same disk, by two names", { wants: [{ awsElasticBlockStore: { volumeID: "vol-1" } }], uses: [of("b")], objects: [bound("b", "b"), object("PersistentVolume", "b", { spec: { awsElasticBlockStore: { volumeID: "aws://z/vol-1" } } })], fits: true }],
    ["a disk of the Pod itself", { wants: [{ awsElasticBlockStore: { volumeID: "vol-1" } }], uses: [{ awsElasticBlockStore: { volumeID: "vol-2" } }], objects: [], fits: false }],
    ["a disk of a driver without a limit here", { wants: [{ gcePersistentDisk: { pdName: "d" } }], uses: [{ gcePersistentDisk: { pdName: "e" } }], objects: [], fits: true }],
    ["a volume that no driver attaches", { wants: [of("a")], uses: [of("b")], objects: [bound("a", "a"), object("PersistentVolume", "a", { spec: { nfs: {} } }), bound("b", "b"), csi("b")], fits: true }],
    ["its Pod mounts it twice", { wants: [of("a"), of("a")], objects: [bound("a", "a"), csi("a")], fits: true }],
    ["its Pod has two", { wants: [of("a"), of("b")], objects: [bound("a", "a"), csi("a"), bound("b", "b"), csi("b")], fits: false }],
    ["the other Pod's claim is gone", { wants: [of("a")], uses: [of("b")], objects: [bound("a", "a"), csi("a")], fits: true }],
  ])("%s", (_, { wants, uses = [], objects, count = 1, fits }) => {
    const snapshot = snapshotOf([node], [pod("there", uses, "n")], listersOf([limit(count), ...objects]));
    const decision = schedulePod(snapshot, pod("p", wants), defaultProfile);
    expect(decision.rejected.map((r) => [r.plugin, ...r.reasons])).toEqual(fits ? [] : [["NodeVolumeLimits", "node(s) exceed max volume count"]]);
    expect(decision.outcome).toBe(fits ? "scheduled" : "unschedulable");
  });
});

test("a node without a CSINode has no limit", () => {
  const snapshot = snapshotOf([node], [], listersOf([bound("a", "a"), csi("a")]));
  expect(schedulePod(snapshot, pod("p", [of("a")]), defaultProfile).outcome).toBe("scheduled");
});
