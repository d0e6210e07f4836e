import { parseRfc3339 } from "../../sim/api/time.ts";
import type { Container, ContainerStatus, Probe } from "../../sim/api/types.ts";
import { periodOf, probeOf, shouldProbe, timeoutOf } from "../../sim/kubelet/probe-worker.ts";
import type { KubeletState, ProbeWorker, Worker } from "../../sim/kubelet/state.ts";
import { secondsToMicros } from "../../sim/kubelet/turn.ts";
import type { WaitView } from "../protocol-waits.ts";
import { type Asked, podKey, running } from "./asked.ts";

type Counted = NonNullable<WaitView["count"]>;

/** Outcomes in a row against the threshold that would make a verdict of them. */
function count({ counter }: ProbeWorker, probe: Probe): Counted | undefined {
  const { lastResult, run } = counter;
  if (lastResult === "Failure") return { at: run, of: probe.failureThreshold ?? 3, what: "failures in a row" };
  return lastResult === "Success" ? { at: run, of: probe.successThreshold ?? 1, what: "successes in a row" } : undefined;
}

function statusOf(state: KubeletState, worker: Worker, name: string): ContainerStatus | undefined {
  const status = state.statuses.get(worker.uid)?.status ?? worker.pod.status;
  return [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find((one) => one.name === name);
}

function probeWait(component: string, state: KubeletState, probing: ProbeWorker, asked: Asked): WaitView[] {
  const worker = state.workers.get(probing.uid);
  const container = worker && [...worker.pod.spec.containers, ...(worker.pod.spec.initContainers ?? [])].find((one: Container) => one.name === probing.container);
  const probe = container && probeOf(container, probing.type);
  const status = worker && statusOf(state, worker, probing.container);
  const startedAt = status?.state?.running?.startedAt;
  if (!worker || !probe || !startedAt || probing.counter.onHold) return [];
  const period = secondsToMicros(periodOf(probe));
  const tick = asked.timers.get(probing.timer);
  const counted = count(probing, probe);
  const base = { about: podKey(worker.key), name: worker.key, component };
  const first = parseRfc3339(startedAt) + secondsToMicros(probe.initialDelaySeconds ?? 0);
  if (asked.at < first && tick !== undefined) {
    const ticks = Math.max(0, Math.ceil((first - tick.dueAt) / period));
    return [{
      ...base, id: `initial-delay/${probing.key}/${startedAt}`, kind: "initial-delay", part: `${probing.type} probe of ${probing.container}`, since: parseRfc3339(startedAt), until: first, ladder: [], weight: 3,
      effect: { at: tick.dueAt + ticks * period, what: "the first tick of the period after it asks for the first time" }, facts: [["Period", `${periodOf(probe)} s`]],
    }];
  }
  // Which of its ticks were missed is not kept: the last one lies a period before the next.
  const since = tick === undefined ? undefined : Math.max(tick.setAt, tick.dueAt - period);
  const asking = probing.inFlight !== -1;
  // Before the startup probe has succeeded the others tick, and ask nothing.
  const asks = shouldProbe(probing.type, status?.started ?? false, Number.POSITIVE_INFINITY, probe);
  return [{
    ...base, id: `probe/${probing.key}/${tick?.dueAt ?? ""}`, kind: "probe", part: `${probing.type} probe of ${probing.container}`, ladder: [], weight: asks ? 2 : 1,
    ...(since === undefined ? {} : { since }),
    ...(tick === undefined ? { openBecause: asking ? `it is asking just now, for at most ${timeoutOf(probe)} s` : "its worker has no tick set" } : { until: tick.dueAt }),
    ...(counted === undefined ? {} : { count: counted }),
    facts: [["Asks nothing", asks ? "" : "until the startup probe has succeeded: it only ticks"], ["Result", probing.result ?? "none yet"], ["Asking now", asking ? `yes, for at most ${timeoutOf(probe)} s` : ""], ["Period", `${periodOf(probe)} s`]],
  }];
}

/** When each probe of a running container asks next, and how far it is from a verdict. */
export const probeWaits = (asked: Asked): WaitView[] => running<KubeletState>("kubelet", asked).flatMap(([component, state]) => state.probes.sortedValues().flatMap((probing) => probeWait(component, state, probing, asked)));
