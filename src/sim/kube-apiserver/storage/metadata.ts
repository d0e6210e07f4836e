// Models kubernetes/staging/src/k8s.io/apiserver/pkg/registry/rest/{create,update,meta}.go
import { uuid } from "../../api/ids.ts";
import { generateName } from "../../api/random-suffix.ts";
import { rfc3339 } from "../../api/time.ts";
import type { KubeObject, ObjectMeta } from "../../api/types.ts";
import type { KeyValue } from "../../etcd/messages.ts";
import type { Run } from "../state.ts";

/** The object a key holds: its resourceVersion is the key's mod_revision. */
export function decodeValue(kv: KeyValue): KubeObject {
  let object = decoded.get(kv);
  if (object === undefined) {
    const resourceVersion = String(kv.modRevision);
    const stored = kv.value.kind === "Job" ? withJobLabels(kv.value) : kv.value;
    object = stored.metadata.resourceVersion === resourceVersion ? stored : { ...stored, metadata: { ...stored.metadata, resourceVersion } };
    decoded.set(kv, object);
  }
  return object;
}

/** One object for the answer to a write and for the watch that tells of it: what is remembered of one holds for the other. */
const decoded = new WeakMap<KeyValue, KubeObject>();

/**
 * What is read from the store is defaulted like what clients send: a Job that was sent without labels has none when its selector is made,
 * and takes those of its template then. No other default depends on what the strategies write.
 */
function withJobLabels(job: KubeObject): KubeObject {
  const { labels } = (job.spec as { readonly template?: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } } }).template?.metadata ?? {};
  const own = Object.keys(job.metadata.labels ?? {}).length > 0;
  return own || labels === undefined ? job : { ...job, metadata: { ...job.metadata, labels } };
}

/** What clients may not set: wiped before anything looks at the object. */
export function wipeSystemFields(object: KubeObject): KubeObject {
  const { uid: _uid, creationTimestamp: _created, deletionTimestamp: _deleted, deletionGracePeriodSeconds: _grace, resourceVersion: _version, generation: _generation, ...metadata } = object.metadata as ObjectMeta & { selfLink?: string };
  return { ...object, metadata };
}

/** Draws are numbered by what they are for, so that an unrelated request cannot change them. */
export function nextDraw(run: Run, key: string): number {
  const n = run.state.draws.get(key) ?? 0;
  run.state.draws = run.state.draws.set(key, n + 1);
  return n;
}

/** rest.BeforeCreate's own part: name from generateName, uid, creationTimestamp. */
export function fillSystemFields(run: Run, object: KubeObject): KubeObject {
  const { metadata } = object;
  const prefix = metadata.generateName ?? "";
  const name = metadata.name ?? (prefix === "" ? undefined : drawName(run, `${metadata.namespace ?? ""}/${prefix}`, prefix));
  const identity = `${object.kind}/${metadata.namespace ?? ""}/${name ?? ""}`;
  const uid = uuid(run.config.world.seed, `${identity}/${nextDraw(run, identity)}`);
  return { ...object, metadata: { ...metadata, ...(name === undefined ? {} : { name }), uid, creationTimestamp: rfc3339(run.ctx.now) } };
}

function drawName(run: Run, key: string, prefix: string): string {
  const n = nextDraw(run, `name/${key}`);
  return generateName(prefix, (i) => run.ctx.rand(`name/${key}/${n}`, i));
}

/** fieldManager of the query, else the program's name in User-Agent. */
export function managerOf({ request: { request } }: Run): string {
  const asked = request.query?.["fieldManager"] ?? "";
  return asked === "" ? ((request.headers["User-Agent"] ?? "").split("/")[0] ?? "") : asked;
}
