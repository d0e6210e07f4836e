import type { Pod } from "../../../../sim/api/types.ts";
import type { ProbeResult } from "../../../../sim/kubelet/pod-actions.ts";
import { countProbe, initialProbeResult, NEW_COUNTER, periodOf, probeOf, type ProbeType, timeoutOf } from "../../../../sim/kubelet/probe-worker.ts";
import { containerShouldRestart } from "../../../../sim/kubelet/restart-rules.ts";
import type { Adapter } from "../../adapter.ts";
import type { Happening } from "./inputs.ts";

interface ProbeInput {
  readonly pod: Pod;
  readonly probe?: ProbeType;
  readonly initialStoredResult?: ProbeResult;
  readonly outcomes?: readonly ProbeResult[];
  readonly secondsSinceContainerStart?: number;
  readonly happenings?: readonly Happening[];
}

function runOutcomes(input: ProbeInput, type: ProbeType): unknown {
  const container = input.pod.spec.containers[0];
  const probe = container && probeOf(container, type);
  if (!probe) throw new Error("the case has no probe");
  let stored = input.initialStoredResult ?? initialProbeResult(type);
  let counter = NEW_COUNTER;
  const ran: boolean[] = [];
  const after: ProbeResult[] = [];
  for (const outcome of input.outcomes ?? []) {
    ran.push(!counter.onHold);
    if (!counter.onHold) {
      const next = countProbe(counter, type, probe, outcome);
      counter = next.counter;
      stored = next.result ?? stored;
    }
    after.push(stored);
  }
  return { storedResultAfterEach: after, probeActuallyRan: ran };
}

/** A container that stops answering: when its probes fail and when the verdict falls. */
function runTimeline(input: ProbeInput): unknown {
  const container = input.pod.spec.containers[0];
  const type: ProbeType = container?.livenessProbe ? "liveness" : container?.readinessProbe ? "readiness" : "startup";
  const probe = container && probeOf(container, type);
  if (!container || !probe) throw new Error("the case has no probe");
  const start = input.happenings?.find((happening) => /start/.test(happening.what))?.t ?? 0;
  const hang = input.happenings?.find((happening) => /stops|hangs|fails/.test(happening.what))?.t ?? Number.POSITIVE_INFINITY;
  const failedProbesAt: number[] = [];
  let counter = NEW_COUNTER;
  for (let t = start; t < start + 100_000; t += periodOf(probe)) {
    if (t - start < (probe.initialDelaySeconds ?? 0)) continue;
    const outcome = t >= hang ? "Failure" : "Success";
    if (outcome === "Failure") failedProbesAt.push(t);
    const next = countProbe(counter, type, probe, outcome);
    counter = next.counter;
    if (next.result === "Failure") break;
  }
  const restart = type !== "readiness" && containerShouldRestart(container, input.pod.spec, 137);
  return {
    failedProbesAt,
    decisionAt: (failedProbesAt.at(-1) ?? 0) + timeoutOf(probe),
    events: type === "readiness" ? [] : [{ type: "Normal", reason: "Killing", message: `Container ${container.name} failed ${type} probe${restart ? ", will be restarted" : ""}` }],
    restartCountAfter: restart ? 1 : 0,
  };
}

function run(input: unknown): unknown {
  const asked = input as ProbeInput;
  if (asked.probe) return runOutcomes(asked, asked.probe);
  if (asked.happenings) return runTimeline(asked);
  return Object.fromEntries((["readiness", "liveness", "startup"] as const).map((type) => [type, initialProbeResult(type)]));
}

export const probe: Adapter = { kind: "probe", run };
