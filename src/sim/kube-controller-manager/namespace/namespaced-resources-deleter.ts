// Models kubernetes/pkg/controller/namespace/deletion/namespaced_resources_deleter.go
import { API_RESOURCES, type ApiResource, verbsOf } from "../../api/schema/resources.ts";
import { parseRfc3339, SECOND } from "../../api/time.ts";
import type { KubeObject, Namespace, Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import { customWith, DISCOVERY, preferred, staleOf } from "../../client-go/discovery.ts";
import { PARTIAL_LIST } from "../../client-go/metadata.ts";
import type { Micros, Note } from "../../kernel/types.ts";
import { isSuccess, messageOf } from "../answers.ts";
import type { Answer, Plan } from "../controller-types.ts";
import { isPodTerminal } from "../pods.ts";
import { deletionConditions, discoveryError, type Found, NOTHING_FOUND } from "./conditions.ts";

/** One pass over a namespace that is being deleted. */
export interface Pass {
  readonly namespace: Namespace;
  readonly resources: readonly ApiResource[];
  readonly at: number;
  /** Seconds until what is left of the present resource should be gone; and the largest of all. */
  readonly ownEstimate: number;
  readonly estimate: number;
  readonly found: Found;
  readonly errors: readonly string[];
}

export type Step =
  | { readonly step: "namespace" }
  | { readonly step: "phase"; readonly namespace: Namespace }
  | { readonly step: "discovery"; readonly namespace: Namespace }
  | { readonly step: "estimate" | "delete" | "list" | "conditions"; readonly pass: Pass }
  | { readonly step: "finalize"; readonly namespace: Namespace }
  | { readonly step: "conflict"; readonly uid: string };

type DeletePlan = Plan<Step>;

const FINALIZER = "kubernetes";
/** How long a finalizer is expected to take. */
const FINALIZER_ESTIMATE = 15;

const BUILT_IN: readonly ApiResource[] = preferred(API_RESOURCES.filter((api) => api.namespaced && verbsOf(api).includes("delete")));
const isPods = ({ group, resource }: ApiResource): boolean => group === "" && resource === "pods";

const nameOf = ({ metadata: { name = "" } }: KubeObject): string => name;
const subjectOf = (namespace: KubeObject): string => `namespace/${nameOf(namespace)}`;
const pathOf = (name: string): string => `/api/v1/namespaces/${name}`;
const collectionOf = ({ group, apiVersion, resource }: ApiResource, namespace: string): string => `${group === "" ? "/api" : "/apis"}/${apiVersion}/namespaces/${namespace}/${resource}`;
const listCall = (api: ApiResource, namespace: string, accept?: string): ApiCall => ({ method: "GET", path: collectionOf(api, namespace), subject: `${api.resource} of ${namespace}`, level: "source", ...(accept === undefined ? {} : { accept }) });
const itemsOf = (answer: Answer | undefined): readonly KubeObject[] => (answer?.body as { readonly items?: readonly KubeObject[] } | undefined)?.items ?? [];

export const askNamespace = (name: string, next: Step): DeletePlan => ({ batches: [[{ method: "GET", path: pathOf(name), subject: `namespace/${name}`, level: "source" }]], next });

/** The namespace as the server has it: only one that is going has anything to do. */
export function onNamespace(namespace: Namespace): DeletePlan {
  if (namespace.metadata.deletionTimestamp === undefined) return {};
  if (namespace.status?.phase !== "Terminating") return { batches: [[statusCall({ ...namespace, status: { ...namespace.status, phase: "Terminating" } })]], next: { step: "phase", namespace } };
  return onTerminating(namespace);
}

/** Discovers what there is to delete, if this controller has not finished already. */
export function onTerminating(namespace: Namespace): DeletePlan {
  if ((namespace.spec?.finalizers ?? []).length === 0) return {};
  const ask = (path: string): ApiCall => ({ method: "GET", path, accept: DISCOVERY, subject: path, level: "source" });
  const name = nameOf(namespace);
  const note: Note = { text: `namespace-controller deletes the Pods of namespace ${name}`, why: "all Pods go first, the rest when none is left (OrderedNamespaceDeletion)", level: "basic", subject: subjectOf(namespace) };
  return { batches: [[ask("/api")], [ask("/apis")]], notes: [note], next: { step: "discovery", namespace } };
}

/** Pods come first; of the others upstream's order is that of a map, here that of discovery. */
export function onDiscovery(namespace: Namespace, answer: Answer | undefined): DeletePlan {
  const resources = [...BUILT_IN, ...preferred(customWith(answer?.body, ["delete"]).filter(({ namespaced }) => namespaced))];
  const undiscovered = staleOf(answer?.body);
  const pass: Pass = { namespace, resources: [...resources.filter(isPods), ...resources.filter((api) => !isPods(api))], at: 0, ownEstimate: 0, estimate: 0, found: { ...NOTHING_FOUND, undiscovered }, errors: undiscovered.length === 0 ? [] : [discoveryError(undiscovered)] };
  const [pods] = pass.resources;
  return pods === undefined ? {} : { batches: [[listCall(pods, nameOf(namespace))]], next: { step: "estimate", pass } };
}

/** estimateGracefulTermination: the longest grace period of a Pod that runs, unless it is over. */
export function onEstimate(pass: Pass, answer: Answer | undefined, now: Micros): DeletePlan {
  if (answer === undefined || !isSuccess(answer)) return failed({ ...pass, ownEstimate: 0 }, answer);
  const grace = (itemsOf(answer) as readonly Pod[]).filter((pod) => !isPodTerminal(pod)).reduce((max, { spec }) => Math.max(max, spec.terminationGracePeriodSeconds ?? 0), 0);
  const since = now - parseRfc3339(pass.namespace.metadata.deletionTimestamp ?? "");
  return deleteAll({ ...pass, ownEstimate: since >= grace * SECOND ? 0 : grace });
}

function deleteAll(pass: Pass): DeletePlan {
  const api = pass.resources[pass.at];
  if (api === undefined) return conditions(pass);
  const name = nameOf(pass.namespace);
  const call: ApiCall = { method: "DELETE", path: collectionOf(api, name), body: { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" }, subject: `${api.resource} of ${name}`, level: "source" };
  return { batches: [[call]], next: { step: "delete", pass } };
}

const unsupported = (answer: Answer | undefined): boolean => answer?.status === 404 || answer?.status === 405;

/** Then what is left is listed. Simplified: upstream deletes one by one what cannot be deleted as a collection; here every resource can. */
export function onCollectionDeleted(pass: Pass, answer: Answer | undefined): DeletePlan {
  const api = pass.resources[pass.at];
  if (api === undefined) return conditions(pass);
  if (answer === undefined || (!isSuccess(answer) && !unsupported(answer))) return failed(pass, answer);
  return { batches: [[listCall(api, nameOf(pass.namespace), PARTIAL_LIST)]], next: { step: "list", pass } };
}

const counted = (entries: readonly (readonly [string, number])[], names: readonly string[]): readonly (readonly [string, number])[] => {
  const counts = new Map(entries);
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
};

/** What is left of one resource: it waits for its grace period or its finalizers; anything else is an error. */
export function onListed(pass: Pass, answer: Answer | undefined): DeletePlan {
  const api = pass.resources[pass.at];
  if (api === undefined) return conditions(pass);
  if (unsupported(answer)) return nextResource({ ...pass, estimate: Math.max(pass.estimate, pass.ownEstimate) });
  if (answer === undefined || !isSuccess(answer)) return failed(pass, answer);
  const items = itemsOf(answer);
  if (items.length === 0) return nextResource(pass);
  const finalizers = items.flatMap(({ metadata }) => metadata.finalizers ?? []);
  const own = pass.ownEstimate > 0 ? pass.ownEstimate : finalizers.length > 0 ? FINALIZER_ESTIMATE : 0;
  const found: Found = { ...pass.found, remaining: [...pass.found.remaining, [`${api.resource}.${api.group}`, items.length]], finalizers: counted(pass.found.finalizers, finalizers) };
  const left = { ...pass, found, estimate: Math.max(pass.estimate, own) };
  const next = own > 0 ? left : withError(left, `unexpected items still remain in namespace: ${nameOf(pass.namespace)} for gvr: ${api.group}/${api.version}, Resource=${api.resource}`);
  // Nothing else goes while a Pod is there; that content remains is not said then.
  return isPods(api) ? conditions({ ...next, found: { ...next.found, remaining: [], finalizers: [] } }) : nextResource(next);
}

const withError = (pass: Pass, error: string): Pass => ({ ...pass, errors: [...pass.errors, error], found: { ...pass.found, contentErrors: [...pass.found.contentErrors, error] } });

const failed = (pass: Pass, answer: Answer | undefined): DeletePlan => nextResource(withError({ ...pass, estimate: Math.max(pass.estimate, pass.ownEstimate) }, answer === undefined ? "no answer" : messageOf(answer)));

function nextResource(pass: Pass): DeletePlan {
  const note: Note = { text: `namespace-controller deletes everything else in namespace ${nameOf(pass.namespace)}`, why: "no Pod is left: now kind after kind, each as a collection", level: "basic", subject: subjectOf(pass.namespace) };
  return { ...deleteAll({ ...pass, at: pass.at + 1, ownEstimate: 0 }), ...(pass.at === 0 ? { notes: [note] } : {}) };
}

const statusCall = (namespace: Namespace): ApiCall => ({ method: "PUT", path: `${pathOf(nameOf(namespace))}/status`, body: namespace, subject: subjectOf(namespace) });

/** The end of a pass: `onAllDeleted` says in the status what was found. */
const conditions = (pass: Pass): DeletePlan => ({ next: { step: "conditions", pass } });

/** All resources are through. */
export function onAllDeleted(pass: Pass, answers: readonly Answer[], now: Micros): DeletePlan {
  if (answers.length > 0) return after(pass);
  const next = deletionConditions(pass.namespace.status?.conditions, pass.found, now);
  return next === undefined ? after(pass) : { batches: [[statusCall({ ...pass.namespace, status: { ...pass.namespace.status, conditions: next } })]], next: { step: "conditions", pass } };
}

/** Comes back after half of the estimate, or with an error, or is done with the namespace. */
function after({ namespace, estimate, errors }: Pass): DeletePlan {
  const [error] = errors;
  if (error !== undefined) return { error };
  if (estimate > 0) return { enqueue: [{ key: nameOf(namespace), after: (Math.floor(estimate / 2) + 1) * SECOND }] };
  const note: Note = { text: `namespace-controller removes the finalizer "kubernetes" of namespace ${nameOf(namespace)}`, why: "nothing is left in it: now it may vanish", level: "basic", subject: subjectOf(namespace) };
  return { ...finalize(namespace), notes: [note] };
}

/** The namespace as it was read at the beginning: if the conditions were written since, this is a conflict, and it is read again. */
export function finalize(namespace: Namespace): DeletePlan {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((entry) => entry !== FINALIZER);
  const { apiVersion, kind, metadata } = namespace;
  return { batches: [[{ method: "PUT", path: `${pathOf(nameOf(namespace))}/finalize`, body: { apiVersion, kind, metadata, spec: { ...namespace.spec, finalizers }, status: {} }, subject: subjectOf(namespace) }]], next: { step: "finalize", namespace } };
}
