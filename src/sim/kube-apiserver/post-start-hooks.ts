// Models kubernetes/pkg/registry/{rbac/rest/storage_rbac.go,flowcontrol/rest/storage_flowcontrol.go} and apiserver/pkg/util/flowcontrol: what the server itself writes
import { uuid } from "../api/ids.ts";
import { missingRules, type PolicyRule, type RbacBinding, type RbacRole } from "../api/rbac.ts";
import { etcdKey, resourceForKind } from "../api/schema/resources.ts";
import { MINUTE, rfc3339 } from "../api/time.ts";
import type { KubeObject } from "../api/types.ts";
import type { Ctx } from "../kernel/types.ts";
import { OWN_KEY } from "./etcd-client.ts";
import { AUTO_UPDATE_SPEC, BOOTSTRAP_LEVELS, BOOTSTRAP_SCHEMAS, danglingStatus, MANDATORY_LEVELS, MANDATORY_SCHEMAS } from "./flowcontrol/bootstrap.ts";
import type { FlowSchema } from "./flowcontrol/types.ts";
import { AUTO_UPDATE, bootstrapPolicy } from "./rbac/bootstrap-policy.ts";
import { type ApiServerConfig, type ApiServerState, sendEtcd } from "./state.ts";
import { getObject, objectsIn } from "./watch-cache/lookup.ts";

/** The server's own writes: nobody waits for their answers. */
const FLOW_PREFIXES = new Set(["/registry/flowschemas", "/registry/prioritylevelconfigurations"]);

function write(ctx: Ctx, config: ApiServerConfig, state: ApiServerState, object: KubeObject, existing: KubeObject | undefined): ApiServerState {
  const api = resourceForKind(object.apiVersion, object.kind);
  if (api === undefined) return state;
  const { namespace, name = "" } = object.metadata;
  const subject = `${api.singular}/${namespace === undefined ? "" : `${namespace}/`}${name}`;
  const fresh = { uid: uuid(config.world.seed, `${subject}/${ctx.now}`), creationTimestamp: rfc3339(ctx.now), ...(object.spec === undefined ? {} : { generation: 1 }) };
  const value = { ...object, metadata: existing === undefined ? { ...fresh, ...object.metadata } : { ...object.metadata } };
  return sendEtcd(ctx, state, OWN_KEY, { type: "etcd.txn.request", key: etcdKey(api, namespace, name), modRevision: Number(existing?.metadata.resourceVersion ?? 0), value, subject, level: "operator" }, "operator");
}

const PLURALS: Readonly<Record<string, string>> = { ClusterRole: "clusterroles", ClusterRoleBinding: "clusterrolebindings", Role: "roles", RoleBinding: "rolebindings", FlowSchema: "flowschemas", PriorityLevelConfiguration: "prioritylevelconfigurations" };
const stored = (state: ApiServerState, object: KubeObject): KubeObject | undefined => getObject(state, PLURALS[object.kind] ?? "", object.metadata.namespace ?? "", object.metadata.name ?? "");

/** A default role or binding as it has to be: what is missing is added, what is more stays. Undefined when nothing is missing. */
function reconciled(wanted: KubeObject, existing: KubeObject | undefined): KubeObject | undefined {
  if (existing === undefined) return wanted;
  if (existing.metadata.annotations?.[AUTO_UPDATE] === "false") return undefined;
  if (wanted.kind.endsWith("Binding")) {
    const has = (existing as RbacBinding).subjects ?? [];
    const missing = ((wanted as RbacBinding).subjects ?? []).filter((subject) => !has.some((other) => other.kind === subject.kind && other.name === subject.name && other.namespace === subject.namespace));
    return missing.length === 0 ? undefined : ({ ...existing, subjects: [...has, ...missing] } as KubeObject);
  }
  if ((existing as RbacRole).aggregationRule !== undefined) return undefined;
  const has: readonly PolicyRule[] = (existing as RbacRole).rules ?? [];
  const missing = missingRules(has, (wanted as RbacRole).rules ?? []);
  return missing.length === 0 ? undefined : ({ ...existing, rules: [...has, ...missing] } as KubeObject);
}

/** rbac/bootstrap-roles: a starting server puts its default policy right. */
export function bootstrapRoles(ctx: Ctx, config: ApiServerConfig, state: ApiServerState): ApiServerState {
  let next = state;
  for (const wanted of bootstrapPolicy()) {
    const existing = stored(state, wanted);
    const object = reconciled(wanted, existing);
    if (object === undefined) continue;
    ctx.explain({ text: `kube-apiserver restores ${wanted.kind} ${wanted.metadata.name ?? ""}`, why: "a starting server adds what its default policy has and the store has not", level: "operator" });
    next = write(ctx, config, next, object, existing);
  }
  return next;
}

const MANDATORY: ReadonlySet<KubeObject> = new Set<KubeObject>([...MANDATORY_LEVELS, ...MANDATORY_SCHEMAS]);

/** Flow schemas and levels that are not as the server wants them. */
function flowRepairs(state: ApiServerState): readonly (readonly [wanted: KubeObject, existing: KubeObject | undefined])[] {
  return [...BOOTSTRAP_LEVELS, ...BOOTSTRAP_SCHEMAS].flatMap((wanted): (readonly [KubeObject, KubeObject | undefined])[] => {
    const existing = stored(state, wanted);
    if (existing === undefined) return [[wanted, undefined]];
    const kept = MANDATORY.has(wanted) || existing.metadata.annotations?.[AUTO_UPDATE_SPEC] === "true";
    if (!kept || JSON.stringify(existing.spec) === JSON.stringify(wanted.spec)) return [];
    return [[{ ...existing, spec: wanted.spec }, existing]];
  });
}

/** Says of each flow schema whether its level exists. */
function dangling(ctx: Ctx, config: ApiServerConfig, state: ApiServerState): ApiServerState {
  let next = state;
  for (const object of objectsIn(state, "flowschemas").sortedValues()) {
    const schema = object as FlowSchema;
    const exists = objectsIn(state, "prioritylevelconfigurations").has(schema.spec.priorityLevelConfiguration.name);
    const now = (schema.status as { readonly conditions?: readonly { readonly type: string; readonly status: string }[] } | undefined)?.conditions?.find(({ type }) => type === "Dangling")?.status;
    if (now === (exists ? "False" : "True")) continue;
    next = write(ctx, config, next, { ...schema, status: danglingStatus(schema, exists, ctx.now) }, schema);
  }
  return next;
}

/** After a change of flow schemas or levels: their conditions at once, and within a minute what somebody took away. */
export function afterFlowChange(ctx: Ctx, config: ApiServerConfig, state: ApiServerState, prefix: string): ApiServerState {
  if (!FLOW_PREFIXES.has(prefix)) return state;
  if (flowRepairs(state).length > 0) ctx.after(MINUTE - (ctx.now % MINUTE), { type: "apiserver.flow-control" });
  return dangling(ctx, config, state);
}

/** priority-and-fairness-config-producer: once a minute, and at the start. */
export function restoreFlowControl(ctx: Ctx, config: ApiServerConfig, state: ApiServerState): ApiServerState {
  let next = state;
  for (const [wanted, existing] of flowRepairs(state)) {
    ctx.explain({ text: `kube-apiserver restores ${wanted.kind} ${wanted.metadata.name ?? ""}`, why: "mandatory objects are always restored, suggested ones while their annotation autoupdate-spec says so", level: "operator" });
    next = write(ctx, config, next, wanted, existing);
  }
  return next;
}
