// Models kubernetes/pkg/controller/serviceaccount/serviceaccounts_controller.go
import type { WatchSpec } from "../../api/http.ts";
import type { Namespace } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { type ControllerConfig, type ControllerState, createController, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import type { View } from "../caches.ts";
import { isNamespaceTerminating } from "../pod-control.ts";
import { collectionPath } from "../resources.ts";

const ID = "serviceaccount-controller";
const RESOURCES = ["namespaces", "serviceaccounts"] as const;

function sync(name: string, view: View): Plan {
  const namespace = view.get<Namespace>("namespaces", name);
  if (!namespace || namespace.status?.phase === "Terminating" || namespace.metadata.deletionTimestamp !== undefined) return {};
  if (view.get("serviceaccounts", `${name}/default`)) return {};
  return {
    batches: [[{ method: "POST", path: collectionPath("ServiceAccount", name), body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: name } }, subject: `serviceaccount/${name}/default` }]],
    notes: [{ text: `serviceaccount-controller creates ServiceAccount default in namespace ${name}`, why: "every active namespace has one", subject: `namespace/${name}` }],
    next: name,
  };
}

/** Gives every active namespace a ServiceAccount called default. */
export const createServiceAccountController = (config: ControllerConfig): Component<ControllerState> =>
  createController<unknown, unknown>(
    {
      id: ID,
      account: "service-account-controller",
      resources: RESOURCES,
      workers: 1,
      latency: "controller.sync",
      memory: undefined,
      handle(change, resource) {
        if (resource === "namespaces") return change.type === "delete" ? {} : { keys: [{ key: change.object.metadata.name ?? "" }] };
        return change.type === "delete" && change.object.metadata.name === "default" ? { keys: [{ key: change.object.metadata.namespace ?? "" }] } : {};
      },
      sync,
      resume: (_key, _data, answers) => {
        const failed = answers.find((answer) => !isSuccess(answer) && answer.status !== 409);
        return !failed || isNamespaceTerminating(failed) ? {} : { error: messageOf(failed) };
      },
    },
    config,
  );

export const serviceAccountWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
