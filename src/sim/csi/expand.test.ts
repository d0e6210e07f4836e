// A claim that asks for more, in whole clusters.
import { describe, expect, test } from "vitest";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { RunInput } from "../scenarios/recipe.ts";
import { SAMPLES } from "../scenarios/samples.ts";
import { applyText } from "../scenarios/scenario.ts";

const DISK = SAMPLES.find((sample) => sample.id === "disk")?.text ?? "";
const ask = (seconds: number, storage: string): RunInput => ({ at: seconds * 1_000_000, type: "command", argv: ["patch", "pvc", "diary", "-p", JSON.stringify({ spec: { resources: { requests: { storage } } } })], files: {} });
const noRoom = (from: number, until: number): RunInput => ({ at: from * 1_000_000, until: until * 1_000_000, type: "fault", id: "csi.provision-fails", params: {} });

interface Stored {
  readonly spec?: { readonly capacity?: unknown; readonly resources?: unknown };
  readonly status?: Readonly<Record<string, unknown>> & { readonly conditions?: readonly { readonly type: string; readonly message?: string }[] };
  readonly reason?: string;
  readonly message?: string;
  readonly source?: { readonly component?: string };
}

function run(until: number, ...inputs: RunInput[]) {
  const cluster = createCluster({ world: "ten-nodes", seed: 1, profile: "quiet", inputs: [applyText("a.yaml", DISK, 0), ...inputs] });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(until * 1_000_000);
  let claim: Stored | undefined;
  let volume: Stored | undefined;
  const said: string[] = [];
  const states: string[] = [];
  for (const { key, object } of sim.trace.revisions) {
    const stored = object as Stored | undefined;
    if (key.endsWith("persistentvolumeclaims/default/diary")) {
      claim = stored;
      const state = JSON.stringify([(stored?.status?.["allocatedResourceStatuses"] as { storage?: string } | undefined)?.storage ?? "", (stored?.status?.conditions ?? []).map((entry) => entry.type)]);
      if (states.at(-1) !== state) states.push(state);
    } else if (key.includes("/persistentvolumes/")) volume = stored;
    else if (key.startsWith("/registry/events/") && /Resiz|Expand/.test(stored?.reason ?? "")) said.push(`${stored?.reason ?? ""}: ${stored?.message ?? ""}`.replaceAll(/pvc-[0-9a-f-]{36}/g, "PV"));
  }
  const out = sim.trace.logs.map((log) => log.line).join("");
  return { claim, volume, said: [...new Set(said)], states, out };
}

test("the driver grows the disk, then the volume says so, then the claim", () => {
  const m = run(40, ask(20, "3Gi"));
  expect(m.said.sort()).toEqual(["ExternalExpanding: waiting for an external controller to expand this PVC", "Resizing: External resizer is resizing volume PV", "VolumeResizeSuccessful: Resize volume succeeded"]);
  expect(m.volume?.spec?.capacity).toEqual({ storage: "3Gi" });
  expect(m.claim?.status).toMatchObject({ phase: "Bound", capacity: { storage: "3Gi" }, allocatedResources: { storage: "3Gi" } });
  expect(m.states).toEqual(['["",[]]', '["ControllerResizeInProgress",["Resizing"]]', '["",[]]']);
});

describe("the storage system has no room", () => {
  test("the claim says why, the driver is asked again, and grows it later", () => {
    const m = run(30, noRoom(10, 100), ask(20, "3Gi"));
    const error = "rpc error: code = Internal desc = the storage system has no room to grow the volume";
    expect(m.said).toContain(`VolumeResizeFailed: resize volume "PV" by resizer "csi.millipod.example" failed: ${error}`);
    expect(m.claim?.status).toMatchObject({ capacity: { storage: "1Gi" }, allocatedResources: { storage: "3Gi" }, allocatedResourceStatuses: { storage: "ControllerResizeInProgress" } });
    expect(m.claim?.status?.conditions?.find((entry) => entry.type === "ControllerResizeError")?.message).toBe(`failed to expand pvc with ${error}`);
    expect(run(130, noRoom(10, 40), ask(20, "3Gi")).claim?.status).toMatchObject({ capacity: { storage: "3Gi" } });
  });

  test("less may be asked for instead, but not less than there is", () => {
    const m = run(130, noRoom(10, 40), ask(20, "9Gi"), ask(35, "2Gi"));
    expect(m.claim?.status).toMatchObject({ capacity: { storage: "2Gi" }, allocatedResources: { storage: "2Gi" } });
    expect(run(45, noRoom(10, 40), ask(20, "9Gi"), ask(35, "512Mi")).claim?.spec?.resources).toEqual({ requests: { storage: "9Gi" } });
  });
});
