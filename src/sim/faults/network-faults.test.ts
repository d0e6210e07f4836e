import { describe, expect, it } from "vitest";
import type { Pod } from "../api/types.ts";
import type { RunInput } from "../scenarios/recipe.ts";
import { create, fault, kubectl, pod, type Seen, see } from "../testdata/fault-run.ts";

const NODE = "kind-control-plane";

describe("cni.add-fails", () => {
  const quick = { plugin: "my-cni", error: "no route to the controller", seconds: 2 };

  it("names the plugin and its error at each try; the sandbox left behind is what SandboxChanged means", () => {
    const seen = see(60, [fault(0, 10, "cni.add-fails", quick), create(1, pod("p"))], { look: [9, 50] });
    expect(seen.rows("p")).toEqual(["0/1 ContainerCreating 0", "1/1 Running 0"]);
    expect(seen.events("p")[1]?.replace(/[0-9a-f]{64}/, "ID")).toBe('FailedCreatePodSandBox: Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "ID": plugin type="my-cni" failed (add): no route to the controller');
    expect(seen.reasons("p").slice(0, 3)).toEqual(["Scheduled", "FailedCreatePodSandBox", "SandboxChanged"]);
    expect(seen.reasons("p").filter((reason) => reason === "FailedCreatePodSandBox").length).toBeGreaterThan(1);
  });

  it("leaves nothing behind when taking down works: no SandboxChanged", () => {
    const seen = see(60, [fault(0, 10, "cni.add-fails", { ...quick, deleteToo: false }), create(1, pod("p"))], { look: [50] });
    expect(seen.reasons("p")).not.toContain("SandboxChanged");
    expect(seen.rows("p")).toEqual(["1/1 Running 0"]);
  });

  it("a Pod that is deleted stays until its network can be taken down", () => {
    const seen = see(90, [create(1, pod("p")), fault(5, 30, "cni.add-fails", quick), kubectl(8, "delete", "pod", "p", "--wait=false")], { look: [25, 80] });
    expect(seen.rows("p")).toEqual(["0/1 Terminating 0", ""]);
    expect(seen.events("p").find((text) => text.startsWith("FailedKillPod"))).toMatch(/^FailedKillPod: error killing pod: failed to "KillPodSandbox" for "[0-9a-f-]+" with KillPodSandboxError: "rpc error: code = Unknown desc = failed to destroy network for sandbox \\"[0-9a-f]{64}\\": plugin type=\\"my-cni\\" failed \(delete\): no route to the controller"$/);
  });

  it("on another node it changes nothing", () => {
    expect(see(20, [fault(0, 900, "cni.add-fails", { node: "worker-node-01" }), create(1, pod("p", { nodeName: "worker-node-02" }))], { world: "three-nodes", look: [15] }).rows("p")).toEqual(["1/1 Running 0"]);
  });
});

describe("cni.slow and cni.ip-exhausted", () => {
  it("a slow plugin delays each start by as much, and nothing fails", () => {
    const at = (seconds: number): number => see(30, [fault(0, 900, "cni.slow", { seconds }), create(1, pod("p"))]).eventAt("p", "Started");
    expect(at(7) - at(2)).toBeCloseTo(5, 1);
    expect(see(30, [fault(0, 900, "cni.slow", { seconds: 7 }), create(1, pod("p"))]).reasons("p")).toEqual(["Scheduled", "Pulled", "Created", "Started"]);
  });

  it("without an address the Pod waits; each try has a sandbox of its own", () => {
    const seen = see(90, [fault(0, 40, "cni.ip-exhausted", { node: NODE }), create(1, pod("p"))], { look: [35, 85] });
    expect(seen.rows("p")).toEqual(["0/1 ContainerCreating 0", "1/1 Running 0"]);
    const tries = seen.events("p").filter((text) => text.startsWith("FailedCreatePodSandBox"));
    expect(new Set(tries).size).toBe(tries.length);
    expect(tries[0]).toMatch(/plugin type="bridge" name="cbr0" failed \(add\): failed to allocate for range 0: no IP addresses available in range set: 10\.244\.0\.1-10\.244\.0\.254$/);
    expect((seen.last("/registry/pods/default/p") as Pod).status?.podIP).toMatch(/^10\.244\.0\./);
  });
});

describe("csi.multi-attach", () => {
  const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } };
  const disk = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "disk" }, spec: { replicas: 1, selector: { matchLabels: { app: "disk" } }, template: { metadata: { labels: { app: "disk" } }, spec: { containers: [{ name: "c", image: "nginx:1.27", volumeMounts: [{ name: "d", mountPath: "/d" }] }], volumes: [{ name: "d", persistentVolumeClaim: { claimName: "data" } }] } } } };

  const podsOf = (seen: Seen): readonly string[] => seen.keys("/registry/pods/default/disk").map((key) => key.replace("/registry/pods/default/", ""));
  const crash = (until: number, end: number, ...more: RunInput[]): Seen => see(until, [create(1, claim, disk), fault(30, end, "csi.multi-attach"), ...more], { world: "three-nodes" });

  it("the disk stays with the dead node while its Pod is Terminating; the node's return frees it", () => {
    const seen = crash(700, 600);
    const [first = "", second = ""] = podsOf(seen);
    expect(seen.eventAt(second, "FailedAttachVolume") - seen.eventAt(first, "TaintManagerEviction")).toBeLessThan(1);
    expect(seen.events(second).map((text) => text.replace(/pvc-[0-9a-f-]{36}/, "PV"))).toContain(`FailedAttachVolume: Multi-Attach error for volume "PV" Volume is already used by pod(s) ${first}`);
    expect(seen.eventAt(second, "SuccessfulAttachVolume")).toBeGreaterThan(600);
    expect((seen.last(`/registry/pods/default/${second}`) as Pod).status?.phase).toBe("Running");
    expect(seen.last(`/registry/pods/default/${first}`)).toBeUndefined();
  });

  it("deleted by force, the old Pod lets it go after six minutes", () => {
    const seen = crash(830, 820, kubectl(400, "delete", "pod", "-l", "app=disk", "--force", "--grace-period=0", "--wait=false"));
    const third = podsOf(seen).at(-1) ?? "";
    expect(seen.eventAt(third, "SuccessfulAttachVolume")).toBeGreaterThan(755);
    expect(seen.eventAt(third, "SuccessfulAttachVolume")).toBeLessThan(800);
    expect((seen.last(`/registry/pods/default/${third}`) as Pod).status?.phase).toBe("Running");
  });
});
