// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/controller/{status,establish,finalizer,apiapproval}: controllers inside kube-apiserver
import { acceptNames } from "../../api/apiextensions/naming.ts";
import { approvalCondition } from "../../api/apiextensions/approval.ts";
import { customResourcesOf } from "../../api/apiextensions/served.ts";
import { CLEANUP_FINALIZER, CRD_API_VERSION, conditionOf, type CustomResourceDefinition, isTrue, withCondition } from "../../api/apiextensions/types.ts";
import { rfc3339 } from "../../api/time.ts";
import type { KubeObject } from "../../api/types.ts";
import { type ApiClient, apiRequest } from "../../client-go/api-client.ts";
import type { Ctx, Micros } from "../../kernel/types.ts";
import type { ApiServerState } from "../state.ts";
import { customDefinition, definitionsOf } from "./resources.ts";

/** From the watch event of a definition to a controller's turn: informer, work queue. */
const TURN: Micros = 2_000;
/** The finalizer's poll, until every object is gone. */
const POLL: Micros = 5_000_000;
const LOOPBACK: ApiClient = { userAgent: "kube-apiserver/v1.36.2", credential: { kind: "client-certificate", name: "system:apiserver", groups: ["system:masters"] } };

export interface CrdTurn {
  readonly type: "apiserver.crd";
  readonly name: string;
}

/** Gives the controllers a turn for a definition. */
export const queueDefinition = (ctx: Ctx, name: string, after: Micros = TURN): void => void ctx.after(after, { type: "apiserver.crd", name } satisfies CrdTurn);

/** A definition changed: it, and those of its group that wait for a name, are looked at. */
export function onDefinitions(ctx: Ctx, state: ApiServerState, changed: readonly KubeObject[]): void {
  const groups = new Set(changed.map((object) => (object as CustomResourceDefinition).spec.group));
  const names = new Set(changed.map(({ metadata }) => metadata.name ?? ""));
  for (const other of (definitionsOf(state)?.sortedValues() ?? []) as readonly CustomResourceDefinition[]) if (groups.has(other.spec.group) && !isTrue(other, "NamesAccepted")) names.add(other.metadata.name ?? "");
  for (const name of names) queueDefinition(ctx, name);
}

function updateStatus(ctx: Ctx, crd: CustomResourceDefinition, text: string, why: string): void {
  const name = crd.metadata.name ?? "";
  ctx.explain({ text: `kube-apiserver ${text}`, why, level: "operator", subject: `customresourcedefinition/${name}` });
  apiRequest(ctx, LOOPBACK, { method: "PUT", path: `/apis/${CRD_API_VERSION}/customresourcedefinitions/${name}/status`, body: crd, subject: `customresourcedefinition/${name}`, level: "operator" });
}

/** One controller's turn: the first that has something to write writes; the watch event of its write brings the next. */
export function syncDefinition(ctx: Ctx, state: ApiServerState, name: string): ApiServerState {
  const crd = customDefinition(state, name);
  if (crd === undefined) return state;
  const at = rfc3339(ctx.now);
  if (crd.metadata.deletionTimestamp !== undefined && crd.metadata.finalizers?.includes(CLEANUP_FINALIZER) === true) {
    cleanUp(ctx, state, crd, at);
    return state;
  }
  const others = ((definitionsOf(state)?.sortedValues() ?? []) as readonly CustomResourceDefinition[]).filter((other) => other.spec.group === crd.spec.group);
  const named = acceptNames(crd, others, at);
  if (named !== crd) updateStatus(ctx, named, `${isTrue(named, "NamesAccepted") ? "accepts" : "refuses"} the names of ${name}`, conditionOf(named, "NamesAccepted")?.message ?? "");
  else if (isTrue(crd, "NamesAccepted") && !isTrue(crd, "Established")) {
    updateStatus(ctx, withCondition(crd, { type: "Established", status: "True", reason: "InitialNamesAccepted", message: "the initial names have been accepted" }, at), `establishes ${name}: its objects can be stored now`, "the API server serves a custom resource as soon as its definition is Established");
  } else {
    const approved = approvalCondition(crd, at);
    if (approved !== crd) updateStatus(ctx, approved, `notes whether ${name} is an approved API`, "groups of kubernetes.io are protected");
  }
  return state;
}

const withoutFinalizer = (crd: CustomResourceDefinition): CustomResourceDefinition => ({ ...crd, metadata: { ...crd.metadata, finalizers: (crd.metadata.finalizers ?? []).filter((name) => name !== CLEANUP_FINALIZER) } });

/** The definition goes when its objects are gone. */
function cleanUp(ctx: Ctx, state: ApiServerState, crd: CustomResourceDefinition, at: string): void {
  const name = crd.metadata.name ?? "";
  const terminating = conditionOf(crd, "Terminating");
  if (terminating?.reason !== "InstanceDeletionInProgress") {
    return updateStatus(ctx, withCondition(crd, { type: "Terminating", status: "True", reason: "InstanceDeletionInProgress", message: "CustomResource deletion is in progress" }, at), `begins to delete the objects of ${name}`, "a definition's finalizer holds it until then");
  }
  if (!isTrue(crd, "Established")) return updateStatus(ctx, withoutFinalizer(withCondition(crd, { type: "Terminating", status: "False", reason: "NeverEstablished", message: "resource was never established" }, at)), `lets ${name} go`, "it never had objects");
  const [served] = customResourcesOf(crd);
  const left = served === undefined ? [] : (state.caches.get(served.etcdPrefix)?.objects.sortedValues() ?? []);
  if (left.length === 0 || served === undefined) return updateStatus(ctx, withoutFinalizer(withCondition(crd, { type: "Terminating", status: "False", reason: "InstanceDeletionCompleted", message: "removed all instances" }, at)), `lets ${name} go`, "all its objects are gone");
  const namespaces = [...new Set(left.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.namespace ?? ""))];
  for (const namespace of namespaces) {
    apiRequest(ctx, LOOPBACK, { method: "DELETE", path: `/apis/${served.apiVersion}${namespace === "" ? "" : `/namespaces/${namespace}`}/${served.resource}`, subject: `${served.resource} of ${name}`, level: "operator" });
  }
  queueDefinition(ctx, name, POLL);
}

/** The answer to a DELETE of a collection brings the next look at definitions that are going. */
export function onLoopbackAnswer(ctx: Ctx, state: ApiServerState): void {
  for (const crd of (definitionsOf(state)?.sortedValues() ?? []) as readonly CustomResourceDefinition[]) if (crd.metadata.deletionTimestamp !== undefined && conditionOf(crd, "Terminating")?.reason === "InstanceDeletionInProgress") queueDefinition(ctx, crd.metadata.name ?? "");
}
