import type { Evidence } from "./evidence.ts";

/** Where a figure comes from: measured on real machines, an upstream default, or chosen so that the sums fit. */
export type FigureKind = "measured" | "default" | "assumption";

/** A moment of a Pod's start that the millisecond timeline has a row for, found in the run by what it is. */
export interface Milestone {
  readonly id: string;
  readonly what: string;
  readonly find: Evidence;
  /** The moment is the sending of the message, not its arrival. */
  readonly sending?: boolean;
  readonly kind: FigureKind;
  readonly source: string;
  /** Milliseconds since the API server received the POST, over 20 real runs with a cached image. */
  readonly measured?: { readonly min: number; readonly median: number; readonly max: number };
}

const LAB = "20 runs of v1.36.2 with containerd 2.3.4 on one machine, image cached";

const measured = (id: string, what: string, find: Evidence, min: number, median: number, max: number, sending = false): Milestone => ({ id, what, find, sending, kind: "measured", source: LAB, measured: { min, median, max } });

/** In the order of a warm start. Rows that a run does not reach are left out. */
export const MILESTONES: readonly Milestone[] = [
  measured("get", "kubectl asks whether the object exists", { hop: { from: "kubectl", to: "kube-apiserver", verb: "GET", subject: "pod/" } }, -5.99, -3.94, -2.83),
  measured("post", "The API server receives the POST", { hop: { from: "kubectl", to: "kube-apiserver", verb: "POST", subject: "pod" } }, 0, 0, 0),
  measured("created", "Stored by a quorum; the answer is 201", { hop: { from: "kube-apiserver", to: "kubectl", status: 201 } }, 2.17, 3.58, 5.2, true),
  measured("seen", "The scheduler sees a Pod without a node", { hop: { from: "kube-apiserver", to: "kube-scheduler", protocol: "watch", subject: "pod/" } }, 2.78, 3.96, 6.94),
  measured("binding", "The API server receives the Binding", { hop: { from: "kube-scheduler", to: "kube-apiserver", verb: "POST", subject: "pod/" } }, 3.45, 5.39, 8.74),
  measured("bound", "nodeName is stored; the answer is 201", { hop: { from: "kube-apiserver", to: "kube-scheduler", status: 201, subject: "pod/" } }, 5.65, 9.26, 14.53, true),
  measured("sync-add", "The kubelet sees its new Pod", { hop: { from: "kube-apiserver", to: "kubelet@", protocol: "watch", subject: "pod/" } }, 5.5, 10.29, 15.86),
  measured("run-sandbox", "All volumes are mounted: RunPodSandbox is called", { hop: { from: "kubelet@", to: "containerd@", verb: "RunPodSandbox" } }, 313.42, 318.79, 328.83),
  measured("cni-add", "CNI ADD begins", { hop: { from: "containerd@", to: "cni@", verb: "ADD" } }, 316.5, 322.18, 332.86),
  measured("cni-end", "CNI ADD ends: the Pod has an address", { hop: { from: "cni@", to: "containerd@", verb: "result" } }, 329.42, 337.53, 349.83, true),
  measured("sandbox", "RunPodSandbox returns", { hop: { from: "containerd@", to: "kubelet@", verb: "RunPodSandbox" } }, 397.96, 414.04, 447.77, true),
  measured("create", "CreateContainer is called", { hop: { from: "kubelet@", to: "containerd@", verb: "CreateContainer" } }, 401.01, 420.29, 454.29),
  measured("start", "StartContainer is called", { hop: { from: "kubelet@", to: "containerd@", verb: "StartContainer" } }, 413.39, 431.55, 465.71),
  measured("started", "StartContainer returns: process 1 runs", { hop: { from: "containerd@", to: "kubelet@", verb: "StartContainer" } }, 461.3, 492.12, 511.97, true),
  measured("slice", "The API server receives the slice, not ready", { hop: { from: "endpointslice-controller", to: "kube-apiserver", subject: "endpointslice/" } }, 480.29, 508.46, 530.4),
];
