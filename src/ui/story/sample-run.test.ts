import { describe, expect, test } from "vitest";
import { CHAPTERS } from "../../content/chapters.ts";
import { MILESTONES } from "../../content/figures.ts";
import { MISCONCEPTIONS } from "../../content/misconceptions.ts";
import { createCluster } from "../../sim/cluster.ts";
import { Simulation } from "../../sim/kernel/simulation.ts";
import { SAMPLES } from "../../sim/scenarios/samples.ts";
import { TraceIndex } from "../../trace/trace-index.ts";
import { findFirst } from "./find.ts";
import { firstPod, msTimeline } from "./ms-timeline.ts";

// The page's words point into a run by what messages and sentences are: this run keeps the two together.
function sampleRun(): TraceIndex {
  const sample = SAMPLES[0]!;
  const cluster = createCluster({ world: "ten-nodes", seed: 1, profile: "quiet", inputs: [{ at: 0, type: "command", argv: ["apply", "-f", sample.file], files: { [sample.file]: sample.text } }] });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(3_000_000);
  return new TraceIndex(sim.trace, cluster.base);
}

const index = sampleRun();

describe("the sample's run", () => {
  test.each(CHAPTERS.filter((chapter) => chapter.show))("holds what chapter $number shows: $show.label", (chapter) => {
    expect(findFirst(index, [chapter.show!.evidence])).toBeDefined();
  });

  // Nothing dies, crashes or is killed in it.
  const absent = new Set(["pod-moves", "crashloop-phase", "sigkill-oom"]);
  test.each(MISCONCEPTIONS)("shows $id, or rightly does not", (one) => {
    expect(findFirst(index, one.show) === undefined).toBe(absent.has(one.id));
  });

  test("has every row of the millisecond timeline, in a Pod's order", () => {
    const rows = msTimeline(index, firstPod(index) ?? "");
    expect(rows.map((row) => row.milestone.id).filter((id) => MILESTONES.some((milestone) => milestone.id === id))).toEqual(MILESTONES.map((milestone) => milestone.id));
    expect(rows.map((row) => row.milestone.id).slice(-4)).toEqual(["running", "slice", "ready", "slice-ready"]);
  });

  test("takes as long as real ones up to Running", () => {
    for (const row of msTimeline(index, firstPod(index) ?? "")) {
      const { id, measured } = row.milestone;
      // The sample's startup probe holds readiness back for a second; the measured Pods had none.
      if (!measured || id === "ready" || id === "slice-ready") continue;
      expect(row.cumulative / 1000, id).toBeGreaterThanOrEqual(measured.min - 1);
      expect(row.cumulative / 1000, id).toBeLessThanOrEqual(measured.max + 1);
    }
  });
});
