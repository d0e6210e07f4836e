import type { Pod } from "../../sim/api/types.ts";
import { parseRfc3339 } from "../../sim/api/time.ts";
import type { ContainerdState } from "../../sim/cri/state.ts";
import type { ApiServerState } from "../../sim/kube-apiserver/state.ts";
import { listObjects } from "../../sim/kube-apiserver/watch-cache/lookup.ts";
import type { Kill, KubeletState, Worker } from "../../sim/kubelet/state.ts";
import type { WaitView } from "../protocol-waits.ts";
import { type Asked, nodeOf, podKey, running, stopped } from "./asked.ts";
import type { SetTimer } from "./timers.ts";

const STEPS: Readonly<Record<Kill["step"], string>> = { begin: "is about to begin", preStop: "its preStop hook runs", turn: "waits for the containers that it serves", stop: "the runtime has sent the stop signal" };

/** The clock of a container on its way out: the runtime's once the stop signal is sent, the kubelet's before. */
function clockOf(component: string, kill: Kill, asked: Asked): SetTimer | undefined {
  if (kill.step !== "stop") return asked.timers.get(kill.timer);
  const runtime = `containerd@${nodeOf(component)}`;
  if (stopped(runtime, asked) !== undefined) return undefined;
  const operation = (asked.state(runtime) as ContainerdState | undefined)?.operations.find(({ cri }) => cri.call === "StopContainer" && cri.containerId === kill.id);
  return operation && asked.timers.get(operation.timer);
}

function killWait(component: string, worker: Worker, kill: Kill, asked: Asked): WaitView[] {
  if (kill.step === "begin") return [];
  const clock = clockOf(component, kill, asked);
  return [{
    id: `grace/${worker.uid}/${kill.id}/${kill.step}`, kind: "grace", about: podKey(worker.key), name: worker.key, part: `container ${kill.name}`, component, since: clock?.setAt ?? kill.since,
    ...(clock === undefined ? { openBecause: kill.step === "stop" ? "its time is up or the runtime does not answer: SIGKILL is on its way or lost" : "no timer is set for this step" } : { until: clock.dueAt }),
    ladder: [], weight: 90,
    facts: [["Step", STEPS[kill.step]], ["Grace period", `${kill.grace} s in all`], ["At its end", kill.step === "stop" ? "SIGKILL" : kill.step === "preStop" ? "the hook counts as failed and the stop signal is sent" : "the stop signal is sent all the same"], ["Why", kill.reason]],
  }];
}

/** A Pod that was deleted while its kubelet is away: only that kubelet could end it. */
function orphans(asked: Asked): WaitView[] {
  const gone = new Set(asked.components.filter((id) => id.startsWith("kubelet@") && stopped(id, asked) !== undefined).map(nodeOf));
  const server = asked.state("kube-apiserver") as ApiServerState | undefined;
  if (gone.size === 0 || server === undefined) return [];
  return (listObjects(server, "pods") as readonly Pod[]).flatMap(({ metadata, spec }): WaitView[] => {
    if (metadata.deletionTimestamp === undefined || !gone.has(spec.nodeName ?? "")) return [];
    const name = `${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
    return [{
      id: `grace/${metadata.uid ?? ""}/orphan`, kind: "grace", about: podKey(name), name, part: "the Pod", component: `kubelet@${spec.nodeName ?? ""}`,
      since: parseRfc3339(metadata.deletionTimestamp) - (metadata.deletionGracePeriodSeconds ?? 0) * 1_000_000,
      openBecause: "the kubelet of its node does not run, and nobody else removes the Pod from the store", ladder: [], weight: 65, facts: [["Grace period", `${metadata.deletionGracePeriodSeconds ?? 0} s, which no process counts`]],
    }];
  });
}

/** Containers that were told to end and may still take their time. */
export const endingWaits = (asked: Asked): WaitView[] => [
  ...running<KubeletState>("kubelet", asked).flatMap(([component, state]) => state.workers.sortedValues().flatMap((worker) => Object.values(worker.kills).flatMap((kill) => killWait(component, worker, kill, asked)))),
  ...orphans(asked),
];
