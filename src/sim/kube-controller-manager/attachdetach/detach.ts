// Models kubernetes/pkg/volume/util/operationexecutor/operation_generator.go (GenerateDetachVolumeFunc) and statusupdater/node_status_updater.go
import type { Node } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Micros } from "../../kernel/types.ts";
import { type Answer, bodyOf, isSuccess, messageOf } from "../controller.ts";
import { pathOf } from "../resources.ts";
import { backoffOf } from "./operations.ts";
import { begin, failed, gone, nameOf, nextRound, note, type P, remember, type V, type Work } from "./transitions.ts";
import { isOutOfService, isReady, nodeOf, type Target, volumesToReport } from "./state.ts";

/** How long the volume on a node that does not unmount it is left alone. */
const MAX_WAIT_FOR_UNMOUNT: Micros = 360_000_000;

/** No Pod needs the volume there. It goes when the node has unmounted it, or cannot be waited for. */
export function detach(target: Target, view: V): P {
  const { remembered, node: name } = target;
  const wait = backoffOf(remembered, "detach", view.now);
  if (wait > 0) return { enqueue: [{ key: target.key, after: wait + nextRound(view.now + wait) }] };
  const node = nodeOf(name, view);
  const requested = remembered.detachRequested || view.now;
  const overdue = view.now - requested > MAX_WAIT_FOR_UNMOUNT;
  const force = overdue && !isReady(node);
  const outOfService = isOutOfService(node);
  if ((view.memory.inUse.get(name) ?? []).includes(target.uniqueName) && !force && !outOfService) {
    const left = requested + MAX_WAIT_FOR_UNMOUNT + 1 - view.now;
    const enqueue = overdue ? [] : [{ key: target.key, after: left + nextRound(view.now + left) }];
    if (remembered.detachRequested > 0) return { enqueue };
    return {
      memory: remember(view, target, { ...remembered, detachRequested: requested }),
      enqueue,
      notes: [note(target, `attachdetach-controller waits for ${name} to unmount ${nameOf(target)}`, "node.status.volumesInUse still lists it: detached now, data could be lost; a node that is not Ready gets 6 minutes")],
    };
  }
  const report = reportCall(name, view, nameOf(target));
  // By force, or from a node declared out of service, nobody asks whether it is still in use.
  const verify: ApiCall[] = overdue || outOfService ? [] : [{ method: "GET", path: pathOf("Node", undefined, name), subject: `node/${name}` }];
  const memory = remember(view, target, { ...remembered, detachRequested: requested, operation: { kind: "detach", since: view.now, looks: 0, at: 0 } });
  const why = force ? "The node is not Ready and has not unmounted it for 6 minutes" : outOfService ? "The node is out of service: whoever put that taint there vouches for it" : "No Pod needs it there, and the node has unmounted it";
  const notes = [note(target, `attachdetach-controller detaches volume ${nameOf(target)} from ${name}${force || outOfService ? " by force" : ""}`, why)];
  const batches = [...(report === undefined ? [] : [[report]]), ...verify.map((call) => [call])];
  if (batches.length === 0) return { memory, notes, ...remove(target) };
  return { memory, notes, batches, next: report === undefined ? "verify" : "report first" };
}

const remove = (target: Target): P => ({ batches: [[{ method: "DELETE", path: pathOf("VolumeAttachment", undefined, target.attachmentName), subject: `volumeattachment/${target.attachmentName}`, level: "basic" }]], next: "deleted" });

export function detachAnswered(target: Target, work: Exclude<Work, "created">, answers: readonly Answer[], view: V): P {
  const last = answers.at(-1);
  if (work === "deleted") {
    if (last?.status === 404) return gone(target, view);
    if (last !== undefined && isSuccess(last)) return begin(target, "detach", view);
    return failed(target, "detach", `kubernetes.io/csi: detacher.Detach failed to delete VolumeAttachment [${target.attachmentName}]: ${last === undefined ? "" : messageOf(last)}`, view);
  }
  const [told, ...rest] = work === "report first" ? answers : [undefined, ...answers];
  // The node could not be told: nothing is detached that its kubelet takes for attached.
  if (told !== undefined && !isSuccess(told) && told.status !== 404) {
    const { operation: _over, ...state } = target.remembered;
    return { memory: remember(view, target, state), enqueue: [{ key: target.key, after: nextRound(view.now) }] };
  }
  const read = rest[0];
  if (read?.sent && !isSuccess(read) && read.status !== 404) return failed(target, "detach", messageOf(read), view);
  const node = bodyOf(read) as Node | undefined;
  if (node?.status?.volumesInUse?.includes(target.uniqueName)) return failed(target, "detach", "volume is still in use by node, according to Node status", view);
  return remove(target);
}

/** The write to node.status.volumesAttached; undefined if it is right already. */
export function reportCall(name: string, view: V, except = ""): ApiCall | undefined {
  const node = nodeOf(name, view);
  if (!node) return undefined;
  const wanted = volumesToReport(name, view, except);
  const now = node.status?.volumesAttached ?? [];
  if (wanted.length === now.length && wanted.every((volume) => now.some((other) => other.name === volume.name))) return undefined;
  return { method: "PATCH", path: `${pathOf("Node", undefined, name)}/status`, contentType: "application/strategic-merge-patch+json", body: { status: { volumesAttached: wanted.length === 0 ? null : wanted } }, subject: `node/${name}` };
}
