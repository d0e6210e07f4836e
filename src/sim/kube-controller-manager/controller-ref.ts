// Models kubernetes/pkg/controller/controller_ref_manager.go
import { matches, type Selector } from "../api/labels.ts";
import type { KubeObject } from "../api/types.ts";
import type { ApiCall } from "../client-go/api-client.ts";
import { bodyOf, isSuccess, messageOf } from "./answers.ts";
import type { Answer } from "./controller-types.ts";
import { ownerReferenceTo } from "./pods.ts";
import { objectPath, subjectOf } from "./resources.ts";

const patch = (object: KubeObject, metadata: object): ApiCall => ({ method: "PATCH", path: objectPath(object), contentType: "application/strategic-merge-patch+json", body: { metadata: { uid: object.metadata.uid, ...metadata } }, subject: subjectOf(object) });

/** Makes the owner the object's controller; the server refuses when it has another. */
export const adoptCall = (owner: KubeObject, object: KubeObject, finalizer?: string): ApiCall => patch(object, { ownerReferences: [ownerReferenceTo(owner)], ...(finalizer === undefined ? {} : { finalizers: [finalizer] }) });

/** Takes the owner out of the object's references. */
export const releaseCall = (owner: KubeObject, object: KubeObject, finalizer?: string): ApiCall =>
  patch(object, { ownerReferences: [{ $patch: "delete", uid: owner.metadata.uid }], ...(finalizer === undefined ? {} : { "$deleteFromPrimitiveList/finalizers": [finalizer] }) });

interface Claim {
  readonly kind: "release" | "check" | "adopt";
  readonly object: KubeObject;
}

/** A claim under way: what is still to be asked, one after the other, and what belongs to the owner so far. Plain data. */
export interface Claiming {
  readonly owner: KubeObject;
  readonly left: readonly Claim[];
  readonly claimed: readonly KubeObject[];
  readonly errors: readonly string[];
  /** Kept on everything that is owned. */
  readonly finalizer?: string;
}

/** ClaimObject for all: owned ones that do not match are let go, orphans that match are taken after a fresh look at the owner. */
export function startClaim(owner: KubeObject, selector: Selector, owned: readonly KubeObject[], orphans: readonly KubeObject[], finalizer?: string, accepts: (object: KubeObject) => boolean = () => true): Claiming {
  const mine = (object: KubeObject): boolean => matches(selector, object.metadata.labels) && accepts(object);
  const claimed = owned.filter(mine);
  if (owner.metadata.deletionTimestamp !== undefined) return { owner, left: [], claimed, errors: [] };
  const adopted = orphans.filter((object) => object.metadata.deletionTimestamp === undefined && mine(object));
  if (claimed.length === owned.length && adopted.length === 0) return { owner, left: [], claimed, errors: [] };
  const left = [...owned.filter((object) => !mine(object)).map((object): Claim => ({ kind: "release", object })), ...(adopted.length === 0 ? [] : [{ kind: "check", object: owner } as const]), ...adopted.map((object): Claim => ({ kind: "adopt", object }))];
  return { owner, left, claimed, errors: [], ...(finalizer === undefined ? {} : { finalizer }) };
}

/** The next request of a claim; undefined when it is through. */
export function nextClaim({ owner, left: [first], finalizer }: Claiming): ApiCall | undefined {
  if (first === undefined) return undefined;
  if (first.kind === "check") return { method: "GET", path: objectPath(owner), subject: subjectOf(owner) };
  return first.kind === "adopt" ? adoptCall(owner, first.object, finalizer) : releaseCall(owner, first.object, finalizer);
}

/** Takes in the answer to `nextClaim`. What is gone meanwhile is no error. */
export function claimAnswered(claiming: Claiming, answer: Answer | undefined): Claiming {
  const [first, ...left] = claiming.left;
  if (first === undefined || answer === undefined) return claiming;
  const next: Claiming = { ...claiming, left };
  if (first.kind === "check") return checked(next, answer);
  if (isSuccess(answer)) return first.kind === "adopt" ? { ...next, claimed: [...next.claimed, first.object] } : next;
  if (answer.status === 404 || (first.kind === "release" && answer.status === 422)) return next;
  return { ...next, errors: [...next.errors, messageOf(answer)] };
}

/** RecheckDeletionTimestamp: a cache may not know yet that the owner is going, or is another one by now. */
function checked(claiming: Claiming, answer: Answer): Claiming {
  const { owner } = claiming;
  const { kind, metadata: { namespace = "", name = "", uid = "" } } = owner;
  const fresh = bodyOf(answer);
  const why = fresh === undefined ? `can't recheck DeletionTimestamp: ${messageOf(answer)}`
    : fresh.metadata.uid !== uid ? `can't recheck DeletionTimestamp: original ${kind} ${namespace}/${name} is gone: got uid ${fresh.metadata.uid ?? ""}, wanted ${uid}`
    : fresh.metadata.deletionTimestamp !== undefined ? `${namespace}/${name} has just been deleted at ${fresh.metadata.deletionTimestamp}` : undefined;
  if (why === undefined) return claiming;
  const refused = claiming.left.filter(({ kind: claim }) => claim === "adopt").map(({ object }) => `can't adopt ${object.kind} ${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""} (${object.metadata.uid ?? ""}): ${why}`);
  return { ...claiming, left: claiming.left.filter(({ kind: claim }) => claim !== "adopt"), errors: [...claiming.errors, ...refused] };
}

/** As upstream joins several errors into one; equal ones are told once. */
export function aggregate(errors: readonly string[]): string | undefined {
  const all = [...new Set(errors)];
  return all.length === 0 ? undefined : all.length === 1 ? all[0] : `[${all.join(", ")}]`;
}
