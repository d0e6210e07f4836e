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
  /** The message answers that of another milestone: it is looked for among what came of it. */
  readonly answers?: string;
  readonly kind: FigureKind;
  readonly source: string;
  /** Milliseconds since the API server received the POST, over 20 real runs with a cached image. */
  readonly measured?: { readonly min: number; readonly median: number; readonly max: number };
}

/** What was measured, and how. */
export const LAB = "20 runs of v1.36.2 with containerd 2.3.4 on one machine, image cached";

const measured = (id: string, what: string, find: Evidence, min: number, median: number, max: number): Milestone => ({ id, what, find, kind: "measured", source: LAB, measured: { min, median, max } });
const answer = (answers: string, id: string, what: string, find: Evidence, min: number, median: number, max: number): Milestone => ({ ...measured(id, what, find, min, median, max), sending: true, answers });

/** In the order of a warm start. Rows that a run does not reach are left out. */
export const MILESTONES: readonly Milestone[] = [
  measured("get", "kubectl asks whether the object exists", { hop: { from: "kubectl", to: "kube-apiserver", verb: "GET", subject: "pod/" } }, -5.99, -3.94, -2.83),
  measured("post", "The API server receives the POST", { hop: { from: "kubectl", to: "kube-apiserver", verb: "POST", subject: "pod" } }, 0, 0, 0),
  answer("post", "created", "Stored by a quorum; the answer is 201", { hop: { from: "kube-apiserver", to: "kubectl", status: 201 } }, 2.17, 3.58, 5.2),
  measured("seen", "The scheduler sees a Pod without a node", { hop: { from: "kube-apiserver", to: "kube-scheduler", protocol: "watch", subject: "pod/" } }, 2.78, 3.96, 6.94),
  measured("binding", "The API server receives the Binding", { hop: { from: "kube-scheduler", to: "kube-apiserver", verb: "POST", subject: "binding/" } }, 3.45, 5.39, 8.74),
  answer("binding", "bound", "nodeName is stored; the answer is 201", { hop: { from: "kube-apiserver", to: "kube-scheduler", status: 201 } }, 5.65, 9.26, 14.53),
  measured("sync-add", "The kubelet sees its new Pod", { hop: { from: "kube-apiserver", to: "kubelet@", protocol: "watch", subject: "pod/" } }, 5.5, 10.29, 15.86),
  measured("sync-pod", "Its Pod worker begins: syncPod", { note: { component: "kubelet@", text: "syncs" } }, 7.48, 12.1, 19.8),
  measured("mount", "Mounting the token begins", { note: { component: "kubelet@", text: "MountVolume starts" } }, 123.09, 172.62, 276.01),
  measured("mounted", "syncPod sees that all volumes are mounted", { note: { component: "kubelet@", text: "All volumes of" } }, 312.05, 316.94, 326.96),
  measured("run-sandbox", "RunPodSandbox is called", { hop: { from: "kubelet@", to: "containerd@", verb: "RunPodSandbox" } }, 313.42, 318.79, 328.83),
  measured("cni-add", "CNI ADD begins", { hop: { from: "containerd@", to: "cni@", verb: "ADD" } }, 316.5, 322.18, 332.86),
  answer("cni-add", "cni-end", "CNI ADD ends: the Pod has an address", { hop: { from: "cni@", to: "containerd@" } }, 329.42, 337.53, 349.83),
  answer("run-sandbox", "sandbox", "RunPodSandbox returns", { hop: { from: "containerd@", to: "kubelet@", verb: "RunPodSandbox" } }, 397.96, 414.04, 447.77),
  measured("create", "CreateContainer is called", { hop: { from: "kubelet@", to: "containerd@", verb: "CreateContainer" } }, 401.01, 420.29, 454.29),
  measured("start", "StartContainer is called", { hop: { from: "kubelet@", to: "containerd@", verb: "StartContainer" } }, 413.39, 431.55, 465.71),
  answer("start", "started", "StartContainer returns: process 1 runs", { hop: { from: "containerd@", to: "kubelet@", verb: "StartContainer" } }, 461.3, 492.12, 511.97),
];
