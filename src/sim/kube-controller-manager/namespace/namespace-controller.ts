// Models kubernetes/pkg/controller/namespace/namespace_controller.go
import type { WatchSpec } from "../../api/http.ts";
import type { Namespace } from "../../api/types.ts";
import type { Component, Micros } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { askNamespace, finalize, onAllDeleted, onCollectionDeleted, onDiscovery, onEstimate, onListed, onNamespace, onTerminating, type Step } from "./namespaced-resources-deleter.ts";

const ID = "namespace-controller";
/** Other API servers get time to see that the namespace is going, and etcd to see what was created last. */
const GRACE: Micros = 5_000_000;
const MAX_RETRY: Micros = 60_000_000;

const sync = (name: string, view: View): Plan<Step> => (view.get<Namespace>("namespaces", name) === undefined ? {} : askNamespace(name, { step: "namespace" }));

const bodyOf = (answer: Answer): Namespace => answer.body as Namespace;

/** Answers about the namespace itself: without it there is nothing left to do. */
function aboutNamespace(name: string, step: Exclude<Step, { readonly pass: unknown }>, answer: Answer): Plan<Step> {
  if (answer.status === 404) return {};
  if (answer.status === 409) return askNamespace(name, step.step === "finalize" ? { step: "conflict", uid: step.namespace.metadata.uid ?? "" } : { step: "namespace" });
  if (!isSuccess(answer)) return { error: messageOf(answer) };
  switch (step.step) {
    case "namespace":
      return onNamespace(bodyOf(answer));
    case "phase":
      return onTerminating(bodyOf(answer));
    case "conflict":
      return bodyOf(answer).metadata.uid === step.uid ? finalize(bodyOf(answer)) : { error: "namespace uid has changed across retries" };
    default:
      return {};
  }
}

function resume(name: string, step: Step, answers: readonly Answer[], view: View): Plan<Step> {
  const answer = answers[0];
  switch (step.step) {
    case "discovery": {
      const wrong = answers.find((entry) => !isSuccess(entry));
      return wrong === undefined ? onDiscovery(step.namespace, answers[1]) : { error: messageOf(wrong) };
    }
    case "estimate":
      return onEstimate(step.pass, answer, view.now);
    case "delete":
      return onCollectionDeleted(step.pass, answer);
    case "list":
      return onListed(step.pass, answer);
    case "conditions":
      return onAllDeleted(step.pass, answers, view.now);
    default:
      return answer === undefined ? {} : aboutNamespace(name, step, answer);
  }
}

/** Empties namespaces that are being deleted, Pods first, and lets them go. */
export const createNamespaceController = (config: ControllerConfig): Component<ControllerState<Step>> =>
  createController<Step, unknown>(
    {
      id: ID,
      account: ID,
      resources: ["namespaces"],
      workers: 10,
      retryMax: MAX_RETRY,
      latency: "controller.sync",
      memory: undefined,
      handle: (change) => (change.type !== "delete" && change.object.metadata.deletionTimestamp !== undefined ? { keys: [{ key: change.object.metadata.name ?? "", after: GRACE }] } : {}),
      sync,
      resume,
    },
    config,
  );

export const namespaceWatches = (): WatchSpec[] => watchesOf(ID, ["namespaces"]);
