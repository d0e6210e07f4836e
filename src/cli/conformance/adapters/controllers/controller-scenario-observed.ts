import type { WatchEventMessage } from "../../../../sim/api/http.ts";
import type { KubeEvent, KubeObject, Pod } from "../../../../sim/api/types.ts";
import type { Simulation } from "../../../../sim/kernel/simulation.ts";
import { commandsOf } from "../../../commands-run.ts";
import { DRIVER, type DriverState, isDriverStream } from "./controller-scenario-driver.ts";
import { Names } from "./controller-scenario-names.ts";
import { objectsBefore, type Scenario, START } from "./controller-scenario-run.ts";
import { stateOf, trimmed } from "./controller-scenario-trim.ts";

export interface ObservedEvent {
  readonly type: string;
  readonly reason: string;
  readonly regarding: { readonly kind: string; readonly name: string };
  readonly message: string;
  readonly from: string;
  readonly count: number;
  readonly updates?: readonly { readonly count: number; readonly message: string }[];
}

/** What a recording or a run of a scenario showed. */
export interface Observed {
  readonly events: readonly ObservedEvent[];
  readonly sequences: Readonly<Record<string, readonly unknown[]>>;
  readonly answers: readonly Answer[];
  readonly final: readonly KubeObject[];
}

export interface Answer {
  readonly atSeconds: number;
  readonly exit?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly httpStatus?: number;
  readonly body?: unknown;
}

interface Seen {
  readonly type: string;
  readonly object: KubeObject;
}

function watched(sim: Simulation): readonly Seen[] {
  const seen: Seen[] = [];
  for (let id = 0; id < sim.trace.mailCount; id++) {
    const payload = sim.trace.payloads[id] as WatchEventMessage | undefined;
    if (payload?.type === "watch.event" && payload.event.type !== "BOOKMARK" && isDriverStream(payload.stream) && sim.trace.mail.sentAt.get(id) >= START) seen.push({ type: payload.event.type, object: payload.event.object });
  }
  return seen;
}

function eventsOf(seen: readonly Seen[]): readonly ObservedEvent[] {
  const found = new Map<string, ObservedEvent>();
  for (const { type, object } of seen) {
    if (object.kind !== "Event" || type === "DELETED") continue;
    const event = object as KubeEvent;
    const key = event.metadata.name ?? "";
    const known = found.get(key);
    const message = event.message ?? "";
    const count = event.series?.count ?? event.count ?? 1;
    if (known) {
      found.set(key, { ...known, updates: [...(known.updates ?? []), { count, message }] });
      continue;
    }
    const about = event.involvedObject;
    found.set(key, { type: event.type ?? "", reason: event.reason ?? "", regarding: { kind: about?.kind ?? "", name: about?.name ?? "" }, message, from: event.source?.component ?? event.reportingComponent ?? "", count });
  }
  return [...found.values()];
}

function sequencesOf(seen: readonly Seen[], before: readonly KubeObject[]): Record<string, readonly unknown[]> {
  const found: Record<string, readonly unknown[]> = {};
  const known = new Map(before.map((object) => [`${object.kind}/${object.metadata.name ?? ""}`, stateOf(object)]));
  for (const { type, object } of seen) {
    const state = type === "DELETED" ? "gone" : stateOf(object);
    if (stateOf(object) === undefined) continue;
    const key = `${object.kind}/${object.metadata.name ?? ""}`;
    if (JSON.stringify(known.get(key)) !== JSON.stringify(state)) found[key] = [...(found[key] ?? []), state];
    known.set(key, state);
  }
  return found;
}

const IN_FINAL = new Set(["Pod", "Service", "PersistentVolumeClaim", "PersistentVolume", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ControllerRevision", "Job", "CronJob", "HorizontalPodAutoscaler", "PodDisruptionBudget", "EndpointSlice"]);

function finalOf(seen: readonly Seen[], scenario: Scenario): readonly KubeObject[] {
  const last = new Map<string, KubeObject>();
  const ips = new Map<string, string>();
  for (const object of objectsBefore(scenario)) if (IN_FINAL.has(object.kind)) last.set(`${object.kind}/${object.metadata.name ?? ""}`, object);
  for (const { type, object } of seen) {
    if (!IN_FINAL.has(object.kind)) continue;
    const key = `${object.kind}/${object.metadata.name ?? ""}`;
    if (type === "DELETED") last.delete(key);
    else last.set(key, object);
    const ip = object.kind === "Pod" ? (object as Pod).status?.podIP : undefined;
    if (ip) ips.set(ip, object.metadata.name ?? "");
  }
  return [...last.values()].map((object) => trimmed(object, ips));
}

function answersOf(sim: Simulation, scenario: Scenario): readonly Answer[] {
  const typed = commandsOf(sim.trace);
  const { answers } = sim.stateAt(DRIVER, sim.now) as DriverState;
  let commands = 0;
  return scenario.steps.flatMap((step, index): Answer[] => {
    if (step.do.kubectl) {
      const run = typed[commands++];
      return [{ atSeconds: step.atSeconds, exit: run?.exitCode ?? -1, stdout: run?.stdout.trim() ?? "", stderr: run?.stderr.trim() ?? "" }];
    }
    const answer = answers.find((entry) => entry.step === index);
    if (step.do.create) {
      if (answer && answer.status >= 300) throw new Error(`${step.do.create.kind} could not be created: ${JSON.stringify(answer.body)}`);
      return [];
    }
    return [{ atSeconds: step.atSeconds, httpStatus: answer?.status ?? 0, body: answer?.body }];
  });
}

/** What a run showed, with placeholders for what is random. */
export function observe(sim: Simulation, scenario: Scenario): Observed {
  const seen = watched(sim);
  const names = new Names(seen.filter((entry) => entry.type === "ADDED").map((entry) => entry.object));
  const observed: Observed = { events: eventsOf(seen), sequences: sequencesOf(seen, objectsBefore(scenario)), answers: answersOf(sim, scenario), final: finalOf(seen, scenario) };
  return JSON.parse(names.hide(JSON.stringify(observed))) as Observed;
}
