// Models kubernetes/pkg/scheduler/framework/plugins/imagelocality/image_locality.go
import type { Pod } from "../../api/types.ts";
import { MAX_NODE_SCORE, type Plugin } from "../framework.ts";
import { imageOnNode } from "../snapshot.ts";

const MIB = 1024 * 1024;
// Below 23 MiB an image is pulled so fast that it does not matter; above 1000 MiB per container it can count no more.
const MIN_THRESHOLD = 23 * MIB;
const MAX_CONTAINER_THRESHOLD = 1000 * MIB;

/** Untagged names get ":latest", as the runtime reports them. */
export const normalizedImageName = (name: string): string => (name.lastIndexOf(":") <= name.lastIndexOf("/") ? `${name}:latest` : name);

function imagesOf(pod: Pod): string[] {
  const containers = [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])].map((c) => c.image ?? "");
  const volumes = (pod.spec.volumes ?? []).flatMap((v) => (v.image ? [v.image.reference ?? ""] : []));
  return [...containers, ...volumes].map(normalizedImageName);
}

/** Prefers nodes that have the Pod's images already; an image on few nodes counts less, so that Pods do not pile up there. */
export const imageLocality = {
  name: "ImageLocality",

  score(cycle, { node }) {
    const { snapshot, pod } = cycle;
    const total = snapshot.nodes.length;
    const parts: string[] = [];
    let sum = 0;
    for (const name of imagesOf(pod)) {
      const image = imageOnNode(snapshot, node, name);
      if (!image) continue;
      const part = Math.trunc(image.size * (image.numNodes / total));
      sum += part;
      parts.push(`${name} ${image.size} × ${image.numNodes}/${total} = ${part}`);
    }
    const containers = (pod.spec.initContainers ?? []).length + (pod.spec.containers ?? []).length;
    const max = MAX_CONTAINER_THRESHOLD * containers;
    const clamped = Math.max(MIN_THRESHOLD, Math.min(sum, max));
    const raw = Math.trunc((MAX_NODE_SCORE * (clamped - MIN_THRESHOLD)) / (max - MIN_THRESHOLD));
    const formula = `${parts.join("; ") || "no image of the Pod is here"}; 100 × (${clamped} - ${MIN_THRESHOLD}) / (${max} - ${MIN_THRESHOLD}) = ${raw}`;
    return { raw, formula, inputs: { "sum of scaled sizes": sum, containers, nodes: total } };
  },
} satisfies Plugin;
