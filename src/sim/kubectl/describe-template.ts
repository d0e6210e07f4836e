// Models kubernetes/staging/src/k8s.io/kubectl/pkg/describe/describe.go (DescribePodTemplate)
import { containersText } from "./describe-containers.ts";
import { spreadText, tolerationTexts } from "./describe-pod.ts";
import { annotationsText, multiline, sorted } from "./describe-util.ts";
import { volumeLines } from "./describe-volumes.ts";
import type { PodTemplate } from "./template.ts";

/** A Pod template as describe and rollout history show it, not yet aligned. */
export function templateText({ metadata, spec }: PodTemplate): string {
  const account = (spec as { readonly serviceAccountName?: string }).serviceAccountName;
  return [
    "Pod Template:\n", multiline("  Labels", sorted(metadata?.labels).map(([key, value]) => `${key}=${value}`)), Object.keys(metadata?.annotations ?? {}).length > 0 ? annotationsText("  Annotations", metadata?.annotations) : "", account ? `  Service Account:\t${account}\n` : "",
    containersText("Init Containers", spec.initContainers, undefined, "  "), containersText("Containers", spec.containers, undefined, "  "), volumeLines(spec.volumes, "  "), spreadText(spec, "  "),
    spec.priorityClassName ? `  Priority Class Name:\t${spec.priorityClassName}\n` : "", multiline("  Node-Selectors", sorted(spec.nodeSelector).map(([key, value]) => `${key}=${value}`)), multiline("  Tolerations", tolerationTexts(spec)),
  ].join("");
}
