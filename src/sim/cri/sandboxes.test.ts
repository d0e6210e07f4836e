import { expect, test } from "vitest";
import { createCluster } from "../cluster.ts";
import { PMap } from "../kernel/pmap.ts";
import { fakeCtx } from "../testdata/fake-ctx.ts";
import type { CriCall, RuntimeContainerStatus } from "./messages.ts";
import { removeSandbox } from "./sandboxes.ts";
import { initialState } from "./state.ts";
import { Turn } from "./turn.ts";

const { world } = createCluster({ world: "one-node", seed: 1, profile: "quiet", inputs: [] });
const [node] = world.nodes;
if (node === undefined) throw new Error("no node");
const pod = { uid: "u", namespace: "default", name: "web" };
const status = (id: string, sandboxId: string): RuntimeContainerStatus => ({ id, name: id, sandboxId, attempt: 0, state: "exited", createdAt: 0, startedAt: 0, finishedAt: 0, exitCode: 0, reason: "", message: "", image: "nginx", imageRef: "", hash: "", resources: { cpuShares: 2, cpuQuota: 0, cpuPeriod: 0, memoryLimitInBytes: 0, oomScoreAdj: 0, unified: {} } });

test("RemovePodSandbox takes the containers of that sandbox with it, also when their own removal is still to come", () => {
  const turn = new Turn({ ...initialState(world, node, []), sandboxes: PMap.empty(), containers: PMap.empty() }, fakeCtx(), world, node);
  const namespaces = { net: "", ipc: "", uts: "", mnt: "", pid: "", cgroup: "", user: "" };
  for (const id of ["old", "new"]) {
    turn.sandbox(id, { pod, status: { id, attempt: 0, state: "NOTREADY", createdAt: 0, ip: "", hostNetwork: false }, netns: "", namespaces: undefined, cgroup: undefined, files: {}, portMappings: [] });
    for (const name of ["a", "b"]) turn.container(`${id}-${name}`, { pod, status: status(`${id}-${name}`, id), namespaces, cgroup: undefined });
  }
  removeSandbox(turn, { call: "RemovePodSandbox", sandboxId: "old" } satisfies CriCall);
  expect(turn.state.containers.keys().sort()).toEqual(["new-a", "new-b"]);
  expect(turn.state.pods.get("u")?.containers.map(({ id }) => id).sort()).toEqual(["new-a", "new-b"]);
  expect(turn.state.sandboxes.keys()).toEqual(["new"]);
});
