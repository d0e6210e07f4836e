import { expect, test } from "vitest";
import { createCluster } from "../sim/cluster.ts";
import type { Pod } from "../sim/api/types.ts";
import { Simulation } from "../sim/kernel/simulation.ts";
import { applyText } from "../sim/scenarios/scenario.ts";
import { podInside } from "./pod-inside.ts";
import type { PodInside } from "./protocol-pod.ts";

function inside(spec: string, at = 8_000_000): PodInside {
  const text = `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  nodeName: worker-node-03\n${spec}  containers:\n  - {name: a, image: "nginx:1.27", resources: {requests: {cpu: 250m}, limits: {memory: 64Mi}}}\n  - {name: b, image: "busybox:1.36", command: [sleep, "3600"]}\n`;
  const { config, inputs } = createCluster({ world: "ten-nodes", seed: 1, profile: "quiet", inputs: [applyText("p.yaml", text, 0)] });
  const sim = Simulation.create(config, inputs);
  sim.run(at);
  const pod = sim.trace.revisions.find(({ key }) => key === "/registry/pods/default/p")?.object as Pod;
  const found = podInside(pod.metadata.uid ?? "", "worker-node-03", at, (component) => sim.stateAt(component, at));
  if (found === undefined) throw new Error("nothing there");
  return found;
}

const whose = ({ containers, sandbox }: PodInside): Record<string, string> => Object.fromEntries([["pause", sandbox], ...containers.map((task) => [task.name, task] as const)].map(([name, task]) => [name as string, (task as PodInside["containers"][number]).namespaces.map(({ kind, of }) => `${kind} ${of}`).join(", ")]));

test.each([
  { name: "by default network, IPC and hostname are the Pod's, processes and mounts each container's", spec: "", want: { pause: "net sandbox, ipc sandbox, uts sandbox, mnt own, pid own, cgroup own, user node", a: "net sandbox, ipc sandbox, uts sandbox, mnt own, pid own, cgroup own, user node" }, pids: [1, 1] },
  { name: "shareProcessNamespace: one tree of processes", spec: "  shareProcessNamespace: true\n", want: { pause: "net sandbox, ipc sandbox, uts sandbox, mnt own, pid sandbox, cgroup own, user node", a: "net sandbox, ipc sandbox, uts sandbox, mnt own, pid sandbox, cgroup own, user node" }, pids: [7, 13] },
  { name: "hostNetwork: the hostname is the node's too", spec: "  hostNetwork: true\n", want: { pause: "net node, ipc sandbox, uts node, mnt own, pid own, cgroup own, user node", a: "net node, ipc sandbox, uts node, mnt own, pid own, cgroup own, user node" }, pids: [1, 1] },
  { name: "hostPID, hostIPC and a user namespace", spec: "  hostPID: true\n  hostIPC: true\n", want: { pause: "net sandbox, ipc node, uts sandbox, mnt own, pid node, cgroup own, user node", a: "net sandbox, ipc node, uts sandbox, mnt own, pid node, cgroup own, user node" }, pids: [undefined, undefined] },
  { name: "a user namespace of the Pod's own", spec: "  hostUsers: false\n", want: { pause: "net sandbox, ipc sandbox, uts sandbox, mnt own, pid own, cgroup own, user sandbox", a: "net sandbox, ipc sandbox, uts sandbox, mnt own, pid own, cgroup own, user sandbox" }, pids: [1, 1] },
])("$name", ({ spec, want, pids }) => {
  const found = inside(spec);
  expect(whose(found)).toMatchObject(want);
  expect(found.containers.map(({ processes }) => processes[0]?.pid)).toEqual(pids);
});

test("the cgroup tree has the kernel's values: node, class, Pod, then runc's curve for containers", () => {
  const found = inside("");
  expect(found.cgroups.map(({ path, files }) => [path.slice(path.lastIndexOf("/") + 1).replace(/pod[0-9a-f_]{36}/, "pod<uid>"), files["cpu.weight"], files["memory.max"]])).toEqual([
    ["kubepods.slice", "313", expect.stringMatching(/^\d+$/)],
    ["kubepods-burstable.slice", expect.stringMatching(/^\d+$/), "max"],
    ["kubepods-burstable-pod<uid>.slice", "10", "max"],
  ]);
  expect(found.containers.map(({ name, cgroup, oomScoreAdj }) => [name, cgroup?.files["cpu.weight"], cgroup?.files["memory.max"], oomScoreAdj > 2])).toEqual([["a", "35", String(64 * 1_048_576), true], ["b", "1", "max", true]]);
  expect(found.containers[0]?.processes).toEqual([{ pid: 1, command: "nginx -g daemon off;", doing: "listens on 80" }]);
  expect(found.network?.ip).toBe(found.address);
});

test("volumes say what they hold: names, bytes, limits, and when a token is renewed", () => {
  const found = inside("  volumes:\n  - {name: cache, emptyDir: {sizeLimit: 1Mi}}\n");
  expect(found.volumes.find(({ name }) => name === "cache")).toMatchObject({ kind: "emptyDir", state: "mounted", files: [], bytes: 0, notes: ["at most 1048576 bytes"] });
  const token = found.volumes.find(({ kind }) => kind === "projected");
  expect(token?.files).toEqual(["ca.crt", "namespace", "token"]);
  expect(token?.notes[0]).toMatch(/^token: another from 28\d\d s on$/);
});
