import { retryDelay } from "../../sim/client-go/workqueue.ts";
import type { ControllerState } from "../../sim/kube-controller-manager/controller-types.ts";
import { podBackoff } from "../../sim/kube-controller-manager/job/backoff.ts";
import type { JobMemory } from "../../sim/kube-controller-manager/job/work.ts";
import type { AddMessage } from "../../sim/kube-controller-manager/sync-state.ts";
import type { ManagerState } from "../../sim/kube-controller-manager/controller-manager.ts";
import type { WaitView } from "../protocol-waits.ts";
import { type Asked, rungOf, rungs, running, stopped } from "./asked.ts";

/** Keys that a controller's queue adds later: after a failure by a doubling wait, else because a sync asked for it. */
function delayed(component: string, { delayed: keys, queue, retry }: ControllerState, asked: Asked): WaitView[] {
  return keys.sorted().sort((a, b) => a[1] - b[1]).flatMap(([key, due]): WaitView[] => {
    if (due <= asked.at) return [];
    const failures = queue.failures.get(key) ?? 0;
    const set = asked.timers.next<AddMessage>(component, "controller.add", (message) => message.key === key);
    const ladder = failures === 0 ? [] : rungs((n) => retryDelay(n, retry));
    return [{
      id: `work-queue/${component}/${key}/${due}`, kind: "work-queue", about: component, name: component.replace(/@.*/, ""), part: `key ${key}`, component, ...(set === undefined ? {} : { since: set.setAt }), until: due, ladder, // Of several times the earliest counts: the wait in force may be that of an earlier failure.
      ...(set === undefined ? {} : rungOf(ladder, due - set.setAt)),
      facts: [["Because", failures === 0 ? "its last sync asked to look again then" : `${failures} ${failures === 1 ? "sync" : "syncs"} in a row failed`]], weight: 0,
    }];
  });
}

function jobs(component: string, { memory, delayed: keys }: ControllerState<unknown, JobMemory>, asked: Asked): WaitView[] {
  return memory.backoff.sorted().flatMap(([key, { failures, lastFailure }]): WaitView[] => {
    const wait = podBackoff(failures);
    const until = lastFailure + wait;
    const due = keys.get(key);
    // Its Pods may all be there again: then nothing waits for the end of it.
    if (until <= asked.at || due === undefined) return [];
    const ladder = rungs((n) => podBackoff(n + 1));
    return [{ id: `job-backoff/${key}/${lastFailure}`, kind: "job-backoff", about: `/registry/jobs/${key}`, name: key, part: "its next Pod", component, since: lastFailure, until, ladder, ...rungOf(ladder, wait), effect: { at: due, what: "the Job is synced and its next Pod made" }, facts: [["Pods failed since the last success", String(failures)]], weight: 30 }];
  });
}

/** Jobs whose next Pod is put off because Pods of theirs failed. */
export const jobWaits = (asked: Asked): WaitView[] => running<ControllerState<unknown, JobMemory>>("job-controller", asked).flatMap(([component, state]) => jobs(component, state, asked));

/** Keys that the queues of all controllers have put off. */
export const queueWaits = (asked: Asked): WaitView[] =>
  running<ManagerState>("kube-controller-manager", asked).flatMap(([, manager]) =>
    manager.controllers.flatMap((id) => {
      const controller = stopped(id, asked) === undefined ? (asked.state(id) as ControllerState | undefined) : undefined;
      return controller?.queue === undefined ? [] : delayed(id, controller, asked);
    }),
  );
