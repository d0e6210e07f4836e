// Models kubernetes/staging/src/k8s.io/endpointslice/util/trigger_time_tracker.go
import type { EndpointSlice, Pod, Service } from "../../api/types.ts";
import { conditionOf } from "../pods.ts";

/** On slices: when the change happened that they now show. */
export const LAST_CHANGE_TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

/** Times known of a Service and of its Pods by name, as RFC 3339. */
export interface TriggerTimes {
  readonly service: string;
  readonly pods: Readonly<Record<string, string>>;
}

/** The earliest time that is newer than what was known, and what is known now. A Service seen first counts from its creation. */
export function lastChangeTriggerTime(known: TriggerTimes | undefined, service: Service, pods: readonly Pod[]): { readonly trigger: string | undefined; readonly times: TriggerTimes } {
  const times: Record<string, string> = {};
  let trigger: string | undefined;
  const consider = (at: string, before: string | undefined): void => {
    if ((before === undefined || at > before) && (trigger === undefined || at < trigger)) trigger = at;
  };
  for (const pod of pods) {
    const at = conditionOf(pod, "Ready")?.lastTransitionTime;
    if (!at) continue;
    const name = pod.metadata.name ?? "";
    times[name] = at;
    consider(at, known?.pods[name]);
  }
  const created = service.metadata.creationTimestamp ?? "";
  consider(created, known?.service);
  return { trigger: known ? trigger : created, times: { service: created, pods: times } };
}

/** A slice that says when its change happened, or nothing if that is not known. */
export function withTriggerTime(slice: EndpointSlice, trigger: string | undefined): EndpointSlice {
  const { [LAST_CHANGE_TRIGGER_TIME]: _old, ...others } = slice.metadata.annotations ?? {};
  const annotations = trigger === undefined || trigger === "" ? others : { ...others, [LAST_CHANGE_TRIGGER_TIME]: trigger };
  const { annotations: _annotations, ...metadata } = slice.metadata;
  return { ...slice, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } };
}
