// Models kubernetes/pkg/controller/volume/attachdetach/reconciler/reconciler.go and pkg/volume/util/operationexecutor/operation_generator.go (GenerateAttachVolumeFunc)
import { allowsMultiAttach, type CSIDriver } from "../../api/storage.ts";
import type { Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import { type Answer, isSuccess, messageOf } from "../controller.ts";
import { collectionPath } from "../resources.ts";
import { detach, detachAnswered, reportCall } from "./detach.ts";
import { backoffOf, lookAt, waitOn } from "./operations.ts";
import { nodesOf, type Operation, podsUsing, stateOf, type Target, targetOf } from "./state.ts";
import { added, again, begin, failed, gone, jitterOf, nameOf, nextRound, note, others, type P, remember, tell, type V, without, type Work } from "./transitions.ts";

/** One volume on one node: attaches, waits, reports or detaches. "report:NODE" writes the node's status. */
export function reconcile(key: string, view: V): P {
  if (key.startsWith("report:")) {
    const call = reportCall(key.slice(7), view);
    return call ? { batches: [[call]] } : {};
  }
  const target = targetOf(key, view);
  if (!target) return view.memory.attachments.has(key) ? { memory: { ...view.memory, attachments: view.memory.attachments.delete(key) } } : {};
  const { operation } = target.remembered;
  if (operation !== undefined) return look(target, operation, view);
  const users = podsUsing(target.volume, view);
  const here = users.filter((pod) => pod.spec.nodeName === target.node);
  if (here.length === 0) return target.remembered.state === "none" ? forget(target, view) : unlessBusy(target, view, () => detach(target, view));
  if (view.get<CSIDriver>("csidrivers", target.driver)?.spec.attachRequired === false) return {};
  if (target.remembered.state === "attached") return target.remembered.detachRequested === 0 ? {} : { memory: remember(view, target, { ...target.remembered, detachRequested: 0 }) };
  return unlessBusy(target, view, () => attach(target, here, users, view));
}

const forget = (target: Target, view: V): P => (view.memory.attachments.has(target.key) ? { memory: { ...view.memory, attachments: view.memory.attachments.delete(target.key) } } : {});

/** A volume for one node at a time has one operation at a time. The end of the other one wakes this. */
function unlessBusy(target: Target, view: V, act: () => P): P {
  if (allowsMultiAttach(target.volume)) return act();
  const busy = nodesOf(nameOf(target), view).some((node) => node !== target.node && stateOf(node, target.volume, view).operation !== undefined);
  return busy ? {} : act();
}

function attach(target: Target, here: readonly Pod[], users: readonly Pod[], view: V): P {
  const elsewhere = nodesOf(nameOf(target), view).filter((node) => node !== target.node && stateOf(node, target.volume, view).state === "attached");
  if (elsewhere.length > 0 && !allowsMultiAttach(target.volume)) return multiAttach(target, here, users.filter((pod) => elsewhere.includes(pod.spec.nodeName ?? "")), elsewhere, view);
  const wait = backoffOf(target.remembered, "attach", view.now);
  if (wait > 0) return { enqueue: again(target.key, wait + nextRound(view.now + wait)) };
  const notes = target.remembered.failed === undefined ? [note(target, `attachdetach-controller wants volume ${nameOf(target)} attached to ${target.node}`, "A Pod there needs it; a VolumeAttachment asks the driver's attacher for it")] : [];
  if (target.attachment !== undefined) return { ...begin(target, "attach", view), notes };
  const body = { apiVersion: "storage.k8s.io/v1", kind: "VolumeAttachment", metadata: { name: target.attachmentName }, spec: { attacher: target.driver, nodeName: target.node, source: { persistentVolumeName: nameOf(target) } } };
  const call: ApiCall = { method: "POST", path: collectionPath("VolumeAttachment"), body, subject: `volumeattachment/${target.attachmentName}`, level: "basic" };
  return { batches: [[call]], memory: remember(view, target, { ...target.remembered, operation: { kind: "attach", since: view.now, looks: 0, at: 0 } }), notes, next: "created" };
}

/** Told once: the volume is attached elsewhere and may only be attached to one node. */
function multiAttach(target: Target, here: readonly Pod[], elsewhere: readonly Pod[], nodes: readonly string[], view: V): P {
  if (target.remembered.multiAttachReported) return {};
  const text = (pod: Pod): string => {
    if (elsewhere.length === 0) return "Volume is already exclusively attached to one node and can't be attached to another";
    const local = elsewhere.filter((other) => other.metadata.namespace === pod.metadata.namespace).map((other) => other.metadata.name ?? "");
    const foreign = elsewhere.length - local.length;
    if (local.length === 0) return `Volume is already used by ${foreign} pod(s) in different namespaces`;
    return `Volume is already used by pod(s) ${local.join(", ")}${foreign > 0 ? ` and ${foreign} pod(s) in different namespaces` : ""}`;
  };
  return {
    memory: remember(view, target, { ...target.remembered, multiAttachReported: true }),
    events: tell(here, "Warning", "FailedAttachVolume", (pod) => `Multi-Attach error for volume "${nameOf(target)}" ${text(pod)}`),
    notes: [note(target, `attachdetach-controller cannot attach ${nameOf(target)} to ${target.node}: it is attached to ${nodes.join(", ")}`, "Its access mode allows one node at a time; it must be detached there first")],
  };
}

function look(target: Target, operation: Operation, view: V): P {
  if (operation.at === 0) return {};
  if (view.now < operation.at) return { enqueue: again(target.key, operation.at - view.now) };
  const seen = lookAt(operation, target.attachment, target.driver, target.handle, view.now);
  if (seen === "waiting") {
    const next = waitOn(operation, view.now, jitterOf(target, view));
    return { memory: remember(view, target, { ...target.remembered, operation: next }), enqueue: again(target.key, next.at - view.now) };
  }
  if (seen !== "done") return failed(target, operation.kind, seen.error, view);
  if (operation.kind === "detach") return gone(target, view);
  const here = podsUsing(target.volume, view).filter((pod) => pod.spec.nodeName === target.node);
  return {
    memory: added(view, target, { ...without(target.remembered, "operation", "failed"), state: "attached", detachRequested: 0 }),
    events: tell(here, "Normal", "SuccessfulAttachVolume", () => `AttachVolume.Attach succeeded for volume "${nameOf(target)}" `),
    notes: [note(target, `Volume ${nameOf(target)} is attached to ${target.node}`, "The kubelet there learns it from node.status.volumesAttached")],
    enqueue: [{ key: `report:${target.node}`, after: nextRound(view.now) }, ...again(target.key, nextRound(view.now)), ...others(target, view)],
  };
}

export function resume(key: string, work: Work, answers: readonly Answer[], view: V): P {
  const target = targetOf(key, view);
  if (!target) return {};
  const [answer] = answers;
  if (work !== "created") return detachAnswered(target, work, answers, view);
  if (answer === undefined || (!isSuccess(answer) && answer.status !== 409)) return failed(target, "attach", `kubernetes.io/csi: attacher.Attach failed: ${answer === undefined ? "" : messageOf(answer)}`, view);
  return begin(target, "attach", view);
}
