import { RBAC_GROUP, type PolicyRule } from "../../api/rbac.ts";
import type { KubeObject } from "../../api/types.ts";
import type { World } from "../../api/world.ts";
import type { ApiServerState } from "../state.ts";
import { createApiServer } from "../server.ts";

/** A server's state over a few objects, for tests of the filters alone. */
export function stateWith({ objects = [], clusterRules = {} }: { readonly objects?: readonly KubeObject[]; readonly clusterRules?: Readonly<Record<string, readonly PolicyRule[]>> }): ApiServerState {
  const apiVersion = `${RBAC_GROUP}/v1`;
  const granted = Object.entries(clusterRules).flatMap(([name, rules], i): KubeObject[] => [
    { apiVersion, kind: "ClusterRole", metadata: { name: `r${i}` }, rules } as KubeObject,
    { apiVersion, kind: "ClusterRoleBinding", metadata: { name: `b${i}` }, subjects: [{ kind: "User", name }], roleRef: { apiGroup: RBAC_GROUP, kind: "ClusterRole", name: `r${i}` } } as KubeObject,
  ]);
  const world: World = { name: "t", seed: 1, resourceVersion: "100", nodes: [], watches: [], clusterDomain: "cluster.local", serviceCIDR: "10.96.0.0/12", podCIDR: "10.244.0.0/16", dnsServiceIP: "10.96.0.10", objects: [...granted, ...objects].map((object, i) => ({ ...object, metadata: { uid: `u${i}`, resourceVersion: "100", ...object.metadata } })) };
  return createApiServer({ world }).init();
}
