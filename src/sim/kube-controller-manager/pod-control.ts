// Models kubernetes/pkg/controller/controller_utils.go (RealPodControl) and controller_ref_manager.go
import { objectKey } from "../api/http.ts";
import { labelSelectorAsSelector, matches } from "../api/labels.ts";
import type { KubeObject, LabelSelector, Pod, PodTemplateSpec } from "../api/types.ts";
import type { ApiCall } from "../client-go/api-client.ts";
import type { EventToRecord } from "../client-go/event-recorder.ts";
import type { View } from "./caches.ts";
import { type Answer, type Enqueue, isSuccess, messageOf, type Plan } from "./controller.ts";
import { adoptCall, releaseCall } from "./controller-ref.ts";
import { ownerReferenceTo } from "./pods.ts";
import { collectionPath, objectPath, subjectOf } from "./resources.ts";

/** Longer names leave no room for the dash in a Pod's name. */
const MAX_NAME = 252;

/** A Pod from a template, named after its owner and owned by it. */
export function podFromTemplate(owner: KubeObject, template: PodTemplateSpec | undefined): Pod {
  const { name = "" } = owner.metadata;
  const { labels, annotations, finalizers } = template?.metadata ?? {};
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: name.length > MAX_NAME ? name : `${name}-`,
      namespace: owner.metadata.namespace ?? "",
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [ownerReferenceTo(owner)],
    },
    spec: template?.spec ?? { containers: [] },
  };
}

export const createPodCall = (pod: Pod): ApiCall => ({ method: "POST", path: collectionPath("Pod", pod.metadata.namespace), body: pod, subject: `pod/${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? pod.metadata.generateName ?? ""}` });

export const deletePodCall = (pod: Pod): ApiCall => ({ method: "DELETE", path: objectPath(pod), subject: subjectOf(pod) });

/** Events of a batch of creations; nothing is said when the namespace is going. */
export function creationEvents(owner: KubeObject, answers: readonly Answer[]): readonly EventToRecord[] {
  return answers.flatMap((answer): EventToRecord[] => {
    if (!answer.sent) return [];
    if (isSuccess(answer)) return [{ object: owner, type: "Normal", reason: "SuccessfulCreate", message: `Created pod: ${(answer.body as KubeObject | undefined)?.metadata.name ?? ""}` }];
    return isNamespaceTerminating(answer) ? [] : [{ object: owner, type: "Warning", reason: "FailedCreate", message: `Error creating: ${messageOf(answer)}` }];
  });
}

export function deletionEvents(owner: KubeObject, pods: readonly string[], answers: readonly Answer[]): readonly EventToRecord[] {
  return answers.flatMap((answer, i): EventToRecord[] => {
    if (!answer.sent || answer.status === 404) return [];
    if (isSuccess(answer)) return [{ object: owner, type: "Normal", reason: "SuccessfulDelete", message: `Deleted pod: ${pods[i] ?? ""}` }];
    return [{ object: owner, type: "Warning", reason: "FailedDelete", message: `Error deleting: ${messageOf(answer)}` }];
  });
}

export function isNamespaceTerminating(answer: Answer): boolean {
  const causes = (answer.body as { details?: { causes?: readonly { reason?: string }[] } } | undefined)?.details?.causes;
  return causes?.some((cause) => cause.reason === "NamespaceTerminating") ?? messageOf(answer).includes("because it is being terminated");
}

interface ClaimOptions {
  /** What else than labels makes a Pod the owner's. */
  readonly accepts?: (pod: Pod) => boolean;
  /** Kept on every Pod that is owned. */
  readonly finalizer?: string;
}

/** ClaimPods as a plan of its own: the cache tells of what was adopted or let go, and the next sync goes on. Needs the index "podsByOwner". */
export function claimPlan(owner: KubeObject, labelSelector: LabelSelector | undefined, key: string, view: Pick<View, "byIndex">, { accepts = () => true, finalizer }: ClaimOptions = {}): Pick<Plan, "batches" | "enqueue"> | undefined {
  const selector = labelSelectorAsSelector(labelSelector);
  if (labelSelector === undefined || typeof selector === "string" || selector.length === 0 || owner.metadata.deletionTimestamp !== undefined) return undefined;
  const mine = (pod: Pod): boolean => matches(selector, pod.metadata.labels) && accepts(pod);
  const calls = [
    ...view.byIndex<Pod>("podsByOwner", `orphan/${owner.metadata.namespace ?? ""}`).filter((pod) => pod.metadata.deletionTimestamp === undefined && mine(pod)).map((pod) => adoptCall(owner, pod, finalizer)),
    ...view.byIndex<Pod>("podsByOwner", owner.metadata.uid ?? "").filter((pod) => !mine(pod)).map((pod) => releaseCall(owner, pod, finalizer)),
  ];
  return calls.length === 0 ? undefined : { batches: [calls], enqueue: [{ key }] };
}

/** Keys of the owners that could adopt a Pod that has none. */
export function adoptersOf(pod: KubeObject, owners: readonly (KubeObject & { readonly spec: { readonly selector?: LabelSelector } })[]): readonly Enqueue[] {
  return owners.filter((owner) => {
    const selector = labelSelectorAsSelector(owner.spec.selector);
    return owner.metadata.namespace === pod.metadata.namespace && typeof selector !== "string" && selector.length > 0 && matches(selector, pod.metadata.labels);
  }).map((owner) => ({ key: objectKey(owner) }));
}
