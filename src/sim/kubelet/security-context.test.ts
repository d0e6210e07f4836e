import { expect, test } from "vitest";
import { capabilityMask } from "../api/capabilities.ts";
import type { Pod, Volume } from "../api/types.ts";
import { isReadOnly, ownershipOf } from "./mount-ownership.ts";
import { credentialsOf } from "./security-context.ts";

const pod = (context: object): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: { securityContext: context, containers: [] } }) as unknown as Pod;

test.each([
  { name: "what containerd gives", context: {}, want: "00000000a80425fb" },
  { name: "added (the documentation's example)", context: { capabilities: { add: ["NET_ADMIN", "SYS_TIME"] } }, want: "00000000aa0435fb" },
  { name: "all dropped", context: { capabilities: { drop: ["ALL"] } }, want: "0000000000000000" },
  { name: "all dropped, one added, with its prefix", context: { capabilities: { drop: ["ALL"], add: ["CAP_NET_BIND_SERVICE"] } }, want: "0000000000000400" },
  { name: "one dropped", context: { capabilities: { drop: ["net_raw"] } }, want: "00000000a80405fb" },
  { name: "privileged", context: { privileged: true }, want: "000001ffffffffff" },
])("capabilities: $name", ({ context, want }) => {
  expect(capabilityMask(credentialsOf(pod({}), { name: "c", securityContext: context } as never, "").capabilities)).toBe(want);
});

test("the container's own setting comes before the Pod's, which comes before the image's", () => {
  const of = (forPod: object, forContainer: object, image: string) => credentialsOf(pod(forPod), { name: "c", securityContext: forContainer } as never, image);
  expect(of({ runAsUser: 5, runAsGroup: 6, fsGroup: 7, supplementalGroups: [8] }, { runAsUser: 9 }, "101")).toMatchObject({ user: "9", gid: 6, groups: [7, 8], ofImage: false });
  expect(of({}, {}, "101")).toMatchObject({ user: "101", ofImage: true, groups: [], noNewPrivileges: false, seccomp: 0 });
  expect(of({ seccompProfile: { type: "RuntimeDefault" } }, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true }, "")).toMatchObject({ user: "0", noNewPrivileges: true, seccomp: 2, readOnlyRoot: true });
});

test.each<{ name: string; volume: object; disk?: { shared: boolean }; context: object; want: object | undefined; readOnly: boolean }>([
  { name: "emptyDir", volume: { emptyDir: {} }, context: {}, want: { gid: 0, directory: 0o777, file: 0o644 }, readOnly: false },
  { name: "emptyDir with fsGroup", volume: { emptyDir: {} }, context: { fsGroup: 2000 }, want: { gid: 2000, directory: 0o2777, file: 0o664 }, readOnly: false },
  { name: "a Secret nobody else may read, with fsGroup", volume: { secret: { secretName: "s", defaultMode: 0o400 } }, context: { fsGroup: 5 }, want: { gid: 5, directory: 0o3777, file: 0o440 }, readOnly: true },
  { name: "a ConfigMap", volume: { configMap: { name: "c" } }, context: {}, want: { gid: 0, directory: 0o777, file: 0o644 }, readOnly: true },
  { name: "a disk is root's", volume: { persistentVolumeClaim: { claimName: "d" } }, disk: { shared: false }, context: {}, want: undefined, readOnly: false },
  { name: "a disk with fsGroup", volume: { persistentVolumeClaim: { claimName: "d" } }, disk: { shared: false }, context: { fsGroup: 5 }, want: { gid: 5, directory: 0o2775, file: 0o664 }, readOnly: false },
  { name: "a shared file system is left alone", volume: { persistentVolumeClaim: { claimName: "d" } }, disk: { shared: true }, context: { fsGroup: 5 }, want: undefined, readOnly: false },
  { name: "a directory of the node is left alone", volume: { hostPath: { path: "/x" } }, context: { fsGroup: 5 }, want: undefined, readOnly: false },
])("volume: $name", ({ volume, disk, context, want, readOnly }) => {
  const it = { name: "v", ...volume } as Volume;
  expect(ownershipOf(pod(context), it, disk)).toEqual(want);
  expect(isReadOnly(it)).toBe(readOnly);
});
