// Models kubernetes/pkg/kubelet/prober/worker.go
import type { Container, Probe } from "../api/types.ts";
import type { ProbeResult } from "./pod-actions.ts";

export type ProbeType = "startup" | "readiness" | "liveness";
export const PROBE_TYPES: readonly ProbeType[] = ["startup", "readiness", "liveness"];

/** What a worker remembers between two probes of one container. */
export interface ProbeCounter {
  readonly lastResult?: ProbeResult;
  /** How often in a row. */
  readonly run: number;
  /** Waits for another container: its verdict is final. */
  readonly onHold: boolean;
}

export const NEW_COUNTER: ProbeCounter = { run: 0, onHold: false };

/** The result that stands until the first probe has settled. */
export const initialProbeResult = (type: ProbeType): ProbeResult => (type === "readiness" ? "Failure" : type === "liveness" ? "Success" : "Unknown");

export function probeOf(container: Container, type: ProbeType): Probe | undefined {
  return type === "startup" ? container.startupProbe : type === "readiness" ? container.readinessProbe : container.livenessProbe;
}

export const periodOf = (probe: Probe): number => (probe.periodSeconds ?? 10) || 10;
export const timeoutOf = (probe: Probe): number => (probe.timeoutSeconds ?? 1) || 1;

/** Counts one outcome. `result` is set when the run of equal outcomes has reached its threshold. */
export function countProbe(counter: ProbeCounter, type: ProbeType, probe: Probe, outcome: ProbeResult): { counter: ProbeCounter; result?: ProbeResult } {
  const run = counter.lastResult === outcome ? counter.run + 1 : 1;
  const next: ProbeCounter = { lastResult: outcome, run, onHold: false };
  const threshold = outcome === "Failure" ? (probe.failureThreshold ?? 3) : outcome === "Success" ? (probe.successThreshold ?? 1) : 0;
  if (run < threshold) return { counter: next };
  const settled = (type === "liveness" && outcome === "Failure") || type === "startup";
  return { counter: settled ? { lastResult: outcome, run: 0, onHold: true } : next, result: outcome };
}

/** Whether a running container is probed now: only its startup probe until it has started, nothing during the initial delay. */
export function shouldProbe(type: ProbeType, started: boolean, secondsSinceStart: number, probe: Probe): boolean {
  if (secondsSinceStart < (probe.initialDelaySeconds ?? 0)) return false;
  return started ? type !== "startup" : type === "startup";
}

const NAMES: Readonly<Record<ProbeType, string>> = { startup: "Startup", readiness: "Readiness", liveness: "Liveness" };
export const unhealthyText = (type: ProbeType, output: string): string => `${NAMES[type]} probe failed: ${output}`;
export const erroredText = (type: ProbeType, error: string): string => `${NAMES[type]} probe errored and resulted in unknown state: ${error}`;
