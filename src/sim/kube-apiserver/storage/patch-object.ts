// Models kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go
import { goJsonError } from "../../api/go-json-error.ts";
import { applyJsonMergePatch, applyJsonPatch, applyStrategicMergePatch, type JsonPatchOperation } from "../../api/patch.ts";
import { failure, newBadRequest } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";

/** Applies a patch of any of the three kinds to the stored object; a Status when it cannot be applied. */
export function patchObject(existing: KubeObject, patch: unknown, contentType: string, custom = false): KubeObject | Status {
  if (custom && contentType === "application/strategic-merge-patch+json") return failure(415, "UnsupportedMediaType", "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
  if (typeof patch === "string") return newBadRequest(goJsonError(patch) ?? "unexpected end of JSON input");
  switch (contentType) {
    case "application/strategic-merge-patch+json": {
      const result = applyStrategicMergePatch(existing, patch, existing);
      return typeof result === "string" ? newBadRequest(result) : (result as unknown as KubeObject);
    }
    case "application/merge-patch+json":
      return applyJsonMergePatch(existing, patch) as KubeObject;
    case "application/json-patch+json": {
      const result = applyJsonPatch(existing, patch as readonly JsonPatchOperation[]);
      return typeof result === "string" ? failure(422, "Invalid", `the server rejected our request due to an error in our request`) : (result.value as KubeObject);
    }
    default:
      return failure(415, "UnsupportedMediaType", `the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml`);
  }
}
