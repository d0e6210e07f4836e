// Models kubernetes/pkg/registry/core/persistentvolume/strategy.go: status.lastPhaseTransitionTime
import type { KubeObject } from "../../api/types.ts";

/** persistentvolumeStatusStrategy: when the phase changes the server says when, unless the client did. */
export function withTransitionTime(object: KubeObject, old: KubeObject, now: string): KubeObject {
  const before = (old.status ?? {}) as { readonly phase?: string; readonly lastPhaseTransitionTime?: string };
  const status = (object.status ?? {}) as { readonly phase?: string; readonly lastPhaseTransitionTime?: string };
  const said = status.lastPhaseTransitionTime;
  if (before.phase === status.phase) return said !== undefined || before.lastPhaseTransitionTime === undefined ? object : { ...object, status: { ...status, lastPhaseTransitionTime: before.lastPhaseTransitionTime } };
  return said === undefined || said === before.lastPhaseTransitionTime ? { ...object, status: { ...status, lastPhaseTransitionTime: now } } : object;
}
