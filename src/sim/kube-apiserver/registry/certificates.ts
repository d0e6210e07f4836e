// Models kubernetes/pkg/registry/certificates/certificates/strategy.go
import type { Condition, KubeObject } from "../../api/types.ts";
import type { User } from "../filters/authentication.ts";

const KIND = "CertificateSigningRequest";
type Decided = Condition & { readonly lastUpdateTime?: string | null };

const conditionsOf = (object: KubeObject): readonly Decided[] => (object.status as { readonly conditions?: readonly Decided[] } | undefined)?.conditions ?? [];

/** Who asks is who is logged in, whatever the request says. */
export function withRequester(object: KubeObject, user: User | undefined): KubeObject {
  if (object.kind !== KIND || user === undefined) return object;
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = (object.spec ?? {}) as Readonly<Record<string, unknown>>;
  const extra = Object.keys(user.extra ?? {}).length === 0 ? {} : { extra: user.extra };
  return { ...object, spec: { ...spec, username: user.name, ...(user.uid === undefined || user.uid === "" ? {} : { uid: user.uid }), groups: user.groups, ...extra } };
}

/** populateConditionTimestamps: the times that a client left out. */
export function withConditionTimes(object: KubeObject, old: KubeObject, now: string): KubeObject {
  if (object.kind !== KIND) return object;
  const before = conditionsOf(old);
  const conditions = conditionsOf(object).map((condition): Decided => ({
    ...condition,
    lastUpdateTime: condition.lastUpdateTime || now,
    lastTransitionTime: condition.lastTransitionTime || before.find(({ type, status }) => type === condition.type && status === condition.status)?.lastTransitionTime || now,
  }));
  return conditions.length === 0 ? object : { ...object, status: { ...(object.status as object), conditions } };
}

/** The approval subresource changes conditions and nothing else. */
export const onlyConditions = (object: KubeObject, old: KubeObject): KubeObject => ({ ...object, spec: old.spec, status: { ...(old.status as object | undefined), ...(conditionsOf(object).length === 0 ? {} : { conditions: conditionsOf(object) }) } });
