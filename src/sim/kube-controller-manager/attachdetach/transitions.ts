// Models kubernetes/pkg/controller/volume/attachdetach/cache/actual_state_of_world.go: how an operation begins and ends
import type { Pod } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import type { Enqueue, Plan } from "../controller.ts";
import { beginWait, failedAgain } from "./operations.ts";
import { type AttachDetachMemory, type Attachment, nodesOf, type Operation, podsUsing, type Target } from "./state.ts";

export type V = View<AttachDetachMemory>;
/** What a sync goes on with: the VolumeAttachment was made, the node was told and read, the VolumeAttachment was deleted. */
export type Work = "created" | "verify" | "report first" | "deleted";
export type P = Plan<Work, AttachDetachMemory>;

const LOOP: Micros = 100_000;
const PHASE: Micros = 37_000;

/** How long until the reconciler's next round. It runs each 100 ms; here only rounds with something to do are run. */
export const nextRound = (now: Micros): Micros => LOOP - ((now + LOOP - PHASE) % LOOP);

export const nameOf = (target: Target): string => target.volume.metadata.name ?? "";
export const note = (target: Target, text: string, why: string): Note => ({ text: text.slice(0, 138), why, level: "basic", subject: `persistentvolume/${nameOf(target)}`, status: "idle" });
export const again = (key: string, after: Micros): readonly Enqueue[] => [{ key, after }];
export const jitterOf = (target: Target, view: V): number => view.rand(`look/${target.key}`, view.now);
export const tell = (pods: readonly Pod[], type: EventToRecord["type"], reason: string, message: (pod: Pod) => string): EventToRecord[] => pods.map((pod) => ({ object: pod, type, reason, message: message(pod) }));

export const remember = (view: V, target: Target, state: Attachment): AttachDetachMemory => ({ ...view.memory, attachments: view.memory.attachments.set(target.key, state) });

/** AddVolumeNode: a volume that comes to the actual state counts as mounted until the node's next status. */
export function added(view: V, target: Target, state: Attachment): AttachDetachMemory {
  const memory = remember(view, target, state);
  const mounted = memory.inUse.get(target.node) ?? [];
  return target.remembered.state !== "none" || mounted.includes(target.uniqueName) ? memory : { ...memory, inUse: memory.inUse.set(target.node, [...mounted, target.uniqueName]) };
}

export const without = (state: Attachment, ...fields: readonly (keyof Attachment)[]): Attachment => Object.fromEntries(Object.entries(state).filter(([field]) => !fields.includes(field as keyof Attachment))) as unknown as Attachment;

/** Other nodes may have waited for the end of an operation on the volume. */
export const others = (target: Target, view: V): readonly Enqueue[] => nodesOf(nameOf(target), view).map((node) => ({ key: `${node}/${nameOf(target)}`, after: nextRound(view.now) }));

/** The requests are through: from now on the cache is looked at. */
export function begin(target: Target, kind: Operation["kind"], view: V): P {
  const operation = beginWait(kind, view.now, jitterOf(target, view));
  return { memory: remember(view, target, { ...target.remembered, operation }), enqueue: again(target.key, operation.at - view.now) };
}

/** MarkVolumeAsDetached */
export const gone = (target: Target, view: V): P => ({
  memory: { ...view.memory, attachments: view.memory.attachments.delete(target.key) },
  notes: [note(target, `Volume ${nameOf(target)} is detached from ${target.node}`, "Its VolumeAttachment is gone: it can be attached elsewhere")],
  enqueue: [...again(target.key, nextRound(view.now)), ...others(target, view)],
});

/** The volume may be attached or not: only an attachment that succeeds puts it back into the node's status. */
export function failed(target: Target, kind: Operation["kind"], error: string, view: V): P {
  const here = kind === "attach" ? podsUsing(target.volume, view).filter((pod) => pod.spec.nodeName === target.node) : [];
  const failure = failedAgain(target.remembered.failed, kind, view.now);
  return {
    memory: added(view, target, { ...without(target.remembered, "operation"), state: "uncertain", failed: failure }),
    events: tell(here, "Warning", "FailedAttachVolume", () => `AttachVolume.Attach failed for volume "${nameOf(target)}" : ${error}`),
    notes: [note(target, `Volume ${nameOf(target)} could not be ${kind}ed ${kind === "attach" ? "to" : "from"} ${target.node}`, `${error}; tried again after ${failure.wait / 1_000_000} s`)],
    enqueue: [...again(target.key, failure.wait + nextRound(view.now + failure.wait)), ...others(target, view).filter(({ key }) => key !== target.key)],
  };
}

