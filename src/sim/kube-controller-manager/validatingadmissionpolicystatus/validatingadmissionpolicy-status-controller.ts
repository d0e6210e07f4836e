// Models kubernetes/pkg/controller/validatingadmissionpolicystatus/controller.go
import type { WatchSpec } from "../../api/http.ts";
import type { KubeObject } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Plan, watchesOf } from "../controller.ts";

const ID = "validatingadmissionpolicy-status-controller";
const MANAGER = "validatingadmissionpolicy-status";
const RESOURCE = "validatingadmissionpolicies";

/** Simplified: upstream checks the types of the expressions against the schemas of what they match and writes warnings; here none are found. */
function sync(name: string, view: View): Plan {
  const policy = view.get(RESOURCE, name);
  const generation = policy?.metadata.generation ?? 0;
  if (!policy || generation <= ((policy.status as { readonly observedGeneration?: number } | undefined)?.observedGeneration ?? 0)) return {};
  const body = { apiVersion: policy.apiVersion, kind: policy.kind, metadata: { name }, status: { observedGeneration: generation, typeChecking: {} } };
  const subject = `validatingadmissionpolicy/${name}`;
  return {
    batches: [[{ method: "PATCH", path: `/apis/admissionregistration.k8s.io/v1/${RESOURCE}/${name}/status`, contentType: "application/apply-patch+yaml", query: { fieldManager: MANAGER, force: "true" }, body, subject }]],
    notes: [{ text: `${ID} has looked at policy ${name}`.slice(0, 138), why: `its status says that generation ${generation} was seen`, subject }],
  };
}

/** Says in a policy's status that its expressions were looked at. */
export const createValidatingAdmissionPolicyStatusController = (config: ControllerConfig): Component<ControllerState> =>
  createController<unknown, unknown>(
    {
      id: ID,
      account: ID,
      resources: [RESOURCE],
      workers: 5,
      latency: "controller.sync",
      memory: undefined,
      handle: (change) => (change.type === "delete" ? {} : { keys: [{ key: nameOf(change.object) }] }),
      sync,
    },
    config,
  );

const nameOf = ({ metadata: { name = "" } }: KubeObject): string => name;

export const validatingAdmissionPolicyStatusWatches = (): WatchSpec[] => watchesOf(ID, [RESOURCE]);
