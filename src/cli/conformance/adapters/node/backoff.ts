import { goDuration } from "../../../../sim/api/duration.ts";
import type { Pod } from "../../../../sim/api/types.ts";
import { backoffValue, crashLoopSettings, isInBackoffSince, newBackoff, nextBackoff, RESET_AFTER, type Backoff } from "../../../../sim/kubelet/backoff.ts";
import { formatPod } from "../../../../sim/kubelet/turn.ts";
import type { Adapter } from "../../adapter.ts";
import { type Happening, numberIn } from "./inputs.ts";

interface CrashInput {
  readonly pod: Pod;
  readonly kubeletConfiguration?: { readonly crashLoopBackOff?: { readonly maxContainerRestartPeriod?: string } };
  readonly featureGates?: Readonly<Record<string, boolean>>;
  readonly restarts?: number;
  readonly happenings?: string | readonly Happening[];
}

const S = 1_000_000;

function seconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)].reduce((sum, m) => sum + Number(m[1]) * ({ h: 3600, m: 60, s: 1, ms: 0.001 }[m[2] ?? "s"] ?? 1), 0);
}

/** A container that exits right after each start: how long each restart waits. */
function ladder(backoff: Backoff, count: number): number[] {
  const waits: number[] = [];
  let state = backoff;
  let exit = 0;
  for (let i = 0; i < count; i++) {
    const wait = isInBackoffSince(state, "c", exit, exit) ? backoffValue(state, "c") : 0;
    waits.push(wait / S);
    const restart = exit + wait;
    state = nextBackoff(state, "c", exit, restart);
    exit = restart;
  }
  return waits;
}

function follow(input: CrashInput, happenings: readonly Happening[], start: Backoff): Record<string, unknown> {
  const container = input.pod.spec.containers[0]?.name ?? "";
  let state = start;
  let key = "c";
  let restarts = 0;
  let exit: number | undefined;
  let out: Record<string, unknown> = {};
  for (const { t, what } of happenings) {
    if (/backoff value now/.test(what)) {
      const value = (numberIn(what.slice(what.indexOf("now"))) ?? 0) * S;
      state = { ...state, entries: { ...state.entries, [key]: { value, lastUpdate: t * S } } };
      restarts = numberIn(what) ?? restarts;
    } else if (/image|resources/.test(what)) key = `${key}'`;
    else if (what.startsWith("restart")) {
      if (exit !== undefined) state = nextBackoff(state, key, exit, t * S);
      restarts++;
      exit = undefined;
    } else if (/exit|kill/i.test(what)) exit = t * S;
    const at = t * S;
    if (exit === undefined) continue;
    const waiting = isInBackoffSince(state, key, exit, at);
    const value = waiting ? backoffValue(state, key) : backoffValue(nextBackoff(state, key, exit, at), key);
    out = { inBackOff: waiting, restartAt: (waiting ? exit + value : at) / S, backoffValueAfterSeconds: value / S, restartCount: restarts, earliestRestartAt: (waiting ? exit + value : exit) / S };
    if (!waiting) continue;
    out["state"] = { waiting: { reason: "CrashLoopBackOff", message: `back-off ${goDuration(value)} restarting failed container=${container} pod=${formatPod(input.pod)}` } };
    out["event"] = { type: "Warning", reason: "BackOff", message: `Back-off restarting failed container ${container} in pod ${formatPod(input.pod)}` };
  }
  return out;
}

function run(raw: unknown): unknown {
  const input = raw as CrashInput;
  const max = seconds(input.kubeletConfiguration?.crashLoopBackOff?.maxContainerRestartPeriod);
  const settings = crashLoopSettings({ ...(max === undefined ? {} : { maxContainerRestartPeriodSeconds: max }), reduceDefault: input.featureGates?.["ReduceDefaultCrashLoopBackOffDecay"] ?? false });
  const backoff = newBackoff(settings.initial * S, settings.max * S, RESET_AFTER);
  const text = typeof input.happenings === "string" ? input.happenings : "";
  const count = input.restarts ?? numberIn(/(\d+) restarts/.exec(text)?.[0] ?? "") ?? 8;
  const base = { initialSeconds: settings.initial, maxSeconds: settings.max, waitBeforeRestartSeconds: ladder(backoff, count) };
  return Array.isArray(input.happenings) ? { ...base, ...follow(input, input.happenings as readonly Happening[], backoff) } : base;
}

export const crashBackoff: Adapter = { kind: "crash-backoff", run };
