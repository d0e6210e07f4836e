import { newBadRequest } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value);

function merge(current: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const out: Record<string, unknown> = isRecord(current) ? { ...current } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = merge(out[key], value);
  }
  return out;
}

export function patchObject(existing: KubeObject, patch: unknown, _contentType: string): KubeObject | Status {
  return isRecord(patch) ? (merge(existing, patch) as KubeObject) : newBadRequest("patch");
}
