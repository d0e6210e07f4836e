import type { AttachDetachMemory } from "../../sim/kube-controller-manager/attachdetach/state.ts";
import { backoffOf, failedAgain } from "../../sim/kube-controller-manager/attachdetach/operations.ts";
import type { ControllerState } from "../../sim/kube-controller-manager/controller-types.ts";
import type { Device, KubeletState, Worker } from "../../sim/kubelet/state.ts";
import type { VolumeTimer } from "../../sim/kubelet/volume-manager.ts";
import { operationBackoff } from "../../sim/kubelet/volume-state.ts";
import type { Micros } from "../../sim/kernel/types.ts";
import type { WaitView } from "../protocol-waits.ts";
import { type Asked, nodeKey, podKey, rungOf, rungs, running } from "./asked.ts";

const LADDER = (): readonly Micros[] => rungs(operationBackoff);

function mounts(component: string, worker: Worker, asked: Asked): WaitView[] {
  return Object.entries(worker.volumes).flatMap(([name, { state, failures, error }]): WaitView[] => {
    const timer = state === "failed" ? asked.timers.next<VolumeTimer>(component, "kubelet.volume", (message) => message.uid === worker.uid && message.volume === name && message.what === "mount") : undefined;
    if (timer === undefined) return [];
    const ladder = LADDER();
    return [{ id: `volume/${worker.uid}/${name}/${failures}`, kind: "volume", about: podKey(worker.key), name: worker.key, part: `volume ${name}`, component, since: timer.setAt, until: timer.dueAt, ladder, ...rungOf(ladder, operationBackoff(failures - 1)), facts: [["Failures in a row", String(failures)], ["Error", error]], weight: 60 }];
  });
}

function devices(component: string, { devices: all }: KubeletState, asked: Asked): WaitView[] {
  return all.sortedValues().flatMap((device: Device): WaitView[] => {
    if (device.retryAt <= asked.at) return [];
    const ladder = LADDER();
    const wait = operationBackoff(device.failures - 1);
    const name = device.subject.replace(/^pod\//, "");
    return [{ id: `volume/${device.name}/${device.failures}`, kind: "volume", about: podKey(name), name, part: `disk ${device.volume}`, component, since: device.retryAt - wait, until: device.retryAt, ladder, ...rungOf(ladder, wait), facts: [["Failures in a row", String(device.failures)], ["State", device.state]], weight: 60 }];
  });
}

function attachments(component: string, { memory }: ControllerState<unknown, AttachDetachMemory>, asked: Asked): WaitView[] {
  return memory.attachments.sorted().flatMap(([key, attachment]): WaitView[] => {
    const { failed } = attachment;
    if (failed === undefined || backoffOf(attachment, failed.kind, asked.at) === 0) return [];
    let grown: ReturnType<typeof failedAgain> | undefined;
    const ladder = rungs(() => (grown = failedAgain(grown, failed.kind, 0)).wait);
    const [node = "", volume = ""] = key.split("/");
    return [{ id: `attach/${key}/${failed.at}`, kind: "attach", about: nodeKey(node), name: node, part: `${failed.kind} of ${volume}`, component, since: failed.at, until: failed.at + failed.wait, ladder, ...rungOf(ladder, failed.wait), facts: [], weight: 20 }];
  });
}

/** Volume operations that failed and are not tried again yet, on nodes and in the attach-detach controller. */
export const volumeWaits = (asked: Asked): WaitView[] => [
  ...running<KubeletState>("kubelet", asked).flatMap(([component, state]) => [...state.workers.sortedValues().flatMap((worker) => mounts(component, worker, asked)), ...devices(component, state, asked)]),
  ...running<ControllerState<unknown, AttachDetachMemory>>("attachdetach-controller", asked).flatMap(([component, state]) => attachments(component, state, asked)),
];
