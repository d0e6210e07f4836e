// Models kubernetes/pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go
import type { WatchSpec } from "../../api/http.ts";
import { aggregatedRules, sameRules } from "../../api/rbac-aggregation.ts";
import type { RbacRole } from "../../api/rbac.ts";
import type { Component } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Plan, watchesOf } from "../controller.ts";
import { objectPath } from "../resources.ts";

const ID = "clusterrole-aggregation-controller";
const RESOURCES = ["clusterroles"] as const;

const allRoles = (view: View): readonly RbacRole[] => view.list<RbacRole>("clusterroles");

function sync(name: string, view: View): Plan {
  const role = view.get<RbacRole>("clusterroles", name);
  if (role?.aggregationRule === undefined) return {};
  const rules = aggregatedRules(role, allRoles(view));
  if (sameRules(rules, role.rules)) return {};
  const note = { text: `${ID} gives ClusterRole ${name} ${rules.length} rules`, why: "they are those of all roles that its aggregationRule selects by label", level: "operator" as const, subject: `clusterrole/${name}` };
  const body = { apiVersion: role.apiVersion, kind: role.kind, metadata: { name }, rules };
  return { batches: [[{ method: "PATCH", path: objectPath(role), contentType: "application/apply-patch+yaml", query: { fieldManager: ID, force: "true" }, body, subject: `clusterrole/${name}` }]], notes: [note] };
}

/** Keeps the rules of admin, edit, view and their like: any change of any role may concern each of them. */
export const createClusterRoleAggregationController = (config: ControllerConfig): Component<ControllerState> =>
  createController<unknown, unknown>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      workers: 5,
      latency: "controller.sync",
      memory: undefined,
      handle: (_change, _resource, view) => ({ keys: allRoles(view).filter(({ aggregationRule }) => aggregationRule !== undefined).map(({ metadata }) => ({ key: metadata.name ?? "" })) }),
      sync,
    },
    config,
  );

export const clusterRoleAggregationWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
