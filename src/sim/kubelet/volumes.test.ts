import { describe, expect, test } from "vitest";
import { typed } from "../scenarios/sample.ts";
import { Played } from "../testdata/played.ts";

const WORDS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: words}\ndata: {greeting: hello, other: there}\n---\n";

/** A Pod "p" with one container "c" of busybox, from flow-style YAML. */
const pod = (command: string, mounts: string, volumes: string, more = ""): string => `apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - name: c
      image: busybox:1.36
      command: ["sh", "-c", ${JSON.stringify(command)}]
      volumeMounts: [${mounts}]
${more}  volumes: [${volumes}]
`;

const CFG = "{name: cfg, configMap: {name: words}}";

describe("directories of volumes", () => {
  test("a ConfigMap is shown through links, and cannot be written to", () => {
    const played = new Played(WORDS + pod("ls -A /cfg | wc -l; readlink /cfg/greeting; cat /cfg/..data/other; echo; echo x > /cfg/new; sleep 3600", "{name: cfg, mountPath: /cfg}", CFG), [], 5);
    expect(played.log("p/c")).toEqual(["4", "..data/greeting", "there", "sh: can't create /cfg/new: Read-only file system"]);
  });

  test("a subPath is one file; one that is missing becomes a directory; one with variables a name of its own", () => {
    const played = new Played(WORDS + pod("cat /one; echo; ls -d /two/; echo kept > /log/out; cat /all/p/out; sleep 3600", "{name: cfg, mountPath: /one, subPath: greeting}, {name: cfg, mountPath: /two, subPath: nothing}, {name: log, mountPath: /log, subPathExpr: $(NAME)}, {name: log, mountPath: /all}", `${CFG}, {name: log, emptyDir: {}}`, "      env: [{name: NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]\n"), [], 5);
    expect(played.log("p/c")).toEqual(["hello", "/two/", "kept"]);
  });

  test.each([
    { name: "a variable that is not set", mount: "{name: log, mountPath: /log, subPathExpr: $(NAME)}", message: "missing value for NAME" },
    { name: "a path out of the volume", mount: "{name: log, mountPath: /log, subPathExpr: $(UP)}", message: "unable to provision SubPath `../x`: must not contain '..'" },
    { name: "an absolute path", mount: "{name: log, mountPath: /log, subPathExpr: $(ABSOLUTE)}", message: "error SubPath `/x` must not be an absolute path" },
  ])("a subPathExpr that cannot be: $name", ({ mount, message }) => {
    const played = new Played(pod("true", mount, "{name: log, emptyDir: {}}", "      env: [{name: UP, value: ../x}, {name: ABSOLUTE, value: /x}]\n"), [], 5);
    expect(played.container("p", "c", 4)?.state?.waiting).toEqual({ reason: "CreateContainerConfigError", message });
  });

  test("memory is full at its limit, and nobody is evicted", () => {
    const played = new Played(pod("dd if=/dev/zero of=/ram/big bs=1M count=20; sleep 3600", "{name: ram, mountPath: /ram}", "{name: ram, emptyDir: {medium: Memory, sizeLimit: 10Mi}}"), [], 200);
    expect(played.log("p/c")[0]).toBe("dd: error writing '/ram/big': No space left on device");
    expect(played.events("Evicted", 199)).toEqual([]);
  });
});

describe("volumes follow their objects", () => {
  const READ = "while true; do cat /cfg/greeting; echo; sleep 10; done";
  const change = (more = "") => typed(5, "apply -f w.yaml", { "w.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: words}\ndata: {greeting: bye}\n${more}` });

  test("one that was not there comes as soon as a mount is tried again", () => {
    const played = new Played(pod(READ, "{name: cfg, mountPath: /cfg}", CFG), [change()], 30);
    expect(played.events("FailedMount", 4)[0]).toMatch(/^\d MountVolume.SetUp failed for volume "cfg" : configmap "words" not found$/);
    expect(played.writtenAt("p/c", "bye")).toBeGreaterThan(5);
    expect(played.writtenAt("p/c", "bye")).toBeLessThan(10);
  });

  test("one that is optional may come later", () => {
    const played = new Played(pod("while true; do cat /cfg/greeting 2> /dev/null; echo; sleep 5; done", "{name: cfg, mountPath: /cfg}", "{name: cfg, configMap: {name: words, optional: true}}"), [change()], 110);
    expect(played.container("p", "c", 4)?.state?.running).toBeDefined();
    expect(played.writtenAt("p/c", "bye")).toBeGreaterThan(59);
  });

  test("an immutable one is not read again", () => {
    const immutable = WORDS.replace("\ndata:", "\nimmutable: true\ndata:");
    const played = new Played(immutable + pod(READ, "{name: cfg, mountPath: /cfg}", CFG), [typed(5, "delete configmap words"), change()], 130);
    expect(played.log("p/c").includes("bye")).toBe(false);
    expect(played.events("FailedMount", 129)).toEqual([]);
  });

  test("one that is deleted leaves its files, and an event at each sync", () => {
    const played = new Played(WORDS + pod(READ, "{name: cfg, mountPath: /cfg}", CFG), [typed(5, "delete configmap words")], 120);
    expect(played.log("p/c").at(-1)).toBe("hello");
    expect(played.events("FailedMount", 119)).toEqual(['1 MountVolume.SetUp failed for volume "cfg" : configmap "words" not found']);
  });
});

describe("other kinds", () => {
  test("a driver that is not on the node", () => {
    const played = new Played(pod("true", "{name: s, mountPath: /s}", "{name: s, csi: {driver: secrets-store.csi.k8s.io, readOnly: true}}"), [], 5);
    expect(played.events("FailedMount", 4)[0]).toMatch(/MountVolume.SetUp failed for volume "s" : kubernetes.io\/csi: mounter.SetUpAt failed to get CSI client: driver name secrets-store.csi.k8s.io not found in the list of registered CSI drivers$/);
  });

  test("an inline volume of the cluster's driver is made for the Pod and goes with it", () => {
    const played = new Played(pod("echo x > /s/y; cat /s/y; sleep 3600", "{name: s, mountPath: /s}", "{name: s, csi: {driver: csi.millipod.example}}"), [typed(6, "delete pod p")], 15);
    expect(played.log("p/c")).toEqual(["x"]);
    expect(played.get("pods", "p", 14)).toBeUndefined();
  });

  test("past the scheduler, ReadWriteOncePod is kept by the kubelet until the other Pod has gone", () => {
    const claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: only}\nspec: {accessModes: [ReadWriteOncePod], resources: {requests: {storage: 1Gi}}}\n---\n";
    const one = (name: string, where: string) => `${pod("sleep 3600", "{name: d, mountPath: /d}", "{name: d, persistentVolumeClaim: {claimName: only}}").replace("{name: p}", `{name: ${name}}`)}  ${where}\n`;
    const played = new Played(claim + one("p", "nodeSelector: {kubernetes.io/hostname: worker-node-01}"), [typed(10, "apply -f q.yaml", { "q.yaml": one("q", "nodeName: worker-node-01") }), typed(20, "delete pod p --wait=false")], 40);
    expect(played.events("FailedMount", 19)[0]).toMatch(/^\d MountVolume.SetUp failed for volume "pvc-[-0-9a-f]+" : volume uses the ReadWriteOncePod access mode and is already in use by another pod$/);
    expect([19, 39].map((at) => played.container("q", "c", at)?.state?.running !== undefined)).toEqual([false, true]);
  });

  test("a claim of the name of a generic ephemeral volume that is not the Pod's", () => {
    const claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: p-mine}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n---\n";
    const played = new Played(claim + pod("true", "{name: mine, mountPath: /m}", "{name: mine, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}"), [], 8);
    expect(played.events("FailedScheduling", 7)[0]).toContain('PVC default/p-mine was not created for pod default/p (pod is not owner)');
  });

  test("an AppArmor profile that nobody has loaded", () => {
    const played = new Played(pod("true", "", "", "      securityContext: {appArmorProfile: {type: Localhost, localhostProfile: deny-write}}\n"), [], 5);
    expect(played.container("p", "c", 4)?.state?.waiting).toEqual({ reason: "CreateContainerError", message: "failed to get container spec opts: failed to generate apparmor spec opts: apparmor profile not found deny-write" });
  });

  test("an image volume that cannot be pulled keeps back the containers that mount it", () => {
    const played = new Played(pod("true", "{name: i, mountPath: /i}", "{name: i, image: {reference: ngnix}}"), [], 8);
    expect(played.container("p", "c", 7)?.state?.waiting).toMatchObject({ reason: "ErrImagePull" });
    expect(played.events("Failed", 7).some((event) => event.endsWith("Error: ErrImagePull"))).toBe(true);
  });

  test.each([
    { name: "a key that the file has not", key: "C", optional: "", waiting: 'environment variable key "C" not found in file "/var/lib/kubelet/pods/UID/volumes/kubernetes.io~empty-dir/file/env"' },
    { name: "a file that is no environment file", key: "A", optional: "", waiting: "couldn't parse env file" },
    { name: "a key that need not be there", key: "C", optional: ", optional: true", waiting: undefined },
  ])("a variable from a file: $name", ({ key, optional, waiting }) => {
    const init = `  initContainers: [{name: i, image: "busybox:1.36", command: [sh, -c, ${JSON.stringify(key === "A" ? "echo A=1 > /f/env" : "echo \"B='1'\" > /f/env")}], volumeMounts: [{name: file, mountPath: /f}]}]\n`;
    const played = new Played(pod("sleep 3600", "", "{name: file, emptyDir: {}}", `      env: [{name: V, valueFrom: {fileKeyRef: {volumeName: file, path: env, key: ${key}${optional}}}}]\n${init}`), [], 5);
    const uid = played.get("pods", "p", 4)?.metadata.uid ?? "";
    expect(played.container("p", "c", 4)?.state?.waiting?.message?.replace(uid, "UID")).toBe(waiting);
    if (waiting === undefined) expect(played.container("p", "c", 4)?.state?.running).toBeDefined();
  });
});
