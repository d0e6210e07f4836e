import { describe, expect, it } from "vitest";
import { settle } from "../scenarios/settle.ts";
import { tenNodes } from "../scenarios/worlds/ten-nodes.ts";
import type { Pod } from "../api/types.ts";
import { create, type FakeApiState, remove, runNode, testPod } from "./testdata/node-cluster.ts";

const S = 1_000_000;
const busybox = (script: string, more: Partial<Pod["spec"]["containers"][number]> = {}): Pod["spec"]["containers"][number] => ({ name: "c", image: "busybox:1.36", command: ["sh", "-c", script], ...more });

/** "phase container:state" of each status that was written, without repeats. */
function states(api: FakeApiState): string[] {
  const lines = api.writes.filter((write) => write.verb === "PATCH").map((write) => {
    const { status } = write.pod;
    const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map(({ name, state, restartCount }) => `${name}:${state?.running ? "running" : (state?.terminated?.reason ?? state?.waiting?.reason ?? "")}/${restartCount}`);
    const ready = status?.conditions?.find((condition) => condition.type === "Ready")?.status;
    return `${status?.phase ?? ""} ${ready === "True" ? "ready" : "unready"} ${containers.join(" ")}`;
  });
  return lines.filter((line, i) => line !== lines[i - 1]);
}

describe("a Pod's start", () => {
  const pod = testPod({ containers: [{ name: "web", image: "nginx:1.27", ports: [{ containerPort: 80 }], readinessProbe: { httpGet: { path: "/", port: 80 }, periodSeconds: 5 } }] });
  const { sim, api } = runNode([create(1_108_500 - 4_950, pod)], 5 * S);

  it("writes four statuses: conditions, sandbox ready, Running, Ready", () => {
    expect(states(api)).toEqual(["Pending unready web:ContainerCreating/0", "Running unready web:running/0", "Running ready web:running/0"]);
    expect(api.writes.filter((write) => write.verb === "PATCH")).toHaveLength(4);
  });

  it("meets the measured times (milliseconds after SyncPod enter; facts/timeline-measured.json)", () => {
    const { trace } = sim;
    const at = (call: string): number => {
      for (let i = 0; i < trace.mailCount; i++) {
        const message = trace.payloads[i] as { type: string; cri?: { call: string; podUid?: string } };
        if (message.type === "cri.request" && message.cri?.call === call && (call !== "ListPodSandbox" || message.cri.podUid !== undefined)) return trace.mail.dueAt.get(i);
      }
      return Number.NaN;
    };
    const enter = 1_108_500;
    const patches = api.writes.filter((write) => write.verb === "PATCH").map((write) => (write.at - enter) / 1000);
    const within = (value: number, min: number, max: number): void => {
      expect(value).toBeGreaterThanOrEqual(min);
      expect(value).toBeLessThanOrEqual(max);
    };
    const run = (at("RunPodSandbox") - enter) / 1000;
    within(run, 301.99 + 1.25, 308.85 + 2.91);
    const made = (at("CreateContainer") - enter) / 1000;
    within(made - run, 83.38 + 3.05, 128.91 + 13.47);
    const started = (at("StartContainer") - enter) / 1000;
    within(started - made, 6.7 + 0.57, 22.16 + 2.9);
    within((at("ListPodSandbox") - enter) / 1000 - started, 43.52, 66.57 + 1);
    within(patches[0] ?? 0, 3.55, 396.25);
    within((patches[2] ?? 0) - started, 43.52 + 2.74 + 2.77, 66.57 + 9.51 + 17.98);
  });

  it("costs no more than the events it needs", () => expect(sim.trace.eventCount).toBeLessThan(140));
});

describe("exits and restarts", () => {
  it("follows the recorded crash loop: restart at once, then 10, 20, 40 s stretched up to 1.5 times", () => {
    const { api } = runNode([create(S, testPod({ containers: [busybox("echo boom; exit 1")] }))], 200 * S);
    const started = api.events.filter((event) => event.reason === "Started").map((event) => event.at / S);
    const gaps = started.slice(1).map((time, i) => time - (started[i] ?? 0));
    expect(gaps[0]).toBeLessThan(1.2);
    for (const [i, wait] of [10, 20, 40].entries()) {
      expect(gaps[i + 1]).toBeGreaterThanOrEqual(wait);
      expect(gaps[i + 1]).toBeLessThan(wait * 1.5 + 2.2);
    }
    // Error stays on screen; CrashLoopBackOff is written when the worker wakes, and the container runs at once.
    expect(states(api).slice(0, 8)).toEqual([
      "Pending unready c:ContainerCreating/0", "Running ready c:running/0", "Running unready c:Error/0", "Running ready c:running/1",
      "Running unready c:Error/1", "Running unready c:CrashLoopBackOff/1", "Running ready c:running/2", "Running unready c:Error/2",
    ]);
    expect(api.events.find((event) => event.reason === "BackOff")?.message).toBe("Back-off restarting failed container c in pod p_default(11111111-2222-4333-8444-555555555555)");
  });

  it("shows ErrImagePull until the worker wakes for the second pull", () => {
    const { api } = runNode([create(S, testPod({ containers: [{ name: "c", image: "nginx:no-such-tag" }] }))], 60 * S);
    expect(states(api).slice(0, 4)).toEqual(["Pending unready c:ContainerCreating/0", "Pending unready c:ErrImagePull/0", "Pending unready c:ImagePullBackOff/0", "Pending unready c:ErrImagePull/0"]);
    expect(api.events[1]?.message).toBe('Failed to pull image "nginx:no-such-tag": rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:no-such-tag": failed to resolve image: docker.io/library/nginx:no-such-tag: not found');
    expect(api.events.slice(0, 5).map((event) => event.reason)).toEqual(["Pulling", "Failed", "Failed", "BackOff", "Failed"]);
  });

  it("runs init containers one after another", () => {
    const inits = ["i1", "i2"].map((name) => ({ name, image: "busybox:1.36", command: ["sh", "-c", "sleep 2"] }));
    const { api } = runNode([create(S, testPod({ initContainers: inits, containers: [{ name: "main", image: "nginx:1.27" }] }))], 12 * S);
    expect(states(api)).toEqual([
      "Pending unready i1:PodInitializing/0 i2:PodInitializing/0 main:PodInitializing/0", "Pending unready i1:running/0 i2:PodInitializing/0 main:PodInitializing/0",
      "Pending unready i1:Completed/0 i2:PodInitializing/0 main:PodInitializing/0", "Pending unready i1:Completed/0 i2:running/0 main:PodInitializing/0",
      "Pending unready i1:Completed/0 i2:Completed/0 main:PodInitializing/0", "Running ready i1:Completed/0 i2:Completed/0 main:running/0",
    ]);
  });

  it("writes a Never Pod's phase only when nothing of it can run any more", () => {
    const { api } = runNode([create(S, testPod({ restartPolicy: "Never", containers: [busybox("sleep 2; exit 1")] }))], 10 * S);
    expect(states(api).slice(-2)).toEqual(["Running unready c:Error/0", "Failed unready c:Error/0"]);
  });

  it("kills a container that goes over its memory limit", () => {
    const { api } = runNode([create(S, testPod({ containers: [busybox("sleep 1; tail /dev/zero", { resources: { limits: { memory: "16Mi" }, requests: { memory: "16Mi" } } })] }))], 5 * S);
    expect(states(api)[2]).toBe("Running unready c:OOMKilled/0");
  });

  it("restarts a container twice at once after liveness kills, the third time after a back-off", () => {
    const { api } = runNode([create(S, testPod({ containers: [{ name: "c", image: "nginx:1.27", livenessProbe: { httpGet: { path: "/nope", port: 80 }, periodSeconds: 3, failureThreshold: 2 } }] }))], 30 * S);
    expect(api.events.filter((event) => event.reason === "Killing").map((event) => Math.round(event.at / S))).toEqual([7, 13, 19]);
    expect(api.events.find((event) => event.reason === "Unhealthy")?.message).toBe("Liveness probe failed: HTTP probe failed with statuscode: 404");
    expect(states(api).at(-1)).toBe("Running unready c:CrashLoopBackOff/2");
  });
});

describe("configuration that is missing", () => {
  const cfg = { at: 41 * S, type: "configmap", to: "kube-apiserver", message: { type: "test.object", key: "configmaps/default/cfg", object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "cfg", namespace: "default" }, data: { a: "1" } } } };

  it("holds a Pod without a sandbox for a volume, retrying at 0.5, 1, 2 ... 32 s", () => {
    const { api } = runNode([create(S, testPod({ volumes: [{ name: "v", configMap: { name: "cfg" } }], containers: [busybox("cat /v/a; sleep 1000", { volumeMounts: [{ name: "v", mountPath: "/v" }] })] })), cfg], 80 * S);
    const failures = api.events.filter((event) => event.reason === "FailedMount");
    expect(failures[0]?.message).toBe('MountVolume.SetUp failed for volume "v" : configmap "cfg" not found');
    expect(failures.slice(1).map((event, i) => Math.round((event.at - (failures[i]?.at ?? 0)) / 100_000) / 10)).toEqual([0.5, 1, 2, 4, 8, 16]);
    expect(states(api)).toEqual(["Pending unready c:ContainerCreating/0", "Running ready c:running/0"]);
  });

  it("gives a Pod its sandbox but no container for an environment", () => {
    const { api } = runNode([create(S, testPod({ containers: [busybox("sleep 1000", { env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "cfg", key: "a" } } }] })] }))], 10 * S);
    expect(states(api).at(-1)).toBe("Pending unready c:CreateContainerConfigError/0");
    expect(api.events.find((event) => event.reason === "Failed")?.message).toBe('Error: configmap "cfg" not found');
  });
});

describe("deletion", () => {
  it.each([
    ["a server that obeys its stop signal", { name: "c", image: "nginx:1.27" }, 30, "Succeeded", [0.1, 1.4]],
    ["a shell that sleeps as PID 1", busybox("sleep 1000"), 30, "Failed", [30.1, 31.4]],
    ["a hook that outlasts the grace, and a trap", busybox("trap 'exit 0' TERM; while true; do sleep 0.2; done", { lifecycle: { preStop: { exec: { command: ["sleep", "20"] } } } }), 4, "Succeeded", [4.1, 5.6]],
  ] as const)("%s", (_, container, grace, phase, [min, max]) => {
    const { api } = runNode([create(S, testPod({ terminationGracePeriodSeconds: grace, containers: [container] })), remove(8 * S, "default/p", grace)], 45 * S);
    const last = api.writes.at(-1);
    expect(last?.verb).toBe("DELETE");
    expect(last?.pod.status?.phase).toBe(phase);
    expect(((last?.at ?? 0) - 8 * S) / S).toBeGreaterThan(min);
    expect(((last?.at ?? 0) - 8 * S) / S).toBeLessThan(max);
  });

  it("stops a sidecar after the container it serves", () => {
    const { api, sim } = runNode([create(S, testPod({ initContainers: [{ name: "proxy", image: "nginx:1.27", restartPolicy: "Always" }], containers: [busybox("trap 'sleep 1; exit 0' TERM; while true; do sleep 0.2; done")] })), remove(8 * S, "default/p")], 20 * S);
    expect(api.writes.at(-1)?.verb).toBe("DELETE");
    const stops: string[] = [];
    for (let i = 0; i < sim.trace.mailCount; i++) {
      const message = sim.trace.payloads[i] as { type: string; cri?: { call: string; timeoutSeconds?: number } };
      if (message.cri?.call === "StopContainer") stops.push(`${Math.floor((sim.trace.mail.sentAt.get(i) - 8 * S) / S)}s ${message.cri.timeoutSeconds ?? 0}`);
    }
    expect(stops).toEqual(["0s 30", "1s 29"]);
  });
});

it("leaves a settled world alone: nothing but leases and node reports", () => {
  const world = settle(tenNodes, 1, () => []);
  expect(world.nodes.length).toBe(10);
  const node = world.nodes.find((candidate) => candidate.name === "worker-node-04") ?? world.nodes[0];
  expect(node).toBeDefined();
  if (!node) return;
  const { sim } = runNode([], 200 * S, { world: { ...world, nodes: [node] }, node });
  const calls = new Set<string>();
  for (let i = 0; i < sim.trace.mailCount; i++) {
    const message = sim.trace.payloads[i] as { type: string; method?: string; path?: string };
    if (message.type === "http.request") calls.add(`${message.method ?? ""} ${message.path?.replace(node.name, "NODE") ?? ""}`);
  }
  expect([...calls].filter((call) => !call.includes("/leases/") && call !== "PATCH /api/v1/nodes/NODE/status")).toEqual([]);
});
