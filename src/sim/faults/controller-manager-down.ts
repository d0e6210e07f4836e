import type { ComponentId, WorldView } from "../kernel/types.ts";
import type { Fault } from "./fault.ts";

/** A process and its controllers die together. Its own state names them. */
const MANAGER = "kube-controller-manager";
const processOf = (view: WorldView): readonly ComponentId[] => [MANAGER, ...((view.stateOf(MANAGER) as { readonly controllers?: readonly ComponentId[] } | undefined)?.controllers ?? [])];

export const controllerManagerDown = {
  id: "controller-manager.down",
  title: "The controller manager is down",
  group: "scheduler",
  symptom: "Nothing follows: Deployments make no Pods, lost Pods are not replaced, dead nodes are not noticed",
  command: "kubectl -n kube-system get lease kube-controller-manager",
  fix: "Start kube-controller-manager again, or let a second replica take its lease after 15 s.",
  params: [],
  begin: (_, view) => processOf(view).map((component) => ({ type: "stop", component, how: "process" })),
  end: (_, view) => processOf(view).map((component) => ({ type: "start", component })),
} satisfies Fault;
