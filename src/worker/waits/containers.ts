import type { Container, ContainerStatus } from "../../sim/api/types.ts";
import { type Backoff, isInBackoffSince, isInBackoffSinceUpdate, nextBackoff, RESET_AFTER } from "../../sim/kubelet/backoff.ts";
import { wallClock } from "../../sim/kubelet/clock.ts";
import { pullKey } from "../../sim/kubelet/image-manager.ts";
import { containerShouldRestart } from "../../sim/kubelet/restart-rules.ts";
import { backoffKey } from "../../sim/kubelet/start-container.ts";
import type { KubeletState, Worker } from "../../sim/kubelet/state.ts";
import type { Micros } from "../../sim/kernel/types.ts";
import type { WaitView } from "../protocol-waits.ts";
import { type Asked, podKey, rungOf, rungs, running, seconds } from "./asked.ts";

/** The values of a back-off, as its own doubling gives them. */
function ladderOf(backoff: Backoff): readonly Micros[] {
  let grown: Backoff = { ...backoff, entries: {} };
  return rungs(() => {
    grown = nextBackoff(grown, "", 0, 0);
    return grown.entries[""]?.value ?? 0;
  });
}

const containersOf = ({ pod }: Worker): readonly Container[] => [...(pod.spec.initContainers ?? []), ...pod.spec.containers];

function statusOf(state: KubeletState, { uid, pod }: Worker, name: string): ContainerStatus | undefined {
  const status = state.statuses.get(uid)?.status ?? pod.status;
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].find((one) => one.name === name);
}

/** Whether the container is to be started again after this exit: an init container that succeeded is not, though its Pod may restart. */
function startsAgain({ pod }: Worker, container: Container, exitCode: number): boolean {
  const once = container.restartPolicy === undefined && pod.spec.initContainers?.some(({ name }) => name === container.name) === true;
  return once && exitCode === 0 ? false : containerShouldRestart(container, pod.spec, exitCode);
}

/** When the Pod's worker looks again. It sleeps up to half as long again as it was told, and a long back-off in portions of a minute. */
function wakes({ requeueTimer, working }: Worker, until: Micros, { timers }: Asked): Pick<WaitView, "effect"> {
  const due = timers.get(requeueTimer)?.dueAt;
  if (due === undefined) return {};
  if (working) return {};
  return { effect: { at: due, what: due < until ? "the Pod worker wakes before that, finds the back-off still in force and sleeps again" : "the Pod worker wakes and starts the container" } };
}

function crashLoops(component: string, state: KubeletState, worker: Worker, asked: Asked): WaitView[] {
  const { crashLoop, clock } = state;
  const runtime = state.cache.get(worker.uid)?.pod;
  const wall = (t: Micros): Micros => wallClock(clock, t);
  return containersOf(worker).flatMap((container): WaitView[] => {
    // The newest attempt is the first in the list.
    const last = runtime?.containers.find((one) => one.name === container.name);
    const key = backoffKey(worker.pod, container);
    const entry = crashLoop.entries[key];
    if (last?.state !== "exited" || entry === undefined || !startsAgain(worker, container, last.exitCode)) return [];
    const since = last.finishedAt;
    if (!isInBackoffSince(crashLoop, key, wall(since), wall(asked.at))) return [];
    const until = asked.at + entry.value - (wall(asked.at) - wall(since));
    const ladder = ladderOf(crashLoop);
    return [{
      id: `crash-loop/${worker.uid}/${container.name}/${last.id}`, kind: "crash-loop", about: podKey(worker.key), name: worker.key, part: `container ${container.name}`, component, since, until, ladder, ...rungOf(ladder, entry.value), ...wakes(worker, until, asked),
      facts: [["Exit", `code ${last.exitCode}, attempt ${last.attempt + 1}`], ["Forgotten", `when ${seconds(RESET_AFTER)} lie between a start and the next exit`]], weight: 80,
    }];
  });
}

const PULL_FAILED: ReadonlySet<string> = new Set(["ErrImagePull", "ImagePullBackOff"]);

function imagePulls(component: string, state: KubeletState, worker: Worker, asked: Asked): WaitView[] {
  const { backoff, errors } = state.pullMemory;
  const waiting = containersOf(worker).filter((container) => PULL_FAILED.has(statusOf(state, worker, container.name)?.state?.waiting?.reason ?? ""));
  const images = [...new Set(waiting.map(({ image = "" }) => image))];
  return images.flatMap((image): WaitView[] => {
    const key = pullKey(worker.uid, image);
    const entry = backoff.entries[key];
    if (entry === undefined || !isInBackoffSinceUpdate(backoff, key, asked.at)) return [];
    const ladder = ladderOf(backoff);
    const until = entry.lastUpdate + entry.value;
    const due = asked.timers.get(worker.requeueTimer)?.dueAt;
    return [{
      id: `image-pull/${key}/${entry.lastUpdate}`, kind: "image-pull", about: podKey(worker.key), name: worker.key, part: `image ${image}`, component, since: entry.lastUpdate, until, ladder, ...rungOf(ladder, entry.value),
      ...(due === undefined || worker.working ? {} : { effect: { at: due, what: due < until ? "the Pod worker wakes, says ImagePullBackOff and sleeps again" : "the Pod worker wakes and pulls again" } }),
      facts: [["Container", waiting.filter((one) => (one.image ?? "") === image).map((one) => one.name).join(", ")], ["Last error", errors[key] ?? ""]], weight: 75,
    }];
  });
}

/** A worker that sleeps although a container of its Pod ought to be started is what the Pod waits for once no back-off is in force. */
function sleeping(component: string, state: KubeletState, worker: Worker, asked: Asked): WaitView[] {
  const timer = worker.working ? undefined : asked.timers.get(worker.requeueTimer);
  if (timer === undefined) return [];
  const runtime = state.cache.get(worker.uid)?.pod;
  const ended = containersOf(worker).filter((container) => {
    const last = runtime?.containers.find((one) => one.name === container.name);
    return last?.state === "exited" && startsAgain(worker, container, last.exitCode);
  });
  const unpulled = containersOf(worker).filter((container) => PULL_FAILED.has(statusOf(state, worker, container.name)?.state?.waiting?.reason ?? ""));
  const idle = [...ended, ...unpulled].map(({ name }) => name);
  return [{ id: `pod-worker/${worker.uid}/${timer.dueAt}`, kind: "pod-worker", about: podKey(worker.key), name: worker.key, part: "its worker", component, since: timer.setAt, until: timer.dueAt, ladder: [], facts: [["Containers to start", [...new Set(idle)].join(", ")]], weight: idle.length > 0 ? 55 : 0 }];
}

/** Containers that a kubelet may not start yet: they ended too often, or their image could not be had. */
export const containerWaits = (asked: Asked): WaitView[] =>
  running<KubeletState>("kubelet", asked).flatMap(([component, state]) =>
    state.workers.sortedValues().flatMap((worker) => (worker.phase === "syncing" ? [...crashLoops(component, state, worker, asked), ...imagePulls(component, state, worker, asked), ...sleeping(component, state, worker, asked)] : [])),
  );
