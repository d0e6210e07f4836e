// Models DeleteCollection of kubernetes/staging/src/k8s.io/apiserver/pkg/{endpoints/handlers/delete.go,registry/generic/registry/store.go}
import { etcdKey } from "../../api/schema/resources.ts";
import { newBadRequest, newUnknownServerError } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import { type Gate, tellRefusal } from "../filters/gates.ts";
import { answer, askEtcd, objectSubject, refuse, type Run } from "../state.ts";
import { selects } from "../watch-cache/watchers.ts";
import { runAdmission } from "./admission.ts";
import { servedBy, storedBy } from "./convert.ts";
import { computeDeletion } from "./delete.ts";
import { deleteOptionsStatus, isDryRunDelete, optionsOf, preconditionFailure } from "./delete-options.ts";
import { invalidListOptions, validateListOptions } from "./list-options.ts";
import { decodeValue } from "./metadata.ts";
import { cacheOf, pageNotFound, selection } from "./read.ts";

function stop(run: Run, status: Status): void {
  tellRefusal(run, "ValidatingAdmission", `refuses: ${status.message ?? ""}`);
  refuse(run, status);
}

/** What the request selects, as it is when the request comes. */
function listed(run: Run): readonly KubeObject[] | Status {
  const { info, request } = run.request;
  const errors = validateListOptions(request.query ?? {});
  if (errors.length > 0) return invalidListOptions(errors);
  const { error, watcher } = selection(run);
  if (error !== undefined) return newBadRequest(error);
  const wrong = deleteOptionsStatus(run);
  if (wrong !== undefined) return wrong;
  const limit = Number(request.query?.["limit"] ?? 0);
  const { api } = info;
  if (api === undefined) return pageNotFound();
  const all = (cacheOf(run)?.objects.sortedValues() ?? []).filter((object) => selects(watcher, object)).map((object) => servedBy(api, object));
  return limit > 0 ? all.slice(0, limit) : all;
}

const isStatus = (value: readonly KubeObject[] | Status): value is Status => !Array.isArray(value);

/** The answer of etcd to the last object's transaction: the object anew when somebody else was faster, "gone" when this one is done with. */
function settled(run: Run): KubeObject | "gone" | Status {
  const { answer: got, info } = run.request;
  if (got?.type !== "etcd.txn.response" || info.api === undefined) return newUnknownServerError(got !== undefined && "message" in got ? got.message : "unexpected answer");
  return got.succeeded || got.kv === undefined ? "gone" : servedBy(info.api, decodeValue(got.kv));
}

function next(run: Run): void {
  const { collection } = run.request;
  run.request.collection = collection === undefined ? undefined : { items: collection.items, next: collection.next + 1 };
  run.request.existing = undefined;
  run.request.admission = undefined;
  run.request.answer = undefined;
}

/** Asks admission about the object, then etcd to mark or remove it. True when the request must wait or is answered. */
function deleteOne(run: Run, object: KubeObject): boolean {
  const { info } = run.request;
  if (info.api === undefined) return true;
  run.request.existing = object;
  const status = runAdmission(run, "DELETE");
  if (status === "wait") return true;
  const options = optionsOf(run);
  const refusal = status ?? preconditionFailure(object, options);
  if (refusal !== undefined) {
    stop(run, refusal);
    return true;
  }
  run.request.answer = undefined;
  const step = computeDeletion(object, options, run.ctx.now);
  if (step === undefined || isDryRunDelete(run)) return false;
  const { namespace, name = "", resourceVersion } = object.metadata;
  askEtcd(run, { type: "etcd.txn.request", key: etcdKey(info.api, namespace, name), modRevision: Number(resourceVersion), ...(step.put === undefined ? {} : { value: storedBy(info.api, step.put) }), subject: objectSubject(info.api, object), level: run.request.level });
  // What the transaction answers is not for admission.
  run.request.admission = undefined;
  return true;
}

/** DELETE of a collection: the objects of a list, one after another; the first refusal ends it, and what went before stays gone. */
export const deleteCollectionGate: Gate = {
  name: "Storage",
  share: 92,
  run(run) {
    const { info } = run.request;
    if (info.api === undefined) return refuse(run, pageNotFound());
    if (run.request.collection === undefined) {
      const items = listed(run);
      if (isStatus(items)) return stop(run, items);
      run.request.collection = { items, next: 0 };
    }
    let again: KubeObject | undefined;
    // An answer that is not admission's is etcd's.
    if (run.request.answer !== undefined && run.request.admission === undefined) {
      const outcome = settled(run);
      if (outcome !== "gone" && outcome.kind === "Status") return refuse(run, outcome as Status);
      run.request.answer = undefined;
      if (outcome === "gone") next(run);
      else again = outcome as KubeObject;
    }
    const { items } = run.request.collection;
    for (let i = run.request.collection.next; i < items.length; i++) {
      const object = again ?? run.request.existing ?? items[i];
      again = undefined;
      if (object !== undefined && deleteOne(run, object)) return;
      next(run);
    }
    return answer(run, 200, { apiVersion: info.api.apiVersion, kind: info.api.custom?.crd.spec.names.listKind ?? `${info.api.kind}List`, metadata: { resourceVersion: String(run.state.revision) }, items });
  },
};
