import { describe, expect, test } from "vitest";
import { commandsOf } from "../../cli/commands-run.ts";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { RunInput } from "./recipe.ts";

const S = 1_000_000;

/** What the last of the commands printed, one a second from the twentieth on. */
function printed(manifest: string, ...commands: string[][]): string {
  const inputs: RunInput[] = [{ at: 0, type: "command", argv: ["apply", "-f", "a.yaml"], files: { "a.yaml": manifest } }, ...commands.map((argv, i): RunInput => ({ at: (20 + i) * S, type: "command", argv, files: {} }))];
  const cluster = createCluster({ world: "three-nodes", seed: 1, profile: "quiet", inputs });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run((20 + commands.length) * S);
  const { stdout, stderr } = commandsOf(sim.trace).at(-1) ?? { stdout: "", stderr: "" };
  return `${stdout}${stderr}`;
}

const pod = (spec: string, container: string): string => `{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {${spec} containers: [{name: c, ${container}}]}}`;
const sh = (script: string): string[] => ["exec", "p", "--", "sh", "-c", script];

describe("a security context as its container sees it", () => {
  test.each([
    { name: "the documentation's first Pod: id", spec: "securityContext: {runAsUser: 1000, runAsGroup: 3000, fsGroup: 2000, supplementalGroups: [4000]},", container: "image: busybox, command: [sleep, 1h]", run: sh("id"), want: "uid=1000 gid=3000 groups=2000,3000,4000\n" },
    { name: "its volume belongs to fsGroup, and so do new files", spec: "securityContext: {runAsUser: 1000, runAsGroup: 3000, fsGroup: 2000}, volumes: [{name: v, emptyDir: {}}],", container: "image: busybox, command: [sleep, 1h], volumeMounts: [{name: v, mountPath: /data/demo}]", run: sh("cd /data; ls -l; echo hello > demo/f; stat -c '%u %g %a' demo/f"), want: "total 4\ndrwxrwsrwx    2 root     2000          4096 Jan  1 00:00 demo\n1000 2000 644\n" },
    { name: "root of busybox's image", spec: "", container: "image: busybox, command: [sleep, 1h]", run: sh("id; grep CapEff /proc/self/status"), want: "uid=0(root) gid=0(root) groups=0(root),10(wheel)\nCapEff:\t00000000a80425fb\n" },
    { name: "a read-only root file system, with somewhere to write", spec: "volumes: [{name: t, emptyDir: {}}],", container: "image: busybox, command: [sleep, 1h], volumeMounts: [{name: t, mountPath: /tmp}], securityContext: {readOnlyRootFilesystem: true}", run: sh("echo a > /tmp/a; touch /a; cat /tmp/a"), want: "touch: /a: Read-only file system\na\n" },
    { name: "another's directory", spec: "securityContext: {runAsUser: 1000},", container: "image: busybox, command: [sleep, 1h]", run: sh("touch /etc/x; echo $?; touch /tmp/x; echo $?; mkdir /d; echo x > /etc/hosts"), want: "touch: /etc/x: Permission denied\n1\n0\nmkdir: can't create directory '/d': Permission denied\nsh: can't create /etc/hosts: Permission denied\ncommand terminated with exit code 1\n" },
    { name: "a file that its owner closed", spec: "", container: "image: busybox, command: [sleep, 1h], securityContext: {capabilities: {drop: [ALL]}}", run: sh("echo a > /tmp/a; chmod 000 /tmp/a; cat /tmp/a; ls -l /tmp"), want: "cat: can't open '/tmp/a': Permission denied\ntotal 4\n----------    1 root     root             2 Jan  1 00:00 a\n" },
  ])("$name", ({ spec, container, run, want }) => {
    expect(printed(pod(spec, container), run)).toBe(want);
  });

  test.each([
    { name: "nginx needs its cache directory", container: "image: nginx, securityContext: {readOnlyRootFilesystem: true}", want: 'nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (30: Read-only file system)\n' },
    { name: "nginx as somebody else", container: "image: nginx, securityContext: {runAsUser: 1000}", want: 'nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (13: Permission denied)\n' },
    { name: "nginx may not give files away", container: "image: nginx, securityContext: {capabilities: {drop: [ALL]}}", want: 'nginx: [emerg] chown("/var/cache/nginx/client_temp", 101) failed (1: Operation not permitted)\n' },
  ])("$name", ({ container, want }) => {
    expect(printed(pod("", container), ["logs", "p"])).toBe(want);
  });

  test("with both directories writable nginx runs on a read-only root", () => {
    expect(printed(pod("volumes: [{name: a, emptyDir: {}}, {name: b, emptyDir: {}}],", "image: nginx, securityContext: {readOnlyRootFilesystem: true}, volumeMounts: [{name: a, mountPath: /var/cache/nginx}, {name: b, mountPath: /var/run}]"), ["get", "pod", "p", "-o", "jsonpath={.status.containerStatuses[0].ready}"])).toBe("true");
  });

  test.each([
    { name: "0644, as ConfigMaps are mounted, cannot be run", mode: "", want: 'exec: "/s/run.sh": permission denied' },
    { name: "0755 can", mode: ", defaultMode: 0755", want: "" },
  ])("a script: $name", ({ mode, want }) => {
    const text = printed(`{apiVersion: v1, kind: ConfigMap, metadata: {name: s}, data: {run.sh: "sleep 1000"}}\n---\n${pod(`volumes: [{name: s, configMap: {name: s${mode}}}],`, "image: busybox, command: [/s/run.sh], volumeMounts: [{name: s, mountPath: /s}]")}`, ["get", "pod", "p", "-o", "jsonpath={.status.containerStatuses[0].lastState.terminated.message}"]);
    expect(text).toContain(want);
    if (want === "") expect(text).toBe("");
  });
});
