import { expect, test } from "vitest";
import { PMap } from "../kernel/pmap.ts";
import { checkHostPath, type HostFile, hostFile, withHostFile } from "./host-path.ts";
import { admitSysctls } from "./sysctl.ts";

const made = withHostFile(PMap.empty<HostFile>(), "/data/app/", "directory");

test.each([
  ["/var/run/docker.sock", "Socket", "hostPath type check failed: /var/run/docker.sock is not a socket file"],
  ["/run/containerd/containerd.sock", "Socket", ""],
  ["/data/app", "Directory", ""],
  ["/data", "Directory", ""],
  ["/none", "Directory", "hostPath type check failed: /none is not a directory"],
  ["/etc/hosts", "Directory", "hostPath type check failed: /etc/hosts is not a directory"],
  ["/etc/hosts", "File", ""],
  ["/none/file", "FileOrCreate", "open /none/file: no such file or directory"],
  ["/data/file", "FileOrCreate", "makes file"],
  ["/srv/new/deep", "DirectoryOrCreate", "makes directory"],
  ["/dev/vda", "CharDevice", "hostPath type check failed: /dev/vda is not a character device"],
  ["/dev/vda", "BlockDevice", ""],
  ["/anything", "", ""],
])("%s as %s", (path, type, want) => {
  const found = checkHostPath(path, type, made);
  expect("error" in found ? found.error : found.makes ? `makes ${found.makes}` : "").toBe(want);
});

test("directories above are made too", () => expect(hostFile("/data", made)).toBe("directory"));

const pod = (names: readonly string[], spec: object = {}) => ({ metadata: {}, spec: { containers: [], securityContext: { sysctls: names.map((name) => ({ name, value: "1" })) }, ...spec } });

test.each([
  [["net.core.somaxconn"], {}, 'forbidden sysctl: "net.core.somaxconn" not allowlisted'],
  [["net.ipv4.tcp_syncookies", "kernel/shm_rmid_forced"], {}, undefined],
  [["net.ipv4.tcp_syncookies"], { hostNetwork: true }, 'forbidden sysctl: "net.ipv4.tcp_syncookies" not allowed with host net enabled'],
  [["kernel.shm_rmid_forced"], { hostIPC: true }, 'forbidden sysctl: "kernel.shm_rmid_forced" not allowed with host ipc enabled'],
])("sysctls %j with %j", (names, spec, want) => expect(admitSysctls(pod(names, spec) as never)?.message).toBe(want));
