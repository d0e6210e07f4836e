// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/apply/patcher.go
import { parseJson } from "../api/json.ts";
import { resourceForKind } from "../api/schema/resources.ts";
import { createThreeWayJsonMergePatch, createThreeWayMergePatch } from "../api/three-way-patch.ts";
import type { KubeObject } from "../api/types.ts";

type Json = Readonly<Record<string, unknown>>;

/** The patch from what was applied last, the manifest and the live object; undefined when there is nothing to do. */
export function threeWayPatch(lastApplied: string | undefined, modified: KubeObject, live: KubeObject): Json | undefined {
  const original = (lastApplied === undefined ? {} : (parseJson(lastApplied.trim())?.value ?? {})) as Json;
  const next = modified as unknown as Json;
  const current = live as unknown as Json;
  const builtIn = resourceForKind(modified.apiVersion, modified.kind) !== undefined;
  const patch = builtIn ? createThreeWayMergePatch(original, next, current, modified) : createThreeWayJsonMergePatch(original, next, current);
  return Object.keys(patch).length === 0 ? undefined : patch;
}
