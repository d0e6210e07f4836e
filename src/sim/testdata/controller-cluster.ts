import type { KubeObject } from "../api/types.ts";
import type { Component } from "../kernel/types.ts";
import type { ControllerEntry } from "../kube-controller-manager/registry.ts";
import { miniCluster, type MiniCluster, type MiniInput, nodeObject } from "./mini-cluster.ts";

export const namespaceObject = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name, uid: `uid-${name}`, resourceVersion: "1" }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } });

/** Some controllers around the fake API server, with one node and the namespace "default". */
export const controllerCluster = (entries: readonly ControllerEntry[], inputs: readonly MiniInput[], objects: readonly KubeObject[] = []): MiniCluster =>
  miniCluster((world) => entries.map((entry): Component => entry.create({ world })), entries.flatMap((entry) => entry.watches()), [nodeObject("n1"), namespaceObject("default"), ...objects], inputs);
