import { expect, test } from "vitest";
import type { RbacRole } from "../../api/rbac.ts";
import { createCluster } from "../../cluster.ts";
import { Simulation } from "../../kernel/simulation.ts";
import type { ApiServerState } from "../../kube-apiserver/state.ts";
import { applyText } from "../../scenarios/scenario.ts";

const ROLE = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: widget-viewer
  labels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}
rules:
  - {apiGroups: [example.com], resources: [widgets], verbs: [get]}
`;

test("a role with the label reaches view, edit and admin in turn", () => {
  const { config, inputs } = createCluster({ world: "ten-nodes", seed: 1, profile: "quiet", inputs: [applyText("r.yaml", ROLE, 1_000_000)] });
  const sim = Simulation.create(config, inputs);
  sim.run(5_000_000);
  const { caches } = sim.stateAt("kube-apiserver", sim.now) as ApiServerState;
  const has = (name: string): boolean => ((caches.get("/registry/clusterroles")?.objects.get(name) as RbacRole | undefined)?.rules ?? []).some(({ resources }) => resources?.includes("widgets") === true);
  expect(["view", "edit", "admin", "cluster-admin"].map(has)).toEqual([true, true, true, false]);
});
