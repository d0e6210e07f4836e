// Models kubernetes/pkg/controller/resourceclaim/controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { CLAIM_FINALIZER, claimNameOf, type ConsumerReference, isReservedFor, notForPod, type PodResourceClaim, type ResourceClaim, type ResourceClaimTemplate } from "../../api/resource-claims.ts";
import { type Micros, SECOND } from "../../api/time.ts";
import type { Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Handled, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { controllerOf, isPodTerminal } from "../pods.ts";
import { collectionPath, objectPath, pathOf, subjectOf } from "../resources.ts";

const ID = "resourceclaim-controller";
const RESOURCES = ["pods", "resourceclaims", "resourceclaimtemplates"] as const;
const FIELD_MANAGER = "ResourceClaimController";
/** Names of 63 characters, less a hyphen and five random ones. */
const MAX_BASE = 57;
/** PodResourceClaimAnnotation. */
const FOR_ENTRY = "resource.kubernetes.io/pod-claim-name";
const MAX_REMEMBERED = 500;
const MAX_CONSUMERS = 256;

/** How long, and how many, claims that were made are known though the cache has none such: NewIntegerResourceVersionMutationCache. */
const MADE_FOR = 3_600 * SECOND;
const MAX_MADE = 100;

interface Memory {
  /** Uids of Pods that are known to be gone, though the cache may not say so yet; oldest first. */
  readonly gone: readonly string[];
  /** Claims made for entries of Pods, oldest first. One that is deleted is not made again within the hour. */
  readonly made: readonly { readonly pod: string; readonly entry: string; readonly claim: string; readonly until: Micros }[];
}

interface Made {
  readonly entry: string;
  /** Empty while it is being made. */
  readonly claim: string;
}

type ClaimStep = "status" | "finalizer" | "delete";

/** What a sync waits for. */
type Data =
  | { readonly at: "created"; readonly made: readonly Made[]; readonly failure?: { readonly entry: string; readonly text: string } }
  | { readonly at: "applied" }
  | { readonly at: "reserved"; readonly claims: readonly string[] }
  | { readonly at: "asked"; readonly names: readonly string[] }
  | { readonly at: "claim"; readonly todo: readonly ClaimStep[] };

const podKey = (pod: Pod): string => `pod:${objectKey(pod)}`;
/** isPodDone: nothing of it runs or ever will. */
const isDone = (pod: Pod): boolean => isPodTerminal(pod) || (pod.metadata.deletionTimestamp !== undefined && !pod.spec.nodeName);
const entriesOf = (pod: Pod): readonly PodResourceClaim[] => pod.spec.resourceClaims ?? [];
const isFree = (claim: ResourceClaim, pod: Pod): boolean => claim.status?.allocation !== undefined && !isReservedFor(claim, pod.metadata.uid) && (claim.status.reservedFor ?? []).length < MAX_CONSUMERS;

/** Keys of the claims that are known by name. */
const claimKeysOf = (pod: Pod): readonly string[] =>
  entriesOf(pod).flatMap((entry) => {
    const ref = claimNameOf(pod, entry);
    return "error" in ref || ref.name === null ? [] : [`${pod.metadata.namespace ?? ""}/${ref.name}`];
  });

/** podNeedsWork: is a claim to be made, or to be reserved for a Pod that somebody else than the scheduler placed? */
function needsWork(pod: Pod, view: View<Memory>): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  return entriesOf(pod).some((entry) => {
    const ref = claimNameOf(pod, entry);
    if ("error" in ref) return true;
    if (ref.name === null) return false;
    const claim = view.get<ResourceClaim>("resourceclaims", `${pod.metadata.namespace ?? ""}/${ref.name}`);
    if (!claim) return entry.resourceClaimTemplateName !== undefined;
    if (ref.made && notForPod(pod, claim) !== undefined) return false;
    return Boolean(pod.spec.nodeName) && isFree(claim, pod);
  });
}

function podKeys(pod: Pod, deleted: boolean, view: View<Memory>): readonly { readonly key: string }[] {
  if (entriesOf(pod).length === 0) return [];
  const claims = deleted || isDone(pod) ? claimKeysOf(pod).map((key) => ({ key: `claim:${key}` })) : [];
  return needsWork(pod, view) ? [...claims, { key: podKey(pod) }] : claims;
}

function handle(change: Change, resource: string, view: View<Memory>): Handled<Memory> {
  const { object, type } = change;
  const key = objectKey(object);
  if (resource === "pods") {
    const pod = object as Pod;
    if (entriesOf(pod).length === 0) return {};
    const memory = type === "delete" ? { ...view.memory, gone: [...view.memory.gone, pod.metadata.uid ?? ""].slice(-MAX_REMEMBERED) } : view.memory;
    return { keys: podKeys(pod, type === "delete", view), memory };
  }
  if (resource === "resourceclaims") {
    const users = view.byIndex<Pod>("podsByClaim", key).flatMap((pod) => podKeys(pod, false, view));
    return { keys: type === "delete" ? users : [{ key: `claim:${key}` }, ...users] };
  }
  return type === "delete" ? {} : { keys: view.byIndex<Pod>("podsByTemplate", key).flatMap((pod) => podKeys(pod, false, view)) };
}

const generateNameOf = (pod: Pod, entry: PodResourceClaim): string => {
  const podName = pod.metadata.name ?? "";
  const whole = `${podName}-${entry.name}-`;
  const part = (text: string, of: string): string => text.slice(0, Math.floor((text.length * MAX_BASE) / of.length));
  if (whole.length <= MAX_BASE) return whole;
  return `${part(podName, whole)}-${part(entry.name, whole)}`;
};

function createCall(pod: Pod, entry: PodResourceClaim, template: ResourceClaimTemplate): ApiCall {
  const { namespace = "", name = "", uid = "" } = pod.metadata;
  const { labels, annotations } = template.spec.metadata ?? {};
  const metadata = { generateName: generateNameOf(pod, entry), namespace, ...(labels ? { labels } : {}), annotations: { ...annotations, [FOR_ENTRY]: entry.name }, ownerReferences: [{ apiVersion: "v1", kind: "Pod", name, uid, controller: true }] };
  return { method: "POST", path: collectionPath("ResourceClaim", namespace), body: { apiVersion: "resource.k8s.io/v1", kind: "ResourceClaim", metadata, spec: template.spec.spec }, subject: `resourceclaim/${namespace}/` };
}

/** handleClaim: the claim of one entry, the call that makes it, or why neither; undefined if there is nothing to do. */
function wanted(pod: Pod, entry: PodResourceClaim, view: View<Memory>): Made | ApiCall | string | undefined {
  const namespace = pod.metadata.namespace ?? "";
  const ref = claimNameOf(pod, entry);
  if ("error" in ref) {
    if (entry.resourceClaimTemplateName === undefined) return `checking for claim before creating it: ${ref.error}`;
  } else {
    if (ref.name === null) return undefined;
    const claim = view.get<ResourceClaim>("resourceclaims", `${namespace}/${ref.name}`);
    if (claim && (!ref.made || notForPod(pod, claim) === undefined)) return undefined;
  }
  if (entry.resourceClaimTemplateName === undefined) return undefined;
  const known = view.byIndex<ResourceClaim>("claimsByOwner", pod.metadata.uid ?? "").find((claim) => claim.metadata.annotations?.[FOR_ENTRY] === entry.name)?.metadata.name ?? view.memory.made.find((m) => m.pod === pod.metadata.uid && m.entry === entry.name && m.until > view.now)?.claim;
  if (known !== undefined) return { entry: entry.name, claim: known };
  const template = view.get<ResourceClaimTemplate>("resourceclaimtemplates", `${namespace}/${entry.resourceClaimTemplateName}`);
  if (!template) return `resource claim template "${entry.resourceClaimTemplateName}": resourceclaimtemplate.resource.k8s.io "${entry.resourceClaimTemplateName}" not found`;
  return createCall(pod, entry, template);
}

const creationFailed = (pod: Pod, entry: string, text: string): Plan<Data, Memory> => ({
  events: [{ object: pod, type: "Warning", reason: "FailedResourceClaimCreation", message: `PodResourceClaim ${entry}: ${text}` }],
  error: `pod ${objectKey(pod)}, PodResourceClaim ${entry}: ${text}`,
});

function syncPod(pod: Pod, view: View<Memory>): Plan<Data, Memory> {
  const calls: ApiCall[] = [];
  const made: Made[] = [];
  for (const entry of entriesOf(pod)) {
    const claim = wanted(pod, entry, view);
    if (claim === undefined) continue;
    // Those before it are made all the same.
    if (typeof claim === "string") return calls.length === 0 ? creationFailed(pod, entry.name, claim) : create(pod, calls, { at: "created", made, failure: { entry: entry.name, text: claim } });
    if ("method" in claim) calls.push(claim);
    made.push("method" in claim ? { entry: entry.name, claim: "" } : claim);
  }
  if (calls.length > 0) return create(pod, calls, { at: "created", made });
  return made.length > 0 ? applyStatus(pod, made) : reserve(pod, view);
}

const create = (pod: Pod, calls: readonly ApiCall[], next: Data): Plan<Data, Memory> => ({
  batches: calls.map((call) => [call]),
  next,
  notes: [{ text: `resourceclaim-controller makes ${calls.length === 1 ? "a ResourceClaim" : `${calls.length} ResourceClaims`} for Pod ${pod.metadata.name ?? ""}`.slice(0, 138), why: "the Pod names a ResourceClaimTemplate: it gets a claim of its own, which goes with it", level: "basic", subject: subjectOf(pod), status: "idle" }],
});

/** Tells the Pod's readers, above all the scheduler, which claims were made for it. */
function applyStatus(pod: Pod, made: readonly Made[]): Plan<Data, Memory> {
  const { namespace = "", name = "" } = pod.metadata;
  const body = { apiVersion: "v1", kind: "Pod", metadata: { name, namespace }, status: { resourceClaimStatuses: made.map(({ entry, claim }) => ({ name: entry, resourceClaimName: claim })) } };
  return { batches: [[{ method: "PATCH", path: `${pathOf("Pod", namespace, name)}/status`, query: { fieldManager: FIELD_MANAGER, force: "true" }, contentType: "application/apply-patch+yaml", body, subject: subjectOf(pod) }]], next: { at: "applied" } };
}

/** A Pod that came to its node without the scheduler: its claims that have devices are reserved for it here. */
function reserve(pod: Pod, view: View<Memory>): Plan<Data, Memory> {
  if (!pod.spec.nodeName) return {};
  const claims: ResourceClaim[] = [];
  let error: string | undefined;
  for (const entry of entriesOf(pod)) {
    const ref = claimNameOf(pod, entry);
    if ("error" in ref) error = ref.error;
    if ("error" in ref) break;
    if (ref.name === null) continue;
    const claim = view.get<ResourceClaim>("resourceclaims", `${pod.metadata.namespace ?? ""}/${ref.name}`);
    if (!claim) break;
    error = ref.made ? notForPod(pod, claim) : undefined;
    if (error !== undefined) break;
    if (isFree(claim, pod)) claims.push(claim);
  }
  if (claims.length === 0) return error === undefined ? {} : { error };
  const consumer: ConsumerReference = { resource: "pods", name: pod.metadata.name ?? "", uid: pod.metadata.uid ?? "" };
  return { batches: claims.map((claim) => [statusCall(claim, { ...claim.status, reservedFor: [...(claim.status?.reservedFor ?? []), consumer] })]), next: { at: "reserved", claims: claims.map(objectKey) } };
}

const statusCall = (claim: ResourceClaim, status: ResourceClaim["status"]): ApiCall => ({ method: "PUT", path: `${objectPath(claim)}/status`, body: { ...claim, status: status ?? {} }, subject: subjectOf(claim) });

type Known = "keep" | "drop" | "ask";

/** Does the Pod still use the claim, as far as the cache says? */
function consumerOf(claim: ResourceClaim, { apiGroup, resource, name, uid }: ConsumerReference, view: View<Memory>): Known {
  if (apiGroup || resource !== "pods") return "keep";
  if (view.memory.gone.includes(uid)) return "drop";
  const pod = view.get<Pod>("pods", `${claim.metadata.namespace ?? ""}/${name}`);
  if (!pod) return "ask";
  return pod.metadata.uid !== uid || isDone(pod) ? "drop" : "keep";
}

function syncClaim(claim: ResourceClaim, view: View<Memory>): Plan<Data, Memory> {
  const consumers = claim.status?.reservedFor ?? [];
  const names = consumers.filter((consumer) => consumerOf(claim, consumer, view) === "ask").map((consumer) => consumer.name);
  // The cache may lag behind: the server is asked before a reservation goes.
  if (names.length > 0) return { batches: names.map((name) => [{ method: "GET", path: pathOf("Pod", claim.metadata.namespace, name), subject: `pod/${claim.metadata.namespace ?? ""}/${name}` }]), next: { at: "asked", names } };
  return release(claim, consumers.filter((consumer) => consumerOf(claim, consumer, view) === "keep"), view);
}

function release(claim: ResourceClaim, remaining: readonly ConsumerReference[], view: View<Memory>): Plan<Data, Memory> {
  const todo: ClaimStep[] = [];
  const { reservedFor: consumers = [], ...status } = claim.status ?? {};
  const finalizer = (claim.metadata.finalizers ?? []).includes(CLAIM_FINALIZER);
  const shrinks = remaining.length < consumers.length;
  const unused = remaining.length === 0;
  const deletes = claim.metadata.deletionTimestamp !== undefined;
  if (shrinks || (finalizer && deletes && unused && status.allocation)) todo.push("status");
  if (finalizer && unused && (shrinks || deletes)) todo.push("finalizer");
  const owner = controllerOf(claim);
  const pod = unused && owner?.kind === "Pod" && owner.apiVersion === "v1" ? view.get<Pod>("pods", `${claim.metadata.namespace ?? ""}/${owner.name}`) : undefined;
  if (pod && (pod.metadata.uid !== owner?.uid || isDone(pod))) todo.push("delete");
  const { allocation: _, ...without } = status;
  return claimStep({ ...claim, status: { ...(finalizer && unused ? without : status), ...(unused ? {} : { reservedFor: remaining }) } }, todo);
}

const CLAIM_NOTES: Readonly<Record<ClaimStep, string>> = { status: "takes Pods that are done off ResourceClaim", finalizer: "takes the finalizer off ResourceClaim", delete: "deletes ResourceClaim" };

/** Writes the claim step by step, each on what the one before left. */
function claimStep(claim: ResourceClaim, [step, ...todo]: readonly ClaimStep[]): Plan<Data, Memory> {
  if (step === undefined) return {};
  const finalizers = (claim.metadata.finalizers ?? []).filter((entry) => entry !== CLAIM_FINALIZER);
  const call: ApiCall =
    step === "status" ? statusCall(claim, claim.status)
    : step === "finalizer" ? { method: "PUT", path: objectPath(claim), body: { ...claim, metadata: { ...claim.metadata, finalizers } }, subject: subjectOf(claim) }
    : { method: "DELETE", path: objectPath(claim), subject: subjectOf(claim) };
  return {
    batches: [[call]],
    next: { at: "claim", todo },
    notes: [{ text: `resourceclaim-controller ${CLAIM_NOTES[step]} ${claim.metadata.name ?? ""}`.slice(0, 138), why: "devices of a claim that no Pod uses are free for others", level: "basic", subject: subjectOf(claim), status: "idle" }],
  };
}

function sync(key: string, view: View<Memory>): Plan<Data, Memory> {
  const name = key.slice(key.indexOf(":") + 1);
  if (key.startsWith("claim:")) {
    const claim = view.get<ResourceClaim>("resourceclaims", name);
    return claim ? syncClaim(claim, view) : {};
  }
  const pod = view.get<Pod>("pods", name);
  return pod && pod.metadata.deletionTimestamp === undefined ? syncPod(pod, view) : {};
}

function created(pod: Pod, { made, failure }: Data & { readonly at: "created" }, answers: readonly Answer[], view: View<Memory>): Plan<Data, Memory> {
  const waiting = made.filter((m) => m.claim === "");
  const at = answers.findIndex((answer) => answer.sent && !isSuccess(answer));
  const refused = answers[at];
  const names = new Map(waiting.flatMap((m, i) => { const name = (answers[i]?.body as ResourceClaim | undefined)?.metadata?.name; return name !== undefined && (at < 0 || i < at) ? [[m.entry, name] as const] : []; }));
  const fresh = [...names].map(([entry, claim]) => ({ pod: pod.metadata.uid ?? "", entry, claim, until: view.now + MADE_FOR }));
  const memory = { ...view.memory, made: [...view.memory.made, ...fresh].slice(-MAX_MADE) };
  return { ...afterwards(), memory };

  function afterwards(): Plan<Data, Memory> {
    if (refused) return creationFailed(pod, waiting[at]?.entry ?? "", `create ResourceClaim : ${messageOf(refused)}`);
    if (failure) return creationFailed(pod, failure.entry, failure.text);
    return applyStatus(pod, made.map((m) => ({ entry: m.entry, claim: m.claim || (names.get(m.entry) ?? "") })));
  }
}

function resumeClaim(claim: ResourceClaim | undefined, data: Data, answers: readonly Answer[], view: View<Memory>): Plan<Data, Memory> {
  const refused = answers.find((answer) => answer.sent && !isSuccess(answer) && !(data.at === "asked" && answer.status === 404));
  if (refused) return { error: messageOf(refused) };
  if (data.at === "claim") return claimStep(answers[0]?.body as ResourceClaim, data.todo);
  if (data.at !== "asked" || !claim) return {};
  const lives = (consumer: ConsumerReference): boolean => (answers[data.names.indexOf(consumer.name)]?.body as Pod | undefined)?.metadata?.uid === consumer.uid;
  return release(claim, (claim.status?.reservedFor ?? []).filter((consumer) => { const known = consumerOf(claim, consumer, view); return known === "keep" || (known === "ask" && lives(consumer)); }), view);
}

function resume(key: string, data: Data, answers: readonly Answer[], view: View<Memory>): Plan<Data, Memory> {
  const name = key.slice(key.indexOf(":") + 1);
  if (data.at === "asked" || data.at === "claim") return resumeClaim(view.get<ResourceClaim>("resourceclaims", name), data, answers, view);
  const pod = view.get<Pod>("pods", name);
  if (!pod) return {};
  if (data.at === "created") return created(pod, data, answers, view);
  const at = answers.findIndex((answer) => answer.sent && !isSuccess(answer));
  const refused = answers[at];
  if (data.at === "reserved") return refused ? { error: `reserve claim ${data.claims[at] ?? ""}: ${messageOf(refused)}` } : {};
  return refused ? { error: `update pod ${name} ResourceClaimStatuses: ${messageOf(refused)}` } : reserve(pod, view);
}

/** Makes ResourceClaims from the templates that Pods name, and frees claims that no Pod uses any more. */
export const createResourceClaimController = (config: ControllerConfig): Component<ControllerState<Data, Memory>> =>
  createController<Data, Memory>(
    {
      id: ID,
      account: "resource-claim-controller",
      eventSource: "resource_claim",
      resources: RESOURCES,
      indexers: {
        podsByClaim: { resource: "pods", values: (object) => claimKeysOf(object as Pod) },
        podsByTemplate: { resource: "pods", values: (object) => [...new Set(entriesOf(object as Pod).flatMap((entry) => (entry.resourceClaimTemplateName === undefined ? [] : [`${object.metadata.namespace ?? ""}/${entry.resourceClaimTemplateName}`])))] },
        claimsByOwner: { resource: "resourceclaims", values: (object) => { const owner = controllerOf(object); return owner?.kind === "Pod" && owner.apiVersion === "v1" ? [owner.uid] : []; } },
      },
      workers: 50,
      latency: "persistentvolume.sync",
      memory: { gone: [], made: [] },
      handle,
      sync,
      resume,
    },
    config,
  );

export const resourceClaimWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
