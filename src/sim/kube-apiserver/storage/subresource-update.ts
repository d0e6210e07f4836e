// Models the strategies of resources and their subresources in kubernetes/pkg/registry/core/pod/strategy.go and storage/storage.go
import type { FieldError } from "../../api/field-error.ts";
import type { KubeObject, Pod } from "../../api/types.ts";
import { validateSubresourceUpdate, validateUpdate } from "../../api/validation/validate.ts";
import { onlyConditions, withConditionTimes } from "../registry/certificates.ts";
import { keepEphemeralContainers, keepResize } from "../registry/pods.ts";
import { prepareForStatusUpdate, prepareForUpdate } from "../registry/registry.ts";

/** PrepareForUpdate of the subresource's strategy: what it may not change is put back. */
export function prepareUpdate(subresource: string, object: KubeObject, existing: KubeObject, now: string): KubeObject {
  switch (subresource) {
    case "":
    case "scale":
      return prepareForUpdate(object, existing);
    case "resize":
      return prepareForUpdate(keepResize(object as Pod, existing as Pod), existing);
    case "ephemeralcontainers":
      return prepareForUpdate(keepEphemeralContainers(object as Pod, existing as Pod), existing);
    case "status":
      return withConditionTimes(prepareForStatusUpdate(object, existing, now), existing, now);
    case "approval":
      return onlyConditions(withConditionTimes(object, existing, now), existing);
    default:
      return object;
  }
}

/** ValidateUpdate of the subresource's strategy. */
export const updateErrors = (subresource: string, object: KubeObject, existing: KubeObject): readonly FieldError[] => (subresource === "" ? validateUpdate(object, existing) : validateSubresourceUpdate(object, existing, subresource));
